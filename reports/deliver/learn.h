/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a node's record does not say of its job: its names, its attempt and its nodes. slurmctld is asked for them. */
#ifndef STINT_LEARN_H
#define STINT_LEARN_H

#include "common/error.h"
#include "reports/deliver/writer.h"

/*
 * Fills in what Slurm says of @job, or why it says nothing, and what follows from that for the record.
 *
 * @socket: of the process that asks Slurm; NULL: one is started
 * @reason: set where Slurm says nothing; @job refers to it
 */
void learn_from_slurm(struct writer_job *job, const char *socket, struct error *reason);

/*
 * Fills in Slurm's answer, where this node is to ask, and the job's nodes. Before, @job has its record, identity and
 * flags. @socket, @reason: as above.
 *
 * Returns 0; -1 with @err set: a later try may know.
 */
int learn_job(struct writer_job *job, const char *socket, struct error *reason, struct error *err);

#endif
