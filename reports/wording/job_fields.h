/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all pages need about a report's job: its owner, and the meaning of its state. */
#ifndef STINT_JOB_FIELDS_H
#define STINT_JOB_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

/* What Slurm's state means to the job's user. */
enum job_outcome {
	JOB_UNKNOWN,
	JOB_GOING_ON,
	JOB_COMPLETED,
	JOB_STOPPED, /* cancelled or preempted: not the job's fault */
	JOB_FAILED,
};

/*
 * Returns what @state means; JOB_UNKNOWN if @state is NULL.
 */
enum job_outcome job_outcome_of(const char *state);

/*
 * Returns whether the job itself caused its ending in @state, rather than Slurm's time limit, its user or a node.
 * What limited such a job does not explain why it ended, so pages do not begin with that.
 */
bool job_failed_by_itself(const char *state);

/*
 * Returns whether the job failed, and some of its processes were killed for memory: that is then the reason, whatever
 * else limited it.
 */
bool job_failed_for_memory(const struct report *report);

/*
 * Returns whether the page of a job that failed by itself says what limited it, below why it failed. It does so only if
 * the job ran for at least the site's finding_elapsed_s, as for findings about waste, and did not fail for memory. If a
 * compiler found a mistake within a second, what limited it is no help.
 */
bool job_failed_late(const struct report *report);

/*
 * Returns whether a job with these @findings, as summaries list their codes, used as much memory as its samples say, or more: the
 * kernel killed some of its processes for memory. The summary does not have the limit that they had reached.
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
 * Writes the job's name as users write it: "7"; "5_2" for a task of an array; "5+1" for a component of a
 * heterogeneous job. Returns @text.
 */
#define JOB_ID_TEXT 48
const char *job_id_text(const struct report *report, char text[JOB_ID_TEXT]);

/*
 * Returns @name, of a user or group. If the node has no name for it, returns its @number as text. NULL: neither is
 * known. The name is unescaped: the caller must escape it.
 */
#define JOB_NUMBER_TEXT 32
const char *job_owner(const char *name, int64_t number, char text[JOB_NUMBER_TEXT]);

#endif
