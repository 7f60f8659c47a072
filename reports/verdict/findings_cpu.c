/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "common/utf8.h"
#include "reports/json/plural.h"
#include "reports/rules/evidence.h"
#include "reports/rules/tool_threads.h"
#include "reports/verdict/bound.h"
#include "reports/verdict/findings_internal.h"

#define S_PER_H 3600.0

static bool long_enough(const struct facts *facts)
{
	return facts->elapsed_s >= fact_rule(facts, RULE_FINDING_ELAPSED);
}

static void put_crowd(const struct facts *facts, struct evidence *evidence)
{
	evidence_seconds(evidence, "runnable_s", facts->runnable_s);
	evidence_number(evidence, "busy_threads", facts->shares.busy, NULL);
	evidence_count(evidence, "busy_peak", facts->busy_peak);
	evidence_number(evidence, "cpus_per_node", facts->cpus_per_node, NULL);
}

bool findings_cpus_exceeded(const struct facts *facts, struct evidence *evidence)
{
	evidence_number(evidence, "cores_busy", facts->shares.cores_busy, NULL);
	evidence_count(evidence, "cpus", facts->cpus);
	return facts_exceeds_cpus(facts) && long_enough(facts);
}

bool findings_oversubscribed(const struct facts *facts, struct evidence *evidence)
{
	evidence_number(evidence, "cpu_wait_share", facts->shares.cpu_wait, NULL);
	put_crowd(facts, evidence);
	return facts->oversubscribed && !bound_crowded(facts);
}

bool findings_crowded(const struct facts *facts, struct evidence *evidence)
{
	evidence_number(evidence, "cpu_wait_share", facts->shares.cpu_wait, NULL);
	put_crowd(facts, evidence);
	/* Cores of a node without work are not spare. */
	evidence_count(evidence, facts->spare_touched ? "cores_hardly_used" : "cores_unused", facts->cores_spare);
	return bound_crowded(facts);
}

bool findings_cpu_throttled(const struct facts *facts, struct evidence *evidence)
{
	evidence_number(evidence, "starved_share", facts->shares.kept, NULL);
	evidence_seconds(evidence, "throttled_s", facts->throttled_s);
	put_crowd(facts, evidence);
	return bound_kept(facts) && bound_throttled(facts) && facts->throttled_s >= fact_rule(facts, RULE_CPU_WAIT_MIN);
}

bool findings_cpu_starved(const struct facts *facts, struct evidence *evidence)
{
	evidence_number(evidence, "starved_share", facts->shares.kept, NULL);
	/* runnable_s without the time in which the job's own threads had the CPU */
	evidence_seconds(evidence, "starved_s", facts->shares.kept_s);
	put_crowd(facts, evidence);
	return bound_kept_also(facts) && !bound_throttled(facts) && facts->shares.kept_s >= fact_rule(facts, RULE_CPU_WAIT_MIN);
}

/*
 * Returns true if threads waited for locks because the thread with the lock had no CPU.
 * Assumes that with enough CPUs, the waits would be shorter by the share of time in which threads waited for a CPU.
 */
static bool waited_for_a_holders_cpu(const struct facts *facts)
{
	double own_s = facts->wait[FACT_LOCK].thread_s * (1 - facts->shares.cpu_wait);

	return (facts->oversubscribed || bound_kept_also(facts)) && own_s < fact_rule(facts, RULE_LOCK_CONTENTION) * facts->core_s;
}

/* Checks the kernel's locks, and locks that a runtime builds from condition variables. */
static bool fights_for_locks(const struct facts *facts)
{
	return (facts->shares.cause[CAUSE_LOCK] >= fact_rule(facts, RULE_LOCK_CONTENTION) && !waited_for_a_holders_cpu(facts)) ||
	       bound_turns(facts, RULE_TURNS_CONTENTION);
}

bool findings_lock_contention(const struct facts *facts, struct evidence *evidence)
{
	evidence_number(evidence, "lock_share", facts->shares.cause[CAUSE_LOCK], NULL);
	evidence_seconds(evidence, "lock_s", facts->wait[FACT_LOCK].thread_s);
	evidence_count(evidence, "waits", facts->wait[FACT_LOCK].waits);
	if (bound_turns(facts, RULE_TURNS_CONTENTION))
		evidence_number(evidence, "turns_share", facts->shares.turns, NULL);
	return fights_for_locks(facts);
}

/*
 * In two cases, a job only looks as if a single thread was busy:
 *  - Other work keeps one thread from its CPU, and all other threads wait for this thread.
 *  - Threads take turns at a lock.
 */
