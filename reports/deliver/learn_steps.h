/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of a job's steps Slurm ended at a time limit of their own. slurmdbd is asked, if any step can have been. */
#ifndef STINT_LEARN_STEPS_H
#define STINT_LEARN_STEPS_H

#include "reports/deliver/writer.h"

/*
 * Adds "steps_timed_out", the numbers of such steps, to @job->slurm. It asks only if the job came to an end by itself, a step
 * that srun started here ran for a minute or more and failed, and this node leads. slurmctld tells slurmdbd with a delay: this waits for up to 7 s.
 * Without slurmdbd nothing is added.
 */
void learn_steps(struct writer_job *job);

#endif
