/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps those entries of a failed job's timeline that lead from its script, or its first failed task, down to the
 * process that failed first. reports/ending/culprit.c finds the same in the whole timeline.
 */
#include <signal.h>

#include "reports/builder/report_job.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"
#include "reports/records/record_parts.h"
#include "reports/store/store_line_internal.h"

struct search {
	const struct store_making *making;
	struct json_object *timeline, *tools;
	int64_t code;
};

/* Returns the code that the report will have for the job; 0: it did not fail. */
static int64_t job_code(const struct store_making *making, struct json_object *batch)
{
	int64_t status = 0, of_batch = 0;

	if (!field_count(making->slurm, "exit_status", &status))
		field_count(making->record, "exit_status", &status);
	if ((status == 0 || job_status_is_oom(status)) && field_count(batch, "exit_status", &of_batch))
		status = of_batch;
	if (job_status_is_oom(status))
		return 0;
	return parts_shell_code(status);
}

static struct json_object *tool_of(const struct search *search, struct json_object *entry)
{
	int64_t index;

	if (!field_count(entry, "tool", &index) || (uint64_t)index >= field_length(search->tools))
		return NULL;
	return json_object_array_get_idx(search->tools, index);
}

/* SIGPIPE dismisses a process, and fails its script all the same after "set -o pipefail". */
static bool ended_so(const struct search *search, struct json_object *entry)
{
	int64_t status;

	return field_count(entry, "exit_status", &status) && parts_shell_code(status) == search->code && !field_true(entry, "living") &&
	       (search->code == SIGNAL_CODE + SIGPIPE || !field_true(entry, "dismissed"));
}

static bool is_task(const struct search *search, struct json_object *entry)
{
	return !field_is(entry, "step", "batch") && !field_is(entry, "step", "extern") && !field_true(tool_of(search, entry), "slurm");
}

static struct json_object *next_below(const struct search *search, struct json_object *parent)
{
	bool tasks = !parent || field_is(tool_of(search, parent), "name", "srun");
	int64_t found_ns = 0, end_ns, parent_ns = INT64_MAX, begin_ns = 0;
	struct json_object *found = NULL;

	if (!tasks) {
		field_count(parent, "end_unix_ns", &parent_ns);
		field_count(parent, "start_unix_ns", &begin_ns);
	}
	for (size_t i = 0; i < field_length(search->timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(search->timeline, i);

		if (entry == parent || !ended_so(search, entry) ||
		    !(tasks ? is_task(search, entry) : record_is_child(entry, parent)) || !field_count(entry, "end_unix_ns", &end_ns))
			continue;
		if (end_ns > parent_ns || end_ns < begin_ns || (found && (tasks ? end_ns >= found_ns : end_ns <= found_ns)))
			continue;
		found = entry;
		found_ns = end_ns;
	}
	return found;
}

static struct json_object *find_script(const struct search *search)
{
	int64_t pid = record_script_pid(search->making->record), of_entry;

	if (pid < 0)
		return NULL;
	for (size_t i = 0; i < field_length(search->timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(search->timeline, i);

		if (field_is(entry, "step", "batch") && field_count(entry, "pid", &of_entry) && of_entry == pid && ended_so(search, entry))
			return entry;
	}
	return NULL;
}

/* A record that was made up could go round in a circle. */
static bool has_entry(struct json_object *list, struct json_object *entry)
{
	for (size_t i = 0; i < field_length(list); i++)
		if (json_object_array_get_idx(list, i) == entry)
			return true;
	return false;
}

struct json_object *store_find_failed(const struct store_making *making)
{
	struct json_object *batch = record_batch_step(making->record), *entry, *failed;
	struct search search = {
		.making = making,
		.timeline = field_typed(making->record, "timeline", json_type_array),
		.tools = field_typed(making->record, "tools", json_type_array),
		.code = job_code(making, batch),
	};

	if (!search.code || field_length(search.timeline) == 0)
		return NULL;
	entry = batch ? find_script(&search) : next_below(&search, NULL);
	if (!entry)
		return NULL;
	failed = json_object_new_array();
	for (; entry && field_length(failed) < STORE_CULPRITS && !has_entry(failed, entry); entry = next_below(&search, entry))
		json_object_array_add(failed, json_object_get(entry));
	return failed;
}

/* ---- how each tool failed ---- */

struct endings {
	int64_t status[STORE_ENDINGS];
	size_t count;
};

/* Whether @status is another end than those before. */
static bool is_news(struct endings *endings, int64_t status)
{
	for (size_t i = 0; i < endings->count; i++)
		if (endings->status[i] == status)
			return false;
	if (endings->count == STORE_ENDINGS)
		return false;
	endings->status[endings->count++] = status;
	return true;
}

void store_add_endings(const struct store_making *making, struct json_object *failed)
{
	struct json_object *timeline = field_typed(making->record, "timeline", json_type_array);
	struct endings endings[STORE_LINE_TOOLS + STORE_SLURM_TOOLS] = { 0 };
	int64_t tool, status;

	for (size_t i = 0; i < field_length(timeline) && field_length(failed) < STORE_FAILED; i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (!field_count(entry, "tool", &tool) || (uint64_t)tool >= making->tool_count || making->places[tool] < 0 ||
		    !field_count(entry, "exit_status", &status) || !status || field_true(entry, "dismissed") ||
		    field_true(entry, "forked"))
			continue;
		if (is_news(&endings[making->places[tool]], status) && !has_entry(failed, entry))
			json_object_array_add(failed, json_object_get(entry));
	}
}
