/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/arena.h"
#include "common/memory/map.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/records/parents.h"
#include "reports/records/record_parts.h"
#include "reports/records/sums.h"

static bool is_script_of(const char *command, const char *name)
{
	const char *at = strstr(command, name);
	char end = at ? at[strlen(name)] : '/';

	return (end == '\0' || end == ' ') && (at == command || at[-1] == '/');
}

void merge_find_script(const struct record_slurm_job *slurm, int64_t job_id, struct merge_script *script)
{
	const char *command = slurm_job_or_unknown(slurm)->command, *job_name = slurm_job_or_unknown(slurm)->name, *slash;

	script->job_id = job_id;
	script->name[0] = '\0';
	if (!command)
		return;
	slash = strrchr(command, '/');
	/* Slurm gives the path and the arguments as one text, and a path can contain spaces. */
	if (!strchr(command, ' '))
		snprintf(script->name, sizeof(script->name), "%s", slash ? slash + 1 : command);
	else if (job_name && *job_name && is_script_of(command, job_name))
		snprintf(script->name, sizeof(script->name), "%s", job_name);
	utf8_finish(script->name);
}

static bool is_copy(const char *path, const struct merge_script *script)
{
	char copy[64];
	size_t length;

	if (!path)
		return false;
	length = snprintf(copy, sizeof(copy), "/job%05lld/slurm_script", (long long)script->job_id);
	return strlen(path) > length && strcmp(path + strlen(path) - length, copy) == 0;
}

const char *merge_name_of_tool(const struct record_tool *tool, const struct merge_script *script)
{
	if (!is_copy(tool->path, script))
		return tool->name;
	return script->name[0] ? script->name : "job script";
}

bool merge_is_script(const struct record_tool *tool, const struct merge_script *script)
{
	return tool->job_script || is_copy(tool->path, script);
}

const char *merge_tool_name(const struct record *record, int64_t index, const struct merge_script *script)
{
	const struct record_tool *tool = record_tool_at(record, index);

	return tool ? merge_name_of_tool(tool, script) : NULL;
}

bool merge_is_slurms(const struct record *record, int64_t index)
{
	const struct record_tool *tool = record_tool_at(record, index);

	return tool && tool->slurm;
}

struct moment {
	int64_t start_ns;
	size_t serial; /* order of entries with the same start */
	const struct record_entry *entry;
	const char *tool, *interpreter, *node, *step;
	int64_t container;
	bool slurm;
	bool judged;   /* the verdict looks at this entry */
	struct entry_marks marks;
	bool exact_end; /* the exact end will be compared */
};

static int compare_moments(const void *a, const void *b)
{
	const struct moment *one = a, *other = b;

	if (one->start_ns != other->start_ns)
		return one->start_ns < other->start_ns ? -1 : 1;
	return one->serial < other->serial ? -1 : one->serial > other->serial;
}

/* Many entries have the same texts, so each text is copied once. */
struct copies {
	struct report *report;
	struct map texts;
	struct map containers; /* merge_container_places() */
};

static const char *copy_once(struct copies *copies, const char *text)
{
	struct map_entry *copy = text ? map_get(&copies->texts, text, strlen(text)) : NULL;

	if (!copy)
		return report_copy(copies->report, text);
	if (!copy->data)
		copy->data = (void *)report_copy(copies->report, text);
	return copy->data;
}

#define TIME_BYTES sizeof("2026-11-20T22:35:13.123+00:00") /* size of a time_text() with its NUL */

struct time_room {
	struct report *report;
	char *at;
	size_t left;
};

static struct time_room room_for_times(struct report *report, size_t entries)
{
	size_t size = 2 * entries * TIME_BYTES;
	char *memory = size ? arena_get(report_arena(report), size) : NULL;

	return (struct time_room){ report, memory, memory ? size : 0 };
}

static const char *put_time_text(struct time_room *room, int64_t ns)
{
	char text[TIME_TEXT], *place = room->at;
	size_t size;

	if (ns < 0)
		return NULL;
	size = strlen(time_text(ns, text)) + 1;
	if (size > room->left)
		return report_copy(room->report, text);
	room->at += size;
	room->left -= size;
	return memcpy(place, text, size);
}

