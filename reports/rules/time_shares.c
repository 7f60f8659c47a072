/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the causes of waits, and the shares for the verdict. docs/verdict.md gives the reasons. */
#include <math.h>

#include "reports/ending/parts.h"
#include "reports/rules/facts.h"

#define MOST_FAULTS 0.5

/*
 * Returns true if most waits of page faults were in steps near a limit of their own (srun --mem).
 * The numbers of the whole job do not show a step's lower limit.
 */
static bool steps_lack_memory(const struct facts *facts)
{
	const struct report_step_list *list = &facts->report->steps;
	double all_s = 0, short_s = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct report_step *step = &list->items[i];
		double fault_s = fmax(0, report_s(step->states.fault_io_s));
		double near = fact_ratio(report_number(step->memory_used_peak_bytes), report_number(step->memory_limit_bytes));

		all_s += fault_s;
		if (parts_is_of_srun(step) && !(report_number(step->memory_limit_bytes) >= facts->memory_limit) &&
		    near >= fact_rule(facts, RULE_MEMORY_NEAR))
			short_s += fault_s;
	}
	return short_s > MOST_FAULTS * all_s;
}

/* With too little memory, page faults wait for evicted pages. Otherwise page faults wait for pages of mapped files. */
static bool lacks_memory(const struct facts *facts)
{
	return facts->swap_bytes >= fact_rule(facts, RULE_SWAP_MIN) ||
	       facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR) || facts->oom_kills > 0 || steps_lack_memory(facts);
}

/* A server without clients waits in recv() for hours. So only short waits that move bytes count. */
static enum fact_cause network_cause(const struct facts *facts)
{
	if (isnan(facts->wait[FACT_NETWORK].waits))
		return CAUSE_OTHER;
	if (facts->wait[FACT_NETWORK].mean_s > fact_rule(facts, RULE_NETWORK_WAIT) || facts->socket_bytes == 0)
		return CAUSE_IDLE;
	return CAUSE_NETWORK;
}

/*
 * Most programs wait for the network in poll(): they wake up often, and their sockets move bytes each time.
 * srun waits in poll() while tasks print, but nothing waits for srun.
 * So with a launcher, other programs must also have waited in poll().
 */
static enum fact_cause event_cause(const struct facts *facts)
{
	const struct fact_wait_time *event = &facts->wait[FACT_EVENT];
	double others_s = event->thread_s - facts->launchers_event_s;

	if (facts->launchers_event_s > 0 &&
	    others_s < fact_rule(facts, RULE_NETWORK_SHARE) * fmin(event->some_s, facts->time_s))
		return CAUSE_IDLE;
	if (event->mean_s <= fact_rule(facts, RULE_EVENT_WAIT) && facts->tcp_udp_ops > 0 &&
	    facts->tcp_udp_ops >= fact_rule(facts, RULE_EVENT_OPS) * event->waits)
		return CAUSE_NETWORK;
	return CAUSE_IDLE;
}

/* A wait for a lock is usually short. An idle worker waits long for its next task, in the same system call. */
static enum fact_cause lock_cause(const struct facts *facts)
{
	if (isnan(facts->wait[FACT_LOCK].waits))
		return CAUSE_OTHER;
	return facts->wait[FACT_LOCK].mean_s > fact_rule(facts, RULE_LOCK_WAIT) ? CAUSE_IDLE : CAUSE_LOCK;
}

static void find_causes(struct facts *facts)
{
	facts->wait[FACT_MEMORY_STALL].cause = CAUSE_MEMORY;
	facts->wait[FACT_FAULT_IO].cause = lacks_memory(facts) ? CAUSE_MEMORY : CAUSE_FILE_IO;
	facts->wait[FACT_FILE_IO].cause = CAUSE_FILE_IO;
	facts->wait[FACT_GPU].cause = CAUSE_GPU;
	facts->wait[FACT_NETWORK].cause = network_cause(facts);
	/*
	 * The process at the other end keeps the pipe empty or full.
	 * If that process is part of this job, its own waits decide the verdict.
	 */
	facts->wait[FACT_PIPE].cause = CAUSE_IDLE;
	facts->wait[FACT_LOCK].cause = lock_cause(facts);
	facts->wait[FACT_CONDITION].cause = CAUSE_IDLE;
	facts->wait[FACT_CHILD].cause = CAUSE_IDLE;
	facts->wait[FACT_EVENT].cause = event_cause(facts);
	facts->wait[FACT_SLEEP].cause = CAUSE_IDLE;
	facts->wait[FACT_OTHER].cause = CAUSE_OTHER;
}

