/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks who owns a report file. Job ids can be guessed. If the directory of a job's report is writable for others, any
 * user can put a file there. Nothing in the file proves who wrote it; only its owner does.
 */
#ifndef STINT_REPORT_OWNER_H
#define STINT_REPORT_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "reports/model/report.h"

#define REPORT_OWNER_GAP "owner" /* the name of the gap for another user's file */

/*
 * Returns true if @file is owned neither by root nor by the reader, as far as can be seen
 * (reports/files/user_namespace.h).
 */
bool report_is_others(const struct stat *file);

/* Returns true if @uid owns the directory of @path; false if that cannot be seen. */
bool report_owner_is_directorys(const char *path, uid_t uid);

/*
 * Returns true if a report at @path counts as the job's, by the rule of report_owner_note(). @uid, @user: the job's
 * user according to the report. Negative or NULL if not known
 */
bool report_owner_is_known(const char *path, const struct stat *file, int64_t uid, const char *user);

/*
 * A report counts as the job's if one of these owns the file @path: the job's user, whose number and name @report has;
 * root; or the reader. For readers other than root, the owner of the file's directory may own the file, too. This owner
 * may replace any file there, and servers that map users show both owners as one user. For root, this counts only if
 * both owners are nobody.
 *
 * If another user owns the file, removes from @report the lines that a reader might paste, and adds a gap that says why
 * nothing in the report is proved. If out of memory for the gap, report_lacks_memory() returns true.
 *
 * @file: from fstat()
 */
void report_owner_note(const char *path, const struct stat *file, struct report *report);

#endif
