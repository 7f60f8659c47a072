/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the steps of a job that Slurm ended because they reached their own time limits. Asks slurmdbd, but only if
 * there can be such steps.
 */
#ifndef STINT_LEARN_STEPS_H
#define STINT_LEARN_STEPS_H

#include "reports/deliver/writer.h"

/*
 * Adds "steps_timed_out" to @job->slurm. This lists the numbers of the steps that reached their own time limits. Asks
 * only if the job ended by itself, this node leads, and a step that srun started here ran for a minute or more and
 * failed. Waits for up to 7 s, because slurmctld tells slurmdbd with a delay. If there is no slurmdbd, adds nothing.
 */
void learn_steps(struct writer_job *job);

#endif
