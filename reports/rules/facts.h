/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the report's numbers once, and computes what the verdict, the findings and the advice need from them.
 *
 * A number that the report does not have is NAN, and so is every number computed from it. Every comparison with NAN is
 * false, so an unknown number never leads to a finding. fmin() and fmax() ignore NAN, so use them if one of the two
 * numbers is enough.
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

/* The kinds of waits of a thread, in the order of REPORT_WAIT_KINDS. */
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

/*
 * Times of one kind of wait, in seconds, added up over all nodes that have a record. thread_s is also added up over all
 * threads.
 */
struct fact_wait_time {
	double thread_s, some_s, bound_s;
	double waits; /* how many */
	double mean_s;
	enum fact_cause cause;
};

/* Shares of the job's time or of its core time, from 0 to 1. docs/verdict.md says how each share is found. */
struct fact_shares {
	double on_cpu;        /* core time in which threads were on a CPU */
	double cpu;           /* core time in which threads would have been on a CPU if nothing but the job had used
			       * their CPUs. Never below on_cpu */
	double cause[CAUSES]; /* time or core time that the cause took; NAN for CAUSE_OTHER */
	bool whole[CAUSES];   /* true if cause[] is the share of the job's time in which the cause left no thread
			       * busy; false if it is the share of core time that the cause took */
	double serial;        /* time in which exactly one thread was busy; NAN on a single core */
	double serial_own;    /* like serial, but without the CPU time that other work or a quota took. Assumes that
			       * all of this CPU time was taken while exactly one thread was busy */
	double active;        /* time in which one or more threads were busy */
	double absent;        /* time in which the job had no thread */
	double cpu_wait;      /* time that threads waited for a CPU, as a share of the time that they were on a CPU
			       * or waited for one. Waits because of a quota count in neither */
	double kept;          /* CPU time that other work or a quota took, as a share of the CPU time that the job
			       * could have had */
	double kept_s;        /* the CPU time of kept, in seconds */
	double kept_core;     /* the CPU time of kept, as a share of core time */
	double throttled;     /* share of the waits for a CPU that a quota caused; 0 if not known */
	double turns;         /* CPU time that threads used in turns, as a share of all CPU time */
	double busy;          /* average number of threads of a node that were on a CPU or waited for one. Leaves out
			       * the time in which there was no such thread */
	double busy_per_cpu;  /* busy, but without waits because of a quota, divided by cpus_used */
	double cores_busy;    /* average number of cores in use: the report's number if everything was counted,
			       * otherwise cores_live */
	double cores_live;    /* average number of cores in use while the job had a thread, or should have had one.
			       * Leaves out the job's start */
};

#define UNREAD_MAX 16

struct facts {
	const struct report *report; /* borrowed */
	const struct rules *rules;

	bool complete;  /* everything that the job did was counted */
	bool uncounted; /* some of the job's processes were not counted (a gap "used"). The job may have used what seems to be
			 * unused */
	bool completed; /* Slurm says that the job ended well */
	bool timed_out;
	bool stopped;   /* Slurm ended the job before its own end, because of its time limit, scancel, preemption or a deadline */
	bool so_far;    /* the job is still running */
	const struct report_oom_kill *unnoticed; /* the kill of the job script, if Slurm did not notice it and kept the job;
						  * otherwise NULL. Borrowed */
	bool no_script; /* salloc or srun started the job, and no job script ran; false if that is not known */
	double elapsed_s;   /* without suspended_s */
	double suspended_s; /* how long Slurm suspended the job; 0 if Slurm did not suspend it, or does not say */
	double limit_s; /* its time limit */

	double nodes; /* the number of nodes that have a record */
	double nodes_empty; /* the number of nodes on which no process of the job ever ran; 0 if there are none, or if this is
			     * not known for each node */
	double cpus;  /* allocated, and requested */
	double requested_cpus;
	double gpus;  /* allocated; NAN if Slurm knows of none */
	double cores; /* cores that the job could keep busy: the allocated cores, or the number of allocated CPUs if
		       * that is less */
	double cores_per_node, cpus_per_node;
	double cores_bound, cores_unused; /* according to hwloc. cores_bound: the cores that the job could use.
					   * cores_unused: those on which no thread ever ran */
	double cores_there;  /* the part of cores_bound that is on nodes where the job did something */
	double cores_spare;  /* the part of cores_there on which threads never ran, or hardly ever */
	bool spare_touched;  /* true if a thread ran on one of the cores of cores_spare */
	double cpus_touched; /* CPUs of a node, without the CPUs of cores on which no thread ran. The average over
			      * the nodes, weighted by their work */
	double cpus_used;    /* like cpus_touched, but also without the CPUs of cores that did next to nothing
			      * compared with the other cores */
	double tasks; /* the number of tasks of the step with the most tasks; 1 if there are no steps */
	size_t steps; /* the number of steps that srun started */
	bool steps_overlap; /* true if steps may have run at the same time. (The report does not say which CPUs each
			     * step had.) */
	bool ranked;  /* true if mpirun or a similar launcher started processes (ranks). Their number mostly comes
		       * from --ntasks, and includes ranks that sleep */

