/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/parents.h"

#include <stdlib.h>

#include "reports/json/field.h"
#include "reports/json/shells.h"

#define NEXT_MAX 64 /* processes of the job that are looked at: they may have started some in between */

static int compare(const void *a, const void *b)
{
	const struct parent *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	return one->start_ns < other->start_ns ? -1 : one->start_ns > other->start_ns;
}

void parents_read(struct parents *parents, struct json_object *record)
{
	struct json_object *timeline = field_typed(record, "timeline", json_type_array);
	struct json_object *tools = field_typed(record, "tools", json_type_array);

	parents->count = 0;
	parents->list = calloc(field_length(timeline) + 1, sizeof(*parents->list));
	for (size_t i = 0; parents->list && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);
		struct parent *parent = &parents->list[parents->count];
		int64_t tool;

		if (!field_count(entry, "pid", &parent->pid) || !field_count(entry, "start_unix_ns", &parent->start_ns) ||
		    !field_count(entry, "tool", &tool) || (uint64_t)tool >= field_length(tools))
			continue;
		parent->ppid = -1;
		field_count(entry, "ppid", &parent->ppid);
		parent->shell = shells_is(json_object_array_get_idx(tools, tool));
		parents->count++;
	}
	if (parents->list)
		qsort(parents->list, parents->count, sizeof(*parents->list), compare);
}

/* Returns the place of the first that comes after @key. */
static size_t first_after(const struct parents *parents, const struct parent *key)
{
	size_t low = 0, high = parents->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&parents->list[middle], key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool parents_shell(const struct parents *parents, struct json_object *entry)
{
	struct parent key = { 0 };
	size_t low;

	if (!field_count(entry, "ppid", &key.pid) || !field_count(entry, "start_unix_ns", &key.start_ns))
		return false;
	low = first_after(parents, &key);
	return low > 0 && parents->list[low - 1].pid == key.pid && parents->list[low - 1].shell;
}

/* Pids go up: what a shell starts right after a process has one of the next. A reader that is not found is not known. */
bool parents_started_next(const struct parents *parents, struct json_object *entry)
{
	struct parent key = { .start_ns = INT64_MAX };
	int64_t ppid, end_ns;

	if (!field_count(entry, "pid", &key.pid) || !field_count(entry, "ppid", &ppid) || !field_count(entry, "end_unix_ns", &end_ns))
		return false;
	for (size_t i = first_after(parents, &key), last = i + NEXT_MAX; i < parents->count && i < last; i++)
		if (parents->list[i].ppid == ppid && parents->list[i].start_ns < end_ns)
			return true;
	return false;
}

void parents_free(struct parents *parents)
{
	free(parents->list);
}
