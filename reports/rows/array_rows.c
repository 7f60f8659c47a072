/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rows/array_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/rows/row_ending.h"

#define TASKS_TEXT 160

/* Sums for which the row of the array has no members. */
struct sums {
	int64_t counts[ROW_ENDINGS];
	double cpu_s, cpus_s; /* only tasks with both values known */
	double gpu_hours;
	bool gpus; /* a task has GPU-hours */
	bool gpus_unknown; /* a task has GPUs, and its GPU-hours are not known */
};

static bool is_same_array(const struct summary *one, const struct summary *other)
{
	return one->array >= 0 && one->array == other->array; /* all rows are from one cluster */
}

static void count(struct sums *sums, const struct summary *row)
{
	sums->counts[row_ending_of(row)] += row_jobs(row);
	if (!isnan(row->cpu_s) && !isnan(row->cpus) && !isnan(row->elapsed_s)) {
		sums->cpu_s += row->cpu_s;
		sums->cpus_s += row->cpus * row->elapsed_s;
	}
	if (!isnan(row->gpu_hours)) {
		sums->gpu_hours += row->gpu_hours;
		sums->gpus = true;
	} else if (row->gpus > 0 && !isnan(row->elapsed_s)) {
		sums->gpus_unknown = true;
	}
}

static void swap_text(char **one, char **other)
{
	char *text = *one;

	*one = *other;
	*other = text;
}

/* The array gets the state of its task with the lowest rank. */
static int rank(const struct summary *row)
{
	static const int ranks[] = { [ROW_RUNS] = 0, [ROW_WAITS] = 1, [ROW_FAILED] = 2, [ROW_COMPLETED] = 3, [ROW_CANCELLED] = 4, [ROW_UNKNOWN] = 5 };

	return ranks[row_ending_of(row)];
}

static void take_state(struct summary *row, struct summary *task)
{
	if (rank(task) >= rank(row))
		return;
	swap_text(&row->state, &task->state);
	swap_text(&row->reason, &task->reason);
	swap_text(&row->outcome, &task->outcome);
	row->so_far = task->so_far;
	row->exit_code = task->exit_code;
	row->signal = task->signal;
}

/* If tasks have different verdicts, no single word is right, so the row's word becomes "". */
static void take_bound(struct summary *row, struct summary *task)
{
	if (!row->bound)
		swap_text(&row->bound, &task->bound);
	else if (task->bound && strcmp(row->bound, task->bound) != 0)
		strcpy(row->bound, "");
}

static void take_memory(struct summary *row, const struct summary *task)
{
	if (isnan(task->memory_used) || row->memory_used >= task->memory_used)
		return;
	row->memory_used = task->memory_used;
	row->memory_efficiency = task->memory_efficiency;
	row->memory_requested = task->memory_requested;
}

static void take_time(struct summary *row, struct summary *task)
{
	if (task->start && (!row->start || strcmp(task->start, row->start) < 0))
		swap_text(&row->start, &task->start);
	if (isnan(task->elapsed_s) || row->elapsed_s >= task->elapsed_s)
		return;
	row->elapsed_s = task->elapsed_s;
	row->limit_s = task->limit_s;
}

static void take_findings(struct summary *row, struct summary *task)
{
	if (task->severity <= row->severity)
		return;
	swap_text(&row->findings, &task->findings);
	row->severity = task->severity;
}

static void join(struct summary *row, struct summary *task)
{
	row->complete = row->complete && task->complete;
	take_state(row, task);
	take_bound(row, task);
	take_memory(row, task);
	take_time(row, task);
	take_findings(row, task);
	if (!row->path)
		swap_text(&row->path, &task->path);
	summary_free(task);
}

static char *tasks_text(const struct sums *sums)
{
	static const char *const words[] = {
		[ROW_COMPLETED] = "ok", [ROW_FAILED] = "failed", [ROW_CANCELLED] = "cancelled", [ROW_RUNS] = "running", [ROW_WAITS] = "waiting", [ROW_UNKNOWN] = "unknown",
	};
	char text[TASKS_TEXT] = "";
	size_t length = 0;

	for (size_t i = 0; i < ROW_ENDINGS; i++)
		if (sums->counts[i])
			length += snprintf(text + length, sizeof(text) - length, "%s%" PRId64 " %s", length ? ", " : "", sums->counts[i],
					   words[i]);
	return strdup(text);
}

static void finish(struct summary *row, const struct sums *sums)
{
	row->id = row->array;
	row->array = row->task = -1;
	row->attempt = 1;
	row->tasks = tasks_text(sums);
	row->cpu_efficiency = sums->cpus_s > 0 ? sums->cpu_s / sums->cpus_s : NAN;
	row->cpu_s = sums->cpu_s;
	row->cpus = row->gpus = NAN;
	row->gpu_hours = sums->gpus && !sums->gpus_unknown ? sums->gpu_hours : NAN;
}

static void join_one(struct rows *rows, size_t first)
{
	struct summary *row = &rows->list[first];
	struct sums sums = { 0 };
	size_t kept = first + 1, joined = 0;

	count(&sums, row);
	for (size_t i = first + 1; i < rows->count; i++) {
		if (is_same_array(row, &rows->list[i])) {
			count(&sums, &rows->list[i]);
			join(row, &rows->list[i]);
			joined++;
		} else {
			rows->list[kept++] = rows->list[i];
		}
	}
	rows->count = kept;
	if (joined || row_waits_together(row))
		finish(row, &sums);
}

void rows_join_arrays(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].array >= 0)
			join_one(rows, i);
}
