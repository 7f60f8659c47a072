/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/timeline/gantt_internal.h"

enum measure { CORES, BYTES, BYTES_A_SECOND };

struct quantity {
	const char *label;
	const char *columns[2]; /* their values are added up */
	enum measure measure;   /* BYTES is a level; the others are sums over a point */
	bool only_if_any;       /* it has no row where it was 0 all the time */
};

static const struct quantity quantities[] = {
	{ "CPU cores", { "cpu_s" }, CORES, false },
	{ "memory used", { "memory_used_bytes" }, BYTES, false },
	{ "page cache", { "memory_cache_bytes" }, BYTES, true },
	{ "storage", { "read_bytes", "write_bytes" }, BYTES_A_SECOND, true },
	{ "sockets", { "socket_rx_bytes", "socket_tx_bytes" }, BYTES_A_SECOND, true },
};

struct cell {
	double value; /* a sum's integral over the time for which it is known, or a level's maximum */
	double known_us;
	bool unknown; /* a point in it is not known */
};

struct points {
	struct json_object *ends, *columns[2];
	int64_t start_us;
	bool level;
};

/* Computes the value of point @i, both columns added up. Returns false when one is not known. */
static bool point_value(const struct points *points, size_t i, double *value)
{
	*value = 0;
	for (int c = 0; c < 2; c++) {
		struct json_object *one = points->columns[c] ? json_object_array_get_idx(points->columns[c], i) : NULL;

		if (points->columns[c] && !one)
			return false;
		*value += one ? json_object_get_double(one) : 0;
	}
	return true;
}

/* What is counted from one moment to the next, in microseconds since 1970. */
struct point {
	double start, end;
	double value; /* if it is known */
	bool known;
};

static void add_point(const struct chart *chart, struct cell *cells, const struct point *point, bool level)
{
	double start = point->start, end = point->end, value = point->value;
	double size = (double)(chart->to_us - chart->from_us) / chart->cells, from = (double)chart->from_us;
	int first = chart->cells;

	if (start < (double)chart->to_us)
		first = start > from ? (int)((start - from) / size) : 0;
	for (int i = first; i < chart->cells && from + i * size < end; i++) {
		double begin = start > from + i * size ? start : from + i * size;
		double stop = end < from + (i + 1) * size ? end : from + (i + 1) * size;

		if (stop <= begin)
			continue;
		if (!point->known) {
			cells[i].unknown = true;
			continue;
		}
		if (!level)
			cells[i].value += value * (stop - begin) / (end - start) * (double)US_PER_S;
		else if (value > cells[i].value)
			cells[i].value = value;
		cells[i].known_us += stop - begin;
	}
}

/*
 * Fills @cells with means per second, or with the highest levels. Returns the largest of the points drawn; -1: none is
 * known.
 */
static double fill_cells(const struct chart *chart, struct cell *cells, const struct points *points)
{
	struct point point = { .start = (double)points->start_us };
	double largest = -1;

	for (size_t i = 0; i < field_length(points->ends); i++) {
		double offset = json_object_get_double(json_object_array_get_idx(points->ends, i));

		point.end = (double)points->start_us + offset * (double)US_PER_S;
		point.known = point_value(points, i, &point.value);
		if (point.end <= point.start)
			continue;
		add_point(chart, cells, &point, points->level);
		if (!points->level)
			point.value *= (double)US_PER_S / (point.end - point.start);
		if (point.known && point.start < (double)chart->to_us && point.end > (double)chart->from_us &&
		    point.value > largest)
			largest = point.value;
		point.start = point.end;
	}
	for (int i = 0; i < chart->cells && !points->level; i++)
		if (cells[i].known_us > 0)
			cells[i].value /= cells[i].known_us;
	return largest;
}

static const char *height(const struct chart *chart, double share)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };
	int level = !(share > 0) ? 0 : share < 1 ? (int)(8 * share + 0.999) : 8;

	return chart->page->unicode ? blocks[level] : ascii[level];
}

/* Returns whether some cells are not known. */
static bool print_cells(const struct chart *chart, const struct cell *cells, double scale)
{
	bool unknown = false;

	fputs(terminal_on(chart->page, STYLE_GOOD), chart->out);
	for (int i = 0; i < chart->cells; i++) {
		if (cells[i].known_us > 0)
			fputs(height(chart, cells[i].value / scale), chart->out);
		else
			fputs(cells[i].unknown ? "?" : " ", chart->out);
		unknown = unknown || (cells[i].unknown && cells[i].known_us <= 0);
	}
	fputs(terminal_off(chart->page), chart->out);
	return unknown;
}

