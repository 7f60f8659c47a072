/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds when the job did nothing, and which cores the job never used. */
#ifndef STINT_REPORT_PROGRESS_H
#define STINT_REPORT_PROGRESS_H

#include "reports/builder/build_report.h"
#include "reports/builder/report_job.h"
#include "reports/records/merge.h"

/*
 * Sets idle times and stalls in @out, the report's progress. Adds a gap progress.NAME for each unknown value.
 * @input: only records of nodes on which something ran.
 */
void progress_put(const struct build_input *input, const struct job_span *span, const struct merge_script *script,
		  struct report_progress *out, struct making *making);

/* Sets how many cores the job used, and lists unused ones. */
void progress_put_cores(const struct build_input *input, struct report_progress *out, struct making *making);

#endif
