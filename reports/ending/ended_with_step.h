/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds runs that Slurm ended together with their step.
 * Another task had failed (--kill-on-bad-exit, MPI), or someone cancelled the step.
 */
#ifndef STINT_ENDED_WITH_STEP_H
#define STINT_ENDED_WITH_STEP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns true if all killed runs of the user's tool @name ended because their steps failed.
 *
 * Each run must be in a step of srun.
 * The run must end by SIGTERM or SIGKILL within a minute after the step's first failure.
 * The first failure is a process that made the step fail, or that was killed for memory.
 *
 * Checks only the first of very many steps. @name may be NULL.
 */
bool ended_with_step(const struct report *report, const char *name);

/*
 * Works like ended_with_step(), for steps that someone cancelled by scancel or by a kill of the step's srun.
 * Slurm ends all processes of a cancelled step. Checks only steps that ended before the script.
 */
bool ended_with_cancelled_step(const struct report *report, const char *name);

#endif
