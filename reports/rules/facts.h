/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's numbers, read once, and what follows from them, for verdict, findings and advice.
 *
 * A number that the report does not have is NAN, and so is all that is made of it. Every comparison with NAN is false,
 * so that nothing is ever found from what is not known. fmin() and fmax() ignore NAN: they are used where one of the
 * two numbers is enough.
 */
#ifndef STINT_FACTS_H
#define STINT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/ending/left_behind.h"
#include "reports/ending/work_failed.h"
#include "reports/json/fact_number.h"
#include "reports/model/report.h"
#include "reports/rules/rules.h"

/* What a thread waits for, in the order of REPORT_WAIT_KINDS. */
enum fact_wait {
	FACT_MEMORY_STALL,
	FACT_FAULT_IO,
	FACT_FILE_IO,
	FACT_NETWORK,
	FACT_PIPE,
	FACT_LOCK,
	FACT_CONDITION,
	FACT_CHILD,
	FACT_EVENT,
	FACT_SLEEP,
	FACT_OTHER,
	FACT_WAITS
};

/* What a kind of wait means in this job. */
enum fact_cause {
	CAUSE_MEMORY,
	CAUSE_FILE_IO,
	CAUSE_NETWORK,
	CAUSE_LOCK,
	CAUSE_IDLE,
	CAUSE_OTHER,
	CAUSES
};

/* Seconds, added up over all nodes with a record; thread_s also over all threads. */
struct fact_wait_time {
	double thread_s, some_s, bound_s;
	double waits; /* how many */
	double mean_s;
	enum fact_cause cause;
};

/* Shares of the time or of the core time, 0 to 1; docs/verdict.md says how each is found. */
struct fact_shares {
	double on_cpu;        /* core time in which threads were on a CPU */
	double cpu;           /* the same, and what they would have had without others on their CPUs */
	double cause[CAUSES]; /* time or core time that it took; CAUSE_OTHER: NAN */
	bool whole[CAUSES];   /* the share is of time in which no thread was busy; else of core time */
	double serial;        /* time in which exactly one thread was busy; NAN on a single core */
	double serial_own;    /* the same, had nothing been taken from the job: what is left if all of that was taken then */
	double active;        /* time in which one or more were */
	double absent;        /* time in which the job had no thread */
	double cpu_wait;      /* time that threads waited for a CPU, as a share of the time they could have run */
	double kept;          /* share of the CPU time it could have had that others or a quota took */
	double kept_s;        /* the same, in seconds */
	double kept_core;     /* the same, as a share of core time */
	double throttled;     /* share of the waits for a CPU that a quota caused; 0 where not known */
	double turns;         /* CPU time that threads used in turns, as a share of all CPU time */
	double busy;          /* threads on a CPU or waiting for one, on average on a node while any was */
	double busy_per_cpu;  /* the same for each CPU that they used (cpus_used) */
	double cores_busy;    /* cores used, on average: the report's number, if it has all of the job */
	double cores_live;    /* the same, of the time that the job had or should have had a thread: without its start */
};

#define UNREAD_MAX 16

struct facts {
	const struct report *report; /* borrowed */
	const struct rules *rules;

	bool complete;  /* all of the job was counted */
	bool uncounted; /* some of its processes were not counted (a gap "used"): it may have used what seems to be unused */
	bool completed; /* Slurm says that it ended well */
	bool timed_out;
	bool stopped;   /* Slurm ended it before its own end: by its time limit, scancel, preemption or deadline */
	bool so_far;    /* it runs still */
	bool no_script; /* salloc or srun started it, and no job script ran; false where that is not known */
	double elapsed_s;   /* without suspended_s */
	double suspended_s; /* for how long Slurm held the job up; 0: it did not, or does not say */
	double limit_s; /* its time limit */

