/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/records/record_parts.h"
#include "reports/records/report_totals.h"

struct part {
	const struct record_step *step;
	const char *node;
};

static int compare_parts(const void *a, const void *b)
{
	const struct part *one = a, *other = b;
	int order = strcmp(one->step->id, other->step->id);

	return order ? order : strcmp(one->node, other->node);
}

/* Returns the longest time in ns until a node started a task; -1: not known. The extern step has no task. */
static int64_t launch_of(const struct part *parts, size_t count)
{
	int64_t longest = -1;

	for (size_t i = 0; strcmp(parts[0].step->id, "extern") != 0 && i < count; i++) {
		int64_t stepd = parts[i].step->stepd_start_unix_ns, start = parts[i].step->start_unix_ns;

		if (stepd >= 0 && start >= stepd && start - stepd > longest)
			longest = start - stepd;
	}
	return longest;
}

/* Returns the start of the step; INT64_MAX if unknown, so that the step is sorted last. */
static int64_t start_of_all(const struct part *parts, size_t count)
{
	int64_t start = INT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (parts[i].step->start_unix_ns >= 0 && parts[i].step->start_unix_ns < start)
			start = parts[i].step->start_unix_ns;
	return start;
}

static void put_times(struct report *report, struct report_step *step, const struct part *parts, size_t count)
{
	int64_t start = start_of_all(parts, count), end = 0;
	char text[TIME_TEXT];

	for (size_t i = 0; i < count; i++)
		if (parts[i].step->end_unix_ns > end)
			end = parts[i].step->end_unix_ns;
	if (start < INT64_MAX)
		step->start = report_copy(report, time_text(start, text));
	if (end)
		step->end = report_copy(report, time_text(end, text));
	if (start < INT64_MAX && end >= start)
		step->elapsed_s.ns = end - start;
	step->launch_s.ns = launch_of(parts, count);
}

/* Slurm, too, takes the exit status of the first node with a failed task. */
static void put_exit(struct report_step *step, const struct part *parts, size_t count)
{
	int64_t status = -1;

	for (size_t i = 0; i < count && status <= 0; i++)
		take_count(parts[i].step->exit_status, &status);
	if (status >= 0)
		merge_exit(status, &step->exit_code, &step->signal);
}

static void make_tasks(struct report *report, const struct part *parts, size_t count, struct report_task_list *tasks)
{
	size_t room = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		room += parts[i].step->tasks.count;
	REPORT_MAKE(report, tasks, room, task);
	for (size_t i = 0; tasks->count && i < count; i++) {
		const struct record_task_list *from = &parts[i].step->tasks;
		const char *node = from->count ? report_copy(report, parts[i].node) : NULL;

		for (size_t t = 0; t < from->count; t++) {
			struct report_task *out = &tasks->items[used];

			if (take_count(from->items[t].rank, &out->rank) && take_count(from->items[t].pid, &out->pid)) {
				out->node = node;
				used++;
			}
		}
	}
	tasks->count = used; /* without tasks of unknown rank or pid */
}

struct merged_step {
	struct report_step step;
	const char *id;
	int64_t start_ns;
	bool empty;
};

static void put_used(const struct totals *totals, bool any, const struct part *parts, size_t count, struct making *making,
		     struct report_step *step)
{
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "steps.%s", parts[0].step->id);
	utf8_finish(prefix);
	if (any)
		totals_put_step(totals, step, making, prefix);
	else
		sum_gap(making, prefix, NULL, (unsigned int)count, parts[0].node);
}

static void add_totals(struct merged_step *step, const struct part *parts, size_t count, struct making *making)
{
	struct totals totals = { 0 };
	bool any_totals = false;
	int64_t nodes = parts[0].step->nodes;

	for (size_t i = 0; i < count; i++) {
		totals_add(&totals, &parts[i].step->totals, parts[i].node);
		any_totals |= parts[i].step->totals.known;
	}
	put_used(&totals, any_totals, parts, count, making, &step->step);
	step->empty = sums_known(&totals.sums, SUM_PROCESSES) && totals.sums.of[SUM_PROCESSES].value == 0 && nodes >= 0 &&
		      count >= (uint64_t)nodes;
}

