/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a report and its list of gaps, each gap once. */
#ifndef STINT_MAKING_H
#define STINT_MAKING_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/map.h"
#include "reports/model/report_make.h"
#include "reports/records/record.h"

/* Set the first two members. Set the others to 0. */
struct making {
	struct report *report;        /* its memory holds what is added (report_make.h) */
	struct report_gap_list *gaps; /* of the report or a node; may be NULL */
	struct map names;             /* the gaps by name, and also by name and reason */
};

/* Adds a gap if the list does not have it yet. Copies the texts. */
void making_gap(struct making *making, const char *name, const char *reason);

/* Works like making_gap(). Formats the reason like printf(). */
void making_gapf(struct making *making, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool making_has_gap(const struct making *making, const char *name);

/* Adds the gaps of a record. @node: begins each reason; may be NULL */
void making_add_gaps(struct making *making, const struct record_gap_list *from, const char *node);

/* Frees the look-up tables. The report stays. */
void making_end(struct making *making);

#endif
