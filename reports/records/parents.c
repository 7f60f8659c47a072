/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/parents.h"

#include <stdlib.h>

#include "common/time_text.h"
#include "reports/ending/known_programs.h"
#include "reports/json/field.h"
#include "reports/json/shells.h"

#define MOST_PART 2 /* half of its time, or more */
#define AT_ONCE_NS NS_PER_S /* a shell starts all programs of a pipe within that time, even on a busy node */
#define GONE_NS (NS_PER_S / 1000) /* a process closes its pipes a little before its last moment: a reader may end in between */
#define SOON_NS (10 * NS_PER_S) /* the writer notices at its next write */
#define NEXT_MAX 64 /* how many of the job's processes to look at: other ones may have started in between */

static void read_end(struct parent *parent, struct json_object *entry, struct json_object *tool)
{
	const char *name = field_text(tool, "name");
	int64_t status = 0, pipe_ns = 0;

	parent->end_ns = INT64_MAX;
	field_count(entry, "end_unix_ns", &parent->end_ns);
	field_count(entry, "exit_status", &status);
	field_count(entry, "pipe_ns", &pipe_ns);
	parent->shell = shells_is(name, field_text(tool, "interpreter"));
	parent->well = !status || field_true(entry, "dismissed");
	parent->reads = pipe_ns > 0 && pipe_ns >= (parent->end_ns - parent->start_ns) / MOST_PART &&
			(parent->shell || programs_may_stop_reading(name));
}

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
		read_end(parent, entry, json_object_array_get_idx(tools, tool));
		parents->count++;
	}
	if (parents->list)
		qsort(parents->list, parents->count, sizeof(*parents->list), compare);
}

/* Returns the index of the first process after @key. */
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

/* Returns when the process of @entry began, which has the pid and the parent of @key: an exec starts another entry for it. */
static int64_t began(const struct parents *parents, struct json_object *entry, const struct parent *key, int64_t ppid)
{
	int64_t start_ns = key->start_ns;

	field_count(entry, "start_unix_ns", &start_ns);
	for (size_t i = first_after(parents, key); i > 0 && parents->list[i - 1].pid == key->pid; i--)
		if (parents->list[i - 1].ppid == ppid && parents->list[i - 1].start_ns < start_ns)
			start_ns = parents->list[i - 1].start_ns;
	return start_ns;
}

/*
 * Pids ascend: a process that a shell starts right after another has one of the next pids. If no such reader is found,
 * it is not known. After the highest pid they start again, so a process started long before can also have one of the
 * next pids.
 */
bool parents_started_next(const struct parents *parents, struct json_object *entry)
{
	struct parent key = { .start_ns = INT64_MAX };
	int64_t ppid, begin_ns, end_ns;

	if (!field_count(entry, "pid", &key.pid) || !field_count(entry, "ppid", &ppid) || !field_count(entry, "end_unix_ns", &end_ns))
		return false;
	begin_ns = began(parents, entry, &key, ppid);
	for (size_t i = first_after(parents, &key), last = i + NEXT_MAX; i < parents->count && i < last; i++)
		if (parents->list[i].ppid == ppid && parents->list[i].start_ns < end_ns &&
		    parents->list[i].start_ns >= begin_ns - AT_ONCE_NS)
			return true;
	return false;
}

/* An exec makes two entries for one process: the last one tells how it ended. */
bool parents_reader_ended(const struct parents *parents, struct json_object *entry)
{
	struct parent key = { .start_ns = INT64_MAX };
	int64_t ppid, start_ns, begin_ns, end_ns;
	const struct parent *next = NULL;

	if (!field_count(entry, "pid", &key.pid) || !field_count(entry, "ppid", &ppid) ||
	    !field_count(entry, "start_unix_ns", &start_ns) || !field_count(entry, "end_unix_ns", &end_ns))
		return false;
	begin_ns = began(parents, entry, &key, ppid);
	for (size_t i = first_after(parents, &key), last = i + NEXT_MAX; i < parents->count && i < last; i++) {
		const struct parent *other = &parents->list[i];

		if (next && other->pid != next->pid)
			break;
		if (other->ppid == ppid && other->start_ns < end_ns && other->start_ns >= begin_ns - AT_ONCE_NS)
			next = other;
	}
	return next && next->well && next->reads && next->start_ns - start_ns <= AT_ONCE_NS && next->end_ns < end_ns &&
	       end_ns - next->end_ns >= GONE_NS && end_ns - next->end_ns <= SOON_NS;
}

void parents_free(struct parents *parents)
{
	free(parents->list);
}
