/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the summary of a report, which is the few values that tables show and searches need. The other parts of the
 * report are usually not read.
 */
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

/*
 * A missing number is NAN, a missing text is NULL, and a missing id or count is -1. Texts are unescaped, as in the
 * report.
 */
struct summary {
	char *path;
	struct report *report; /* the report if it was made from parts and is in no file; otherwise NULL */
	char *error;           /* why nothing could be read; NULL on success */
	int why;               /* the errno for error; EFBIG if the file was refused (reports/files/report_bounds.h) */
	bool again;            /* an earlier row is of the same file, by another name */

	int64_t id, array, task;      /* array, task: -1 unless the job is a task of an array */
	int64_t het, het_offset;      /* -1 unless the job is a component of a heterogeneous job */
	int64_t attempt;
	char *waiting;                /* which of an array's tasks wait, if the row is of waiting tasks; otherwise NULL */
	char *tasks;                  /* how many tasks ended in which way, if the row is of a whole array (array_rows.h);
				       * otherwise NULL */
	size_t order;                 /* position before sorting */
	size_t earlier;               /* how many earlier attempts were found together with this attempt */
	char *cluster, *name, *user, *state, *reason, *start, *end;
	int64_t uid; /* the job's user */
	int64_t exit_code, signal;
	bool complete;
	bool foreign; /* the file belongs to another user (reports/files/report_owner.h) */
	bool so_far; /* the job is still running, so an incomplete report is not a fault */
	bool lacks_nodes; /* the report has gaps for nodes that have no record */

	double elapsed_s, limit_s; /* limit_s: INFINITY if there is none */
	double cpus, cpu_s, cpu_efficiency;
	/* memory is in bytes; memory_requested is the sum over all nodes */
	double nodes, memory_requested, memory_used, memory_upper, memory_mapped, memory_efficiency;
	char *memory_source;
	bool memory_by_cpu; /* the job has several tasks, so --mem cannot replace --mem-per-cpu */
	bool memory_by_default; /* the CPUs determined the requested memory (requested.memory_by_default) */
	bool exclusive;     /* no other job could use the rest of the job's nodes */

	char *engine, *unit_kind, *unit, *unit_which; /* for a job of a workflow, such as "snakemake", "rule", "align", "A" */

	char *bound;    /* the verdict's word */
	char *outcome;  /* how the job ended, as a sentence; NULL if the report has no such sentence */
	char *findings; /* codes, the worst first, such as "oom-kill, low-cpu"; NULL if none */
	enum summary_severity severity; /* of the worst finding */
	/* the advice in the job's report: bytes on a node, and CPUs per task; NAN if none */
	double advised_memory, advised_cpus;
	bool advised_one_task; /* advised_cpus is for --ntasks=1 */
};

/*
 * Fills @row from the report file @path. If this fails, row->error says why, and everything except path is empty. In
 * both cases, free @row with summary_free().
 */
void summary_read(struct summary *row, const char *path);

/* Fills @row from @report, and becomes an owner of @report. @path: the path that the report's file would have */
void summary_of(struct summary *row, struct report *report, const char *path);

/*
 * Fills @row from Slurm's answer about a job that has no report. The answer is from slurm_job() or slurm_jobs_ask().
 * The row's path stays NULL. The row is marked as complete, because no measurement of the job is incomplete.
 */
void summary_of_slurm(struct summary *row, const struct record_slurm_job *slurm);

void summary_free(struct summary *row);

/* Fills @text with the job's name as people write it, such as "12", "10_2" or "12+1". Returns @text. */
const char *summary_id(const struct summary *row, char text[SUMMARY_ID_TEXT]);

/*
 * Returns the worst finding in words, and the number of other findings, such as "out of memory +2". The caller must
 * free the text. Returns NULL if there is no finding. If the worst finding is not in the table of rules, the text is
 * its code from the report, so the caller must escape the text.
 */
char *summary_worst(const struct summary *row);

/*
 * summary_look() returns how to display the worst finding. summary_look_at() returns how to display the ratio of used
 * to allocated that @at names.
 */
enum look summary_look(const struct summary *row);
enum look summary_look_at(const struct summary *row, enum look_at at);

/*
 * Returns true if the job ended in a state other than COMPLETED. Returns false if the job is still running, or if its
 * state is not known.
 */
bool summary_failed(const struct summary *row);

/* Returns elapsed time divided by the time limit; NAN if either is not known, or if there is no limit. */
double summary_time_efficiency(const struct summary *row);

/*
 * These functions return one field each, for callers that choose among the fields. The values are in seconds, shares of
 * 1, or bytes; NAN if not known.
 */
double summary_elapsed(const struct summary *row);
double summary_cpu_efficiency(const struct summary *row);
double summary_memory_efficiency(const struct summary *row);
double summary_memory_used(const struct summary *row);

/*
 * Returns the permissions for files that are made from the reports which this process has read. They let a user read
 * such a file only if the user may read all these reports.
 */
mode_t summary_readers(void);

/*
 * Fills the @count @rows from the files @paths. Uses several threads if there are many files.
 *
 * @tried_for: the number of a job, of an array or of a heterogeneous job, if only its reports are wanted; -1 if all
 * reports are wanted. A file counts as refused if its beginning does not contain this number. A large file of another
 * user also counts as refused if its beginning does not show what it is
 */
void summaries_read(struct summary *rows, char *const paths[], size_t count, int64_t tried_for);

#endif
