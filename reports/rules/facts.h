/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the report's numbers once, and computes what verdict, findings and advice need.
 *
 * An unknown number is NAN, and so is each number computed from it.
 * A comparison with NAN is false, so an unknown number leads to no finding.
 * fmin() and fmax() ignore NAN: use them if one known number is enough.
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
#include "reports/rules/gpu_facts.h"
#include "reports/rules/rules.h"

/* In the order of REPORT_WAIT_KINDS. */
enum fact_wait {
	FACT_MEMORY_STALL,
	FACT_FAULT_IO,
	FACT_FILE_IO,
	FACT_GPU,
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
	CAUSE_GPU,
	CAUSE_NETWORK,
	CAUSE_LOCK,
	CAUSE_IDLE,
	CAUSE_OTHER,
	CAUSES
};

/* Seconds of one kind of wait, summed over nodes. thread_s is summed over threads, too. */
struct fact_wait_time {
	double thread_s, some_s, bound_s;
	double waits;
	double mean_s;
	enum fact_cause cause;
};

/* Shares of the job's time or core time, from 0 to 1. docs/verdict.md says how they are found. */
struct fact_shares {
	double on_cpu;        /* core time with a thread on a CPU */
	double cpu;           /* core time that the job could have used, without other work on its CPUs */
	double cause[CAUSES]; /* NAN for CAUSE_OTHER */
	bool whole[CAUSES];   /* cause[] is the share of time in which the cause stopped all threads, not a share of core time */
	double serial;        /* time with exactly one busy thread; NAN on a single core */
	double serial_own;    /* serial, without the CPU time that other work or a quota took */
	double active;        /* time with a busy thread */
	double absent;        /* time without any thread */
	double cpu_wait;      /* waits for a CPU / (waits for a CPU + time on a CPU), without waits for a quota */
	double kept;          /* CPU time that other work or a quota took, as a share of what the job could have had */
	double kept_s;        /* kept, in seconds */
	double kept_core;     /* kept, as a share of core time */
	double throttled;     /* waits for a quota, as a share of all waits for a CPU; 0 if unknown */
	double turns;         /* CPU time that threads used in turns, as a share of all CPU time */
	double busy;          /* mean number of busy threads per node, while a thread was busy */
	double busy_per_cpu;  /* busy without waits for a quota, per CPU of cpus_used */
	double cores_busy;    /* mean number of cores in use: the report's value if the report is complete, else cores_live */
	double cores_live;    /* mean number of cores in use while the job had a thread, or should have had one */
};

#define UNREAD_MAX 16

struct facts {
	const struct report *report; /* borrowed */
	const struct rules *rules;

	bool complete;  /* all that the job did was counted */
	bool uncounted; /* some processes were not counted (gap "used"): what seems unused may have been used */
	bool completed; /* Slurm says that the job ended well */
	bool timed_out;
	bool stopped;   /* Slurm ended the job: time limit, scancel, preemption or deadline */
	bool so_far;    /* still running */
	const struct report_oom_kill *unnoticed; /* kill of the job script that Slurm did not notice; NULL if none; borrowed */
	bool no_script; /* started by salloc or srun; false if unknown */
	double elapsed_s;   /* without suspended_s */
	double suspended_s; /* seconds; 0 if the job was not suspended, or if this is not known */
	double limit_s;

	double nodes; /* nodes with a record */
	double nodes_empty; /* nodes on which no process ran; 0 if unknown for each node */
	double cpus;  /* allocated */
	double requested_cpus;
	double gpus;  /* allocated; NAN if Slurm knows of none */
	struct gpu_facts gpu;
	double cores; /* cores that the job could keep busy: at most the allocated CPUs */
	double cores_per_node, cpus_per_node;
	double cores_bound, cores_unused; /* from hwloc: cores that the job could use, and cores on which no thread ran */
	double cores_there;  /* part of cores_bound on nodes where the job did something */
	double cores_spare;  /* part of cores_there on which threads never ran, or hardly ever */
	bool spare_touched;  /* a thread ran on a core of cores_spare */
	double cpus_touched; /* CPUs of the cores on which a thread ran; a mean over nodes, weighted by their work */
	double cpus_used;    /* like cpus_touched, but without cores that did next to nothing */
	double tasks; /* of the step with the most tasks; 1 without steps */
	size_t steps; /* started by srun */
	bool steps_overlap; /* steps may have run at the same time */
	bool ranked;  /* mpirun or a similar launcher started processes (ranks), mostly as many as --ntasks */

