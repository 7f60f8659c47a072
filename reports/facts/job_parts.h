/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs and unpacks the columns "tools" and "nodes" of a job's row, which are lists of numbers (number_lists.h), and the
 * job's lines.
 *
 * A tool is [TOOL,RUNS,FAILURES,CPU_MS,WALL_MS]. A node is [NODE,CPU_GIVEN,CPU_USED,MEM_GIVEN,MEM_USED], in the units of
 * the job's measures. Unknown numbers are null, except that the only node of a job has null for each number that is the
 * job's own. There, -1 means unknown.
 */
#ifndef STINT_JOB_PARTS_H
#define STINT_JOB_PARTS_H

#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"

#define JOB_TOOL_NUMBERS 5
#define JOB_NODE_NUMBERS 5

/* The job's measures of which a node has its part, in the order of the node's numbers after its name. */
extern const enum job_measure job_parts_node_measures[JOB_NODE_NUMBERS - 1];

/*
 * Pack the tools by CPU time, and the nodes with a line. Words are packed as their numbers in the database.
 *
 * @part: receives the text, which the caller must free
 *
 * Return 0; -1 with @err set if out of memory.
 */
int job_parts_tools(const struct fact *fact, struct job_part *part, struct error *err);
int job_parts_nodes(const struct fact *fact, struct job_part *part, struct error *err);

/* Packs the job's lines, each of which is already packed (line_pack.h). */
int job_parts_lines(const struct job_lines *lines, struct job_part *part, struct error *err);

/*
 * Fill @fact from the columns. Its other numbers must already be there.
 *
 * Return 0; -1 with @err set if out of memory, or if the value was not packed by these functions.
 */
int job_parts_take_tools(struct fact *fact, const struct database_value *value, struct error *err);
int job_parts_take_nodes(struct fact *fact, const struct database_value *value, struct error *err);

/* Adds the numbers of all tools in the column to @group. Returns as job_parts_take_tools() does. */
int job_parts_add_tools(const struct database_value *value, struct job_group *group, struct error *err);

/* Receives a packed line. Returns 0; -1 with @err set, which ends the reading. */
typedef int job_parts_line(void *context, const void *packed, size_t size, struct error *err);

/* Calls @each for each line of a job's row. Returns 0; -1 with @err set. */
int job_parts_each_line(const struct database_value *value, job_parts_line *each, void *context, struct error *err);

#endif
