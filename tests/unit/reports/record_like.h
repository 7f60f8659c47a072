/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes node records and Slurm's answer for a given report, so that report fixtures serve tests of records.
 * Leaves out what a record has no place for. Include this after cmocka.h.
 */
#ifndef STINT_RECORD_LIKE_H
#define STINT_RECORD_LIKE_H

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/sum_list.h"
#include "common/time_text.h"
#include "reports/model/report.h"
#include "reports/records/record.h"

#define LIKE_NODES 8
#define LIKE_JOB 7
#define LIKE_END_S INT64_C(1795354500) /* end of a job without one: 2026-11-22T13:35:00 */

struct like {
	const struct report *report; /* its texts are borrowed */
	struct record *records[LIKE_NODES];
	const struct record *list[LIKE_NODES];
	size_t count;
	struct record_slurm_job slurm;
	int64_t start_ns, end_ns;
};

/* ---- sums ---- */

#define LIKE_COUNT(value) (value)
#define LIKE_SECONDS(value) ((value).ns)
#define LIKE_IN_USED(in_record, type, name) out->in_record = LIKE_##type(uses->name);
#define LIKE_IN_STATES(in_record, type, name) out->in_record = LIKE_##type(states->name);
#define LIKE_IN_TCP(in_record, type, name) if (network) out->in_record = LIKE_##type(network->tcp.name);
#define LIKE_IN_UDP(in_record, type, name) if (network) out->in_record = LIKE_##type(network->udp.name);
#define LIKE_IN_UNIX(in_record, type, name) if (network) out->in_record = LIKE_##type(network->unix.name);
#define LIKE_NOWHERE(in_record, type, name)
#define LIKE_SUM(sum, in_record, place, type, name, ...) LIKE_##place(in_record, type, name)

static inline void like_use(const struct report_uses *uses, const struct report_state_times *states,
			    const struct report_network *network, struct record_use *out)
{
	SUM_LIST(LIKE_SUM)
}

#undef LIKE_IN_TCP
#undef LIKE_IN_UDP
#undef LIKE_IN_UNIX
#define LIKE_IN_TCP(in_record, type, name)
#define LIKE_IN_UDP(in_record, type, name)
#define LIKE_IN_UNIX(in_record, type, name)

static inline void like_entry_use(const struct report_uses *uses, const struct report_states *states, struct record_entry_use *out)
{
	SUM_LIST_OF_ENTRY(LIKE_SUM)
}

/* ---- times ---- */

static inline int64_t like_time(const char *text, int64_t missing)
{
	int64_t us;

	return time_parse(text, &us) ? us * 1000 : missing;
}

static inline int64_t like_status(int64_t code, int64_t signal)
{
	if (signal > 0)
		return signal & 0x7f;
	return code < 0 ? REPORT_UNKNOWN : (code & 0xff) << 8;
}

static inline int64_t like_share(int64_t count, int64_t of)
{
	return count < 0 ? count : count / (of > 0 ? of : 1);
}

/* ---- a node's record ---- */

static inline void like_waits(const struct report_job_states *states, struct record_pressure *out)
{
	out->known = out->waits.known = true;
	out->active_ns = states->active_s.ns;
	out->parallel_ns = states->parallel_s.ns;
	out->busy_peak = states->busy_peak;
#define LIKE_WAIT(kind) \
	out->waits.kind.known = true; \
	out->waits.kind.some_ns = states->some.kind##_s.ns; \
	out->waits.kind.full_ns = states->full.kind##_s.ns; \
	out->waits.kind.bound_ns = states->bound.kind##_s.ns; \
	out->waits.kind.waits = states->waits.kind;
	REPORT_WAIT_KINDS(LIKE_WAIT)
#undef LIKE_WAIT
}

