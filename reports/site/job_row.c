/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/job_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/builder/workflow.h"
#include "reports/model/gpu_use.h"
#include "reports/rules/facts.h"
#include "reports/rules/node_memory.h"
#include "reports/site/job_waste.h"

#define PPM 1e6
#define NODE_IDLE_SHARE 0.02 /* default of the rule node_idle_share: a node that used less than this share of its CPUs was idle */

const char *const job_measure_names[JOB_MEASURE_COUNT] = {
#define JOB_MEASURE_NAME(measure, name, column) [JOB_##measure] = name,
	JOB_MEASURES(JOB_MEASURE_NAME)
#undef JOB_MEASURE_NAME
};

const char *const job_end_names[JOB_END_COUNT] = {
	[JOB_END_COMPLETED] = "completed", [JOB_END_FAILED] = "failed",	      [JOB_END_OOM] = "oom",
	[JOB_END_TIMEOUT] = "timeout",	   [JOB_END_CANCELLED] = "cancelled", [JOB_END_NODE_FAIL] = "node-fail",
	[JOB_END_REQUEUED] = "requeued",   [JOB_END_UNKNOWN] = "unknown",
};

/* ---- who and when ---- */

static int64_t count_of(int64_t count)
{
	return count >= 0 && count <= JOB_MEASURE_MAX ? count : JOB_UNKNOWN;
}

static int64_t moment_of(const char *time)
{
	int64_t value = JOB_UNKNOWN;

	time_parse(time, &value);
	return value >= 0 ? value : JOB_UNKNOWN;
}

static int64_t milliseconds_of(struct report_seconds time)
{
	return job_measure(1000 * report_s(time));
}

/* Returns false if out of memory. */
static bool copy(char **to, const char *text)
{
	*to = text && *text ? strdup(text) : NULL;
	return *to || !text || !*text;
}

/*
 * Slurm's type of the job's GPUs, because a site's jobs have that whether or not they used the GPUs; or else the vendor's
 * name of those that were seen. Returns NULL if not known, or if the job had several. What only the epilogs know is not used,
 * because store lines lack it.
 */
static const char *gpu_model_of(const struct report *report)
{
	const struct report_gpu_allocated_list *allocated = &report->allocated.gpus_allocated;
	const char *model = NULL;

	if (!(report->allocated.gpus > 0) && (allocated->count == 0 || report_text_is(allocated->items[0].kind, "gpu")))
		return NULL;
	for (size_t i = 0; i < allocated->count; i++)
		if ((allocated->items[i].type || allocated->items[0].type) &&
		    !report_text_is(allocated->items[i].type, allocated->items[0].type))
			return NULL;
	if (allocated->count && allocated->items[0].type)
		return allocated->items[0].type;
	for (size_t i = 0; i < report->gpus.count; i++) {
		const char *name = report->gpus.items[i].model;

		if (!name || (model && strcmp(name, model) != 0))
			return NULL;
		model = name;
	}
	return model;
}

static bool read_texts(struct job_row *row, const struct report *report)
{
	const struct report_job *job = &report->job;

	return copy(&row->cluster, job->cluster) && copy(&row->user, job->user) && copy(&row->account, job->account) &&
	       copy(&row->partition, job->partition) && copy(&row->qos, job->qos) && copy(&row->name, job->name) &&
	       copy(&row->state, job->state) && copy(&row->engine, job->workflow.engine) &&
	       copy(&row->rule, workflow_unit(report, NULL)) && copy(&row->gpu_model, gpu_model_of(report));
}

static enum job_end how_it_ended(const struct job_row *row)
{
	static const struct {
		const char *state;
		enum job_end how;
	} ends[] = {
		{ "COMPLETED", JOB_END_COMPLETED }, { "OUT_OF_MEMORY", JOB_END_OOM },
		{ "TIMEOUT", JOB_END_TIMEOUT },	    { "DEADLINE", JOB_END_TIMEOUT },
		{ "CANCELLED", JOB_END_CANCELLED }, { "NODE_FAIL", JOB_END_NODE_FAIL },
		{ "BOOT_FAIL", JOB_END_NODE_FAIL }, { "REQUEUED", JOB_END_REQUEUED },
		{ "PREEMPTED", JOB_END_REQUEUED },
	};

	if (!row->state || row->running)
		return JOB_END_UNKNOWN;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcmp(row->state, ends[i].state) == 0)
			return ends[i].how;
	return JOB_END_FAILED;
}

