/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows what the job used over time, node by node. */
#ifndef STINT_REPORT_SERIES_H
#define STINT_REPORT_SERIES_H

#include <stddef.h>

#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * Puts the series of each node into the report. Adds a gap for each missing series, except for records of mode
 * "summary", which never have a series.
 */
void series_put(const struct record *const records[], size_t count, struct making *making);

/*
 * Joins neighbouring points of the record's series until at most @max are left, as the collector does. Adds up sums,
 * and keeps the highest level.
 */
void series_trim(struct record *record, size_t max);

/*
 * Puts the points of @former's series before the points of @later's. The time between the two series becomes one point
 * in which nothing was used. The caller must not use @former any more. If the start of a series is not known, @later
 * keeps its own points.
 */
void series_join(struct record *former, struct record *later);

#endif
