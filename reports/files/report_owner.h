/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks who owns a report file. Job ids can be guessed, and any user can put a file where a job's report will be
 * looked for, if the directory is writable for others. Nothing in the file proves who wrote it: only its owner does.
 */
#ifndef STINT_REPORT_OWNER_H
#define STINT_REPORT_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "reports/model/report.h"

#define REPORT_OWNER_GAP "owner" /* the gap added for another user's file */

/* Whether @file is owned neither by root nor by the reader, as far as can be seen (reports/files/user_namespace.h). */
bool report_is_others(const struct stat *file);

/* Whether @uid owns the directory of @path; false if that cannot be seen. */
bool report_owner_is_directorys(const char *path, uid_t uid);

/*
 * Returns whether a report at @path counts as the job's, by the rule of report_owner_note(). @uid, @user: the job's
 * user according to the report; below 0 and NULL if not known
 */
bool report_owner_is_known(const char *path, const struct stat *file, int64_t uid, const char *user);

/*
 * A report counts as the job's if one of these owns the file @path: the job's user, whose number and name @report has;
 * root; or the reader. For readers other than root, the owner of its directory may own it, too. That owner may replace
 * any file there, and servers that map users show both as one user. For root that counts only if both are nobody.
 *
 * If another user owns the file, removes from @report what a reader might paste, and adds a gap that says why nothing
 * in it is proved. If out of memory for the gap, report_lacks_memory() says so.
 *
 * @file: from fstat()
 */
void report_owner_note(const char *path, const struct stat *file, struct report *report);

#endif
