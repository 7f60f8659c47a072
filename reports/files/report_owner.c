/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/report_owner.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"

#define PASSWD_BYTES 16384

bool report_is_others(const struct stat *file)
{
	return file->st_uid != 0 && file->st_uid != geteuid();
}

bool report_owner_is_directorys(const char *path, uid_t uid)
{
	const char *slash = strrchr(path, '/');
	cleanup_free char *directory = slash ? strndup(path, slash - path + 1) : strdup(".");
	struct stat st;

	return directory && stat(directory, &st) == 0 && st.st_uid == uid;
}

/* A user may give the own number beside another's name, by which people and tables go. Hosts may know one user by two names. */
static bool is_others_name(uid_t uid, const char *name)
{
	char buffer[PASSWD_BYTES];
	struct passwd entry, *found = NULL;

	return name && getpwnam_r(name, &entry, buffer, sizeof(buffer), &found) == 0 && found && found->pw_uid != uid;
}

static bool is_known(const char *path, const struct stat *file, struct json_object *report)
{
	int64_t uid;

	if (!report_is_others(file) || report_owner_is_directorys(path, file->st_uid))
		return true;
	return field_count(report, "job.uid", &uid) && uid == (int64_t)file->st_uid &&
	       !is_others_name(file->st_uid, field_text(report, "job.user"));
}

void report_owner_note(const char *path, const struct stat *file, struct json_object *report)
{
	struct json_object *gaps = field_typed(report, "gaps", json_type_array);

	if (is_known(path, file, report))
		return;
	if (!gaps) {
		gaps = json_object_new_array();
		json_object_object_add(report, "gaps", gaps);
	}
	json_object_object_add(report, "advice", json_object_new_array());
	json_object_object_add(report, "complete", json_object_new_boolean(false));
	gaps_addf(gaps, REPORT_OWNER_GAP,
		  "the file belongs to uid %u, and not to the job's user: nothing proves what it says", file->st_uid);
}
