/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the parts of a job's nodes if no writer has merged them (reports/files/part_set.h).
 * The merged report is only in memory.
 *
 * The parts are the user's files. Forged parts can only change the view of that user's job.
 */
#ifndef STINT_COLLECT_H
#define STINT_COLLECT_H

#include <stdint.h>

#include "common/conf.h"
#include "reports/read/rows.h"

/*
 * Completes the report of @row, which lacks nodes.
 * If the parts beside the report cover more nodes, merges them into a new report. Else leaves @row unchanged.
 */
void collect_better(struct summary *row, const struct conf *conf);

/*
 * Adds a row for each job with parts in @directory, if @rows has no row of it yet.
 *
 * @job_id: the only job to add; 0 for all
 */
void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf);

#endif
