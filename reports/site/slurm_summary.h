/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A summary of the jobs that Slurm knows: with what their reports have, and of a job without one with what Slurm says.
 */
#ifndef STINT_SLURM_SUMMARY_H
#define STINT_SLURM_SUMMARY_H

#include "common/conf.h"
#include "reports/files/reach.h"
#include "reports/records/record.h"
#include "reports/site/jobs_summary.h"

/*
 * Fills @row with what Slurm says of @job, one of slurm_jobs_ask(): what it used is not known. Returns as
 * job_row_from_report().
 */
int job_row_from_slurm(const struct record_slurm_job *job, struct job_row *row, struct error *err);

/*
 * Adds @jobs, of slurm_jobs_ask(), to @summary, and counts those of the period that left no report in
 * without_report. A requeued job's earlier attempts are added where their reports lie beside its last. A job that never
 * started is none of them.
 *
 * @progress: as in jobs_summary_read()
 * @reach: counts those whose report could not be looked for, since the file system does not answer
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int slurm_summary_add(struct jobs_summary *summary, const struct record_slurm_job_list *jobs, const struct conf *conf,
		      bool progress, struct reach *reach, struct error *err);

#endif
