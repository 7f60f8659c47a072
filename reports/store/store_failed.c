/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects those entries of the timeline that the verdict looks at (reports/records/kept.h). For a failed job, first
 * selects the entries on the way from the job's script, or from its first failed task, to the process that failed
 * first. reports/ending/culprit.c goes the same way.
 */
#include <signal.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/builder/report_job.h"
#include "reports/ending/parts.h"
#include "reports/records/kept.h"
#include "reports/records/record_parts.h"
#include "reports/store/store_line_internal.h"

/* The exit code that the report will show; 0 if the job did not fail. */
static int64_t job_code(const struct store_making *making, const struct record_step *batch)
{
	int64_t status = 0;

	if (!take_count(making->slurm->exit_status, &status))
		take_count(making->record->exit_status, &status);
	if (batch && (status == 0 || job_status_is_oom(status)))
		take_count(batch->exit_status, &status);
	if (job_status_is_oom(status))
		return 0;
	return parts_shell_code(status);
}

struct search {
	const struct record *record;
	int64_t code;
};

static bool is_slurms(const struct search *search, const struct record_entry *entry)
{
	const struct record_tool *tool = record_tool_at(search->record, entry->tool);

	return tool && tool->slurm;
}

static bool is_srun(const struct search *search, const struct record_entry *entry)
{
	const struct record_tool *tool = record_tool_at(search->record, entry->tool);

	return tool && report_text_is(tool->name, "srun");
}

/*
 * Returns whether the entry ended with the searched code. A dismissed entry counts only if the code is that of SIGPIPE,
 * which makes the script fail after "set -o pipefail".
 */
static bool ended_so(const struct search *search, const struct record_entry *entry)
{
	return entry->exit_status >= 0 && parts_shell_code(entry->exit_status) == search->code && !entry->living &&
	       (search->code == SIGNAL_CODE + SIGPIPE || !entry->dismissed);
}

static bool is_task(const struct search *search, const struct record_entry *entry)
{
	return !report_text_is(entry->step, "batch") && !report_text_is(entry->step, "extern") && !is_slurms(search, entry);
}

static const struct record_entry *next_below(const struct search *search, const struct record_entry *parent)
{
	const struct record_entry_list *timeline = &search->record->timeline;
	bool tasks = !parent || is_srun(search, parent);
	int64_t parent_ns = INT64_MAX, begin_ns = 0;
	const struct record_entry *found = NULL;

	if (!tasks) {
		take_count(parent->end_unix_ns, &parent_ns);
		take_count(parent->start_unix_ns, &begin_ns);
	}
	for (size_t i = 0; i < timeline->count; i++) {
		const struct record_entry *entry = &timeline->items[i];
		int64_t end_ns = entry->end_unix_ns;

		if (entry == parent || !ended_so(search, entry) || !(tasks ? is_task(search, entry) : record_is_child(entry, parent)))
			continue;
		if (end_ns < 0 || end_ns > parent_ns || end_ns < begin_ns)
			continue;
		if (!found || (tasks ? end_ns < found->end_unix_ns : end_ns > found->end_unix_ns))
			found = entry;
	}
	return found;
}

static const struct record_entry *find_script(const struct search *search)
{
	const struct record_entry_list *timeline = &search->record->timeline;
	int64_t pid = record_script_pid(search->record);

	for (size_t i = 0; pid >= 0 && i < timeline->count; i++) {
		const struct record_entry *entry = &timeline->items[i];

		if (report_text_is(entry->step, "batch") && entry->pid == pid && ended_so(search, entry))
			return entry;
	}
	return NULL;
}

/* Needed because a forged record could have a circle of parents. */
static bool has_entry(const struct store_failed *failed, const struct record_entry *entry)
{
	for (size_t i = 0; i < failed->count; i++)
		if (failed->entries[i] == entry)
			return true;
	return false;
}

void store_find_failed(const struct store_making *making, struct store_failed *failed)
{
	const struct record_step *batch = record_batch_step(making->record);
	struct search search = { making->record, job_code(making, batch) };
	const struct record_entry *entry;

	failed->count = 0;
	if (!search.code)
		return;
	entry = batch ? find_script(&search) : next_below(&search, NULL);
	for (; entry && failed->count < STORE_CULPRITS && !has_entry(failed, entry); entry = next_below(&search, entry))
		failed->entries[failed->count++] = entry;
}

/* ---- what the verdict looks at ---- */

bool store_add_judged(const struct store_making *making, struct store_failed *failed)
{
	const struct record_entry_list *timeline = &making->record->timeline;
	cleanup_free bool *judged = calloc(timeline->count + 1, sizeof(*judged));

	if (!judged)
		return false;
	kept_find(making->record, judged);
	for (size_t i = 0; i < timeline->count && failed->count < STORE_ENDS - STORE_ENDINGS * STORE_LINE_TOOLS; i++)
		if (judged[i] && !has_entry(failed, &timeline->items[i]))
			failed->entries[failed->count++] = &timeline->items[i];
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct record_entry *one = *(const struct record_entry *const *)a, *other = *(const struct record_entry *const *)b;

	return one < other ? -1 : one > other;
}

void store_sort_failed(struct store_failed *failed)
{
	if (failed->count)
		qsort(failed->entries, failed->count, sizeof(failed->entries[0]), by_place);
}

/* ---- how each tool failed ---- */

struct endings {
	int64_t status[STORE_ENDINGS];
	size_t count;
};

/* Adds @status if it is new and there is room for it. Returns whether it was added. */
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

void store_add_endings(const struct store_making *making, struct store_failed *failed)
{
	const struct record_entry_list *timeline = &making->record->timeline;
	struct endings endings[STORE_LINE_TOOLS + STORE_SLURM_TOOLS] = { 0 };

	for (size_t i = 0; i < timeline->count && failed->count < STORE_ENDS; i++) {
		const struct record_entry *entry = &timeline->items[i];
		int64_t place = store_tool_place(making, entry->tool);

		if (place < 0 || entry->exit_status <= 0 || entry->dismissed || entry->forked)
			continue;
		if (is_news(&endings[place], entry->exit_status) && !has_entry(failed, entry))
			failed->entries[failed->count++] = entry;
	}
}
