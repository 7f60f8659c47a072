/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers questions about a job's state, as slurm_state_string() writes it.
 * All functions return false for NULL, an unknown state.
 */
#ifndef STINT_JOB_STATE_H
#define STINT_JOB_STATE_H

#include <stdbool.h>

/* Returns whether the job has not started: PENDING. */
bool state_waits(const char *state);

/* Returns whether the job has started and not ended: RUNNING or SUSPENDED. */
bool state_runs(const char *state);

/* Returns whether the job has not ended: it waits or runs. */
bool state_goes_on(const char *state);

/*
 * Returns whether a job may reach @state without a start: cancelled, deadline, or no node could run it.
 * Call only for a job for which Slurm names no node.
 */
bool state_comes_unstarted(const char *state);

#endif