/*
 * Returns the seconds that count as idle, although programs waited for the network in poll().
 * At each moment, only one kind of wait counts. This can be the wait of a launcher, which always waits.
 */
static double hidden_by_launchers(const struct facts *facts, double others_s)
{
	const struct fact_wait_time *event = &facts->wait[FACT_EVENT];
	double idle_s = 0;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++)
		if (facts->wait[i].cause == CAUSE_IDLE)
			idle_s += facts->wait[i].bound_s;
	return others_s > event->bound_s ? fact_at_most(others_s - event->bound_s, idle_s) : 0;
}

/*
 * Subtracts launchers' waits from @event, if its cause is the network.
 * Adds the result of hidden_by_launchers() to event->bound_s, and returns this result.
 */
static double take_off_launchers(const struct facts *facts, struct fact_wait_time *event)
{
	double hidden_s;

	if (event->cause != CAUSE_NETWORK || !(facts->launchers_event_s > 0))
		return 0;
	event->thread_s -= facts->launchers_event_s;
	hidden_s = hidden_by_launchers(facts, event->thread_s);
	event->some_s = fact_at_most(event->some_s, event->thread_s);
	event->bound_s = fact_at_most(event->bound_s, event->thread_s) + hidden_s;
	return hidden_s;
}

/* The sums are NAN if no wait has this cause. */
static struct fact_wait_time sum_waits(const struct facts *facts, enum fact_cause cause)
{
	struct fact_wait_time sum = { NAN, NAN, NAN, NAN, NAN, cause }, event = facts->wait[FACT_EVENT];
	double hidden_s = take_off_launchers(facts, &event);
	bool any = false;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++) {
		const struct fact_wait_time *wait = i == FACT_EVENT ? &event : &facts->wait[i];

		if (wait->cause != cause)
			continue;
		if (!any)
			sum.thread_s = sum.some_s = sum.bound_s = 0;
		any = true;
		sum.thread_s += wait->thread_s;
		sum.some_s += wait->some_s;
		sum.bound_s += wait->bound_s;
	}
	if (cause == CAUSE_IDLE)
		sum.bound_s += facts->gpu_idle_s - hidden_s;
	if (cause == CAUSE_GPU)
		sum.bound_s -= facts->gpu_idle_s;
	return sum;
}

/*
 * Takes the share of time in which the cause stopped all threads, if this share is enough for a verdict.
 * Otherwise takes the larger of this share and the share of core time that the cause left unused.
 */
static void find_cause_share(struct facts *facts, enum fact_cause cause)
{
	static const enum rule enough[] = {
		[CAUSE_MEMORY] = RULE_MEMORY_SHARE,
		[CAUSE_FILE_IO] = RULE_FILE_IO_SHARE,
		[CAUSE_GPU] = RULE_GPU_SHARE,
		[CAUSE_NETWORK] = RULE_NETWORK_SHARE,
		[CAUSE_LOCK] = RULE_LOCK_SHARE,
	};
	struct fact_shares *shares = &facts->shares;
	struct fact_wait_time sum = sum_waits(facts, cause);
	double core_s = facts->core_s, whole, part;

	part = fact_at_most(sum.thread_s, sum.some_s * facts->cores_per_node);
	if (cause == CAUSE_MEMORY) {
		/* Threads that reclaim memory are on a CPU as often as they wait. */
		double reclaim_s = report_s(facts->report->used.reclaim_s);
		double stalled_s = facts->wait[FACT_MEMORY_STALL].thread_s;

		if (reclaim_s > stalled_s)
			part += reclaim_s - stalled_s;
	} else {
		part = fact_at_most(part, facts->idle_core_s);
	}
	/* The holder of the lock is busy, so only the other cores are idle. */
	if (cause == CAUSE_LOCK && facts->cores_per_node > 1)
		core_s *= 1 - 1 / facts->cores_per_node;
	part = fact_ratio(part, core_s);
	/* In a serial job, one thread makes progress most of the time. So waits of its other threads do not matter. */
	if ((cause == CAUSE_FILE_IO || cause == CAUSE_NETWORK) && shares->serial >= fact_rule(facts, RULE_SERIAL_SHARE))
		part = NAN;
	/* While other threads are busy, nobody knows whether the waits of GPU libraries' threads matter. */
	if (cause == CAUSE_GPU)
		part = NAN;
	whole = fact_ratio(sum.bound_s, facts->time_s);
	shares->whole[cause] = isnan(part) || whole >= part || whole >= fact_rule(facts, enough[cause]);
	shares->cause[cause] = fact_share(shares->whole[cause] ? whole : part);
}

