/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the report of a job that Slurm knows. The report is in the job's directory, and has the name that the site's
 * pattern or stint's own pattern gives it. Or it is the target of the link that the job's --stint=output= left there.
 */
#ifndef STINT_SLURM_REPORTS_H
#define STINT_SLURM_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf.h"
#include "reports/files/reach.h"
#include "reports/records/record.h"

/*
 * Returns the path of the report of @job, which the caller must free; NULL if there is no such file. Also returns NULL
 * if the file system does not answer, which @reach counts. The file may be the report of another job with the same
 * number, because numbers are reused. So the caller must compare the report with @job, and then call moved_follow().
 *
 * @job: a job from slurm_jobs_ask()
 */
char *slurm_report_path(const struct record_slurm_job *job, const struct conf *conf, struct reach *reach);

/*
 * Returns true if a report is of @job. The report is of job number @id of the user @uid, which ended at @end_us
 * (microseconds since 1970 UTC). The values must be compared because numbers are reused, and no job ends before it is
 * submitted. If other users can write to the directory, a report with the job's number may be a report of theirs.
 * Negative values are not known.
 */
bool slurm_report_is_of(const struct record_slurm_job *job, int64_t id, int64_t uid, int64_t end_us);

#endif
