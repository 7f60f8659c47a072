/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/build_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/builder/report_cores.h"
#include "reports/builder/report_file_systems.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_job.h"
#include "reports/builder/report_nodes.h"
#include "reports/builder/report_oom.h"
#include "reports/builder/report_progress.h"
#include "reports/builder/report_series.h"
#include "reports/builder/report_states.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/records/merge.h"
#include "reports/records/record_input.h"
#include "reports/records/report_totals.h"
#include "reports/rules/node_memory.h"
#include "reports/verdict/verdict.h"

#define GIB (1024.0 * 1024 * 1024)
#define S_PER_H 3600.0
#define CLOSED_EARLY_S 30 /* more than clocks of two nodes are apart */

/* What one part of the report needs from the others. */
struct work {
	const struct build_input *input;
	struct build_input active; /* the same, without the nodes on which the job ran no step */
	struct json_object *gaps; /* NULL: for a row, nobody reads them */
	struct job_span span;
	bool elapsed_known;
	double elapsed_s;
	int64_t cpus;                      /* allocated; 0: not known */
	int64_t cores;                     /* the cores that the job was bound to, by hwloc; 0: not known */
	bool shrunk; /* it gave back nodes while it ran: what it was given changed */
};

static size_t node_count(const struct build_input *input)
{
	return input->record_count + input->missing_count;
}

