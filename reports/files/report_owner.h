/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a report file is. Jobs' numbers can be guessed, and in a directory that others may write to, anybody can put a
 * file where a job's report will be looked for. Nothing in the file proves who wrote it: only its owner does.
 */
#ifndef STINT_REPORT_OWNER_H
#define STINT_REPORT_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "reports/model/report.h"

#define REPORT_OWNER_GAP "owner" /* the gap that another user's file has */

/* Whether @file is neither root's nor the reader's own, as far as can be seen (reports/files/user_namespace.h). */
bool report_is_others(const struct stat *file);

/* Whether @uid is the owner of the directory of @path; where that cannot be seen, it is not. */
bool report_owner_is_directorys(const char *path, uid_t uid);

/*
 * Returns whether a report at @path counts as the job's, by the rule of report_owner_note(). @uid, @user: whose job it
 * is by the report; below 0 and NULL where that is not known
 */
bool report_owner_is_known(const char *path, const struct stat *file, int64_t uid, const char *user);

/*
 * A report counts as the job's where the file @path is the job's user's, whose number and name @report has; or root's, or the
 * reader's own. For other readers than root, also where it is its directory's owner's, who may replace any file there: servers
 * that map users show both as one user's. For root that counts only where both are nobody's. Where its owner is another, takes
 * out of @report what a reader might paste, and adds a gap that says why nothing of it is proved. Without memory for the gap,
 * report_lacks_memory() says so.
 *
 * @file: of fstat()
 */
void report_owner_note(const char *path, const struct stat *file, struct report *report);

#endif
