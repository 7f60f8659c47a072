/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_series.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/suffix.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/records/record_input.h"
#include "reports/records/sums.h"

static struct json_object *series_of(struct json_object *record)
{
	return field_typed(record, "series", json_type_object);
}

/* ---- the report's series ---- */

/* Copies a column to @out, a list of counts or of times. A value that is not a whole number becomes not known. */
static void copy_list(struct json_object *from, struct report *report, void *out)
{
	struct report_counts list;

	report_make_values(report, out, field_length(from));
	memcpy(&list, out, sizeof(list));
	for (size_t i = 0; i < list.count; i++) {
		struct json_object *value = json_object_array_get_idx(from, i);

		if (json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0)
			list.items[i] = json_object_get_int64(value);
	}
}

/* Returns the report's column @name; NULL: a column of another version of stint. */
static const struct report_field *field_of(const char *name, bool seconds)
{
	const struct report_object *columns = report_table_columns();

	for (size_t i = 0; i < columns->count; i++)
		if (strcmp(columns->fields[i].name, name) == 0 && (columns->fields[i].type == REPORT_TYPE_SECONDS_LIST) == seconds)
			return &columns->fields[i];
	return NULL;
}

static void put_columns(struct json_object *columns, size_t points, const char *node, struct making *making,
			struct report_columns *out)
{
	out->known = true;
	if (!columns)
		return;
	json_object_object_foreach(columns, name, column) {
		bool seconds = has_suffix(name, "_ns");
		const struct report_field *field;
		char to[96];

		if (seconds)
			snprintf(to, sizeof(to), "%.*s_s", (int)(strlen(name) - strlen("_ns")), name);
		else
			snprintf(to, sizeof(to), "%s", name);
		utf8_finish(to);
		if (!json_object_is_type(column, json_type_array) || field_length(column) != points) {
			making_gapf(making, "series", "%s: the column %s is damaged", node, to);
			continue;
		}
		field = field_of(to, seconds);
		if (field)
			copy_list(column, making->report, report_member(field, out));
	}
}

static void read_series(struct json_object *record, struct making *making, struct report_series *out)
{
	struct json_object *from = series_of(record), *ends = field_typed(from, "end_offsets_ns", json_type_array);
	char text[TIME_TEXT];
	int64_t ns;

	out->node = report_copy(making->report, record_node(record));
	if (field_count(from, "start_unix_ns", &ns))
		out->start = report_copy(making->report, time_text(ns, text));
	field_count(from, "interval_ns", &out->interval_s.ns);
	copy_list(ends, making->report, &out->end_offsets_s);
	put_columns(field_typed(from, "columns", json_type_object), field_length(ends), record_node(record), making, &out->columns);
}

/* Puts the settled series of a record, if there is one. Returns whether there is. */
static bool put_settled(const struct settled *settled, struct making *making)
{
	const struct report *part = settled ? settled->part : NULL;

	if (!part || !part->series.count)
		return false;
	report_keep(making->report, settled->part);
	*REPORT_ADD(making->report, &making->report->series, series) = part->series.items[0];
	for (size_t i = 0; i < part->gaps.count; i++)
		making_gap(making, part->gaps.items[i].name, part->gaps.items[i].reason);
	return true;
}

void series_put(struct json_object *const records[], size_t count, struct making *making)
{
	struct report_series_list *list = &making->report->series;

	list->known = true;
	for (size_t i = 0; i < count; i++) {
		if (put_settled(settled_of(records[i]), making))
			continue;
		if (series_of(records[i]))
			read_series(records[i], making, REPORT_ADD(making->report, list, series));
		else if (!field_is(records[i], "mode", "summary"))
			sum_gap(making, "series", NULL, (unsigned int)count, record_node(records[i]));
	}
}

void series_settle(struct json_object *record, struct settled *settled)
{
	struct making making = { .report = settled->part, .gaps = &settled->part->gaps };
	struct report_series_list *list = &settled->part->series;

	if (!series_of(record))
		return;
	REPORT_MAKE(settled->part, list, 1, series);
	if (list->count)
		read_series(record, &making, list->items);
	making_end(&making);
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
	/* The end of several points is the end of the last one. It is the largest, because ends ascend. */
	json_object_object_add(series, "end_offsets_ns",
			       join_column(field_find(series, "end_offsets_ns"), each, true));
	if (columns)
		json_object_object_add(series, "columns", join_columns(columns, each));
	if (field_count(series, "interval_ns", &interval))
		put_count(series, "interval_ns", interval > INT64_MAX / (int64_t)each ? INT64_MAX :
			  interval * (int64_t)each);
}
