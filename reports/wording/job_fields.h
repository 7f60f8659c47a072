/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all views need of a report's job: who it belongs to, and what its state means. */
#ifndef STINT_JOB_FIELDS_H
#define STINT_JOB_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

/* What Slurm's state means for the job's user. */
enum job_outcome {
	JOB_UNKNOWN,
	JOB_GOING_ON,
	JOB_COMPLETED,
	JOB_STOPPED, /* cancelled or preempted: that is not the job's fault */
	JOB_FAILED,
};

/*
 * Returns what @state means; NULL: JOB_UNKNOWN.
 */
enum job_outcome job_outcome_of(const char *state);

/*
 * Returns whether a job in @state was ended by what it did itself, and not by Slurm's time limit, its user or a node.
 * What bound such a job is not why it ended: pages do not begin with it.
 */
bool job_failed_by_itself(const char *state);

/* Returns whether the job failed, and processes of it were killed for memory: then that is why, whatever else bound it. */
bool job_failed_for_memory(const struct report *report);

/*
 * Returns whether the page of a job that failed by itself tells what bound it, below why it failed: only where it ran as
 * long as a finding about waste takes (the finding_elapsed_s of the site), and did not fail for memory. What bound a
 * compiler that found a mistake within a second helps nobody.
 */
bool job_failed_late(const struct report *report);

/*
 * Returns how @state looks in colour.
 */
enum terminal_style job_state_style(const char *state);

/*
 * Returns true when a job in @state has no exit code yet.
 */
bool job_has_no_end(const char *state);

/*
 * Writes the job as its user names it: "7", for a task of an array "5_2", for a heterogeneous job's component "5+1".
 * Returns @text.
 */
#define JOB_ID_TEXT 48
const char *job_id_text(const struct report *report, char text[JOB_ID_TEXT]);

/*
 * Returns @name, of a user or group, or, where it has no name on the node, its @number as text; NULL: neither is known.
 * As its user wrote it: the caller must escape it.
 */
#define JOB_NUMBER_TEXT 32
const char *job_owner(const char *name, int64_t number, char text[JOB_NUMBER_TEXT]);

#endif
