/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates values as good, worth a look, or bad. This table sets the colours of all pages.
 * A bar is never rated better than the job's findings.
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

enum look_at {
	LOOK_AT_CPU,
	LOOK_AT_MEMORY,
	LOOK_AT_TIME,
	LOOK_ATS
};

/* Returns the findings of @report: bit i for value i of enum finding. Leaves out unknown codes. */
uint64_t looks_of_report(const struct report *report);

/* Works like looks_of_report(), for a list of codes: "oom-kill, cpu-efficiency-low". NULL: no finding. */
uint64_t looks_of_codes(const char *codes);

/* Returns the rating of @share (0 to 1; NAN if unknown) of a job with these @findings. */
enum look look_of_share(enum look_at at, double share, uint64_t findings);

/* Works like look_of_share(), for many jobs together and without findings. */
enum look look_of_efficiency(double share);

/* @severity: "critical", "warning", "info" or NULL. */
enum look look_of_severity(const char *severity);

/* @bound: the word of the verdict, or NULL. */
enum look look_of_bound(const char *bound);

#endif
