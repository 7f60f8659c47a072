/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gaps of a report, which name what the report does not know. */
#ifndef STINT_REPORT_GAPS_H
#define STINT_REPORT_GAPS_H

#include <stdbool.h>

#include "reports/model/report.h"

/* Returns true if @gaps has a gap called @name. */
bool report_has_gap(const struct report_gap_list *gaps, const char *name);

/* Adds a gap to @report. Copies both texts. */
void report_add_gap(struct report *report, const char *name, const char *reason);

/*
 * Returns true if the gap @name with this @reason is about something that the job of @report did. The kernel cannot
 * count libaio fully, but the gap about this concerns only jobs for which some libaio operations were counted. The gap
 * about the split of very little CPU time concerns no job.
 */
bool report_gap_concerns(const struct report *report, const char *name, const char *reason);

#endif
