/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes rows of a table from the jobs that Slurm knows. The rows have the values of the jobs' reports if these are in
 * the jobs' directories.
 */
#ifndef STINT_SLURM_ROWS_H
#define STINT_SLURM_ROWS_H

#include "common/conf.h"
#include "common/error.h"
#include "reports/read/rows.h"

#define SLURM_ROWS_LAST "last" /* can be given instead of a job's name, and means the job of slurm_rows_last() */

/*
 * Adds to @rows a row for each of @jobs, which are from slurm_jobs_ask(), in the same order. If a job's report is not
 * found, this is not an error. The row then has no path, and only Slurm's values.
 */
void slurm_rows_add(struct rows *rows, const struct record_slurm_job_list *jobs, const struct conf *conf);

/*
 * Fills @name with the name of this user's latest job that has started, as people name jobs.
 *
 * Returns 0; -1 with @err set if there was no such job within some days, or if Slurm cannot be asked.
 */
int slurm_rows_last(char name[SUMMARY_ID_TEXT], struct error *err);

#endif
