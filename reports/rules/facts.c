/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/facts.h"

#include <math.h>
#include <string.h>

#include "reports/ending/known_programs.h"
#include "reports/ending/launch.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/json/oom_kills.h"
#include "reports/rules/crowding.h"
#include "reports/rules/failing_tools.h"
#include "reports/rules/launchers.h"
#include "reports/rules/node_memory.h"
#include "reports/rules/srun_steps.h"

#define MAPPED_MIN (64 << 20) /* bytes; less than that are programs and libraries, which all jobs have */

#define FILLED_SHARE 0.75 /* of what was used: then that is mostly one tool's */

/* The waits in the report's states: their names, and those of their times. */
#define WAIT(name) { name, name "_s" }
static const struct {
	const char *count, *time;
} waits[] = {
	[FACT_MEMORY_STALL] = WAIT("memory_stall"),
	[FACT_FAULT_IO] = WAIT("fault_io"),
	[FACT_FILE_IO] = WAIT("file_io"),
	[FACT_NETWORK] = WAIT("network"),
	[FACT_PIPE] = WAIT("pipe"),
	[FACT_LOCK] = WAIT("lock"),
	[FACT_CONDITION] = WAIT("condition"),
	[FACT_CHILD] = WAIT("child"),
	[FACT_EVENT] = WAIT("event"),
	[FACT_SLEEP] = WAIT("sleep"),
	[FACT_OTHER] = WAIT("other"),
};

/* ---- what the job was given ---- */

static bool is_one_of(const char *text, const char *const names[], size_t count)
{
	for (size_t i = 0; text && i < count; i++)
		if (strcmp(text, names[i]) == 0)
			return true;
	return false;
}

static bool was_stopped(const char *state)
{
	static const char *const states[] = { "TIMEOUT", "CANCELLED", "PREEMPTED", "DEADLINE" };

	return is_one_of(state, states, sizeof(states) / sizeof(states[0]));
}

/*
 * The script of a heterogeneous job is a step of its first component alone; Slurm names its output for all of them. Without Slurm's
 * answer, the step may have been on another node.
 */
static bool has_no_script(const struct facts *facts)
{
	struct json_object *steps = field_typed(facts->report, "steps", json_type_array);

	return facts->complete && field_text(facts->report, "job.state") && field_length(steps) > 0 && !parts_batch_step(facts->report) &&
	       !field_text(facts->report, "job.std_out");
}

static void read_job(struct facts *facts)
{
	facts->complete = field_true(facts->report, "complete");
	facts->uncounted = !facts->complete && gaps_have(field_find(facts->report, "gaps"), "used");
	facts->completed = field_is(facts->report, "job.state", "COMPLETED");
	facts->so_far = field_true(facts->report, "so_far");
	facts->no_script = has_no_script(facts);
	facts->timed_out = field_is(facts->report, "job.state", "TIMEOUT");
	facts->stopped = was_stopped(field_text(facts->report, "job.state"));
	facts->elapsed_s = fact_number(facts->report, "job.elapsed_s");
	facts->suspended_s = fact_number(facts->report, "job.suspended_s");
	if (isnan(facts->suspended_s))
		facts->suspended_s = 0;
	facts->limit_s = fact_number(facts->report, "requested.time_limit_s");
}

/* Counts the nodes that have a record. @whole: each of them counted from the job's begin to its end. */
static double count_nodes(const struct facts *facts, bool *whole)
{
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);
	double count = 0;

	*whole = true;
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (!field_typed(node, "used", json_type_object))
			continue;
		*whole = *whole && field_true(node, "complete");
		count++;
	}
	return count > 0 ? count : NAN;
}

