/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merging what a job's nodes left where nobody did it: a report that lacks nodes whose parts lie beside it, or parts
 * without a report (reports/parts.h). The result is in memory; nothing is written.
 *
 * Parts are the user's, as the report is: they decide over nothing but what is shown of that job.
 */
#ifndef STINT_COLLECT_H
#define STINT_COLLECT_H

#include <stdint.h>

#include "collector/common/conf.h"
#include "reports/find.h"

/*
 * Makes the report of @row, which lacks nodes, anew where parts beside it tell of more of them. Otherwise @row stays.
 */
void collect_better(struct row *row, const struct conf *conf);

/*
 * Adds to @rows a row for each job that has parts in @directory and none in @rows yet.
 *
 * @job_id: this one alone; 0: all
 */
void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf);

#endif
