/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files that build the node record. No other folder uses this header.
 *
 * - node_record.c: the whole record, and the identity of the job
 * - node_record_totals.c: sums
 * - node_record_tools.c: tools and timeline
 * - node_record_living.c: the live processes of a job that still runs
 * - node_record_waits.c: pressure, file systems, files
 * - node_record_samples.c: what stintd sampled while the job ran
 * - node_record_gap.c: gaps; calls none of the other files
 */
#ifndef STINT_NODE_RECORD_INTERNAL_H
#define STINT_NODE_RECORD_INTERNAL_H

#include <json-c/json.h>

#include "collector/record/node_record.h"

/* A tool of the record. If the job still runs, @living is the number of the tool's live processes. */
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
	int64_t to_unix_ns;   /* difference to add to a CLOCK_BOOTTIME value to get Unix time */
	struct totals totals; /* the job's */
	bool have_totals;
	bool uncounted[USES]; /* the sums that no loaded program adds up */
	uint64_t images; /* number of ended images, over all tools */
	struct listed_tool *listed; /* the tools in the order of the record */
	uint64_t *tools;            /* their ids */
	size_t tool_count;
	bool tools_failed;         /* there was not enough memory to list all tools */
	/* Totals of the steps from before the walk over live threads, if the job still runs; otherwise NULL. */
	struct totals *step_totals;
	bool *have_step_totals;
	bool living_known;        /* all sums include the live threads */
	struct living *living;    /* one entry for each live image; use[] is the sum over all threads of the process */
	size_t living_count;
	uint64_t *living_cpu_ns; /* CPU time used on each CPU, from before the walk over live threads; NULL: not known */
	bool others; /* one of the tools represents all tools that have no entry of their own */
};

/* Adds a gap to the record, unless the record already has the same gap. @name: the dotted name of what is missing */
void node_record_gap(struct build *b, const char *name, const char *reason);

/*
 * node_record_was_sampled() returns true if live threads were sampled for this job. node_record_was_followed() returns
 * true if the waits of the job as a whole were followed.
 */
bool node_record_was_sampled(const struct build *b);
bool node_record_was_followed(const struct build *b);

/* Adds "step" to @object: the name of the step with this @cgroup, if known. */
void node_record_add_step(const struct build *b, struct json_object *object, uint64_t cgroup);

/*
 * Adds to the job the steps that were over before stintd read their cgroups. The kernel programs made totals for these
 * steps.
 */
void node_record_find_steps(struct build *b);

/*
 * node_record_read_tools() reads the job's tools, sorted by when each tool first ran. node_record_read_steps() reads
 * the totals of the job's steps.
 */
void node_record_read_tools(struct build *b);
void node_record_read_steps(struct build *b);

/* Finds the tool with this @id among the listed tools. Returns NULL if it is not listed. */
struct listed_tool *node_record_tool(const struct build *b, uint64_t id);

/*
 * Walks over the live threads of a job that still runs. Adds what they used to the sums of the job, of its steps and of
 * its tools, so read these sums before. If an image ends during the walk, its sums stay unchanged. If the walk is not
 * possible, tools without an ended run have no sums in the record.
 */
void node_record_look_at_living(struct build *b);

/*
 * Adds "tool" to @object: the index in the record of the tool with this @id. Returns false if the record does not have
 * this tool.
 */
bool node_record_add_tool(const struct build *b, struct json_object *object, uint64_t id);

/*
 * Each function adds to the record the part that its name says. Some parts refer to tools by their index in the record.
 */
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
