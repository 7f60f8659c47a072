/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the report of a job that Slurm knows lies: by the site's pattern, or by stint's own, in the job's directory. */
#ifndef STINT_SLURM_REPORTS_H
#define STINT_SLURM_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/conf.h"

/*
 * Returns the path of the report of @job, to be freed, where such a file is; else NULL. The file may be another job's
 * by its name, whose number was used again: the reader compares.
 *
 * @job: an object of slurm_jobs_ask()
 */
char *slurm_report_path(struct json_object *job, const struct conf *conf);

/*
 * Returns whether a report of the job number @id that ended at @end_us (since 1970 UTC; negative: not known) is of
 * @job: numbers are used again, and no job ends before it is submitted.
 */
bool slurm_report_is_of(struct json_object *job, int64_t id, int64_t end_us);

#endif
