/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/timeline/gantt_internal.h"
#include "reports/wording/container_fields.h"

#define AT_ONCE_MAX 1000000000 /* only a forged report has more runs */

struct sorting {
	const struct span *list;
	enum gantt_by by;
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_tools(const struct span *one, const struct span *other)
{
	int order = strcmp(one->tool, other->tool);

	return order ? order : strcmp(one->interpreter, other->interpreter);
}

/* Returns 0 if the spans belong in one row. A burst has no pid, so its row is by tool. */
static int compare_rows(const struct span *one, const struct span *other, enum gantt_by by)
{
	int order = compare_numbers((int64_t)one->node, (int64_t)other->node);

	if (order)
		return order;
	if (by == GANTT_BY_STEP)
		return strcmp(one->step, other->step);
	if (by == GANTT_BY_CONTAINER)
		return compare_numbers(one->entry->container, other->entry->container);
	if (by == GANTT_BY_PROCESS)
		order = compare_numbers(one->pid, other->pid);
	if (order || (by == GANTT_BY_PROCESS && one->pid >= 0))
		return order;
	order = compare_tools(one, other);
	return order ? order : compare_numbers(one->slurm, other->slurm);
}

static int compare_spans(const void *a, const void *b, void *context)
{
	const struct sorting *sorting = context;
	size_t left = *(const size_t *)a, right = *(const size_t *)b;
	int order = compare_rows(&sorting->list[left], &sorting->list[right], sorting->by);

	return order ? order : compare_numbers((int64_t)left, (int64_t)right);
}

static int compare_firsts(const void *a, const void *b)
{
	const struct gantt_row *one = a, *other = b;
	int order = compare_numbers((int64_t)one->node, (int64_t)other->node);

	if (!order)
		order = compare_numbers(one->start_us, other->start_us);
	return order ? order : compare_numbers((int64_t)one->spans[0], (int64_t)other->spans[0]);
}

/* ---- how many at once ---- */

struct end {
	int64_t at_us, weight;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *one = a, *other = b;

	return compare_numbers(one->at_us, other->at_us);
}

/* Returns the number of runs at once; for a burst, the mean number. */
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

		/* A run that ended in this millisecond may be the same process before its exec: do not count both. */
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
	char text[1024], name[CONTAINER_NAME_TEXT];

	if (by == GANTT_BY_CONTAINER)
		snprintf(text, sizeof(text), "%s", container_name(chart->report, span->entry->container, name) ?: "(in no container)");
	else if (by == GANTT_BY_STEP)
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
	row->slurm = list[row->spans[0]].slurm;
	for (size_t i = 0; i < row->count; i++) {
		const struct span *span = &list[row->spans[i]];

		row->runs = count_sum(row->runs, span->forked ? 0 : span->count);
		row->failures = count_sum(row->failures, span->failures);
		row->wall_us = count_sum(row->wall_us, span->wall_us);
		if (span->cpu_s >= 0)
			row->cpu_s += span->cpu_s;
		else
			row->cpu_known = false;
	}
	row->most = find_most(row, list);
}

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

int gantt_rows_make(struct gantt_rows *rows, const struct chart *chart, const struct spans *spans, enum gantt_by by,
		    bool all, struct error *err)
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
		/* Name a process after its last image: the first is mostly the shell that started it. */
		row->label = make_label(chart, &spans->list[row->spans[row->count - 1]], by);
		if (!row->label)
			return error_set(err, "out of memory");
	}
	qsort(rows->list, rows->count, sizeof(*rows->list), compare_firsts);
	return 0;
}

/* ---- numbers of the report's other lists ---- */

/* All tools of one name share a row, even if their program files differ. */
static void use_tools(struct gantt_row *row, const struct span *span, const struct report_tool_list *tools)
{
	struct gantt_row listed = { .cpu_known = true };
	bool found = false;

	for (size_t i = 0; i < tools->count; i++) {
		const struct report_tool *tool = &tools->items[i];

		if (tool->slurm.value != row->slurm || !span_is_of(span, tool))
			continue;
		found = true;
		listed.runs = count_sum(listed.runs, tool->runs > 0 ? tool->runs : 0);
		listed.failures = count_sum(listed.failures, tool->failures > 0 ? tool->failures : 0);
		if (tool->cpu_s.ns >= 0)
			listed.cpu_s += report_s(tool->cpu_s);
		else
			listed.cpu_known = false;
	}
	if (!found)
		return;
	row->runs = listed.runs;
	row->failures = listed.failures;
	row->cpu_s = listed.cpu_s;
	row->cpu_known = listed.cpu_known;
}

static void use_step(struct gantt_row *row, const struct span *span, const struct report_step_list *steps)
{
	for (size_t i = 0; i < steps->count; i++) {
		const struct report_step *step = &steps->items[i];

		if (strcmp(step->id ? step->id : "", span->step) != 0 || step->cpu_s.ns < 0)
			continue;
		row->cpu_s = report_s(step->cpu_s);
		row->cpu_known = true;
	}
}

void gantt_rows_use_lists(struct gantt_rows *rows, const struct spans *spans, const struct report *report,
			  enum gantt_by by)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct gantt_row *row = &rows->list[i];
		const struct span *span = &spans->list[row->spans[0]];

		if (by == GANTT_BY_TOOL)
			use_tools(row, span, &report->tools);
		else if (by == GANTT_BY_STEP)
			use_step(row, span, &report->steps);
	}
}

void gantt_rows_free(struct gantt_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->list[i].label);
	free(rows->list);
	free(rows->order);
	memset(rows, 0, sizeof(*rows));
}
