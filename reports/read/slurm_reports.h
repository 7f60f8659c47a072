/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the report of a job that Slurm knows lies: by the site's pattern, or by stint's own, in the job's directory, or where
 * the link there leads that the job's --stint=output= has left.
 */
#ifndef STINT_SLURM_REPORTS_H
#define STINT_SLURM_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/conf.h"
#include "reports/files/reach.h"

/*
 * Returns the path of the report of @job, to be freed, where such a file is; else NULL, also where the file system does
 * not answer, which @reach counts. The file may be another job's by its name, whose number was used again: the reader
 * compares, and then calls moved_follow().
 *
 * @job: an object of slurm_jobs_ask()
 */
char *slurm_report_path(struct json_object *job, const struct conf *conf, struct reach *reach);

/*
 * Returns whether a report of user @uid's job number @id that ended at @end_us (since 1970 UTC) is of @job: numbers are
 * used again, and no job ends before it is submitted; and where others can write, a report with the job's number may be
 * one of theirs. What is negative is not known.
 */
bool slurm_report_is_of(struct json_object *job, int64_t id, int64_t uid, int64_t end_us);

#endif
