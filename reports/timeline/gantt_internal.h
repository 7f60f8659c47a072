/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the timeline's picture, each in a file of its own, and what they share. */
#ifndef STINT_GANTT_INTERNAL_H
#define STINT_GANTT_INTERNAL_H

#include "reports/timeline/gantt.h"
#include "reports/timeline/spans.h"

/* What is drawn, and where on the line. */
struct chart {
	const struct page_options *page;
	FILE *out;
	int64_t from_us, to_us; /* the time drawn, since 1970 UTC */
	int64_t zero_us;        /* where the axis has its 0 */
	bool whole;             /* all of the job's time is drawn */
	int name_width, cells;  /* columns of the names, and of the picture beside them */
	bool *ticks;            /* one for each cell: the axis has a tick there */
};

/* Columns left of the names, and between them and the picture. */
#define CHART_INDENT 2
#define CHART_GAP 1

/* ---- the axis, and the names beside the picture: gantt_axis.c ---- */

/* Prints @label, escaped and cut to the names' column, and the space up to the picture. */
void chart_label(const struct chart *chart, const char *label);

#define RELATIVE_TEXT 48

/*
 * Writes a time since the job's start as "1m30s", "2h", "1.5s", "0". Fills @text and returns it.
 */
const char *relative_text(int64_t us, char text[RELATIVE_TEXT]);

/*
 * Prints the two lines of the axis, the second one between @name and @columns, and sets @chart->ticks.
 */
void chart_axis(struct chart *chart, const char *name, const char *columns);

/* ---- rows: gantt_rows.c ---- */

struct gantt_row {
	char *label; /* escaped */
	size_t node;
	const size_t *spans; /* their indices, sorted by start */
	size_t count;
	int64_t runs, failures, wall_us, start_us;
	double cpu_s;   /* of the spans whose CPU time is known */
	bool cpu_known; /* it is known of all spans */
	bool slurm;     /* of Slurm's own tools */
	int64_t most;   /* how many ran at once */
	bool shown;
};

struct gantt_rows {
	struct gantt_row *list; /* by node, then by first start */
	size_t count;
	size_t *order;  /* of the spans, row by row */
	size_t slurms;  /* how many spans of Slurm's own tools were left out */
};

/*
 * Makes the rows for what ran between @chart->from_us and to_us.
 *
 * @all: whether Slurm's own tools have rows too
 *
 * Returns 0; -1 with @err set. Either way gantt_rows_free() it.
 */
int gantt_rows_make(struct gantt_rows *rows, const struct chart *chart, const struct spans *spans, enum gantt_by by,
		    bool all, struct error *err);

void gantt_rows_free(struct gantt_rows *rows);

/*
 * Replaces the numbers of each tool's or step's row by those in the report's other lists. Only these lists have what a
 * process used before its own exec, and runs that were not noted one by one. Only for the whole time of a job of one
 * node, since no list has a tool's or a step's part on one node.
 */
void gantt_rows_use_lists(struct gantt_rows *rows, const struct spans *spans, const struct report *report,
			  enum gantt_by by);

/* ---- pictures: gantt_cells.c ---- */

/*
 * Prints the picture of one row, chart->cells wide. Returns false when memory is short.
 */
bool chart_row(const struct chart *chart, const struct spans *spans, const struct gantt_row *row);

/* Which characters the picture has. */
struct legend {
	bool bursts, failures, living, unknown;
};

/*
 * Prints what the characters mean.
 */
void chart_legend(const struct chart *chart, const struct legend *legend);

/* ---- series: gantt_series.c ---- */

/*
 * Prints a row for each quantity that is known over time on node @name. Returns whether some of what is drawn is not
 * known.
 */
bool chart_series(const struct chart *chart, const struct report *report, const char *name);

#endif
