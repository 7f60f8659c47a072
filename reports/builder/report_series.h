/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the job used over time, node by node. */
#ifndef STINT_REPORT_SERIES_H
#define STINT_REPORT_SERIES_H

#include <stddef.h>

#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * Puts the series into the report, one for each node that has one. Missing series are named in the gaps, except for a
 * record of mode "summary", which never has one.
 */
void series_put(const struct record *const records[], size_t count, struct making *making);

/*
 * Joins neighbouring points of the record's series until at most @max are left, as the collector does: sums are added,
 * and the highest level is kept.
 */
void series_trim(struct record *record, size_t max);

/*
 * Puts the points of @former's series before those of @later's. The time between the two is a point in which nothing was used. @former
 * must not be used any more. If their starts are not known, @later keeps its own points.
 */
void series_join(struct record *former, struct record *later);

#endif