static void read_identity(struct job_row *row, const struct report *report)
{
	const struct report_job *job = &report->job;

	row->id = count_of(job->id);
	row->array_id = count_of(job->array_job_id);
	row->array_task = count_of(job->array_task_id);
	row->het_id = count_of(job->het_job_id);
	row->het_offset = count_of(job->het_job_offset);
	row->attempt = count_of(job->attempt);
	row->uid = count_of(job->uid);
	row->submit_us = moment_of(job->submit);
	row->start_us = moment_of(job->start);
	row->end_us = moment_of(job->end);
	row->exit_code = count_of(job->exit_code);
	row->signal = count_of(job->signal);
	row->complete = report->complete.value;
	row->running = report->so_far || (row->state && strcmp(row->state, "RUNNING") == 0);
	row->how = how_it_ended(row);
}

static void read_asked(struct job_row *row, const struct report *report)
{
	row->requested_cpus = count_of(report->requested.cpus);
	row->requested_nodes = count_of(report->requested.nodes);
	row->requested_tasks = count_of(report->requested.tasks);
	row->requested_memory_bytes = count_of(report->requested.memory_bytes);
	row->allocated_cpus = count_of(report->allocated.cpus);
	row->allocated_cores = count_of(report->allocated.cores);
	row->allocated_memory_bytes = count_of(report->allocated.memory_bytes);
	row->memory_used_peak_bytes = count_of(report->used.memory_used_peak_bytes);
	row->nodes_expected = count_of(report->allocated.nodes);
	row->allocated_gpus = count_of(report->allocated.gpus);
}

/* ---- what was found ---- */

static void read_verdict(struct job_row *row, const struct report *report)
{
	row->verdict = BOUND_UNKNOWN;
	for (enum bound b = 0; b < BOUND_UNKNOWN; b++)
		if (report_text_is(report->verdict.bound, bound_word(b)))
			row->verdict = b;
	for (size_t i = 0; i < report->findings.count; i++)
		for (enum finding f = 0; f < FINDING_COUNT; f++)
			if (report_text_is(report->findings.items[i].code, finding_rules[f].code))
				row->findings |= UINT64_C(1) << f;
}

/* ---- nodes ---- */

static bool read_node(struct job_row_node *node, const struct report *report, const struct report_node *from, double elapsed_s)
{
	double memory = node_memory(report, from), cpus = report_number(from->allocated.cpus);
	double peak = report_number(from->used.memory_used_peak_bytes);

	node->present = from->used.known;
	node->cpu_given_core_ms = job_measure(1000 * cpus * elapsed_s);
	node->cpu_used_core_ms = milliseconds_of(from->used.cpu_s);
	node->mem_given_mib_s = job_measure(memory / MIB * elapsed_s);
	node->mem_used_mib_s = job_measure(fact_at_most(peak, memory) / MIB * elapsed_s);
	return copy(&node->name, from->name);
}

static bool read_nodes(struct job_row *row, const struct report *report, double elapsed_s)
{
	size_t count = report->nodes.count;

	if (count > JOB_NODES_MAX)
		count = JOB_NODES_MAX;
	row->nodes = calloc(count ? count : 1, sizeof(row->nodes[0]));
	if (!row->nodes)
		return false;
	row->nodes_present = 0;
	for (; row->node_count < count; row->node_count++) {
		struct job_row_node *node = &row->nodes[row->node_count];

		if (!read_node(node, report, &report->nodes.items[row->node_count], elapsed_s))
			return false;
		row->nodes_present += node->present;
	}
	if (row->nodes_expected < row->nodes_present)
		row->nodes_expected = row->nodes_present;
	return true;
}

/* ---- tools ---- */

static int compare_tools(const void *a, const void *b)
{
	const struct job_row_tool *one = a, *other = b;

	if (one->cpu_ms != other->cpu_ms)
		return one->cpu_ms > other->cpu_ms ? -1 : 1;
	return strcmp(one->name ? one->name : "", other->name ? other->name : "");
}

static int64_t sum(int64_t a, int64_t b)
{
	return a < 0 || b < 0 || a + b > JOB_MEASURE_MAX ? JOB_UNKNOWN : a + b;
}

