/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "reports/field.h"
#include "reports/gantt_part.h"

#define AT_ONCE_MAX 1000000000 /* beyond, a report was made up */

struct sorting {
	const struct span *list;
	enum gantt_by by;
};

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_tools(const struct span *one, const struct span *other)
{
	int order = strcmp(one->tool, other->tool);

	return order ? order : strcmp(one->interpreter, other->interpreter);
}

/* 0: of one row. A burst, which has no pid, is its tool's among the processes. */
static int compare_rows(const struct span *one, const struct span *other, enum gantt_by by)
{
	int order = compare((int64_t)one->node, (int64_t)other->node);

	if (order)
		return order;
	if (by == GANTT_BY_STEP)
		return strcmp(one->step, other->step);
	if (by == GANTT_BY_PROCESS)
		order = compare(one->pid, other->pid);
	return order || (by == GANTT_BY_PROCESS && one->pid >= 0) ? order : compare_tools(one, other);
}

static int compare_spans(const void *a, const void *b, void *context)
{
	const struct sorting *sorting = context;
	size_t left = *(const size_t *)a, right = *(const size_t *)b;
	int order = compare_rows(&sorting->list[left], &sorting->list[right], sorting->by);

	return order ? order : compare((int64_t)left, (int64_t)right);
}

static int compare_firsts(const void *a, const void *b)
{
	const struct gantt_row *one = a, *other = b;
	int order = compare((int64_t)one->node, (int64_t)other->node);

	if (!order)
		order = compare(one->start_us, other->start_us);
	return order ? order : compare((int64_t)one->spans[0], (int64_t)other->spans[0]);
}

/* ---- how many at once ---- */

struct end {
	int64_t at_us, weight;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *one = a, *other = b;

	return compare(one->at_us, other->at_us);
}

/* Of a burst no more is known than how many of it ran in the mean. */
static int64_t at_once(const struct span *span)
{
	int64_t length = span->end_us - span->start_us;

	if (span->count <= 1 || length <= 0 || span->wall_us <= length)
		return 1;
	length = (span->wall_us + length - 1) / length;
	return length < AT_ONCE_MAX ? length : AT_ONCE_MAX;
}

static int64_t find_most(const struct gantt_row *row, const struct span *list)
{
	cleanup_free struct end *ends = calloc(row->count, sizeof(*ends));
	int64_t now = 0, most = 0;
	size_t ended = 0;

	if (!ends)
		return 0;
	for (size_t i = 0; i < row->count; i++)
		ends[i] = (struct end){ list[row->spans[i]].end_us, at_once(&list[row->spans[i]]) };
	qsort(ends, row->count, sizeof(*ends), compare_ends);
	for (size_t i = 0; i < row->count; i++) {
		const struct span *span = &list[row->spans[i]];

		/* What ended in the same millisecond as it began may be this one itself: it began, and is counted once. */
		for (; ended < i && ends[ended].at_us <= span->start_us; ended++)
			now -= ends[ended].weight;
		now += at_once(span);
		most = now > most ? now : most;
	}
	return most;
}

/* ---- rows ---- */

static char *make_label(const struct chart *chart, const struct span *span, enum gantt_by by)
{
	char text[1024];

	if (by == GANTT_BY_STEP)
		snprintf(text, sizeof(text), "%.500s", *span->step ? span->step : "(step not known)");
	else if (by == GANTT_BY_PROCESS && span->pid >= 0)
		snprintf(text, sizeof(text), "%lld %.500s", (long long)span->pid, span->tool);
	else if (*span->interpreter)
		snprintf(text, sizeof(text), "%.500s (%.400s)", span->tool, span->interpreter);
	else
		snprintf(text, sizeof(text), "%.500s", span->tool);
	return terminal_escape(chart->page, text);
}

static void add_up(struct gantt_row *row, const struct span *list)
{
	row->cpu_known = true;
	row->start_us = list[row->spans[0]].start_us;
	for (size_t i = 0; i < row->count; i++) {
		const struct span *span = &list[row->spans[i]];

		row->runs = count_sum(row->runs, span->count);
		row->failures = count_sum(row->failures, span->failures);
		row->wall_us = count_sum(row->wall_us, span->wall_us);
		if (span->cpu_s >= 0)
			row->cpu_s += span->cpu_s;
		else
			row->cpu_known = false;
	}
	row->most = find_most(row, list);
}

/* The spans drawn, those of one row side by side. Returns how many. */
static size_t choose(struct gantt_rows *rows, const struct chart *chart, const struct spans *spans, bool all)
{
	size_t used = 0;

	for (size_t i = 0; i < spans->count; i++) {
		const struct span *span = &spans->list[i];

		if (span->start_us >= chart->to_us || span->end_us < chart->from_us)
			continue;
		if (span->slurm && !all)
			rows->slurms++;
		else
			rows->order[used++] = i;
	}
	return used;
}

int gantt_rows_make(struct gantt_rows *rows, const struct chart *chart, const struct spans *spans, enum gantt_by by, bool all,
	      struct error *err)
{
	struct sorting sorting = { spans->list, by };
	size_t used;

	memset(rows, 0, sizeof(*rows));
	rows->order = calloc(spans->count + 1, sizeof(*rows->order));
	rows->list = calloc(spans->count + 1, sizeof(*rows->list));
	if (!rows->order || !rows->list)
		return error_set(err, "out of memory");
	used = choose(rows, chart, spans, all);
	qsort_r(rows->order, used, sizeof(*rows->order), compare_spans, &sorting);
	for (size_t i = 0; i < used; i++) {
		const struct span *span = &spans->list[rows->order[i]];
		struct gantt_row *row = &rows->list[rows->count];

		if (i == 0 || compare_rows(&spans->list[rows->order[i - 1]], span, by) != 0) {
			*row = (struct gantt_row){ .node = span->node, .spans = &rows->order[i] };
			rows->count++;
		}
		rows->list[rows->count - 1].count++;
	}
	for (size_t i = 0; i < rows->count; i++) {
		struct gantt_row *row = &rows->list[i];

		add_up(row, spans->list);
		/* A process' last image is what it did; those before are mostly the shell that started it. */
		row->label = make_label(chart, &spans->list[row->spans[row->count - 1]], by);
		if (!row->label)
			return error_set(err, "out of memory");
	}
	qsort(rows->list, rows->count, sizeof(*rows->list), compare_firsts);
	return 0;
}

void gantt_rows_free(struct gantt_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->list[i].label);
	free(rows->list);
	free(rows->order);
	memset(rows, 0, sizeof(*rows));
}
