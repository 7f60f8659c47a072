/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/timeline/trace_lanes.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN_US 1000 /* the report truncates times to milliseconds */

struct making {
	struct lanes *lanes;
	const struct spans *spans;
	int64_t next_id;
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* A process gets its own lane. All other spans of a tool share lanes. */
static bool is_process(const struct span *span)
{
	return span->count <= 1 && span->pid >= 0 && span->pid <= LANES_PID_MAX;
}

static int compare_kinds(const void *a, const void *b, void *list)
{
	size_t left = *(const size_t *)a, right = *(const size_t *)b;
	const struct span *one = (struct span *)list + left, *other = (struct span *)list + right;
	int order = compare_numbers((int64_t)one->node, (int64_t)other->node);

	if (!order)
		order = compare_numbers(!is_process(one), !is_process(other));
	if (!order && is_process(one))
		order = compare_numbers(one->pid, other->pid);
	if (!order && !is_process(one)) {
		order = strcmp(one->tool, other->tool);
		order = order ? order : strcmp(one->interpreter, other->interpreter);
		order = order ? order : strcmp(one->step, other->step);
	}
	return order ? order : compare_numbers((int64_t)left, (int64_t)right);
}

static bool same_kind(const struct span *one, const struct span *other)
{
	if (one->node != other->node || is_process(one) != is_process(other))
		return false;
	if (is_process(one))
		return one->pid == other->pid;
	return strcmp(one->tool, other->tool) == 0 && strcmp(one->interpreter, other->interpreter) == 0 &&
	       strcmp(one->step, other->step) == 0;
}

static size_t new_lane(struct making *making, const struct span *span, bool first)
{
	struct lane *lane = &making->lanes->list[making->lanes->count];

	*lane = (struct lane){ .end_us = INT64_MIN, .process = is_process(span) };
	/* A pid is unique on one node, so only lanes of the first node use the pid as their id. */
	lane->id = first && lane->process && span->node == 0 ? span->pid : making->next_id++;
	return making->lanes->count++;
}

static size_t free_lane(struct making *making, size_t from, const struct span *span)
{
	struct lanes *lanes = making->lanes;

	for (size_t i = from; i < lanes->count; i++)
		if (lanes->list[i].end_us <= span->start_us ||
		    (lanes->list[i].process && lanes->list[i].end_us <= span->start_us + UNKNOWN_US))
			return i;
	return new_lane(making, span, lanes->count == from);
}

static void place_span(struct making *making, size_t from, size_t index)
{
	const struct span *span = &making->spans->list[index];
	struct place *place = &making->lanes->places[index];
	struct lane *lane;

	place->lane = free_lane(making, from, span);
	lane = &making->lanes->list[place->lane];
	place->start_us = lane->end_us > span->start_us ? lane->end_us : span->start_us;
	place->length_us = span->count > 1 ? span->end_us - span->start_us : span->wall_us;
	lane->end_us = place->start_us + place->length_us;
	lane->last = index;
}

int lanes_make(struct lanes *lanes, const struct spans *spans, struct error *err)
{
	struct making making = { .lanes = lanes, .spans = spans, .next_id = LANES_PID_MAX + 1 };
	size_t *order = calloc(spans->count + 1, sizeof(*order)), from = 0;

	lanes->count = 0;
	lanes->list = calloc(spans->count + 1, sizeof(*lanes->list));
	lanes->places = calloc(spans->count + 1, sizeof(*lanes->places));
	if (!order || !lanes->list || !lanes->places) {
		free(order);
		return error_set(err, "out of memory");
	}
	for (size_t i = 0; i < spans->count; i++)
		order[i] = i;
	if (spans->count)
		qsort_r(order, spans->count, sizeof(*order), compare_kinds, spans->list);
	for (size_t i = 0; i < spans->count; i++) {
		if (i == 0 || !same_kind(&spans->list[order[i - 1]], &spans->list[order[i]]))
			from = lanes->count;
		place_span(&making, from, order[i]);
	}
	free(order);
	return 0;
}

void lanes_free(struct lanes *lanes)
{
	free(lanes->list);
	free(lanes->places);
	memset(lanes, 0, sizeof(*lanes));
}
