/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How something is to be looked at: it is good, worth a look, or bad. This is the one table behind the colours of all
 * pages and lists, on terminals and in browsers: a bar is never better than the job's findings.
 */
#ifndef STINT_LOOKS_H
#define STINT_LOOKS_H

#include <stdint.h>

#include "reports/model/report.h"

enum look {
	LOOK_NONE, /* nothing to say */
	LOOK_GOOD,
	LOOK_LOOK,
	LOOK_BAD,
};

/* What a bar shows of what was allocated. */
enum look_at {
	LOOK_AT_CPU,
	LOOK_AT_MEMORY,
	LOOK_AT_TIME,
	LOOK_ATS
};

/*
 * Returns the findings of @report as a set, in which enum finding has the bits. Codes that the table of rules does not
 * have are left out.
 */
uint64_t looks_of_report(const struct report *report);

/*
 * The same of a list of codes, "oom-kill, cpu-efficiency-low"; NULL: no finding.
 */
uint64_t looks_of_codes(const char *codes);

/*
 * Returns how @share (of 1; NAN: not known) of a job with these @findings is to be looked at.
 */
enum look look_of_share(enum look_at at, double share, uint64_t findings);

/*
 * The same of the share of many jobs, whose findings are not one job's.
 */
enum look look_of_efficiency(double share);

/*
 * Returns how a finding of @severity ("critical", "warning", "info") is to be looked at; NULL: there is none.
 */
enum look look_of_severity(const char *severity);

/*
 * Returns how the verdict's word @bound is to be looked at; NULL: there is none.
 */
enum look look_of_bound(const char *bound);

#endif
