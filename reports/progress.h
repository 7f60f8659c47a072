/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the job did nothing, and what of what it was given it never touched. */
#ifndef STINT_PROGRESS_H
#define STINT_PROGRESS_H

#include <json-c/json.h>

#include "reports/build.h"
#include "reports/job.h"
#include "reports/merge.h"

/*
 * Puts what the job did not do into @out, the report's progress: its idle times and stalls. What is
 * not known is named in @gaps as progress.NAME.
 *
 * @input: the records of the nodes on which the job ran anything
 */
void progress_put(const struct build_input *input, const struct job_span *span, const struct merge_script *script,
		  struct json_object *out, struct json_object *gaps);

/*
 * Puts the cores that it used, and those that it never did.
 */
void progress_put_cores(const struct build_input *input, struct json_object *out, struct json_object *gaps);

#endif
