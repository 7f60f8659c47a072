/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report's summary: the few values that tables show and searches need, read without the rest of the report. */
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

/* A missing number is NAN, a missing text NULL, a missing id or count -1. Texts are as in the report: unescaped. */
struct summary {
	char *path;
	struct report *report; /* set if it was made from parts and is in no file; else NULL */
	char *error;           /* why nothing could be read; NULL: success */
	int why;               /* errno for @error: EFBIG: the file was refused (reports/files/report_bounds.h) */
	bool again;            /* an earlier row is of the same file, by another name */

	int64_t id, array, task;      /* array, task: -1 unless it is a task of an array */
	int64_t het, het_offset;      /* -1 unless it is a component of a heterogeneous job */
	int64_t attempt;
	char *waiting;                /* which of an array's tasks wait, if the row is of waiting tasks; else NULL */
	char *tasks;                  /* how many tasks ended in which way, if the row is of a whole array (array_rows.h); else NULL */
	size_t order;                 /* position before sorting */
	size_t earlier;               /* how many earlier attempts were found with it */
	char *cluster, *name, *user, *state, *reason, *start, *end;
	int64_t uid; /* the job's user */
	int64_t exit_code, signal;
	bool complete;
	bool foreign; /* the file is another user's (reports/files/report_owner.h) */
	bool so_far; /* it is still running, so being incomplete is not a fault */
	bool lacks_nodes; /* it has gaps for nodes that have no record */

	double elapsed_s, limit_s; /* limit_s: INFINITY if there is none */
	double cpus, cpu_s, cpu_efficiency;
	/* bytes; memory_requested: over all nodes */
	double nodes, memory_requested, memory_used, memory_upper, memory_mapped, memory_efficiency;
	char *memory_source;
	bool memory_by_cpu; /* --mem cannot replace --mem-per-cpu: it has several tasks */
	bool memory_by_default; /* the CPUs determined it (requested.memory_by_default) */
	bool exclusive;     /* no other job could use the rest of its nodes */

	char *engine, *unit_kind, *unit, *unit_which; /* of a workflow's job: "snakemake", "rule", "align", "A" */

	char *bound;    /* the verdict's word */
	char *outcome;  /* how it ended, as a sentence; NULL: the report has none */
	char *findings; /* codes, the worst first: "oom-kill, low-cpu"; NULL: none */
	enum summary_severity severity; /* of the worst finding */
	/* the job's own advice: bytes on a node, CPUs per task; NAN: none */
	double advised_memory, advised_cpus;
	bool advised_one_task; /* advised_cpus holds with --ntasks=1 */
};

/*
 * Fills @row from the report file @path. If that fails, row->error says why, and everything except path is empty. In
 * both cases, free it with summary_free().
 */
void summary_read(struct summary *row, const char *path);

/* Fills @row from @report, which it shares. @path: where its file would be */
void summary_of(struct summary *row, struct report *report, const char *path);

/*
 * Fills @row from Slurm's answer about a job that has no report, of slurm_job() or slurm_jobs_ask().
 * Its path stays NULL. It counts as complete: nothing was measured only in part.
 */
void summary_of_slurm(struct summary *row, const struct record_slurm_job *slurm);

void summary_free(struct summary *row);

/*
 * Fills @text with the job as people name it ("12", "10_2", "12+1") and returns it.
 */
const char *summary_id(const struct summary *row, char text[SUMMARY_ID_TEXT]);

/*
 * Returns the worst finding in words, and how many more there are ("out of memory +2"), to be freed; NULL if there is
 * none. A finding that is not in the table of rules is its code, as in the report: the caller must escape it.
 */
char *summary_worst(const struct summary *row);

/* Return how to display the worst finding, and the ratio of used to allocated. */
enum look summary_look(const struct summary *row);
enum look summary_look_at(const struct summary *row, enum look_at at);

/* Returns whether the job ended in a state other than COMPLETED; false if it is still running, or its state is not known. */
bool summary_failed(const struct summary *row);

/* Returns elapsed time divided by the time limit; NAN if either is not known, or if there is no limit. */
double summary_time_efficiency(const struct summary *row);

/* Single fields as functions, for callers that pick one: seconds, shares of 1, bytes; NAN if not known. */
double summary_elapsed(const struct summary *row);
double summary_cpu_efficiency(const struct summary *row);
double summary_memory_efficiency(const struct summary *row);
double summary_memory_used(const struct summary *row);

/* Returns the permissions of the users who may read all reports that this process has read. */
mode_t summary_readers(void);

/*
 * Fills the @count @rows from the files @paths. Uses several threads if there are many.
 *
 * @tried_for: the number of the only job, array or heterogeneous job whose reports are wanted; -1: all are wanted.
 * Files that count as refused: those whose beginning does not contain it, and another user's large files whose
 * beginning does not show what they are
 */
void summaries_read(struct summary *rows, char *const paths[], size_t count, int64_t tried_for);

#endif
