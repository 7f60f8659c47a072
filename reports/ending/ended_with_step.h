/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ended with its step: because another task of that had failed (--kill-on-bad-exit, MPI), or because somebody ended the step. */
#ifndef STINT_ENDED_WITH_STEP_H
#define STINT_ENDED_WITH_STEP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns true if SIGTERM or SIGKILL ended all killed runs of the user's tool @name that the timeline knows, in steps of srun, and
 * within a minute after a process had failed by itself with which the step failed, or had been killed for memory. Of very many
 * steps, only the first ones are looked at. @name may be NULL.
 */
bool ended_with_step(const struct report *report, const char *name);

/*
 * Returns the same of steps that somebody ended, as by scancel of the step or by a kill of its srun: Slurm ended their tasks, and all
 * below these with them. Only of steps that ended before the job script did.
 */
bool ended_with_cancelled_step(const struct report *report, const char *name);

#endif
