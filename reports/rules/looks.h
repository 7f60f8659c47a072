/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates something as good, worth a look, or bad. This table alone sets the colours of all pages and lists, on terminals
 * and in browsers. A bar is never rated better than the job's findings.
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

/* The allocated resource that a bar shows. */
enum look_at {
	LOOK_AT_CPU,
	LOOK_AT_MEMORY,
	LOOK_AT_TIME,
	LOOK_ATS
};

/*
 * Returns the findings of @report as a bit set: bit i is set for the value i of enum finding. Leaves out codes that are
 * not in the table of rules.
 */
uint64_t looks_of_report(const struct report *report);

/* Like looks_of_report(), for a list of codes, such as "oom-kill, cpu-efficiency-low". NULL means no finding. */
uint64_t looks_of_codes(const char *codes);

/* Returns the rating of a job's @share (0 to 1; NAN if not known), if the job has these @findings. */
enum look look_of_share(enum look_at at, double share, uint64_t findings);

/* Like look_of_share(), for the share of many jobs together, which has no findings. */
enum look look_of_efficiency(double share);

/*
 * Returns the rating of a finding whose severity is "critical", "warning" or "info". @severity is NULL if the finding
 * has none.
 */
enum look look_of_severity(const char *severity);

/* Returns the rating of the verdict's word. @bound is NULL if there is no verdict. */
enum look look_of_bound(const char *bound);

#endif