static inline void like_totals(const struct report_totals *used, const struct report_network *network,
			       const struct report_job_states *states, struct record_totals *out)
{
	out->known = true;
	like_use(&used->uses, &states->state_times, network, &out->use);
	out->user_ns = used->user_s.ns;
	out->system_ns = used->system_s.ns;
	out->cpu_before_ns = used->cpu_before_s.ns;
	out->processes = used->processes;
	out->oom_kills = used->oom_kills;
	out->threads_peak = used->threads_peak;
	out->memory_used_sampled_peak_bytes = used->memory_used_peak_bytes;
	out->memory_charged_peak_bytes = used->memory_charged_peak_bytes >= 0 ? used->memory_charged_peak_bytes :
						used->memory_used_peak_upper_bytes;
	out->memory_swap_sampled_peak_bytes = used->memory_swap_peak_bytes;
}

static inline void like_cores(struct record *record, int64_t bound, int64_t used, int64_t loaded)
{
	if (bound <= 0 || bound > 4096)
		return;
	record->allocated.cores.known = true;
	for (int64_t i = 0; i < bound; i++) {
		struct record_core *core = RECORD_ADD(record, &record->allocated.cores, core);

		core->core = i;
		core->package = 0;
		core->cpu_ns = i < loaded || loaded < 0 ? INT64_C(1000000000) : 1;
		if (used >= 0 && i >= used)
			core->cpu_ns = 0;
	}
}

static inline void like_allocated(const struct like *like, const struct report_node *node, struct record *record)
{
	const struct report *report = like->report;
	const struct report_node_allocated *from = &node->allocated;
	struct record_allocated *out = &record->allocated;
	int64_t nodes = report->allocated.nodes > 0 ? report->allocated.nodes : 1, unused = (int64_t)report->progress.cores_unused.count;
	int64_t bound = from->cores_bound >= 0 ? from->cores_bound : like_share(report->allocated.cores, nodes);
	int64_t used = from->cores_used >= 0 ? from->cores_used : report->progress.cores_unused.known ? bound - like_share(unused, nodes) : -1;

	out->known = true;
	out->cpus = from->cpus >= 0 ? from->cpus : like_share(report->allocated.cpus, nodes);
	out->memory_bytes = from->memory_bytes >= 0 ? from->memory_bytes : like_share(report->allocated.memory_bytes, nodes);
	like_cores(record, bound, used, from->cores_loaded);
}

static inline int64_t like_tool(struct record *record, const char *name, bool slurm)
{
	struct record_tool *tool;

	if (!name)
		return REPORT_UNKNOWN;
	for (size_t i = 0; i < record->tools.count; i++)
		if (report_text_is(record->tools.items[i].name, name) && record->tools.items[i].slurm == slurm)
			return (int64_t)i;
	for (size_t i = 0; i < record->tools.count; i++)
		if (report_text_is(record->tools.items[i].name, name))
			return (int64_t)i;
	tool = RECORD_ADD(record, &record->tools, tool);
	tool->name = name;
	tool->slurm = slurm;
	return (int64_t)record->tools.count - 1;
}

static inline void like_tools(const struct report *report, struct record *record)
{
	record->tools.known = true;
	for (size_t i = 0; i < report->tools.count; i++) {
		const struct report_tool *from = &report->tools.items[i];
		struct record_tool *out = RECORD_ADD(record, &record->tools, tool);
		const char *slash = from->path ? strrchr(from->path, '/') : NULL;

		out->name = from->name ? from->name : "unnamed";
		out->interpreter = from->interpreter;
		out->path = report_text_is(slash, "/slurm_script") ? "/spool/job00007/slurm_script" : from->path;
		out->interpreter_path = from->interpreter_path;
		out->slurm = from->slurm.value;
		out->runs = from->runs;
		out->forks = from->forks;
		out->failures = from->failures;
		out->signals = from->signals;
		out->dismissed = from->dismissed;
		out->wall_ns = from->wall_s.ns;
		out->peak_bytes = from->peak_bytes;
		out->used_peak_bytes = from->used_peak_bytes;
		out->threads_peak = from->threads_peak;
		out->openmp_processes = from->openmp_processes;
		out->blas_processes = from->blas_processes;
		out->first_start_unix_ns = like_time(from->first_start, REPORT_UNKNOWN);
		out->last_end_unix_ns = like_time(from->last_end, REPORT_UNKNOWN);
		like_use(&from->uses, &from->states.state_times, NULL, &out->use);
	}
}

