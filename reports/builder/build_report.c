/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/build_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/json_writer.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/builder/report_cores.h"
#include "reports/builder/report_file_systems.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_gpus.h"
#include "reports/builder/report_gpus_allocated.h"
#include "reports/builder/report_gpus_opened.h"
#include "reports/builder/report_job.h"
#include "reports/builder/report_nodes.h"
#include "reports/builder/report_oom.h"
#include "reports/builder/report_progress.h"
#include "reports/builder/report_series.h"
#include "reports/builder/report_states.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"
#include "reports/model/report_gaps.h"
#include "reports/model/report_make.h"
#include "reports/records/making.h"
#include "reports/records/merge.h"
#include "reports/records/record.h"
#include "reports/records/record_parts.h"
#include "reports/records/report_totals.h"
#include "reports/verdict/verdict.h"

#define GIB (1024.0 * 1024 * 1024)
#define S_PER_H 3600.0
#define CLOSED_EARLY_S 30 /* seconds; the clocks of two nodes differ by less */

struct work {
	const struct build_input *input;
	const struct record_slurm_job *slurm; /* never NULL */
	struct build_input active; /* input without nodes on which no step ran */
	struct making making; /* has no list of gaps in a report for a row */
	struct job_span span;
	bool elapsed_known;
	double elapsed_s;
	int64_t cpus; /* allocated; 0: not known */
	int64_t cores; /* cores that the job was bound to, from hwloc; 0: not known */
	bool shrunk; /* the job gave back nodes while it ran */
	struct report_entry_list judged;
};

static size_t node_count(const struct build_input *input)
{
	return input->record_count + input->missing_count;
}

#define SUM_ALLOCATED(input, member) sum_allocated(input, offsetof(struct record_allocated, member))

static int64_t sum_allocated(const struct build_input *input, size_t place)
{
	int64_t sum = 0;

	for (size_t i = 0; i < input->record_count; i++) {
		int64_t count = *(const int64_t *)((const char *)&input->records[i]->allocated + place);

		if (count < 0)
			return REPORT_UNKNOWN;
		sum = count_sum(sum, count);
	}
	return sum;
}

static bool count_cores(const struct build_input *input, int64_t *cores)
{
	int64_t count;

	*cores = 0;
	for (size_t i = 0; i < input->record_count; i++) {
		if (!cores_count(input->records[i], &count))
			return false;
		*cores += count;
	}
	return *cores > 0;
}

static bool product(int64_t a, int64_t b, int64_t *result)
{
	return !__builtin_mul_overflow(a, b, result) && *result > 0;
}

/* Finds the bytes requested for the whole job. Returns where the number comes from; NULL if unknown. */
static const char *requested_memory(const struct work *work, int64_t nodes, int64_t *bytes)
{
	const struct record_slurm_job *slurm = work->slurm;
	int64_t per = 1;
	bool whole;

	if (take_count(slurm->memory_per_node_bytes, &per) && product(per, nodes, bytes))
		return "per node";
	if (take_count(slurm->memory_per_cpu_bytes, &per) && slurm->cpus >= 0 && product(per, slurm->cpus, bytes))
		return "per cpu";
	whole = per == 0; /* a job that asks for 0 gets all memory of a node */
	*bytes = slurm->allocated_memory_bytes;
	if (*bytes > 0)
		return whole ? "all of the node" : "allocated by Slurm";
	*bytes = SUM_ALLOCATED(work->input, memory_bytes);
	if (*bytes > 0)
		return whole ? "all of the node" : "allocated on the nodes";
	return NULL;
}

static void put_requested(struct work *work, struct report_requested *out)
{
	const struct build_input *input = work->input;
	const struct record_slurm_job *slurm = work->slurm;
	int64_t bytes;

	out->known = true;
	/* Slurm may have allocated more than the request: whole cores or whole nodes. */
	out->cpus = slurm->requested_cpus >= 0 ? slurm->requested_cpus : slurm->cpus;
	if (out->cpus < 0)
		job_gap(input, &work->making, REPORT_PATH(requested.cpus));
	out->nodes = slurm->nodes >= 0 ? slurm->nodes : (int64_t)node_count(input);
	out->tasks = slurm->tasks;
	out->memory_source = requested_memory(work, out->nodes, &bytes);
	if (out->memory_source) {
		out->memory_bytes = bytes;
		if (strcmp(out->memory_source, "per cpu") == 0)
			out->memory_per_cpu_bytes = slurm->memory_per_cpu_bytes;
		out->memory_by_default = slurm->memory_by_default;
	} else {
		job_gap(input, &work->making, REPORT_PATH(requested.memory_bytes));
	}
	out->time_limit_s = slurm->time_limit_s;
	if (out->time_limit_s == REPORT_UNKNOWN)
		job_gap(input, &work->making, REPORT_PATH(requested.time_limit_s));
}