static struct json_object *node_of(struct json_object *report, const char *name)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);

	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		const char *there = field_text(node, "name");

		if (there && strcmp(there, name) == 0)
			return node;
	}
	return NULL;
}

/* Returns what a full column means: all that was allocated, where that is known. */
static double whole_of(struct json_object *node, enum measure measure)
{
	double whole = 0;

	if (measure == CORES)
		field_number(node, "allocated.cpus", &whole);
	else if (measure == BYTES && !field_number(node, "allocated.memory_limit_bytes", &whole))
		field_number(node, "allocated.memory_bytes", &whole);
	return whole;
}

static bool is_memory_used(const struct quantity *quantity)
{
	return strcmp(quantity->columns[0], "memory_used_bytes") == 0;
}

/*
 * Prints the maximum behind the row. Samples miss what comes and goes between two of them: so for memory the node's
 * peak is shown, as everywhere, where it is higher.
 */
static void print_largest(const struct chart *chart, const struct quantity *quantity, struct json_object *node,
			  double largest, double whole)
{
	int room = chart->page->width - CHART_INDENT - chart->name_width - CHART_GAP - chart->cells;
	char text[SIZE_TEXT], given[SIZE_TEXT], line[3 * SIZE_TEXT];
	const char *word = "max", *per = quantity->measure == BYTES_A_SECOND ? "/s" : "";
	double peak;
	int used;

	if (chart->whole && is_memory_used(quantity) && field_number(node, "used.memory_used_peak_bytes", &peak) &&
	    peak > largest) {
		largest = peak;
		word = "peak";
	}
	if (quantity->measure == CORES)
		used = snprintf(line, sizeof(line), " max %.1f", largest);
	else
		used = snprintf(line, sizeof(line), " %s %s%s", word, short_size_text(largest, text), per);
	if (quantity->measure == CORES)
		snprintf(given, sizeof(given), "%.0f", whole);
	else
		short_size_text(whole, given);
	if (whole > 0 && used + (int)strlen(" of ") + (int)strlen(given) <= room)
		snprintf(line + used, sizeof(line) - used, " of %s", given);
	fprintf(chart->out, "%s\n", line);
}

/* Returns whether some of what it drew is not known. */
static bool print_quantity(const struct chart *chart, struct json_object *report, struct json_object *series,
			   const char *name, const struct quantity *quantity)
{
	cleanup_free struct cell *cells = calloc((size_t)chart->cells, sizeof(*cells));
	struct points points = { .ends = field_typed(series, "end_offsets_s", json_type_array),
				 .level = quantity->measure == BYTES };
	struct json_object *columns = field_typed(series, "columns", json_type_object);
	struct json_object *node = node_of(report, name);
	double largest, whole;
	bool unknown;

	for (int i = 0; i < 2 && quantity->columns[i]; i++) {
		points.columns[i] = field_typed(columns, quantity->columns[i], json_type_array);
		if (!points.columns[i])
			return false;
	}
	if (!cells || !time_parse(field_text(series, "start"), &points.start_us))
		return false;
	largest = fill_cells(chart, cells, &points);
	if (largest < 0 || (largest <= 0 && quantity->only_if_any))
		return false;
	whole = quantity->measure == BYTES && !is_memory_used(quantity) ? 0 : whole_of(node, quantity->measure);
	chart_label(chart, quantity->label);
	unknown = print_cells(chart, cells, whole > largest ? whole : largest > 0 ? largest : 1);
	print_largest(chart, quantity, node, largest, whole);
	return unknown;
}

bool chart_series(const struct chart *chart, struct json_object *report, const char *name)
{
	bool unknown = false;
	struct json_object *list = field_typed(report, "series", json_type_array);

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *series = json_object_array_get_idx(list, i);
		const char *node = field_text(series, "node");

		if (strcmp(node ? node : "", name) != 0)
			continue;
		fputc('\n', chart->out);
		for (size_t q = 0; q < sizeof(quantities) / sizeof(quantities[0]); q++)
			unknown = print_quantity(chart, report, series, name, &quantities[q]) || unknown;
	}
	return unknown;
}