static inline bool like_is_of(const char *node, const struct report_node *of, bool first)
{
	return node ? report_text_is(node, of->name) || (first && of->name == NULL) : first;
}

static inline void like_steps(const struct like *like, const struct report_node *node, bool first, struct record *record)
{
	record->steps.known = true;
	for (size_t i = 0; i < like->report->steps.count; i++) {
		const struct report_step *from = &like->report->steps.items[i];
		struct record_step *out;

		if (!first && (from->nodes == 1 || !from->id || strcmp(from->id, "batch") == 0))
			continue;
		out = RECORD_ADD(record, &record->steps, step);
		out->id = from->id;
		out->start_unix_ns = like_time(from->start, like->start_ns);
		out->end_unix_ns = like_time(from->end, from->elapsed_s.ns >= 0 ? out->start_unix_ns + from->elapsed_s.ns : REPORT_UNKNOWN);
		if (from->launch_s.ns >= 0)
			out->stepd_start_unix_ns = out->start_unix_ns - from->launch_s.ns;
		out->exit_status = like_status(from->exit_code, from->signal);
		out->nodes = from->nodes;
		out->task_count = from->task_count;
		out->tasks.known = out->totals.known = true;
		like_use(&from->uses, &from->states.state_times, NULL, &out->totals.use);
		out->totals.processes = from->processes;
		out->totals.oom_kills = from->oom_kills;
		out->totals.threads_peak = from->threads_peak;
		out->totals.memory_used_sampled_peak_bytes = from->memory_used_peak_bytes;
		out->totals.memory_charged_peak_bytes = from->memory_charged_peak_bytes;
		out->totals.memory_limit_bytes = from->memory_limit_bytes;
		for (size_t t = 0; t < from->tasks.count; t++)
			if (like_is_of(from->tasks.items[t].node, node, first)) {
				struct record_task *task = RECORD_ADD(record, &out->tasks, task);

				task->rank = from->tasks.items[t].rank < 0 ? (int64_t)t : from->tasks.items[t].rank;
				task->pid = from->tasks.items[t].pid;
			}
	}
}

static inline void like_timeline(const struct like *like, const struct report_node *node, bool first, struct record *record)
{
	record->timeline.known = record->marked = true;
	for (size_t i = 0; i < like->report->timeline.count; i++) {
		const struct report_entry *from = &like->report->timeline.items[i];
		struct record_entry *out;

		if (!like_is_of(from->node, node, first))
			continue;
		out = RECORD_ADD(record, &record->timeline, entry);
		out->tool = like_tool(record, from->tool ? from->tool : "unnamed", from->slurm);
		out->step = from->step;
		out->count = from->count >= 0 ? from->count : 1;
		out->failures = from->failures;
		out->pid = from->pid;
		out->ppid = from->ppid;
		out->forked = from->forked;
		out->dismissed = from->dismissed;
		out->living = from->living;
		out->by_shell = from->by_shell;
		out->unawaited = from->unawaited;
		out->unread = from->unread;
		out->no_pipe = from->no_pipe;
		out->start_unix_ns = like_time(from->start, like->start_ns);
		out->end_unix_ns = from->end_unix_ns >= 0 ? from->end_unix_ns : like_time(from->end, REPORT_UNKNOWN);
		out->wall_ns = from->wall_s.ns;
		out->peak_bytes = from->peak_bytes;
		out->exit_status = like_status(from->exit_code, from->signal);
		like_entry_use(&from->uses, &from->states, &out->entry_use);
	}
}

