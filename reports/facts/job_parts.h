/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs and unpacks the columns "tools" and "nodes" of a job's row, as lists of numbers (number_lists.h).
 *
 * A tool is [TOOL,RUNS,FAILURES,CPU_MS,WALL_MS]. A node is [NODE,CPU_GIVEN,CPU_USED,MEM_GIVEN,MEM_USED], in the units
 * of the job's measures. Unknown is null. For a job with one node, null means the job's own number, and -1 means
 * unknown.
 */
#ifndef STINT_JOB_PARTS_H
#define STINT_JOB_PARTS_H

#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"

#define JOB_TOOL_NUMBERS 5
#define JOB_NODE_NUMBERS 5

/* The measures that follow a node's name. */
extern const enum job_measure job_parts_node_measures[JOB_NODE_NUMBERS - 1];

/*
 * job_parts_tools() packs the tools, with the largest CPU time first. job_parts_nodes() packs the nodes that have a
 * line. Words become numbers.
 *
 * @part: set to the text, which the caller must free
 *
 * Return 0; -1 with @err set if out of memory.
 */
int job_parts_tools(const struct fact *fact, struct job_part *part, struct error *err);
int job_parts_nodes(const struct fact *fact, struct job_part *part, struct error *err);

/*
 * Fill the tools or the nodes of @fact. Fill the other numbers of @fact first.
 *
 * Return 0; -1 with @err set if out of memory, or if the column has another form.
 */
int job_parts_take_tools(struct fact *fact, const struct database_value *value, struct error *err);
int job_parts_take_nodes(struct fact *fact, const struct database_value *value, struct error *err);

/* Adds the numbers of all tools to @group. Returns 0; -1 with @err set. */
int job_parts_add_tools(const struct database_value *value, struct job_group *group, struct error *err);

#endif
