/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/timeline/gantt_internal.h"

struct cell {
	double runs, bursts; /* average number of runs, and of runs in bursts, at once */
	bool has_run, has_burst;
	bool failed; /* a failed run ended here */
	bool living; /* a run still goes on */
};

struct glyph {
	const char *text;
	enum terminal_style style;
	bool plain; /* without a style */
};

static double cell_us(const struct chart *chart)
{
	return (double)(chart->to_us - chart->from_us) / chart->cells;
}

static int cell_at(const struct chart *chart, int64_t at_us)
{
	int cell = (int)((double)(at_us - chart->from_us) / cell_us(chart));

	return cell < 0 ? 0 : cell < chart->cells ? cell : chart->cells - 1;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void add_span(const struct chart *chart, struct cell *cells, const struct span *span)
{
	int64_t start = later(span->start_us, chart->from_us), end = earlier(span->end_us, chart->to_us);
	double length = (double)(span->end_us - span->start_us), size = cell_us(chart);
	double weight = span->count > 1 && length > 0 ? (double)span->wall_us / length : 1;
	int first = cell_at(chart, start), last = cell_at(chart, end);

	/* A span that ends exactly where a cell begins is not in that cell. */
	if (last > first && (double)(end - chart->from_us) <= last * size)
		last--;
	for (int i = first; i <= last; i++) {
		double from = (double)chart->from_us + i * size, to = from + size;
		double begin = (double)start > from ? (double)start : from, stop = (double)end < to ? (double)end : to;
		double share = stop > begin ? weight * (stop - begin) / size : 0;

		if (span->count > 1) {
			cells[i].bursts += share;
			cells[i].has_burst = true;
		} else {
			cells[i].runs += share;
			cells[i].has_run = true;
		}
	}
	if (span->failures > 0 && span->end_us <= chart->to_us)
		cells[last].failed = true;
	if (span->living && span->end_us <= chart->to_us)
		cells[last].living = true;
}

static struct glyph run_glyph(const struct chart *chart, double at_once, double scale, char digit[2])
{
	static const char *const heights[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	int level;

	if (!chart->page->unicode) {
		level = at_once < 10 ? (int)(at_once + 0.5) : 10;
		digit[0] = level > 9 ? '+' : (char)('0' + (level > 1 ? level : 1));
		digit[1] = '\0';
		return (struct glyph){ digit, STYLE_ACCENT, false };
	}
	level = (int)(8 * at_once / scale + 0.999) - 1;
	return (struct glyph){ heights[level < 0 ? 0 : level > 7 ? 7 : level], STYLE_ACCENT, false };
}

static struct glyph glyph_of(const struct chart *chart, const struct cell *cell, double scale, bool tick, char digit[2])
{
	bool unicode = chart->page->unicode;

	if (cell->failed)
		return (struct glyph){ unicode ? "×" : "x", STYLE_BAD, false };
	if (cell->living)
		return (struct glyph){ unicode ? "▶" : ">", STYLE_ACCENT, false };
	if (cell->has_run)
		return run_glyph(chart, cell->runs + cell->bursts, scale, digit);
	if (cell->has_burst && cell->bursts < 1)
		return (struct glyph){ unicode ? "░" : ":", STYLE_ACCENT, false };
	if (cell->has_burst)
		return (struct glyph){ unicode ? "▒" : "%", STYLE_ACCENT, false };
	/* Without a faint style, a tick would look like a run. */
	tick = tick && unicode && chart->page->colour;
	return (struct glyph){ tick ? "┊" : " ", STYLE_FAINT, !tick };
}

static void print_glyph(const struct chart *chart, const struct glyph *glyph, const struct glyph *before)
{
	bool changes = glyph->plain != before->plain || glyph->style != before->style;

	if (changes && !before->plain)
		fputs(terminal_off(chart->page), chart->out);
	if (changes && !glyph->plain)
		fputs(terminal_on(chart->page, glyph->style), chart->out);
	fputs(glyph->text, chart->out);
}

bool chart_row(const struct chart *chart, const struct spans *spans, const struct gantt_row *row)
{
	cleanup_free struct cell *cells = calloc((size_t)chart->cells, sizeof(*cells));
	struct glyph before = { "", STYLE_FAINT, true };
	double scale = 1;

	if (!cells)
		return false;
	for (size_t i = 0; i < row->count; i++)
		add_span(chart, cells, &spans->list[row->spans[i]]);
	for (int i = 0; i < chart->cells; i++)
		if (cells[i].runs + cells[i].bursts > scale)
			scale = cells[i].runs + cells[i].bursts;
	for (int i = 0; i < chart->cells; i++) {
		char digit[2];
		struct glyph glyph = glyph_of(chart, &cells[i], scale, chart->ticks[i], digit);

		print_glyph(chart, &glyph, &before);
		before = glyph;
	}
	if (!before.plain)
		fputs(terminal_off(chart->page), chart->out);
	return true;
}

void chart_legend(const struct chart *chart, const struct legend *legend)
{
	bool unicode = chart->page->unicode;

	fprintf(chart->out, "\n%s%*s%s", terminal_on(chart->page, STYLE_FAINT), CHART_INDENT, "",
		unicode ? "▁▄█ higher: more of the row ran at once" : "1-9: so many of the row ran at once; +: more");
	if (legend->bursts)
		fprintf(chart->out, "\n%*s%s", CHART_INDENT, "",
			unicode ? "░▒ bursts of short runs: less than one at once, or more" :
				  ":% bursts of short runs: less than one at once, or more");
	if (legend->failures)
		fprintf(chart->out, "\n%*s%s", CHART_INDENT, "", unicode ? "× a run failed" : "x a run failed");
	if (legend->living)
		fprintf(chart->out, "\n%*s%s", CHART_INDENT, "", unicode ? "▶ still running" : "> still running");
	if (legend->unknown)
		fprintf(chart->out, "\n%*s? not known", CHART_INDENT, "");
	fprintf(chart->out, "%s\n", terminal_off(chart->page));
}