static inline void like_oom(const struct like *like, const struct report_node *node, bool first, struct record *record)
{
	record->oom.known = like->report->oom.known;
	for (size_t i = 0; i < like->report->oom.count; i++) {
		const struct report_oom_kill *from = &like->report->oom.items[i];
		struct record_oom_kill *out;

		if (!like_is_of(from->node, node, first))
			continue;
		out = RECORD_ADD(record, &record->oom, oom_kill);
		out->time_unix_ns = like_time(from->time, REPORT_UNKNOWN);
		out->tool = like_tool(record, from->tool, from->slurm);
		out->comm = from->comm;
		out->pid = from->pid;
		out->step = from->step;
		out->rss_bytes = from->rss_bytes;
		out->used_bytes = from->used_bytes;
		out->limit_bytes = from->limit_bytes;
		out->kernel_bytes = from->kernel_bytes;
		out->slab_bytes = from->slab_bytes;
		out->names_bytes = from->names_bytes;
		out->page_table_bytes = from->page_table_bytes;
		out->node_ran_out = from->node_ran_out;
		out->along = from->along;
	}
}

static inline void like_progress(const struct like *like, const struct report_node *node, bool first, struct record *record)
{
	const struct report_progress *from = &like->report->progress;
	struct record_progress *out = &record->progress;

	out->known = out->stalls.known = from->known;
	if (from->idle_head_s.ns >= 0)
		out->first_activity_unix_ns = like->start_ns + from->idle_head_s.ns;
	if (from->idle_tail_s.ns >= 0)
		out->last_activity_unix_ns = like->end_ns - from->idle_tail_s.ns;
	for (size_t i = 0; i < from->stalls.count; i++) {
		const struct report_stall *stall = &from->stalls.items[i];
		struct record_stall *one;

		if (!like_is_of(stall->node, node, first))
			continue;
		one = RECORD_ADD(record, &out->stalls, stall);
		one->tool = like_tool(record, stall->tool, false);
		one->pid = stall->pid;
		one->step = stall->step;
		one->start_unix_ns = like_time(stall->start, REPORT_UNKNOWN);
		one->quiet_ns = stall->quiet_s.ns;
	}
}

static inline void like_file_systems(const struct report_file_system_list *list, struct record *record)
{
	record->file_systems.known = list->known;
	for (size_t i = 0; i < list->count; i++) {
		const struct report_file_system *from = &list->items[i];
		struct record_file_system *out = RECORD_ADD(record, &record->file_systems, file_system);

		out->type = from->type;
		out->wait_ns = from->wait_s.ns;
		out->waits = from->waits;
		out->reads = from->reads;
		out->writes = from->writes;
		out->read_bytes = from->read_bytes;
		out->write_bytes = from->write_bytes;
		out->opens = from->opens;
	}
}

static inline void like_times(struct record *record, const struct report_times *from, size_t count, struct report_counts *to)
{
	report_make_values(record_memory(record), to, count);
	for (size_t i = 0; i < count; i++)
		to->items[i] = i < from->count ? from->items[i].ns : REPORT_UNKNOWN;
}

static inline void like_series(const struct like *like, const struct report_node *node, bool first, struct record *record)
{
	for (size_t i = 0; i < like->report->series.count; i++) {
		const struct report_series *from = &like->report->series.items[i];
		struct record_series *out = &record->series;
		size_t count = from->end_offsets_s.count;

		if (out->known || !like_is_of(from->node, node, first))
			continue;
		out->known = out->columns.known = true;
		out->start_unix_ns = like_time(from->start, like->start_ns);
		out->interval_ns = from->interval_s.ns;
		like_times(record, &from->end_offsets_s, count, &out->end_offsets_ns);
		like_times(record, &from->columns.cpu_s, count, &out->columns.cpu_ns);
		like_times(record, &from->columns.on_cpu_s, count, &out->columns.on_cpu_ns);
		like_times(record, &from->columns.runnable_s, count, &out->columns.runnable_ns);
	}
}

