/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the parts of a job's nodes if no writer did. That is the case for a report that lacks nodes whose parts lie
 * beside it, and for parts without a report (reports/files/part_set.h). The result is in memory; nothing is written.
 *
 * Parts belong to the user, as the report does: they affect only the view of that job.
 */
#ifndef STINT_COLLECT_H
#define STINT_COLLECT_H

#include <stdint.h>

#include "common/conf.h"
#include "reports/read/rows.h"

/*
 * Replaces the report of @row, which lacks nodes, by one made from the parts beside it, if these cover more nodes.
 * Otherwise @row stays.
 */
void collect_better(struct summary *row, const struct conf *conf);

/*
 * Adds to @rows a row for each job that has parts in @directory and none in @rows yet.
 *
 * @job_id: the only job to add; 0: all
 */
void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf);

#endif
