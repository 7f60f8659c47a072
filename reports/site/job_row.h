/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job as a row of typed fields: all that the store and a summary need of a report. docs/summary.md says what each
 * measure means.
 *
 * Sums are whole numbers of a small unit. So the order of adding does not change a sum, and subtracting a number undoes
 * adding it.
 */
#ifndef STINT_JOB_ROW_H
#define STINT_JOB_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/files/report_bounds.h"
#include "reports/model/report.h"
#include "reports/rules/rules.h"
#include "reports/verdict/bound.h"

/*
 * X(enum, name, column): lists the measures, which can be summed. Each is a number from 0 on, or JOB_UNKNOWN.
 * The name ends with the unit: _core_ms is one CPU for a millisecond, _mib_s is one MiB for a second,
 * _node_ms is one node for a millisecond, _gpu_ms is one GPU for a millisecond, and _ms is a millisecond. "CPU" and "core" in the names are
 * Slurm's CPUs, as in its TRES.
 *
 * column is the type of the store's column for the measure: INT, or INT32 if a larger number must be forged. NONE: the
 * store has no column, because the measure follows from others (reports/site/measure_columns.h).
 *
 * If cpu_wasted_core_ms is known, all nine cpu_wasted_... are known, and their sum is
 * cpu_wasted_core_ms. The same is true for mem_wasted_mib_s.
 */
#define JOB_MEASURES(X)                                                                             \
	X(ELAPSED, "elapsed_ms", INT)                                                                      \
	X(QUEUED, "queued_ms", INT)                        /* from submit to start */                      \
	X(LIMIT, "limit_ms", INT)                          /* the time limit; unknown if none */           \
	X(LIMIT_USED, "limit_used_ms", NONE)               /* elapsed time of jobs with a limit */         \
	X(CPU_GIVEN, "cpu_given_core_ms", INT)             /* allocated CPUs x elapsed */                  \
	X(CPU_USED, "cpu_used_core_ms", INT)               /* CPU time */                                  \
	X(CPU_WASTED, "cpu_wasted_core_ms", NONE)          /* given - used */                              \
	X(CPU_FAILED, "cpu_wasted_failed_core_ms", INT)    /* part of wasted: job failed or killed */      \
	X(CPU_TIMEOUT, "cpu_wasted_timeout_core_ms", INT)  /* ended by its time limit */                   \
	X(CPU_FILES, "cpu_wasted_files_core_ms", INT)      /* waiting for files */                         \
	X(CPU_WAITS, "cpu_wasted_waits_core_ms", INT)      /* waiting for GPUs, network, locks, memory */  \
	X(CPU_IDLE, "cpu_wasted_idle_core_ms", INT)        /* nothing to do, or no thread at all */        \
	X(CPU_SERIAL, "cpu_wasted_serial_core_ms", INT)    /* one busy thread, the other CPUs idle */      \
	X(CPU_KEPT, "cpu_wasted_kept_core_ms", INT)        /* threads waited for a CPU */                  \
	X(CPU_SPARE, "cpu_wasted_spare_core_ms", INT)      /* fewer busy threads than CPUs */              \
	X(CPU_UNCLEAR, "cpu_wasted_unclear_core_ms", INT)  /* not known why */                             \
	X(CPU_LOST, "cpu_lost_core_ms", INT)               /* CPU_USED of failed or killed jobs */         \
	X(CPU_JUDGED, "cpu_judged_core_ms", NONE)          /* CPU_GIVEN, if the job's waste is known */    \
	X(MEM_GIVEN, "mem_given_mib_s", INT)               /* requested x nodes x elapsed */               \
	X(MEM_USED, "mem_used_mib_s", INT)                 /* peaks of the nodes x elapsed, not more than given */\
	X(MEM_WASTED, "mem_wasted_mib_s", NONE)            /* given - used */                              \
	X(MEM_FAILED, "mem_wasted_failed_mib_s", INT)      /* part of wasted: job failed or killed */      \
	X(MEM_TIMEOUT, "mem_wasted_timeout_mib_s", INT)    /* ended by its time limit */                   \
	X(MEM_MARGIN, "mem_wasted_margin_mib_s", INT)      /* a fifth of used: a useful margin */          \
	X(MEM_RESERVED, "mem_wasted_reserved_mib_s", NONE) /* reserved beyond that margin */               \
	X(NODE_GIVEN, "node_given_node_ms", INT)           /* allocated nodes x elapsed */                 \
	X(NODE_WASTED, "node_wasted_node_ms", INT)         /* nodes that used less than 2 % of their CPUs */\
	X(ACTIVE, "active_ms", INT)                        /* node time with a busy thread */              \
	X(PARALLEL, "parallel_ms", INT)                    /* node time with two or more busy threads */   \
	X(BOUND_MEMORY_STALL, "bound_memory_stall_ms", INT)                                                \
	X(BOUND_FAULT_IO, "bound_fault_io_ms", INT)                                                        \
	X(BOUND_FILE_IO, "bound_file_io_ms", INT)                                                          \
	X(BOUND_NETWORK, "bound_network_ms", INT)                                                          \
	X(BOUND_PIPE, "bound_pipe_ms", INT)                                                                \
	X(BOUND_LOCK, "bound_lock_ms", INT)                                                                \
	X(BOUND_CONDITION, "bound_condition_ms", INT)                                                      \
	X(BOUND_CHILD, "bound_child_ms", INT)                                                              \
	X(BOUND_EVENT, "bound_event_ms", INT)                                                              \
	X(BOUND_SLEEP, "bound_sleep_ms", INT)                                                              \
	X(BOUND_OTHER, "bound_other_ms", INT)                                                              \
	X(RUNNABLE, "runnable_ms", INT)                    /* of threads */                                \
	X(READ, "read_bytes", INT)                                                                         \
	X(WRITTEN, "write_bytes", INT)                                                                     \
	X(SOCKET, "socket_bytes", INT)                                                                     \
	X(PROCESSES, "processes", INT32)                                                                   \
	X(OOM_KILLS, "oom_kills", INT32)                                                                  \
	X(BOUND_GPU, "bound_gpu_ms", INT)                                                                  \
	X(GPU_GIVEN, "gpu_given_gpu_ms", NONE)             /* allocated GPUs x elapsed */                  \
	X(GPU_BUSY, "gpu_busy_gpu_ms", INT)                /* something ran on a GPU (gpu_use.h) */        \
	X(GPU_WASTED, "gpu_wasted_gpu_ms", INT)            /* nothing ran */                               \
	X(GPU_UNTOLD, "gpu_unknown_gpu_ms", INT)           /* given, and it is not known whether busy */

