/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks slurmctld for what a node's record does not say about its job: its names, its attempt and its nodes. */
#ifndef STINT_LEARN_H
#define STINT_LEARN_H

#include "common/error.h"
#include "reports/deliver/writer.h"

/*
 * Fills in Slurm's answer about @job, or the reason why there is none, and what the record learns from the answer.
 *
 * @socket: of the process that asks Slurm; NULL: starts one
 * @reason: set if Slurm gives no answer; @job refers to it
 */
void learn_from_slurm(struct writer_job *job, const char *socket, struct error *reason);

/*
 * Fills in the job's nodes, and Slurm's answer if this node must ask. On entry, @job has its record, identity and
 * flags. @socket, @reason: as above.
 *
 * Returns 0; -1 with @err set: a retry may succeed.
 */
int learn_job(struct writer_job *job, const char *socket, struct error *reason, struct error *err);

#endif
