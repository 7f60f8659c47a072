/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds jobs that Slurm knows to a summary, from their reports or from what Slurm says. */
#ifndef STINT_SLURM_SUMMARY_H
#define STINT_SLURM_SUMMARY_H

#include "common/conf.h"
#include "reports/files/reach.h"
#include "reports/records/record.h"
#include "reports/site/jobs_summary.h"

/*
 * Fills @row from @job of slurm_jobs_ask(). What the job used stays unknown. Return values are those of
 * job_row_from_report().
 */
int job_row_from_slurm(const struct record_slurm_job *job, struct job_row *row, struct error *err);

/*
 * Adds to @summary those of @jobs that have started. Counts the jobs of the period that have no report in
 * summary->without_report. If a job was requeued, also adds those earlier attempts whose reports are in the directory
 * of the job's last report.
 *
 * @jobs: from slurm_jobs_ask()
 * @progress: as in jobs_summary_read()
 * @reach: counts the jobs whose report stint could not look for, because the file system does not answer
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int slurm_summary_add(struct jobs_summary *summary, const struct record_slurm_job_list *jobs, const struct conf *conf,
		      bool progress, struct reach *reach, struct error *err);

#endif
