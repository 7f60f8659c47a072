/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job_timeline.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 16
#define WINDOW_FIRST_NS 1000000ull /* doubles until the entries fit */
#define SHORT_RUNS 4 /* longer runs, in windows, are not merged */

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_start(const void *left, const void *right)
{
	const struct timeline_entry *a = left, *b = right;

	return compare(a->start_ns, b->start_ns);
}

/* Sorts entries that could be merged next to each other. */
static int by_kind(const void *left, const void *right)
{
	const struct timeline_entry *a = left, *b = right;
	int order = compare(a->step, b->step);

	if (!order)
		order = compare(a->tool, b->tool);
	if (!order)
		order = compare(a->flags & EVENT_EXECED, b->flags & EVENT_EXECED);
	return order ? order : by_start(left, right);
}

static bool same_kind(const struct timeline_entry *a, const struct timeline_entry *b)
{
	return a->step == b->step && a->tool == b->tool && (a->flags & EVENT_EXECED) == (b->flags & EVENT_EXECED);
}

/* The count is 0 if an earlier stintd's file is damaged. */
static uint64_t mean_ns(const struct timeline_entry *entry)
{
	return entry->count ? entry->wall_ns / entry->count : entry->wall_ns;
}

static bool joins(const struct timeline_entry *a, const struct timeline_entry *b, uint64_t window)
{
	if (!same_kind(a, b))
		return false;
	if (b->start_ns > a->end_ns && b->start_ns - a->end_ns > window)
		return false;
	return mean_ns(a) <= window * SHORT_RUNS && mean_ns(b) <= window * SHORT_RUNS;
}

static void join(struct timeline_entry *a, const struct timeline_entry *b)
{
	if (b->end_ns > a->end_ns)
		a->end_ns = b->end_ns;
	a->wall_ns += b->wall_ns;
	for (int i = 0; i < ABI_USES_SENT; i++)
		a->use[i] += b->use[i];
	if (b->peak_bytes > a->peak_bytes)
		a->peak_bytes = b->peak_bytes;
	a->count += b->count;
	a->failures += b->failures;
	a->flags &= EVENT_EXECED;
}

/*
 * Merges neighbours at most @window apart. Merges only pairs, because regular runs would otherwise all be merged at
 * once.
 */
static void join_within(struct timeline *timeline, uint64_t window)
{
	bool joined = false;
	size_t kept = 0;

	for (size_t i = 1; i < timeline->count; i++) {
		joined = !joined && joins(&timeline->entries[kept], &timeline->entries[i], window);
		if (joined)
			join(&timeline->entries[kept], &timeline->entries[i]);
		else
			timeline->entries[++kept] = timeline->entries[i];
	}
	timeline->count = kept + 1;
}

static int by_wall(const void *left, const void *right)
{
	const struct timeline_entry *a = left, *b = right;

	return compare(b->wall_ns, a->wall_ns);
}

static void lose_shortest(struct timeline *timeline, size_t max)
{
	qsort(timeline->entries, timeline->count, sizeof(*timeline->entries), by_wall);
	for (size_t i = max; i < timeline->count; i++)
		timeline->lost += timeline->entries[i].count;
	timeline->count = max;
}

void timeline_coalesce(struct timeline *timeline, size_t max)
{
	if (timeline->count <= max)
		return;
	qsort(timeline->entries, timeline->count, sizeof(*timeline->entries), by_kind);
	for (uint64_t window = WINDOW_FIRST_NS; timeline->count > max && window < UINT64_MAX / 8; window *= 2)
		join_within(timeline, window);
	if (timeline->count > max)
		lose_shortest(timeline, max);
}

void timeline_sort(struct timeline *timeline)
{
	if (timeline->count)
		qsort(timeline->entries, timeline->count, sizeof(*timeline->entries), by_start);
}

static bool resize(struct timeline *timeline, size_t room)
{
	struct timeline_entry *entries = realloc(timeline->entries, room * sizeof(*entries));

	if (!entries)
		return false;
	timeline->entries = entries;
	timeline->room = room;
	return true;
}

void timeline_shorten(struct timeline *timeline, size_t max)
{
	timeline_coalesce(timeline, max);
	if (timeline->room > max)
		resize(timeline, max);
}

size_t timeline_room_wanted(const struct timeline *timeline)
{
	if (timeline->count < timeline->room)
		return timeline->room;
	return timeline->room ? timeline->room * 2 : ROOM_FIRST;
}

static bool make_room(struct timeline *timeline, size_t max)
{
	size_t room = timeline_room_wanted(timeline);

	if (room > max)
		room = max;
	if (timeline->count < timeline->room || (room > timeline->room && resize(timeline, room)))
		return true;
	if (!timeline->count)
		return false;
	timeline_coalesce(timeline, timeline->count / 2);
	return true;
}

void timeline_add(struct timeline *timeline, const struct event *event, size_t max)
{
	struct timeline_entry *entry;

	if (!make_room(timeline, max)) {
		timeline->lost++;
		return;
	}
	entry = &timeline->entries[timeline->count++];
	entry->tool = event->tool;
	entry->step = event->step;
	entry->container = event->container;
	entry->start_ns = event->start_ns;
	entry->end_ns = event->end_ns;
	entry->wall_ns = event->end_ns - event->start_ns;
	memcpy(entry->use, event->use, sizeof(entry->use));
	entry->peak_bytes = event->peak_bytes;
	entry->count = 1;
	/* An image without exec is a subshell. Its exit code is no failure, here and in the counts of tools. */
	entry->failures = event->status != 0 && (event->flags & EVENT_EXECED) &&
			  !(event->flags & (EVENT_REPLACED | EVENT_DISMISSED));
	entry->flags = event->flags;
	entry->status = event->status;
	entry->pid = event->pid;
	entry->ppid = event->ppid;
}

void timeline_free(struct timeline *timeline)
{
	free(timeline->entries);
	memset(timeline, 0, sizeof(*timeline));
}
