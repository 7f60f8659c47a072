/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the waits come down to, and the shares by which the verdict is found; docs/verdict.md says why. */
#include <math.h>

#include "reports/facts.h"

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* ---- causes ---- */

/* Its own memory did not fit: pages that a fault waits for had been pushed out. Else they are a mapped file's. */
static bool lacks_memory(const struct facts *facts)
{
	return facts->swap_bytes >= fact_rule(facts, RULE_SWAP_MIN) ||
	       facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR) || facts->oom_kills > 0;
}

/* A server waits in recv() for hours when no one calls; only what moves bytes before long is the network's. */
static enum fact_cause network_cause(const struct facts *facts)
{
	if (isnan(facts->wait[FACT_NETWORK].waits))
		return CAUSE_OTHER;
	if (facts->wait[FACT_NETWORK].mean_s > fact_rule(facts, RULE_NETWORK_WAIT) || facts->socket_bytes == 0)
		return CAUSE_IDLE;
	return CAUSE_NETWORK;
}

/* Most programs wait for the network in poll(): then wake-ups are many, and sockets move at most of them. */
static enum fact_cause event_cause(const struct facts *facts)
{
	const struct fact_wait_time *event = &facts->wait[FACT_EVENT];

	if (event->mean_s <= fact_rule(facts, RULE_EVENT_WAIT) && facts->tcp_udp_ops > 0 &&
	    facts->tcp_udp_ops >= fact_rule(facts, RULE_EVENT_OPS) * event->waits)
		return CAUSE_NETWORK;
	return CAUSE_IDLE;
}

/* Who wants a lock gets it soon; an idle worker waits for its next task in the same system call. */
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
	facts->wait[FACT_NETWORK].cause = network_cause(facts);
	/* What keeps it empty or full is told before a pipe, where that is of this job and has something to do. */
	facts->wait[FACT_PIPE].cause = CAUSE_IDLE;
	facts->wait[FACT_LOCK].cause = lock_cause(facts);
	facts->wait[FACT_CHILD].cause = CAUSE_IDLE;
	facts->wait[FACT_EVENT].cause = event_cause(facts);
	facts->wait[FACT_SLEEP].cause = CAUSE_IDLE;
	facts->wait[FACT_OTHER].cause = CAUSE_OTHER;
}

/* ---- shares ---- */

/* The waits of one cause, added up; no wait has it: NAN. */
static struct fact_wait_time sum_waits(const struct facts *facts, enum fact_cause cause)
{
	struct fact_wait_time sum = { NAN, NAN, NAN, NAN, NAN, cause };
	bool any = false;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++) {
		if (facts->wait[i].cause != cause)
			continue;
		if (!any)
			sum.thread_s = sum.some_s = sum.bound_s = 0;
		any = true;
		sum.thread_s += facts->wait[i].thread_s;
		sum.some_s += facts->wait[i].some_s;
		sum.bound_s += facts->wait[i].bound_s;
	}
	return sum;
}

/*
 * A wait's share is of the time in which it held up everything, when that is
 * enough for a verdict. Else it can be of the core time that it left unused:
 * threads waited so, and as many cores were idle.
 */