static void fill_entry(const struct moment *moment, struct time_room *times, struct report_entry *out)
{
	const struct record_entry *entry = moment->entry;

	out->tool = moment->tool;
	out->interpreter = moment->interpreter;
	out->node = moment->node;
	out->step = moment->step;
	out->container = moment->container;
	out->slurm = moment->slurm;
	out->forked = entry->forked;
	out->dismissed = entry->dismissed;
	out->living = entry->living;
	out->by_shell = moment->marks.by_shell;
	out->unawaited = moment->marks.unawaited;
	out->unread = moment->marks.unread;
	out->no_pipe = moment->marks.no_pipe;
	out->start = put_time_text(times, entry->start_unix_ns);
	out->end = put_time_text(times, entry->end_unix_ns);
	if (moment->exact_end)
		out->end_unix_ns = entry->end_unix_ns;
	out->count = entry->count;
	out->pid = entry->pid;
	out->ppid = entry->ppid;
	out->peak_bytes = entry->peak_bytes;
	/* A fork or a dismissed process is no failure, as in the tool's own count. */
	out->failures = out->forked || out->dismissed ? 0 : entry->failures;
	out->wall_s.ns = entry->wall_ns;
	sums_copy_used(&entry->entry_use, &out->uses);
	sums_copy_states(&entry->entry_use, &out->states);
	if (entry->exit_status >= 0)
		merge_exit(entry->exit_status, &out->exit_code, &out->signal);
}

static void put_entries(struct report *report, const struct moment *moments, size_t count)
{
	struct time_room times = room_for_times(report, count);

	REPORT_MAKE(report, &report->timeline, count, entry);
	for (size_t i = 0; i < report->timeline.count; i++)
		fill_entry(&moments[i], &times, &report->timeline.items[i]);
}

static void put_judged(struct report *report, const struct moment *moments, size_t count, struct report_entry_list *judged)
{
	size_t some = 0, at = 0;

	for (size_t i = 0; i < count; i++)
		some += moments[i].judged;
	if (some == count) {
		*judged = report->timeline;
		return;
	}
	REPORT_MAKE(report, judged, some, entry);
	for (size_t i = 0; i < report->timeline.count && at < judged->count; i++)
		if (moments[i].judged)
			judged->items[at++] = report->timeline.items[i];
}

static bool has_exact_end(const struct record_entry *entry, int64_t script)
{
	bool scripts = script >= 0 && entry->pid == script && report_text_is(entry->step, "batch");

	return entry->exit_status > 0 || (entry->exit_status == 0 && scripts);
}

static void find_marks(const struct record *record, struct report *report, struct moment *moments, size_t used)
{
	struct parents parents = { NULL, 0 };

	for (size_t i = 0; i < used; i++)
		if (!parents_mark(&parents, record, moments[i].entry, &moments[i].marks)) {
			report_lacked(report);
			break;
		}
	parents_free(&parents);
}

/* Leaves out entries whose tool or start is not known. Returns the number of moments. */
static size_t read_moments(const struct record *record, const struct merge_script *script, struct copies *copies, struct moment *moments)
{
	const char *node = copy_once(copies, record->identity.node);
	int64_t script_pid = record_script_pid(record);
	size_t used = 0;

	for (size_t i = 0; i < record->timeline.count; i++) {
		const struct record_entry *entry = &record->timeline.items[i];
		const struct record_tool *tool = record_tool_at(record, entry->tool);
		const char *name = tool ? merge_name_of_tool(tool, script) : NULL;

		if (!name || entry->start_unix_ns < 0)
			continue;
		moments[used++] = (struct moment){
			.start_ns = entry->start_unix_ns,
			.entry = entry,
			.tool = copy_once(copies, name),
			.interpreter = copy_once(copies, tool->interpreter),
			.node = node,
			.step = copy_once(copies, entry->step),
			.container = merge_container(&copies->containers, record, entry->container),
			.slurm = tool->slurm,
			.judged = !record->chosen || entry->judged,
			.exact_end = has_exact_end(entry, script_pid),
		};
	}
	find_marks(record, copies->report, moments, used);
	return used;
}

void merge_timeline(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		    struct report_entry_list *judged)
{
	struct copies copies = { .report = report };
	cleanup_free struct moment *moments = NULL;
	size_t room = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		room += records[i]->timeline.count;
	moments = calloc(room + 1, sizeof(*moments));
	if (!moments)
		report_lacked(report);
	merge_container_places(report, &copies.containers);
	for (size_t i = 0; moments && i < count; i++)
		used += read_moments(records[i], script, &copies, moments + used);
	map_free(&copies.texts);
	map_free(&copies.containers);
	for (size_t i = 0; i < used; i++)
		moments[i].serial = i;
	if (moments)
		qsort(moments, used, sizeof(*moments), compare_moments);
	put_entries(report, moments, used);
	put_judged(report, moments, used, judged);
}
