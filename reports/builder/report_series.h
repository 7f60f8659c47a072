/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports what the job used over time, on each node. */
#ifndef STINT_REPORT_SERIES_H
#define STINT_REPORT_SERIES_H

#include <stddef.h>

#include "reports/records/making.h"
#include "reports/records/record.h"

/* Adds each node's series. Adds a gap for a missing series, except for records of the mode "summary". */
void series_put(const struct record *const records[], size_t count, struct making *making);

/*
 * Joins neighbouring points until there are at most @max, as the collector does.
 * Sums are added up. Levels keep their highest value.
 */
void series_trim(struct record *record, size_t max);

/*
 * Puts the points of @former before the points of @later. The time between the two series is one point without any use.
 * If a start is not known, @later keeps only its own points.
 * The caller must not use @former any more.
 */
void series_join(struct record *former, struct record *later);

#endif
