/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/bound.h"

#include <math.h>
#include <string.h>

#define TYPE_MAX 32 /* no file system of the kernel has a longer name */

static const char *const words[] = {
	[BOUND_MEMORY] = "memory",
	[BOUND_OVERSUBSCRIBED] = "oversubscribed",
	[BOUND_THROTTLED] = "throttled",
	[BOUND_STARVED] = "starved",
	[BOUND_CPU] = "cpu",
	[BOUND_FILE_IO] = "file-io",
	[BOUND_GPU] = "gpu",
	[BOUND_NETWORK] = "network",
	[BOUND_LOCK] = "lock",
	[BOUND_SERIAL] = "serial",
	[BOUND_IDLE] = "idle",
	[BOUND_MIXED] = "mixed",
	[BOUND_UNKNOWN] = "unknown",
};

const char *bound_word(enum bound bound)
{
	return words[bound];
}

bool bound_crowded(const struct facts *facts)
{
	return facts->oversubscribed && facts->to_few;
}

bool bound_kept_also(const struct facts *facts)
{
	return facts->shares.kept >= fact_rule(facts, RULE_STARVED_WAIT) &&
	       facts->shares.active >= fact_rule(facts, RULE_STARVED_ACTIVE) && !bound_crowded(facts);
}

bool bound_kept(const struct facts *facts)
{
	return bound_kept_also(facts) && !facts->oversubscribed;
}

bool bound_throttled(const struct facts *facts)
{
	return facts->shares.throttled >= fact_rule(facts, RULE_THROTTLED);
}

bool bound_serial(const struct facts *facts)
{
	return facts->shares.serial_own >= fact_rule(facts, RULE_SERIAL_SHARE);
}

bool bound_turns(const struct facts *facts, enum rule rule)
{
	return facts->shares.turns >= fact_rule(facts, rule) &&
	       bound_serial(facts);
}

/*
 * Compares two reasons for unused core time: one busy thread, and other work.
 * While one thread was busy, the job left all other cores idle.
 * Returns false if threads waited for locks: a thread that lacks a CPU holds its lock longer.
 */
bool bound_serial_more(const struct facts *facts)
{
	double alone_s = facts->active_s - facts->parallel_s - facts->shares.kept_s;

	return bound_serial(facts) && !facts->uncounted && !bound_turns(facts, RULE_TURNS_SHARE) &&
	       !(facts->shares.cause[CAUSE_LOCK] >= fact_rule(facts, RULE_LOCK_SHARE)) &&
	       alone_s * (facts->cores_per_node - 1) > facts->shares.kept_s;
}

/* Returns the share of waits for locks. If only turns at a lock decided the verdict, returns the share of turns. */
static double lock_share(const struct facts *facts)
{
	double share = facts->shares.cause[CAUSE_LOCK];

	if (!(share >= fact_rule(facts, RULE_LOCK_SHARE)) && bound_turns(facts, RULE_TURNS_SHARE))
		return facts->shares.turns;
	return share;
}

/* Returns the share of waits for GPUs. If only the GPUs' own numbers decided the verdict, returns their busy share. */
static double gpu_share(const struct facts *facts)
{
	double share = facts->shares.cause[CAUSE_GPU];

	return !(share >= fact_rule(facts, RULE_GPU_SHARE)) && facts->gpu.busy >= fact_rule(facts, RULE_GPU_SHARE) ? facts->gpu.busy :
														     share;
}

double bound_share(const struct facts *facts, enum bound bound)
{
	switch (bound) {
	case BOUND_MEMORY:
		return facts->shares.cause[CAUSE_MEMORY];
	case BOUND_OVERSUBSCRIBED:
		return facts->shares.cpu_wait;
	case BOUND_THROTTLED:
	case BOUND_STARVED:
		return facts->shares.kept;
	case BOUND_CPU:
		return facts->shares.cpu;
	case BOUND_FILE_IO:
		return facts->shares.cause[CAUSE_FILE_IO];
	case BOUND_GPU:
		return gpu_share(facts);
	case BOUND_NETWORK:
		return facts->shares.cause[CAUSE_NETWORK];
	case BOUND_LOCK:
		return lock_share(facts);
	case BOUND_SERIAL:
		return facts->shares.serial;
	case BOUND_IDLE:
		return facts->shares.cause[CAUSE_IDLE];
	case BOUND_MIXED:
		return facts->shares.on_cpu;
	case BOUND_UNKNOWN:
		break;
	}
	return NAN;
}