static inline void like_gpus(const struct like *like, const struct report_node *node, bool first, struct record *record)
{
	const struct report_gpu_list *list = &like->report->gpus;

	record->gpus.known = list->known;
	record->gpus_listed_ns = like->report->gpus_listed_s.ns;
	for (size_t i = 0; i < list->count; i++) {
		const struct report_gpu *from = &list->items[i];
		struct record_gpu *out;

		if (!like_is_of(from->node, node, first))
			continue;
		out = RECORD_ADD(record, &record->gpus, gpu);
		out->used = true;
		out->vendor = from->vendor;
		out->model = from->model;
		out->minor = from->minor;
		out->slice = from->slice;
		out->gpu_instance = from->gpu_instance;
		out->memory_total_bytes = from->memory_total_bytes;
		out->memory_peak_bytes = from->memory_peak_bytes;
		out->job_memory_peak_bytes = from->job_memory_peak_bytes;
		out->xid_errors = from->xid_errors;
		out->idle_tail_ns = from->idle_tail_s.ns;
		if (from->sm_share >= 0) {
			out->sm.known = true;
			out->sm.known_ns = from->busy_known_s.ns;
			out->sm.busy_ns = (int64_t)(from->sm_share * (double)from->busy_known_s.ns);
		}
		if (!(from->busy_share >= 0))
			continue;
		out->busy.known = true;
		out->busy.known_ns = from->busy_known_s.ns;
		out->busy.busy_ns = (int64_t)(from->busy_share * (double)from->busy_known_s.ns);
		out->busy.covered_ns = from->busy_covered_s.ns;
		out->busy.counted_ns = report_text_is(from->busy_source, "counters") ? from->busy_known_s.ns : 0;
	}
}

static inline void like_gpu_types(const struct report *report, struct record_gpu_given_list *out)
{
	const struct report_gpu_allocated_list *list = &report->allocated.gpus_allocated;

	out->items = calloc(list->count + 1, sizeof(*out->items));
	assert_non_null(out->items);
	for (size_t i = 0; i < list->count; i++) {
		record_table_gpu_given()->forget(&out->items[i]);
		out->items[i].known = true;
		out->items[i].node = list->items[i].node;
		out->items[i].kind = list->items[i].kind;
		out->items[i].type = list->items[i].type;
		out->items[i].count = list->items[i].count;
	}
	out->count = list->count;
	out->known = list->count > 0;
}

static inline void like_head(const struct like *like, const struct report_node *node, struct record *record)
{
	const struct report *report = like->report;

	record->stint_record = RECORD_VERSION;
	record->identity.known = record->collector.known = record->user.known = true;
	record->identity.job_id = LIKE_JOB;
	record->identity.attempt = 1;
	record->identity.node = node->name && *node->name ? node->name : "n1";
	record->collector.since_unix_ns = like->start_ns - INT64_C(3600000000000);
	record->collector.closed_unix_ns = like->end_ns + 1000000000;
	record->user.uid = 1000;
	record->opened_unix_ns = like->start_ns;
	record->mode = report_text_is(report->mode, "summary") ? "summary" : "timeline";
	record->complete = report->complete.value;
	record->gaps.known = record->lost.known = true;
	for (size_t i = 0; i < report->gaps.count; i++)
		if (report->gaps.items[i].name && report->gaps.items[i].reason)
			record_add_gap(record, report->gaps.items[i].name, report->gaps.items[i].reason);
	for (size_t i = 0; i < report->lost.count; i++)
		report_add_count(record_memory(record), &record->lost, report->lost.items[i].name, report->lost.items[i].value);
}

static inline void like_node(struct like *like, const struct report_node *node, bool alone)
{
	const struct report *report = like->report;
	struct record *record = record_new(NULL);
	bool first = like->count == 0;

	assert_non_null(record);
	like_head(like, node, record);
	if (alone)
		like_totals(&report->used.totals, &report->used.network, &report->states, &record->totals);
	else
		like_totals(&node->used.totals, &node->used.network, &node->states, &record->totals);
	record->totals.memory_limit_bytes = node->allocated.memory_limit_bytes;
	like_waits(alone ? &report->states : &node->states, &record->pressure);
	like_allocated(like, node, record);
	like_file_systems(alone ? &report->used.file_systems : &node->used.file_systems, record);
	if (first)
		like_tools(report, record);
	record->tools.known = true;
	like_steps(like, node, first, record);
	like_timeline(like, node, first, record);
	like_oom(like, node, first, record);
	like_progress(like, node, first, record);
	like_series(like, node, first, record);
	like_gpus(like, node, first, record);
	like->list[like->count] = record;
	like->records[like->count++] = record;
}

