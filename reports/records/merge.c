/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/cleanup.h"
#include "common/memory/arena.h"
#include "common/memory/map.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/records/kept.h"
#include "reports/records/parents.h"
#include "reports/records/record_input.h"
#include "reports/records/record_parts.h"
#include "reports/records/sums.h"

void merge_exit(int64_t status, int64_t *exit_code, int64_t *signal)
{
	int wait_status = (int)(status & 0xffff); /* a wait status has only these bits */

	*exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;
	*signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
}

/* ---- the batch script ---- */

/* Whether @name is the last part of the script's path in @command. */
static bool is_script_of(const char *command, const char *name)
{
	const char *at = strstr(command, name);
	char end = at ? at[strlen(name)] : '/';

	return (end == '\0' || end == ' ') && (at == command || at[-1] == '/');
}

void merge_find_script(struct json_object *slurm, int64_t job_id, struct merge_script *script)
{
	const char *command = field_text(slurm, "command"), *job_name = field_text(slurm, "name"), *slash;

	script->job_id = job_id;
	script->name[0] = '\0';
	if (!command)
		return;
	slash = strrchr(command, '/');
	/*
	 * Slurm reports the arguments after the path, and a path may contain spaces, too. So the name is taken only if
	 * it is certain.
	 */
	if (!strchr(command, ' '))
		snprintf(script->name, sizeof(script->name), "%s", slash ? slash + 1 : command);
	else if (job_name && *job_name && is_script_of(command, job_name))
		snprintf(script->name, sizeof(script->name), "%s", job_name);
	utf8_finish(script->name);
}

const char *merge_name_of_tool(struct json_object *json, const struct merge_script *script)
{
	const char *name = field_text(json, "name"), *path = field_text(json, "path");
	char copy[64];
	size_t length;

	if (!path)
		return name;
	length = snprintf(copy, sizeof(copy), "/job%05lld/slurm_script", (long long)script->job_id);
	if (strlen(path) > length && strcmp(path + strlen(path) - length, copy) == 0)
		return script->name[0] ? script->name : "job script";
	return name;
}

static struct json_object *tool_of(struct json_object *record, struct json_object *entry)
{
	struct json_object *tools = field_typed(record, "tools", json_type_array);
	int64_t index;

	if (!field_count(entry, "tool", &index) || (uint64_t)index >= field_length(tools))
		return NULL;
	return json_object_array_get_idx(tools, index);
}

const char *merge_tool_name(struct json_object *record, struct json_object *entry, const struct merge_script *script)
{
	struct json_object *tool = tool_of(record, entry);

	return tool ? merge_name_of_tool(tool, script) : NULL;
}

bool merge_is_slurms(struct json_object *record, struct json_object *entry)
{
	return field_true(tool_of(record, entry), "slurm");
}

/* ---- timeline ---- */

struct moment {
	int64_t start_ns;
	size_t serial; /* entries that started at the same time stay in the record's order */
	const struct report_entry *settled; /* if set, the entry is already made, and the members below are not set */
	struct json_object *entry; /* of the record's timeline */
	const char *tool, *interpreter, *node, *step;
	bool slurm;
	bool judged;   /* the verdict looks at it */
	bool by_shell; /* it failed, and a shell had started it */
	bool unawaited; /* and that shell went on before it ended: it was in a pipe, or in the background */
	bool unread; /* and the reader of its output had ended before */
	bool no_pipe; /* SIGPIPE ended it, and it wrote to none of the next processes of its parent */
	bool exact_end; /* keep its exact end: it may be compared with others */
};

static int compare_moments(const void *a, const void *b)
{
	const struct moment *one = a, *other = b;

	if (one->start_ns != other->start_ns)
		return one->start_ns < other->start_ns ? -1 : 1;
	return one->serial < other->serial ? -1 : one->serial > other->serial;
}