	double live_s; /* time in which the job had a thread, over all nodes */
	double time_s; /* live_s, plus the time in which the job had no thread and should have had one */
	double core_s; /* the core time during time_s */
	double idle_core_s;
	double on_cpu_s, runnable_s, active_s, parallel_s, busy_peak;
	double throttled_s; /* part of runnable_s; 0 if not known */
	double turns_s;
	double switches; /* of threads */
	struct fact_wait_time wait[FACT_WAITS];

	bool memory_granted;     /* true if the site's default gave the job its memory together with its CPUs, and
				  * the job used these CPUs */
	bool exclusive;          /* no other job could use the rest of the job's nodes; false if that is not known */
	bool memory_per_cpu;     /* the job got an amount of memory for each CPU */
	bool memory_whole;       /* the job got all memory of its nodes */
	double memory_used;      /* bytes on the node with the highest peak */
	double memory_upper;     /* bytes; the highest value that memory_used can have had */
	double memory_mapped;    /* bytes of mapped files in use; 0 if too few to mention */
	double memory_requested; /* bytes, on the node of memory_used */
	double memory_limit;     /* bytes; the cgroup's limit on the node whose memory came nearest to its limit; NAN
				  * if nothing enforces a limit */
	double memory_near;      /* the memory used divided by the limit, on the node of memory_limit; NAN if nothing enforces a
				  * limit */
	double memory_fullest;   /* the largest share of its memory that a node can have used: the highest value that
				  * the node's peak can have had, divided by the memory that the job was given on the
				  * node */
	double steps_memory;     /* bytes that a node needs to start the steps again: the most that srun asked for at one time;
				  * 0 if srun asked for none */
	double swap_bytes, oom_kills;
	double oom_of_job; /* how many of oom_kills were at a limit of the job, its steps or its tasks. The others happened
			    * because the node ran out of memory */
	const char *sized_tool; /* a tool that sizes itself by the available memory, and needs more of it than the job used;
				 * NULL if there is none */
	const char *sized_by;   /* the option that sets the memory of sized_tool */
	double sized_bytes;     /* how many bytes must be available so that sized_tool makes itself as large as it
				 * was. If there is no such tool, the memory that the job needs */
	bool filled_by_tool;    /* true if most of the memory was used by a tool that fills its limit and then
				 * continues in files. With more data, such a tool needs no more memory */
	double tcp_udp_ops, socket_bytes;
	double launchers_event_s; /* the part of wait[FACT_EVENT].thread_s in which launchers waited; 0 if none */
	struct fact_shares shares;
	bool on_few; /* true if threads ran on only some of the cores, and never, or hardly ever, on the others */
	bool to_few; /* on_few is true, and there were too few busy threads to crowd all CPUs of their nodes */
	bool oversubscribed; /* true if more threads wanted to run than there were CPUs on which they ran */
	/*
	 * The tool whose average process had more busy threads than a task had CPUs. NULL if the job was not
	 * oversubscribed, or if there is no such tool. Borrowed.
	 */
	const struct report_tool *crowding;
	struct work_failed work; /* only in a job that completed */
	const char *unread[UNREAD_MAX]; /* tools with runs that failed because nothing read their output any more.
					 * Tools beyond UNREAD_MAX count as tools that failed for another reason */
	size_t unread_count;
	struct left_behind left; /* only in a job that completed */
	struct at_limit at_limit; /* what ran when the time limit ended the job; verdict_put() sets this member */
	bool cut_off; /* only in a job that completed: a run of one of its tools was killed, so it is not known how much that
		       * run would have needed */
};

/* Reads @report into @facts. @facts is valid while @report and @rules live. */
void facts_read(struct facts *facts, const struct report *report, const struct rules *rules);

/* Finds the cause of each wait, and the shares. facts_read() calls this function. */
void facts_find_shares(struct facts *facts);

/* Finds the shares that are about CPUs, and not about causes of waits. facts_find_shares() calls this function. */
void facts_find_cpu_shares(struct facts *facts);