static void read_cores(struct facts *facts)
{
	struct json_object *unused = field_typed(facts->report, "progress.cores_unused", json_type_array);
	double cores = fact_number(facts->report, "allocated.cores");
	double cores_bound = fact_number(facts->report, "progress.cores_bound");

	facts->cpus = fact_number(facts->report, "allocated.cpus");
	facts->gpus = fact_number(facts->report, "allocated.gpus");
	facts->requested_cpus = fact_number(facts->report, "requested.cpus");
	/* If there are fewer CPUs than cores, the node does not bind jobs to the CPUs that they were given. */
	facts->cores = fmin(cores, facts->cpus);
	facts->cores_per_node = fact_ratio(facts->cores, facts->nodes);
	facts->cpus_per_node = fact_ratio(facts->cpus, facts->nodes);
	facts->cores_bound = cores;
	facts->cores_unused = NAN;
	/* in a report that is being made, one element of the list can be several that are printed already */
	if (cores <= facts->cpus && unused)
		facts->cores_unused = fmax(field_length(unused), cores_bound - fact_number(facts->report, "progress.cores_used"));
}

double facts_node_wanted_s(struct json_object *node)
{
	return fact_number(node, "used.cpu_s") + fmax(0, fact_number(node, "states.runnable_s"));
}

/* Returns @node's cores of the count @name, as a share of those that the job was bound to there. */
static double share_of_cores(struct json_object *node, const char *name)
{
	return fact_ratio(fact_number(node, name), fact_number(node, "allocated.cores_bound"));
}

/*
 * The idle cores of a node that did nothing are no room for the threads of another. Where the nodes do not say which cores they
 * used, all of them are taken to be alike. Older reports do not say which cores had next to nothing.
 */
static void find_cpus_used(struct facts *facts)
{
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);
	double touched = 0, used = 0, spare = 0, there = 0, wanted_s = 0;

	facts->cpus_touched = facts->cpus_per_node;
	if (facts->cores_unused < facts->cores_bound)
		facts->cpus_touched *= 1 - facts->cores_unused / facts->cores_bound;
	facts->cpus_used = facts->cpus_touched;
	facts->cores_spare = facts->cores_unused;
	facts->cores_there = facts->cores_bound;
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		double share = share_of_cores(node, "allocated.cores_used"), loaded = share_of_cores(node, "allocated.cores_loaded");
		double cpus_s = facts_node_wanted_s(node) * fact_number(node, "allocated.cpus");

		if (share == 0) /* what Slurm's own used there */
			continue;
		loaded = isnan(loaded) ? share : loaded;
		touched += cpus_s * share;
		used += cpus_s * loaded;
		spare += fact_number(node, "allocated.cores_bound") * (1 - loaded);
		there += fact_number(node, "allocated.cores_bound");
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
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);

	facts->nodes_empty = 0;
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		double processes = fact_number(node, "used.processes");

		if (!field_true(node, "complete") || !(processes >= 0)) {
			facts->nodes_empty = 0;
			return;
		}
		facts->nodes_empty += processes == 0;
	}
}

static void read_tasks(struct facts *facts)
{
	struct json_object *steps = field_typed(facts->report, "steps", json_type_array);

	facts->tasks = 1;
	for (size_t i = 0; i < field_length(steps); i++)
		facts->tasks = fmax(facts->tasks, fact_number(json_object_array_get_idx(steps, i), "task_count"));
}

/* ---- what the job did ---- */

/*
 * A collector of the previous form counted all futexes as locks. Where its record has no waits for conditions, they are
 * among those for locks.
 */
static void read_conditions_of_old(struct facts *facts)
{
	struct fact_wait_time *condition = &facts->wait[FACT_CONDITION];

	if (isnan(condition->thread_s) && !isnan(facts->wait[FACT_LOCK].thread_s))
		condition->thread_s = 0;
	if (isnan(condition->some_s) && !isnan(facts->wait[FACT_LOCK].some_s))
		condition->some_s = condition->bound_s = condition->waits = 0;
}

