/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/facts.h"

#include <math.h>
#include <string.h>

#include "reports/ending/known_programs.h"
#include "reports/ending/launch.h"
#include "reports/ending/oom_kills.h"
#include "reports/ending/parts.h"
#include "reports/model/report_gaps.h"
#include "reports/model/report_tables.h"
#include "reports/rules/crowding.h"
#include "reports/rules/failing_tools.h"
#include "reports/rules/launchers.h"
#include "reports/rules/node_memory.h"
#include "reports/rules/srun_steps.h"

#define MAPPED_MIN (64 << 20) /* bytes; a job that maps less has only mapped programs and libraries */

#define FILLED_SHARE 0.75 /* a tool with this share of the used memory used most of it */

static bool was_stopped(const char *state)
{
	static const char *const states[] = { "TIMEOUT", "CANCELLED", "PREEMPTED", "DEADLINE" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (report_text_is(state, states[i]))
			return true;
	return false;
}

/*
 * Returns true if the job is known to have no script: it has steps, but no batch step and no output of a script.
 * In a heterogeneous job, only the first component has the batch step, but all components have the script's output.
 * Without Slurm's answer (no state), returns false: another node may have run the batch step.
 */
static bool has_no_script(const struct facts *facts)
{
	const struct report *report = facts->report;

	return facts->complete && report->job.state && report->steps.count > 0 && !parts_batch_step(report) && !report->job.std_out &&
	       !report->job.has_output;
}

static void read_job(struct facts *facts)
{
	const struct report_job *job = &facts->report->job;

	facts->complete = facts->report->complete.value;
	facts->uncounted = !facts->complete && report_has_gap(&facts->report->gaps, "used");
	facts->completed = report_text_is(job->state, "COMPLETED");
	facts->so_far = facts->report->so_far;
	facts->no_script = has_no_script(facts);
	facts->timed_out = report_text_is(job->state, "TIMEOUT");
	facts->stopped = was_stopped(job->state);
	facts->unnoticed = oom_kills_unnoticed(facts->report);
	facts->elapsed_s = report_s(job->elapsed_s);
	facts->suspended_s = fmax(0, report_s(job->suspended_s));
	facts->limit_s = report_number(facts->report->requested.time_limit_s);
}

/*
 * Counts the nodes with a record.
 * @whole: set to true if each of these nodes counted from the job's begin to the job's end.
 */
static double count_nodes(const struct facts *facts, bool *whole)
{
	double count = 0;

	*whole = true;
	for (size_t i = 0; i < facts->report->nodes.count; i++) {
		const struct report_node *node = &facts->report->nodes.items[i];

		if (!node->used.known)
			continue;
		*whole = *whole && node->complete.value;
		count++;
	}
	return count > 0 ? count : NAN;
}

static void read_cores(struct facts *facts)
{
	const struct report_allocated *allocated = &facts->report->allocated;
	const struct report_progress *progress = &facts->report->progress;
	double cores = report_number(allocated->cores);

	facts->cpus = report_number(allocated->cpus);
	facts->gpus = report_number(allocated->gpus);
	gpu_facts_read(&facts->gpu, facts->report, facts->rules, facts->elapsed_s);
	facts->requested_cpus = report_number(facts->report->requested.cpus);
	/* If the job has fewer CPUs than cores, the node does not bind jobs to CPUs. */
	facts->cores = fmin(cores, facts->cpus);
	facts->cores_per_node = fact_ratio(facts->cores, facts->nodes);
	facts->cpus_per_node = fact_ratio(facts->cpus, facts->nodes);
	facts->cores_bound = cores;
	facts->cores_unused = NAN;
	if (cores <= facts->cpus && progress->cores_unused.known)
		facts->cores_unused = fmax((double)progress->cores_unused.count,
					   report_number(progress->cores_bound) - report_number(progress->cores_used));
}

double facts_node_wanted_s(const struct report_node *node)
{
	return report_s(node->used.cpu_s) + fmax(0, report_s(node->states.runnable_s));
}

static double share_of_cores(const struct report_node_allocated *allocated, int64_t cores)
{
	return fact_ratio(report_number(cores), report_number(allocated->cores_bound));
}

/*
 * Skips nodes that did nothing: threads of other nodes cannot use their cores.
 * If nodes do not say which cores they used, treats all nodes as equal.
 * Older reports do not say which used cores did next to nothing. In these reports, each used core counts as loaded.
 */
static void find_cpus_used(struct facts *facts)
{
	double touched = 0, used = 0, spare = 0, there = 0, wanted_s = 0;

	facts->cpus_touched = facts->cpus_per_node;
	if (facts->cores_unused < facts->cores_bound)
		facts->cpus_touched *= 1 - facts->cores_unused / facts->cores_bound;
	facts->cpus_used = facts->cpus_touched;
	facts->cores_spare = facts->cores_unused;
	facts->cores_there = facts->cores_bound;
	for (size_t i = 0; i < facts->report->nodes.count; i++) {
		const struct report_node *node = &facts->report->nodes.items[i];
		const struct report_node_allocated *allocated = &node->allocated;
		double share = share_of_cores(allocated, allocated->cores_used);
		double loaded = share_of_cores(allocated, allocated->cores_loaded);
		double cpus_s = facts_node_wanted_s(node) * report_number(allocated->cpus);

		if (share == 0) /* only Slurm's own processes used CPUs there */
			continue;
		loaded = isnan(loaded) ? share : loaded;
		touched += cpus_s * share;
		used += cpus_s * loaded;
		spare += report_number(allocated->cores_bound) * (1 - loaded);
		there += report_number(allocated->cores_bound);
		facts->spare_touched |= loaded < share;
		wanted_s += facts_node_wanted_s(node);
	}
	if (!(facts->cores_unused >= 0 && used > 0 && wanted_s > 0))
		return;
	facts->cpus_touched = touched / wanted_s;
	facts->cpus_used = used / wanted_s;
	facts->cores_spare = spare;
	facts->cores_there = there;
}

static void read_empty_nodes(struct facts *facts)
{
	facts->nodes_empty = 0;
	for (size_t i = 0; i < facts->report->nodes.count; i++) {
		const struct report_node *node = &facts->report->nodes.items[i];
		double processes = report_number(node->used.processes);

		if (!node->complete.value || !(processes >= 0)) {
			facts->nodes_empty = 0;
			return;
		}
		facts->nodes_empty += processes == 0;
	}
}

static void read_tasks(struct facts *facts)
{
	facts->tasks = 1;
	for (size_t i = 0; i < facts->report->steps.count; i++)
		facts->tasks = fmax(facts->tasks, report_number(facts->report->steps.items[i].task_count));
}

/* Older collectors counted waits for conditions as waits for locks, because both use futexes. */
static void read_conditions_of_old(struct facts *facts)
{
	struct fact_wait_time *condition = &facts->wait[FACT_CONDITION];

	if (isnan(condition->thread_s) && !isnan(facts->wait[FACT_LOCK].thread_s))
		condition->thread_s = 0;
	if (isnan(condition->some_s) && !isnan(facts->wait[FACT_LOCK].some_s))
		condition->some_s = condition->bound_s = condition->waits = 0;
}

/* Older collectors counted waits for GPUs as waits for other files, for events and for unknown reasons. */
static void read_gpus_of_old(struct facts *facts)
{
	struct fact_wait_time *gpu = &facts->wait[FACT_GPU];

	if (isnan(gpu->thread_s) && !isnan(facts->wait[FACT_EVENT].thread_s))
		gpu->thread_s = 0;
	if (isnan(gpu->some_s) && !isnan(facts->wait[FACT_EVENT].some_s))
		gpu->some_s = gpu->bound_s = gpu->waits = 0;
}

/*
 * CUDA and ROCm start threads that wait for events of a GPU as long as the program runs, also while the GPU does nothing.
 * A process has about one for each GPU. Counts waits of the whole job as idle that such threads alone explain.
 * A tool's wall time is that of its runs. Its forks are taken to live as long as these.
 */
static void find_gpu_idle(struct facts *facts)
{
	const struct fact_wait_time *gpu = &facts->wait[FACT_GPU];
	double each = fmax(1, fact_ratio(facts->gpus, facts->nodes)), helpers_s = 0;

	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];
		double others = report_number(tool->threads_peak) - 1;
		double forks = fmax(0, report_number(tool->forks)), runs = fmax(1, report_number(tool->runs));

		if (report_s(tool->states.gpu_s) > 0 && others > 0)
			helpers_s += fmin(report_s(tool->states.gpu_s),
					  fmin(each, others) * report_s(tool->wall_s) * (1 + forks / runs));
	}
	facts->gpu_idle_s = helpers_s > 0 ? fmax(0, gpu->bound_s - fmax(0, gpu->thread_s - helpers_s)) : 0;
}

