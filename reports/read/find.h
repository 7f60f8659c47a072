/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the reports that a user names by a job's id, a file, a directory or a glob. */
#ifndef STINT_FIND_H
#define STINT_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "reports/model/report_read.h"
#include "reports/read/find_messages.h"
#include "reports/read/rows.h"

struct conf;

/*
 * Reads @config; NULL for the default stint.conf.
 * If the file has a mistake, prints a line to standard error and goes on: reports must still be shown.
 *
 * @who: begins the line
 *
 * Returns 0; -1 with @err set if the file could not be read.
 */
int find_conf(struct conf *conf, const char *config, const char *who, struct error *err);

/* Sets @err to the reason why nothing was found. Returns -1. */
int find_none(const char *directory, const char *pattern, struct error *err);

/* ---- summaries, for tables ---- */

/*
 * Adds a row for each report that @what names, the oldest first.
 *
 * @rows: on entry, all zero except who, attempt and verbose
 *
 * @what is
 * - a job: "12", "10_2" for a task of an array, "10" for all its tasks,
 *   "12+1" for a component of a heterogeneous job, "12" for all its components;
 * - "last", for the latest job of this user that has started;
 * - a report's file;
 * - a directory, for all its reports;
 * - a glob, for all files that match.
 *
 * A job is searched in the current directory, or in the directory of stint.conf's output.
 * The next place is the directory where the job ran, from slurmctld or from accounting.
 * The row of a requeued job is of the latest attempt.
 *
 * A report that is missing or lacks nodes is made from the nodes' parts, if there are any.
 *
 * Returns 0; -1 with @err set if nothing was found, or if the search failed.
 * Call rows_free() in both cases.
 */
int find_rows(struct rows *rows, const char *what, const char *config, struct error *err);

/*
 * Adds a row for each other attempt of the job of @of, the first attempt first.
 * Looks only in the directory of @of.
 */
void find_attempts(struct rows *rows, const struct summary *of);

/* ---- whole reports ---- */

/*
 * Loads the whole report of @row.
 *
 * @text: set to the report's text, which the caller must free; may be NULL.
 * It is the unchanged text of the file, except for another user's file (reports/files/report_owner.h).
 *
 * Returns the report, for report_free(); NULL with @err set.
 */
struct report *find_whole(const struct summary *row, char **text, struct error *err);

/* Loads @parts of the report with report_load_parts(). A report without a file is loaded whole. */
struct report *find_parts_of(const struct summary *row, uint64_t parts, struct error *err);

/* Prints a message that the file of @row belongs to another user. A page says so itself. */
void find_say_unproved(const char *who, const struct summary *row);

#endif
