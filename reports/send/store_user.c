/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/send/store_user.h"

#include <errno.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/slurm/slurm_conf.h"

static void name_user(const struct conf *conf, char name[256])
{
	snprintf(name, 256, "%s", conf->store_user[0] ? conf->store_user : "slurm");
	if (!conf->store_user[0])
		slurm_conf_ask("SlurmUser", name, 256);
}

int store_user_find(const struct conf *conf, struct store_user *user, struct error *err)
{
	const struct passwd *found;
	char *end;
	unsigned long uid;

	name_user(conf, user->name);
	errno = 0;
	found = getpwnam(user->name);
	uid = strtoul(user->name, &end, 10);
	if (!found && user->name[0] >= '0' && user->name[0] <= '9' && !*end && uid < UINT32_MAX)
		found = getpwuid((uid_t)uid);
	if (!found && errno)
		return error_errno(err, "cannot look up the user '%s', who writes the store", user->name);
	if (!found)
		return error_set(err, "there is no user '%s' to write the store: set store_user in stint.conf", user->name);
	user->uid = found->pw_uid;
	user->gid = found->pw_gid;
	snprintf(user->name, sizeof(user->name), "%s", found->pw_name);
	return 0;
}
