/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's numbers, read once, and what follows from them, for verdict, findings and advice.
 *
 * A number that the report does not have is NAN, and so is every number computed from it. Every comparison with NAN is false, so an
 * unknown number never leads to a finding. fmin() and fmax() ignore NAN: use them if one of the two numbers is enough.
 */
#ifndef STINT_FACTS_H
#define STINT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/ending/at_limit.h"
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
	double cpu;           /* the same, plus what they would have had without others on their CPUs */
	double cause[CAUSES]; /* time or core time that it took; CAUSE_OTHER: NAN */
	bool whole[CAUSES];   /* the share is of time in which no thread was busy; else of core time */
	double serial;        /* time in which exactly one thread was busy; NAN on a single core */
	double serial_own;    /* as serial, without the time taken from the job, as if all of that had been taken in this time */
	double active;        /* time in which one or more threads were busy */
	double absent;        /* time in which the job had no thread */
	double cpu_wait;      /* time that threads waited for a CPU, as a share of the time they could have run */
	double kept;          /* share of the CPU time it could have had that others or a quota took */
	double kept_s;        /* the same, in seconds */
	double kept_core;     /* the same, as a share of core time */
	double throttled;     /* share of the waits for a CPU that a quota caused; 0 if not known */
	double turns;         /* CPU time that threads used in turns, as a share of all CPU time */
	double busy;          /* threads on a CPU or waiting for one, on average on a node while any was */
	double busy_per_cpu;  /* the same for each CPU that they used (cpus_used) */
	double cores_busy;    /* cores used, on average: the report's number, if it has all of the job */
	double cores_live;    /* the same, over the time that the job had or should have had a thread: without its start */
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
	bool so_far;    /* it is still running */
	const struct report_oom_kill *unnoticed; /* kill of the job script; Slurm missed it and kept the job; NULL: none. Borrowed */
	bool no_script; /* salloc or srun started it, and no job script ran; false if that is not known */
	double elapsed_s;   /* without suspended_s */
	double suspended_s; /* how long Slurm suspended the job; 0: it did not, or does not say */
	double limit_s; /* its time limit */

	double nodes; /* that have a record */
	double nodes_empty; /* on which no process of the job ever ran; 0: none, or not known for each node */
	double cpus;  /* allocated, and requested */
	double requested_cpus;
	double gpus;  /* allocated; NAN: none that Slurm knows of */
	double cores; /* cores that the job could keep busy: allocated cores, or CPUs if there are fewer */
	double cores_per_node, cpus_per_node;
	double cores_bound, cores_unused; /* by hwloc; how many of them no thread ever ran on */
	double cores_there;  /* those of cores_bound on nodes that did something */
	double cores_spare;  /* how many of these no thread ran on, or for next to nothing of the time */
	bool spare_touched;  /* a thread ran on some of cores_spare */
	double cpus_touched; /* CPUs of a node, without those of cores that no thread ran on; averaged over nodes by their work */
	double cpus_used;    /* the same, also without those of cores that did next to nothing compared with the others */
	double tasks; /* of the step with the most tasks; 1 without steps */
	size_t steps; /* that srun started */
	bool steps_overlap; /* they may have run at the same time; which CPUs each had is not known */
	bool ranked;  /* mpirun or the like started processes. It mostly takes their number from --ntasks; a sleeping rank counts */

	double live_s; /* time in which the job had a thread, over all nodes */
	double time_s; /* the same, plus the time in which it had none and should have had one */
	double core_s; /* core time in time_s */
	double idle_core_s;
	double on_cpu_s, runnable_s, active_s, parallel_s, busy_peak;
	double throttled_s; /* part of runnable_s; 0 if not known */
	double turns_s;
	double switches; /* of threads */
	struct fact_wait_time wait[FACT_WAITS];

	bool memory_granted;     /* the site's default gave it with the CPUs, and these were used */
	bool exclusive;          /* no other job could use what it left of its nodes; false if that is not known */
	bool memory_per_cpu;     /* it got memory for each CPU */
	bool memory_whole;       /* it got all of the memory of its nodes */
	double memory_used;      /* bytes; of the node with the highest peak */
	double memory_upper;     /* bytes; the highest it can have been */
	double memory_mapped;    /* bytes of mapped files in use; 0 if too few to mention */
	double memory_requested; /* bytes, on that node */
	double memory_limit;     /* bytes; the cgroup's, on the node nearest to its limit; NAN: nothing enforces one */
	double memory_near;      /* used / limit, on that node; NAN: nothing enforces a limit */
	double memory_fullest;   /* the highest that a peak can have been, as a share of what its node was given */
	double steps_memory;     /* bytes that a node needs to start the steps again: the most that srun asked for at once; 0: none */
	double swap_bytes, oom_kills;
	double oom_of_job; /* of these, at a limit of the job, its steps or its tasks; the others because the node ran out of memory */
	const char *sized_tool; /* it sizes itself by the available memory, and needs more of it than the job used; NULL: none */
	const char *sized_by;   /* the option that sets the memory of that tool */
	double sized_bytes;     /* the available memory that lets that tool use what it used; without a tool, what the job needs */
	bool filled_by_tool;    /* a tool that fills its limit and then writes files used most of it: more data needs no more */
	double tcp_udp_ops, socket_bytes;
	double launchers_event_s; /* part of wait[FACT_EVENT].thread_s that launchers waited; 0: none */
	struct fact_shares shares;
	bool on_few; /* threads ran on some of the cores only: on the others none did, or for next to nothing of the time */
	bool to_few; /* on_few, and the busy threads were too few to crowd all CPUs of their nodes */
	bool oversubscribed; /* more threads wanted to run than there were CPUs that they ran on */
	/* if oversubscribed: the tool whose processes alone had more busy threads than a task had CPUs, borrowed; NULL: none */
	const struct report_tool *crowding;
	struct work_failed work; /* in a job that completed */
	const char *unread[UNREAD_MAX]; /* tools with runs that failed once nothing read their output; more count as others */
	size_t unread_count;
	struct left_behind left; /* in a job that completed */
	struct at_limit at_limit; /* what ran when the time limit ended the job; verdict_put() finds it */
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
 * Returns how much work @node, of a report, had: the CPU time that its threads used or waited for, in seconds. A node whose CPUs
 * are busy with other work is not idle. NAN: not known.
 */
