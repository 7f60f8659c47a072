/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds runs that ended with their step, because another task of the step had failed (--kill-on-bad-exit, MPI), or
 * because the step was cancelled.
 */
#ifndef STINT_ENDED_WITH_STEP_H
#define STINT_ENDED_WITH_STEP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns true if all killed runs of the user's tool @name in the timeline ended by SIGTERM or SIGKILL, in steps of
 * srun, within a minute after the step's first failure. This failure is a process that failed by itself and made the
 * step fail, or a process that was killed for memory. If there are very many steps, only the first ones are checked.
 * @name may be NULL.
 */
bool ended_with_step(const struct report *report, const char *name);

/*
 * Like ended_with_step(), for steps that were cancelled, as by scancel of the step or by a kill of its srun. Slurm
 * ended the tasks of these steps, and all processes below the tasks. Only steps that ended before the job script count.
 */
bool ended_with_cancelled_step(const struct report *report, const char *name);

#endif