/* Joins the tools after the first JOB_TOOLS into one tool without a name. */
static void join_tools(struct job_row *row)
{
	struct job_row_tool *rest = &row->tools[JOB_TOOLS];

	for (; row->tool_count > JOB_TOOLS + 1; row->tool_count--) {
		struct job_row_tool *last = &row->tools[row->tool_count - 1];

		rest->runs = sum(rest->runs, last->runs);
		rest->failures = sum(rest->failures, last->failures);
		rest->cpu_ms = sum(rest->cpu_ms, last->cpu_ms);
		rest->wall_ms = sum(rest->wall_ms, last->wall_ms);
		free(last->name);
	}
	if (row->tool_count > JOB_TOOLS) {
		free(rest->name);
		rest->name = NULL;
	}
}

static bool read_tools(struct job_row *row, const struct report_tool_list *list)
{
	row->tools = calloc(list->count + 1, sizeof(row->tools[0]));
	if (!row->tools)
		return false;
	for (size_t i = 0; i < list->count; i++) {
		const struct report_tool *from = &list->items[i];
		struct job_row_tool *tool = &row->tools[row->tool_count];

		if (from->slurm.value || !from->name)
			continue;
		tool->runs = count_of(from->runs);
		tool->failures = count_of(from->failures);
		tool->cpu_ms = milliseconds_of(from->cpu_s);
		tool->wall_ms = milliseconds_of(from->wall_s);
		if (!copy(&tool->name, from->name))
			return false;
		row->tool_count++;
	}
	if (row->tool_count > 1)
		qsort(row->tools, row->tool_count, sizeof(row->tools[0]), compare_tools);
	join_tools(row);
	return true;
}

/* ---- measures ---- */

static int64_t part_of_million(int64_t part, int64_t whole)
{
	if (part < 0 || whole <= 0)
		return JOB_UNKNOWN;
	return part >= whole ? (int64_t)PPM : (int64_t)llround(PPM * (double)part / (double)whole);
}

void job_row_efficiencies(struct job_row *row)
{
	row->cpu_efficiency_ppm = part_of_million(row->measure[JOB_CPU_USED], row->measure[JOB_CPU_GIVEN]);
	row->memory_efficiency_ppm = part_of_million(row->measure[JOB_MEM_USED], row->measure[JOB_MEM_GIVEN]);
}

static void measure_time(struct job_row *row, const struct report *report)
{
	int64_t *m = row->measure, limit_ms = job_measure(1000 * report_number(report->requested.time_limit_s));

	m[JOB_ELAPSED] = milliseconds_of(report->job.elapsed_s);
	if (row->submit_us >= 0 && row->start_us >= row->submit_us)
		m[JOB_QUEUED] = (row->start_us - row->submit_us) / 1000;
	if (limit_ms > 0 && m[JOB_ELAPSED] >= 0) {
		m[JOB_LIMIT] = limit_ms;
		m[JOB_LIMIT_USED] = m[JOB_ELAPSED];
	}
}

static bool did_nothing(const struct job_row_node *node)
{
	return node->present && node->cpu_used_core_ms >= 0 &&
	       (double)node->cpu_used_core_ms < NODE_IDLE_SHARE * (double)node->cpu_given_core_ms;
}

static void measure_nodes(struct job_row *row)
{
	int64_t *m = row->measure, idle = 0;

	if (m[JOB_ELAPSED] < 0 || row->nodes_expected < 0)
		return;
	m[JOB_NODE_GIVEN] = job_measure((double)m[JOB_ELAPSED] * (double)row->nodes_expected);
	for (size_t i = 0; i < row->node_count; i++)
		idle += did_nothing(&row->nodes[i]);
	if (row->nodes_present > 0)
		m[JOB_NODE_WASTED] = job_measure((double)m[JOB_ELAPSED] * (double)idle);
}

