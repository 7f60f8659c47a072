/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that Slurm knows, as rows of a table, with the values of their reports if these lie in the jobs' directories. */
#ifndef STINT_SLURM_ROWS_H
#define STINT_SLURM_ROWS_H

#include "common/conf.h"
#include "common/error.h"
#include "reports/read/rows.h"

#define SLURM_ROWS_LAST "last" /* can replace a job's name: means slurm_rows_last() */

/*
 * Adds to @rows a row for each of @jobs, as slurm_jobs_ask() returns them, in their order. If a
 * job's report is not found, its row has no path, and only Slurm's values; that is not an error.
 */
void slurm_rows_add(struct rows *rows, const struct record_slurm_job_list *jobs, const struct conf *conf);

/*
 * Fills @name with the latest job of this user that has started, as people name it.
 *
 * Returns 0; -1 with @err set: there was none within some days, or Slurm cannot be asked.
 */
int slurm_rows_last(char name[SUMMARY_ID_TEXT], struct error *err);

#endif
