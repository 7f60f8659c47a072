/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the report that identifies the job, and says how it ended. */
#ifndef STINT_REPORT_JOB_H
#define STINT_REPORT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/builder/build_report.h"
#include "reports/records/making.h"
#include "reports/records/record.h"

/* When the job ran: in Slurm's whole seconds, or by the nodes' times if Slurm does not say. 0: not known. */
struct job_span {
	int64_t start_ns, end_ns; /* since 1970 UTC */
	int64_t elapsed_ns;       /* job.elapsed_s */
};

/*
 * Fills @job, of the report that is being made, whose gaps name the unknown values.
 *
 * @span: filled
 *
 * Returns true if the elapsed time is known.
 */
bool job_put(const struct build_input *input, struct report_job *job, struct making *making, struct job_span *span);

/*
 * Adds a gap for each node that saw no step of the job, but may have missed one: it was rebooted, or its collector
 * started, after this attempt of the job began.
 *
 * Returns true if there is such a node.
 */
bool job_unseen(const struct build_input *input, struct making *making);

/* Returns true if Slurm's exit status @status of a job only says that memory ran out. It is not the status of a process. */
bool job_status_is_oom(int64_t status);

/* Whether the attempt in Slurm's answer @slurm has not begun, or began only after @closed (ns since the epoch). */
bool job_is_later(const struct record_slurm_job *slurm, int64_t closed);

/*
 * Corrects the attempt number of @record and @identity.
 *
 * Slurm (22.05 to 26.05) gives each step the first attempt's number. If the attempt in Slurm's answer began before the
 * record's first step did, the record is of that attempt. A node that saw no step has the number from the epilog. The
 * epilog of a requeued job already gives the next attempt's number. If that attempt, according to @slurm, has not
 * begun, or began after the record was closed here, the record is of the attempt before.
 *
 * @slurm: Slurm's answer; may be NULL
 */
void job_settle_attempt(struct record *record, const struct record_slurm_job *slurm, struct record_identity *identity);

/* Adds the gap @name, with the reason why Slurm did not give the value. */
void job_gap(const struct build_input *input, struct making *making, const char *name);

#endif