#define RATIO_PARTS 1e6 /* as JSON_RATIO writes it */
#define RATIO_NEAR 1e-6 /* so near to the middle between two parts, RATIO_PARTS * ratio may be on its wrong side */

/* Rounds in the same way as a written report: a report that is read again must give the same results. */
static double rounded(double ratio)
{
	double parts = RATIO_PARTS * ratio, whole = floor(parts + 0.5);
	char text[340];

	if (parts >= 0 && parts < RATIO_PARTS && fabs(fabs(parts - whole) - 0.5) > RATIO_NEAR)
		return whole / RATIO_PARTS;
	snprintf(text, sizeof(text), JSON_RATIO, ratio);
	return strtod(text, NULL);
}

static void put_allocated(struct work *work, struct report_allocated *out)
{
	const struct build_input *input = work->input;
	const struct record_slurm_job *slurm = work->slurm;
	bool whole = input->missing_count == 0 && !work->shrunk;

	out->known = true;
	/*
	 * If a node has no record, the report lacks its usage. The allocation must then leave out this node, too.
	 * If the job gave back nodes, Slurm has only the allocation at the end.
	 */
	out->cpus = whole && slurm->cpus >= 0 ? slurm->cpus : SUM_ALLOCATED(input, cpus);
	if (!take_count(out->cpus, &work->cpus))
		making_gap(&work->making, REPORT_PATH(allocated.cpus), "neither Slurm nor the node records have it");
	if (count_cores(input, &work->cores))
		out->cores = work->cores;
	else
		making_gap(&work->making, REPORT_PATH(allocated.cores), "the node records do not have it");
	out->memory_bytes = whole && slurm->allocated_memory_bytes > 0 ? slurm->allocated_memory_bytes :
									      SUM_ALLOCATED(input, memory_bytes);
	if (out->memory_bytes < 0)
		making_gap(&work->making, REPORT_PATH(allocated.memory_bytes), "neither Slurm nor the node records have it");
	gpus_allocated_put(slurm, input->records, input->record_count, work->making.report);
	if (out->gpus > 0 && work->elapsed_known)
		out->gpu_hours = rounded((double)out->gpus * work->elapsed_s / 3600);
	out->nodes = (int64_t)node_count(input);
	out->node_list = report_copy(work->making.report, input->records[0]->node_list);
	out->exclusive = slurm->exclusive;
}

/* Returns why the CPU efficiency is not known, or NULL. @given_s: the allocated CPU time. */
static const char *cpu_use_unknown(const struct work *work, const struct totals *totals, double given_s)
{
	if (!sums_known(&totals->sums, SUM_CPU))
		return "used.cpu_s is not known";
	if (!work->elapsed_known)
		return "job.elapsed_s is not known";
	if (work->cpus == 0)
		return "allocated.cpus is not known";
	if (work->shrunk)
		return "the job gave back nodes while it ran";
	return given_s <= 0 ? "the job took no time that could be measured" : NULL;
}

static void put_cpu_use(struct work *work, const struct totals *totals, struct report_used *out)
{
	double cpu_s = (double)totals->sums.of[SUM_CPU].value / NS_PER_S, given_s = work->elapsed_s * work->cpus;
	const char *unknown = cpu_use_unknown(work, totals, given_s);

	if (unknown) {
		making_gap(&work->making, REPORT_PATH(used.cpu_efficiency), unknown);
	} else {
		out->cpu_efficiency = rounded(cpu_s < given_s ? cpu_s / given_s : 1);
		out->cpu_wasted_core_hours = rounded(cpu_s < given_s ? (given_s - cpu_s) / S_PER_H : 0);
		out->cores_busy = rounded(cpu_s / work->elapsed_s);
	}
	if (work->cores)
		out->cores_bound = work->cores;
}

