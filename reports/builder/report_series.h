/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the job used over time, node by node. */
#ifndef STINT_REPORT_SERIES_H
#define STINT_REPORT_SERIES_H

#include <stddef.h>

#include <json-c/json.h>

#include "reports/records/making.h"
#include "reports/records/settled.h"

/*
 * Puts the series into the report, one for each node that has one. What is not known is named in the gaps. That a record of
 * mode "summary" has no series is no gap.
 */
void series_put(struct json_object *const records[], size_t count, struct making *making);

/*
 * Joins neighbouring points of the record's series until at most @max are left, as the collector does: sums are added,
 * and of levels the highest is kept.
 */
void series_trim(struct json_object *record, size_t max);

/*
 * Adds a point to the record's series, which ends at @end_ns after the series' start. Nothing was used in it, and no
 * levels are known.
 */
void series_add_pause(struct json_object *record, int64_t end_ns);

/*
 * Moves the record's series to @settled, as the report has it. series_put() then takes that.
 */
void series_settle(struct json_object *record, struct settled *settled);

#endif
