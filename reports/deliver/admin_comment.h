/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the job summary as the job's AdminComment, as root. */
#ifndef STINT_ADMIN_COMMENT_H
#define STINT_ADMIN_COMMENT_H

#include "reports/deliver/writer.h"

/*
 * Returns @job's summary (reports/deliver/js1.h), which the caller must free. The summary is made only from what root
 * knows: this node's record, Slurm's answer, and the credentials in @job's proofs. Root of each other node made the
 * credential of that node. Returns JS1_NONE if a node lacks a credential. Returns NULL if out of memory, or if the
 * attempt was requeued, so that no summary must be stored.
 */
char *admin_comment_summary(const struct writer_job *job);

/*
 * Makes Slurm store @job's summary as the job's AdminComment. Does nothing if the job has another comment, or if it is
 * not known whether the job has one. Retries for some seconds. Writes a failure to standard error. A failure does not
 * affect the report.
 */
void admin_comment_store(const struct writer_job *job);

#endif
