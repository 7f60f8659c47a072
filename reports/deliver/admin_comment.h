/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the job summary as the job's AdminComment, as root. */
#ifndef STINT_ADMIN_COMMENT_H
#define STINT_ADMIN_COMMENT_H

#include "reports/deliver/writer.h"

/*
 * Returns @job's summary (reports/deliver/js1.h), to be freed. It is made of what root knows: this node's record,
 * Slurm's answer, and for the other nodes the credentials in @job's proofs, each of which root of its node has made.
 * Returns JS1_NONE where a node lacks one; NULL when no summary is to be stored (the attempt was requeued) or memory is
 * short.
 */
char *admin_comment_summary(const struct writer_job *job);

/*
 * Makes Slurm store @job's summary as the job's AdminComment, unless another comment is there, or that cannot be known.
 * Tries for some seconds. A failure is written to standard error, and does not affect the report.
 */
void admin_comment_store(const struct writer_job *job);

#endif
