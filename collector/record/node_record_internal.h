/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files that build the node record:
 *
 * node_record.c: the whole record, and the identity of the job
 * node_record_totals.c: sums
 * node_record_tools.c: tools and timeline
 * node_record_containers.c: containers; calls only node_record_gap.c
 * node_record_living.c: live processes of a running job
 * node_record_waits.c: pressure, file systems, files
 * node_record_samples.c: samples
 * node_record_gpus.c: GPUs
 * node_record_gpu_files.c: open files of GPUs' devices
 * node_record_moved.c: processes that left the job's cgroup
 * node_record_gap.c: gaps; calls no other file
 */
#ifndef STINT_NODE_RECORD_INTERNAL_H
#define STINT_NODE_RECORD_INTERNAL_H

#include <json-c/json.h>

#include "collector/record/node_record.h"

/* A tool in the record. living: number of its live processes */
struct listed_tool {
	uint64_t id;
	uint64_t living;
	struct tool tool;
};

struct listed_container {
	uint64_t id;
	struct container container;
};

struct build {
	const struct record_source *source;
	struct job *job;
	struct json_object *record;
	struct json_object *gaps;
	int64_t to_unix_ns;   /* Unix time minus CLOCK_BOOTTIME */
	struct totals totals; /* the job's */
	bool have_totals;
	bool uncounted[USES]; /* not counted, because a program is missing */
	uint64_t images; /* ended images of all tools */
	struct listed_tool *listed; /* in the order of the record */
	uint64_t *tools;            /* their ids */
	size_t tool_count;
	bool tools_failed;         /* out of memory */
	struct listed_container *containers; /* in the order of the record */
	size_t container_count;
	bool containers_failed; /* out of memory */
	/* Read before the walk over live threads of a running job; otherwise NULL. */
	struct totals *step_totals;
	bool *have_step_totals;
	bool living_known;        /* all sums include the live threads */
	struct living *living;    /* one for each live image */
	size_t living_count;
	uint64_t *living_cpu_ns; /* from before the walk; NULL: not known */
	bool others; /* a tool stands for several others */
};

/* Adds a gap, unless the record has it. @name: dotted name of what is missing */
void node_record_gap(struct build *b, const char *name, const char *reason);

/*
 * node_record_was_sampled(): live threads were sampled.
 * node_record_was_followed(): the job's waits were followed.
 */
bool node_record_was_sampled(const struct build *b);
bool node_record_was_followed(const struct build *b);

/* Adds the name of the step with this @cgroup to @object, if it is known. */
void node_record_add_step(const struct build *b, struct json_object *object, uint64_t cgroup);

/* Adds steps that ended before stintd read their cgroups. */
void node_record_find_steps(struct build *b);

/*
 * node_record_read_tools() reads the tools, in the order of their first run. node_record_read_steps() reads the totals
 * of the steps.
 */
void node_record_read_tools(struct build *b);
void node_record_read_steps(struct build *b);

/* Returns the listed tool @id; NULL if there is none. */
struct listed_tool *node_record_tool(const struct build *b, uint64_t id);

/*
 * Walks over the live threads of a running job. Adds their sums to the sums of the job, its steps and its tools. Call
 * after reading the steps and tools. Without a walk, some tools have no sums.
 */
void node_record_look_at_living(struct build *b);

/* Writes the tool's name, as the record has it. */
void node_record_tool_name(const struct listed_tool *listed, char name[ABI_PATH_MAX + 4]);

/* Adds the index of the tool @id to @object. Returns false if the tool is not in the record. */
bool node_record_add_tool(const struct build *b, struct json_object *object, uint64_t id);

/* Reads the containers, in the order of their begin. */
void node_record_read_containers(struct build *b);

/* Adds the index of the container @id to @object, if the record has the container. */
void node_record_add_container(const struct build *b, struct json_object *object, uint64_t id);

/* Adds the image that a container's runtime was given, if @tool is one. */
void node_record_add_image(struct json_object *object, const struct tool *tool);

/* Adds the processes that left the job's cgroup, and a gap. Call only if there are any. */
void node_record_moved_out(struct build *b);
/* Each adds a part of the record. */
void node_record_containers(struct build *b);
void node_record_totals(struct build *b);
void node_record_steps(struct build *b);
void node_record_tools(struct build *b);
void node_record_timeline(struct build *b);
void node_record_pressure(struct build *b);
void node_record_file_systems(struct build *b);
void node_record_files(struct build *b);
void node_record_oom(struct build *b);
void node_record_gpus(struct build *b);
void node_record_gpu_files(struct build *b);
void node_record_series_and_progress(struct build *b);

#endif
