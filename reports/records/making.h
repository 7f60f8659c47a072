/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a report and its list of gaps. Each node of a job may add gaps. Each gap is looked up before it is added, so
 * that no gap is listed twice.
 */
#ifndef STINT_MAKING_H
#define STINT_MAKING_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/map.h"
#include "reports/model/report_make.h"
#include "reports/records/record.h"

/* Set the first two members. Set all others to 0. */
struct making {
	struct report *report;        /* the report that is made; its memory holds everything that is added (report_make.h) */
	struct report_gap_list *gaps; /* the list to which gaps are added, that of the report or of one node; NULL if gaps are not
				       * needed */
	struct map names;             /* keys for each gap: its name, and its name together with its reason */
};

/* Adds a gap, unless it is already there. Copies both texts. */
void making_gap(struct making *making, const char *name, const char *reason);

/* Like making_gap(). The reason is formatted as by printf(). */
void making_gapf(struct making *making, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns true if @making has a gap called @name. Always returns false if @making has no list of gaps. */
bool making_has_gap(const struct making *making, const char *name);

/* Adds the gaps of a record. Each reason begins with @node, unless @node is NULL. */
void making_add_gaps(struct making *making, const struct record_gap_list *from, const char *node);

/* Frees the look-up tables of the gaps, but not the report. */
void making_end(struct making *making);

#endif
