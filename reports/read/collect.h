/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the parts of a job's nodes if no writer did. This is needed if a report lacks nodes whose parts are beside it,
 * or if there are parts without a report (reports/files/part_set.h). The merged report is only in memory, and is not
 * written to a file.
 *
 * Parts belong to the user, like the report, so forged parts affect only the view of that user's job.
 */
#ifndef STINT_COLLECT_H
#define STINT_COLLECT_H

#include <stdint.h>

#include "common/conf.h"
#include "reports/read/rows.h"

/*
 * Completes the report of @row, which lacks nodes. If the parts beside the report cover more nodes, replaces the report
 * in @row by one that is made from the parts. Otherwise leaves @row unchanged.
 */
void collect_better(struct summary *row, const struct conf *conf);

/*
 * Adds to @rows a row for each job that has parts in @directory and no row in @rows yet.
 *
 * @job_id: the only job to add; 0 for all
 */
void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf);

#endif
