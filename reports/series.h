/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the job used over time, node by node. */
#ifndef STINT_SERIES_H
#define STINT_SERIES_H

#include <stddef.h>

#include <json-c/json.h>

/*
 * Returns the report's series, one a node that has one. What is not known is
 * named in @gaps; that a summary has none is no gap.
 */
struct json_object *series_build(struct json_object *const records[], size_t count, struct json_object *gaps);

/*
 * Joins neighbours of the record's series until at most @max points are left,
 * as the collector does: sums are added, of levels the highest is kept.
 */
void series_trim(struct json_object *record, size_t max);

#endif
