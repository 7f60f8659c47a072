/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/crowding.h"

#include "reports/rules/tool_threads.h"

static bool others_took_more(const struct facts *facts)
{
	double waited_s = facts->runnable_s - facts->throttled_s;

	return facts->shares.kept_s - facts->throttled_s > waited_s / 2;
}

static bool on_few(const struct facts *facts)
{
	return facts->cores_spare > 0 && facts->cpus_used < facts->cpus_per_node;
}

/* A program's first thread often only starts other threads, so one more thread than CPUs is no crowd. */
static bool to_few(const struct facts *facts)
{
	return facts->on_few && (facts->shares.busy < fact_rule(facts, RULE_CROWD_BUSY) * facts->cpus_per_node ||
				 facts->busy_peak <= facts->cpus_per_node + 1);
}

/*
 * Returns true if more threads were busy than there were CPUs, and fewer threads would have helped.
 * Fewer threads do not help in these cases:
 *  - A runtime starts (javac, node): it has many threads for only a second or two (rule cpu_wait_min_s).
 *  - A pipeline runs: no option sets the number of its programs.
 *  - Python runs its threads one at a time.
 *  - A few threads ran on a few cores, and other work took much CPU time: all cores were busy then.
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
