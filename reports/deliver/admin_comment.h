/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the job summary as the job's AdminComment. */
#ifndef STINT_ADMIN_COMMENT_H
#define STINT_ADMIN_COMMENT_H

#include "reports/deliver/writer.h"

/*
 * Returns the job summary (reports/deliver/js1.h), which the caller frees. The summary has only what root knows: this
 * node's record, Slurm's answer, and credentials of root on other nodes.
 * Returns JS1_NONE if a node lacks a credential. Returns NULL if out of memory, or for a requeued attempt.
 */
char *admin_comment_summary(const struct writer_job *job);

/*
 * Stores the job summary as root, unless the job has another comment. Retries for some seconds. Writes a failure to
 * standard error.
 */
void admin_comment_store(const struct writer_job *job);

#endif
