/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/kept.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/cleanup.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/shells.h"
#include "reports/records/record_parts.h"

#define NS_PER_MS 1000000 /* the report has only whole milliseconds */
#define FIRST 3   /* the first bad end may cause the others */
#define LAST 8    /* of the batch step: the last bad end made the step fail */
#define ENDINGS 8 /* different tools and exit statuses */
#define SHELLS 32 /* entries whose children or parents are searched */
#define LAUNCHERS 8 /* these show the launcher of a rank */

/* Tools and exit statuses that have an entry. */
struct endings {
	struct {
		int64_t tool, status;
	} list[ENDINGS];
	size_t count;
};

/* Unsorted. */
struct ends {
	struct {
		int64_t order; /* end in ns for the last ends, -end for the first ends; a full list keeps the highest orders */
		size_t index;
	} list[LAST];
	size_t count;
};

struct search {
	const struct record *record;
	int64_t script_pid;
	struct endings asked, others; /* asked: the exit code may be an answer */
	struct ends first, last;
	size_t launchers;
};

static bool is_new(struct endings *endings, int64_t tool, int64_t status)
{
	for (size_t i = 0; i < endings->count; i++)
		if (endings->list[i].tool == tool && endings->list[i].status == status)
			return false;
	if (endings->count == ENDINGS)
		return false;
	endings->list[endings->count].tool = tool;
	endings->list[endings->count++].status = status;
	return true;
}

static void note_end(struct ends *ends, size_t max, int64_t order, size_t index)
{
	size_t place = ends->count;

	if (ends->count < max) {
		ends->count++;
	} else {
		place = 0;
		for (size_t i = 1; i < max; i++)
			if (ends->list[i].order < ends->list[place].order)
				place = i;
		if (order <= ends->list[place].order)
			return;
	}
	ends->list[place].order = order;
	ends->list[place].index = index;
}

static bool is_scripts(const struct search *search, const struct record_entry *entry, int64_t pid)
{
	return search->script_pid >= 0 && report_text_is(entry->step, "batch") && pid == search->script_pid;
}

/* Returns true if @entry is a command that the job script did not find or could not run. */
static bool was_not_found(const struct search *search, const struct record_entry *entry)
{
	int wait_status = (int)(entry->exit_status & 0xffff);

	return entry->forked && is_scripts(search, entry, entry->ppid) && WIFEXITED(wait_status) &&
	       (WEXITSTATUS(wait_status) == EXIT_NOT_FOUND || WEXITSTATUS(wait_status) == EXIT_CANNOT_RUN);
}

static bool is_worth_keeping(struct search *search, const struct record_entry *entry, size_t index)
{
	const struct record_tool *tool = record_tool_at(search->record, entry->tool);
	struct endings *endings;

	if (!tool || tool->slurm)
		return false;
	if (entry->end_unix_ns >= 0) {
		note_end(&search->first, FIRST, -entry->end_unix_ns, index);
		if (report_text_is(entry->step, "batch"))
			note_end(&search->last, LAST, entry->end_unix_ns, index);
	}
	endings = programs_is_asked(tool->name) && !shells_is(tool->name, tool->interpreter) ? &search->asked : &search->others;
	return is_new(endings, entry->tool, entry->exit_status) || was_not_found(search, entry);
}

static bool is_launcher(struct search *search, const struct record_entry *entry)
{
	const struct record_tool *tool = record_tool_at(search->record, entry->tool);

	return tool && !entry->forked && programs_is_launcher(tool->name) && strcmp(tool->name, "srun") != 0 &&
	       search->launchers++ < LAUNCHERS;
}

static void keep_ends(const struct ends *ends, bool *judged)
{
	for (size_t i = 0; i < ends->count; i++)
		judged[ends->list[i].index] = true;
}

static int64_t code_of(const struct record_entry *entry)
{
	return parts_shell_code(entry->exit_status < 0 ? 0 : entry->exit_status);
}

/* The children of a shell or timeout show why it failed. */
static bool is_told_by_children(const struct record *record, const struct record_entry *entry)
{
	const struct record_tool *tool = record_tool_at(record, entry->tool);

	return tool && (shells_is(tool->name, tool->interpreter) || report_text_is(tool->name, "timeout"));
}

static void note_last(const struct record_entry **last, const struct record_entry *child)
{
	if (!*last || child->end_unix_ns > (*last)->end_unix_ns)
		*last = child;
}

/*
 * Keeps the last command of @shell. Also keeps the last child with the same exit code, which @shell may have passed on.
 */
