/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/timeline/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory/array.h"
#include "common/time_text.h"

#define SECONDS_MAX 1e11 /* only a forged report has a longer time */

/* ---- nodes ---- */

int64_t spans_node(const struct spans *spans, const char *name)
{
	for (size_t i = 0; name && i < spans->node_count; i++)
		if (strcmp(spans->nodes[i], name) == 0)
			return (int64_t)i;
	return -1;
}

/*
 * Returns the index of node @name; -1 if out of memory. Adds a new node.
 *
 * @last: index of the previous span's node, which is mostly the same node
 */
static int64_t take_node(struct spans *spans, const char *name, int64_t last)
{
	int64_t at;

	name = name ? name : "";
	if (last >= 0 && strcmp(spans->nodes[last], name) == 0)
		return last;
	at = spans_node(spans, name);
	if (at >= 0)
		return at;
	if (!array_room(&spans->nodes, spans->node_count, sizeof(*spans->nodes)))
		return -1;
	spans->nodes[spans->node_count] = name;
	return (int64_t)spans->node_count++;
}

/* ---- one entry ---- */

static int64_t microseconds(double seconds)
{
	if (!(seconds > 0))
		return 0;
	return (int64_t)((seconds < SECONDS_MAX ? seconds : SECONDS_MAX) * (double)US_PER_S + 0.5);
}

static const char *text_or_none(const char *text)
{
	return text ? text : "";
}

bool span_is_of(const struct span *span, const struct report_tool *tool)
{
	return strcmp(text_or_none(tool->name), span->tool) == 0 &&
	       strcmp(text_or_none(tool->interpreter), span->interpreter) == 0;
}

static bool has_tool(const struct report_tool_list *tools, const struct span *span, bool slurm)
{
	for (size_t i = 0; i < tools->count; i++)
		if (tools->items[i].slurm.value == slurm && span_is_of(span, &tools->items[i]))
			return true;
	return false;
}

/*
 * A report of an old version does not mark the entries of Slurm's tools.
 * Then the tool's name decides, except if the user has a tool of the same name.
 */
static bool is_slurms(const struct report_tool_list *tools, const struct span *span)
{
	return span->entry->slurm ||
	       (has_tool(tools, span, true) && (strcmp(span->step, "extern") == 0 || !has_tool(tools, span, false)));
}

static bool read_span(struct span *span, const struct report_entry *entry)
{
	double wall_s = report_s(entry->wall_s);
	bool ended_itself = !entry->forked && !entry->dismissed;

	*span = (struct span){
		.entry = entry,
		.tool = text_or_none(entry->tool),
		.interpreter = text_or_none(entry->interpreter),
		.step = text_or_none(entry->step),
		.pid = entry->pid,
		.count = entry->count < 0 ? 1 : entry->count,
		.forked = entry->forked,
		.living = entry->living,
		.failures = ended_itself && entry->failures > 0 ? entry->failures : 0,
		.cpu_s = report_s(entry->cpu_s),
		.wall_us = microseconds(wall_s),
	};
	if (!time_parse(entry->start, &span->start_us))
		return false;
	span->open = !time_parse(entry->end, &span->end_us);
	if (span->open && wall_s >= 0 && span->count <= 1) {
		span->end_us = span->start_us + span->wall_us;
		span->open = false;
	}
	if (!span->open && span->end_us < span->start_us)
		span->end_us = span->start_us;
	if (isnan(wall_s) && !span->open)
		span->wall_us = span->end_us - span->start_us;
	return true;
}

static int read_list(struct spans *spans, const struct report *report)
{
	const struct report_entry_list *entries = &report->timeline;
	int64_t node = -1;

	spans->list = calloc(entries->count + 1, sizeof(*spans->list));
	if (!spans->list)
		return -1;
	for (size_t i = 0; i < entries->count; i++) {
		struct span *span = &spans->list[spans->count];

		if (!read_span(span, &entries->items[i]))
			continue;
		node = take_node(spans, entries->items[i].node, node);
		if (node < 0)
			return -1;
		span->node = (size_t)node;
		span->slurm = is_slurms(&report->tools, span);
		spans->count++;
	}
	return 0;
}

/* ---- the job's time ---- */

struct range {
	int64_t start_us, end_us;
	bool known;
};

static void widen(struct range *range, int64_t start_us, int64_t end_us)
{
	if (!range->known || start_us < range->start_us)
		range->start_us = start_us;
	if (!range->known || end_us > range->end_us)
		range->end_us = end_us;
	range->known = true;
}

static void widen_by_series(struct range *range, const struct report_series_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct report_times *ends = &list->items[i].end_offsets_s;
		double last_s = ends->count ? report_s(ends->items[ends->count - 1]) : NAN;
		int64_t start;

		if (!isnan(last_s) && time_parse(list->items[i].start, &start))
			widen(range, start, start + microseconds(last_s));
	}
}

static void find_range(struct spans *spans, const struct report *report)
{
	struct range range = { 0 };
	int64_t start, end;

	if (time_parse(report->job.start, &start))
		widen(&range, start, start);
	if (time_parse(report->job.end, &end))
		widen(&range, range.known && end > range.start_us ? range.start_us : end, end);
	for (size_t i = 0; i < spans->count; i++)
		widen(&range, spans->list[i].start_us,
		      spans->list[i].open ? spans->list[i].start_us : spans->list[i].end_us);
	widen_by_series(&range, &report->series);
	spans->start_us = range.start_us;
	spans->end_us = range.end_us;
	for (size_t i = 0; i < spans->count; i++) {
		struct span *span = &spans->list[i];

		if (!span->open)
			continue;
		span->end_us = spans->end_us;
		if (!span->wall_us)
			span->wall_us = span->end_us - span->start_us;
	}
}

static int compare_starts(const void *a, const void *b)
{
	const struct span *one = a, *other = b;

	if (one->start_us != other->start_us)
		return one->start_us < other->start_us ? -1 : 1;
	return one->entry < other->entry ? -1 : one->entry > other->entry;
}

/* Only a report made by hand is not sorted. */
static void sort(struct spans *spans)
{
	for (size_t i = 1; i < spans->count; i++)
		if (spans->list[i].start_us < spans->list[i - 1].start_us) {
			qsort(spans->list, spans->count, sizeof(*spans->list), compare_starts);
			return;
		}
}

static int read_all(struct spans *spans, const struct report *report)
{
	for (size_t i = 0; i < report->nodes.count; i++)
		if (take_node(spans, report->nodes.items[i].name, -1) < 0)
			return -1;
	if (read_list(spans, report) < 0)
		return -1;
	for (size_t i = 0; i < report->series.count; i++)
		if (take_node(spans, report->series.items[i].node, -1) < 0)
			return -1;
	return 0;
}

int spans_read(struct spans *spans, const struct report *report, struct error *err)
{
	memset(spans, 0, sizeof(*spans));
	if (read_all(spans, report) < 0)
		return error_set(err, "out of memory");
	sort(spans);
	find_range(spans, report);
	return 0;
}

void spans_free(struct spans *spans)
{
	free(spans->list);
	free(spans->nodes);
	memset(spans, 0, sizeof(*spans));
}
