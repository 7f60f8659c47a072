/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of a job on its way to the job's AdminComment, by root. */
#ifndef STINT_REPORT_COMMENT_H
#define STINT_REPORT_COMMENT_H

#include <json-c/json.h>

/*
 * Has Slurm keep @summary, which the job's user may have made up, as the job's AdminComment, unless another comment
 * stands there, or it cannot be known whether one does. Tries some seconds, and then says on standard error
 * what hindered it: the report is there, whatever becomes of this.
 *
 * @record: a node's record of the job
 * @slurm: what stint-slurm-job said of it, or NULL
 * @slurm_reason: why it is NULL
 */
void comment_store(struct json_object *record, struct json_object *slurm, const char *slurm_reason,
		   const char *summary);

#endif
