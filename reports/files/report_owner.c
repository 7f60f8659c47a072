/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/report_owner.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/files/reach.h"
#include "reports/files/user_namespace.h"
#include "reports/model/report_gaps.h"

#define PASSWD_BYTES 16384
#define NOBODY 65534 /* NFS servers map users to this number, and the kernel shows it for users without a number */
#define NAME_BYTES 256 /* longer than any user name */
#define REASON_TEXT 128

bool report_is_others(const struct stat *file)
{
	return (file->st_uid != 0 && file->st_uid != geteuid()) || user_namespace_hides(file->st_uid);
}

bool report_owner_is_directorys(const char *path, uid_t uid)
{
	const char *slash = strrchr(path, '/');
	cleanup_free char *directory = slash ? strndup(path, slash - path + 1) : strdup(".");
	struct stat st;

	return !user_namespace_hides(uid) && directory && reach_stat(directory, &st) == 0 && st.st_uid == uid;
}

/*
 * Returns whether @name is the name of another user than @uid.
 * A user may forge a report with another user's name, and people and tables know users only by name.
 * Accepts an unknown @name, because hosts may know one user by two names.
 */
static bool is_others_name(uid_t uid, const char *name)
{
	char buffer[PASSWD_BYTES];
	struct passwd entry, *found = NULL;

	return getpwnam_r(name, &entry, buffer, sizeof(buffer), &found) == 0 && found && found->pw_uid != uid;
}

/* Caches the last answer of is_others_name(): a look-up may ask a server, and one user may have many reports. */
static bool has_others_name(uid_t uid, const char *name)
{
	static _Thread_local char last_name[NAME_BYTES];
	static _Thread_local uid_t last_uid;
	static _Thread_local bool last_answer;

	if (!name || !*name)
		return false;
	if (strlen(name) >= NAME_BYTES)
		return true;
	if (uid != last_uid || strcmp(name, last_name) != 0) {
		last_answer = is_others_name(uid, name);
		last_uid = uid;
		strcpy(last_name, name);
	}
	return last_answer;
}

/*
 * Returns whether the owner of @file also owns its directory, and the reader trusts this owner.
 * The owner of a directory can put any file there. A user who reads the directory has chosen to trust its owner.
 * Root reads the directories of all users, so root has chosen nothing.
 * Root trusts only the user "nobody", because some servers show "nobody" as the owner of all files.
 */
static bool is_believed(const char *path, const struct stat *file)
{
	return (geteuid() != 0 || file->st_uid == NOBODY) && report_owner_is_directorys(path, file->st_uid);
}

bool report_owner_is_known(const char *path, const struct stat *file, int64_t uid, const char *user)
{
	if (!report_is_others(file) || is_believed(path, file))
		return true;
	return uid == (int64_t)file->st_uid && !has_others_name(file->st_uid, user);
}

static void say_unproved(const struct stat *file, char text[REASON_TEXT])
{
	if (user_namespace_hides(file->st_uid))
		snprintf(text, REASON_TEXT,
			 "stint cannot see the file's owner from within this container: nothing proves what the file says");
	else
		snprintf(text, REASON_TEXT,
			 "the file belongs to uid %u, and not to the job's user: nothing proves what the file says", file->st_uid);
}

void report_owner_note(const char *path, const struct stat *file, struct report *report)
{
	char reason[REASON_TEXT];

	if (report_owner_is_known(path, file, report->job.uid, report->job.user))
		return;
	report->advice = (struct report_advice_list){ .known = true };
	report->complete = (struct report_flag){ true, false };
	say_unproved(file, reason);
	report_add_gap(report, REPORT_OWNER_GAP, reason);
}
