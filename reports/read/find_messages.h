/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a search for reports says on standard error. */
#ifndef STINT_FIND_MESSAGES_H
#define STINT_FIND_MESSAGES_H

#include "reports/files/reach.h"
#include "reports/read/rows.h"

/*
 * Prints a message about a file, @text, to standard error.
 */
void find_complain(const char *who, const char *text);

/*
 * Says that the files that messages were about have @names more.
 */
void find_say_names(const char *who, size_t names);

/*
 * Says that the file @path belongs to another user than the job's.
 */
void find_say_left_out(const char *who, const char *path);

/*
 * Says that @more files do so than the one that a message named.
 */
void find_say_foreign(const char *who, size_t more);

/*
 * Says that reports were not looked at, since the file system does not answer.
 */
void find_say_silent(const char *who, const struct reach *reach);

/*
 * Where @rows are verbose, says on standard error what was tried, to find a job.
 */
void find_tried(const struct rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