/* There may be 65,536 entries, which have few different texts: each text is copied once. */
struct copies {
	struct report *report;
	struct map texts;
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

#define TIME_BYTES sizeof("2026-11-20T22:35:13.123+00:00") /* of a text of time_text() */

/* Memory for the entries' times, one text after another. */
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

static const char *put_time_text(struct time_room *room, struct json_object *entry, const char *name)
{
	char text[TIME_TEXT], *place = room->at;
	size_t size;
	int64_t ns;

	if (!field_count(entry, name, &ns))
		return NULL;
	size = strlen(time_text(ns, text)) + 1;
	if (size > room->left)
		return report_copy(room->report, text);
	room->at += size;
	room->left -= size;
	return memcpy(place, text, size);
}

static int64_t count_of(struct json_object *entry, const char *name)
{
	int64_t value = REPORT_UNKNOWN;

	field_count(entry, name, &value);
	return value;
}

static void fill_entry(const struct moment *moment, struct time_room *times, struct report_entry *out)
{
	struct json_object *entry = moment->entry;
	int64_t status;

	out->tool = moment->tool;
	out->interpreter = moment->interpreter;
	out->node = moment->node;
	out->step = moment->step;
	out->slurm = moment->slurm;
	out->forked = field_true(entry, "forked");
	out->dismissed = field_true(entry, "dismissed");
	out->living = field_true(entry, "living");
	out->by_shell = moment->by_shell;
	out->unawaited = moment->unawaited;
	out->unread = moment->unread;
	out->no_pipe = moment->no_pipe;
	out->start = put_time_text(times, entry, "start_unix_ns");
	out->end = put_time_text(times, entry, "end_unix_ns");
	if (moment->exact_end)
		out->end_unix_ns = count_of(entry, "end_unix_ns");
	out->count = count_of(entry, "count");
	out->pid = count_of(entry, "pid");
	out->ppid = count_of(entry, "ppid");
	out->peak_bytes = count_of(entry, "peak_bytes");
	/*
	 * As in the tool's own count: it is not a failure if a process ran its parent's image, or if its parent wanted
	 * it to end.
	 */
	out->failures = out->forked || out->dismissed ? 0 : count_of(entry, "failures");
	out->wall_s.ns = count_of(entry, "wall_ns");
	sums_copy_used(entry, &out->uses);
	sums_copy_states(entry, &out->states);
	if (field_count(entry, "exit_status", &status))
		merge_exit(status, &out->exit_code, &out->signal);
}

/* Makes the timeline of @report from the @count @moments. */
static void put_entries(struct report *report, const struct moment *moments, size_t count)
{
	struct time_room times;
	size_t unsettled = 0;

	for (size_t i = 0; i < count; i++)
		unsettled += !moments[i].settled;
	times = room_for_times(report, unsettled);
	REPORT_MAKE(report, &report->timeline, count, entry);
	for (size_t i = 0; i < report->timeline.count; i++)
		if (moments[i].settled)
			report->timeline.items[i] = *moments[i].settled;
		else
			fill_entry(&moments[i], &times, &report->timeline.items[i]);
}

/* Sets @judged to those of the report's timeline, made of @moments, that the verdict looks at. */
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

static bool has_failed(struct json_object *entry)
{
	int64_t status;

	return field_count(entry, "exit_status", &status) && status && !field_true(entry, "dismissed");
}

static bool has_exit_code(struct json_object *entry)
{
	int64_t status;

	return field_count(entry, "exit_status", &status) && WIFEXITED(status & 0xffff);
}

/* A record made from a store line does not contain "dismissed", and lacks the neighbouring processes. */
static bool lost_its_reader(struct json_object *entry)
{
	int64_t status;

	return field_true(entry, "dismissed") && field_count(entry, "exit_status", &status) && WIFSIGNALED(status & 0xffff) &&
	       WTERMSIG(status & 0xffff) == SIGPIPE;
}

/* Whether @entry is the end of the job script, or ended badly. */
static bool has_exact_end(struct json_object *entry, int64_t script)
{
	int64_t pid, status;

	if (!field_count(entry, "exit_status", &status))
		return false;
	return status || (script >= 0 && field_is(entry, "step", "batch") && field_count(entry, "pid", &pid) && pid == script);
}

/* Finds the parents of those of the @used @moments of @record that failed, or that SIGPIPE ended. */
static void find_parents(struct json_object *record, struct report *report, struct moment *moments, size_t used)
{
	struct parents parents = { NULL, 0 };

	for (size_t i = 0; i < used; i++) {
		struct json_object *entry = moments[i].entry;

		if (!has_failed(entry) && !lost_its_reader(entry))
			continue;
		if (!parents.list)
			parents_read(&parents, record);
		if (!parents.list) {
			report_lacked(report);
			return;
		}
		moments[i].by_shell = has_failed(entry) && parents_shell(&parents, entry);
		moments[i].unawaited = moments[i].by_shell && parents_started_next(&parents, entry);
		moments[i].unread = moments[i].unawaited && has_exit_code(entry) && parents_reader_ended(&parents, entry);
		moments[i].no_pipe = lost_its_reader(entry) && !parents_started_next(&parents, entry);
	}
	parents_free(&parents);
}

static struct json_object *timeline_of(struct json_object *record)
{
	return field_typed(record, "timeline", json_type_array);
}

/*
 * Fills @moments from the timeline of @record, without entries whose tool or start is not known. Returns how many.
 *
 * @judged: which entries the verdict looks at; NULL: all
 */
static size_t read_moments(struct json_object *record, const struct merge_script *script, const bool *judged,
			   struct copies *copies, struct moment *moments)
{
	struct json_object *timeline = timeline_of(record);
	const char *node = copy_once(copies, field_text(record, "identity.node"));
	int64_t script_pid = record_script_pid(record);
	size_t used = 0;