/* Adds up one field over the records; false when a record lacks it. */
static bool sum_records(const struct build_input *input, const char *name, int64_t *sum)
{
	int64_t value;

	*sum = 0;
	for (size_t i = 0; i < input->record_count; i++) {
		if (!field_count(input->records[i], name, &value))
			return false;
		*sum = count_sum(*sum, value);
	}
	return true;
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

/* ---- requested and allocated ---- */

static bool product(int64_t a, int64_t b, int64_t *result)
{
	return !__builtin_mul_overflow(a, b, result) && *result > 0;
}

/* Finds the memory requested for the whole job, in bytes. Returns the word for where the number comes from, or NULL. */
static const char *requested_memory(const struct build_input *input, int64_t nodes, int64_t *bytes)
{
	int64_t per = 1, cpus;
	bool whole;

	if (field_count(input->slurm, "memory_per_node_bytes", &per) && product(per, nodes, bytes))
		return "per node";
	if (field_count(input->slurm, "memory_per_cpu_bytes", &per) && field_count(input->slurm, "cpus", &cpus) &&
	    product(per, cpus, bytes))
		return "per cpu";
	whole = per == 0; /* a request for 0 is one for all that a node has */
	if (field_count(input->slurm, "allocated_memory_bytes", bytes) && *bytes > 0)
		return whole ? "all of the node" : "allocated by Slurm";
	if (sum_records(input, "allocated.memory_bytes", bytes) && *bytes > 0)
		return whole ? "all of the node" : "allocated on the nodes";
	return NULL;
}

static void put_requested(struct work *work, struct json_object *out)
{
	const struct build_input *input = work->input;
	int64_t value, nodes = node_count(input);
	const char *source;

	/* Slurm may have allocated more than was requested: whole cores, whole nodes. */
	if (field_count(input->slurm, "requested_cpus", &value) || field_count(input->slurm, "cpus", &value))
		put_count(out, "cpus", value);
	else
		job_gap(input, work->gaps, "requested.cpus");
	field_count(input->slurm, "nodes", &nodes);
	put_count(out, "nodes", nodes);
	if (field_count(input->slurm, "tasks", &value))
		put_count(out, "tasks", value);
	source = requested_memory(input, nodes, &value);
	if (source) {
		put_count(out, "memory_bytes", value);
		put_text(out, "memory_source", source);
		if (strcmp(source, "per cpu") == 0 && field_count(input->slurm, "memory_per_cpu_bytes", &value))
			put_count(out, "memory_per_cpu_bytes", value);
		if (field_true(input->slurm, "memory_by_default"))
			put_flag(out, "memory_by_default", true);
	} else {
		job_gap(input, work->gaps, "requested.memory_bytes");
	}
	if (field_count(input->slurm, "time_limit_s", &value))
		put_count(out, "time_limit_s", value);
	else if (input->slurm && json_object_object_get_ex(input->slurm, "time_limit_s", NULL))
		put_null(out, "time_limit_s");
	else
		job_gap(input, work->gaps, "requested.time_limit_s");
}

static void put_allocated(struct work *work, struct json_object *out)
{
	const struct build_input *input = work->input;
	bool whole = input->missing_count == 0 && !work->shrunk;
	int64_t value;

	/*
	 * If a node's record is missing, its use is missing too. Then only numbers of the records fit together. Of a job
	 * that gave back nodes, Slurm tells what it had in the end.
	 */
	if ((whole && field_count(input->slurm, "cpus", &work->cpus)) ||
	    sum_records(input, "allocated.cpus", &work->cpus))
		put_count(out, "cpus", work->cpus);
	else
		gaps_add(work->gaps, "allocated.cpus", "neither Slurm nor the node records have it");
	if (count_cores(input, &work->cores))
		put_count(out, "cores", work->cores);
	else
		gaps_add(work->gaps, "allocated.cores", "the node records do not have it");
	if ((whole && field_count(input->slurm, "allocated_memory_bytes", &value) && value > 0) ||
	    sum_records(input, "allocated.memory_bytes", &value))
		put_count(out, "memory_bytes", value);
	else
		gaps_add(work->gaps, "allocated.memory_bytes", "neither Slurm nor the node records have it");
	if (field_count(input->slurm, "gpus", &value) && value > 0)
		put_count(out, "gpus", value);
	put_count(out, "nodes", node_count(input));
	put_text(out, "node_list", field_text(input->records[0], "node_list"));
	if (field_true(input->slurm, "exclusive"))
		put_flag(out, "exclusive", true);
}

/* ---- used ---- */

static void put_cpu_use(struct work *work, const struct totals *totals, struct json_object *out)
{
	double cpu_s = (double)totals->sums.of[SUM_CPU].value / NS_PER_S, given_s = work->elapsed_s * work->cpus;

	if (!sums_known(&totals->sums, SUM_CPU)) {
		gaps_add(work->gaps, "used.cpu_efficiency", "used.cpu_s is not known");
	} else if (!work->elapsed_known || work->cpus == 0) {
		gaps_add(work->gaps, "used.cpu_efficiency", work->elapsed_known ?
			 "allocated.cpus is not known" : "job.elapsed_s is not known");
	} else if (work->shrunk) {
		gaps_add(work->gaps, "used.cpu_efficiency", "the job gave back nodes while it ran");
	} else if (given_s <= 0) {
		gaps_add(work->gaps, "used.cpu_efficiency", "the job took no time that could be measured");
	} else {
		put_ratio(out, "cpu_efficiency", cpu_s < given_s ? cpu_s / given_s : 1);
		put_ratio(out, "cpu_wasted_core_hours", cpu_s < given_s ? (given_s - cpu_s) / S_PER_H : 0);
		put_ratio(out, "cores_busy", cpu_s / work->elapsed_s);
	}
	if (work->cores)
		put_count(out, "cores_bound", work->cores);
}

static void put_scope(const struct work *work, const struct peak *peak, struct json_object *out, const char *name)
{
	char text[320];

	if (node_count(work->input) < 2 || !peak->known)
		return;
	snprintf(text, sizeof(text), "node with the highest peak: %s", peak->node);
	put_text(out, name, utf8_finish(text));
}

/* Returns the bytes that no process ever needed: for each node, what it was given less the node's own peak. */
static double wasted_memory(const struct work *work, struct json_object *report)
{
	double wasted = 0;

	for (size_t i = 0; i < work->input->record_count; i++) {
		struct json_object *record = work->input->records[i];
		double given = node_memory(report, record);
		struct numbers room;
		int64_t used = 0;

		if ((record_unused(record) || totals_memory_used_peak(record_numbers(record, &room), &used)) &&
		    (double)used < given)
			wasted += given - (double)used;
	}
	return wasted;
}

/* Returns the bytes that the node with the highest peak was given; NAN: not known. */
static double memory_at_peak(const struct work *work, const struct totals *totals, struct json_object *report)
{
	struct json_object *found = NULL;

	for (size_t i = 0; i < work->input->record_count && !found; i++)
		if (strcmp(record_node(work->input->records[i]), totals->memory_used.node) == 0)
			found = work->input->records[i];
	return node_memory(report, found);
}

static void put_memory_use(struct work *work, const struct totals *totals, struct json_object *report,
			   struct json_object *out)
{
	double given;

	if (!totals_knows_peak(totals, &totals->memory_used)) {
		gaps_add(work->gaps, "used.memory_efficiency", "used.memory_used_peak_bytes is not known");
		return;
	}
	given = memory_at_peak(work, totals, report);
	if (!(given > 0)) {
		gaps_add(work->gaps, "used.memory_efficiency", "requested.memory_bytes is not known");
		return;
	}
	put_ratio(out, "memory_efficiency", (double)totals->memory_used.value / given);
	if (work->elapsed_known && !work->shrunk)
		put_ratio(out, "memory_wasted_gib_hours", wasted_memory(work, report) / GIB * work->elapsed_s / S_PER_H);
}

/*
 * Adds up the records of nodes that ran a step. Where no node ran one, all records together say that the job used
 * nothing.
 */
static void add_totals(const struct work *work, struct totals *totals)
{
	const struct build_input *input = work->active.record_count ? &work->active : work->input;

	for (size_t i = 0; i < input->record_count; i++) {
		struct numbers room;

		totals_add(totals, record_numbers(input->records[i], &room), record_node(input->records[i]));
	}
}

static void put_used(struct work *work, const struct totals *totals, struct json_object *report)
{
	struct json_object *out = put_object(report, "used");

	totals_put_used(totals, out, work->gaps);
	put_cpu_use(work, totals, out);
	put_memory_use(work, totals, report, out);
	put_scope(work, &totals->memory_used, out, "memory_scope");
	put_scope(work, &totals->memory_charged, out, "memory_charged_scope");
	put_scope(work, &totals->threads, out, "threads_scope");
	file_systems_put(work->active.records, work->active.record_count, out, work->gaps);
}

/* ---- what was lost ---- */

static void put_lost(const struct build_input *input, struct json_object *lost)
{
	static const char *const always[] = { "process_records", "tools", "tasks" };

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		put_count(lost, always[i], 0);
	for (size_t i = 0; i < input->record_count; i++) {
		struct json_object *from = field_typed(input->records[i], "lost", json_type_object);

		if (!from)
			continue;
		json_object_object_foreach(from, name, value) {
			struct json_object *sum = NULL;

			if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
				continue;
			json_object_object_get_ex(lost, name, &sum);
			put_count(lost, name, count_sum(sum ? json_object_get_int64(sum) : 0,
							json_object_get_int64(value)));
		}
	}
}

static bool all_complete(const struct build_input *input)
{
	if (input->missing_count > 0 || input->running)
		return false;
	for (size_t i = 0; i < input->record_count; i++)
		if (!field_true(input->records[i], "complete"))
			return false;
	return true;
}

static void collect_gaps(const struct build_input *input, struct json_object *gaps)
{
	for (size_t i = 0; i < input->missing_count; i++)
		gaps_addf(gaps, "nodes", "%s: %s", input->missing[i].node, input->missing[i].reason);
	for (size_t i = 0; i < input->record_count; i++)
		gaps_merge(gaps, field_typed(input->records[i], "gaps", json_type_array),
			   node_count(input) > 1 ? record_node(input->records[i]) : NULL);
}

static const char *mode_of(const struct build_input *input)
{
	const char *mode = field_text(input->records[0], "mode");

	return mode ? mode : "timeline";
}

static struct json_object *timeline_of(const struct build_input *input, const struct merge_script *script)
{
	if (strcmp(mode_of(input), "summary") == 0)
		return json_object_new_array();
	return merge_timeline(input->records, input->record_count, script);
}

/* Names what is not in the report of a job that gave back nodes while it ran. Returns whether it did. */
static bool find_shrunk(struct work *work, struct json_object *report)
{
	const struct build_input *input = work->input;
	int64_t at_start = 0, at_end, closed, nodes = (int64_t)node_count(input);

	if (input->running)
		return false;
	for (size_t i = 0; i < input->record_count; i++)
		if (record_nodes_at_start(input->records[i]) > at_start)
			at_start = record_nodes_at_start(input->records[i]);
	if (at_start > nodes) {
		gaps_addf(work->gaps, "nodes", "the job began on %lld nodes: of those that it gave back or that failed, "
			  "%lld left nothing here", (long long)at_start, (long long)(at_start - nodes));
		put_flag(report, "complete", false);
	}
	return at_start > nodes ||
	       (at_start > 0 && field_count(input->slurm, "nodes", &at_end) && at_end < at_start &&
		field_count(input->records[0], "collector.closed_unix_ns", &closed) && !job_is_later(input->slurm, closed));
}

/*
 * Names the nodes whose record was closed long before the job ended. stint_contain.so ends a job with its extern step, and
 * a signal to all of a job's steps ends that step, too.
 */
static void find_closed_early(struct work *work, struct json_object *report)
{
	const struct build_input *input = work->input;
	int64_t end_s, closed;

	if (work->shrunk || input->running || !field_count(input->slurm, "end_unix_s", &end_s))
		return;
	for (size_t i = 0; i < input->record_count; i++) {
		struct json_object *record = input->records[i];

		if (!field_count(record, "collector.closed_unix_ns", &closed) || job_is_later(input->slurm, closed) ||
		    closed / NS_PER_S >= end_s - CLOSED_EARLY_S)
			continue;
		gaps_addf(work->gaps, "nodes", "%s: its extern step ended %lld s before the job, as after a signal to all steps: "
			  "what ran on it later is not in here", record_node(record), (long long)(end_s - closed / NS_PER_S));
		put_flag(report, "complete", false);
	}
}

/* Adds what kind of report it is, and how much of the job it knows. */
static void put_head(struct work *work, struct json_object *report)
{
	const struct build_input *input = work->input;

	put_text(report, "schema", REPORT_SCHEMA);
	put_text(report, "stint_version", PACKAGE_VERSION);
	put_flag(report, "complete", all_complete(input));
	if (input->running)
		put_flag(report, "so_far", true);
	if (!input->for_row) {
		work->gaps = put_array(report, "gaps");
		collect_gaps(input, work->gaps);
	}
	if (job_unseen(input, work->gaps))
		put_flag(report, "complete", false);
	work->shrunk = find_shrunk(work, report);
	find_closed_early(work, report);
	if (!input->for_row)
		put_lost(input, put_object(report, "lost"));
	put_text(report, "mode", mode_of(input));
}

/* Adds which job it was, what it was given, and what it used. */
static void put_sums(struct work *work, struct json_object *report)
{
	const struct build_input *input = work->input;
	struct totals totals = { 0 };

	work->elapsed_known = job_put(input, put_object(report, "job"), work->gaps, &work->span);
	work->elapsed_s = (double)work->span.elapsed_ns / NS_PER_S;
	put_requested(work, put_object(report, "requested"));
	put_allocated(work, put_object(report, "allocated"));
	add_totals(work, &totals);
	put_used(work, &totals, report);
	states_put(&totals.sums, work->active.records, work->active.record_count, input->for_row != NULL,
		   put_object(report, "states"), work->gaps);
}

/* Adds the lists: what happened in the job, one by one. */
static void put_lists(struct work *work, struct json_object *report)
{
	const struct build_input *input = work->input, *active = &work->active;
	struct json_object *progress, *empty_steps = json_object_new_array();
	struct merge_script script;
	int64_t job_id = 0, mapped = 0;

	field_count(report, "job.id", &job_id);
	merge_find_script(input->slurm, job_id, &script);
	oom_put(active->records, active->record_count, &script, report, work->gaps);
	progress = put_object(report, "progress");
	json_object_object_add(report, "tools",
			       merge_tools(input->records, input->record_count, &script, input->for_row != NULL, &mapped));
	oom_count_forks(report);
	if (mapped > 0)
		put_count(field_typed(report, "used", json_type_object), "memory_mapped_peak_bytes", mapped);
	json_object_object_add(report, "timeline", timeline_of(input, &script));
	json_object_object_add(report, "steps",
			       merge_steps(input->records, input->record_count, input->for_row != NULL,
					   input->running ? NULL : work->gaps, empty_steps));
	merge_mark_timed_out(field_find(report, "steps"), input->slurm);
	progress_put(active, &work->span, &script, progress, work->gaps);
	progress_put_cores(input, progress, work->gaps);
	json_object_object_add(progress, "steps_without_processes", empty_steps);
	json_object_object_add(report, "nodes", nodes_build(input));
	if (!input->for_row)
		files_put(active->records, active->record_count, report, work->gaps);
	json_object_object_add(report, "series", series_build(active->records, active->record_count, work->gaps));
}

static void find_active(struct work *work, struct json_object **records)
{
	work->active = *work->input;
	work->active.records = records;
	work->active.record_count = 0;
	for (size_t i = 0; i < work->input->record_count; i++)
		if (!record_unused(work->input->records[i]))
			records[work->active.record_count++] = work->input->records[i];
}

struct json_object *build_report(const struct build_input *input)
{
	static const char *const made_last[] = { "verdict", "findings", "advice" };
	struct json_object *report = json_object_new_object();
	cleanup_free struct json_object **active = calloc(input->record_count, sizeof(struct json_object *));
	struct work work = { .input = input };

	if (!active) {
		json_object_put(report);
		return NULL;
	}
	find_active(&work, active);
	put_head(&work, report);
	put_sums(&work, report);
	/*
	 * The verdict, findings and advice are made of all other parts, but stand before the lists, where readers find
	 * them.
	 */
	for (size_t i = 0; i < sizeof(made_last) / sizeof(made_last[0]); i++)
		put_null(report, made_last[i]);
	put_lists(&work, report);
	if (input->for_row)
		verdict_put_codes(report, input->rules, input->for_row);
	else
		verdict_put(report, input->rules);
	return report;
}
