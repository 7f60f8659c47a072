/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was used over time, as tables: for readers who cannot see the charts, and for pages without charts. */
#include <string.h>

#include "reports/html/html_internal.h"
#include "reports/json/field.h"
#include "reports/json/units.h"

#define ROWS 40
#define NODES_SHOWN 4

enum kind { PER_SECOND, BYTES_PER_SECOND, LEVEL, BYTES };

static const struct column {
	const char *head, *name;
	enum kind kind;
} columns[] = {
	{ "Cores used", "cpu_s", PER_SECOND },
	{ "Memory used", "memory_used_bytes", BYTES },
	{ "Cache", "memory_cache_bytes", BYTES },
	{ "Storage read/s", "read_bytes", BYTES_PER_SECOND },
	{ "written/s", "write_bytes", BYTES_PER_SECOND },
	{ "Calls read/s", "syscall_read_bytes", BYTES_PER_SECOND },
	{ "written/s", "syscall_write_bytes", BYTES_PER_SECOND },
	{ "Received/s", "socket_rx_bytes", BYTES_PER_SECOND },
	{ "Sent/s", "socket_tx_bytes", BYTES_PER_SECOND },
	{ "Threads on a CPU", "on_cpu_s", PER_SECOND },
	{ "waiting for one", "runnable_s", PER_SECOND },
	{ "in file I/O", "file_io_s", PER_SECOND },
	{ "in network waits", "network_s", PER_SECOND },
	{ "in lock waits", "lock_s", PER_SECOND },
	{ "Threads", "threads", LEVEL },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool point(struct json_object *list, size_t i, double *value)
{
	struct json_object *one = i < field_length(list) ? json_object_array_get_idx(list, i) : NULL;

	if (!json_object_is_type(one, json_type_int) && !json_object_is_type(one, json_type_double))
		return false;
	*value = json_object_get_double(one);
	return true;
}

/* Joins the points from @from up to @to: adds up sums, and takes the highest level. */
static bool joined(struct json_object *list, size_t from, size_t to, enum kind kind, double *value)
{
	bool known = false, sum = kind == PER_SECOND || kind == BYTES_PER_SECOND;
	double one;

	*value = 0;
	for (size_t i = from; i < to; i++) {
		if (!point(list, i, &one))
			continue;
		known = true;
		*value = sum ? *value + one : one > *value ? one : *value;
	}
	return known;
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

static void print_rows(FILE *out, struct json_object *ends, struct json_object *lists)
{
	size_t points = field_length(ends), each = (points + ROWS - 1) / ROWS;
	double before = 0, end, value;
	char text[DURATION_TEXT];

	for (size_t i = 0; i < points; i += each) {
		size_t to = i + each < points ? i + each : points;

		if (!point(ends, to - 1, &end) || end <= before)
			continue;
		fprintf(out, "<tr><th scope=\"row\" class=\"n\">%s</th>", short_duration_text(end, text));
		for (size_t c = 0; c < COLUMNS; c++) {
			struct json_object *list = field_typed(lists, columns[c].name, json_type_array);

			if (joined(list, i, to, columns[c].kind, &value))
				print_cell(out, columns[c].kind, value, end - before);
			else
				fputs("<td class=\"n unknown\">-</td>", out);
		}
		fputs("</tr>\n", out);
		before = end;
	}
}

static void print_node(FILE *out, struct json_object *series)
{
	const char *node = field_text(series, "node");

	/* Without charts the table is open from the start, since there is nothing else to see. */
	fprintf(out, "<details class=\"as-table\"%s><summary>What was used over time, as a table: ",
		*html_library ? "" : " open");
	html_text(out, node ? node : "?");
	fputs("</summary>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Used over time\">"
	      "<table class=\"series\"><thead><tr><th scope=\"col\" class=\"n\">Until</th>", out);
	for (size_t c = 0; c < COLUMNS; c++)
		fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>", columns[c].head);
	fputs("</tr></thead>\n<tbody>\n", out);
	print_rows(out, field_typed(series, "end_offsets_s", json_type_array),
		   field_typed(series, "columns", json_type_object));
	fputs("</tbody></table></div></details>\n", out);
}

void html_series(struct json_object *report, FILE *out)
{
	struct json_object *list = field_typed(report, "series", json_type_array);
	size_t count = field_length(list);

	if (count > 0 && !*html_library)
		fputs("<p class=\"note\" id=\"no-charts\">This stint was built without the charting library: what was "
		      "used over time stands in tables.</p>\n", out);
	for (size_t i = 0; i < count && i < NODES_SHOWN; i++)
		print_node(out, json_object_array_get_idx(list, i));
	if (count > NODES_SHOWN)
		fprintf(out, "<p class=\"note\">Tables of the first %d of %zu nodes; <code>stint report --json</code> has "
			"all.</p>\n", NODES_SHOWN, count);
}
