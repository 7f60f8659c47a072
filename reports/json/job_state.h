/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's states of jobs that have not ended, and of jobs that have never started, as slurm_state_string() writes them. NULL, where nobody knows it, is none. */
#ifndef STINT_JOB_STATE_H
#define STINT_JOB_STATE_H

#include <stdbool.h>

/* Returns whether a job in @state has not started: PENDING. */
bool state_waits(const char *state);

/* Returns whether it has nodes: RUNNING or SUSPENDED. */
bool state_runs(const char *state);

/* Returns whether it does either. */
bool state_goes_on(const char *state);

/*
 * Returns whether a job of which Slurm names no node may have come to @state without having started: it was cancelled, its deadline
 * came, or no node could ever have run it.
 */
bool state_comes_unstarted(const char *state);

#endif
