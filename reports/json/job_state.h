/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers questions about states of jobs. A state is a text as slurm_state_string() writes it. NULL is an unknown
 * state, for which all functions return false.
 */
#ifndef STINT_JOB_STATE_H
#define STINT_JOB_STATE_H

#include <stdbool.h>

/* Returns true if a job in @state has not started, so @state is PENDING. */
bool state_waits(const char *state);

/* Returns true if a job in @state has started and not ended, so @state is RUNNING or SUSPENDED. */
bool state_runs(const char *state);

/* Returns true if a job in @state has not ended: it waits or runs. */
bool state_goes_on(const char *state);

/*
 * Returns true if a job may reach @state without having started. This happens if the job is cancelled, if its
 * deadline comes, or if no node could ever have run it. Use this for a job for which Slurm names no node.
 */
bool state_comes_unstarted(const char *state);

#endif
