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
#include "common/utf8.h"
#include "reports/ending/kept.h"
#include "reports/ending/parents.h"
#include "reports/ending/parts.h"
#include "reports/json/attached.h"
#include "reports/json/field.h"
#include "reports/json/printed.h"
#include "reports/records/record_input.h"
#include "reports/records/sums.h"

void merge_put_exit(struct json_object *out, int64_t status)
{
	int wait_status = (int)(status & 0xffff); /* a wait status has no more bits than these */

	put_count(out, "exit_code", WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0);
	put_count(out, "signal", WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0);
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
	 * Slurm reports the arguments behind the path, and a path may contain spaces, too. So only a certain name is
	 * taken.
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
	size_t serial; /* entries that started at once stay in the record's order */
	struct json_object *timeline; /* of its record; and the entry's place in it */
	size_t index;
	struct json_object *tool;
	struct json_object *node; /* its name */
	bool by_shell; /* it failed, and a shell had started it */
	bool unawaited; /* and that shell went on before it ended: it was in a pipe, or in the background */
	bool unread; /* and what read its output had ended before */
	bool no_pipe; /* SIGPIPE ended it, and it wrote to none of the next processes of its parent's */
	bool exact_end; /* somebody may ask whether it ended before another */
};

static int compare_moments(const void *a, const void *b)
{
	const struct moment *one = a, *other = b;

	if (one->start_ns != other->start_ns)
		return one->start_ns < other->start_ns ? -1 : 1;
	return one->serial < other->serial ? -1 : one->serial > other->serial;
}

static void copy_text(struct json_object *out, struct json_object *from, const char *name)
{
	struct json_object *text = field_typed(from, name, json_type_string);

	if (text)
		put_new_same(out, name, text);
}

static void copy_count(struct json_object *out, struct json_object *from, const char *name)
{
	struct json_object *number = field_typed(from, name, json_type_int);

	if (number && json_object_get_int64(number) >= 0)
		put_new_same(out, name, number);
}

static void copy_time(struct json_object *out, const char *to, struct json_object *from, const char *name)
{
	int64_t ns;

	if (field_count(from, name, &ns))
		put_new_time(out, to, ns);
}

/* There may be 65,536 entries, so values of the record are shared with the report where possible. */
static struct json_object *new_entry(const struct moment *moment, const struct merge_script *script)
{
	static const char *const counts[] = { "count", "pid", "ppid", "peak_bytes" };
	struct json_object *entry = json_object_array_get_idx(moment->timeline, moment->index);
	struct json_object *out = json_object_new_object();
	bool forked = field_true(entry, "forked"), dismissed = field_true(entry, "dismissed");
	int64_t value;

	put_text(out, "tool", merge_name_of_tool(moment->tool, script));
	copy_text(out, moment->tool, "interpreter");
	put_new_same(out, "node", moment->node);
	copy_text(out, entry, "step");
	if (field_true(moment->tool, "slurm"))
		put_flag(out, "slurm", true);
	if (forked)
		put_flag(out, "forked", true);
	if (dismissed)
		put_flag(out, "dismissed", true);
	if (field_true(entry, "living"))
		put_flag(out, "living", true);
	if (moment->by_shell)
		put_flag(out, "by_shell", true);
	if (moment->unawaited)
		put_flag(out, "unawaited", true);
	if (moment->unread)
		put_flag(out, "unread", true);
	if (moment->no_pipe)
		put_flag(out, "no_pipe", true);
	copy_time(out, "start", entry, "start_unix_ns");
	copy_time(out, "end", entry, "end_unix_ns");
	if (moment->exact_end)
		copy_count(out, entry, "end_unix_ns");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		copy_count(out, entry, counts[i]);
	/*
	 * As in the tool's own count: the exit of a process that ran its parent's image, or that ended as its parent
	 * wanted, is no failure.
	 */
	if (forked || dismissed)
		put_new_count(out, "failures", 0);
	else
		copy_count(out, entry, "failures");
	if (field_count(entry, "wall_ns", &value))
		put_new_seconds(out, "wall_s", value);
	sums_copy_used(entry, out);
	sums_copy_states(entry, out);
	if (field_count(entry, "exit_status", &value))
		merge_put_exit(out, value);
	return out;
}

static bool is_settled(struct json_object *entry)
{
	return is_printed(entry) || json_attached(entry);
}

