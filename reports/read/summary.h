/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report's summary: the few values that tables show and searches need, read without the rest of the report. */
#ifndef STINT_SUMMARY_H
#define STINT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/rules/looks.h"

#define SUMMARY_ID_TEXT 48

enum summary_severity { ROW_NO_FINDING, ROW_INFO, ROW_WARNING, ROW_CRITICAL };

/* A number that is not in the report is NAN, a text NULL, an id or count -1. Texts are as in the report: unescaped. */
struct summary {
	char *path;
	struct report *report; /* where it was made from parts and is in no file; else NULL */
	char *error;           /* why nothing could be read; NULL: all went well */
	int why;               /* with it, of errno: EFBIG: the file was refused (reports/files/report_bounds.h) */
	bool again;            /* an earlier row is of the same file, by another name */

	int64_t id, array, task;      /* array, task: -1 unless it is a task of an array */
	int64_t het, het_offset;      /* -1 unless it is a component of a heterogeneous job */
	int64_t attempt;
	char *waiting;                /* of the tasks of an array that wait: which; else NULL */
	char *tasks;                  /* it stands for all tasks of an array (array_rows.h): how many ended how; else NULL */
	size_t order;                 /* place before sorting */
	size_t earlier;               /* how many earlier attempts were found with it */
	char *cluster, *name, *user, *state, *reason, *start, *end;
	int64_t uid; /* the job's user */
	int64_t exit_code, signal;
	bool complete;
	bool foreign; /* the file is another user's (reports/files/report_owner.h) */
	bool so_far; /* it still runs: so it is no fault that it is not complete */
	bool lacks_nodes; /* it has gaps for nodes that have no record */

	double elapsed_s, limit_s; /* limit_s: INFINITY where there is none */
	double cpus, cpu_s, cpu_efficiency;
	/* bytes; memory_requested: over all nodes */
	double nodes, memory_requested, memory_used, memory_upper, memory_mapped, memory_efficiency;
	char *memory_source;
	bool memory_by_cpu; /* --mem cannot stand in the place of --mem-per-cpu: it has several tasks */
	bool memory_by_default; /* it came with the CPUs (requested.memory_by_default) */
	bool exclusive;     /* no other job could have what it left of its nodes */

	char *engine, *unit_kind, *unit, *unit_which; /* of a workflow's job: "snakemake", "rule", "align", "A" */

	char *bound;    /* the verdict's word */
	char *outcome;  /* how it ended, as a sentence; NULL: the report has none */
	char *findings; /* codes, the worst first: "oom-kill, low-cpu"; NULL: none */
	enum summary_severity severity; /* of the worst finding */
	/* what the job's own advice asks for: bytes on a node, CPUs per task; NAN: nothing */
	double advised_memory, advised_cpus;
	bool advised_one_task; /* advised_cpus holds with --ntasks=1 */
};

/*
 * Fills @row from the report file @path. Where that fails, row->error says why, and all else but path is empty. Free it
 * with summary_free() either way.
 */
void summary_read(struct summary *row, const char *path);

/*
 * Fills @row from @report, which it shares. @path is where its file would be.
 */
void summary_of(struct summary *row, struct report *report, const char *path);

/*
 * Fills @row from what Slurm says of a job that has no report: an object as slurm_job() returns it, or of
 * slurm_jobs_ask(). Its path stays NULL. It counts as complete: nothing of it was counted in part.
 */
void summary_of_slurm(struct summary *row, struct json_object *slurm);

void summary_free(struct summary *row);

/*
 * Fills @text with the job as people name it ("12", "10_2", "12+1") and returns it.
 */
const char *summary_id(const struct summary *row, char text[SUMMARY_ID_TEXT]);

/*
 * Returns the worst finding in words, and how many more there are ("out of memory +2"), to be freed; NULL where there
 * is none. A finding that the table of rules does not have is its code, as in the report: the caller must escape it.
 */
char *summary_worst(const struct summary *row);

/*
 * Return how the worst finding, and how what was used of what was allocated, are to be looked at.
 */
enum look summary_look(const struct summary *row);
enum look summary_look_at(const struct summary *row, enum look_at at);

/*
 * Returns whether the job did not end as COMPLETED; false where it still runs, or its state is not known.
 */
bool summary_failed(const struct summary *row);

/*
 * Returns elapsed time divided by the time limit; NAN where either is not known, or there is no limit.
 */
double summary_time_efficiency(const struct summary *row);

/*
 * Single fields as functions, for callers that pick one: seconds, shares of 1, bytes; NAN where not known.
 */
double summary_elapsed(const struct summary *row);
double summary_cpu_efficiency(const struct summary *row);
double summary_memory_efficiency(const struct summary *row);
double summary_memory_used(const struct summary *row);

/*
 * Returns the permissions of those who may read all reports that this process has read.
 */
mode_t summary_readers(void);

/*
 * Fills the @count @rows from the files @paths. Several threads read where there are many.
 *
 * @tried_for: the number of a job, array or heterogeneous job whose reports are wanted alone: a file whose begin does not have it, or
 * another user's large one whose begin does not show what it is, counts as refused; -1: all are wanted
 */
void summaries_read(struct summary *rows, char *const paths[], size_t count, int64_t tried_for);

#endif
