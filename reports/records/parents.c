/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/parents.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/time_text.h"
#include "reports/ending/known_programs.h"
#include "reports/json/shells.h"

#define MOST_PART 2 /* half of a time counts as most of it */
#define AT_ONCE_NS NS_PER_S /* a shell starts all programs of a pipe within this time */
#define GONE_NS (NS_PER_S / 1000) /* the least time from the end of a reader to the end of the writer */
#define SOON_NS (10 * NS_PER_S) /* a writer notices within this time that its reader has ended */
#define NEXT_MAX 64 /* processes to search, because pids may be skipped */

static struct parent read_parent(const struct record_entry *entry, const struct record_tool *tool)
{
	struct parent parent = {
		.pid = entry->pid,
		.ppid = entry->ppid,
		.start_ns = entry->start_unix_ns,
		.end_ns = entry->end_unix_ns < 0 ? INT64_MAX : entry->end_unix_ns,
		.shell = shells_is(tool->name, tool->interpreter),
		.well = entry->exit_status <= 0 || entry->dismissed,
	};

	parent.reads = entry->pipe_ns > 0 && entry->pipe_ns >= (parent.end_ns - parent.start_ns) / MOST_PART &&
		       (parent.shell || programs_may_stop_reading(tool->name));
	return parent;
}

static int compare(const void *a, const void *b)
{
	const struct parent *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	return one->start_ns < other->start_ns ? -1 : one->start_ns > other->start_ns;
}

void parents_read(struct parents *parents, const struct record *record)
{
	const struct record_entry_list *timeline = &record->timeline;

	parents->count = 0;
	parents->list = calloc(timeline->count + 1, sizeof(*parents->list));
	for (size_t i = 0; parents->list && i < timeline->count; i++) {
		const struct record_entry *entry = &timeline->items[i];
		const struct record_tool *tool = record_tool_at(record, entry->tool);

		if (entry->pid >= 0 && entry->start_unix_ns >= 0 && tool)
			parents->list[parents->count++] = read_parent(entry, tool);
	}
	if (parents->list)
		qsort(parents->list, parents->count, sizeof(*parents->list), compare);
}

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

bool parents_shell(const struct parents *parents, const struct record_entry *entry)
{
	const struct parent key = { .pid = entry->ppid, .start_ns = entry->start_unix_ns };
	size_t low;

	if (key.pid < 0 || key.start_ns < 0)
		return false;
	low = first_after(parents, &key);
	return low > 0 && parents->list[low - 1].pid == key.pid && parents->list[low - 1].shell;
}

/* Returns a key that sorts after each process with the pid of @entry. */
static struct parent behind(const struct record_entry *entry)
{
	return (struct parent){ .pid = entry->pid, .start_ns = INT64_MAX };
}

/* Returns when the process of @entry began. After an exec, a process has several entries. */
static int64_t began(const struct parents *parents, const struct record_entry *entry)
{
	const struct parent key = behind(entry);
	int64_t start_ns = entry->start_unix_ns < 0 ? INT64_MAX : entry->start_unix_ns;

	for (size_t i = first_after(parents, &key); i > 0 && parents->list[i - 1].pid == key.pid; i--)
		if (parents->list[i - 1].ppid == entry->ppid && parents->list[i - 1].start_ns < start_ns)
			start_ns = parents->list[i - 1].start_ns;
	return start_ns;
}

/*
 * Returns true if the parent of @entry started @other while @entry ran. A shell starts the programs of a pipe at once,
 * so allows for AT_ONCE_NS.
 */
static bool is_next(const struct parent *other, const struct record_entry *entry, int64_t begin_ns)
{
	return other->ppid == entry->ppid && other->start_ns < entry->end_unix_ns && other->start_ns >= begin_ns - AT_ONCE_NS;
}

/* Searches the next pids only. If pids have started again at the lowest, the result may be wrong. */
bool parents_started_next(const struct parents *parents, const struct record_entry *entry)
{
	const struct parent key = behind(entry);
	int64_t begin_ns;

	if (entry->pid < 0 || entry->ppid < 0 || entry->end_unix_ns < 0)
		return false;
	begin_ns = began(parents, entry);
	for (size_t i = first_after(parents, &key), last = i + NEXT_MAX; i < parents->count && i < last; i++)
		if (is_next(&parents->list[i], entry, begin_ns))
			return true;
	return false;
}

/* If the reader ran exec, only its last entry shows how the reader ended. */
bool parents_reader_ended(const struct parents *parents, const struct record_entry *entry)
{
	const struct parent key = behind(entry), *next = NULL;
	int64_t begin_ns, before_ns;

	if (entry->pid < 0 || entry->ppid < 0 || entry->start_unix_ns < 0 || entry->end_unix_ns < 0)
		return false;
	begin_ns = began(parents, entry);
	for (size_t i = first_after(parents, &key), last = i + NEXT_MAX; i < parents->count && i < last; i++) {
		const struct parent *other = &parents->list[i];

		if (next && other->pid != next->pid)
			break;
		if (is_next(other, entry, begin_ns))
			next = other;
	}
	if (!next || !next->well || !next->reads || next->start_ns - entry->start_unix_ns > AT_ONCE_NS)
		return false;
	before_ns = entry->end_unix_ns - next->end_ns; /* no overflow: both times are positive */
	return before_ns >= GONE_NS && before_ns <= SOON_NS;
}

static bool has_failed(const struct record_entry *entry)
{
	return entry->exit_status > 0 && !entry->dismissed;
}

static bool has_exit_code(const struct record_entry *entry)
{
	return entry->exit_status >= 0 && WIFEXITED(entry->exit_status & 0xffff);
}

/*
 * Returns true if SIGPIPE ended @entry.
 * A record from an old store line lacks the mark "dismissed", and lacks other processes.
 */
static bool lost_its_reader(const struct record_entry *entry)
{
	int wait_status = (int)(entry->exit_status & 0xffff);

	return entry->dismissed && entry->exit_status >= 0 && WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGPIPE;
}

bool parents_mark(struct parents *parents, const struct record *record, const struct record_entry *entry, struct entry_marks *marks)
{
	*marks = (struct entry_marks){ .by_shell = false };
	if (record->marked) {
		*marks = (struct entry_marks){ entry->by_shell, entry->unawaited, entry->unread, entry->no_pipe };
		return true;
	}
	if (!has_failed(entry) && !lost_its_reader(entry))
		return true;
	if (!parents->list)
		parents_read(parents, record);
	if (!parents->list)
		return false;
	marks->by_shell = has_failed(entry) && parents_shell(parents, entry);
	marks->unawaited = marks->by_shell && parents_started_next(parents, entry);
	marks->unread = marks->unawaited && has_exit_code(entry) && parents_reader_ended(parents, entry);
	marks->no_pipe = lost_its_reader(entry) && !parents_started_next(parents, entry);
	return true;
}

void parents_free(struct parents *parents)
{
	free(parents->list);
}