static void keep_child(const struct record_entry_list *timeline, const struct record_entry *shell, bool *judged)
{
	const struct record_entry *alike = NULL, *command = NULL;
	int64_t code = code_of(shell), shell_ns = shell->end_unix_ns < 0 ? INT64_MAX : shell->end_unix_ns;

	for (size_t i = 0; i < timeline->count; i++) {
		const struct record_entry *entry = &timeline->items[i];

		if (!record_is_child(entry, shell) || entry->end_unix_ns < 0 || entry->end_unix_ns > shell_ns)
			continue;
		if (code_of(entry) == code)
			note_last(&alike, entry);
		if (!entry->forked)
			note_last(&command, entry);
	}
	if (alike)
		judged[alike - timeline->items] = true;
	if (command)
		judged[command - timeline->items] = true;
}

/* The exit code of xargs, for example, may only say that a command answered no. */
static bool passes_on_answers(const struct record *record, const struct record_entry *entry)
{
	const struct record_tool *tool = record_tool_at(record, entry->tool);

	return tool && programs_counts_failures(tool->name, code_of(entry));
}

/* Keeps the first child that may have answered no, and the first child that failed. */
static void keep_answers(const struct record *record, const struct record_entry *engine, bool *judged)
{
	const struct record_entry_list *timeline = &record->timeline;
	bool asked = false, failed = false;

	for (size_t i = 0; i < timeline->count && !(asked && failed); i++) {
		const struct record_entry *entry = &timeline->items[i];
		const struct record_tool *tool = record_tool_at(record, entry->tool);
		bool *kept;

		if (!tool || entry->forked || !code_of(entry) || !record_is_child(entry, engine))
			continue;
		kept = programs_is_asked(tool->name) && !shells_is(tool->name, tool->interpreter) ? &asked : &failed;
		if (!*kept)
			judged[i] = true;
		*kept = true;
	}
}

/* In the timeline, children come after their parents. So one loop also finds the children of children. */
static void keep_children(const struct record *record, bool *judged)
{
	const struct record_entry_list *timeline = &record->timeline;
	size_t looked = 0;

	for (size_t i = 0; i < timeline->count && looked < SHELLS; i++) {
		const struct record_entry *entry = &timeline->items[i];

		if (!judged[i] || entry->forked || !code_of(entry))
			continue;
		if (passes_on_answers(record, entry))
			keep_answers(record, entry, judged);
		else if (is_told_by_children(record, entry))
			keep_child(timeline, entry, judged);
		else
			continue;
		looked++;
	}
}

/*
 * Keeps the last process that the parent of @fork forked later: this process may have repeated the work
 * (reports/ending/workers.c).
 */
static void keep_last_fork(const struct record_entry_list *timeline, const struct record_entry *fork, bool *judged)
{
	const struct record_entry *last = NULL;

	for (size_t i = 0; i < timeline->count; i++) {
		const struct record_entry *entry = &timeline->items[i];

		if (entry != fork && entry->forked && fork->ppid >= 0 && entry->ppid == fork->ppid &&
		    entry->start_unix_ns / NS_PER_MS >= fork->end_unix_ns / NS_PER_MS &&
		    report_text_is(entry->step, fork->step ?: "") && (!last || entry->start_unix_ns > last->start_unix_ns))
			last = entry;
	}
	if (last)
		judged[last - timeline->items] = true;
}

/*
 * Keeps the parents of forks: they show if a failure of the fork was noticed.
 * Keeps the parents of dismissed processes: they show if the parent still lived, and can have ended the process.
 */
static void keep_parents(const struct record_entry_list *timeline, bool *judged)
{
	size_t looked = 0;

	for (size_t i = 0; i < timeline->count && looked < SHELLS; i++) {
		const struct record_entry *entry = &timeline->items[i];

		if (!judged[i] || !(entry->forked || entry->dismissed))
			continue;
		looked++;
		for (size_t j = 0; j < i; j++)
			if (record_is_child(entry, &timeline->items[j]))
				judged[j] = true;
		if (entry->forked && code_of(entry))
			keep_last_fork(timeline, entry, judged);
	}
}

void kept_find(const struct record *record, bool *judged)
{
	struct search search = { .record = record, .script_pid = record_script_pid(record) };
	bool script = false;

	for (size_t i = 0; i < record->timeline.count; i++) {
		const struct record_entry *entry = &record->timeline.items[i];

		judged[i] = false;
		if (entry->exit_status < 0) /* the process continued as another image */
			continue;
		judged[i] = !script && is_scripts(&search, entry, entry->pid);
		script = script || judged[i];
		if ((entry->exit_status && is_worth_keeping(&search, entry, i)) || is_launcher(&search, entry))
			judged[i] = true;
	}
	keep_ends(&search.first, judged);
	keep_ends(&search.last, judged);
	keep_children(record, judged);
	keep_parents(&record->timeline, judged);
}

void kept_choose(struct record *record)
{
	cleanup_free bool *judged = calloc(record->timeline.count + 1, sizeof(*judged));

	if (!judged)
		return; /* the verdict then looks at all entries */
	kept_find(record, judged);
	for (size_t i = 0; i < record->timeline.count; i++)
		record->timeline.items[i].judged = judged[i];
	record->chosen = true;
}
