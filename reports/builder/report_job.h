/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the part of the report that identifies the job and says how it ended. */
#ifndef STINT_REPORT_JOB_H
#define STINT_REPORT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/builder/build_report.h"
#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * When the job ran, in Slurm's whole seconds. If Slurm does not give the times, they are by the nodes' clocks. A time
 * that is 0 is not known.
 */
struct job_span {
	int64_t start_ns, end_ns; /* since 1970 UTC */
	int64_t elapsed_ns;       /* job.elapsed_s */
};

/*
 * Fills @job, which is the "job" of the report that @making makes. Adds a gap for each value that is not known.
 *
 * @span: filled
 *
 * Returns true if the elapsed time is known.
 */
bool job_put(const struct build_input *input, struct report_job *job, struct making *making, struct job_span *span);

/*
 * Adds a gap for each node that saw no step of the job, but may have missed one. A node may have missed a step if it
 * booted, or if its collector started, after this attempt of the job began.
 *
 * Returns true if there is such a node.
 */
bool job_unseen(const struct build_input *input, struct making *making);

/*
 * Returns true if @status, Slurm's exit status of a job, says only that the job ran out of memory. Such a status is
 * not the exit status of a process.
 */
bool job_status_is_oom(int64_t status);

/*
 * Returns true if Slurm's answer @slurm is about an attempt that began after @closed, or that has not begun. @closed:
 * in nanoseconds since 1970 UTC
 */
bool job_is_later(const struct record_slurm_job *slurm, int64_t closed);

/*
 * Corrects the attempt number of @record and @identity.
 *
 * Slurm (22.05 to 26.05) gives each step the number of the first attempt. If the attempt in Slurm's answer began
 * before the first step of the record began, the record belongs to that attempt.
 *
 * If a node saw no step, its record has the number that the epilog gave. But when a requeued job is closed, the
 * epilog gives the number of the next attempt. So if @slurm says that the attempt with this number has not begun, or
 * began after this node closed the record, the record belongs to the attempt before.
 *
 * @slurm: Slurm's answer; may be NULL
 */
void job_settle_attempt(struct record *record, const struct record_slurm_job *slurm, struct record_identity *identity);

/* Adds the gap @name. Its reason says why Slurm did not give the value. */
void job_gap(const struct build_input *input, struct making *making, const char *name);

#endif
