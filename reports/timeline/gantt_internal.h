/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the timeline's picture. */
#ifndef STINT_GANTT_INTERNAL_H
#define STINT_GANTT_INTERNAL_H

#include "reports/timeline/gantt.h"
#include "reports/timeline/spans.h"

/* The time to draw, and the layout of a line. */
struct chart {
	const struct page_options *page;
	const struct report *report;
	FILE *out;
	int64_t from_us, to_us; /* time to draw, microseconds since 1970 UTC */
	int64_t zero_us;        /* where the axis is 0, microseconds since 1970 UTC */
	bool whole;             /* the whole time of the job is drawn */
	int name_width, cells;  /* widths of the names, and of the picture beside them */
	bool *ticks;            /* for each cell: whether the axis has a tick there */
};

/* Spaces before the names, and between names and picture. */
#define CHART_INDENT 2
#define CHART_GAP 1

/* ---- the axis, and the names beside the picture: gantt_axis.c ---- */

/* Prints @label, escaped and cut to the width of the names. Pads it with blanks. */
void chart_label(const struct chart *chart, const char *label);

#define RELATIVE_TEXT 48

/*
 * Writes a time relative to the job's start: "1m30s", "2h", "1.5s", "0".
 * Fills @text and returns it.
 */
const char *relative_text(int64_t us, char text[RELATIVE_TEXT]);

/*
 * Prints the two lines of the axis, and sets @chart->ticks.
 * Prints @name before the second line, and @columns after it.
 */
void chart_axis(struct chart *chart, const char *name, const char *columns);

/* ---- rows: gantt_rows.c ---- */

struct gantt_row {
	char *label; /* escaped */
	size_t node;
	const size_t *spans; /* indices of the row's spans, sorted by start */
	size_t count;
	int64_t runs, failures, wall_us, start_us;
	double cpu_s;   /* total of the spans whose CPU time is known */
	bool cpu_known; /* the CPU time of all spans is known */
	bool slurm;     /* the row belongs to Slurm's own tools */
	int64_t most;   /* largest number of runs at once */
	bool shown;
};

struct gantt_rows {
	struct gantt_row *list; /* sorted by node, then by first start */
	size_t count;
	size_t *order;  /* indices of the spans, row by row */
	size_t slurms;  /* number of spans of Slurm's tools that were left out */
};

/*
 * Makes the rows for all runs between @chart->from_us and to_us.
 *
 * @all: whether Slurm's own tools get rows, too
 *
 * Returns 0; -1 with @err set. Call gantt_rows_free() in both cases.
 */
int gantt_rows_make(struct gantt_rows *rows, const struct chart *chart, const struct spans *spans, enum gantt_by by,
		    bool all, struct error *err);

void gantt_rows_free(struct gantt_rows *rows);

/*
 * Takes the numbers of the rows from the report's lists of tools or steps.
 * Unlike the timeline, the lists include what a process used before its exec, and runs without a timeline entry.
 * Call only for the whole time of a job on one node: the lists have no numbers by node.
 */
void gantt_rows_use_lists(struct gantt_rows *rows, const struct spans *spans, const struct report *report,
			  enum gantt_by by);

/* ---- pictures: gantt_cells.c ---- */

/* Prints the picture of one row, chart->cells wide. Returns false if out of memory. */
bool chart_row(const struct chart *chart, const struct spans *spans, const struct gantt_row *row);

struct legend {
	bool bursts, failures, living, unknown;
};

/* Prints the meaning of the characters. */
void chart_legend(const struct chart *chart, const struct legend *legend);

/* ---- series: gantt_series.c ---- */

/*
 * Prints a row for each quantity that is known over time on node @name.
 * Returns true if part of a quantity is not known.
 */
bool chart_series(const struct chart *chart, const struct report *report, const char *name);

#endif
