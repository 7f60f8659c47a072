/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes rows of a table from the jobs that Slurm knows, with values of their reports. */
#ifndef STINT_SLURM_ROWS_H
#define STINT_SLURM_ROWS_H

#include "common/conf.h"
#include "common/error.h"
#include "reports/read/rows.h"

#define SLURM_ROWS_LAST "last" /* stands for the job that slurm_rows_last() finds */

/*
 * Adds a row for each of @jobs, in their order. @jobs are from slurm_jobs_ask().
 * The row of a job without a report has no path, and only Slurm's values.
 */
void slurm_rows_add(struct rows *rows, const struct record_slurm_job_list *jobs, const struct conf *conf);

/*
 * Finds the latest job of this user that has started. Fills @name, such as "12" or "10_2".
 *
 * Returns 0; -1 with @err set if no job of the last days is known, or if Slurm cannot be asked.
 */
int slurm_rows_last(char name[SUMMARY_ID_TEXT], struct error *err);

#endif
