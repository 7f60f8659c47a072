/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds when the job did nothing, and which of its cores it never used. */
#ifndef STINT_REPORT_PROGRESS_H
#define STINT_REPORT_PROGRESS_H

#include "reports/builder/build_report.h"
#include "reports/builder/report_job.h"
#include "reports/records/merge.h"

/*
 * Sets the job's idle times and stalls in @out, which is the report's progress. Adds a gap progress.NAME for each
 * value that is not known.
 *
 * @input: must have only the records of nodes on which the job ran anything
 */
void progress_put(const struct build_input *input, const struct job_span *span, const struct merge_script *script,
		  struct report_progress *out, struct making *making);

/* Sets how many cores the job used, and lists the cores that it never used. */
void progress_put_cores(const struct build_input *input, struct report_progress *out, struct making *making);

#endif
