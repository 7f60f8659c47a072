/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs inside slurmstepd, and tells the collector about the step and its tasks. */
#ifndef STINT_STEP_H
#define STINT_STEP_H

#include <slurm/spank.h>

#include "spank/options.h"

/*
 * Call this when Slurm has forked a task that has not executed its program yet (slurm_spank_task_post_fork). The
 * first call opens the step. It delays the step until the collector answers that the step is counted, but for at most
 * CONTROL_OPEN_WAIT_MS. The extern step is not delayed, because Slurm starts the job's next step only after this call
 * returns, and two waits would add up. If the call does not wait for an answer, it leaves a note before it sends the
 * message.
 */
void step_task_started(spank_t spank, const struct options_arguments *site, const struct options_job *job);

/* Call this when a task has ended (slurm_spank_task_exit). */
void step_task_ended(spank_t spank);

/*
 * Call this when the step has ended (slurm_spank_exit). Sends nothing for a step that never had a task, with two
 * exceptions. Both exceptions apply only if the plugin has no epilog hook, and only if stint is not off. First,
 * reports a batch script that Slurm could not start. Second, reports the end of the extern step even if the step sent
 * no OPEN, because the end of the extern step is the end of the job.
 */
void step_ended(spank_t spank, const struct options_arguments *site);

#endif
