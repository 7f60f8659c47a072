/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report's gaps: what the report does not know. */
#ifndef STINT_REPORT_GAPS_H
#define STINT_REPORT_GAPS_H

#include <stdbool.h>

#include "reports/model/report.h"

/* Returns whether @gaps has a gap called @name. */
bool report_has_gap(const struct report_gap_list *gaps, const char *name);

/* Adds a gap to @report. Copies the texts. */
void report_add_gap(struct report *report, const char *name, const char *reason);

/*
 * Returns whether the gap matters for the job of @report. A gap does not matter if
 * - the site chose not to count something,
 * - a CPU time was too short to be split,
 * - the gap says that libaio is counted only in part, and no libaio of the job was counted.
 */
bool report_gap_concerns(const struct report *report, const char *name, const char *reason);

#endif
