/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says which job the report is about, and how it ended. */
#ifndef STINT_REPORT_JOB_H
#define STINT_REPORT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/builder/build_report.h"
#include "reports/records/making.h"
#include "reports/records/record.h"

/* When the job ran, in Slurm's whole seconds, or by the clocks of the nodes. 0: not known. */
struct job_span {
	int64_t start_ns, end_ns; /* since 1970 */
	int64_t elapsed_ns;
};

/*
 * Fills @job of the report in @making, and @span. Adds a gap for each unknown value.
 * Returns true if the elapsed time is known.
 */
bool job_put(const struct build_input *input, struct report_job *job, struct making *making, struct job_span *span);

/*
 * Adds a gap for each node that saw no step, but may have missed one.
 * This is possible if the node booted, or its collector started, after this attempt of the job began.
 * Returns true if there is such a node.
 */
bool job_unseen(const struct build_input *input, struct making *making);

/* Returns true if @status, Slurm's exit status of a job, says only that the job ran out of memory. */
bool job_status_is_oom(int64_t status);

/*
 * Returns true if Slurm's answer is about an attempt that began after @closed, or has not begun.
 * @closed: nanoseconds since 1970.
 */
bool job_is_later(const struct record_slurm_job *slurm, int64_t closed);

/*
 * Corrects the attempt number of @record and @identity.
 *
 * Slurm (22.05 to 26.05) gives each step the number of the first attempt.
 * If the attempt in Slurm's answer began before the first step of the record, the record is of this attempt.
 *
 * A node that saw no step has the attempt number from the epilog.
 * When a requeued job is closed, the epilog gives the number of the next attempt.
 * If the next attempt had not begun when the record was closed, the number from the epilog is one too high.
 *
 * @slurm: Slurm's answer; may be NULL.
 */
void job_settle_attempt(struct record *record, const struct record_slurm_job *slurm, struct record_identity *identity);

/* Adds the gap @name with the reason why Slurm did not give the value. */
void job_gap(const struct build_input *input, struct making *making, const char *name);

#endif