	double live_s; /* time with a thread, over all nodes */
	double time_s; /* live_s, plus the time in which there should have been a thread */
	double core_s; /* core time in time_s */
	double idle_core_s;
	double on_cpu_s, runnable_s, active_s, parallel_s, busy_peak;
	double throttled_s; /* part of runnable_s; 0 if unknown */
	double turns_s;
	double switches; /* of threads */
	struct fact_wait_time wait[FACT_WAITS];

	bool memory_granted;     /* the site's default gave the memory together with the CPUs, and the job used these CPUs */
	bool exclusive;          /* no other job could use the rest of the nodes; false if unknown */
	bool memory_per_cpu;     /* memory was allocated for each CPU */
	bool memory_whole;       /* the job got all memory of its nodes */
	double memory_used;      /* bytes on the node with the highest peak */
	double memory_upper;     /* bytes; upper bound of memory_used */
	double memory_mapped;    /* bytes of mapped files in use; 0 if few */
	double memory_requested; /* bytes on the node of memory_used */
	double memory_limit;     /* bytes, on the node nearest to its cgroup's limit; NAN if nothing enforces a limit */
	double memory_near;      /* used share of memory_limit; NAN if nothing enforces a limit */
	double memory_fullest;   /* the largest share of a node's memory that may have been used */
	double steps_memory;     /* bytes that a node needs to start the steps: the most that srun asked for at one time; 0 if none */
	double swap_bytes, oom_kills;
	double oom_of_job; /* oom_kills at a limit of the job, a step or a task; in all other kills, the node ran out of memory */
	const char *sized_tool; /* a tool that sizes itself by available memory, and must see more than the job used; NULL if none */
	const char *sized_by;   /* the option for the memory of sized_tool */
	/* bytes that must be available for sized_tool to be as large again; without sized_tool: what the job needs */
	double sized_bytes;
	bool filled_by_tool;    /* most memory was used by a tool that fills all memory, and then continues in files */
	double tcp_udp_ops, socket_bytes;
	double launchers_event_s; /* launchers' part of wait[FACT_EVENT].thread_s; 0 if none */
	double gpu_idle_s; /* the part of wait[FACT_GPU].bound_s that counts as idle; 0 if none */
	struct fact_shares shares;
	bool on_few; /* threads ran on only some cores, and hardly ever on others */
	bool to_few; /* on_few is true, and too few threads were busy to crowd all CPUs of their nodes */
	bool oversubscribed; /* more threads wanted to run than there were CPUs */
	/* The tool whose processes had on average more busy threads than a task had CPUs; NULL if none. Borrowed. */
	const struct report_tool *crowding;
	struct work_failed work; /* only in a job that completed */
	/*
	 * Tools whose runs failed because the reader of their output had ended.
	 * The list has room for UNREAD_MAX tools. Further tools count as failed for another reason.
	 */
	const char *unread[UNREAD_MAX];
	size_t unread_count;
	struct left_behind left; /* only in a job that completed */
	struct at_limit at_limit; /* what ran when the time limit ended the job; set by verdict_put() */
	bool cut_off; /* the job completed, but a run of a tool was killed, and this run may have needed more */
};

/* Reads @report. @facts is valid while @report and @rules live. */
void facts_read(struct facts *facts, const struct report *report, const struct rules *rules);

/* Finds the cause of each wait, and the shares. Called by facts_read(). */
void facts_find_shares(struct facts *facts);

/* Finds the shares of CPU time. Called by facts_find_shares(). */
void facts_find_cpu_shares(struct facts *facts);

