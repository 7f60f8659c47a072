/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds runs that Slurm ended together with their step, because another task of the step had failed
 * (--kill-on-bad-exit, MPI), or because someone cancelled the step.
 */
#ifndef STINT_ENDED_WITH_STEP_H
#define STINT_ENDED_WITH_STEP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns true if all killed runs of the user's tool @name ended because their steps failed. Each of these runs must
 * be in a step of srun, and must have ended by SIGTERM or SIGKILL within a minute after the first failure in the
 * step. The first failure is a process that failed by itself and made the step fail, or a process that was killed for
 * memory. If there are very many steps, checks only the first ones. @name may be NULL.
 */
bool ended_with_step(const struct report *report, const char *name);

/*
 * Like ended_with_step(), but for steps that someone cancelled, by scancel or by a kill of their srun. Slurm ends the
 * tasks of a cancelled step, and all processes below these tasks. Checks only steps that ended before the job script.
 */
bool ended_with_cancelled_step(const struct report *report, const char *name);

#endif
