/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the gaps of a report. A gap names something that the report does not know. */
#ifndef STINT_REPORT_GAPS_H
#define STINT_REPORT_GAPS_H

#include <stdbool.h>

#include "reports/model/report.h"

/* Returns true if @gaps has a gap called @name. */
bool report_has_gap(const struct report_gap_list *gaps, const char *name);

/* Adds a gap to @report. Copies both texts. */
void report_add_gap(struct report *report, const char *name, const char *reason);

/*
 * Returns true if the gap @name with this @reason matters for the job of @report. Returns false if the site chose not
 * to count something. Returns false for the gap about splitting a very short CPU time, because it matters for no job.
 * The kernel cannot count libaio completely. The gap that says so matters only if some libaio operations of the job
 * were counted.
 */
bool report_gap_concerns(const struct report *report, const char *name, const char *reason);

#endif