	double nodes; /* that have a record */
	double nodes_empty; /* on which no process of the job's ever ran; 0: none, or that is not known of each */
	double cpus;  /* allocated, and requested */
	double requested_cpus;
	double gpus;  /* allocated; NAN: none that Slurm knows of */
	double cores; /* cores that the job could keep busy: allocated cores, or CPUs where these are fewer */
	double cores_per_node, cpus_per_node;
	double cores_bound, cores_unused; /* by hwloc; how many of them no thread ever ran on */
	double cores_there;  /* those of cores_bound on nodes that did something */
	double cores_spare;  /* of these, no thread ran on so many, or for next to nothing of the time */
	bool spare_touched;  /* a thread ran on some of cores_spare */
	double cpus_touched; /* CPUs of a node without those of cores that no thread ran on; of several nodes, weighted by their work */
	double cpus_used;    /* the same, without those of cores that had next to nothing beside the others, too */
	double tasks; /* of the step with most; 1 without steps */
	size_t steps; /* that srun started */
	bool steps_overlap; /* they may have run at the same time; which CPUs each had is not known */
	bool ranked;  /* mpirun or the like started processes. How many, it mostly takes from --ntasks, and a rank that sleeps is one */

	double live_s; /* time in which the job had a thread, over all nodes */
	double time_s; /* the same, and time in which it had none and should have had one */
	double core_s; /* core time in time_s */
	double idle_core_s;
	double on_cpu_s, runnable_s, active_s, parallel_s, busy_peak;
	double throttled_s; /* part of runnable_s; 0 where not known */
	double turns_s;
	double switches; /* of threads */
	struct fact_wait_time wait[FACT_WAITS];

	bool memory_granted;     /* the site's default gave it with the CPUs, and these were used */
	bool exclusive;          /* no other job could have what it left of its nodes; false where that is not known */
	bool memory_per_cpu;     /* it got memory for each CPU */
	bool memory_whole;       /* it got all of the memory of its nodes */
	double memory_used;      /* bytes; of the node with the highest peak */
	double memory_upper;     /* bytes; the highest it can have been */
	double memory_mapped;    /* bytes of mapped files in use, where that is worth a word; else 0 */
	double memory_requested; /* bytes, on that node */
	double memory_limit;     /* bytes; the cgroup's, on the node nearest to its limit; NAN: nothing enforces one */
	double memory_near;      /* used / limit, on that node; NAN: nothing enforces a limit */
	double memory_fullest;   /* the highest that a peak can have been, as a share of what its node was given */
	double steps_memory;     /* bytes on a node, for its steps to start as they did: the most that their srun asked for at once; 0: none did */
	double swap_bytes, oom_kills;
	double oom_of_job; /* of these, at a limit of the job, its steps or its tasks; the others because the node ran out of memory */
	const char *sized_tool; /* it sizes itself by the memory there is, and needs more there than the job used; NULL: there is none */
	const char *sized_by;   /* the option by which one tells that tool */
	double sized_bytes;     /* the memory with which that tool can have what it used; without one, what the job needs */
	bool filled_by_tool;    /* a tool used most of it that takes what its limit leaves, and writes files when that is full: more data needs no more */
	double tcp_udp_ops, socket_bytes;
	double launchers_event_s; /* part of wait[FACT_EVENT].thread_s: of what starts and watches tasks; 0: none */
	struct fact_shares shares;
	bool on_few; /* threads ran on some of the cores only: on the others none did, or for next to nothing of the time */
	bool to_few; /* on_few, and the busy threads were too few to crowd all CPUs of their nodes */
	bool oversubscribed; /* more threads wanted to run than there were CPUs that they ran on */
	const struct report_tool *crowding; /* then: the tool whose processes alone had more busy threads than a task had CPUs, borrowed; NULL: none */
	struct work_failed work; /* in a job that completed */
	const char *unread[UNREAD_MAX]; /* tools, with runs that failed when nothing read their output any more; those beyond count as others */
	size_t unread_count;
	struct left_behind left; /* in a job that completed */
	bool cut_off; /* in a job that completed: a run of one of its tools was killed, so what that would have needed is not known */
};

/*
 * Reads @report into @facts, which is valid while @report and @rules live.
 */
void facts_read(struct facts *facts, const struct report *report, const struct rules *rules);

/*
 * Finds the cause of each wait, and the shares. facts_read() calls it.
 */
