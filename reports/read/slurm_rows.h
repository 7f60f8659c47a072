/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that Slurm knows, as rows of a table: with what their reports have, where these lie in the jobs'
 * directories.
 */
#ifndef STINT_SLURM_ROWS_H
#define STINT_SLURM_ROWS_H

#include <json-c/json.h>

#include "common/conf.h"
#include "common/error.h"
#include "reports/read/rows.h"

#define SLURM_ROWS_LAST "last" /* stands for slurm_rows_last() in the place of a job's name */

/*
 * Adds to @rows a row for each of @jobs, an array of objects as slurm_jobs_ask() returns them, in their order. The row
 * of a job whose report is not found has no path, and what Slurm says alone; that is no fault.
 */
void slurm_rows_add(struct rows *rows, struct json_object *jobs, const struct conf *conf);

/*
 * Fills @name with the latest job of this user that has started, as people name it.
 *
 * Returns 0; -1 with @err set: there was none within some days, or Slurm cannot be asked.
 */
int slurm_rows_last(char name[SUMMARY_ID_TEXT], struct error *err);

#endif
