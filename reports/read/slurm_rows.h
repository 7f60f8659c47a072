/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes rows of a table from the jobs that Slurm knows. If the report of a job is in the job's directory, the job's row
 * has the values of the report.
 */
#ifndef STINT_SLURM_ROWS_H
#define STINT_SLURM_ROWS_H

#include "common/conf.h"
#include "common/error.h"
#include "reports/read/rows.h"

#define SLURM_ROWS_LAST "last" /* a user may give this word instead of a job's name, for the job that slurm_rows_last() finds */

/*
 * Adds to @rows a row for each of @jobs, in the same order. @jobs are from slurm_jobs_ask(). A missing report is not an
 * error. The row of the job then has no path, and only Slurm's values.
 */
void slurm_rows_add(struct rows *rows, const struct record_slurm_job_list *jobs, const struct conf *conf);

/*
 * Finds the latest job of this user that has started. Fills @name with the job's name, such as "12" or "10_2".
 *
 * Returns 0; -1 with @err set if there was no such job within some days, or if Slurm cannot be asked.
 */
int slurm_rows_last(char name[SUMMARY_ID_TEXT], struct error *err);

#endif
