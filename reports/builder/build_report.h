/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the report of a job from its node records and Slurm's answer. build_report() is a pure function: it reads no
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
	const char *reason; /* why the node has no record, in one line */
};

struct build_input {
	const struct record *const *records; /* at least one record from record_parse(), that of the leading node first */
	size_t record_count;
	bool running; /* the job is still running, so the report covers only what it has done so far */
	const struct build_missing *missing; /* the nodes that have no record */
	size_t missing_count;
	const struct record_slurm_job *slurm; /* Slurm's answer about the job; NULL if Slurm gave none */
	const char *slurm_reason;  /* why @slurm is NULL, in one line */
	const char *group;         /* name of the job's group, or NULL */
	const struct rules *rules; /* the site's thresholds; NULL for the defaults */
	struct facts *for_row;     /* If not NULL, the report is made only for job_row_from_facts(), and build_report() stores the
				    * facts here. The report then has only the fields that job_row_from_facts() and the findings
				    * read. The verdict and the findings have no words and no evidence, and there is no advice. The
				    * only gaps are those about uncounted processes. Nodes have only a few of their numbers. @rules
				    * must not be NULL */
	int64_t now_unix_ns;       /* the present; a later end is one that Slurm only expects */
};

/*
 * Makes the report, which the caller releases by report_free(); NULL if out of memory. The report's gaps name the
 * values that are unknown, and say why.
 */
struct report *build_report(const struct build_input *input);

#endif
