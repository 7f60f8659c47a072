/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks slurmctld for what a node's record does not say about the job, such as the job's names, attempt and nodes. */
#ifndef STINT_LEARN_H
#define STINT_LEARN_H

#include "common/error.h"
#include "reports/deliver/writer.h"

/*
 * Fills in Slurm's answer about @job, or the reason why there is none. Also adds values from the answer to the record.
 *
 * @socket: the socket of the process that asks Slurm; if NULL, starts such a process
 * @reason: set if Slurm gives no answer. @job then points to @reason
 */
void learn_from_slurm(struct writer_job *job, const char *socket, struct error *reason);

/*
 * Fills in the job's nodes. Also fills in Slurm's answer if this node must ask Slurm. On entry, @job has its record,
 * identity and flags.
 *
 * @socket, @reason: as for learn_from_slurm()
 *
 * Returns 0; -1 with @err set if a retry may succeed.
 */
int learn_job(struct writer_job *job, const char *socket, struct error *reason, struct error *err);

#endif
