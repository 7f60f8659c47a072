/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/time_text.h"
#include "reports/timeline/gantt_internal.h"

#define MS INT64_C(1000)
#define S US_PER_S
#define M (60 * S)
#define H (60 * M)
#define D (24 * H)
#define BETWEEN 2 /* minimum number of columns between two labels */
#define RELATIVE_MAX 1e9 /* seconds */

static const int64_t steps[] = { MS,     2 * MS,  5 * MS,  10 * MS, 20 * MS, 50 * MS, 100 * MS, 200 * MS, 500 * MS,
				 S,      2 * S,   5 * S,   10 * S,  15 * S,  30 * S,  M,	2 * M,	  5 * M,
				 10 * M, 15 * M,  30 * M,  H,	    2 * H,   3 * H,   6 * H,	12 * H,	  D,
				 2 * D,  7 * D,   14 * D,  30 * D,  60 * D,  180 * D, 360 * D, 3600 * D };

/* ---- names ---- */

void chart_label(const struct chart *chart, const char *label)
{
	cleanup_free char *text = terminal_escape(chart->page, label);
	int width;

	if (!text)
		return;
	escape_cut(text, (size_t)chart->name_width);
	width = (int)escape_width(text);
	fprintf(chart->out, "%*s%s%*s", CHART_INDENT, "", text, chart->name_width - width + CHART_GAP, "");
}

/* ---- relative times ---- */

const char *relative_text(int64_t us, char text[RELATIVE_TEXT])
{
	static const struct {
		const char *unit;
		int64_t us;
	} parts[] = { { "d", D }, { "h", H }, { "m", M } };
	size_t used = 0;
	int64_t ms;

	text[0] = '\0';
	us = us > 0 ? us : 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (us >= parts[i].us)
			used += (size_t)snprintf(text + used, RELATIVE_TEXT - used, "%lld%s",
						 (long long)(us / parts[i].us), parts[i].unit);
		us %= parts[i].us;
	}
	ms = us / MS;
	if (ms % 1000)
		snprintf(text + used, RELATIVE_TEXT - used, "%gs", (double)ms / 1000);
	else if (ms > 0)
		snprintf(text + used, RELATIVE_TEXT - used, "%llds", (long long)(ms / 1000));
	else if (used == 0)
		strcpy(text, "0");
	return text;
}

/*
 * Reads digits with an optional decimal point. strtod() alone would also accept "1e5" or "inf".
 * Moves *@at behind the number.
 */
static bool take_number(const char **at, double *value)
{
	size_t length = strspn(*at, "0123456789.");
	char *end;

	if (length == 0 || length > 20)
		return false;
	*value = strtod(*at, &end);
	if (end != *at + length)
		return false;
	*at = end;
	return true;
}

static bool take_unit(const char **at, int64_t *unit)
{
	static const struct {
		const char *name;
		int64_t us;
	} units[] = { { "ms", MS }, { "d", D }, { "h", H }, { "m", M }, { "s", S } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t length = strlen(units[i].name);

		if (strncmp(*at, units[i].name, length) != 0)
			continue;
		*unit = units[i].us;
		*at += length;
		return true;
	}
	return false;
}

static bool parse_clock(const char *text, double *seconds)
{
	double part;

	*seconds = 0;
	for (int parts = 0; parts < 3; parts++) {
		if (!take_number(&text, &part))
			return false;
		*seconds = *seconds * 60 + part;
		if (!*text)
			return true;
		if (*text++ != ':')
			return false;
	}
	return false;
}

static bool parse_units(const char *text, double *seconds)
{
	*seconds = 0;
	do {
		int64_t unit = S;
		double part;

		if (!take_number(&text, &part) || (!take_unit(&text, &unit) && *text))
			return false;
		*seconds += part * (double)unit / (double)S;
	} while (*text);
	return true;
}

bool relative_parse(const char *text, int64_t *us)
{
	double seconds;

	if (!(strchr(text, ':') ? parse_clock(text, &seconds) : parse_units(text, &seconds)) || seconds > RELATIVE_MAX)
		return false;
	*us = (int64_t)(seconds * (double)US_PER_S + 0.5);
	return true;
}

/* ---- the axis ---- */

static int cell_of(const struct chart *chart, int64_t relative_us)
{
	double share = (double)(relative_us + chart->zero_us - chart->from_us) / (double)(chart->to_us - chart->from_us);

	return (int)(share * chart->cells + 1e-6);
}

/* Returns whether labels at every @step fit. Checks each label, because not only the last one can be the widest. */
static bool fits(const struct chart *chart, int64_t step)
{
	double between = (double)step / (double)(chart->to_us - chart->from_us) * chart->cells;
	int64_t first = (chart->from_us - chart->zero_us + step - 1) / step, last = (chart->to_us - chart->zero_us) / step;

	if (last - first > chart->cells)
		return false;
	for (int64_t i = first; i <= last; i++) {
		char text[RELATIVE_TEXT];

		if ((double)strlen(relative_text(i * step, text)) + BETWEEN > between)
			return false;
	}
	return true;
}

static int64_t choose_step(const struct chart *chart)
{
	size_t count = sizeof(steps) / sizeof(steps[0]);

	for (size_t i = 0; i < count; i++)
		if (fits(chart, steps[i]))
			return steps[i];
	return steps[count - 1];
}

static void label_ticks(struct chart *chart, char *labels)
{
	int64_t step = choose_step(chart), last = (chart->to_us - chart->zero_us) / step;
	int64_t first = (chart->from_us - chart->zero_us + step - 1) / step;

	for (int64_t i = first; i <= last && i - first <= chart->cells; i++) {
		char text[RELATIVE_TEXT];
		int cell = cell_of(chart, i * step);
		size_t length = strlen(relative_text(i * step, text));

		if (cell < 0 || cell >= chart->cells)
			continue;
		chart->ticks[cell] = true;
		memcpy(labels + cell, text, length);
	}
}

void chart_axis(struct chart *chart, const char *name, const char *columns)
{
	const char *line = chart->page->unicode ? "─" : "-", *tick = chart->page->unicode ? "┼" : "+";
	size_t width = (size_t)chart->cells + RELATIVE_TEXT; /* the last label may extend beyond the picture */
	cleanup_free char *labels = calloc(1, width + 1);

	if (!labels)
		return;
	memset(labels, ' ', width);
	label_ticks(chart, labels);
	for (size_t end = width; end > 0 && labels[end - 1] == ' '; end--)
		labels[end - 1] = '\0';
	fprintf(chart->out, "%*s%s\n", CHART_INDENT + chart->name_width + CHART_GAP, "", labels);
	fputs(terminal_on(chart->page, STYLE_HEAD), chart->out);
	chart_label(chart, name);
	fputs(terminal_off(chart->page), chart->out);
	fputs(terminal_on(chart->page, STYLE_FAINT), chart->out);
	for (int i = 0; i < chart->cells; i++)
		fputs(chart->ticks[i] ? tick : line, chart->out);
	fputs(terminal_off(chart->page), chart->out);
	fprintf(chart->out, "%s%s%s\n", terminal_on(chart->page, STYLE_HEAD), columns, terminal_off(chart->page));
}