/*
 * Returns the CPU time that threads of @node used or waited for, in seconds; NAN if unknown.
 * Waits for a CPU count, because a node is not idle if its CPUs are busy with other work.
 */
double facts_node_wanted_s(const struct report_node *node);

/* Returns true if nothing held the job to its CPUs, and it used more CPUs than it was given. */
bool facts_exceeds_cpus(const struct facts *facts);

/*
 * Returns true if two threads were hardly ever busy at once (the rule advice_parallel_share).
 * If other work took much CPU time (the rule starved_share), leaves out this time.
 */
bool facts_one_at_a_time(const struct facts *facts);

/* Returns the requested CPUs per task, rounded down. 0: more tasks than CPUs. NAN: not known. */
double facts_cpus_per_task(const struct facts *facts);

/*
 * Returns how many tasks shared the work: the tasks of srun's largest step.
 * With mpirun or a similar launcher, returns the number of requested tasks if it is larger.
 */
double facts_tasks_at_work(const struct facts *facts);

/*
 * Returns true if the job was active for advice_active_share of its time, or its GPUs were busy for gpu_idle_share of it.
 * Without work, a job does not show what it needs.
 */
bool facts_did_work(const struct facts *facts);

/* Returns true if the job is known to have done nothing. */
bool facts_did_nothing(const struct facts *facts);

/*
 * Returns true if the job was idle at its end: for idle_edge_s, for idle_share of its time, or ever since its start.
 * Returns false if unknown, if the job was dead (facts.unnoticed), or with GPUs (facts_waited_for_gpus()).
 */
bool facts_idle_at_end(const struct facts *facts);

/* Returns facts.memory_mapped of @report, in bytes. */
double facts_mapped_of(const struct report *report);

/* Returns facts.memory_mapped for @mapped bytes of mapped files (NAN: not known). */
double facts_mapped(double mapped);

/*
 * Returns the bytes that a node must have for the job; NAN if unknown.
 * Takes the highest possible peak, or the sum of used memory and mapped files if this sum is larger.
 * Without room for mapped files, each access waits for a disk.
 */
double facts_memory_needed(const struct facts *facts);

/* Returns true if mapped files raise facts_memory_needed(). */
bool facts_needs_mapped(const struct facts *facts);

/* Returns true if no limit held the job to its memory, and it used more than it asked for. */
bool facts_above_request(const struct facts *facts);

/*
 * Returns true if the job may exceed its memory limit with a little more data.
 * A tool that continues in files (facts.filled_by_tool) does not need more memory for more data.
 */
bool facts_memory_tight(const struct facts *facts);

/*
 * Returns true if the job used the share cpu_efficiency_min of its CPUs.
 * CPU time that other work or a quota took counts as used.
 */
bool facts_used_cpus(const struct facts *facts);

/*
 * Sets @states to the states of all threads, without threads of launchers (srun, mpirun).
 * Leaves the objects "bound" and "waits" unknown.
 * Returns false if the report has no states.
 */
bool facts_states_of_work(const struct report *report, struct report_job_states *states);

/* Returns true if processes were killed at different limits: of steps, or of unequal nodes. */
bool facts_oom_limits_differ(const struct facts *facts);

/* Returns true if the job had GPUs, and these are not known to have done nothing. Its threads may have waited for them. */
bool facts_gpus_may_work(const struct facts *facts);

/* Returns true if a job seems idle at its end, and its GPUs may have been at work. */
bool facts_waited_for_gpus(const struct facts *facts);

/*
 * Returns true if the used resources show what the job needs:
 *  - the job ended well, and no part of its work failed, was cut off or killed;
 *  - everything that the job did was counted;
 *  - the job did something, and lasted at least as long as the rule @elapsed;
 *  - no process was killed for memory.
 */
bool facts_show_needs(const struct facts *facts, enum rule elapsed);

static inline double fact_rule(const struct facts *facts, enum rule rule)
{
	return facts->rules->value[rule];
}

#endif
