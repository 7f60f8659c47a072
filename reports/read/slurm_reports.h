/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the report of a job that Slurm knows. Looks in the job's directory for a report with the name that the site's
 * pattern gives, and then for a report with the name that stint's own pattern gives. If neither is there, looks for the
 * link that --stint=output= left there to a moved report.
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
 * if the file system does not answer. @reach counts this.
 *
 * The file may be the report of another job with the same number, because numbers are reused. So the caller must
 * compare the report with @job by slurm_report_is_of(), and then call moved_follow().
 *
 * @job: a job from slurm_jobs_ask()
 */
char *slurm_report_path(const struct record_slurm_job *job, const struct conf *conf, struct reach *reach);

/*
 * Returns true if a report is of @job. The report is about the job with the number @id of the user @uid, which ended at
 * @end_us (microseconds since 1970 UTC). Negative values are not known, and are not compared.
 *
 * Compares the end, because numbers are reused, and no job ends before it is submitted. Compares the user, because
 * other users who can write to the directory can put a report of their own there that has the job's number.
 */
bool slurm_report_is_of(const struct record_slurm_job *job, int64_t id, int64_t uid, int64_t end_us);

#endif
