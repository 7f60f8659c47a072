/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the summary of a report: the few values that tables and searches need. */
#ifndef STINT_SUMMARY_H
#define STINT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/records/record.h"
#include "reports/rules/looks.h"

#define SUMMARY_ID_TEXT 48

enum summary_severity { ROW_NO_FINDING, ROW_INFO, ROW_WARNING, ROW_CRITICAL };

/* Unknown values are NAN for a number, NULL for a text, and -1 for an id or count. Texts are unescaped. */
struct summary {
	char *path;
	struct report *report; /* a report made from parts, which is in no file; else NULL */
	char *error;           /* why nothing could be read; NULL on success */
	int why;               /* errno for error; EFBIG if the file was refused (reports/files/report_bounds.h) */
	bool again;            /* an earlier row is of the same file, by another name */

	int64_t id, array, task;      /* array, task: -1 if not a task of an array */
	int64_t het, het_offset;      /* -1 if not a component of a heterogeneous job */
	int64_t attempt;
	char *waiting;                /* for a row of waiting tasks: which ones; else NULL */
	char *tasks;                  /* for a row of a whole array: how its tasks ended (array_rows.h); else NULL */
	size_t order;                 /* position before sorting */
	size_t earlier;               /* number of earlier attempts that were found */
	char *cluster, *name, *user, *state, *reason, *start, *end;
	int64_t uid;
	int64_t exit_code, signal;
	bool complete;
	bool foreign; /* the file belongs to another user (reports/files/report_owner.h) */
	bool so_far; /* the job still runs, so an incomplete report is no fault */
	bool lacks_nodes; /* the report has gaps for nodes without a record */

	double elapsed_s, limit_s; /* limit_s: INFINITY if there is none */
	double cpus, cpu_s, cpu_efficiency;
	double gpus, gpu_hours; /* allocated */
	/* memory in bytes; memory_requested: sum over all nodes */
	double nodes, memory_requested, memory_used, memory_upper, memory_mapped, memory_efficiency;
	char *memory_source;
	bool memory_by_cpu; /* the job has several tasks, so --mem cannot replace its --mem-per-cpu */
	bool memory_by_default; /* the requested memory was computed from the CPUs (requested.memory_by_default) */
	bool exclusive;     /* no other job could use the rest of the job's nodes */

	char *engine, *unit_kind, *unit, *unit_which; /* of a workflow's job, such as "snakemake", "rule", "align", "A" */

	char *bound;    /* the verdict's word */
	char *outcome;  /* a sentence about how the job ended; may be NULL */
	char *findings; /* codes, the worst first, such as "oom-kill, low-cpu"; may be NULL */
	enum summary_severity severity; /* of the worst finding */
	/* advice of the report: bytes on a node, CPUs per task; NAN if none */
	double advised_memory, advised_cpus;
	bool advised_one_task; /* advised_cpus is for --ntasks=1 */
};

/*
 * Fills @row from the report file @path. On failure, row->error says why, and only path is set.
 * Call summary_free() in both cases.
 */
void summary_read(struct summary *row, const char *path);

/* Fills @row from @report, and becomes an owner of @report. @path: the path that its file would have */
void summary_of(struct summary *row, struct report *report, const char *path);

/*
 * Fills @row from Slurm's answer about a job without a report; path is NULL.
 * The row counts as complete, because the job has no measurement that could be incomplete.
 *
 * @slurm: from slurm_job() or slurm_jobs_ask()
 */
void summary_of_slurm(struct summary *row, const struct record_slurm_job *slurm);

void summary_free(struct summary *row);

/* Fills @text with the job's name, such as "12", "10_2" or "12+1". Returns @text. */
const char *summary_id(const struct summary *row, char text[SUMMARY_ID_TEXT]);

/*
 * Returns the worst finding in words, and the number of others: "out of memory +2"; NULL if there is none.
 * The caller must free the text. The caller must also escape it, because it may have a code from the report:
 * stint has no words for the code of an unknown finding.
 */
char *summary_worst(const struct summary *row);

/* How to display the worst finding, or the ratio of used to allocated that @at names. */
enum look summary_look(const struct summary *row);
enum look summary_look_at(const struct summary *row, enum look_at at);

/* Returns whether the job ended in a state other than COMPLETED; false if it still runs, or if the state is unknown. */
bool summary_failed(const struct summary *row);

/* Returns elapsed time / time limit; NAN if one of them is unknown, or if there is no limit. */
double summary_time_efficiency(const struct summary *row);

/* Each function returns one field: seconds, shares of 1, or bytes; NAN if unknown. */
double summary_elapsed(const struct summary *row);
double summary_cpu_efficiency(const struct summary *row);
double summary_memory_efficiency(const struct summary *row);
double summary_memory_used(const struct summary *row);

/*
 * Returns the permissions of files that are made from all reports that this process has read.
 * Only users who may read all these reports may read the files.
 */
mode_t summary_readers(void);

/*
 * Fills the @count @rows from the files @paths. Uses threads if there are many.
 *
 * @tried_for: number of the wanted job, array or heterogeneous job; -1 for all.
 * A file is refused if its beginning does not have the number.
 * A large file of another user is also refused if its beginning does not have the values of a row.
 */
void summaries_read(struct summary *rows, char *const paths[], size_t count, int64_t tried_for);

#endif
