/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the report of a job that Slurm knows. It is named by the site's pattern, or by stint's own, in the job's
 * directory, or it is the target of the link that the job's --stint=output= left there.
 */
#ifndef STINT_SLURM_REPORTS_H
#define STINT_SLURM_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf.h"
#include "reports/files/reach.h"
#include "reports/records/record.h"

/*
 * Returns the path of the report of @job, to be freed, if there is such a file; else NULL. Also returns NULL if the
 * file system does not answer, which @reach counts. The file may be of another job with the same number, because
 * numbers are reused: the reader compares them, and then calls moved_follow().
 *
 * @job: an object of slurm_jobs_ask()
 */
char *slurm_report_path(const struct record_slurm_job *job, const struct conf *conf, struct reach *reach);

/*
 * Returns whether a report of user @uid's job number @id that ended at @end_us (since 1970 UTC) is of @job. Numbers are
 * reused, and no job ends before it is submitted; and if others can write there, a report with the job's number may be
 * one of theirs. Negative values are not known.
 */
bool slurm_report_is_of(const struct record_slurm_job *job, int64_t id, int64_t uid, int64_t end_us);

#endif
