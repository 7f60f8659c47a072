/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/off.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool node_is_off(const struct options_arguments *site)
{
	char path[MESSAGE_RUN_DIR_MAX + sizeof("/" OFF_FILE)];
	struct stat st;

	snprintf(path, sizeof(path), "%s/" OFF_FILE, site->run_dir);
	return lstat(path, &st) == 0;
}

static bool user_is_off(const struct options_arguments *site, uint32_t uid)
{
	for (unsigned int i = 0; i < site->off_user_count; i++)
		if (site->off_users[i] == uid)
			return true;
	return false;
}

static bool partition_is_off(const char *list, const char *partition)
{
	size_t length = strlen(partition);

	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && strncmp(at, partition, length) == 0)
			return true;
	return false;
}

bool off_for(const struct options_arguments *site, uint32_t uid, const char *partition)
{
	return site->off || user_is_off(site, uid) || (partition && partition_is_off(site->off_partitions, partition)) ||
	       node_is_off(site);
}
