/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows what the job used over time, on each node. */
#ifndef STINT_REPORT_SERIES_H
#define STINT_REPORT_SERIES_H

#include <stddef.h>

#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * Puts the series of each node into the report. Adds a gap for each series that is missing, unless the record's mode
 * is "summary", because such a record never has a series.
 */
void series_put(const struct record *const records[], size_t count, struct making *making);

/*
 * Joins neighbouring points of the record's series until it has at most @max points, as the collector does. Adds up
 * sums. For a column that is a level, keeps the highest value.
 */
void series_trim(struct record *record, size_t max);

/*
 * Puts the points of @former's series before the points of @later's series. The time between the two series becomes
 * one point in which nothing was used. If the start of either series is not known, @later keeps only its own points.
 * The caller must not use @former any more.
 */
void series_join(struct record *former, struct record *later);

#endif
