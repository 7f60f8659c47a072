/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/html/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/cleanup.h"
#include "reports/html/html_internal.h"
#include "reports/json/gzip64.h"

#define SHOWN 100 /* rows shown at a time, as in list.js */

struct html_list {
	FILE *out, *data;
	char *text; /* allocated by open_memstream() for data */
	size_t length;
	const char *id;
	const struct html_list_column *columns;
	size_t columns_count, rows;
};

struct html_list *html_list_begin(FILE *out, const char *id, const char *title,
				  const struct html_list_column *columns, size_t count)
{
	struct html_list *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	*list = (struct html_list){ .out = out, .id = id, .columns = columns, .columns_count = count };
	list->data = open_memstream(&list->text, &list->length);
	fprintf(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table class=\"list\" id=\"%s\">\n<thead><tr>",
		title, id);
	for (size_t c = 0; c < count; c++) {
		fprintf(out, "<th scope=\"col\"%s>", columns[c].number ? " class=\"n\"" : "");
		html_text(out, columns[c].head);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	return list;
}

/* ---- as HTML ---- */

static void put_text(FILE *out, const struct html_cell *cell)
{
	if (cell->href) {
		fputs("<a href=\"./", out);
		html_text(out, cell->href);
		fputs("\">", out);
	}
	html_text(out, cell->text);
	if (cell->href)
		fputs("</a>", out);
}

static void put_cell(FILE *out, const struct html_cell *cell, bool number, bool first)
{
	const char *tag = first ? "th" : "td";

	fprintf(out, "<%s%s class=\"%s%s%s %s\"", tag, first ? " scope=\"row\"" : "", number ? "n" : "",
		cell->bar ? " share" : "", cell->text ? "" : " unknown", html_style_class(cell->style));
	if (cell->text && cell->sorted)
		fprintf(out, " data-v=\"%.9g\"", cell->value);
	if (cell->text && cell->title) {
		fputs(" title=\"", out);
		html_text(out, cell->title);
		fputs("\"", out);
	}
	fputs(">", out);
	if (cell->text && cell->bar)
		html_gauge(out, cell->share, 0, cell->style);
	if (!cell->text)
		fputs("-", out);
	else if (cell->bar)
		fputs("<span>", out);
	if (cell->text)
		put_text(out, cell);
	fprintf(out, "%s</%s>", cell->text && cell->bar ? "</span>" : "", tag);
}

static void put_row(const struct html_list *list, const struct html_cell *cells)
{
	fputs("<tr>", list->out);
	for (size_t c = 0; c < list->columns_count; c++)
		put_cell(list->out, &cells[c], list->columns[c].number, c == 0);
	fputs("</tr>\n", list->out);
}

/* ---- as data ---- */

static void data_text(FILE *out, const char *text)
{
	if (text)
		html_json_text(out, text);
	else
		fputs("null", out);
}

static void data_number(FILE *out, bool known, double value)
{
	if (known && isfinite(value))
		fprintf(out, ",%.6g", value);
	else
		fputs(",null", out);
}

/*
 * Writes a cell as JSON: its text alone, or a list.
 * The list has text, value, style, file, share and title. Missing values at its end are left out.
 */
static void data_cell(FILE *out, const struct html_cell *cell)
{
	bool plain = cell->style == STYLE_PLAIN && !cell->href && !cell->bar && !cell->title;

	if (!cell->text || (plain && !cell->sorted)) {
		data_text(out, cell->text);
		return;
	}
	fputc('[', out);
	data_text(out, cell->text);
	data_number(out, cell->sorted, cell->value);
	if (!plain) {
		fprintf(out, ",\"%s\",", html_style_class(cell->style));
		data_text(out, cell->href);
		data_number(out, cell->bar, cell->share);
		if (cell->title) {
			fputc(',', out);
			data_text(out, cell->title);
		}
	}
	fputc(']', out);
}

void html_list_row(struct html_list *list, const struct html_cell *cells)
{
	if (!list)
		return;
	if (list->rows < SHOWN)
		put_row(list, cells);
	if (list->data) {
		fputs(list->rows ? ",\n[" : "[[", list->data);
		for (size_t c = 0; c < list->columns_count; c++) {
			if (c)
				fputc(',', list->data);
			data_cell(list->data, &cells[c]);
		}
		fputc(']', list->data);
	}
	list->rows++;
}

static void put_data(struct html_list *list)
{
	cleanup_free char *packed = gzip64(list->text, list->length, Z_DEFAULT_COMPRESSION);

	fprintf(list->out, "<p class=\"note more\">The first %d of %zu.</p>\n", SHOWN, list->rows);
	fprintf(list->out, "<script type=\"application/gzip\" class=\"rows\" data-of=\"%s\">%s</script>\n", list->id,
		packed ? packed : "");
}

void html_list_end(struct html_list *list)
{
	if (!list)
		return;
	fputs("</tbody></table></div>\n", list->out);
	if (list->data && list->rows)
		fputs("]\n", list->data);
	if (list->data && fclose(list->data) == 0 && list->rows > SHOWN)
		put_data(list);
	free(list->text);
	free(list);
}
