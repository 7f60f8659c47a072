/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/doctor/doctor.h"
#include "reports/send/store_child.h"

#define MEND (2 * PATH_MAX + 320)

/*
 * Writes how to fix the rights of store_dir. Returns false if @why is another problem.
 *
 * @why: from store_child_check()
 */
static bool mend_open(const char *why, const char *user, char mend[MEND])
{
	int place = (int)strcspn(why, ":");

	if (strstr(why, "it belongs to another user") || strstr(why, "must belong to the store's user"))
		snprintf(mend, MEND, "chown %s %.*s", user, strstr(why, " must ") ? (int)(strstr(why, " must ") - why) : place, why);
	else if (strstr(why, "can write there"))
		snprintf(mend, MEND, "chmod go-w %.*s", place, why);
	else
		return false;
	return true;
}

static bool find_closed(const char *path, char closed[PATH_MAX])
{
	struct stat st;

	for (const char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
		snprintf(closed, PATH_MAX, "%.*s", (int)(end - path), path);
		if (stat(closed, &st) == 0 && !(st.st_mode & S_IXOTH))
			return true;
	}
	return false;
}

static void mend_denied(const char *path, const char *user, char mend[MEND])
{
	char closed[PATH_MAX];
	struct stat st;

	if (find_closed(path, closed))
		snprintf(mend, MEND, "let %s pass: chmod o+x %s", user, closed);
	else if (stat(path, &st) == 0 && (st.st_mode & 0700) != 0700)
		snprintf(mend, MEND, "chown %s %s; chmod u+rwx %s", user, path, path);
	else
		snprintf(mend, MEND, "chown %s %s", user, path);
}

static void write_mend(const char *path, const char *why, const char *user, char mend[MEND])
{
	if (mend_open(why, user, mend))
		return;
	/* Test this first, because the tests below use @path, which may hang. */
	if (strstr(why, "does not answer") || strstr(why, "still hangs"))
		snprintf(mend, MEND, "see why the file system of %s does not answer", path);
	else if (strstr(why, strerror(ENOENT)))
		snprintf(mend, MEND, "mount its file system, or make it: install -d -m 0750 -o %s %s", user, path);
	else if (strstr(why, strerror(EACCES)))
		mend_denied(path, user, mend);
	else if (strstr(why, strerror(ENOTDIR)) || strstr(why, strerror(ELOOP)))
		snprintf(mend, MEND, "name a directory as store_dir in stint.conf, and restart stintd");
	else if (strstr(why, strerror(EROFS)))
		snprintf(mend, MEND, "mount it writable");
	else if (strstr(why, strerror(ENOSPC)) || strstr(why, strerror(EDQUOT)))
		snprintf(mend, MEND, "make room on its file system");
	else
		snprintf(mend, MEND, "see what its file system says: runuser -u %s -- ls -l %s", user, path);
}

void doctor_store_dir(struct doctor *doctor)
{
	const struct conf *conf = doctor->conf;
	bool own = strcmp(conf->store_dir, CONF_STORE_DIR) == 0;
	char user[256] = "", mend[MEND];
	struct error err = { "" };

	if (!conf_has_store(conf)) {
		doctor_say(doctor, DOCTOR_INFO, "store", NULL, "off: stint.conf says so");
		return;
	}
	if (geteuid() != 0)
		return;
	if (own && !conf->store_command[0] && access(conf->store_dir, F_OK) < 0 && errno == ENOENT)
		doctor_say(doctor, DOCTOR_INFO, "store_dir", NULL, "%s: stintd makes it with the first lines", conf->store_dir);
	else if (store_child_check(conf, user, &err) == 0 && conf->store_command[0])
		doctor_say(doctor, DOCTOR_OK, "store_command", NULL, "%s, as %s", conf->store_command, user);
	else if (user[0] && !err.text[0])
		doctor_say(doctor, DOCTOR_OK, "store_dir", NULL, "%s, as %s%s", conf->store_dir, user,
			   own ? ", only on this node" : "");
	else {
		write_mend(conf->store_dir, err.text, user, mend);
		doctor_say(doctor, DOCTOR_WARN, "store_dir", user[0] ? mend : "set store_user in stint.conf", "%s", err.text);
	}
}
