/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the report of a job from its node records and Slurm's answer. Reads no file, clock or account database. */
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
	const char *reason; /* in one line */
};

struct build_input {
	const struct record *const *records; /* from record_parse(): at least one; the first one is of the leading node */
	size_t record_count;
	bool running; /* the job is still running */
	const struct build_missing *missing; /* nodes without a record */
	size_t missing_count;
	const struct record_slurm_job *slurm; /* NULL if Slurm gave none */
	const char *slurm_reason;  /* why @slurm is NULL, in one line */
	const char *group;         /* the job's group, or NULL */
	const struct rules *rules; /* the site's thresholds; NULL for the defaults */
	/*
	 * If not NULL, the report is only for job_row_from_facts(), and build_report() stores the facts here.
	 * The report then has only the fields that job_row_from_facts() and the findings read.
	 * Verdict and findings have no words and no evidence, and there is no advice.
	 * The only gaps are about uncounted processes. @rules must not be NULL.
	 */
	struct facts *for_row;
	int64_t now_unix_ns;       /* if the end of a job is later, Slurm only expects this end */
};

/* Returns the report for report_free(); NULL if out of memory. The report's gaps say why values are unknown. */
struct report *build_report(const struct build_input *input);

#endif
