/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the reports that a user names: by a job's id, a file, a directory or a glob. */
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
 * Reads @config, or stint.conf where that is NULL, for whom a mistake in it must not keep from one's reports: one line on
 * standard error, which begins with @who, says what of it is left out.
 *
 * Returns 0; -1 with @err set when the file could not be read.
 */
int find_conf(struct conf *conf, const char *config, const char *who, struct error *err);

/* Sets @err to why nothing by the name of @pattern was found in @directory. Returns -1. */
int find_none(const char *directory, const char *pattern, struct error *err);

/* ---- summaries, for tables ---- */

/*
 * Adds to @rows, all zero but for its who, attempt and verbose, a row for each report that @what names, oldest first.
 * @what is
 * - a job ("12"; "10_2", a task of an array; "10", all of its tasks; "12+1", a component of a heterogeneous job; "12",
 *   all of its components). It is looked for in the current directory, or where stint.conf's output leads, then in the
 *   directory where slurmctld, or else accounting, says that it ran. A requeued job gives its latest attempt;
 * - "last", for the latest job of this user that has started;
 * - a report's file;
 * - a directory, for all reports in it;
 * - a glob, for all files that match it.
 *
 * A report that is missing, or lacks nodes, is made from the nodes' parts where these exist (reports/read/collect.h).
 *
 * Returns 0; -1 with @err set: nothing was found, or the search failed. Either way rows_free() it.
 */
int find_rows(struct rows *rows, const char *what, const char *config, struct error *err);

/*
 * Adds to @rows all other attempts of the job of @of that lie beside it, the first attempt first. @of may be any
 * attempt.
 */
void find_attempts(struct rows *rows, const struct summary *of);

/* ---- whole reports ---- */

/*
 * Loads the whole report of @row. Returns it, for report_free(); NULL with @err set.
 *
 * @text: gets its text, to be freed: the file's own, but where that is another user's (reports/files/report_owner.h). May
 * be NULL
 */
struct report *find_whole(const struct summary *row, char **text, struct error *err);

/*
 * The same of @parts, as report_load_parts() loads them; of all, if it is in no file.
 */
struct report *find_parts_of(const struct summary *row, uint64_t parts, struct error *err);

/*
 * Says on standard error that the file of @row is another user's. A page says so itself.
 */
void find_say_unproved(const char *who, const struct summary *row);

#endif
