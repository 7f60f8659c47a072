/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job's row has packed, in the columns "rest", "tools", "nodes" and "lines": whole numbers of as many bytes as
 * they need. Of a number that mostly follows from others, only the difference is kept.
 */
#ifndef STINT_JOB_PARTS_H
#define STINT_JOB_PARTS_H

#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"

/*
 * Packs the numbers that have no column of their own; the tools, by CPU time; the nodes with a line. What the row has in
 * columns must be as the columns have it. The database's numbers of words are in it.
 *
 * @part: gets the bytes, to be freed
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int job_parts_rest(const struct fact *fact, struct job_part *part, struct error *err);
int job_parts_tools(const struct fact *fact, struct job_part *part, struct error *err);
int job_parts_nodes(const struct fact *fact, struct job_part *part, struct error *err);

/* Packs the job's lines, each of which is packed already (line_pack.h). */
int job_parts_lines(const struct job_lines *lines, struct job_part *part, struct error *err);

/*
 * Fill @fact from the columns. Its other numbers are there already.
 *
 * Return 0; -1 with @err set: memory is short, or it was not packed by this.
 */
int job_parts_take_rest(struct fact *fact, const struct database_value *value, struct error *err);
int job_parts_take_tools(struct fact *fact, const struct database_value *value, struct error *err);
int job_parts_take_nodes(struct fact *fact, const struct database_value *value, struct error *err);

/* Gets a packed line. Returns 0; -1 with @err set, which ends the reading. */
typedef int job_parts_line(void *context, const void *packed, size_t size, struct error *err);

/* Hands over the lines of a job's row one by one. Returns 0; -1 with @err set. */
int job_parts_each_line(const struct database_value *value, job_parts_line *each, void *context, struct error *err);

#endif