bool findings_serial(const struct facts *facts, struct evidence *evidence)
{
	if ((bound_kept(facts) && !bound_serial_more(facts)) || fights_for_locks(facts))
		return false;
	evidence_number(evidence, "serial_share", facts->shares.serial, NULL);
	evidence_count(evidence, "cores", facts->cores);
	evidence_number(evidence, "cores_idle_core_hours", facts->idle_core_s / S_PER_H, "core-hours");
	return bound_serial(facts) && long_enough(facts);
}

bool findings_cpu_efficiency(const struct facts *facts, struct evidence *evidence)
{
	double efficiency = report_ratio(facts->report->used.cpu_efficiency);
	double wasted = report_ratio(facts->report->used.cpu_wasted_core_hours);

	evidence_number(evidence, "cpu_efficiency", efficiency, NULL);
	evidence_number(evidence, "cpu_wasted_core_hours", wasted, "core-hours");
	evidence_count(evidence, "cpus", facts->cpus);
	/* The thread that feeds a GPU computes little, so a core for each GPU is no waste. */
	if (facts->gpus > 0 && !(facts->cores > facts->gpus))
		return false;
	return !bound_kept(facts) && efficiency >= 0 && !facts_used_cpus(facts) && wasted >= fact_rule(facts, RULE_CPU_WASTE) &&
	       long_enough(facts);
}

bool findings_cores_unused(const struct facts *facts, struct evidence *evidence)
{
	evidence_count(evidence, "cores_unused", facts->cores_unused);
	evidence_count(evidence, "cores_bound", facts->cores_bound);
	evidence_number(evidence, "unused_core_hours", facts->cores_unused * facts->elapsed_s / S_PER_H, "core-hours");
	/*
	 * Unused cores are no finding in these cases:
	 *  - Other work uses some of the job's CPUs, so the job's threads stay on its other CPUs.
	 *  - The job got whole nodes, and may not have asked for all cores.
	 *  - Whole nodes did nothing, which is another finding.
	 *  - The job did no work, so it does not show what it needs.
	 *  - Too many threads ran on some cores, which is another finding.
	 */
	if (facts->oversubscribed || (!facts_gpus_may_work(facts) && facts_did_nothing(facts)))
		return false;
	return facts->cores_unused > 0 && facts->cpus_touched < facts->cpus_per_node && !facts->exclusive && !bound_kept(facts) &&
	       long_enough(facts);
}

static double node_share(const struct facts *facts, const struct report_node *node, double seconds)
{
	return fact_ratio(seconds, report_number(node->allocated.cpus) * facts->elapsed_s);
}

static bool is_idle(const struct facts *facts, const struct report_node *node)
{
	return node_share(facts, node, facts_node_wanted_s(node)) < fact_rule(facts, RULE_NODE_IDLE);
}

/* A node is not idle if its threads waited for a CPU. The CPU time of other jobs does not count as work. */
bool findings_node_idle(const struct facts *facts, struct evidence *evidence)
{
	const struct report_node_list *nodes = &facts->report->nodes;
	const struct report_node *first = NULL;
	double busiest = NAN, most_used = NAN, idle = 0;

	for (size_t i = 0; i < nodes->count; i++) {
		const struct report_node *node = &nodes->items[i];

		busiest = fmax(busiest, node_share(facts, node, facts_node_wanted_s(node)));
		most_used = fmax(most_used, node_share(facts, node, report_s(node->used.cpu_s)));
		if (!is_idle(facts, node))
			continue;
		idle++;
		if (!first)
			first = node;
	}
	if (!first)
		return false;
	evidence_count(evidence, "nodes_idle", idle);
	evidence_count(evidence, "nodes", (double)nodes->count);
	evidence_text(evidence, "node", first->name);
	evidence_number(evidence, "cpu_share", node_share(facts, first, report_s(first->used.cpu_s)), NULL);
	evidence_number(evidence, "busiest_cpu_share", most_used, NULL);
	/* The GPUs of the idle node may have been at work. */
	return busiest >= fact_rule(facts, RULE_NODE_BUSY) && long_enough(facts) && !facts_gpus_may_work(facts);
}

/* With fewer CPUs, tasks that share a node do less work, or their srun waits forever for room. */
static bool tasks_shared_node(const struct facts *facts)
{
	return facts->ranked || facts_tasks_at_work(facts) > facts->nodes || facts->steps_overlap;
}

