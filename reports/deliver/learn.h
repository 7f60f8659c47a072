/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks slurmctld for what the node record lacks. */
#ifndef STINT_LEARN_H
#define STINT_LEARN_H

#include "common/error.h"
#include "reports/deliver/writer.h"

/*
 * Sets Slurm's answer in @job, or the reason why there is no answer. Adds to the record what it lacks.
 *
 * @socket: of the process that asks Slurm; NULL: starts one
 * @reason: memory for the reason
 */
void learn_from_slurm(struct writer_job *job, const char *socket, struct error *reason);

/*
 * Sets the job's nodes. Asks Slurm if this node must. @job needs its record, identity and flags.
 *
 * @socket, @reason: as in learn_from_slurm()
 *
 * Returns 0; -1 with @err set if a retry may succeed.
 */
int learn_job(struct writer_job *job, const char *socket, struct error *reason, struct error *err);

#endif
