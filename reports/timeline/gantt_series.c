/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/units.h"
#include "reports/timeline/column.h"
#include "reports/timeline/gantt_internal.h"

enum measure { CORES, BYTES, BYTES_A_SECOND };

struct quantity {
	const char *label;
	struct column columns[2]; /* the row shows their total */
	enum measure measure;   /* BYTES is for a level; all other measures are for sums over a sample */
	bool only_if_any;       /* no row if the value was always 0 */
};

static const struct quantity quantities[] = {
	{ "CPU cores", { COLUMN_S(cpu_s) }, CORES, false },
	{ "memory used", { COLUMN(memory_used_bytes) }, BYTES, false },
	{ "page cache", { COLUMN(memory_cache_bytes) }, BYTES, true },
	{ "storage", { COLUMN(read_bytes), COLUMN(write_bytes) }, BYTES_A_SECOND, true },
	{ "sockets", { COLUMN(socket_rx_bytes), COLUMN(socket_tx_bytes) }, BYTES_A_SECOND, true },
};

struct cell {
	double value; /* the maximum of a level; else a sum, which fill_cells() divides by known_us */
	double known_us;
	bool unknown; /* a sample in the cell is not known */
};

struct points {
	const struct report_series *series;
	const struct quantity *quantity;
	int64_t start_us;
};

static double point_value(const struct points *points, size_t i)
{
	double value = 0;

	for (int c = 0; c < 2 && points->quantity->columns[c].offset; c++)
		value += column_value(&points->series->columns, &points->quantity->columns[c], i);
	return value;
}

/* A value between two times, in microseconds since 1970. */
struct point {
	double start, end;
	double value; /* NAN: not known */
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
		if (isnan(value)) {
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
 * Fills @cells with means per second, or with the maxima of a level.
 * Returns the largest value among the drawn samples; -1 if none is known.
 */
static double fill_cells(const struct chart *chart, struct cell *cells, const struct points *points)
{
	const struct report_times *ends = &points->series->end_offsets_s;
	struct point point = { .start = (double)points->start_us };
	bool level = points->quantity->measure == BYTES;
	double largest = -1;

	for (size_t i = 0; i < ends->count; i++) {
		point.end = (double)points->start_us + report_s(ends->items[i]) * (double)US_PER_S;
		point.value = point_value(points, i);
		if (!(point.end > point.start))
			continue;
		add_point(chart, cells, &point, level);
		if (!level)
			point.value *= (double)US_PER_S / (point.end - point.start);
		if (point.start < (double)chart->to_us && point.end > (double)chart->from_us &&
		    point.value > largest)
			largest = point.value;
		point.start = point.end;
	}
	for (int i = 0; i < chart->cells && !level; i++)
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

static bool is_memory_used(const struct quantity *quantity)
{
	return quantity->columns[0].offset == offsetof(struct report_columns, memory_used_bytes);
}

/* Returns the amount allocated on @node; 0 if unknown. A character of the chart is drawn full at this amount. */
static double whole_of(const struct report_node *node, const struct quantity *quantity)
{
	int64_t whole = REPORT_UNKNOWN;

	if (node && quantity->measure == CORES)
		whole = node->allocated.cpus;
	else if (node && is_memory_used(quantity))
		whole = node->allocated.memory_limit_bytes >= 0 ? node->allocated.memory_limit_bytes :
								  node->allocated.memory_bytes;
	return whole > 0 ? (double)whole : 0;
}

/*
 * Prints the maximum after the row.
 * For memory, prints the peak of the node if the peak is higher.
 * Samples miss short peaks, and other pages show the peak.
 */
static void print_largest(const struct chart *chart, const struct quantity *quantity, const struct report_node *node,
			  double largest, double whole)
{
	int room = chart->page->width - CHART_INDENT - chart->name_width - CHART_GAP - chart->cells;
	char text[SIZE_TEXT], given[SIZE_TEXT], line[3 * SIZE_TEXT];
	const char *word = "max", *per = quantity->measure == BYTES_A_SECOND ? "/s" : "";
	double peak = node ? report_number(node->used.memory_used_peak_bytes) : NAN;
	int used;

	if (chart->whole && is_memory_used(quantity) && peak > largest) {
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

static bool has_columns(const struct report_columns *columns, const struct quantity *quantity)
{
	for (int i = 0; i < 2 && quantity->columns[i].offset; i++)
		if (!column_list(columns, &quantity->columns[i]).known)
			return false;
	return true;
}

static bool print_quantity(const struct chart *chart, const struct report_node *node, const struct report_series *series,
			   const struct quantity *quantity)
{
	cleanup_free struct cell *cells = calloc((size_t)chart->cells, sizeof(*cells));
	struct points points = { .series = series, .quantity = quantity };
	double largest, whole = whole_of(node, quantity);
	bool unknown;

	if (!cells || !has_columns(&series->columns, quantity) || !time_parse(series->start, &points.start_us))
		return false;
	largest = fill_cells(chart, cells, &points);
	if (largest < 0 || (largest <= 0 && quantity->only_if_any))
		return false;
	chart_label(chart, quantity->label);
	unknown = print_cells(chart, cells, whole > largest ? whole : largest > 0 ? largest : 1);
	print_largest(chart, quantity, node, largest, whole);
	return unknown;
}

bool chart_series(const struct chart *chart, const struct report *report, const char *name)
{
	bool unknown = false;

	for (size_t i = 0; i < report->series.count; i++) {
		const struct report_series *series = &report->series.items[i];

		if (strcmp(series->node ? series->node : "", name) != 0)
			continue;
		fputc('\n', chart->out);
		for (size_t q = 0; q < sizeof(quantities) / sizeof(quantities[0]); q++)
			unknown |= print_quantity(chart, report_node_named(report, name), series, &quantities[q]);
	}
	return unknown;
}
