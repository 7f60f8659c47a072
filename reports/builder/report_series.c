/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_series.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/suffix.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/json/printed.h"
#include "reports/records/record_input.h"
#include "reports/records/sums.h"

static struct json_object *series_of(struct json_object *record)
{
	return field_typed(record, "series", json_type_object);
}

/* What series_settle() has made of it. */
static struct json_object *settled_of(struct json_object *record)
{
	return field_typed(record, "series_settled", json_type_object);
}

/* ---- the report's series ---- */

/* Copies a column. A value that is no whole number is not known, and becomes null. */
static struct json_object *copy_list(struct json_object *from, bool seconds)
{
	struct json_object *out = json_object_new_array();

	for (size_t i = 0; i < field_length(from); i++) {
		struct json_object *value = json_object_array_get_idx(from, i);
		int64_t whole = json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : -1;

		json_object_array_add(out, whole < 0 ? NULL : seconds ? json_new_seconds(whole) :
				      json_object_new_int64(whole));
	}
	return out;
}

/* Whether the verdict is made of the column's values, among others. All others are only printed. */
static bool is_judged(const char *name)
{
	return strcmp(name, "cpu_s") == 0 || strcmp(name, "on_cpu_s") == 0 || strcmp(name, "runnable_s") == 0;
}

/* @settled: columns that nothing reads become text */
static void put_columns(struct json_object *out, struct json_object *columns, size_t points, const char *node,
			bool settled, struct json_object *gaps)
{
	struct json_object *list;

	if (!columns)
		return;
	json_object_object_foreach(columns, name, column) {
		bool seconds = has_suffix(name, "_ns");
		char to[96];

		if (seconds)
			snprintf(to, sizeof(to), "%.*s_s", (int)(strlen(name) - strlen("_ns")), name);
		else
			snprintf(to, sizeof(to), "%s", name);
		utf8_finish(to);
		if (json_object_is_type(column, json_type_array) && field_length(column) == points) {
			list = copy_list(column, seconds);
			json_object_object_add(out, to, settled && !is_judged(to) ? printed_value(list, 0) : list);
		} else {
			gaps_addf(gaps, "series", "%s: the column %s is damaged", node, to);
		}
	}
}

static struct json_object *node_series(struct json_object *record, bool settled, struct json_object *gaps)
{
	struct json_object *from = series_of(record), *out = json_object_new_object();
	struct json_object *ends = field_typed(from, "end_offsets_ns", json_type_array);
	struct json_object *columns = field_typed(from, "columns", json_type_object);
	int64_t ns;

	put_text(out, "node", record_node(record));
	if (field_count(from, "start_unix_ns", &ns))
		put_time(out, "start", ns);
	if (field_count(from, "interval_ns", &ns))
		put_seconds(out, "interval_s", ns);
	json_object_object_add(out, "end_offsets_s", copy_list(ends, true));
	put_columns(put_object(out, "columns"), columns, field_length(ends), record_node(record),
		    settled, gaps);
	return out;
}

struct json_object *series_build(struct json_object *const records[], size_t count, struct json_object *gaps)
{
	struct json_object *out = json_object_new_array();

	for (size_t i = 0; i < count; i++) {
		if (settled_of(records[i])) {
			json_object_array_add(out, json_object_get(settled_of(records[i])));
			gaps_merge(gaps, field_find(records[i], "series_gaps"), NULL);
		} else if (series_of(records[i])) {
			json_object_array_add(out, node_series(records[i], false, gaps));
		} else if (!field_is(records[i], "mode", "summary")) {
			sum_gap(gaps, "series", NULL, (unsigned int)count, record_node(records[i]));
		}
	}
	return out;
}

void series_settle(struct json_object *record)
{
	struct json_object *series;

	if (!series_of(record) || settled_of(record))
		return;
	series = node_series(record, true, put_array(record, "series_gaps"));
	json_object_object_add(record, "series_settled", series);
	json_object_object_del(record, "series");
}

/* ---- a record's series ---- */

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Levels are values at a point's end. All other columns are sums. */
static bool is_level(const char *name)
{
	return strncmp(name, "memory_", 7) == 0 ? !has_suffix(name, "_ns") :
	       strcmp(name, "processes") == 0 || strcmp(name, "threads") == 0;
}

static struct json_object *join_column(struct json_object *column, size_t each, bool level)
{
	struct json_object *out = json_object_new_array();
	size_t length = field_length(column);

	for (size_t i = 0; i < length; i += each) {
		int64_t joined = 0;
		bool known = false;

		for (size_t k = i; k < length && k < i + each; k++) {
			struct json_object *value = json_object_array_get_idx(column, k);
			int64_t whole = json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : -1;

			if (whole < 0)
				continue;
			known = true;
			joined = level ? larger(joined, whole) : count_sum(joined, whole);
		}
		json_object_array_add(out, known ? json_object_new_int64(joined) : NULL);
	}
	return out;
}

static struct json_object *join_columns(struct json_object *columns, size_t each)
{
	struct json_object *out = json_object_new_object();

	json_object_object_foreach(columns, name, column)
		if (json_object_is_type(column, json_type_array))
			json_object_object_add(out, name, join_column(column, each, is_level(name)));
	return out;
}

void series_add_pause(struct json_object *record, int64_t end_ns)
{
	struct json_object *series = series_of(record);
	struct json_object *columns = field_typed(series, "columns", json_type_object);
	struct json_object *ends = field_typed(series, "end_offsets_ns", json_type_array);

	if (!ends || !columns)
		return;
	json_object_array_add(ends, json_object_new_int64(end_ns));
	json_object_object_foreach (columns, name, column)
		if (json_object_is_type(column, json_type_array))
			json_object_array_add(column, is_level(name) ? NULL : json_object_new_int64(0));
}

void series_trim(struct json_object *record, size_t max)
{
	struct json_object *series = series_of(record);
	struct json_object *columns = field_typed(series, "columns", json_type_object);
	size_t points = field_length(field_typed(series, "end_offsets_ns", json_type_array)), each;
	int64_t interval;

	if (points <= max || max == 0)
		return;
	each = (points + max - 1) / max;
	/* The end of several points is that of the last one. It is the largest, since ends ascend. */
	json_object_object_add(series, "end_offsets_ns",
			       join_column(field_find(series, "end_offsets_ns"), each, true));
	if (columns)
		json_object_object_add(series, "columns", join_columns(columns, each));
	if (field_count(series, "interval_ns", &interval))
		put_count(series, "interval_ns", interval > INT64_MAX / (int64_t)each ? INT64_MAX :
			  interval * (int64_t)each);
}
