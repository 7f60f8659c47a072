/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the timeline's picture, each in a file of its own, and what they share. */
#ifndef STINT_GANTT_PART_H
#define STINT_GANTT_PART_H

#include "reports/gantt.h"
#include "reports/spans.h"

/* What is drawn, and where it stands on the line. */
struct chart {
	const struct page_options *page;
	FILE *out;
	int64_t from_us, to_us; /* of the time drawn, since 1970 UTC */
	int64_t zero_us;        /* what the axis counts from */
	int name_width, cells;  /* columns of the names, and of the picture behind them */
	bool *ticks;            /* one a cell: a tick of the axis stands there */
};

/* Columns left of the names, and between them and the picture. */
#define CHART_INDENT 2
#define CHART_GAP 1

/* ---- the axis: gantt_axis.c ---- */

#define RELATIVE_TEXT 48

/*
 * A time since the job's start as "1m30s", "2h", "1.5s", "0". Fills @text and returns it.
 */
const char *relative_text(int64_t us, char text[RELATIVE_TEXT]);

/*
 * Reads one: numbers with the units d, h, m, s, ms, or seconds without one; or [H:]M:S.
 *
 * Returns false, with *@us untouched, when it is none.
 */
bool relative_parse(const char *text, int64_t *us);

/*
 * Prints the two lines of the axis, with @name before and @columns behind the second, and sets @chart->ticks.
 */
void chart_axis(struct chart *chart, const char *name, const char *columns);

/* ---- rows: gantt_rows.c ---- */

struct gantt_row {
	char *label; /* escaped */
	size_t node;
	const size_t *spans; /* their indices, by start */
	size_t count;
	int64_t runs, failures, wall_us, start_us;
	double cpu_s;   /* of those of which it is known */
	bool cpu_known; /* of all of them */
	int64_t most;   /* at once */
	bool shown;
};

struct gantt_rows {
	struct gantt_row *list; /* by node, then by first start */
	size_t count;
	size_t *order;  /* of the spans */
	size_t slurms;  /* spans of Slurm's own tools that were left out */
};

/*
 * Makes the rows of what ran between @chart->from_us and to_us.
 *
 * @all: Slurm's own tools too
 *
 * Returns 0; -1 with @err set. Either way gantt_rows_free() it.
 */
int gantt_rows_make(struct gantt_rows *rows, const struct chart *chart, const struct spans *spans, enum gantt_by by, bool all,
	      struct error *err);

void gantt_rows_free(struct gantt_rows *rows);

/* ---- pictures: gantt_cells.c ---- */

/*
 * Prints the picture of one row, chart->cells wide. Returns false when memory is short.
 */
bool chart_row(const struct chart *chart, const struct spans *spans, const struct gantt_row *row);

/*
 * Prints what the characters mean.
 */
void chart_legend(const struct chart *chart, bool bursts, bool failures, bool unknown);

/* ---- series: gantt_series.c ---- */

/*
 * Prints the rows of what was used over time on node @name: one a kind, for those that are known.
 *
 * Returns whether some of what is drawn is not known.
 */
bool chart_series(const struct chart *chart, struct json_object *report, const char *name);

/* Prints @label, escaped, cut to the names' column, and the space up to the picture. */
void chart_label(const struct chart *chart, const char *label);

#endif