/* ---- Slurm's answer ---- */

static inline void like_memory(const struct report *report, struct record_slurm_job *out)
{
	const struct report_requested *from = &report->requested;
	int64_t nodes = from->nodes > 0 ? from->nodes : 1;

	if (report_text_is(from->memory_source, "per cpu"))
		out->memory_per_cpu_bytes = from->memory_per_cpu_bytes >= 0 ? from->memory_per_cpu_bytes :
										    like_share(from->memory_bytes, out->cpus);
	else if (report_text_is(from->memory_source, "all of the node"))
		out->memory_per_node_bytes = 0;
	else if (from->memory_bytes >= 0)
		out->memory_per_node_bytes = like_share(from->memory_bytes, nodes);
	out->allocated_memory_bytes = report->allocated.memory_bytes >= 0 ? report->allocated.memory_bytes : from->memory_bytes;
	out->memory_by_default = from->memory_by_default;
}

static inline void like_timed_out(const struct report *report, struct report_counts *out)
{
	out->items = calloc(report->steps.count + 1, sizeof(*out->items));
	assert_non_null(out->items);
	for (size_t i = 0; i < report->steps.count; i++)
		if (report->steps.items[i].timed_out && report->steps.items[i].id)
			out->items[out->count++] = strtoll(report->steps.items[i].id, NULL, 10);
	out->known = out->count > 0;
}

static inline void like_slurm(struct like *like)
{
	const struct report *report = like->report;
	struct record_slurm_job *out = &like->slurm;
	bool ended = report_text_is(report->job.state, "OUT_OF_MEMORY");

	record_table_slurm_job()->forget(out);
	out->known = true;
	out->job_id = LIKE_JOB;
	out->state = report->job.state;
	out->name = report->job.name;
	out->std_out = report->job.std_out;
	out->exit_status = ended ? 125 : like_status(report->job.exit_code, report->job.signal);
	out->start_unix_s = like->start_ns / NS_PER_S;
	out->end_unix_s = like->end_ns / NS_PER_S;
	if (report->job.suspended_s.ns > 0)
		out->suspended_s = report->job.suspended_s.ns / NS_PER_S;
	out->nodes = report->allocated.nodes;
	out->cpus = report->allocated.cpus;
	out->requested_cpus = report->requested.cpus;
	out->tasks = report->requested.tasks;
	out->gpus = report->allocated.gpus;
	out->exclusive = report->allocated.exclusive;
	out->time_limit_s = report->requested.time_limit_s;
	like_memory(report, out);
	like_timed_out(report, &out->steps_timed_out);
	like_gpu_types(report, &out->gpus_allocated);
}

/* Makes records like @report, which must outlive them, for like_free(). Returns false if there can be none. */
static inline bool like_make(const struct report *report, struct like *like)
{
	size_t nodes = 0;

	*like = (struct like){ .report = report };
	for (size_t i = 0; i < report->nodes.count; i++)
		nodes += report->nodes.items[i].used.known;
	if (report->so_far || nodes > LIKE_NODES || nodes == 0)
		return false;
	like->end_ns = like_time(report->job.end, LIKE_END_S * NS_PER_S);
	like->start_ns = like_time(report->job.start, like->end_ns - (report->job.elapsed_s.ns > 0 ? report->job.elapsed_s.ns : 0));
	like_slurm(like);
	for (size_t i = 0; i < report->nodes.count; i++)
		if (report->nodes.items[i].used.known)
			like_node(like, &report->nodes.items[i], nodes == 1);
	return true;
}

static inline void like_free(struct like *like)
{
	for (size_t i = 0; i < like->count; i++)
		record_free(like->records[i]);
	free(like->slurm.steps_timed_out.items);
	free(like->slurm.gpus_allocated.items);
}

#endif
