/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks who owns a report file. Job ids can be guessed, so any user who can write to the directory of a job's report
 * can put a file of that name there. Nothing in the file proves who wrote it. Only the file's owner does.
 */
#ifndef STINT_REPORT_OWNER_H
#define STINT_REPORT_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "reports/model/report.h"

#define REPORT_OWNER_GAP "owner" /* the name of the gap for another user's file */

/*
 * Returns true if neither root nor the reader owns @file, or if the owner cannot be seen
 * (reports/files/user_namespace.h).
 */
bool report_is_others(const struct stat *file);

/* Returns true if @uid owns the directory of @path; false if that cannot be seen. */
bool report_owner_is_directorys(const char *path, uid_t uid);

/*
 * Returns true if a report at @path counts as the job's report, as report_owner_note() says.
 *
 * @uid, @user: the job's user according to the report; negative or NULL if not known
 */
bool report_owner_is_known(const char *path, const struct stat *file, int64_t uid, const char *user);

/*
 * Checks if @report counts as the job's report. It does if the file @path belongs to root, to the reader, or to the
 * job's user, whose number and name are in @report. If the reader is not root, the file may also belong to the owner of
 * its directory, because that owner may replace any file there, and because servers that map users show both owners as
 * one user. For root, this is enough only if both owners are nobody.
 *
 * If @report does not count as the job's, removes the lines from it that a reader might paste, and adds a gap that says
 * why nothing in it is proved. If out of memory for the gap, report_lacks_memory() returns true.
 *
 * @file: from fstat()
 */
void report_owner_note(const char *path, const struct stat *file, struct report *report);

#endif