static void read_states(struct facts *facts)
{
	struct json_object *states = field_typed(facts->report, "states", json_type_object);
	struct json_object *some = field_typed(states, "some", json_type_object);
	struct json_object *bound = field_typed(states, "bound", json_type_object);
	struct json_object *counts = field_typed(states, "waits", json_type_object);
	struct json_object *used = field_typed(facts->report, "used", json_type_object);

	facts->on_cpu_s = fact_number(states, "on_cpu_s");
	facts->runnable_s = fact_number(states, "runnable_s");
	facts->active_s = fact_number(states, "active_s");
	facts->parallel_s = fact_at_most(fact_number(states, "parallel_s"), facts->active_s);
	facts->busy_peak = fact_number(states, "busy_peak");
	facts->throttled_s = fact_at_most(fmax(0, fact_number(states, "throttled_s")), facts->runnable_s);
	facts->turns_s = fact_number(states, "turns_s");
	facts->switches = fact_number(used, "voluntary_switches") + fact_number(used, "involuntary_switches");
	for (enum fact_wait i = 0; i < FACT_WAITS; i++) {
		struct fact_wait_time *wait = &facts->wait[i];

		wait->thread_s = fact_number(states, waits[i].time);
		wait->some_s = fact_number(some, waits[i].time);
		wait->bound_s = fact_number(bound, waits[i].time);
		wait->waits = fact_number(counts, waits[i].count);
		wait->mean_s = fact_ratio(wait->thread_s, wait->waits);
	}
	read_conditions_of_old(facts);
}

/* Returns how long @node had a thread; NAN: not known. */
static double node_live_s(const struct facts *facts, struct json_object *node)
{
	struct json_object *bound = field_typed(node, "states.bound", json_type_object);
	double active_s = fact_number(node, "states.active_s"), live_s = active_s;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++)
		/* a collector of the previous form has no conditions: they are among its locks */
		if (i != FACT_CONDITION || field_find(bound, waits[i].time))
			live_s += fact_number(bound, waits[i].time);
	return isnan(live_s) ? NAN : fmax(active_s, live_s - facts->suspended_s);
}

/*
 * Returns for how long nodes had no thread and should have had one; NAN: not known of each. The start and the end of the job take
 * @start_s of a node, or less if the node that had threads longest shows that. A node that had none for most of that time idled
 * while the others started, too.
 */
static double nodes_absent_s(const struct facts *facts, double start_s)
{
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);
	double longest_s = 0, absent_s = 0;

	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (!field_typed(node, "used", json_type_object))
			continue;
		if (isnan(node_live_s(facts, node)))
			return NAN;
		longest_s = fmax(longest_s, node_live_s(facts, node));
	}
	start_s = fmin(start_s, fmax(0, facts->elapsed_s - longest_s));
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		double live_s = node_live_s(facts, node), begun = longest_s > 0 ? live_s / longest_s : 0;

		if (field_typed(node, "used", json_type_object))
			absent_s += fmax(0, facts->elapsed_s - start_s * begun - live_s);
	}
	return absent_s;
}

/* As nodes_absent_s(), if only the sum over the nodes is known, or there is but one. */
static double sum_absent_s(const struct facts *facts, double start_s)
{
	double span_s = facts->elapsed_s * facts->nodes, idle_s = facts->elapsed_s * facts->nodes_empty;

	return idle_s + fmax(0, span_s - idle_s - facts->live_s - start_s * (facts->nodes - facts->nodes_empty));
}

/*
 * Finds how long the job had a thread, and how long it should have had one. Slurm's times are whole seconds, and
 * starting and ending a job takes some of them, so only what is beyond that counts as missing. A job can have no thread before
 * Slurm and its plugins let its first task begin.
 */
static void find_times(struct facts *facts, bool whole)
{
	double start_s = fact_rule(facts, RULE_START_UP) + launch_of_first(facts->report), absent_s;

	facts->live_s = facts->active_s;
	for (enum fact_wait i = 0; i < FACT_WAITS; i++)
		facts->live_s += facts->wait[i].bound_s;
	/* While Slurm held the job up, its threads waited for nothing that the job could have avoided. */
	if (!isnan(facts->live_s))
		facts->live_s = fmax(facts->active_s, facts->live_s - facts->suspended_s * facts->nodes);
	if (isnan(facts->live_s) && fact_number(facts->report, "states.lifetime_s") == 0)
		facts->live_s = 0;
	facts->time_s = facts->live_s;
	absent_s = facts->nodes > 1 ? nodes_absent_s(facts, start_s) : NAN;
	if (isnan(absent_s))
		absent_s = sum_absent_s(facts, start_s);
	if (isnan(facts->live_s))
		facts->time_s = facts->elapsed_s * facts->nodes;
	else if (whole && absent_s > 0)
		facts->time_s += absent_s;
	facts->core_s = facts->cores_per_node * facts->time_s;
	facts->idle_core_s = facts->core_s > facts->on_cpu_s ? facts->core_s - facts->on_cpu_s : 0 * facts->core_s;
}

