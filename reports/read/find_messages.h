/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints messages about a search for reports to standard error. */
#ifndef STINT_FIND_MESSAGES_H
#define STINT_FIND_MESSAGES_H

#include "reports/files/reach.h"
#include "reports/read/rows.h"

/* @text: a message about a file */
void find_complain(const char *who, const char *text);

/* Prints that @names further paths lead to the same files as paths in earlier messages. */
void find_say_names(const char *who, size_t names);

/* Prints that the file @path belongs to a user other than the job's. */
void find_say_left_out(const char *who, const char *path);

/* Prints that @more files, besides the named one, belong to users other than the job's. */
void find_say_foreign(const char *who, size_t more);

/* Prints that reports were skipped because their file system does not answer. */
void find_say_silent(const char *who, const struct reach *reach);

/*
 * Returns why stintd cannot write the job's report to @directory, and what to do; NULL if no reason is seen.
 * The caller must free the text.
 *
 * @is_users: the job is this user's, so a lack of permission counts, too
 * @max_age_h: how many hours the report waits on its node at most
 */
char *find_why_unwritten(const char *directory, bool is_users, unsigned int max_age_h);

/* Prints one step of the search, if @rows->verbose. */
void find_tried(const struct rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
