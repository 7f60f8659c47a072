/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the report of a job that Slurm knows, in the job's directory:
 * by the site's pattern, then by stint's default pattern, then by the link to a moved report.
 */
#ifndef STINT_SLURM_REPORTS_H
#define STINT_SLURM_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf.h"
#include "reports/files/reach.h"
#include "reports/records/record.h"

/*
 * Returns the path of the report of @job, which the caller must free; NULL if there is no such file.
 * If the file system does not answer, returns NULL, and @reach counts this.
 *
 * Job ids are reused, so the file may be the report of another job.
 * Check it with slurm_report_is_of(), and then call moved_follow().
 *
 * @job: a job from slurm_jobs_ask()
 */
char *slurm_report_path(const struct record_slurm_job *job, const struct conf *conf, struct reach *reach);

/*
 * Returns whether a report of job @id of user @uid, which ended at @end_us, is of @job.
 * Compares the end, because job ids are reused: no job ends before its submission.
 * Compares the user, because other users may put a report with the job's number into the directory.
 *
 * @id, @uid, @end_us: negative if unknown; unknown values are not compared
 * @end_us: microseconds since 1970 UTC
 */
bool slurm_report_is_of(const struct record_slurm_job *job, int64_t id, int64_t uid, int64_t end_us);

#endif