static double sum_of(struct json_object *object, const char *one, const char *other)
{
	return fact_number(object, one) + fact_number(object, other);
}

static void read_sockets(struct facts *facts)
{
	struct json_object *used = field_typed(facts->report, "used", json_type_object);
	struct json_object *network = field_typed(used, "network", json_type_object);

	facts->tcp_udp_ops = sum_of(network, "tcp.rx_ops", "tcp.tx_ops") + sum_of(network, "udp.rx_ops", "udp.tx_ops");
	facts->socket_bytes = sum_of(used, "socket_rx_bytes", "socket_tx_bytes");
}

static void read_launchers(struct facts *facts)
{
	struct json_object *tool;
	size_t at = 0;

	facts->launchers_event_s = 0;
	while ((tool = launchers_next(facts->report, &at))) {
		facts->ranked |= !field_is(tool, "name", "srun");
		facts->launchers_event_s += fmax(0, fact_number(tool, "states.event_s"));
	}
}

/* ---- memory ---- */

/* Takes the limit of the node that came nearest to its own. Where no node has one, nothing holds the job to its request. */
static void find_limit(struct facts *facts)
{
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);

	facts->memory_near = NAN;
	facts->memory_limit = NAN;
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		double limit = fact_number(node, "allocated.memory_limit_bytes");
		double near = fact_ratio(fact_number(node, "used.memory_used_peak_bytes"), limit);

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
	struct json_object *list = field_typed(facts->report, "oom", json_type_array);
	double least = NAN, most = NAN;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);
		double limit = field_true(victim, "node_ran_out") ? NAN : fact_number(victim, "limit_bytes");

		least = fmin(least, limit);
		most = fmax(most, limit);
	}
	return most > least;
}

/* Finds how much of its memory the fullest node may have used. */
static void find_fullest(struct facts *facts)
{
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);

	facts->memory_fullest = fact_ratio(facts_memory_needed(facts), facts->memory_requested);
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		double upper = fmax(fact_number(node, "used.memory_used_peak_bytes") + facts->memory_mapped,
				    fact_number(node, "used.memory_used_peak_upper_bytes"));

		if (!isnan(facts->memory_fullest))
			facts->memory_fullest =
				fmax(facts->memory_fullest, fact_ratio(upper, node_memory(facts->report, node)));
	}
}

/*
 * Finds the program that would be smaller with just as much memory as the job used: with a quarter of that, Java would have too
 * little. One that used a small part of what it could have had leaves room for less.
 */
static void find_sized(struct facts *facts)
{
	struct json_object *tools = field_typed(facts->report, "tools", json_type_array);

	facts->sized_bytes = facts_memory_needed(facts);
	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		const char *name = field_text(tool, "name"), *interpreter = field_text(tool, "interpreter");
		double peak = fact_number(tool, "used_peak_bytes"), part = 1;
		const char *option = programs_memory_option(interpreter ? interpreter : name, &part);

		if (isnan(peak))
			peak = fact_number(tool, "peak_bytes");
		facts->filled_by_tool |= programs_fills_memory(name) && !field_true(tool, "slurm") &&
					 peak >= FILLED_SHARE * facts->memory_near * facts->memory_limit;
		if (!option || !(peak / part > facts->sized_bytes) || field_true(tool, "slurm"))
			continue;
		facts->sized_bytes = peak / part;
		facts->sized_tool = name;
		facts->sized_by = option;
	}
}

