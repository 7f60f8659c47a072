/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_series.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/suffix.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/records/record_parts.h"
#include "reports/records/sums.h"

/* Does not copy @list, because the report keeps the record's memory. @out: a list of counts or times. */
static void share_list(const struct report_counts *list, void *out)
{
	const struct report_counts shared = { list->items, list->count, .known = true };

	memcpy(out, &shared, sizeof(shared));
}

/* Report and record have the same columns in the same order. */
static void put_columns(const struct record_series *from, const char *node, struct making *making, struct report_columns *out)
{
	const struct report_object *columns = record_table_columns(), *outs = report_table_columns();

	out->known = true;
	for (size_t i = 0; i < columns->count; i++) {
		const struct report_counts *column = (const void *)((const char *)&from->columns + columns->fields[i].offset);

		if (column->known && column->count != from->end_offsets_ns.count)
			making_gapf(making, "series", "%s: the column %s is damaged", node, outs->fields[i].name);
		else if (column->known)
			share_list(column, report_member(&outs->fields[i], out));
	}
}

static void put_series(const struct record *record, struct making *making, struct report_series *out)
{
	const struct record_series *from = &record->series;
	char text[TIME_TEXT];

	report_keep(making->report, record_memory(record));
	out->node = report_copy(making->report, record_node(record));
	if (from->start_unix_ns >= 0)
		out->start = report_copy(making->report, time_text(from->start_unix_ns, text));
	out->interval_s.ns = from->interval_ns;
	share_list(&from->end_offsets_ns, &out->end_offsets_s);
	put_columns(from, record_node(record), making, &out->columns);
}

void series_put(const struct record *const records[], size_t count, struct making *making)
{
	struct report_series_list *list = &making->report->series;

	list->known = true;
	for (size_t i = 0; i < count; i++) {
		if (records[i]->series.known)
			put_series(records[i], making, REPORT_ADD(making->report, list, series));
		else if (!report_text_is(records[i]->mode, "summary"))
			sum_gap(making, "series", NULL, (unsigned int)count, record_node(records[i]));
	}
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* A level has the value at the end of a point. All other columns are sums over a point. */
static bool is_level(const struct report_field *column)
{
	return strncmp(column->name, "memory_", 7) == 0 ? !has_suffix(column->name, "_ns") :
	       strcmp(column->name, "processes") == 0 || strcmp(column->name, "threads") == 0;
}

static void trim_list(struct report_counts *list, size_t each, bool level)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i += each) {
		int64_t joined = REPORT_UNKNOWN;

		for (size_t k = i; k < list->count && k < i + each; k++) {
			int64_t value = list->items[k];

			if (joined < 0 || value < 0)
				joined = larger(joined, value);
			else
				joined = level ? larger(joined, value) : count_sum(joined, value);
		}
		list->items[count++] = joined;
	}
	list->count = count;
}

void series_trim(struct record *record, size_t max)
{
	const struct report_object *columns = record_table_columns();
	struct record_series *series = &record->series;
	size_t points = series->end_offsets_ns.count, each;

	if (points <= max || max == 0)
		return;
	each = (points + max - 1) / max;
	/* Ends ascend, so the largest is the end of the last point. */
	trim_list(&series->end_offsets_ns, each, true);
	for (size_t i = 0; i < columns->count; i++)
		trim_list(report_member(&columns->fields[i], &series->columns), each, is_level(&columns->fields[i]));
	if (series->interval_ns >= 0)
		series->interval_ns = series->interval_ns > INT64_MAX / (int64_t)each ? INT64_MAX :
				      series->interval_ns * (int64_t)each;
}

/* Puts @count values before the values of @list. @values: NULL if the values are not known. */
static void put_before(struct report *memory, struct report_counts *list, const int64_t *values, size_t count)
{
	size_t had = list->count;

	for (size_t i = 0; i < count; i++)
		report_add_value(memory, list, REPORT_UNKNOWN);
	if (!count || list->count != had + count) /* out of memory */
		return;
	memmove(list->items + count, list->items, had * sizeof(*list->items));
	for (size_t i = 0; i < count; i++)
		list->items[i] = values ? values[i] : REPORT_UNKNOWN;
}

/*
 * Makes @ends relative to the start of @former's series, in nanoseconds.
 * If the clock was set back, ends must still ascend. So no end becomes smaller than @last_ns.
 */
static void move_ends(struct report_counts *ends, int64_t by_ns, int64_t last_ns)
{
	for (size_t i = 0; i < ends->count; i++) {
		int64_t end_ns;

		if (ends->items[i] >= 0 && !__builtin_add_overflow(ends->items[i], by_ns, &end_ns) && end_ns > last_ns)
			last_ns = end_ns;
		ends->items[i] = last_ns;
	}
}

/*
 * Joins the columns of two series.
 * @pause: put a point without any use between the series. The levels of this point are not known.
 */
static void join_columns(struct report *memory, struct record_series *former, struct record_series *later, bool pause)
{
	const struct report_object *columns = record_table_columns();
	static const int64_t nothing;

	for (size_t i = 0; i < columns->count; i++) {
		const struct report_field *field = &columns->fields[i];
		struct report_counts *first = report_member(field, &former->columns), *rest = report_member(field, &later->columns);

		if (!first->known && !rest->known)
			continue;
		if (!rest->known)
			put_before(memory, rest, NULL, later->end_offsets_ns.count);
		if (pause)
			put_before(memory, rest, is_level(field) || !first->known ? NULL : &nothing, 1);
		put_before(memory, rest, first->items, first->known ? first->count : former->end_offsets_ns.count);
	}
}

void series_join(struct record *former, struct record *later)
{
	struct record_series *first = &former->series, *rest = &later->series;
	struct report_counts *ends = &first->end_offsets_ns;
	struct report *memory = record_memory(later);
	int64_t start_ns, rest_ns, last_ns, by_ns;
	bool pause;

	if (!take_count(first->start_unix_ns, &start_ns) || !take_count(rest->start_unix_ns, &rest_ns))
		return;
	by_ns = rest_ns - start_ns;
	last_ns = ends->count ? larger(ends->items[ends->count - 1], 0) : 0;
	pause = by_ns > last_ns && ends->known && first->columns.known;
	last_ns = larger(last_ns, by_ns);
	move_ends(&rest->end_offsets_ns, by_ns, last_ns);
	if (first->columns.known && rest->columns.known)
		join_columns(memory, first, rest, pause);
	if (pause)
		put_before(memory, &rest->end_offsets_ns, &last_ns, 1);
	put_before(memory, &rest->end_offsets_ns, ends->items, ends->count);
	rest->start_unix_ns = start_ns;
	series_trim(later, RECORD_POINTS_MAX);
}