static int64_t settled_order(struct json_object *entry)
{
	return is_printed(entry) ? printed_order(entry) : *(const int64_t *)json_attached(entry);
}

/*
 * Settles @entry, which is given away, as text, or @as_object: the outcome's sentence and the findings look at some. These know their
 * place by their user data.
 */
static struct json_object *settle_entry(struct json_object *entry, int64_t start_ns, bool as_object)
{
	if (as_object)
		json_attach(entry, &start_ns, sizeof(start_ns));
	return json_attached(entry) ? entry : printed_value(entry, start_ns);
}

static struct json_object *timeline_entry(const struct moment *moment, const struct merge_script *script)
{
	if (is_settled(json_object_array_get_idx(moment->timeline, moment->index)))
		return json_object_get(json_object_array_get_idx(moment->timeline, moment->index));
	return new_entry(moment, script);
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

/* A record made from a store line does not say "dismissed", and has not the processes beside it. */
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

/* Finds who had started those of the @used @moments of @record that failed, or that SIGPIPE ended: there are few. */
static void find_parents(struct json_object *record, struct moment *moments, size_t used)
{
	struct parents parents = { NULL, 0 };

	for (size_t i = 0; i < used; i++) {
		struct json_object *entry = json_object_array_get_idx(moments[i].timeline, moments[i].index);

		if (is_settled(entry) || (!has_failed(entry) && !lost_its_reader(entry)))
			continue;
		if (!parents.list)
			parents_read(&parents, record);
		moments[i].by_shell = has_failed(entry) && parents_shell(&parents, entry);
		moments[i].unawaited = moments[i].by_shell && parents_started_next(&parents, entry);
		moments[i].unread = moments[i].unawaited && has_exit_code(entry) && parents_reader_ended(&parents, entry);
		moments[i].no_pipe = lost_its_reader(entry) && !parents_started_next(&parents, entry);
	}
	parents_free(&parents);
}

/* Fills @moments from one record, without entries whose tool or start is not known. */
static size_t collect_moments(struct json_object *record, struct json_object *node, struct moment *moments,
			      size_t serial)
{
	struct json_object *timeline = field_typed(record, "timeline", json_type_array);
	int64_t script = parts_script_pid(record);
	size_t used = 0;

	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);
		struct moment moment = { .timeline = timeline, .index = i, .node = node, .serial = serial + used };

		if (is_settled(entry)) {
			moment.start_ns = settled_order(entry);
			moments[used++] = moment;
			continue;
		}
		moment.tool = tool_of(record, entry);
		moment.exact_end = has_exact_end(entry, script);
		if (moment.tool && field_count(entry, "start_unix_ns", &moment.start_ns))
			moments[used++] = moment;
	}
	find_parents(record, moments, used);
	return used;
}

void merge_settle_timeline(struct json_object *record, const struct merge_script *script)
{
	struct json_object *timeline = field_typed(record, "timeline", json_type_array), *out;
	cleanup_free struct moment *moments = calloc(field_length(timeline) + 1, sizeof(*moments));
	cleanup_free bool *keep = calloc(field_length(timeline) + 1, sizeof(*keep));
	size_t used;

	if (!moments || !keep || !timeline)
		return;
	kept_choose(record, keep);
	out = json_object_new_array();
	used = collect_moments(record, field_typed(record, "identity.node", json_type_string), moments, 0);
	for (size_t i = 0; i < used; i++)
		json_object_array_add(out, is_settled(json_object_array_get_idx(timeline, moments[i].index)) ?
					   timeline_entry(&moments[i], script) :
					   settle_entry(new_entry(&moments[i], script), moments[i].start_ns, keep[moments[i].index]));
	json_object_object_add(record, "timeline", out);
}

struct json_object *merge_timeline(struct json_object *const records[], size_t count,
				   const struct merge_script *script)
{
	struct json_object *out = json_object_new_array();
	cleanup_free struct moment *moments = NULL;
	size_t room = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		room += field_length(field_typed(records[i], "timeline", json_type_array));
	moments = calloc(room + 1, sizeof(*moments));
	if (!moments)
		return out;
	for (size_t i = 0; i < count; i++)
		used += collect_moments(records[i], field_typed(records[i], "identity.node", json_type_string),
					moments + used, used);
	qsort(moments, used, sizeof(*moments), compare_moments);
	for (size_t i = 0; i < used; i++)
		json_object_array_add(out, timeline_entry(&moments[i], script));
	return out;
}
