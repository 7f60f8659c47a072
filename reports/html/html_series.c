/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints use over time as tables, for readers who cannot see the charts. */
#include <math.h>

#include "reports/html/html_internal.h"
#include "reports/json/units.h"
#include "reports/timeline/column.h"

#define ROWS 40
#define NODES_SHOWN 4

enum kind { PER_SECOND, BYTES_PER_SECOND, LEVEL, BYTES };

static const struct shown {
	const char *head;
	struct column column;
	enum kind kind;
} columns[] = {
	{ "Cores used", COLUMN_S(cpu_s), PER_SECOND },
	{ "Memory used", COLUMN(memory_used_bytes), BYTES },
	{ "Cache", COLUMN(memory_cache_bytes), BYTES },
	{ "Storage read/s", COLUMN(read_bytes), BYTES_PER_SECOND },
	{ "written/s", COLUMN(write_bytes), BYTES_PER_SECOND },
	{ "Calls read/s", COLUMN(syscall_read_bytes), BYTES_PER_SECOND },
	{ "written/s", COLUMN(syscall_write_bytes), BYTES_PER_SECOND },
	{ "Received/s", COLUMN(socket_rx_bytes), BYTES_PER_SECOND },
	{ "Sent/s", COLUMN(socket_tx_bytes), BYTES_PER_SECOND },
	{ "Threads on a CPU", COLUMN_S(on_cpu_s), PER_SECOND },
	{ "waiting for one", COLUMN_S(runnable_s), PER_SECOND },
	{ "in file I/O", COLUMN_S(file_io_s), PER_SECOND },
	{ "in GPU waits", COLUMN_S(gpu_s), PER_SECOND },
	{ "in network waits", COLUMN_S(network_s), PER_SECOND },
	{ "in lock waits", COLUMN_S(lock_s), PER_SECOND },
	{ "Threads", COLUMN(threads), LEVEL },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/*
 * Joins the samples @from to @to - 1 into one value: the total of a sum, or the highest value of a level.
 * Returns NAN if no value is known.
 */
static double joined(const struct report_columns *of, const struct shown *shown, size_t from, size_t to)
{
	bool sum = shown->kind == PER_SECOND || shown->kind == BYTES_PER_SECOND;
	double value = NAN, one;

	for (size_t i = from; i < to; i++) {
		one = column_value(of, &shown->column, i);
		value = isnan(value) || isnan(one) || !sum ? fmax(value, one) : value + one;
	}
	return value;
}

static void print_cell(FILE *out, enum kind kind, double value, double seconds)
{
	char text[SIZE_TEXT];

	fputs("<td class=\"n\">", out);
	if (kind == BYTES_PER_SECOND)
		fputs(size_text(value / seconds, text), out);
	else if (kind == BYTES)
		fputs(size_text(value, text), out);
	else
		fprintf(out, kind == PER_SECOND ? "%.2f" : "%.0f", kind == PER_SECOND ? value / seconds : value);
	fputs("</td>", out);
}

static void print_rows(FILE *out, const struct report_series *series)
{
	size_t points = series->end_offsets_s.count, each = (points + ROWS - 1) / ROWS;
	double before = 0, end, value;
	char text[DURATION_TEXT];

	for (size_t i = 0; i < points; i += each) {
		size_t to = i + each < points ? i + each : points;

		end = report_s(series->end_offsets_s.items[to - 1]);
		if (!(end > before))
			continue;
		fprintf(out, "<tr><th scope=\"row\" class=\"n\">%s</th>", short_duration_text(end, text));
		for (size_t c = 0; c < COLUMNS; c++) {
			value = joined(&series->columns, &columns[c], i, to);
			if (isnan(value))
				fputs("<td class=\"n unknown\">-</td>", out);
			else
				print_cell(out, columns[c].kind, value, end - before);
		}
		fputs("</tr>\n", out);
		before = end;
	}
}

static void print_node(FILE *out, const struct report_series *series)
{
	/* Without charts there is nothing else to see: open the table. */
	fprintf(out, "<details class=\"as-table\"%s><summary>What was used over time, as a table: ",
		*html_library ? "" : " open");
	html_text(out, series->node ? series->node : "?");
	fputs("</summary>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Used over time\">"
	      "<table class=\"series\"><thead><tr><th scope=\"col\" class=\"n\">Until</th>", out);
	for (size_t c = 0; c < COLUMNS; c++)
		fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>", columns[c].head);
	fputs("</tr></thead>\n<tbody>\n", out);
	print_rows(out, series);
	fputs("</tbody></table></div></details>\n", out);
}

void html_series(const struct report *report, FILE *out)
{
	size_t count = report->series.count;

	if (count > 0 && !*html_library)
		fputs("<p class=\"note\" id=\"no-charts\">This stint was built without the charting library: tables show "
		      "what was used over time.</p>\n", out);
	for (size_t i = 0; i < count && i < NODES_SHOWN; i++)
		print_node(out, &report->series.items[i]);
	if (count > NODES_SHOWN)
		fprintf(out, "<p class=\"note\">Tables of the first %d of %zu nodes; <code>stint report --json</code> has "
			"all.</p>\n", NODES_SHOWN, count);
}
