/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report says that it does not know. */
#ifndef STINT_REPORT_GAPS_H
#define STINT_REPORT_GAPS_H

#include <stdbool.h>

#include "reports/model/report.h"

/* Returns whether @gaps has one called @name. */
bool report_has_gap(const struct report_gap_list *gaps, const char *name);

/* Adds a gap to @report, which gets copies of both texts. */
void report_add_gap(struct report *report, const char *name, const char *reason);

/*
 * Returns whether the gap @name with this @reason is about something that the job of @report did. What the kernel
 * cannot count of libaio concerns few jobs: those of which some was counted. How little CPU time is shared out concerns none.
 */
bool report_gap_concerns(const struct report *report, const char *name, const char *reason);

#endif
