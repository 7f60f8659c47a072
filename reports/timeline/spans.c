/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/timeline/spans.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory/array.h"
#include "common/time_text.h"
#include "reports/json/field.h"

#define SECONDS_MAX 1e11 /* only a forged report has more */

/* ---- nodes ---- */

int64_t spans_node(const struct spans *spans, const char *name)
{
	for (size_t i = 0; name && i < spans->node_count; i++)
		if (strcmp(spans->nodes[i], name) == 0)
			return (int64_t)i;
	return -1;
}

/*
 * Returns the index of the node @name, which is added where it is new; -1 when memory is short. @last: the index found
 * before, which it mostly is again.
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

static int take_nodes(struct spans *spans, struct json_object *list, const char *field)
{
	for (size_t i = 0; i < field_length(list); i++)
		if (take_node(spans, field_text(json_object_array_get_idx(list, i), field), -1) < 0)
			return -1;
	return 0;
}

/* ---- one entry ---- */

static int64_t microseconds(double seconds)
{
	if (!(seconds > 0))
		return 0;
	return (int64_t)((seconds < SECONDS_MAX ? seconds : SECONDS_MAX) * (double)US_PER_S + 0.5);
}

static const char *text_or_none(struct json_object *from, const char *name)
{
	const char *text = field_text(from, name);

	return text ? text : "";
}

/* Returns whether @tools has a tool of the span's name with this value of "slurm". */
static bool has_tool(struct json_object *tools, const struct span *span, bool slurm)
{
	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);

		if (field_true(tool, "slurm") == slurm && strcmp(text_or_none(tool, "name"), span->tool) == 0 &&
		    strcmp(text_or_none(tool, "interpreter"), span->interpreter) == 0)
			return true;
	}
	return false;
}

/*
 * Returns whether the span is of a tool of Slurm's own. Older reports do not mark entries: there the tool's name
 * decides, unless the user has a tool of that name too.
 */
static bool is_slurms(struct json_object *tools, const struct span *span)
{
	return field_true(span->entry, "slurm") ||
	       (has_tool(tools, span, true) && (strcmp(span->step, "extern") == 0 || !has_tool(tools, span, false)));
}

/* Returns false when the entry has no start. */
static bool read_span(struct span *span, struct json_object *entry)
{
	double wall = -1;

	memset(span, 0, sizeof(*span));
	if (!time_parse(field_text(entry, "start"), &span->start_us))
		return false;
	span->entry = entry;
	span->tool = text_or_none(entry, "tool");
	span->interpreter = text_or_none(entry, "interpreter");
	span->step = text_or_none(entry, "step");
	span->pid = -1;
	field_count(entry, "pid", &span->pid);
	span->count = 1;
	field_count(entry, "count", &span->count);
	span->forked = field_true(entry, "forked");
	span->living = field_true(entry, "living");
	if (!span->forked && !field_true(entry, "dismissed"))
		field_count(entry, "failures", &span->failures);
	span->cpu_s = -1;
	field_number(entry, "cpu_s", &span->cpu_s);
	span->open = !time_parse(field_text(entry, "end"), &span->end_us);
	if (field_number(entry, "wall_s", &wall))
		span->wall_us = microseconds(wall);
	if (span->open && wall >= 0 && span->count <= 1) {
		span->end_us = span->start_us + span->wall_us;
		span->open = false;
	}
	if (!span->open && span->end_us < span->start_us)
		span->end_us = span->start_us;
	if (wall < 0 && !span->open)
		span->wall_us = span->end_us - span->start_us;
	return true;
}

static int read_list(struct spans *spans, struct json_object *report)
{
	struct json_object *list = field_typed(report, "timeline", json_type_array);
	struct json_object *tools = field_typed(report, "tools", json_type_array);
	int64_t node = -1;

	spans->list = calloc(field_length(list) + 1, sizeof(*spans->list));
	if (!spans->list)
		return -1;
	for (size_t i = 0; i < field_length(list); i++) {
		struct span *span = &spans->list[spans->count];

		if (!read_span(span, json_object_array_get_idx(list, i)))
			continue;
		node = take_node(spans, field_text(span->entry, "node"), node);
		if (node < 0)
			return -1;
		span->node = (size_t)node;
		span->slurm = is_slurms(tools, span);
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

static void widen_by_series(struct range *range, struct json_object *report)
{
	struct json_object *list = field_typed(report, "series", json_type_array);

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		struct json_object *ends = field_typed(one, "end_offsets_s", json_type_array);
		struct json_object *last = ends ? json_object_array_get_idx(ends, field_length(ends) - 1) : NULL;
		int64_t start;

		if (last && time_parse(field_text(one, "start"), &start))
			widen(range, start, start + microseconds(json_object_get_double(last)));
	}
}

static void find_range(struct spans *spans, struct json_object *report)
{
	struct range range = { 0 };
	int64_t start, end;

	if (time_parse(field_text(report, "job.start"), &start))
		widen(&range, start, start);
	if (time_parse(field_text(report, "job.end"), &end))
		widen(&range, range.known && end > range.start_us ? range.start_us : end, end);
	for (size_t i = 0; i < spans->count; i++)
		widen(&range, spans->list[i].start_us,
		      spans->list[i].open ? spans->list[i].start_us : spans->list[i].end_us);
	widen_by_series(&range, report);
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

/* Sorts by start. Reports are sorted already, unless somebody made one by hand. */
static void sort(struct spans *spans)
{
	for (size_t i = 1; i < spans->count; i++)
		if (spans->list[i].start_us < spans->list[i - 1].start_us) {
			qsort(spans->list, spans->count, sizeof(*spans->list), compare_starts);
			return;
		}
}

int spans_read(struct spans *spans, struct json_object *report, struct error *err)
{
	memset(spans, 0, sizeof(*spans));
	if (take_nodes(spans, field_typed(report, "nodes", json_type_array), "name") < 0 ||
	    read_list(spans, report) < 0 ||
	    take_nodes(spans, field_typed(report, "series", json_type_array), "node") < 0)
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
