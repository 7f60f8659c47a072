/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/records/record_parts.h"
#include "reports/records/sums.h"

struct tool {
	const struct record_tool *first; /* of the first record, for the names */
	int64_t container; /* its place in the report; -1: none */
	struct sums sums;
	int64_t runs, forks, failures, signals, wall_ns;
	int64_t dismissed, dismissed_known; /* dismissed_known: number of records that know it */
	int64_t living; /* -1: the job has ended */
	bool wall_known;
	int64_t records;
	int64_t mapped_bytes; /* peak_bytes - used_peak_bytes; 0: not known */
	int64_t peak_bytes, used_peak_bytes; /* with and without mapped files; 0: not known */
	int64_t threads_peak;
	int64_t openmp, blas, moved_out; /* numbers of processes */
	int64_t first_start_ns, last_end_ns; /* 0: not known */
};

static int compare_texts(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "");
}

static int compare_counts(int64_t one, int64_t other)
{
	return (one > other) - (one < other);
}

static int compare_identity(const void *a, const void *b)
{
	const struct record_tool *one = ((const struct tool *)a)->first, *other = ((const struct tool *)b)->first;
	int order = compare_texts(one->name, other->name);

	if (!order)
		order = compare_texts(one->interpreter, other->interpreter);
	if (!order)
		order = compare_texts(one->path, other->path);
	if (!order)
		order = compare_texts(one->interpreter_path, other->interpreter_path);
	if (!order)
		order = compare_texts(one->image, other->image);
	if (!order)
		order = one->slurm - other->slurm;
	if (!order)
		order = compare_counts(((const struct tool *)a)->container, ((const struct tool *)b)->container);
	return order ? order : one->job_script - other->job_script;
}

