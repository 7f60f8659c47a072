/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of "record" share, and nobody else sees: record.c (the whole, and who the job is), record_totals.c
 * (sums), record_tools.c (tools, timeline), record_waits.c (pressure, file systems, files) and record_samples.c (what
 * was seen while the job ran).
 */
#ifndef STINT_RECORD_OWN_H
#define STINT_RECORD_OWN_H

#include "collector/record.h"

struct build {
	const struct record_source *source;
	struct job *job;
	struct json_object *record;
	struct json_object *gaps;
	int64_t to_unix_ns;   /* is added to boot-time stamps */
	struct totals totals; /* the job's */
	bool have_totals;
	bool uncounted[USES]; /* no program adds these up */
	uint64_t images; /* that ended, of all tools */
	uint64_t *tools; /* their ids, in the order of the record's */
	size_t tool_count;
	bool others; /* one of them is what found no place of its own */
};

/* Names what is missing, and why; once. */
void record_gap(struct build *b, const char *name, const char *reason);

/* Whether live threads were sampled for this job, and its waits followed as a whole. */
bool record_was_sampled(const struct build *b);
bool record_was_followed(const struct build *b);

/* Adds "step", the name of the one whose cgroup this is, unless it is not known. */
void record_add_step(const struct build *b, struct json_object *object, uint64_t cgroup);

/* Adds "tool", the place of @id among the record's tools. Returns whether it is there. */
bool record_add_tool(const struct build *b, struct json_object *object, uint64_t id);

/* Add the record's parts of these names. Tools come first: the others point to them. */
void record_totals(struct build *b);
void record_steps(struct build *b);
void record_tools(struct build *b);
void record_timeline(struct build *b);
void record_pressure(struct build *b);
void record_file_systems(struct build *b);
void record_files(struct build *b);
void record_oom(struct build *b);
void record_series_and_progress(struct build *b);

#endif
