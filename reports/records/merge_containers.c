/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/records/record_parts.h"

/* Containers with the same runtime, image and kind of root. */
struct group {
	const struct record_container *first;
	const struct record *record; /* of the first */
	const struct record *last; /* whose containers were added last */
	int64_t count, nodes;
	int64_t start_ns, end_ns; /* end_ns 0: one of them has not ended */
	int64_t setup_ns; /* -1: not known */
	int64_t runs, failures, cpu_ns; /* -1: not known */
};

/* Makes a key of what containers of a group have in common, for free(). Returns its size; 0 if out of memory. */
static size_t make_key(const char *const texts[3], bool loop, char **key)
{
	int size = asprintf(key, "%d%d%d%d%s%c%s%c%s", loop, texts[0] != NULL, texts[1] != NULL, texts[2] != NULL, texts[0] ?: "", '\0',
			    texts[1] ?: "", '\0', texts[2] ?: "");

	return size < 0 ? (*key = NULL, 0) : (size_t)size;
}

/* Returns the entry of the group of @one; NULL if out of memory. */
static struct map_entry *get_group(struct map *places, const struct record_container *one)
{
	cleanup_free char *key = NULL;
	size_t size = make_key((const char *const[]){ one->runtime, one->image, one->root }, one->loop, &key);

	return size ? map_get(places, key, size) : NULL;
}

static int64_t add_known(int64_t sum, int64_t more)
{
	return sum < 0 || more < 0 ? -1 : count_sum(sum, more);
}

static void add_container(struct group *group, const struct record_container *one, const struct record *record)
{
	int64_t setup = one->runtime_start_unix_ns >= 0 && one->start_unix_ns >= one->runtime_start_unix_ns ?
				one->start_unix_ns - one->runtime_start_unix_ns : -1;

	group->count = count_sum(group->count, one->count > 0 ? one->count : 1);
	group->nodes += record != group->last;
	group->last = record;
	if (one->start_unix_ns < group->start_ns)
		group->start_ns = one->start_unix_ns;
	if (one->end_unix_ns < 0)
		group->end_ns = 0;
	else if (group->end_ns && one->end_unix_ns > group->end_ns)
		group->end_ns = one->end_unix_ns;
	if (setup > group->setup_ns)
		group->setup_ns = setup;
	group->runs = add_known(group->runs, one->runs);
	group->failures = add_known(group->failures, one->failures);
	group->cpu_ns = add_known(group->cpu_ns, one->cpu_ns);
}

static bool collect_container(const struct record *record, const struct record_container *one, struct map *places,
			      struct group *groups, size_t *used)
{
	struct map_entry *place = one->start_unix_ns < 0 ? NULL : get_group(places, one);

	if (!place)
		return one->start_unix_ns < 0;
	if (!place->number) {
		groups[*used] = (struct group){ .first = one, .record = record, .start_ns = one->start_unix_ns,
						.end_ns = one->end_unix_ns > 0 ? one->end_unix_ns : 0, .setup_ns = -1 };
		place->number = (int64_t)++*used;
	}
	add_container(&groups[place->number - 1], one, record);
	return true;
}

/* Returns the number of groups. */
static size_t collect_groups(const struct record *const records[], size_t count, struct group *groups, struct report *report)
{
	struct map places = { 0 };
	bool complete = true;
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < records[i]->containers.count; c++)
			complete &= collect_container(records[i], &records[i]->containers.items[c], &places, groups, &used);
	if (!complete)
		report_lacked(report);
	map_free(&places);
	return used;
}

static int by_start(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static void put_one(const struct group *group, struct report *report, struct report_container *out)
{
	out->step = report_copy(report, group->first->step);
	out->pid = group->first->pid;
	if (group->first->exit_status >= 0)
		merge_exit(group->first->exit_status, &out->exit_code, &out->signal);
}

static void put_group(const struct group *group, struct report *report, struct report_container *out)
{
	char time[TIME_TEXT];

	out->runtime = report_copy(report, group->first->runtime);
	out->image = report_copy(report, group->first->image);
	out->root = report_copy(report, group->first->root);
	out->loop = group->first->loop;
	out->count = group->count;
	out->nodes = group->nodes;
	if (group->nodes == 1)
		out->node = report_copy(report, record_node(group->record));
	out->start = report_copy(report, time_text(group->start_ns, time));
	if (group->end_ns)
		out->end = report_copy(report, time_text(group->end_ns, time));
	out->setup_s.ns = group->setup_ns;
	out->runs = group->runs;
	out->failures = group->failures;
	out->cpu_s.ns = group->cpu_ns;
	if (group->count == 1)
		put_one(group, report, out);
}

void merge_containers(const struct record *const records[], size_t count, struct report *report)
{
	cleanup_free struct group *groups = NULL;
	size_t room = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		room += records[i]->containers.count;
	if (!room)
		return;
	groups = calloc(room, sizeof(*groups));
	if (groups)
		used = collect_groups(records, count, groups, report);
	else
		report_lacked(report);
	if (used)
		qsort(groups, used, sizeof(*groups), by_start);
	REPORT_MAKE(report, &report->containers, used, container);
	for (size_t i = 0; i < report->containers.count; i++)
		put_group(&groups[i], report, &report->containers.items[i]);
}

void merge_container_places(struct report *report, struct map *places)
{
	for (size_t i = 0; i < report->containers.count; i++) {
		const struct report_container *to = &report->containers.items[i];
		cleanup_free char *key = NULL;
		size_t size = make_key((const char *const[]){ to->runtime, to->image, to->root }, to->loop, &key);
		struct map_entry *place = size ? map_get(places, key, size) : NULL;

		if (!place) {
			report_lacked(report);
			return;
		}
		place->number = (int64_t)i + 1;
	}
}

int64_t merge_container(const struct map *places, const struct record *record, int64_t index)
{
	cleanup_free char *key = NULL;
	const struct record_container *one;
	const struct map_entry *place;
	size_t size;

	if (index < 0 || (uint64_t)index >= record->containers.count)
		return REPORT_UNKNOWN;
	one = &record->containers.items[index];
	size = make_key((const char *const[]){ one->runtime, one->image, one->root }, one->loop, &key);
	place = size ? map_find(places, key, size) : NULL;
	return place ? place->number - 1 : REPORT_UNKNOWN;
}
