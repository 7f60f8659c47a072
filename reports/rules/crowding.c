/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/crowding.h"

#include "reports/rules/tool_threads.h"

/*
 * Returns true if other work, and not the job's own threads, caused most of the time that the job's threads waited for
 * a CPU.
 */
static bool others_took_more(const struct facts *facts)
{
	double waited_s = facts->runnable_s - facts->throttled_s;

	return facts->shares.kept_s - facts->throttled_s > waited_s / 2;
}

static bool on_few(const struct facts *facts)
{
	return facts->cores_spare > 0 && facts->cpus_used < facts->cpus_per_node;
}

/*
 * Returns true if there were too few busy threads to crowd all CPUs of their nodes. One thread more than the CPUs is
 * still too few, because a program's first thread only starts the others and collects their results.
 */
static bool to_few(const struct facts *facts)
{
	return facts->on_few && (facts->shares.busy < fact_rule(facts, RULE_CROWD_BUSY) * facts->cpus_per_node ||
				 facts->busy_peak <= facts->cpus_per_node + 1);
}

/*
 * Returns true if more threads were busy than there were CPUs, unless fewer threads would not have helped. The waits
 * for a CPU must reach the rule cpu_wait_min_s, because a runtime that starts (javac, node) has more threads than CPUs
 * for a second or two, and no option makes this faster. Pipelines do not count, because no option reduces the number of
 * programs in a pipeline. Python does not count, because it runs one of its threads at a time, so fewer threads would
 * not compute more.
 *
 * The last condition is about threads that ran on a few of the job's cores. If they had been bound to these cores, no
 * other thread of the job would use them. If others used much of these cores, they used the job's other cores, too, and
 * the kernel left the job's threads where they were.
 */
static bool is_oversubscribed(const struct facts *facts)
{
	return !others_took_more(facts) && facts->runnable_s >= fact_rule(facts, RULE_CPU_WAIT_MIN) &&
	       facts->shares.cpu_wait >= fact_rule(facts, RULE_CROWD_WAIT) &&
	       facts->shares.busy_per_cpu >= fact_rule(facts, RULE_CROWD_BUSY) &&
	       facts->shares.active >= fact_rule(facts, RULE_CROWD_ACTIVE) && !tool_threads_of_pipeline(facts) &&
	       !tool_threads_in_turns(facts) &&
	       !(facts->to_few && facts->shares.kept >= fact_rule(facts, RULE_STARVED_WAIT));
}

void crowding_read(struct facts *facts)
{
	facts->on_few = on_few(facts);
	facts->to_few = to_few(facts);
	facts->oversubscribed = is_oversubscribed(facts);
	facts->crowding = facts->oversubscribed ? tool_threads_crowding(facts) : NULL;
}
