/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says who owns a report's job, and what its state means. */
#ifndef STINT_JOB_FIELDS_H
#define STINT_JOB_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

enum job_outcome {
	JOB_UNKNOWN,
	JOB_GOING_ON,
	JOB_COMPLETED,
	JOB_STOPPED, /* cancelled or preempted: not the job's fault */
	JOB_FAILED,
};

enum job_outcome job_outcome_of(const char *state);

/*
 * Returns true if the job itself caused its end, and not a time limit, a user or a node.
 * The verdict does not explain why such a job ended, so pages do not begin with the verdict.
 */
bool job_failed_by_itself(const char *state);

/*
 * Returns true if the job failed, and some of its processes were killed for memory.
 * Memory is then the reason, whatever else limited the job.
 */
bool job_failed_for_memory(const struct report *report);

/*
 * Returns true if the page of a failed job should also give the verdict.
 * The job must have run for finding_elapsed_s, and must not have failed for memory.
 * In a short job the verdict does not help: a compiler may find a mistake within a second.
 */
bool job_failed_late(const struct report *report);

/*
 * Returns true if the kernel killed processes for memory: the job may have used more than its samples say.
 * A summary does not have the limit that these processes reached.
 * @findings: codes, as in summaries.
 */
bool job_used_more_memory(const char *findings);

enum terminal_style job_state_style(const char *state);

bool job_has_no_end(const char *state);

/* Writes "7", "5_2" for a task of an array, or "5+1" for a component of a heterogeneous job. Returns @text. */
#define JOB_ID_TEXT 48
const char *job_id_text(const struct report *report, char text[JOB_ID_TEXT]);

/*
 * Returns @name, the name of a user or group. If the name is not known, returns @number as text.
 * Returns NULL if neither is known.
 * The caller must escape the name.
 */
#define JOB_NUMBER_TEXT 32
const char *job_owner(const char *name, int64_t number, char text[JOB_NUMBER_TEXT]);

#endif