enum job_measure {
#define JOB_MEASURE_ENUM(measure, name, column) JOB_##measure,
	JOB_MEASURES(JOB_MEASURE_ENUM)
#undef JOB_MEASURE_ENUM
	JOB_MEASURE_COUNT
};

#define JOB_UNKNOWN INT64_C(-1)
#define JOB_MEASURE_MAX (INT64_C(1) << 53) /* a larger number must be forged, and is unknown */
#define JOB_TOOLS 16                       /* all other tools are joined into one tool without a name */
#define JOB_NODES_MAX 100000

enum job_end {
	JOB_END_COMPLETED,
	JOB_END_FAILED,    /* FAILED, and all states not listed here */
	JOB_END_OOM,       /* OUT_OF_MEMORY */
	JOB_END_TIMEOUT,   /* TIMEOUT, DEADLINE */
	JOB_END_CANCELLED,
	JOB_END_NODE_FAIL, /* NODE_FAIL, BOOT_FAIL */
	JOB_END_REQUEUED,  /* REQUEUED, PREEMPTED: the job runs again */
	JOB_END_UNKNOWN,   /* no state, or running */
	JOB_END_COUNT
};

struct job_row_tool {
	char *name; /* NULL: all others */
	int64_t runs, failures;
	int64_t cpu_ms, wall_ms; /* of all processes; JOB_UNKNOWN */
};

/* The part of a job on one node. */
struct job_row_node {
	char *name;
	bool present; /* the node has a record */
	int64_t cpu_given_core_ms, cpu_used_core_ms, mem_given_mib_s, mem_used_mib_s; /* JOB_UNKNOWN */
};

/* A text is as in the report, not escaped; NULL if not known. A number is JOB_UNKNOWN if not known. */
struct job_row {
	char *cluster, *user, *account, *partition, *qos, *name, *state;
	char *engine, *rule; /* of a workflow: "snakemake", "align" */
	char *gpu_model; /* of all GPUs of the job: Slurm's type of them, or the vendor's name */
	int64_t id, array_id, array_task, het_id, het_offset, attempt, uid;
	int64_t submit_us, start_us, end_us; /* since 1970 UTC */
	int64_t exit_code, signal;
	bool complete; /* counted in full */
	bool running;
	enum job_end how;

	int64_t nodes_expected, nodes_present;
	int64_t requested_cpus, requested_nodes, requested_tasks, requested_memory_bytes; /* memory of all nodes */
	int64_t allocated_cpus, allocated_cores, allocated_memory_bytes, allocated_gpus;
	int64_t memory_used_peak_bytes; /* of the node with the highest peak */
	int64_t cpu_efficiency_ppm, memory_efficiency_ppm; /* used / given in millionths, from 0 to 1,000,000 */

	enum bound verdict;
	uint64_t findings; /* bits: 1 << enum finding */
	int64_t measure[JOB_MEASURE_COUNT];

	size_t tool_count, node_count;
	struct job_row_tool *tools; /* the tool with the largest CPU time first; without Slurm's own tools */
	struct job_row_node *nodes;
};

/* As columns and fields use them: "elapsed_ms". */
extern const char *const job_measure_names[JOB_MEASURE_COUNT];

/* Names of enum job_end: "completed", "failed", "oom", "timeout", "cancelled", "node-fail", "requeued", "unknown". */
extern const char *const job_end_names[JOB_END_COUNT];

/*
 * Fills @row from a report (reports/report.schema.json). Accepts any JSON: impossible values are unknown.
 *
 * Returns 0; -1 with @err set if there is no job id, or if out of memory. Call job_row_free() in both cases.
 */
int job_row_from_report(const struct report *report, struct job_row *row, struct error *err);

/* Sets the efficiencies of @row to what its measures say. */
void job_row_efficiencies(struct job_row *row);

/* As job_row_from_report(), from facts that were already read. The report of the facts must still exist. */
int job_row_from_facts(const struct facts *facts, struct job_row *row, struct error *err);

/*
 * Fills @row from a file, and parses little more of the file than a row needs.
 *
 * Return values are those of job_row_from_report().
 */
int job_row_read(const char *path, struct job_row *row, struct error *err);

/*
 * As job_row_read(), but refuses a file beyond @bounds. Does not refuse it if it has the form that stint writes,
 * because most of such a file need not be parsed.
 *
 * After a failure, errno is EFBIG if the file was refused, ENOMEM if out of memory, ETIMEDOUT if the file system does
 * not answer.
 */
int job_row_read_within(const char *path, const struct report_bounds *bounds, struct job_row *row, struct error *err);

void job_row_free(struct job_row *row);

/* Returns whether the work was lost: the job failed, was killed, or reached its time limit. */
static inline bool job_row_for_nothing(const struct job_row *row)
{
	return row->how != JOB_END_COMPLETED && row->how != JOB_END_UNKNOWN;
}

#endif
