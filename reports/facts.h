/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's numbers, read once, and what follows from them, for verdict,
 * findings and advice.
 *
 * A number that the report does not tell is NAN, as is all that is made of it.
 * Every comparison with NAN is false, so that nothing is ever found on what is
 * not known. fmin() and fmax() take no notice of NAN: they stand where one of the two is enough.
 */
#ifndef STINT_FACTS_H
#define STINT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "reports/rules.h"

/* What a thread waits for, as in the report's states. */
enum fact_wait {
	FACT_MEMORY_STALL,
	FACT_FAULT_IO,
	FACT_FILE_IO,
	FACT_NETWORK,
	FACT_PIPE,
	FACT_LOCK,
	FACT_CHILD,
	FACT_EVENT,
	FACT_SLEEP,
	FACT_OTHER,
	FACT_WAITS
};

/* What a kind of wait comes down to in this job. */
enum fact_cause {
	CAUSE_MEMORY,
	CAUSE_FILE_IO,
	CAUSE_NETWORK,
	CAUSE_LOCK,
	CAUSE_IDLE,
	CAUSE_OTHER,
	CAUSES
};

/* Seconds over all nodes told; of "thread", of all threads too. */
struct fact_wait_time {
	double thread_s, some_s, bound_s;
	double waits; /* how many */
	double mean_s;
	enum fact_cause cause;
};

/* Shares are of the time or of the core time, 0 to 1; docs/verdict.md says how each is found. */
struct fact_shares {
	double on_cpu;        /* core time that threads were on a CPU */
	double cpu;           /* the same, with what they would have had of it without others on their CPUs */
	double cause[CAUSES]; /* time or core time that went into it; CAUSE_OTHER: NAN */
	bool whole[CAUSES];   /* of time in which no thread was busy; else of core time */
	double serial;        /* time in which exactly one thread was busy; NAN on a single core */
	double active;        /* time in which one or more were */
	double absent;        /* time in which the job had no thread */
	double cpu_wait;      /* time that threads waited for a CPU, of what they could run in */
	double busy;          /* how many were on a CPU or waited for one, on average on a node while any was */
	double busy_per_cpu;  /* the same for each CPU of those that any ever ran on */
	double cores_busy;    /* how many were used, on average */
};

struct facts {
	struct json_object *report; /* borrowed */
	const struct rules *rules;

	bool complete;  /* all of the job was counted */
	bool completed; /* Slurm says that it ended well */
	bool timed_out;
	double elapsed_s;   /* without suspended_s */
	double suspended_s; /* Slurm held the job up; 0: it did not, or does not tell */
	double limit_s; /* its time limit */

	double nodes; /* that told what they counted */
	double cpus;  /* allocated, and requested */
	double requested_cpus;
	double cores; /* that the job could keep busy: allocated cores, or CPUs where these are fewer */
	double cores_per_node, cpus_per_node;
	double cores_bound, cores_unused; /* by hwloc; which of them no thread ever ran on */
	double tasks; /* of the step that had most; 1 without steps */

	double live_s; /* in which the job had a thread, over all nodes */
	double time_s; /* with that in which it had none, and should have had */
	double core_s; /* of cores, in that time */
	double idle_core_s;
	double on_cpu_s, runnable_s, active_s, parallel_s, busy_peak;
	struct fact_wait_time wait[FACT_WAITS];

	double memory_requested; /* bytes per node */
	double memory_limit;     /* bytes; the cgroup's of the node nearest to it, else what was requested */
	double memory_used;      /* bytes; of the node with the highest peak */
	double memory_upper;     /* bytes; the highest it can have been */
	double memory_near;      /* used / limit, of the node nearest to it */
	double swap_bytes, oom_kills;
	double tcp_udp_ops, socket_bytes;
	struct fact_shares shares;
};

/*
 * Reads @report into @facts, which is good for as long as both live.
 */
void facts_read(struct facts *facts, struct json_object *report, const struct rules *rules);

/*
 * Finds what each wait comes down to and the shares. facts_read() calls it.
 */
void facts_find_shares(struct facts *facts);

/*
 * Returns the number that the dotted @name leads to: NAN when there is none, or
 * none that can be (negative, or beyond 1e18).
 */
double fact_number(struct json_object *object, const char *name);

/*
 * Returns the rule's value.
 */
static inline double fact_rule(const struct facts *facts, enum rule rule)
{
	return facts->rules->value[rule];
}

/*
 * Returns @value, or @most where it is above that. A @value that is not known
 * stays so; a @most that is not known is no bound.
 */
static inline double fact_at_most(double value, double most)
{
	return value > most ? most : value;
}

/*
 * Returns @value as a share: not above 1.
 */
static inline double fact_share(double value)
{
	return fact_at_most(value, 1);
}

#endif
