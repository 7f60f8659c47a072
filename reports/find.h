/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reports that a user's words stand for: a job's id, a file, a directory, a glob. */
#ifndef STINT_FIND_H
#define STINT_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "collector/common/error.h"
#include "reports/locate.h"
#include "reports/row.h"

/* ---- whole reports ---- */

struct found_report {
	struct json_object *report;
	char *text;   /* the file's bytes as they stand */
	char *path;   /* of the file; where it would be, for a report that was made of its nodes' parts just now */
	size_t order; /* as found */
};

struct found {
	const char *who; /* "stint report": stands before what is said of files on standard error */
	struct found_report *reports;
	size_t count;
	bool failed; /* one could not be read, and that was said */
};

/*
 * Adds to @found, all zero but for its who, the reports that @what stands for, oldest first: see find_rows().
 *
 * @config: read instead of stint.conf; may be NULL
 *
 * Returns 0; -1 with @err set. Either way find_free() it.
 */
int find_reports(struct found *found, const char *what, const char *config, struct error *err);

void find_free(struct found *found);

/* ---- what a table says of each, without the rest ---- */

struct rows {
	const char *who;  /* as in struct found */
	int64_t attempt;  /* of a job, this one alone is meant; 0: the latest */
	struct row *list;
	size_t count;
	bool failed;
};

/*
 * Adds to @rows, all zero but for its who and attempt, a row for each report that @what stands for, oldest first:
 * - a job ("12"; "10_2", a task of an array; "10", all of its tasks; "12+1", a component of a heterogeneous job;
 *   "12", all of its components), which is looked for in the current directory, at the site's store, then where
 *   Slurm, and at last its accounting, says that it ran. Of a requeued job the latest attempt;
 * - a report's file;
 * - a directory, for all in it;
 * - a glob, for all files that it names.
 *
 * Reports that lack nodes, or are not there at all, are made of the nodes' parts, where these are (reports/collect.h).
 *
 * Returns 0; -1 with @err set: nothing was found, or the search failed. Either way rows_free() it.
 */
int find_rows(struct rows *rows, const char *what, const char *config, struct error *err);

/*
 * Adds to @rows all other attempts of @of, a requeued job's latest or any of it, that lie beside it, first ones first.
 */
void find_attempts(struct rows *rows, const struct row *of);

/*
 * Loads the whole report of @row. Returns it, to be put, and its @text, to be freed; NULL with @err set.
 */
struct json_object *find_whole(const struct row *row, char **text, struct error *err);

/*
 * As find_whole(), without what no page shows: see report_load_brief().
 */
struct json_object *find_brief(const struct row *row, struct error *err);

/*
 * Takes @row in as the last of @rows. Returns false when there is no memory: it is the caller's still.
 */
bool rows_add(struct rows *rows, const struct row *row);

void rows_free(struct rows *rows);

/*
 * Says of a file, on standard error, what is wrong with it.
 */
void find_complain(const char *who, const char *text);

/* ---- a job without a report ---- */

/*
 * Fills @place with the directory that the job @name ran in, by slurmctld or accounting, and makes @job exact where these
 * know it by another name (an array's task has a job id of its own, too).
 *
 * @running: of a job that runs still, becomes what stint-slurm-job says of it, to be put, and @place stays
 *
 * Returns 0; -1 with @err set to one line: why there is no report, or where was looked.
 */
int find_place(const char *name, struct locate_job *job, char **place, struct json_object **running, struct error *err);

#endif
