/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/fuse_owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "common/cleanup.h"

/* Returns NULL if there is no next field. The kernel writes a blank within a field as \040. */
static const char *next_field(const char *field)
{
	const char *blank = strchr(field, ' ');

	return blank ? blank + 1 : NULL;
}

/*
 * Returns the mount options if @line is of @device; else NULL. The options are the last field:
 * "36 35 0:52 / /home/a/mnt rw - fuse.sshfs SOURCE rw,user_id=1000,group_id=1000".
 */
static const char *options_of(const char *line, dev_t device)
{
	unsigned int major_number, minor_number;
	const char *at;

	if (sscanf(line, "%*d %*d %u:%u ", &major_number, &minor_number) != 2 ||
	    makedev(major_number, minor_number) != device)
		return NULL;
	at = strstr(line, " - ");
	for (int i = 0; at && i < 3; i++) /* skip the dash, the type and the source */
		at = next_field(at + (i == 0));
	return at;
}

static uid_t user_of(const char *options)
{
	const char *at = strstr(options, ",user_id=");

	return at ? (uid_t)strtoul(at + strlen(",user_id="), NULL, 10) : FUSE_OWNER_UNKNOWN;
}

uid_t fuse_owner_by(const char *mounts, dev_t device, uid_t shown)
{
	cleanup_fclose FILE *file = fopen(mounts, "re");
	uid_t user = FUSE_OWNER_UNKNOWN;
	cleanup_free char *line = NULL;
	size_t size = 0;

	while (file && user == FUSE_OWNER_UNKNOWN && getline(&line, &size, file) > 0) {
		const char *options = options_of(line, device);

		if (options)
			user = user_of(options);
	}
	return user == 0 ? shown : user;
}

uid_t fuse_owner(dev_t device, uid_t shown)
{
	return fuse_owner_by("/proc/self/mountinfo", device, shown);
}