static bool reaches(const struct facts *facts, enum bound bound, enum rule rule)
{
	return bound_share(facts, bound) >= fact_rule(facts, rule);
}

static enum bound largest_wait(const struct facts *facts)
{
	static const struct {
		enum bound bound;
		enum rule rule;
	} waits[] = {
		{ BOUND_FILE_IO, RULE_FILE_IO_SHARE },
		{ BOUND_GPU, RULE_GPU_SHARE },
		{ BOUND_NETWORK, RULE_NETWORK_SHARE },
		{ BOUND_LOCK, RULE_LOCK_SHARE },
	};
	const double shares[] = {
		facts->shares.cause[CAUSE_FILE_IO],
		facts->shares.cause[CAUSE_GPU],
		facts->shares.cause[CAUSE_NETWORK],
		facts->shares.cause[CAUSE_LOCK],
	};
	enum bound largest = BOUND_UNKNOWN;
	double most = NAN;

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		if (shares[i] >= fact_rule(facts, waits[i].rule) && !(shares[i] <= most)) {
			largest = waits[i].bound;
			most = shares[i];
		}
	return largest;
}

/* Waits for files or memory may take more core time than other work, even below their thresholds. */
static bool waits_took_more(const struct facts *facts)
{
	return facts->shares.cause[CAUSE_FILE_IO] > facts->shares.kept_core || facts->shares.cause[CAUSE_MEMORY] > facts->shares.kept_core;
}

/*
 * A thread that waits for a CPU counts as busy. So on a single node, other work does not make a job idle.
 * With several nodes, a node may be idle because it waits for a node that other work slows down.
 */
static bool idled_more(const struct facts *facts)
{
	return facts->nodes == 1 && facts->shares.cause[CAUSE_IDLE] > facts->shares.kept_core;
}

static bool kept_most(const struct facts *facts)
{
	return bound_kept(facts) && !waits_took_more(facts) && !bound_serial_more(facts) && !idled_more(facts);
}

enum bound bound_find(const struct facts *facts)
{
	enum bound wait = largest_wait(facts);

	if (!(facts->time_s >= fact_rule(facts, RULE_LIVE_MIN)))
		return BOUND_UNKNOWN;
	if (reaches(facts, BOUND_MEMORY, RULE_MEMORY_SHARE))
		return BOUND_MEMORY;
	if (facts->oversubscribed)
		return BOUND_OVERSUBSCRIBED;
	if (kept_most(facts))
		return bound_throttled(facts) ? BOUND_THROTTLED : BOUND_STARVED;
	if (reaches(facts, BOUND_CPU, RULE_CPU_SHARE))
		return BOUND_CPU;
	if (wait != BOUND_UNKNOWN)
		return wait;
	if (bound_turns(facts, RULE_TURNS_SHARE))
		return BOUND_LOCK;
	if (facts->uncounted) /* uncounted threads may have been busy */
		return BOUND_UNKNOWN;
	if (bound_serial(facts))
		return BOUND_SERIAL;
	if (reaches(facts, BOUND_IDLE, RULE_IDLE_SHARE))
		return facts->gpu.busy >= fact_rule(facts, RULE_GPU_SHARE) ? BOUND_GPU : BOUND_IDLE;
	return isnan(facts->live_s) || isnan(facts->shares.cpu) ? BOUND_UNKNOWN : BOUND_MIXED;
}

const struct report_file_system *bound_file_system(const struct facts *facts)
{
	const struct report_file_system_list *list = &facts->report->used.file_systems;
	const struct report_file_system *most = NULL;
	double most_s = 0;

	/*
	 * File systems do not count waits for pages of mapped files.
	 * If most waits were for pages of mapped files, no file system explains the waits.
	 */
	if (facts->wait[FACT_FAULT_IO].thread_s > facts->wait[FACT_FILE_IO].thread_s)
		return NULL;
	for (size_t i = 0; i < list->count; i++) {
		double wait_s = report_s(list->items[i].wait_s);

		if (wait_s > most_s) {
			most = &list->items[i];
			most_s = wait_s;
		}
	}
	return most && most->type && *most->type && strlen(most->type) < TYPE_MAX ? most : NULL;
}