/* Each task runs a copy of the program. So an option of the program does not set the total number of threads. */
static void hint_crowd_of_tasks(const struct facts *facts, char text[SENTENCE_TEXT])
{
	double tasks = facts_tasks_at_work(facts);

	if (tasks > facts->cpus)
		utf8_append(text, SENTENCE_TEXT, "%.0f tasks had %.0f CPU%s: start no more tasks than CPUs, or ask for a CPU for each.", tasks,
			    facts->cpus, plural(facts->cpus));
	else
		utf8_append(text, SENTENCE_TEXT, "Its tasks together had more busy threads than it had CPUs: start fewer tasks, or fewer "
			    "threads in each.");
}

void findings_hint_oversubscribed(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	const struct report_tool *tool = facts->crowding;
	double cpus = tool_threads_cpus(facts);

	(void)evidence;
	if (tool) {
		tool_threads_name(tool, text);
		utf8_append(text, SENTENCE_TEXT, " for %.0f CPU%s: %suse its option for threads to start fewer.", cpus, plural(cpus),
			    tool_threads_runtime(tool) ? "set OMP_NUM_THREADS, or " : "");
	} else if (tasks_shared_node(facts)) {
		hint_crowd_of_tasks(facts, text);
	} else if (facts->on_few) {
		utf8_append(text, SENTENCE_TEXT, "%s", finding_rules[FINDING_OVERSUBSCRIBED].hint);
	}
	if (facts->on_few)
		utf8_append(text, SENTENCE_TEXT, " And they ran on %.0f of %.0f cores: see whether srun, taskset or OMP_PROC_BIND bound "
			    "them.", facts->cores_there - facts->cores_spare, facts->cores_there);
}

/* Nobody knows what a killed task would have done, so the hint names the killed processes. */
static void hint_tasks(const struct facts *facts, char text[SENTENCE_TEXT])
{
	double tasks = facts_tasks_at_work(facts);

	if (facts->oom_kills > 0 || facts->cut_off) {
		utf8_append(text, SENTENCE_TEXT, "Some of its processes were killed, and did no more work: look at that first.");
		return;
	}
	utf8_append(text, SENTENCE_TEXT, "Share the work evenly among the job's tasks, or see what the tasks waited for.");
	if (tasks > 1 && facts->cores > tasks && !facts->exclusive)
		utf8_append(text, SENTENCE_TEXT, " One core for each is enough.");
}

static void hint_idle_threads(const struct facts *facts, const struct report_tool *tool, char text[SENTENCE_TEXT])
{
	const char *interpreter = tool_threads_turns(tool);

	tool_threads_name(tool, text);
	if (interpreter)
		utf8_append(text, SENTENCE_TEXT, ", and %s runs one at a time: use processes instead%s.", interpreter,
			    facts->exclusive ? "" : ", or ask for fewer CPUs");
	else
		utf8_append(text, SENTENCE_TEXT, ", but they did not keep the CPUs busy: see what they waited for, or %s.",
			    facts->exclusive ? "run several programs at once" : "ask for fewer CPUs");
}

/*
 * Does not suggest an option if the user already used it to set the number of threads.
 * Does not suggest fewer CPUs to a job with whole nodes: it would get the same CPUs again.
 */
void findings_hint_serial(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	const struct report_tool *tool = tool_threads_idle(facts);

	(void)evidence;
	if (tasks_shared_node(facts)) {
		hint_tasks(facts, text);
	} else if (tool) {
		hint_idle_threads(facts, tool, text);
	} else if (facts->exclusive) {
		utf8_append(text, SENTENCE_TEXT, "The job had the node to itself: use the program's option for threads, or run "
						 "several programs at once.");
	} else if (facts->tasks > 1) {
		utf8_append(text, SENTENCE_TEXT, "Use the program's option for threads, or ask for one core for each task.");
	}
}

/* If a process ran on the idle node, fewer nodes are not enough: the process needs room on another node. */
void findings_hint_node_idle(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	const struct report_node_list *nodes = &facts->report->nodes;

	(void)evidence;
	for (size_t i = 0; i < nodes->count; i++) {
		if (!is_idle(facts, &nodes->items[i]) || !(report_number(nodes->items[i].used.processes) > 0))
			continue;
		utf8_append(text, SENTENCE_TEXT, "The processes there had next to nothing to do: give them their part of the work, or "
			    "ask for fewer nodes if they are not needed.");
		return;
	}
}

void findings_hint_cpu_efficiency(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	if (facts->exclusive)
		findings_hint_serial(facts, evidence, text);
	else if (facts->cpus_per_node <= 1 || facts->cores_per_node <= 1 || /* Slurm allocates at least one core on each node */
		 (tasks_shared_node(facts) && facts->cores <= facts_tasks_at_work(facts)))
		utf8_append(text, SENTENCE_TEXT, "Change what keeps the CPU%s from being used: the verdict says what that "
						 "is.", plural(facts->cpus));
}