static void read_memory(struct facts *facts)
{
	size_t killed = field_length(field_typed(facts->report, "oom", json_type_array));
	const char *source = field_text(facts->report, "requested.memory_source");

	facts->exclusive = field_true(facts->report, "allocated.exclusive");
	facts->memory_per_cpu = source && strcmp(source, "per cpu") == 0;
	facts->memory_whole = source && strcmp(source, "all of the node") == 0;
	facts->memory_requested = node_memory_at_peak(facts->report);
	facts->memory_used = fact_number(facts->report, "used.memory_used_peak_bytes");
	facts->memory_upper = fmax(facts->memory_used, fact_number(facts->report, "used.memory_used_peak_upper_bytes"));
	facts->memory_mapped = facts_mapped_of(facts->report);
	facts->swap_bytes = fact_number(facts->report, "used.memory_swap_peak_bytes");
	facts->oom_kills = fact_number(facts->report, "used.oom_kills");
	if (killed > 0)
		facts->oom_kills = fmax(facts->oom_kills, killed);
	facts->oom_of_job = facts->oom_kills - oom_kills_of_node(facts->report);
	find_limit(facts);
	find_fullest(facts);
	find_sized(facts);
}

/* Takes the states of @tool from @states. What is rounded may leave a little less than nothing. */
static void take_states(struct json_object *states, struct json_object *tool)
{
	json_object_object_foreach(states, name, value) {
		double seconds, own;

		if (!field_number(tool, name, &own) || !field_number(states, name, &seconds) || !value)
			continue;
		json_object_set_double(value, fmax(0, seconds - own));
	}
}

/*
 * Adds "some" and "full" of @from to @states. If these lack the threads of @launchers, any of the others waited for no longer than all
 * of them together, and the job as a whole stopped for no longer because of them.
 */
static void add_job_waits(struct json_object *states, struct json_object *from, bool launchers)
{
	static const char *const parts[] = { "some", "full" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct json_object *job_waits = field_typed(from, parts[i], json_type_object), *own = json_object_new_object();
		double seconds, most;

		if (job_waits) {
			json_object_object_foreach(job_waits, name, value)
				if (value && field_number(job_waits, name, &seconds))
					json_object_object_add(own, name, json_object_new_double(
						launchers && field_number(states, name, &most) ? fmin(seconds, most) : seconds));
		}
		json_object_object_add(states, parts[i], own);
	}
}

struct json_object *facts_states_of_work(struct json_object *report)
{
	struct json_object *from = field_typed(report, "states", json_type_object), *states, *tool;
	bool any = false;
	size_t at = 0;

	if (!from)
		return NULL;
	states = json_object_new_object();
	json_object_object_foreach(from, name, value)
		if (json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int))
			json_object_object_add(states, name, json_object_new_double(json_object_get_double(value)));
	while ((tool = launchers_next(report, &at))) {
		take_states(states, field_typed(tool, "states", json_type_object));
		any = true;
	}
	add_job_waits(states, from, any);
	return states;
}

bool facts_used_cpus(const struct facts *facts)
{
	/* a core has more than one CPU where it has more hardware threads, and one busy thread uses it up */
	double per_core = fact_ratio(facts->cpus, facts->cores);
	double taken = facts->shares.kept_s / (facts->elapsed_s * facts->cpus);

	return (fact_number(facts->report, "used.cpu_efficiency") + (isnan(taken) ? 0 : taken)) * per_core >=
	       fact_rule(facts, RULE_CPU_EFFICIENCY);
}

double facts_mapped(double mapped)
{
	return mapped >= MAPPED_MIN ? mapped : 0;
}

double facts_mapped_of(struct json_object *report)
{
	return facts_mapped(fact_number(report, "used.memory_mapped_peak_bytes"));
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
	struct json_object *timeline = field_typed(facts->report, "timeline", json_type_array);

	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (field_true(entry, "unread") && field_text(entry, "tool"))
			add_unread(facts, field_text(entry, "tool"));
	}
}

void facts_read(struct facts *facts, struct json_object *report, const struct rules *rules)
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
	facts->memory_granted = field_true(report, "requested.memory_by_default") && facts->memory_per_cpu && facts_used_cpus(facts);
	left_behind_begin(&facts->left, report);
	find_unread(facts);
	if (!facts->completed || facts->so_far)
		return;
	work_failed_find(&facts->work, report);
	left_behind_find(&facts->left, report);
	facts->cut_off = failing_any_killed(facts);
}
