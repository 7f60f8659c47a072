/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/user_namespace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/file.h"

#define SHOWN_AS "/proc/sys/kernel/overflowuid"
#define ALL 4294967295u /* the range covers all user ids */

static bool has_all_users(const char *map)
{
	unsigned int inside, outside, count;

	return sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 && count == ALL;
}

static uid_t hidden = (uid_t)-1; /* no user */

static void find_hidden(void)
{
	cleanup_free char *map = file_read_kernel("/proc/self/uid_map", 65536);
	cleanup_free char *shown_as = file_read_kernel(SHOWN_AS, 64);

	if (map && shown_as && !has_all_users(map))
		hidden = strtoul(shown_as, NULL, 10);
}

/* Reads /proc only once, because several threads call this function for each file of another user. */
bool user_namespace_hides(uid_t uid)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_hidden);
	return uid != (uid_t)-1 && uid == hidden;
}