double facts_node_wanted_s(const struct report_node *node);

/*
 * Returns true if the job used more CPUs than it was given. That is possible if nothing binds jobs to their CPUs.
 */
bool facts_exceeds_cpus(const struct facts *facts);

/*
 * Returns true if two threads were hardly ever busy at once: at most for the share of the time that the rule advice_parallel_share
 * gives. If others or a quota took much time, that time does not count. A thread that waits for a CPU is busy, so other work cannot
 * cause this result.
 */
bool facts_one_at_a_time(const struct facts *facts);

/*
 * Returns the requested CPUs per task, rounded down: 0 if there are more tasks than CPUs. NAN: not known.
 */
double facts_cpus_per_task(const struct facts *facts);

/*
 * Returns how many tasks shared the work: the tasks of srun's step with the most, or the requested tasks if mpirun or the like
 * started processes and more were requested.
 */
double facts_tasks_at_work(const struct facts *facts);

/*
 * Returns true if the job did something, so that what it used says what it needs: it was not idle for at least advice_active_share
 * of its time.
 */
bool facts_did_work(const struct facts *facts);

/* Returns true if it is known that the job did nothing. */
bool facts_did_nothing(const struct facts *facts);

/*
 * Returns true if the job was idle at its end: it had done nothing for idle_edge_s or more, or was idle for idle_share of its time.
 * Returns false if that is not known, or if the job was dead (facts.unnoticed).
 */
bool facts_idle_at_end(const struct facts *facts);

/*
 * Returns the bytes of mapped files that the job of @report used, as facts.memory_mapped has them.
 */
double facts_mapped_of(const struct report *report);

/* The same for a report with @mapped bytes; NAN: it has none. */
double facts_mapped(double mapped);

/*
 * Returns how much memory a node must have for the job, in bytes: the highest peak that the job can have had or, if that is more,
 * what it used plus its mapped files. Without room for these files, each access would wait for a disk. (The highest peak may
 * include page cache, and so these files.) NAN: not known.
 */
double facts_memory_needed(const struct facts *facts);

/* Returns true if the mapped files raise that amount. */
bool facts_needs_mapped(const struct facts *facts);

/*
 * Returns true if no limit held the job to the memory that it asked for, and it used more.
 */
bool facts_above_request(const struct facts *facts);

/* Returns true if the job came so near to its memory limit that a little more data may be too much. */
bool facts_memory_tight(const struct facts *facts);

/*
 * Returns true if the job used the share of its CPUs that the rule cpu_efficiency_min asks for, or would have used it if others or
 * a quota had not taken the CPU time.
 */
bool facts_used_cpus(const struct facts *facts);

/*
 * Sets @states to the seconds that threads spent in each state, as in the report's "states", but without programs that start the
 * job's tasks and wait for them (srun, mpirun). Of its objects, only "some" and "full" are known.
 *
 * Returns false if the report has no states.
 */
bool facts_states_of_work(const struct report *report, struct report_job_states *states);

/*
 * Returns true if the job's processes were killed at different limits: those of several steps, or of unequal nodes.
 */
bool facts_oom_limits_differ(const struct facts *facts);

/*
 * Returns true if facts_idle_at_end() cannot tell because the job has GPUs: its CPUs did that little, but its threads may have
 * waited for GPUs at work.
 */
bool facts_waited_for_gpus(const struct facts *facts);

/*
 * Returns true if the job needs what it used: it ended well, none of its work failed, was cut off or killed, all of it was counted,
 * it did something, it took at least the time of the rule @elapsed, and nothing in it was killed for memory.
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