static void measure_states(struct job_row *row, const struct facts *facts)
{
	int64_t *m = row->measure;

	m[JOB_ACTIVE] = job_measure(1000 * facts->active_s);
	m[JOB_PARALLEL] = job_measure(1000 * facts->parallel_s);
	m[JOB_RUNNABLE] = job_measure(1000 * facts->runnable_s);
	m[JOB_BOUND_MEMORY_STALL] = job_measure(1000 * facts->wait[FACT_MEMORY_STALL].bound_s);
	m[JOB_BOUND_FAULT_IO] = job_measure(1000 * facts->wait[FACT_FAULT_IO].bound_s);
	m[JOB_BOUND_FILE_IO] = job_measure(1000 * facts->wait[FACT_FILE_IO].bound_s);
	m[JOB_BOUND_GPU] = job_measure(1000 * facts->wait[FACT_GPU].bound_s);
	m[JOB_BOUND_NETWORK] = job_measure(1000 * facts->wait[FACT_NETWORK].bound_s);
	m[JOB_BOUND_PIPE] = job_measure(1000 * facts->wait[FACT_PIPE].bound_s);
	m[JOB_BOUND_LOCK] = job_measure(1000 * facts->wait[FACT_LOCK].bound_s);
	m[JOB_BOUND_CONDITION] = job_measure(1000 * facts->wait[FACT_CONDITION].bound_s);
	m[JOB_BOUND_CHILD] = job_measure(1000 * facts->wait[FACT_CHILD].bound_s);
	m[JOB_BOUND_EVENT] = job_measure(1000 * facts->wait[FACT_EVENT].bound_s);
	m[JOB_BOUND_SLEEP] = job_measure(1000 * facts->wait[FACT_SLEEP].bound_s);
	m[JOB_BOUND_OTHER] = job_measure(1000 * facts->wait[FACT_OTHER].bound_s);
}

static void measure_use(struct job_row *row, const struct report_used *used)
{
	int64_t *m = row->measure;

	m[JOB_READ] = count_of(used->read_bytes);
	m[JOB_WRITTEN] = count_of(used->write_bytes);
	m[JOB_SOCKET] = sum(count_of(used->socket_rx_bytes), count_of(used->socket_tx_bytes));
	m[JOB_PROCESSES] = count_of(used->processes);
	m[JOB_OOM_KILLS] = count_of(used->oom_kills);
}

static void measure_gpus(struct job_row *row, const struct report *report)
{
	int64_t *m = row->measure;
	struct gpu_use use;

	gpu_use_read(report, &use);
	m[JOB_GPU_BUSY] = job_measure(1000 * use.busy_s);
	m[JOB_GPU_WASTED] = job_measure(1000 * use.idle_s);
	m[JOB_GPU_UNTOLD] = job_measure(1000 * use.unknown_s);
	if (m[JOB_GPU_UNTOLD] >= 0)
		m[JOB_GPU_GIVEN] = (m[JOB_GPU_BUSY] > 0 ? m[JOB_GPU_BUSY] : 0) + (m[JOB_GPU_WASTED] > 0 ? m[JOB_GPU_WASTED] : 0) +
				   m[JOB_GPU_UNTOLD];
}

static void measure(struct job_row *row, const struct facts *facts)
{
	measure_time(row, facts->report);
	measure_nodes(row);
	measure_states(row, facts);
	measure_use(row, &facts->report->used);
	measure_gpus(row, facts->report);
	job_waste_cpu(row, facts);
	job_waste_memory(row, facts->report);
	job_row_efficiencies(row);
}

static int fill(const struct facts *facts, struct job_row *row, struct error *err)
{
	const struct report *report = facts->report;

	*row = (struct job_row){ .nodes_present = JOB_UNKNOWN };
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		row->measure[i] = JOB_UNKNOWN;
	if (count_of(report->job.id) < 0)
		return error_set(err, "not the report of a job: it has no job id");
	if (!read_texts(row, report))
		return error_set(err, "out of memory");
	read_identity(row, report);
	read_asked(row, report);
	read_verdict(row, report);
	if (!read_nodes(row, report, report_s(report->job.elapsed_s)) || !read_tools(row, &report->tools))
		return error_set(err, "out of memory");
	measure(row, facts);
	return 0;
}

int job_row_from_report(const struct report *report, struct job_row *row, struct error *err)
{
	struct facts facts;
	struct rules rules;

	rules_defaults(&rules);
	facts_read(&facts, report, &rules);
	return fill(&facts, row, err);
}

/* Divides waste by the default rules, so that sites can be compared. */
int job_row_from_facts(const struct facts *facts, struct job_row *row, struct error *err)
{
	return rules_are_defaults(facts->rules) ? fill(facts, row, err) : job_row_from_report(facts->report, row, err);
}

void job_row_free(struct job_row *row)
{
	char *texts[] = { row->cluster, row->user,  row->account, row->partition, row->qos,
			  row->name,	row->state, row->engine,  row->rule, row->gpu_model };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	for (size_t i = 0; i < row->tool_count; i++)
		free(row->tools[i].name);
	for (size_t i = 0; i < row->node_count; i++)
		free(row->nodes[i].name);
	free(row->tools);
	free(row->nodes);
	*row = (struct job_row){ 0 };
}