	for (size_t i = 0; i < field_length(timeline); i++) {
		struct moment moment = { .entry = json_object_array_get_idx(timeline, i), .node = node };
		struct json_object *tool = tool_of(record, moment.entry);

		if (!tool || !field_count(moment.entry, "start_unix_ns", &moment.start_ns))
			continue;
		moment.judged = !judged || judged[i];
		moment.tool = copy_once(copies, merge_name_of_tool(tool, script));
		moment.interpreter = copy_once(copies, field_text(tool, "interpreter"));
		moment.step = copy_once(copies, field_text(moment.entry, "step"));
		moment.slurm = field_true(tool, "slurm");
		moment.exact_end = has_exact_end(moment.entry, script_pid);
		moments[used++] = moment;
	}
	find_parents(record, copies->report, moments, used);
	return used;
}

/* The same for a settled record. */
static size_t take_moments(const struct settled *settled, struct moment *moments)
{
	const struct report_entry_list *timeline = &settled->part->timeline;

	for (size_t i = 0; i < timeline->count; i++)
		moments[i] = (struct moment){ .start_ns = settled->starts[i], .settled = &timeline->items[i], .judged = settled->judged[i] };
	return timeline->count;
}

void merge_settle_timeline(struct json_object *record, const struct merge_script *script, struct settled *settled)
{
	struct copies copies = { .report = settled->part };
	size_t room = field_length(timeline_of(record)) + 1, used = 0;
	cleanup_free struct moment *moments = calloc(room, sizeof(*moments));
	cleanup_free bool *judged = calloc(room, sizeof(*judged));

	if (moments && judged) {
		kept_choose(record, judged);
		used = read_moments(record, script, judged, &copies, moments);
	}
	map_free(&copies.texts);
	settled->starts = arena_get(report_arena(settled->part), (used + 1) * sizeof(*settled->starts));
	settled->judged = arena_get(report_arena(settled->part), (used + 1) * sizeof(*settled->judged));
	if (!moments || !judged || !settled->starts || !settled->judged) {
		report_lacked(settled->part);
		return;
	}
	for (size_t i = 0; i < used; i++) {
		settled->starts[i] = moments[i].start_ns;
		settled->judged[i] = moments[i].judged;
	}
	put_entries(settled->part, moments, used);
	json_object_object_del(record, "timeline");
}

static size_t entry_count(struct json_object *record)
{
	const struct settled *settled = settled_of(record);

	return settled ? settled->part->timeline.count : field_length(timeline_of(record));
}

void merge_timeline(struct json_object *const records[], size_t count, const struct merge_script *script, struct report *report,
		    struct report_entry_list *judged)
{
	struct copies copies = { .report = report };
	cleanup_free struct moment *moments = NULL;
	size_t room = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		room += entry_count(records[i]);
	moments = calloc(room + 1, sizeof(*moments));
	if (!moments)
		report_lacked(report);
	for (size_t i = 0; moments && i < count; i++) {
		const struct settled *settled = settled_of(records[i]);
		size_t more = settled ? take_moments(settled, moments + used) :
					read_moments(records[i], script, NULL, &copies, moments + used);

		if (settled)
			report_keep(report, settled->part);
		for (size_t end = used + more; used < end; used++)
			moments[used].serial = used;
	}
	map_free(&copies.texts);
	if (moments)
		qsort(moments, used, sizeof(*moments), compare_moments);
	put_entries(report, moments, used);
	put_judged(report, moments, used, judged);
}
