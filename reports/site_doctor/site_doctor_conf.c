/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/send/store_user.h"
#include "reports/site_doctor/site_doctor.h"

#define SUBJECT "site.conf"
#define CHMOD "chmod o-r"
#define GROUPS_MAX 256

static bool is_in_group(const struct passwd *user, gid_t gid)
{
	gid_t list[GROUPS_MAX];
	int count = GROUPS_MAX;

	if (getgrouplist(user->pw_name, user->pw_gid, list, &count) < 0)
		return false;
	for (int i = 0; i < count; i++)
		if (list[i] == gid)
			return true;
	return false;
}

static bool may_read(const struct passwd *user, const struct stat *st)
{
	if (user->pw_uid == 0)
		return true;
	if (user->pw_uid == st->st_uid)
		return st->st_mode & S_IRUSR;
	return st->st_mode & (is_in_group(user, st->st_gid) ? S_IRGRP : S_IROTH);
}

static bool check_rights(struct site_doctor *site, const char *path, const struct stat *st)
{
	const struct passwd *user = site->has_user ? getpwuid(site->uid) : NULL;
	char mend[SITE_DOCTOR_MEND];
	bool well = true;

	if (user && !may_read(user, st)) {
		snprintf(mend, sizeof(mend), "chgrp %lu %s; chmod g+r %s", (unsigned long)user->pw_gid, path, path);
		doctor_say(site->doctor, DOCTOR_FAIL, SUBJECT, mend, "%s: owner %u, mode %04o: %s, who runs stint ingest, cannot read it",
			   path, st->st_uid, st->st_mode & 07777, site->user);
		well = false;
	}
	if (st->st_mode & (S_IWGRP | S_IWOTH) || (st->st_uid != 0 && st->st_uid != site->uid)) {
		if (st->st_mode & (S_IWGRP | S_IWOTH))
			snprintf(mend, sizeof(mend), "chmod go-w %s", path);
		else
			snprintf(mend, sizeof(mend), "chown root %s", path);
		doctor_say(site->doctor, DOCTOR_WARN, SUBJECT, mend,
			   "%s: owner %u, mode %04o: others than root can change where the store's data go", path, st->st_uid,
			   st->st_mode & 07777);
		well = false;
	}
	return well;
}

/*
 * @why: from site_conf_load()
 * @wrong: errno; 0: the file can be read
 */
static void say_unusable(struct site_doctor *site, const char *path, const char *why, int wrong)
{
	char mend[SITE_DOCTOR_MEND];
	const char *at = strstr(why, CHMOD);

	if (wrong == EACCES) {
		doctor_say(site->doctor, DOCTOR_WARN, SUBJECT, "run 'stint doctor' as root, or as the user who runs stint ingest", "%s", why);
		return;
	}
	if (wrong == ENOENT)
		snprintf(mend, sizeof(mend), "name the file that there is: stint doctor --site=FILE");
	else if (at)
		snprintf(mend, sizeof(mend), CHMOD " %s", path);
	else
		snprintf(mend, sizeof(mend), "fix %s: stint ingest does not start with it", path);
	/* without the advice at the end, which is in @mend */
	doctor_say(site->doctor, DOCTOR_FAIL, SUBJECT, mend, "it cannot be used: %.*s", at ? (int)(at - why - 2) : (int)strlen(why), why);
}

bool site_doctor_conf(struct site_doctor *site)
{
	const char *path = site->path ? site->path : SITE_CONF_PATH;
	struct store_user user = { 0 };
	struct conf conf = *site->doctor->conf;
	struct error err;
	struct stat st;

	errno = 0;
	if (site_conf_load(&site->conf, site->path, site->doctor->conf, &err) < 0) {
		say_unusable(site, path, err.text, access(path, R_OK) < 0 ? errno : 0);
		return false;
	}
	snprintf(conf.store_user, sizeof(conf.store_user), "%.*s", (int)sizeof(conf.store_user) - 1, site->conf.store_user);
	site->has_user = store_user_find(&conf, &user, &err) == 0;
	site->uid = site->has_user ? user.uid : geteuid();
	snprintf(site->user, sizeof(site->user), "%s", site->has_user ? user.name : "slurm");
	if (!site->has_user)
		doctor_say(site->doctor, DOCTOR_WARN, "store_user", "set store_user in site.conf to the user who runs stint ingest", "%s",
			   err.text);
	if (stat(path, &st) < 0)
		doctor_say(site->doctor, DOCTOR_OK, SUBJECT, NULL, "no %s: the defaults apply", path);
	else if (check_rights(site, path, &st))
		doctor_say(site->doctor, DOCTOR_OK, SUBJECT, NULL, "%s, owner %u, mode %04o; stint ingest runs as %s", path, st.st_uid,
			   st.st_mode & 07777, site->user);
	return true;
}
