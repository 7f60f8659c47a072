/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the job did nothing, and what of what it was given it never touched. */
#ifndef STINT_PROGRESS_H
#define STINT_PROGRESS_H

#include <json-c/json.h>

#include "reports/build.h"
#include "reports/job.h"
#include "reports/merge.h"

/*
 * Puts the report's progress into @out. What is not known is named in @gaps as
 * progress.NAME.
 *
 * @empty_steps: the ids of the steps in which no process ran, as merge_steps() found them
 */
void progress_put(const struct build_input *input, const struct job_span *span, const struct merge_script *script,
		  struct json_object *empty_steps, struct json_object *out, struct json_object *gaps);

#endif