static void find_cause_share(struct facts *facts, enum fact_cause cause)
{
	static const enum rule enough[] = {
		[CAUSE_MEMORY] = RULE_MEMORY_SHARE,
		[CAUSE_FILE_IO] = RULE_FILE_IO_SHARE,
		[CAUSE_NETWORK] = RULE_NETWORK_SHARE,
		[CAUSE_LOCK] = RULE_LOCK_SHARE,
	};
	struct fact_shares *shares = &facts->shares;
	struct fact_wait_time sum = sum_waits(facts, cause);
	double core_s = facts->core_s, whole, part;

	part = fact_at_most(sum.thread_s, sum.some_s * facts->cores_per_node);
	if (cause == CAUSE_MEMORY) {
		/* Making room takes a CPU as often as it waits. */
		double reclaim_s = fact_number(facts->report, "used.reclaim_s");
		double stalled_s = facts->wait[FACT_MEMORY_STALL].thread_s;

		if (reclaim_s > stalled_s)
			part += reclaim_s - stalled_s;
	} else {
		part = fact_at_most(part, facts->idle_core_s);
	}
	/* Who holds the lock is busy: no more than the other cores can be idle for it. */
	if (cause == CAUSE_LOCK && facts->cores_per_node > 1)
		core_s *= 1 - 1 / facts->cores_per_node;
	part = ratio(part, core_s);
	/* One thread alone makes progress most of the time: what others wait for does not hold it up. */
	if ((cause == CAUSE_FILE_IO || cause == CAUSE_NETWORK) && shares->serial >= fact_rule(facts, RULE_SERIAL_SHARE))
		part = NAN;
	whole = ratio(sum.bound_s, facts->time_s);
	shares->whole[cause] = isnan(part) || whole >= part || whole >= fact_rule(facts, enough[cause]);
	shares->cause[cause] = fact_share(shares->whole[cause] ? whole : part);
}

/* Without what is told of the whole job, all that threads did and waited for may have been one after the other. */
static double least_idle_s(const struct facts *facts)
{
	double other_s = facts->on_cpu_s + facts->runnable_s;

	for (enum fact_wait i = 0; i < FACT_WAITS; i++)
		if (facts->wait[i].cause != CAUSE_IDLE)
			other_s += facts->wait[i].thread_s;
	/* 0 x what is not known is not known */
	return facts->time_s > other_s ? facts->time_s - other_s : 0 * (facts->time_s - other_s);
}

static void find_idle(struct facts *facts)
{
	double idle_s = sum_waits(facts, CAUSE_IDLE).bound_s + facts->time_s - facts->live_s;

	if (isnan(idle_s))
		idle_s = least_idle_s(facts);
	facts->shares.absent = ratio(facts->time_s - facts->live_s, facts->time_s);
	facts->shares.cause[CAUSE_IDLE] = fact_share(ratio(idle_s, facts->time_s));
	facts->shares.whole[CAUSE_IDLE] = true;
}

static void find_cpu(struct facts *facts)
{
	struct fact_shares *shares = &facts->shares;
	double alone_s = facts->active_s - facts->parallel_s;
	double wanted_s = facts->on_cpu_s + facts->runnable_s;
	double most_s = alone_s + facts->parallel_s * facts->cores_per_node; /* CPU time that those could have had */
	double used_cpus = facts->cpus_per_node;

	shares->on_cpu = fact_share(ratio(facts->on_cpu_s, facts->core_s));
	shares->cpu = fact_share(ratio(fact_at_most(wanted_s, most_s), facts->core_s));
	if (isnan(most_s) || !(shares->cpu > shares->on_cpu))
		shares->cpu = shares->on_cpu;
	shares->cores_busy = ratio(facts->on_cpu_s * facts->nodes, facts->time_s);

	shares->active = ratio(facts->active_s, facts->time_s);
	shares->serial = facts->cores_per_node > 1 ? ratio(alone_s, facts->time_s) : NAN;
	shares->cpu_wait = ratio(facts->runnable_s, wanted_s);
	shares->busy = ratio(wanted_s, facts->active_s);
	if (facts->cores_unused < facts->cores_bound)
		used_cpus *= 1 - facts->cores_unused / facts->cores_bound;
	shares->busy_per_cpu = ratio(shares->busy, used_cpus);
}

void facts_find_shares(struct facts *facts)
{
	find_causes(facts);
	find_cpu(facts);
	for (enum fact_cause cause = 0; cause < CAUSE_IDLE; cause++)
		find_cause_share(facts, cause);
	find_idle(facts);
	facts->shares.cause[CAUSE_OTHER] = NAN;
}
