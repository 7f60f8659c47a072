/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/user_namespace.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/file.h"

#define HIDDEN "/proc/sys/kernel/overflowuid"
#define ALL 4294967295u /* as many as there are */

static bool has_all_users(const char *map)
{
	unsigned int inside, outside, count;

	return sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 && count == ALL;
}

bool user_namespace_hides(uid_t uid)
{
	cleanup_free char *map = file_read_kernel("/proc/self/uid_map", 65536);
	cleanup_free char *hidden = file_read_kernel(HIDDEN, 64);

	return map && hidden && !has_all_users(map) && strtoul(hidden, NULL, 10) == uid;
}
