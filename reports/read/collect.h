/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the parts of a job's nodes if no writer did. This happens if a report lacks nodes whose parts are beside it,
 * or if there are parts without a report (reports/files/part_set.h). The result is only in memory, and nothing is
 * written.
 *
 * Parts belong to the user, like the report, so they affect only the view of that job.
 */
#ifndef STINT_COLLECT_H
#define STINT_COLLECT_H

#include <stdint.h>

#include "common/conf.h"
#include "reports/read/rows.h"

/*
 * The report of @row lacks nodes. If the parts beside it cover more nodes, replaces it by a report made from the parts.
 * Otherwise leaves @row unchanged.
 */
void collect_better(struct summary *row, const struct conf *conf);

/*
 * Adds to @rows a row for each job that has parts in @directory and no row in @rows yet.
 *
 * @job_id: the only job to add; 0 for all
 */
void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf);

#endif
