/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the steps of a job that Slurm ended at the steps' own time limits. If there can be such steps, asks slurmdbd.
 */
#ifndef STINT_LEARN_STEPS_H
#define STINT_LEARN_STEPS_H

#include "reports/deliver/writer.h"

/*
 * Adds "steps_timed_out", the numbers of such steps, to @job->slurm. Asks only if the job ended by itself, this node
 * leads, and a step that srun started here ran for a minute or more and failed. slurmctld tells slurmdbd with a delay,
 * so this waits for up to 7 s. If there is no slurmdbd, adds nothing.
 */
void learn_steps(struct writer_job *job);

#endif
