/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's states of jobs that have not ended, and of jobs that have never started, as slurm_state_string() writes them. An unknown
 * state is NULL, which is none of them.
 */
#ifndef STINT_JOB_STATE_H
#define STINT_JOB_STATE_H

#include <stdbool.h>

/* Returns whether a job in @state has not started: PENDING. */
bool state_waits(const char *state);

/* Returns whether it has nodes: RUNNING or SUSPENDED. */
bool state_runs(const char *state);

/* Returns whether it waits or runs. */
bool state_goes_on(const char *state);

/*
 * Returns whether a job may have reached @state without having started, if Slurm names no node for it: it was cancelled, its
 * deadline came, or no node could ever have run it.
 */
bool state_comes_unstarted(const char *state);

#endif