static int compare_cpu(const void *a, const void *b)
{
	const struct tool *one = a, *other = b;

	int64_t one_ns = one->sums.of[SUM_CPU].value, other_ns = other->sums.of[SUM_CPU].value;

	if (one_ns != other_ns)
		return one_ns > other_ns ? -1 : 1;
	if (one->wall_ns != other->wall_ns)
		return one->wall_ns > other->wall_ns ? -1 : 1;
	return compare_identity(a, b);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t known_or_zero(int64_t count)
{
	return larger(count, 0);
}

/* A tool cannot have used more than the job was charged with. */
static int64_t used_peak_of(const struct record_tool *from, int64_t charged)
{
	int64_t used = known_or_zero(from->used_peak_bytes);

	return charged >= 0 && charged < used ? charged : used;
}

/* @charged: charged peak of the job's cgroup on the node; -1: not known */
static void read_tool(const struct record_tool *from, const char *node, int64_t charged, struct tool *tool)
{
	*tool = (struct tool){
		.first = from,
		.runs = known_or_zero(from->runs),
		.forks = known_or_zero(from->forks),
		.failures = known_or_zero(from->failures),
		.signals = known_or_zero(from->signals),
		.records = 1,
		.dismissed_known = from->dismissed >= 0,
		.dismissed = known_or_zero(from->dismissed),
		.living = from->living,
		.wall_known = from->wall_ns >= 0,
		.wall_ns = known_or_zero(from->wall_ns),
		.peak_bytes = known_or_zero(from->peak_bytes),
		.used_peak_bytes = used_peak_of(from, charged),
		.threads_peak = known_or_zero(from->threads_peak),
		.openmp = known_or_zero(from->openmp_processes),
		.blas = known_or_zero(from->blas_processes),
		.moved_out = known_or_zero(from->moved_out),
		.first_start_ns = known_or_zero(from->first_start_unix_ns),
		.last_end_ns = known_or_zero(from->last_end_unix_ns),
	};
	sums_add_use(&tool->sums, &from->use, node);
	if (tool->used_peak_bytes > 0)
		tool->mapped_bytes = tool->peak_bytes - tool->used_peak_bytes;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

/* Returns 0 if the used peak of one tool is not known. */
static int64_t join_used_peaks(const struct tool *a, const struct tool *b)
{
	if ((a->peak_bytes && !a->used_peak_bytes) || (b->peak_bytes && !b->used_peak_bytes))
		return 0;
	return larger(a->used_peak_bytes, b->used_peak_bytes);
}

static void join_tool(struct tool *tool, const struct tool *other)
{
	tool->used_peak_bytes = join_used_peaks(tool, other);
	tool->mapped_bytes = larger(tool->mapped_bytes, other->mapped_bytes);
	tool->runs = count_sum(tool->runs, other->runs);
	tool->forks = count_sum(tool->forks, other->forks);
	tool->failures = count_sum(tool->failures, other->failures);
	tool->signals = count_sum(tool->signals, other->signals);
	tool->dismissed = count_sum(tool->dismissed, other->dismissed);
	tool->dismissed_known += other->dismissed_known;
	tool->records += other->records;
	tool->wall_known &= other->wall_known;
	if (other->living > 0)
		tool->living = count_sum(tool->living > 0 ? tool->living : 0, other->living);
	tool->wall_ns = count_sum(tool->wall_ns, other->wall_ns);
	sums_join(&tool->sums, &other->sums);
	tool->peak_bytes = larger(tool->peak_bytes, other->peak_bytes);
	tool->threads_peak = larger(tool->threads_peak, other->threads_peak);
	tool->openmp = count_sum(tool->openmp, other->openmp);
	tool->blas = count_sum(tool->blas, other->blas);
	tool->moved_out = count_sum(tool->moved_out, other->moved_out);
	tool->first_start_ns = earlier(tool->first_start_ns, other->first_start_ns);
	tool->last_end_ns = larger(tool->last_end_ns, other->last_end_ns);
}

static void put_names(const struct tool *tool, const struct merge_script *script, struct report *report, struct report_tool *out)
{
	out->name = report_copy(report, merge_name_of_tool(tool->first, script));
	out->interpreter = report_copy(report, tool->first->interpreter);
	out->path = report_copy(report, tool->first->path);
	out->interpreter_path = report_copy(report, tool->first->interpreter_path);
	out->image = report_copy(report, tool->first->image);
	out->runtime = tool->first->runtime;
	out->container = tool->container;
	out->slurm = (struct report_flag){ true, tool->first->slurm };
	out->job_script = merge_is_script(tool->first, script);
}

static void put_runs(const struct tool *tool, struct report_tool *out)
{
	out->runs = tool->runs;
	out->forks = tool->forks;
	out->failures = tool->failures;
	out->signals = tool->signals;
	if (tool->wall_known)
		out->wall_s.ns = tool->wall_ns;
}

static const char *copy_time(struct report *report, int64_t ns)
{
	char text[TIME_TEXT];

	return ns ? report_copy(report, time_text(ns, text)) : NULL;
}

static int64_t known_if_any(int64_t value)
{
	return value ? value : REPORT_UNKNOWN;
}

static void put_numbers(const struct tool *tool, struct report_tool *out)
{
	if (tool->dismissed_known == tool->records)
		out->dismissed = tool->dismissed;
	if (tool->living >= 0)
		out->living = tool->living;
	out->peak_bytes = known_if_any(tool->peak_bytes);
	out->used_peak_bytes = known_if_any(tool->used_peak_bytes);
	if (tool->wall_known)
		out->threads_peak = tool->threads_peak;
	out->openmp_processes = known_if_any(tool->openmp);
	out->blas_processes = known_if_any(tool->blas);
	out->moved_out = known_if_any(tool->moved_out);
	sums_put(&tool->sums, SUM_IN_USED, &out->uses);
	out->states.known = sums_put(&tool->sums, SUM_IN_STATES, &out->states.state_times);
}

static void put_tool(const struct tool *tool, const struct merge_script *script, struct report *report, struct report_tool *out)
{
	put_names(tool, script, report, out);
	put_runs(tool, out);
	put_numbers(tool, out);
	out->first_start = copy_time(report, tool->first_start_ns);
	out->last_end = copy_time(report, tool->last_end_ns);
}

static size_t collect_tools(const struct record *const records[], size_t count, struct report *report,
			    struct tool *tools)
{
	struct map containers = { 0 };
	size_t used = 0;

	merge_container_places(report, &containers);
	for (size_t i = 0; i < count; i++) {
		const struct record_tool_list *list = &records[i]->tools;

		for (size_t t = 0; t < list->count; t++) {
			if (!list->items[t].name)
				continue;
			read_tool(&list->items[t], record_node(records[i]), records[i]->totals.memory_charged_peak_bytes, &tools[used]);
			tools[used++].container = merge_container(&containers, records[i], list->items[t].container);
		}
	}
	map_free(&containers);
	return used;
}

static size_t join_tools(struct tool *tools, size_t used)
{
	size_t distinct = 0;

	qsort(tools, used, sizeof(*tools), compare_identity);
	for (size_t i = 0; i < used; i++) {
		if (distinct > 0 && compare_identity(&tools[distinct - 1], &tools[i]) == 0)
			join_tool(&tools[distinct - 1], &tools[i]);
		else
			tools[distinct++] = tools[i];
	}
	qsort(tools, distinct, sizeof(*tools), compare_cpu);
	return distinct;
}

void merge_tools(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		 int64_t *mapped)
{
	cleanup_free struct tool *tools = NULL;
	size_t room = 0, distinct = 0;

	for (size_t i = 0; i < count; i++)
		room += records[i]->tools.count;
	tools = calloc(room + 1, sizeof(*tools));
	if (tools)
		distinct = join_tools(tools, collect_tools(records, count, report, tools));
	else
		report_lacked(report);
	for (size_t i = 0; i < distinct; i++)
		if (!tools[i].first->slurm)
			*mapped = larger(*mapped, tools[i].mapped_bytes);
	REPORT_MAKE(report, &report->tools, distinct, tool);
	for (size_t i = 0; i < report->tools.count; i++)
		put_tool(&tools[i], script, report, &report->tools.items[i]);
}
