/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/kept.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"
#include "reports/json/shells.h"
#include "reports/records/record_parts.h"

#define FIRST 3   /* of tasks, one of the first to end badly took the others with it */
#define LAST 8    /* of the job script's processes, one of the last took it with it, through others of these */
#define ENDINGS 8 /* tools with an exit status each */
#define SHELLS 32 /* whose children are looked through */
#define LAUNCHERS 8 /* mpirun, and its daemons: whose child a rank is, they say */

/* Tools with an exit status, of which an entry is kept. */
struct endings {
	struct {
		int64_t tool, status;
	} list[ENDINGS];
	size_t count;
};

/* The entries that ended first, or last; in no order. */
struct ends {
	struct {
		int64_t order; /* the end in nanoseconds, or that negated: the higher ones are kept */
		size_t index;
	} list[LAST];
	size_t count;
};

struct search {
	struct json_object *timeline, *tools;
	int64_t script_pid;
	struct endings asked, others; /* what scripts ask about must not take the room of what failed */
	struct ends first, last; /* of what ended badly */
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

/* @max: how many are kept, LAST at most */
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

static bool is_scripts(const struct search *search, struct json_object *entry, const char *name)
{
	int64_t pid;

	return search->script_pid >= 0 && field_is(entry, "step", "batch") && field_count(entry, name, &pid) && pid == search->script_pid;
}

/* Whether @entry is a child of the script's shell that found no such program, or could not run it. */
static bool was_not_found(const struct search *search, struct json_object *entry, int64_t status)
{
	int wait_status = (int)(status & 0xffff);

	return field_true(entry, "forked") && is_scripts(search, entry, "ppid") && WIFEXITED(wait_status) &&
	       (WEXITSTATUS(wait_status) == EXIT_NOT_FOUND || WEXITSTATUS(wait_status) == EXIT_CANNOT_RUN);
}

/* Whether to keep @entry, which ended badly. */
static bool is_worth_keeping(struct search *search, struct json_object *entry, int64_t status, size_t index)
{
	struct json_object *tool;
	int64_t number, end_ns;
	struct endings *endings;

	if (!field_count(entry, "tool", &number) || (uint64_t)number >= field_length(search->tools))
		return false;
	tool = json_object_array_get_idx(search->tools, number);
	if (field_true(tool, "slurm"))
		return false;
	if (field_count(entry, "end_unix_ns", &end_ns)) {
		note_end(&search->first, FIRST, -end_ns, index);
		if (field_is(entry, "step", "batch"))
			note_end(&search->last, LAST, end_ns, index);
	}
	endings = programs_is_asked(field_text(tool, "name")) && !shells_is(field_text(tool, "name"), field_text(tool, "interpreter")) ? &search->asked : &search->others;
	return is_new(endings, number, status) || was_not_found(search, entry, status);
}

/* Whether @entry started ranks, and ended well or badly. */
static bool is_launcher(struct search *search, struct json_object *entry)
{
	int64_t number;
	const char *name;

	if (!field_count(entry, "tool", &number) || (uint64_t)number >= field_length(search->tools) || field_true(entry, "forked"))
		return false;
	name = field_text(json_object_array_get_idx(search->tools, number), "name");
	return programs_is_launcher(name) && strcmp(name, "srun") != 0 && search->launchers++ < LAUNCHERS;
}

static void keep_ends(const struct ends *ends, bool *keep)
{
	for (size_t i = 0; i < ends->count; i++)
		keep[ends->list[i].index] = true;
}

/* Returns what a shell has in $? after @entry. */
static int64_t code_of(struct json_object *entry)
{
	int64_t status = 0;

	field_count(entry, "exit_status", &status);
	return parts_shell_code(status);
}

/* Whether the children of @entry say what it failed by: it is a shell, or timeout. */
static bool is_told_by_children(const struct search *search, struct json_object *entry)
{
	struct json_object *tool;
	int64_t number;

	if (!field_count(entry, "tool", &number) || (uint64_t)number >= field_length(search->tools))
		return false;
	tool = json_object_array_get_idx(search->tools, number);
	return shells_is(field_text(tool, "name"), field_text(tool, "interpreter")) || field_is(tool, "name", "timeout");
}

/* The child that ended last. */
struct last_child {
	int64_t end_ns;
	size_t index;
};

static void note_child(struct last_child *last, int64_t end_ns, size_t index)
{
	if (end_ns > last->end_ns)
		*last = (struct last_child){ end_ns, index };
}

/* Keeps the last child of @shell that ended with its code, which the shell may only pass on, and its last command. */
static void keep_child(const struct search *search, struct json_object *shell, bool *keep)
{
	struct last_child alike = { .end_ns = -1 }, command = { .end_ns = -1 };
	int64_t code = code_of(shell), end_ns, shell_ns = INT64_MAX;

	field_count(shell, "end_unix_ns", &shell_ns);
	for (size_t i = 0; i < field_length(search->timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(search->timeline, i);

		if (!record_is_child(entry, shell) || !field_count(entry, "end_unix_ns", &end_ns) || end_ns > shell_ns)
			continue;
		if (code_of(entry) == code)
			note_child(&alike, end_ns, i);
		if (!field_true(entry, "forked"))
			note_child(&command, end_ns, i);
	}
	if (alike.end_ns >= 0)
		keep[alike.index] = true;
	if (command.end_ns >= 0)
		keep[command.index] = true;
}

/* A child comes after its parent, so that those of a kept child are kept, too. */
static void keep_children(const struct search *search, bool *keep)
{
	size_t looked = 0;

	for (size_t i = 0; i < field_length(search->timeline) && looked < SHELLS; i++) {
		struct json_object *entry = json_object_array_get_idx(search->timeline, i);

		if (!keep[i] || field_true(entry, "forked") || !code_of(entry) || !is_told_by_children(search, entry))
			continue;
		looked++;
		keep_child(search, entry, keep);
	}
}

/*
 * Keeps who had forked a process that was lost, if that went on: what became of it says whether anybody took notice. And who had started
 * one that was ended in good order: whoever had gone long before did not end it.
 */
static void keep_parents(const struct search *search, bool *keep)
{
	size_t looked = 0;

	for (size_t i = 0; i < field_length(search->timeline) && looked < SHELLS; i++) {
		struct json_object *entry = json_object_array_get_idx(search->timeline, i);

		if (!keep[i] || !(field_true(entry, "forked") || field_true(entry, "dismissed")))
			continue;
		looked++;
		for (size_t j = 0; j < i; j++)
			if (record_is_child(entry, json_object_array_get_idx(search->timeline, j)))
				keep[j] = true;
	}
}

void kept_choose(struct json_object *record, bool *keep)
{
	struct json_object *timeline = field_typed(record, "timeline", json_type_array);
	struct search search = {
		.timeline = timeline,
		.tools = field_typed(record, "tools", json_type_array),
		.script_pid = record_script_pid(record),
	};
	bool script = false;
	int64_t status;

	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (!field_count(entry, "exit_status", &status)) /* another image came after it */
			continue;
		keep[i] = !script && is_scripts(&search, entry, "pid");
		script = script || keep[i];
		if ((status && is_worth_keeping(&search, entry, status, i)) || is_launcher(&search, entry))
			keep[i] = true;
	}
	keep_ends(&search.first, keep);
	keep_ends(&search.last, keep);
	keep_children(&search, keep);
	keep_parents(&search, keep);
}
