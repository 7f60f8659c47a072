/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin inside a slurmstepd: it informs the collector about the step and its tasks. */
#ifndef STINT_STEP_H
#define STINT_STEP_H

#include <slurm/spank.h>

#include "spank/options.h"

/*
 * A task was forked and waits for its exec (slurm_spank_task_post_fork). The step's first call opens the step, and
 * delays it until the collector answers that it is counted, or for CONTROL_OPEN_WAIT_MS. The extern step is not
 * delayed: Slurm starts a job's next step only after this call, so two waits would add up. If the plugin does not wait
 * for an answer, it leaves the message as a note before it sends it.
 */
void step_task_started(spank_t spank, const struct options_arguments *site, const struct options_job *job);

/*
 * A task has ended (slurm_spank_task_exit).
 */
void step_task_ended(spank_t spank);

/*
 * The step has ended (slurm_spank_exit). Sends nothing for a step that never had a task. If the plugin has no epilog,
 * the extern step's end is the job's.
 */
void step_ended(spank_t spank, const struct options_arguments *site);

#endif
