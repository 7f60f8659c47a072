/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the node record share, and no other folder uses: node_record.c (the whole, and the job's identity),
 * node_record_totals.c (sums), node_record_tools.c (tools, timeline), node_record_living.c (the live processes of a job
 * that still runs), node_record_waits.c (pressure, file systems, files), node_record_samples.c (what was seen while
 * the job ran) and node_record_gap.c (gaps), which calls none of the others.
 */
#ifndef STINT_NODE_RECORD_INTERNAL_H
#define STINT_NODE_RECORD_INTERNAL_H

#include <json-c/json.h>

#include "collector/record/node_record.h"

/* A tool. @living: how many live processes run it, if the job still runs */
struct listed_tool {
	uint64_t id;
	uint64_t living;
	struct tool tool;
};

struct build {
	const struct record_source *source;
	struct job *job;
	struct json_object *record;
	struct json_object *gaps;
	int64_t to_unix_ns;   /* CLOCK_BOOTTIME plus this is Unix time */
	struct totals totals; /* the job's */
	bool have_totals;
	bool uncounted[USES]; /* sums that no program adds up */
	uint64_t images; /* ended images of all tools */
	struct listed_tool *listed; /* the tools, in the order of the record */
	uint64_t *tools;            /* their ids */
	size_t tool_count;
	bool tools_failed;         /* memory ran out before all tools were listed */
	struct totals *step_totals; /* for a job that still runs: from before the walk over its threads; otherwise
		 * NULL */
	bool *have_step_totals;
	bool living_known;        /* all sums include what live threads used */
	struct living *living;    /* live images, each once; use[] has what all threads of its process used */
	size_t living_count;
	uint64_t *living_cpu_ns; /* time used on each CPU up to the walk over live threads; NULL: not known */
	bool others; /* one of the tools stands for all that had no entry of their own */
};

/* Adds a gap: what is missing (a dotted name), and why. Does not add a gap twice. */
void node_record_gap(struct build *b, const char *name, const char *reason);

/* Whether live threads were sampled for this job; whether what it waits for as a whole was followed. */
bool node_record_was_sampled(const struct build *b);
bool node_record_was_followed(const struct build *b);

/* Adds "step" to @object: the name of the step whose cgroup this is, if it is known. */
void node_record_add_step(const struct build *b, struct json_object *object, uint64_t cgroup);

/* Finds the totals that the kernel programs made for steps that were over before the collector looked at them. */
void node_record_find_steps(struct build *b);

/* Read the job's tools, in order of appearance, and the totals of its steps. */
void node_record_read_tools(struct build *b);
void node_record_read_steps(struct build *b);

/* Finds the tool @id among those that were read; NULL: not found. */
struct listed_tool *node_record_tool(const struct build *b, uint64_t id);

/*
 * For a job that still runs: walks over its live threads, and adds what they used to the sums of the job, its steps and
 * tools, which have been read before. An image that ends meanwhile stays unchanged. If the walk is not possible, tools
 * without an ended run have no sums in the record.
 */
void node_record_look_at_living(struct build *b);

/* Adds "tool" to @object: the index of @id among the record's tools. Returns whether it is there. */
bool node_record_add_tool(const struct build *b, struct json_object *object, uint64_t id);

/* Add the parts of these names to the record. Others refer to tools by their index. */
void node_record_totals(struct build *b);
void node_record_steps(struct build *b);
void node_record_tools(struct build *b);
void node_record_timeline(struct build *b);
void node_record_pressure(struct build *b);
void node_record_file_systems(struct build *b);
void node_record_files(struct build *b);
void node_record_oom(struct build *b);
void node_record_series_and_progress(struct build *b);

#endif