/*
 * Returns how much work the job had on @node: the CPU time that the job's threads used or waited for, in seconds. The
 * waits count because a node whose CPUs are busy with other work is not idle. Returns NAN if the time is not known.
 */
double facts_node_wanted_s(const struct report_node *node);

/* Returns true if the job used more CPUs than it was given. A job can do so if nothing binds jobs to their CPUs. */
bool facts_exceeds_cpus(const struct facts *facts);

/*
 * Returns true if hardly ever two threads were busy at once: at most for the share of the job's time that the rule
 * advice_parallel_share gives. If other work or a quota took a large share of the CPU time (the rule starved_share),
 * first subtracts what they took from the job's time. A thread that waits for a CPU is busy, so other work cannot cause
 * this result.
 */
bool facts_one_at_a_time(const struct facts *facts);

/*
 * Returns the requested CPUs per task, rounded down. Returns 0 if there are more tasks than CPUs, and NAN if not known.
 */
double facts_cpus_per_task(const struct facts *facts);

/*
 * Returns how many tasks shared the work. This is the number of tasks in the step of srun that has the most. If mpirun
 * or a similar launcher started processes, and more tasks were requested, it is the number of requested tasks.
 */
double facts_tasks_at_work(const struct facts *facts);

/*
 * Returns true if the job was active for at least advice_active_share of its time. What a job used shows what it needs
 * only if the job did some work.
 */
bool facts_did_work(const struct facts *facts);

/* Returns true if it is known that the job did nothing. */
bool facts_did_nothing(const struct facts *facts);

/*
 * Returns true if the job was idle at its end. This is so if the job did nothing for its last idle_edge_s or longer, if
 * it has done nothing since its start, or if it was idle for idle_share of its time. Returns false if that is not
 * known, if the job has GPUs (see facts_waited_for_gpus()), or if the job was dead (facts.unnoticed).
 */
bool facts_idle_at_end(const struct facts *facts);

/* Returns the bytes of mapped files that the job of @report used, like facts.memory_mapped. */
double facts_mapped_of(const struct report *report);

/* Like facts_mapped_of(), for a report with @mapped bytes of mapped files; NAN means that it has no such value. */
double facts_mapped(double mapped);

/*
 * Returns how much memory a node must have for the job, in bytes. This is the highest peak that the job can have had,
 * or the memory used plus the mapped files if that is more. The mapped files count because without room for them, each
 * access to them would wait for a disk. (The highest peak may include page cache, and so these files.) Returns NAN if
 * not known.
 */
double facts_memory_needed(const struct facts *facts);

/* Returns true if the mapped files raise the result of facts_memory_needed(). */
bool facts_needs_mapped(const struct facts *facts);

/* Returns true if no limit held the job to the memory that it asked for, and the job used more. */
bool facts_above_request(const struct facts *facts);

/*
 * Returns true if the job came so near to its memory limit that it may exceed the limit with a little more data.
 * Returns false if facts.filled_by_tool is set, because such a tool needs no more memory for more data.
 */
bool facts_memory_tight(const struct facts *facts);

/*
 * Returns true if the job used the share of its CPUs that the rule cpu_efficiency_min requires. Also returns true if
 * the job would have used this share if others or a quota had not taken the CPU time.
 */
bool facts_used_cpus(const struct facts *facts);

/*
 * Sets @states to the seconds that threads spent in each state, as in the report's "states", but without launchers,
 * which start the job's tasks and wait for them (srun, mpirun). The objects "bound" and "waits" of @states are not
 * known.
 *
 * Returns false if the report has no states.
 */
bool facts_states_of_work(const struct report *report, struct report_job_states *states);

/*
 * Returns true if the job's processes were killed at different limits, because several steps or unequal nodes had them.
 */
bool facts_oom_limits_differ(const struct facts *facts);

/*
 * Returns true if facts_idle_at_end() cannot tell because the job has GPUs. Its CPUs did so little that it would count
 * as idle, but its threads may have waited for GPUs that were at work.
 */
bool facts_waited_for_gpus(const struct facts *facts);

/*
 * Returns true if what the job used shows what it needs. All of this must be true: the job ended well; none of its work
 * failed, was cut off or killed; everything was counted; the job did something; it took at least the time of the rule
 * @elapsed; nothing in it was killed for memory.
 */
bool facts_show_needs(const struct facts *facts, enum rule elapsed);

/* Returns the value of @rule. */
static inline double fact_rule(const struct facts *facts, enum rule rule)
{
	return facts->rules->value[rule];
}

#endif