void facts_find_shares(struct facts *facts);

/*
 * Finds the shares that are about CPUs, and not about causes of waits. facts_find_shares() calls it.
 */
void facts_find_cpu_shares(struct facts *facts);

/*
 * Returns how much work @node, of a report, had: the CPU time that its threads used or waited for, in seconds. A node whose CPUs other
 * work has is not idle. NAN: it is not known.
 */
double facts_node_wanted_s(const struct report_node *node);

/*
 * Returns true when the job used more CPUs than it was given, as it can where nothing binds jobs to their CPUs.
 */
bool facts_exceeds_cpus(const struct facts *facts);

/*
 * Returns true when hardly ever two threads were busy at once: for no more than the rule advice_parallel_share of the time, less
 * what others or a quota took of it where that is much. A thread that waits for a CPU is busy, so nobody else made it so.
 */
bool facts_one_at_a_time(const struct facts *facts);

/*
 * Returns a task's part of the requested CPUs, in whole ones: 0 if there are more tasks than CPUs. NAN: it is not known.
 */
double facts_cpus_per_task(const struct facts *facts);

/*
 * Returns how many tasks shared the work: those of srun's step with most, or the requested ones if mpirun or the like started them.
 */
double facts_tasks_at_work(const struct facts *facts);

/*
 * Returns true when the job did something, so that what it used says what it needs: for at least advice_active_share of
 * its time it was not idle.
 */
bool facts_did_work(const struct facts *facts);

/* Returns true when it is known that it did not. */
bool facts_did_nothing(const struct facts *facts);

/*
 * Returns true when the job was not at work at its end: it had done nothing for idle_edge_s and more, or was idle for
 * idle_share of its time. Where that is not known, it was at work.
 */
bool facts_idle_at_end(const struct facts *facts);

/*
 * Returns the bytes of mapped files that the job of @report used, as facts.memory_mapped has them.
 */
double facts_mapped_of(const struct report *report);

/* The same, where the report has @mapped; NAN: it has none. */
double facts_mapped(double mapped);

/*
 * Returns how much memory a node must have for the job, in bytes: the highest peak that it can have had, or what it used and room for the
 * mapped files that it used, without which each look at them would wait for a disk. (Of the highest peak, the page cache may be a part,
 * and so these files.) NAN: it is not known.
 */
double facts_memory_needed(const struct facts *facts);

/* Returns true when that is more for the mapped files. */
bool facts_needs_mapped(const struct facts *facts);

/*
 * Returns true when nothing held the job to the memory that it asked for, and it used more.
 */
bool facts_above_request(const struct facts *facts);

/* Returns true when it came so near to its limit that a little more data may be too much for it. */
bool facts_memory_tight(const struct facts *facts);

/*
 * Returns true when it used the part of its CPUs that the rule cpu_efficiency_min asks for, or would have, had not others or a quota
 * taken the CPU time.
 */
bool facts_used_cpus(const struct facts *facts);

/*
 * Sets @states to the seconds that threads spent in each state, as the report's "states" has them, without those of programs that
 * start the job's tasks and wait for them (srun, mpirun). Of its objects, only "some" and "full" are known.
 *
 * Returns false where the report has none.
 */
bool facts_states_of_work(const struct report *report, struct report_job_states *states);

/*
 * Returns true when its processes were killed at different limits: those of several steps, or of unequal nodes.
 */
bool facts_oom_limits_differ(const struct facts *facts);

/*
 * Returns true when that is not known of a job with GPUs: its CPUs did so little, and its threads may have waited for
 * GPUs at work.
 */
bool facts_waited_for_gpus(const struct facts *facts);

/*
 * Returns true when the job needs what it used: it ended well, none of its work failed, was cut off or killed, it was counted as a
 * whole, did something, took at least the time of the rule @elapsed, and nothing in it was killed for memory.
 */
bool facts_show_needs(const struct facts *facts, enum rule elapsed);

/*
 * Returns the rule's value.
 */
static inline double fact_rule(const struct facts *facts, enum rule rule)
{
	return facts->rules->value[rule];
}

#endif
