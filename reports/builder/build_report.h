/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the report of a job from its node records and Slurm's answer. build_report() is a pure function, which reads no
 * file, no clock and no account database.
 */
#ifndef STINT_BUILD_REPORT_H
#define STINT_BUILD_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct facts;

#define REPORT_SCHEMA "stint-report/1"

struct build_missing {
	const char *node;
	const char *reason; /* one line */
};

struct build_input {
	const struct record *const *records; /* from record_parse(), the leading node's first; at least one */
	size_t record_count;
	bool running; /* the job is still running, so the report covers only what the job has done so far */
	const struct build_missing *missing; /* nodes without a record */
	size_t missing_count;
	const struct record_slurm_job *slurm; /* Slurm's answer about the job; NULL if Slurm gave none */
	const char *slurm_reason;  /* why @slurm is NULL, one line */
	const char *group;         /* name of the job's group, or NULL */
	const struct rules *rules; /* the site's thresholds; NULL for the defaults */
	struct facts *for_row;     /* If not NULL, the report is only for job_row_from_facts(), and build_report() stores the
				    * facts here. The report then has only the fields that job_row_from_facts() and the findings
				    * read. The verdict and the findings have no words and no evidence, and there is no advice.
				    * The gaps name no unknown or lost values, except uncounted processes. Nodes have only a
				    * few of their numbers. @rules must not be NULL */
	int64_t now_unix_ns;       /* distinguishes an end that Slurm expects from a past one */
};

/*
 * Returns the report, for report_free(); NULL if out of memory. The report's gaps name the unknown values, with the
 * reason.
 */
struct report *build_report(const struct build_input *input);

#endif
