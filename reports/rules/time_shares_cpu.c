/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how the job used its CPUs, and what kept its threads from them. docs/verdict.md gives the reasons. */
#include <math.h>

#include "reports/rules/facts.h"

#define SERIES_WHOLE 0.9 /* least share of the threads' time that the points must cover */

static double known_s(const struct report_times *times, size_t i)
{
	return i < times->count ? fmax(0, report_s(times->items[i])) : 0;
}

/*
 * Sums the CPU time that the job could have had on one node, from the series.
 * For each point, takes the CPU time that threads wanted, but never more than the CPUs had.
 * An unknown value counts as 0. The caller uses no series that covers too little.
 */
static double node_could_s(const struct report_series *series, double cpus, double *wanted_s)
{
	double could_s = 0, begin_s = 0;

	for (size_t i = 0; i < series->end_offsets_s.count; i++) {
		double wanted = known_s(&series->columns.on_cpu_s, i) + known_s(&series->columns.runnable_s, i);
		double end_s = known_s(&series->end_offsets_s, i);

		could_s += fact_at_most(wanted, cpus * (end_s - begin_s));
		begin_s = end_s;
		*wanted_s += wanted;
	}
	return could_s;
}

/* Returns NAN if the series do not cover all nodes and nearly all time of the threads. */
static double series_could_s(const struct facts *facts)
{
	const struct report_series_list *list = &facts->report->series;
	double could_s = 0, wanted_s = 0;

	if ((double)list->count < facts->nodes)
		return NAN;
	for (size_t i = 0; i < list->count; i++)
		could_s += node_could_s(&list->items[i], facts->cpus_used, &wanted_s);
	return wanted_s >= SERIES_WHOLE * (facts->on_cpu_s + facts->runnable_s) ? could_s : NAN;
}

/*
 * Finds the CPU time that other work or a quota kept from the job, without the cost of switches.
 * Leaves out waits of threads for which there were no CPUs: the job's own threads shared the CPUs.
 */
static void find_kept(struct facts *facts, double could_s)
{
	double alone_s = facts->active_s - facts->parallel_s, kept_s;

	could_s = fact_at_most(could_s, alone_s + facts->parallel_s * facts->cpus_used);
	kept_s = could_s - facts->on_cpu_s - fmax(0, facts->switches * fact_rule(facts, RULE_SWITCH));
	if (kept_s < 0)
		kept_s = 0;
	facts->shares.kept_s = kept_s;
	facts->shares.kept = fact_share(fact_ratio(kept_s, could_s));
	facts->shares.kept_core = fact_share(fact_ratio(kept_s, facts->core_s));
	facts->shares.throttled = fact_ratio(facts->throttled_s, facts->runnable_s);
}

/*
 * Returns the least share of time in which the job itself had one busy thread.
 * Other work may keep one thread from its CPU while all other threads wait for this thread.
 * So subtracts all CPU time that other work took.
 */
static double own_serial(const struct facts *facts, double alone_s)
{
	double kept_s = facts->shares.kept_s > 0 ? facts->shares.kept_s : 0;

	return kept_s >= alone_s ? 0 : fact_ratio(alone_s - kept_s, facts->time_s - kept_s);
}

void facts_find_cpu_shares(struct facts *facts)
{
	struct fact_shares *shares = &facts->shares;
	double alone_s = facts->active_s - facts->parallel_s;
	double wanted_s = facts->on_cpu_s + facts->runnable_s, could_s = fact_at_most(wanted_s, series_could_s(facts));
	/* CPU time that cores could have given while threads were busy */
	double most_s = alone_s + facts->parallel_s * facts->cores_per_node;

	shares->on_cpu = fact_share(fact_ratio(facts->on_cpu_s, facts->core_s));
	shares->cpu = fact_share(fact_ratio(fact_at_most(could_s, most_s), facts->core_s));
	if (isnan(most_s) || !(shares->cpu > shares->on_cpu))
		shares->cpu = shares->on_cpu;
	shares->cores_live = fact_ratio(facts->on_cpu_s * facts->nodes, facts->time_s);
	shares->cores_busy = facts->complete ? report_ratio(facts->report->used.cores_busy) : NAN;
	if (isnan(shares->cores_busy))
		shares->cores_busy = shares->cores_live;

	shares->active = fact_ratio(facts->active_s, facts->time_s);
	shares->serial = facts->cores_per_node > 1 ? fact_ratio(alone_s, facts->time_s) : NAN;
	shares->turns = fact_share(fact_ratio(facts->turns_s, facts->on_cpu_s));
	shares->busy = fact_ratio(wanted_s, facts->active_s);
	/* Fewer threads do not help against a quota, so waits for a quota do not count. */
	shares->cpu_wait = fact_ratio(facts->runnable_s - facts->throttled_s, wanted_s - facts->throttled_s);
	shares->busy_per_cpu = fact_ratio(fact_ratio(wanted_s - facts->throttled_s, facts->active_s), facts->cpus_used);
	find_kept(facts, could_s);
	shares->serial_own = facts->cores_per_node > 1 ? own_serial(facts, alone_s) : NAN;
}

double facts_cpus_per_task(const struct facts *facts)
{
	return floor(facts->requested_cpus / facts->tasks);
}

double facts_tasks_at_work(const struct facts *facts)
{
	double requested = report_number(facts->report->requested.tasks);

	return facts->ranked && requested > facts->tasks ? requested : facts->tasks;
}

bool facts_exceeds_cpus(const struct facts *facts)
{
	return facts->shares.cores_busy >= fact_rule(facts, RULE_CPUS_EXCEEDED) * facts->cpus;
}

/*
 * Other work may keep one thread from its CPU while other threads wait for this thread.
 * The threads then seem to run one at a time. So subtracts the CPU time that other work took, if it is much.
 */
bool facts_one_at_a_time(const struct facts *facts)
{
	double kept_s = facts->shares.kept >= fact_rule(facts, RULE_STARVED_WAIT) ? facts->shares.kept_s : 0;

	return facts->parallel_s <= fact_rule(facts, RULE_ADVICE_PARALLEL) * (facts->time_s - kept_s);
}
