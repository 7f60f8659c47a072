/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's states of jobs that have not ended, and of jobs that have never started, as slurm_state_string() writes them.
 * An unknown state is NULL, for which all functions return false.
 */
#ifndef STINT_JOB_STATE_H
#define STINT_JOB_STATE_H

#include <stdbool.h>

/* Returns true if a job in @state has not started, which is the state PENDING. */
bool state_waits(const char *state);

/* Returns true if a job in @state has nodes, which are the states RUNNING and SUSPENDED. */
bool state_runs(const char *state);

/* Returns true if state_waits() or state_runs() returns true. */
bool state_goes_on(const char *state);

/*
 * For a job for which Slurm names no node, returns true if it may have reached @state without having started. Such a
 * job was cancelled, its deadline came, or no node could ever have run it.
 */
bool state_comes_unstarted(const char *state);

#endif
