/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds steps that reached their own time limit. Asks slurmdbd if necessary. */
#ifndef STINT_LEARN_STEPS_H
#define STINT_LEARN_STEPS_H

#include "reports/deliver/writer.h"

/*
 * Adds "steps_timed_out", a list of step numbers, to @job->slurm. Asks slurmdbd if an srun step failed here after a
 * minute or more. The job must have ended by itself, and this node must lead.
 * Waits up to 7 s, because slurmdbd learns late how steps ended. Without slurmdbd, adds nothing.
 */
void learn_steps(struct writer_job *job);

#endif