static void read_waits(struct facts *facts)
{
	const struct report_job_states *states = &facts->report->states;
	struct fact_wait_time *wait = facts->wait;

#define READ(kind) \
	wait->thread_s = report_s(states->kind##_s); \
	wait->some_s = report_s(states->some.kind##_s); \
	wait->bound_s = report_s(states->bound.kind##_s); \
	wait->waits = report_number(states->waits.kind); \
	wait->mean_s = fact_ratio(wait->thread_s, wait->waits); \
	wait++;
	REPORT_WAIT_KINDS(READ)
#undef READ
	read_conditions_of_old(facts);
	read_gpus_of_old(facts);
	find_gpu_idle(facts);
}

static void read_states(struct facts *facts)
{
	const struct report_job_states *states = &facts->report->states;
	const struct report_used *used = &facts->report->used;

	facts->on_cpu_s = report_s(states->on_cpu_s);
	facts->runnable_s = report_s(states->runnable_s);
	facts->active_s = report_s(states->active_s);
	facts->parallel_s = fact_at_most(report_s(states->parallel_s), facts->active_s);
	facts->busy_peak = report_number(states->busy_peak);
	facts->throttled_s = fact_at_most(fmax(0, report_s(states->throttled_s)), facts->runnable_s);
	facts->turns_s = report_s(states->turns_s);
	facts->switches = report_number(used->voluntary_switches) + report_number(used->involuntary_switches);
	read_waits(facts);
}

static double node_live_s(const struct facts *facts, const struct report_node *node)
{
	double active_s = report_s(node->states.active_s), live_s = active_s;
	struct report_wait_times bound = node->states.bound;

	/* Older collectors counted conditions as locks. */
	if (bound.condition_s.ns < 0)
		bound.condition_s.ns = 0;
#define ADD(kind) live_s += report_s(bound.kind##_s);
	REPORT_WAIT_KINDS(ADD)
#undef ADD
	return isnan(live_s) ? NAN : fmax(active_s, live_s - facts->suspended_s);
}

/*
 * Returns the sum over nodes of the time in which a node should have had a thread, but had none, in seconds.
 * Returns NAN if this time is not known for a node.
 *
 * Each node may lack threads for @start_s while the job starts and ends.
 * If the node with the longest life lacked threads for less than @start_s, takes the shorter time instead.
 * For a node with a shorter life, reduces this time in proportion.
 */
static double nodes_absent_s(const struct facts *facts, double start_s)
{
	double longest_s = 0, absent_s = 0;

	for (size_t i = 0; i < facts->report->nodes.count; i++) {
		const struct report_node *node = &facts->report->nodes.items[i];

		if (!node->used.known)
			continue;
		if (isnan(node_live_s(facts, node)))
			return NAN;
		longest_s = fmax(longest_s, node_live_s(facts, node));
	}
	start_s = fmin(start_s, fmax(0, facts->elapsed_s - longest_s));
	for (size_t i = 0; i < facts->report->nodes.count; i++) {
		const struct report_node *node = &facts->report->nodes.items[i];
		double live_s = node_live_s(facts, node), begun = longest_s > 0 ? live_s / longest_s : 0;

		if (node->used.known)
			absent_s += fmax(0, facts->elapsed_s - start_s * begun - live_s);
	}
	return absent_s;
}

/* Works like nodes_absent_s(), but needs only sums over all nodes. */
static double sum_absent_s(const struct facts *facts, double start_s)
{
	double span_s = facts->elapsed_s * facts->nodes, idle_s = facts->elapsed_s * facts->nodes_empty;

	return idle_s + fmax(0, span_s - idle_s - facts->live_s - start_s * (facts->nodes - facts->nodes_empty));
}

/*
 * Slurm's times are whole seconds, and a job needs some seconds to start and to end.
 * Only longer times without a thread count as missing.
 *
 * Two times do not count, because there cannot be a thread:
 *  - before Slurm and its plugins begin the first task;
 *  - after the kernel killed the script, if Slurm did not notice.
 */
static void find_times(struct facts *facts, bool whole)
{
	double start_s = fact_rule(facts, RULE_START_UP) + launch_of_first(facts->report), absent_s;

	facts->live_s = facts->active_s;
	for (enum fact_wait i = 0; i < FACT_WAITS; i++)
		facts->live_s += facts->wait[i].bound_s;
	/* Leaves out the suspended time: the job could not avoid these waits. */
	if (!isnan(facts->live_s))
		facts->live_s = fmax(facts->active_s, facts->live_s - facts->suspended_s * facts->nodes);
	if (isnan(facts->live_s) && facts->report->states.lifetime_s.ns == 0)
		facts->live_s = 0;
	facts->time_s = facts->live_s;
	absent_s = facts->nodes > 1 ? nodes_absent_s(facts, start_s) : NAN;
	if (isnan(absent_s))
		absent_s = sum_absent_s(facts, start_s);
	if (isnan(facts->live_s))
		facts->time_s = facts->elapsed_s * facts->nodes;
	else if (whole && absent_s > 0 && !facts->unnoticed)
		facts->time_s += absent_s;
	facts->core_s = facts->cores_per_node * facts->time_s;
	facts->idle_core_s = facts->core_s > facts->on_cpu_s ? facts->core_s - facts->on_cpu_s : 0 * facts->core_s;
}

static double sum_of(int64_t one, int64_t other)
{
	return report_number(one) + report_number(other);
}

static void read_sockets(struct facts *facts)
{
	const struct report_used *used = &facts->report->used;
	const struct report_traffic *tcp = &used->network.tcp, *udp = &used->network.udp;

	facts->tcp_udp_ops = sum_of(tcp->rx_ops, tcp->tx_ops) + sum_of(udp->rx_ops, udp->tx_ops);
	facts->socket_bytes = sum_of(used->socket_rx_bytes, used->socket_tx_bytes);
}

static void read_launchers(struct facts *facts)
{
	const struct report_tool *tool;
	size_t at = 0;

	facts->launchers_event_s = 0;
	while ((tool = launchers_next(facts->report, &at))) {
		facts->ranked |= !report_text_is(tool->name, "srun");
		facts->launchers_event_s += fmax(0, report_s(tool->states.event_s));
	}
}

/* Without any limit, memory_limit stays NAN, because nothing holds the job to its request. */
static void find_limit(struct facts *facts)
{
	facts->memory_near = NAN;
	facts->memory_limit = NAN;
	for (size_t i = 0; i < facts->report->nodes.count; i++) {
		const struct report_node *node = &facts->report->nodes.items[i];
		double limit = report_number(node->allocated.memory_limit_bytes);
		double near = fact_ratio(report_number(node->used.memory_used_peak_bytes), limit);

		if (!isnan(near) && !(near <= facts->memory_near)) {
			facts->memory_near = near;
			facts->memory_limit = limit;
		} else if (isnan(facts->memory_near)) {
			facts->memory_limit = fmax(facts->memory_limit, limit);
		}
	}
}

bool facts_oom_limits_differ(const struct facts *facts)
{
	double least = NAN, most = NAN;

	for (size_t i = 0; i < facts->report->oom.count; i++) {
		const struct report_oom_kill *victim = &facts->report->oom.items[i];
		double limit = victim->node_ran_out ? NAN : report_number(victim->limit_bytes);

		least = fmin(least, limit);
		most = fmax(most, limit);
	}
	return most > least;
}

static void find_fullest(struct facts *facts)
{
	facts->memory_fullest = fact_ratio(facts_memory_needed(facts), facts->memory_requested);
	for (size_t i = 0; i < facts->report->nodes.count; i++) {
		const struct report_node *node = &facts->report->nodes.items[i];
		double upper = fmax(report_number(node->used.memory_used_peak_bytes) + facts->memory_mapped,
				    report_number(node->used.memory_used_peak_upper_bytes));

		if (!isnan(facts->memory_fullest))
			facts->memory_fullest =
				fmax(facts->memory_fullest, fact_ratio(upper, node_memory(facts->report, node)));
	}
}

/*
 * Finds a program that must see more available memory than the job used.
 * For example, Java takes only a quarter of the available memory.
 * A program does not count if it used only a little of its part.
 */
static void find_sized(struct facts *facts)
{
	facts->sized_bytes = facts_memory_needed(facts);
	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];
		double peak = report_number(tool->used_peak_bytes), part = 1;
		const char *option = programs_memory_option(tool->interpreter ? tool->interpreter : tool->name, &part);

		if (isnan(peak))
			peak = report_number(tool->peak_bytes);
		facts->filled_by_tool |= programs_fills_memory(tool->name) && !tool->slurm.value &&
					 peak >= FILLED_SHARE * facts->memory_near * facts->memory_limit;
		if (!option || !(peak / part > facts->sized_bytes) || tool->slurm.value)
			continue;
		facts->sized_bytes = peak / part;
		facts->sized_tool = tool->name;
		facts->sized_by = option;
	}
}

static void read_memory(struct facts *facts)
{
	const struct report_used *used = &facts->report->used;
	const char *source = facts->report->requested.memory_source;

	facts->exclusive = facts->report->allocated.exclusive;
	facts->memory_per_cpu = report_text_is(source, "per cpu");
	facts->memory_whole = report_text_is(source, "all of the node");
	facts->memory_requested = node_memory_at_peak(facts->report);
	facts->memory_used = report_number(used->memory_used_peak_bytes);
	facts->memory_upper = fmax(facts->memory_used, report_number(used->memory_used_peak_upper_bytes));
	facts->memory_mapped = facts_mapped_of(facts->report);
	facts->swap_bytes = report_number(used->memory_swap_peak_bytes);
	facts->oom_kills = report_number(used->oom_kills);
	if (facts->report->oom.count > 0)
		facts->oom_kills = fmax(facts->oom_kills, (double)facts->report->oom.count);
	facts->oom_of_job = facts->oom_kills - oom_kills_of_node(facts->report);
	find_limit(facts);
	find_fullest(facts);
	find_sized(facts);
}

/* Rounded numbers may give less than 0. */
static void take_time(struct report_seconds *from, struct report_seconds own)
{
	if (from->ns >= 0 && own.ns >= 0)
		from->ns = from->ns > own.ns ? from->ns - own.ns : 0;
}

static void take_states(struct report_job_states *states, const struct report_states *of_tool)
{
#define FIELD(type, name, ...) take_time(&states->name, of_tool->name);
	REPORT_STATES
#undef FIELD
}

static void hold_to(struct report_seconds *time, struct report_seconds most)
{
	if (most.ns >= 0 && time->ns > most.ns)
		*time = most;
}

/* A job cannot wait longer than all its threads together. */
static void hold_job_waits(struct report_job_states *states)
{
#define HOLD(kind) \
	hold_to(&states->some.kind##_s, states->kind##_s); \
	hold_to(&states->full.kind##_s, states->kind##_s);
	REPORT_WAIT_KINDS(HOLD)
#undef HOLD
}

bool facts_states_of_work(const struct report *report, struct report_job_states *states)
{
	const struct report_tool *tool;
	bool any = false;
	size_t at = 0;

	*states = report->states;
	report_table_wait_times()->forget(&states->bound);
	report_table_wait_counts()->forget(&states->waits);
	states->some.known = states->full.known = states->known;
	while ((tool = launchers_next(report, &at))) {
		take_states(states, &tool->states);
		any = true;
	}
	if (any)
		hold_job_waits(states);
	return states->known;
}

bool facts_used_cpus(const struct facts *facts)
{
	/* One busy thread uses up a core with all its CPUs. */
	double per_core = fact_ratio(facts->cpus, facts->cores);
	double taken = facts->shares.kept_s / (facts->elapsed_s * facts->cpus);

	return (report_ratio(facts->report->used.cpu_efficiency) + (isnan(taken) ? 0 : taken)) * per_core >=
	       fact_rule(facts, RULE_CPU_EFFICIENCY);
}

double facts_mapped(double mapped)
{
	return mapped >= MAPPED_MIN ? mapped : 0;
}

double facts_mapped_of(const struct report *report)
{
	return facts_mapped(report_number(report->used.memory_mapped_peak_bytes));
}

double facts_memory_needed(const struct facts *facts)
{
	return fmax(facts->memory_upper, facts->memory_used + facts->memory_mapped);
}

bool facts_needs_mapped(const struct facts *facts)
{
	return facts->memory_mapped > 0 && facts_memory_needed(facts) > facts->memory_upper;
}

bool facts_above_request(const struct facts *facts)
{
	return isnan(facts->memory_limit) && facts->memory_used > facts->memory_requested;
}

bool facts_memory_tight(const struct facts *facts)
{
	return facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR) && !facts->filled_by_tool;
}

static void add_unread(struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->unread_count; i++)
		if (strcmp(facts->unread[i], name) == 0)
			return;
	if (facts->unread_count < UNREAD_MAX)
		facts->unread[facts->unread_count++] = name;
}

static void find_unread(struct facts *facts)
{
	for (size_t i = 0; i < facts->report->timeline.count; i++) {
		const struct report_entry *entry = &facts->report->timeline.items[i];

		if (entry->unread && entry->tool)
			add_unread(facts, entry->tool);
	}
}

void facts_read(struct facts *facts, const struct report *report, const struct rules *rules)
{
	bool whole;

	memset(facts, 0, sizeof(*facts));
	facts->report = report;
	facts->rules = rules;
	read_job(facts);
	facts->nodes = count_nodes(facts, &whole);
	read_cores(facts);
	find_cpus_used(facts);
	read_tasks(facts);
	read_empty_nodes(facts);
	read_states(facts);
	find_times(facts, whole);
	read_sockets(facts);
	read_launchers(facts);
	read_memory(facts);
	srun_steps_read(facts);
	facts_find_shares(facts);
	crowding_read(facts);
	facts->memory_granted = report->requested.memory_by_default && facts->memory_per_cpu && facts_used_cpus(facts);
	left_behind_begin(&facts->left, report);
	find_unread(facts);
	if (!facts->completed || facts->so_far)
		return;
	work_failed_find(&facts->work, report);
	left_behind_find(&facts->left, report);
	facts->cut_off = failing_any_killed(facts);
}
