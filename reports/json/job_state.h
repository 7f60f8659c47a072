/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of Slurm's in which a job has not ended, as slurm_state_string() writes them. NULL, where nobody knows it, is none. */
#ifndef STINT_JOB_STATE_H
#define STINT_JOB_STATE_H

#include <stdbool.h>

/* Returns whether a job in @state has not started: PENDING. */
bool state_waits(const char *state);

/* Returns whether it has nodes: RUNNING or SUSPENDED. */
bool state_runs(const char *state);

/* Returns whether it does either. */
bool state_goes_on(const char *state);

#endif