static const char *scope_of(const struct work *work, const struct peak *peak)
{
	char text[320];

	if (node_count(work->input) < 2 || !peak->known)
		return NULL;
	snprintf(text, sizeof(text), "node with the highest peak: %s", peak->node);
	return report_copy(work->making.report, utf8_finish(text));
}

/* Works like node_memory(), for a report that has no nodes yet. @allocated: bytes on one node; may be unknown. */
static double given_memory(const struct report *report, int64_t allocated)
{
	const struct report_requested *requested = &report->requested;
	double given = report_number(allocated);

	if (given > 0 && requested->memory_source && strcmp(requested->memory_source, "per node") != 0)
		return given;
	return fact_ratio(report_number(requested->memory_bytes), report_number(requested->nodes));
}

/* Sums over all nodes: allocated bytes minus the node's own peak. */
static double wasted_memory(const struct work *work)
{
	double wasted = 0;

	for (size_t i = 0; i < work->input->record_count; i++) {
		const struct record *record = work->input->records[i];
		double given = given_memory(work->making.report, record->allocated.memory_bytes);
		int64_t used = 0;

		if ((record_unused(record) || totals_memory_used_peak(&record->totals, &used)) && (double)used < given)
			wasted += given - (double)used;
	}
	return wasted;
}

static double memory_at_peak(const struct work *work, const struct totals *totals)
{
	const struct build_input *input = work->input;

	for (size_t i = 0; i < input->record_count; i++)
		if (strcmp(record_node(input->records[i]), totals->memory_used.node) == 0)
			return given_memory(work->making.report, input->records[i]->allocated.memory_bytes);
	return given_memory(work->making.report, REPORT_UNKNOWN);
}

static void put_memory_use(struct work *work, const struct totals *totals, struct report_used *out)
{
	double given;

	if (!totals_knows_peak(totals, &totals->memory_used)) {
		making_gap(&work->making, REPORT_PATH(used.memory_efficiency), "used.memory_used_peak_bytes is not known");
		return;
	}
	given = memory_at_peak(work, totals);
	if (!(given > 0)) {
		making_gap(&work->making, REPORT_PATH(used.memory_efficiency), "requested.memory_bytes is not known");
		return;
	}
	out->memory_efficiency = rounded((double)totals->memory_used.value / given);
	if (work->elapsed_known && !work->shrunk)
		out->memory_wasted_gib_hours = rounded(wasted_memory(work) / GIB * work->elapsed_s / S_PER_H);
}

/* Adds the records of nodes that ran a step. If no node ran a step, adds all records: the job used nothing. */
static void add_totals(const struct work *work, struct totals *totals)
{
	const struct build_input *input = work->active.record_count ? &work->active : work->input;

	for (size_t i = 0; i < input->record_count; i++)
		totals_add(totals, &input->records[i]->totals, record_node(input->records[i]));
}

static void put_used(struct work *work, const struct totals *totals, struct report_used *out)
{
	out->known = true;
	totals_put_used(totals, &out->totals, &out->network, &work->making);
	put_cpu_use(work, totals, out);
	put_memory_use(work, totals, out);
	out->memory_scope = scope_of(work, &totals->memory_used);
	out->memory_charged_scope = scope_of(work, &totals->memory_charged);
	out->threads_scope = scope_of(work, &totals->threads);
	file_systems_put(work->active.records, work->active.record_count, &out->file_systems, &work->making);
}

static void add_lost(struct report *report, const char *name, int64_t count)
{
	struct report_count_map *lost = &report->lost;

	for (size_t i = 0; i < lost->count; i++)
		if (report_text_is(lost->items[i].name, name)) {
			lost->items[i].value = count_sum(lost->items[i].value, count);
			return;
		}
	if (lost->count < RECORD_LOST_MAX)
		report_add_count(report, lost, report_copy(report, name), count);
}

static void put_lost(const struct build_input *input, struct report *report)
{
	static const char *const always[] = { "process_records", "tools", "tasks" };

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		add_lost(report, always[i], 0);
	for (size_t i = 0; i < input->record_count; i++) {
		const struct report_count_map *from = &input->records[i]->lost;

		for (size_t l = 0; l < from->count; l++)
			if (from->items[l].value >= 0)
				add_lost(report, from->items[l].name, from->items[l].value);
	}
}