/*
 * Returns the least time in which the job was idle. Used if only the waits of threads are known.
 * Assumes that threads worked and waited one after the other.
 */
static double least_idle_s(const struct facts *facts)
{
	double other_s = facts->on_cpu_s + facts->runnable_s;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++)
		if (facts->wait[i].cause != CAUSE_IDLE)
			other_s += facts->wait[i].thread_s;
	/* 0 times NAN stays NAN */
	return facts->time_s > other_s ? facts->time_s - other_s : 0 * (facts->time_s - other_s);
}

static void find_idle(struct facts *facts)
{
	double idle_s = sum_waits(facts, CAUSE_IDLE).bound_s + facts->time_s - facts->live_s;

	if (isnan(idle_s))
		idle_s = least_idle_s(facts);
	facts->shares.absent = fact_ratio(facts->time_s - facts->live_s, facts->time_s);
	facts->shares.cause[CAUSE_IDLE] = fact_share(fact_ratio(idle_s, facts->time_s));
	facts->shares.whole[CAUSE_IDLE] = true;
}

bool facts_did_work(const struct facts *facts)
{
	return 1 - facts->shares.cause[CAUSE_IDLE] >= fact_rule(facts, RULE_ADVICE_ACTIVE) ||
	       facts->gpu.busy >= fact_rule(facts, RULE_GPU_IDLE);
}

bool facts_did_nothing(const struct facts *facts)
{
	return 1 - facts->shares.cause[CAUSE_IDLE] < fact_rule(facts, RULE_ADVICE_ACTIVE);
}

bool facts_gpus_may_work(const struct facts *facts)
{
	return facts->gpus > 0 && !gpu_facts_none(&facts->gpu, facts->rules);
}

static bool cpus_idle_at_end(const struct facts *facts)
{
	return report_s(facts->report->progress.idle_tail_s) >= fact_rule(facts, RULE_IDLE_EDGE) ||
	       report_s(facts->report->progress.idle_head_s) >= facts->elapsed_s ||
	       facts->shares.cause[CAUSE_IDLE] >= fact_rule(facts, RULE_IDLE_SHARE);
}

bool facts_idle_at_end(const struct facts *facts)
{
	return cpus_idle_at_end(facts) && !facts_gpus_may_work(facts) && !facts->unnoticed;
}

bool facts_waited_for_gpus(const struct facts *facts)
{
	return cpus_idle_at_end(facts) && facts_gpus_may_work(facts) && !facts->unnoticed;
}

bool facts_show_needs(const struct facts *facts, enum rule elapsed)
{
	return facts->complete && facts->completed && !facts->work.found && facts->left.steps == 0 && !facts->cut_off &&
	       !(facts->oom_kills > 0) && facts_did_work(facts) && facts->elapsed_s >= fact_rule(facts, elapsed);
}

void facts_find_shares(struct facts *facts)
{
	find_causes(facts);
	facts_find_cpu_shares(facts);
	for (enum fact_cause cause = 0; cause < CAUSE_IDLE; cause++)
		find_cause_share(facts, cause);
	find_idle(facts);
	facts->shares.cause[CAUSE_OTHER] = NAN;
}
