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
 * Reads @config, or stint.conf if that is NULL, for a program that must show reports even if the file has a mistake.
 * One line on standard error, which begins with @who, then says what is ignored.
 *
 * Returns 0; -1 with @err set if the file could not be read.
 */
int find_conf(struct conf *conf, const char *config, const char *who, struct error *err);

/* Sets @err to the reason why nothing was found in @directory by @pattern. Returns -1. */
int find_none(const char *directory, const char *pattern, struct error *err);

/* ---- summaries, for tables ---- */

/*
 * Adds to @rows a row for each report that @what names, oldest first. On entry @rows is all zero except its who,
 * attempt and verbose. @what is
 * - a job ("12"; "10_2", a task of an array; "10", all of its tasks; "12+1", a component of a heterogeneous job; "12",
 *   all of its components). It is looked for in the current directory, or where stint.conf's output leads, then in the
 *   directory where slurmctld, or else accounting, says that it ran. For a requeued job, the row is of its latest
 *   attempt;
 * - "last", for the latest job of this user that has started;
 * - a report's file;
 * - a directory, for all reports in it;
 * - a glob, for all files that match it.
 *
 * A report that is missing, or lacks nodes, is made from the nodes' parts if these exist (reports/read/collect.h).
 *
 * Returns 0; -1 with @err set: nothing was found, or the search failed. In both cases, call rows_free().
 */
int find_rows(struct rows *rows, const char *what, const char *config, struct error *err);

/* Adds to @rows all other attempts of the job of @of that lie beside it, the first attempt first. @of may be any attempt. */
void find_attempts(struct rows *rows, const struct summary *of);

/* ---- whole reports ---- */

/*
 * Loads the whole report of @row. Returns it, for report_free(); NULL with @err set.
 *
 * @text: set to its text, to be freed: the file's own text, unless the file is another user's
 * (reports/files/report_owner.h). May be NULL
 */
struct report *find_whole(const struct summary *row, char **text, struct error *err);

/* As find_whole(), but loads only @parts, like report_load_parts(). Loads all parts if the report is in no file. */
struct report *find_parts_of(const struct summary *row, uint64_t parts, struct error *err);

/* Writes to standard error that the file of @row is another user's. A page says so itself. */
void find_say_unproved(const char *who, const struct summary *row);

#endif
