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
 * Reads @config, or stint.conf if @config is NULL, for a program that must show reports even if the file has a mistake.
 * If the file has a mistake, prints one line to standard error. This line begins with @who and says what is ignored.
 *
 * Returns 0; -1 with @err set if the file could not be read.
 */
int find_conf(struct conf *conf, const char *config, const char *who, struct error *err);

/* Sets @err to the reason why nothing was found in @directory by @pattern. Returns -1. */
int find_none(const char *directory, const char *pattern, struct error *err);

/* ---- summaries, for tables ---- */

/*
 * Adds to @rows a row for each report that @what names, oldest first. On entry, @rows is all zero except for the
 * members who, attempt and verbose. @what is
 * - a job: "12", "10_2" for a task of an array, "10" for all tasks of the array, "12+1" for a component of a
 *   heterogeneous job, or "12" for all its components. The search begins in the current directory, or in the directory
 *   that stint.conf's output names. If nothing is there, the search continues in the directory where the job ran
 *   according to slurmctld, or according to accounting if slurmctld does not know the job. If the job was requeued, the
 *   row is of the latest attempt;
 * - "last", for the latest job of this user that has started;
 * - a report's file;
 * - a directory, for all reports in it;
 * - a glob, for all files that match it.
 *
 * If a report is missing or lacks nodes, it is made from the parts of the nodes if there are any
 * (reports/read/collect.h).
 *
 * Returns 0; -1 with @err set if nothing was found, or if the search failed. In both cases, call rows_free().
 */
int find_rows(struct rows *rows, const char *what, const char *config, struct error *err);

/*
 * Adds to @rows a row for each other attempt of the job of @of. The first attempt comes first. Finds only reports in
 * the directory that contains the report of @of. @of may be any attempt.
 */
void find_attempts(struct rows *rows, const struct summary *of);

/* ---- whole reports ---- */

/*
 * Loads the whole report of @row. Returns the report, for report_free(); NULL with @err set.
 *
 * @text: set to the report's text, which the caller must free. This is the unchanged text of the file, unless the file
 * belongs to another user (reports/files/report_owner.h). May be NULL
 */
struct report *find_whole(const struct summary *row, char **text, struct error *err);

/*
 * Like find_whole(), but loads only @parts (see report_load_parts()). If the report is in no file, all its parts are
 * loaded.
 */
struct report *find_parts_of(const struct summary *row, uint64_t parts, struct error *err);

/*
 * Writes to standard error that the file of @row belongs to another user. Do not call this for a page, because a page
 * itself says so.
 */
void find_say_unproved(const char *who, const struct summary *row);

#endif
