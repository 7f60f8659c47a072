/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages of a search for reports on standard error. */
#ifndef STINT_FIND_MESSAGES_H
#define STINT_FIND_MESSAGES_H

#include "reports/files/reach.h"
#include "reports/read/rows.h"

/*
 * Prints a message about a file, @text, to standard error.
 */
void find_complain(const char *who, const char *text);

/* Says that the files named in earlier messages have @names more names. */
void find_say_names(const char *who, size_t names);

/* Says that the file @path belongs to a user other than the job's. */
void find_say_left_out(const char *who, const char *path);

/* Says that @more files do so, besides the one already named. */
void find_say_foreign(const char *who, size_t more);

/* Says that reports were skipped because their file system does not answer. */
void find_say_silent(const char *who, const struct reach *reach);

/*
 * Returns why stintd cannot write a report to @directory, the job's own, and what to do, as one sentence of the job
 * @name, to be freed. The reason is that the directory is gone, that its file system is full or read-only, or that this
 * user, whose job it is (@is_users), may not write there. NULL: none of these.
 *
 * @max_age_h: how many hours the report waits on its node
 */
char *find_why_unwritten(const char *directory, bool is_users, unsigned int max_age_h);

/* If @rows are verbose, says on standard error what was tried to find a job. */
void find_tried(const struct rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
