/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a table says of one report, and finding goes by: a few values, read without the rest of it. */
#ifndef STINT_ROW_H
#define STINT_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "collector/common/error.h"

#define ROW_ID_TEXT 48
#define ROW_WORST_TEXT 256

enum row_severity { ROW_NO_FINDING, ROW_INFO, ROW_WARNING, ROW_CRITICAL };

/* A number that the report does not tell is NAN, a text NULL, an id or count -1. Texts are the report's own: unescaped. */
struct row {
	char *path;
	struct json_object *report; /* made of parts, and in no file; else NULL */
	char *error;                /* why there is nothing more; NULL: all went well */

	int64_t id, array, task;      /* array and task: -1 unless it is an array's task */
	int64_t het, het_offset;      /* likewise of a heterogeneous job's component */
	int64_t attempt;
	size_t order;                 /* for who sorts rows */
	size_t earlier;               /* attempts before this one, that were found with it */
	char *cluster, *name, *user, *state, *reason, *start, *end;
	int64_t exit_code, signal;
	bool complete;
	bool lacks_nodes; /* its gaps name nodes that it has no record of */

	double elapsed_s, limit_s; /* limit_s: INFINITY where there is none */
	double cpus, cpu_s, cpu_efficiency;
	double nodes, memory_requested, memory_used, memory_upper, memory_efficiency; /* bytes; requested: over all nodes */
	char *memory_source;

	char *engine, *unit_kind, *unit, *unit_which; /* of a workflow: "snakemake", "rule", "align", "A" */

	char *bound;    /* the verdict's word */
	char *findings; /* their codes, the worst first: "oom-kill, low-cpu"; NULL: none */
	enum row_severity severity; /* of the worst */
	char *advice;   /* its lines, each ended by a newline; NULL: none */
};

/*
 * Fills @row from the report file @path. Where that fails, its error says why, and all else but path is empty.
 * To be freed with row_free() either way.
 */
void row_read(struct row *row, const char *path);

/*
 * Fills @row from @report, of which it keeps a reference; @path is where it would be.
 */
void row_of(struct row *row, struct json_object *report, const char *path);

void row_free(struct row *row);

/*
 * Fills @text with the job as people name it ("12", "10_2", "12+1") and returns it.
 */
const char *row_id(const struct row *row, char text[ROW_ID_TEXT]);

/*
 * Fills @text with the worst finding and how many more there are ("oom-kill +2"), cut to @columns, and returns it; "-" where
 * there is none. Escaped.
 */
const char *row_worst(const struct row *row, size_t columns, char text[ROW_WORST_TEXT]);

/*
 * Returns the share of the time limit that was used; NAN where it is not known or there is no limit.
 */
double row_time_efficiency(const struct row *row);

/*
 * Fields by functions, for those who take any of them: seconds, shares of 1, bytes; what is not known is NAN.
 */
double row_elapsed(const struct row *row);
double row_cpu_efficiency(const struct row *row);
double row_memory_efficiency(const struct row *row);
double row_memory_used(const struct row *row);

/*
 * Fills @rows, @count of them, from the files @paths, by several threads where there are many.
 */
void rows_read(struct row *rows, char *const paths[], size_t count);

#endif
