/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks who owns a report file.
 * Job ids can be guessed, so a user can put a false report where a job's report will be.
 * The content of the file does not prove who wrote it. Only the owner of the file does.
 */
#ifndef STINT_REPORT_OWNER_H
#define STINT_REPORT_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "reports/model/report.h"

#define REPORT_OWNER_GAP "owner" /* name of the gap for another user's file */

/*
 * Returns whether @file belongs to neither root nor the reader.
 * Also returns true if the owner cannot be seen (reports/files/user_namespace.h).
 */
bool report_is_others(const struct stat *file);

/* Returns whether @uid owns the directory of @path; false if that cannot be seen. */
bool report_owner_is_directorys(const char *path, uid_t uid);

/*
 * Returns whether a report at @path counts as the job's report (report_owner_note()).
 *
 * @uid, @user: the job's user according to the report; negative or NULL if unknown
 */
bool report_owner_is_known(const char *path, const struct stat *file, int64_t uid, const char *user);

/*
 * Checks if @report counts as the job's report.
 * The file @path must belong to root, to the reader, or to the job's user that @report names.
 *
 * It may also belong to the owner of its directory. For root, this owner must be the user "nobody".
 * The owner of a directory may replace any file there, and servers that map users show one user as the owner of all.
 *
 * From any other report, removes the lines that a reader might paste, and adds a gap that says why.
 * If there is no memory for the gap, report_lacks_memory() returns true.
 *
 * @file: from fstat()
 */
void report_owner_note(const char *path, const struct stat *file, struct report *report);

#endif