static void build_step(struct merged_step *merged, const struct part *parts, size_t count, struct making *making)
{
	struct report_step *step = &merged->step;

	report_table_step()->forget(step);
	step->known = true;
	merged->id = parts[0].step->id;
	merged->start_ns = start_of_all(parts, count);
	step->id = report_copy(making->report, merged->id);
	put_times(making->report, step, parts, count);
	put_exit(step, parts, count);
	add_totals(merged, parts, count, making);
	step->nodes = parts[0].step->nodes;
	step->task_count = parts[0].step->task_count;
	make_tasks(making->report, parts, count, &step->tasks);
}

static size_t collect_parts(const struct record *const records[], size_t count, struct part *parts)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t s = 0; s < records[i]->steps.count; s++)
			if (records[i]->steps.items[s].id)
				parts[used++] = (struct part){ &records[i]->steps.items[s], record_node(records[i]) };
	return used;
}

static int compare_steps(const void *a, const void *b)
{
	const struct merged_step *one = a, *other = b;

	if (one->start_ns != other->start_ns)
		return one->start_ns < other->start_ns ? -1 : 1;
	return strcmp(one->id, other->id);
}

static bool is_id(const struct part *parts, size_t i, size_t first)
{
	return strcmp(parts[i].step->id, parts[first].step->id) == 0;
}

static size_t count_steps(const struct part *parts, size_t used)
{
	size_t count = 0;

	for (size_t i = 0; i < used; i++)
		count += i == 0 || !is_id(parts, i, i - 1);
	return count;
}

/* Does not list the extern step as empty, although it never has processes of the user. */
static void put_steps(struct report *report, const struct merged_step *steps, size_t count)
{
	struct report_texts *empty = &report->progress.steps_without_processes;

	REPORT_MAKE(report, &report->steps, count, step);
	for (size_t i = 0; i < report->steps.count; i++) {
		report->steps.items[i] = steps[i].step;
		if (steps[i].empty && strcmp(steps[i].id, "extern") != 0)
			report_add_text(report, empty, steps[i].step.id);
	}
	empty->known = true;
}

void merge_steps(const struct record *const records[], size_t count, struct making *making)
{
	cleanup_free struct part *parts = NULL;
	cleanup_free struct merged_step *steps = NULL;
	size_t room = 0, used = 0, distinct = 0, next;

	for (size_t i = 0; i < count; i++)
		room += records[i]->steps.count;
	parts = calloc(room + 1, sizeof(*parts));
	if (parts) {
		used = collect_parts(records, count, parts);
		qsort(parts, used, sizeof(*parts), compare_parts);
		steps = calloc(count_steps(parts, used) + 1, sizeof(*steps));
	}
	if (!steps)
		report_lacked(making->report);
	for (size_t i = 0; steps && i < used; i = next) {
		for (next = i; next < used && is_id(parts, next, i); next++)
			;
		build_step(&steps[distinct++], parts + i, next - i, making);
	}
	if (steps)
		qsort(steps, distinct, sizeof(*steps), compare_steps);
	put_steps(making->report, steps, distinct);
}

void merge_mark_timed_out(const struct report_step_list *steps, const struct record_slurm_job *slurm)
{
	const struct report_counts *ids = &slurm_job_or_unknown(slurm)->steps_timed_out;
	char id[24];

	for (size_t i = 0; i < ids->count; i++) {
		snprintf(id, sizeof(id), "%lld", (long long)ids->items[i]);
		for (size_t s = 0; s < steps->count; s++)
			if (report_text_is(steps->items[s].id, id))
				steps->items[s].timed_out = true;
	}
}