static bool all_complete(const struct build_input *input)
{
	if (input->missing_count > 0 || input->running)
		return false;
	for (size_t i = 0; i < input->record_count; i++)
		if (!input->records[i]->complete)
			return false;
	return true;
}

static void collect_gaps(const struct build_input *input, struct making *making)
{
	for (size_t i = 0; i < input->missing_count; i++)
		making_gapf(making, "nodes", "%s: %s", input->missing[i].node, input->missing[i].reason);
	for (size_t i = 0; i < input->record_count; i++)
		making_add_gaps(making, &input->records[i]->gaps,
				node_count(input) > 1 ? record_node(input->records[i]) : NULL);
}

/* Copies only gaps about uncounted processes. Findings look for no other gaps. */
static void collect_used_gaps(const struct build_input *input, struct report *report)
{
	for (size_t i = 0; i < input->record_count; i++)
		for (size_t g = 0; g < input->records[i]->gaps.count; g++)
			if (report_text_is(input->records[i]->gaps.items[g].name, "used"))
				report_add_gap(report, "used", input->records[i]->gaps.items[g].reason);
}

static void put_moved_out(const struct build_input *input, struct report *report)
{
	struct report_moved_out *out = &report->moved_out;
	int64_t first_ns = INT64_MAX;
	char text[TIME_TEXT];

	for (size_t i = 0; i < input->record_count; i++) {
		const struct record_moved_out *from = &input->records[i]->moved_out;

		if (!from->known || from->processes < 0)
			continue;
		out->processes = out->known ? count_sum(out->processes, from->processes) : from->processes;
		out->known = true;
		if (from->first_unix_ns > 0 && from->first_unix_ns < first_ns)
			first_ns = from->first_unix_ns;
	}
	if (first_ns < INT64_MAX)
		out->first = report_copy(report, time_text(first_ns, text));
}

static const char *mode_of(const struct build_input *input)
{
	const char *mode = input->records[0]->mode;

	return mode ? mode : "timeline";
}

/* Returns true if the job gave back nodes. Adds a gap if the report lacks these nodes. */
static bool find_shrunk(struct work *work)
{
	const struct build_input *input = work->input;
	int64_t closed = input->records[0]->collector.closed_unix_ns;
	int64_t at_start = 0, at_end = work->slurm->nodes, nodes = (int64_t)node_count(input);

	if (input->running)
		return false;
	for (size_t i = 0; i < input->record_count; i++)
		if (record_nodes_at_start(input->records[i]) > at_start)
			at_start = record_nodes_at_start(input->records[i]);
	if (at_start > nodes) {
		making_gapf(&work->making, "nodes", "the job began on %lld nodes: %lld nodes that it gave back, or that failed, left "
						    "no record here", (long long)at_start, (long long)(at_start - nodes));
		work->making.report->complete.value = false;
	}
	return at_start > nodes ||
	       (at_start > 0 && at_end >= 0 && at_end < at_start && closed >= 0 && !job_is_later(work->slurm, closed));
}

/*
 * Adds a gap for each node whose record was closed long before the job's end.
 * stint_contain.so takes the end of the extern step for the end of the job, but a signal may have ended the step.
 */
static void find_closed_early(struct work *work)
{
	const struct build_input *input = work->input;
	int64_t end_s = work->slurm->end_unix_s;

	if (work->shrunk || input->running || end_s < 0)
		return;
	for (size_t i = 0; i < input->record_count; i++) {
		const struct record *record = input->records[i];
		int64_t closed = record->collector.closed_unix_ns;

		if (closed < 0 || job_is_later(work->slurm, closed) || closed / NS_PER_S >= end_s - CLOSED_EARLY_S)
			continue;
		making_gapf(&work->making, "nodes", "%s: the extern step ended %lld s before the job, as it does after a signal to "
						    "all steps: what ran on the node later is missing", record_node(record),
			    (long long)(end_s - closed / NS_PER_S));
		work->making.report->complete.value = false;
	}
}

static void put_head(struct work *work, struct report *report)
{
	const struct build_input *input = work->input;

	report->schema = REPORT_SCHEMA;
	report->stint_version = PACKAGE_VERSION;
	report->complete = (struct report_flag){ true, all_complete(input) };
	report->so_far = input->running;
	report->gaps.known = !input->for_row;
	if (input->for_row)
		collect_used_gaps(input, report);
	else
		collect_gaps(input, &work->making);
	if (job_unseen(input, &work->making))
		report->complete.value = false;
	work->shrunk = find_shrunk(work);
	find_closed_early(work);
	put_lost(input, report);
	put_moved_out(input, report);
	report->mode = report_copy(report, mode_of(input));
}

