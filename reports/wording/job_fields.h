/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds facts that all pages need about a report's job: its owner, and the meaning of its state. */
#ifndef STINT_JOB_FIELDS_H
#define STINT_JOB_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

/* What a Slurm state means to the job's user. */
enum job_outcome {
	JOB_UNKNOWN,
	JOB_GOING_ON,
	JOB_COMPLETED,
	JOB_STOPPED, /* cancelled or preempted, which is not the job's fault */
	JOB_FAILED,
};

/*
 * Returns what @state means; JOB_UNKNOWN if @state is NULL.
 */
enum job_outcome job_outcome_of(const char *state);

/*
 * Returns whether the job itself caused its ending in @state, rather than Slurm's time limit, its user or a node. What
 * limited such a job does not explain why it ended, so pages do not begin with the verdict.
 */
bool job_failed_by_itself(const char *state);

/*
 * Returns whether the job failed, and some of its processes were killed for memory. Memory is then the reason for the
 * failure, whatever else limited the job.
 */
bool job_failed_for_memory(const struct report *report);

/*
 * Returns whether the page of a job that failed by itself should also say what limited it. This is so if the job ran
 * for at least the site's rule finding_elapsed_s, which also applies to findings about waste, and did not fail for
 * memory. In a shorter job, the verdict does not help: for example, if a compiler finds a mistake within a second.
 */
bool job_failed_late(const struct report *report);

/*
 * Returns true if the job may have used more memory than its samples say, because the kernel killed some of its
 * processes for memory. The samples are a lower bound then, because the summary does not have the limit that these
 * processes reached.
 *
 * @findings: the codes, as summaries list them
 */
bool job_used_more_memory(const char *findings);

/*
 * Returns the colour style for @state.
 */
enum terminal_style job_state_style(const char *state);

/*
 * Returns true if a job in @state has no exit code yet.
 */
bool job_has_no_end(const char *state);

/*
 * Writes the job's id as users write it: "7"; "5_2" for a task of an array; "5+1" for a component of a heterogeneous
 * job. Returns @text.
 */
#define JOB_ID_TEXT 48
const char *job_id_text(const struct report *report, char text[JOB_ID_TEXT]);

/*
 * Returns @name, which is the name of a user or group. If the node has no name for it, returns its @number as text.
 * Returns NULL if both are unknown. The name is unescaped, so the caller must escape it.
 */
#define JOB_NUMBER_TEXT 32
const char *job_owner(const char *name, int64_t number, char text[JOB_NUMBER_TEXT]);

#endif
