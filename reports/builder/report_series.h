/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the job used over time, node by node. */
#ifndef STINT_REPORT_SERIES_H
#define STINT_REPORT_SERIES_H

#include <stddef.h>

#include <json-c/json.h>

#include "reports/records/making.h"
#include "reports/records/settled.h"

/*
 * Puts the series into the report, one for each node that has one. Missing series are named in the gaps, except for a
 * record of mode "summary", which never has one.
 */
void series_put(struct json_object *const records[], size_t count, struct making *making);

/*
 * Joins neighbouring points of the record's series until at most @max are left, as the collector does: sums are added,
 * and the highest level is kept.
 */
void series_trim(struct json_object *record, size_t max);

/*
 * Adds a point to the record's series that ends @end_ns after the start of the series. Nothing was used in it, and no
 * levels are known.
 */
void series_add_pause(struct json_object *record, int64_t end_ns);

/* Moves the record's series to @settled, in the report's form. series_put() then uses that. */
void series_settle(struct json_object *record, struct settled *settled);

#endif