static void put_sums(struct work *work, struct report *report)
{
	const struct build_input *input = work->input;
	struct totals totals = { 0 };

	work->elapsed_known = job_put(input, &report->job, &work->making, &work->span);
	work->elapsed_s = (double)work->span.elapsed_ns / NS_PER_S;
	put_requested(work, &report->requested);
	put_allocated(work, &report->allocated);
	add_totals(work, &totals);
	put_used(work, &totals, &report->used);
	report->states.known = true;
	states_put(&totals.sums, work->active.records, work->active.record_count, input->for_row != NULL, &report->states,
		   &work->making);
}

static void put_timeline(struct work *work, const struct merge_script *script, struct report *report)
{
	const struct build_input *input = work->input;

	report->timeline.known = true;
	if (strcmp(mode_of(input), "summary") != 0)
		merge_timeline(input->records, input->record_count, script, report, &work->judged);
}

/* A step of a running job may lack values. This is no gap. */
static void put_steps(struct work *work, struct report *report)
{
	const struct build_input *input = work->input;
	struct making silent = { .report = report };

	merge_steps(input->records, input->record_count, input->running ? &silent : &work->making);
	merge_mark_timed_out(&report->steps, work->slurm);
}

static void put_lists(struct work *work, struct report *report)
{
	const struct build_input *input = work->input, *active = &work->active;
	struct merge_script script;
	int64_t mapped = 0;

	merge_find_script(work->slurm, report->job.id < 0 ? 0 : report->job.id, &script);
	oom_put(active->records, active->record_count, &script, &work->making);
	gpus_put(active->records, active->record_count, input->missing_count > 0, &script, report->allocated.gpus, &work->making);
	gpus_opened_put(active->records, active->record_count, input->missing_count > 0, &script, &work->making);
	report->progress.known = true;
	merge_containers(input->records, input->record_count, report);
	merge_tools(input->records, input->record_count, &script, report, &mapped);
	oom_count_forks(report);
	if (mapped > 0)
		report->used.memory_mapped_peak_bytes = mapped;
	put_timeline(work, &script, report);
	put_steps(work, report);
	progress_put(active, &work->span, &script, &report->progress, &work->making);
	progress_put_cores(input, &report->progress, &work->making);
	nodes_put(input, report);
	if (!input->for_row)
		files_put(active->records, active->record_count, &work->making);
	series_put(active->records, active->record_count, &work->making);
}

static void find_active(struct work *work, const struct record **records)
{
	work->active = *work->input;
	work->active.records = records;
	work->active.record_count = 0;
	for (size_t i = 0; i < work->input->record_count; i++)
		if (!record_unused(work->input->records[i]))
			records[work->active.record_count++] = work->input->records[i];
}

static bool has_line(const struct build_input *input)
{
	for (size_t i = 0; i < input->record_count; i++)
		if (input->records[i]->of_line)
			return true;
	return false;
}

/*
 * Adds verdict and findings, which need all other parts.
 * A store line's timeline has few entries, and does not show what ran at a given moment. So it is left out.
 */
static void judge(struct work *work, struct report *report)
{
	const struct report_entry_list whole = report->timeline, none = { .known = true };

	report->timeline = work->judged;
	report->timeline.known = true;
	if (work->input->for_row)
		verdict_put_codes(report, work->input->rules, work->input->for_row);
	else
		verdict_put(report, has_line(work->input) ? &none : &whole, work->input->rules);
	report->timeline = whole;
}

struct report *build_report(const struct build_input *input)
{
	cleanup_free const struct record **active = calloc(input->record_count, sizeof(*active));
	struct report *report = active ? report_new(NULL) : NULL;
	struct work work = { .input = input, .slurm = slurm_job_or_unknown(input->slurm) };

	if (!report)
		return NULL;
	work.making.report = report;
	work.making.gaps = input->for_row ? NULL : &report->gaps;
	find_active(&work, active);
	put_head(&work, report);
	put_sums(&work, report);
	put_lists(&work, report);
	making_end(&work.making);
	judge(&work, report);
	if (!report_lacks_memory(report))
		return report;
	report_free(report);
	return NULL;
}
