/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the job summary as the job's AdminComment, as root. */
#ifndef STINT_ADMIN_COMMENT_H
#define STINT_ADMIN_COMMENT_H

#include "reports/deliver/writer.h"

/*
 * Returns @job's summary (reports/deliver/js1.h), which the caller must free. The summary is made only from what root
 * knows: this node's record, Slurm's answer, and for the other nodes the credentials in @job's proofs, each of which
 * root of its node made. Returns JS1_NONE if a node lacks a credential. Returns NULL if no summary must be stored
 * because the attempt was requeued, or if out of memory.
 */
char *admin_comment_summary(const struct writer_job *job);

/*
 * Makes Slurm store @job's summary as the job's AdminComment, unless the job has another comment, or it is not known
 * whether it has one. Tries for some seconds. A failure is written to standard error, and does not affect the report.
 */
void admin_comment_store(const struct writer_job *job);

#endif
