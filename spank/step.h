/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells the collector about the step and its tasks, inside slurmstepd. */
#ifndef STINT_STEP_H
#define STINT_STEP_H

#include <slurm/spank.h>

#include "spank/options.h"

/*
 * Call this when Slurm has forked a task, before the exec (slurm_spank_task_post_fork).
 *
 * The first call opens the step. This call waits for the collector's answer, at most CONTROL_OPEN_WAIT_MS.
 * The extern step does not wait, because Slurm starts the next step only after this call.
 */
void step_task_started(spank_t spank, const struct options_arguments *site, const struct options_job *job);

/* Call this when a task has ended (slurm_spank_task_exit). */
void step_task_ended(spank_t spank);

/*
 * Call this when the step has ended (slurm_spank_exit).
 *
 * Sends nothing for a step that never had a task. If stint is not off, a plugin without an epilog hook makes two
 * exceptions:
 * - a batch script that Slurm could not start
 * - the extern step, whose end is the end of the job
 */
void step_ended(spank_t spank, const struct options_arguments *site);

#endif
