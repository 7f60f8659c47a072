/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints messages about a search for reports to standard error. */
#ifndef STINT_FIND_MESSAGES_H
#define STINT_FIND_MESSAGES_H

#include "reports/files/reach.h"
#include "reports/read/rows.h"

/* Prints @text, which is a message about a file, to standard error. */
void find_complain(const char *who, const char *text);

/* Prints that @names more paths lead to files that earlier messages named by another path. */
void find_say_names(const char *who, size_t names);

/* Prints that the file @path belongs to a user other than the job's. */
void find_say_left_out(const char *who, const char *path);

/* Prints that @more files belong to users other than the job's, besides the file that find_say_left_out() named. */
void find_say_foreign(const char *who, size_t more);

/* Prints that reports were skipped because their file system does not answer. */
void find_say_silent(const char *who, const struct reach *reach);

/*
 * Returns a sentence that says why stintd cannot write the job's report to @directory, and what to do. The caller must
 * free the sentence. The reason may be that the directory is gone, or that its file system is full or read-only. If
 * @is_users is true, the job belongs to this user, so the reason may also be that this user may not write there.
 * Returns NULL if none of these is the reason.
 *
 * @max_age_h: how many hours the report waits on its node
 */
char *find_why_unwritten(const char *directory, bool is_users, unsigned int max_age_h);

/* If @rows->verbose is true, prints to standard error one step of the search for a job. */
void find_tried(const struct rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
