/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/own_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/cgroup/memory_bound.h"

#define PART 16 /* a user's writers get 1/PART of the memory */
#define LEAST (UINT64_C(256) << 20) /* a thousand nodes need 143 MiB (docs/reliability.md) */
#define TRIES 3

/* Returns true if there is no limit. stintd removes the memory controller when it stops. */
static bool is_unbounded(const char *dir)
{
	char path[PATH_MAX + 64], text[8] = "";
	cleanup_close int fd = -1;

	snprintf(path, sizeof(path), "%s/memory.max", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && strncmp(text, "max", 3) == 0;
}

static uint64_t bound(void)
{
	uint64_t part = memory_bound_part(PART);

	return part > LEAST ? part : LEAST;
}

void own_cgroup_enter(const char *writers, uid_t uid)
{
	char dir[PATH_MAX + 16];
	bool made;

	/* stintd may remove an empty cgroup */
	for (int i = 0; writers && i < TRIES; i++) {
		snprintf(dir, sizeof(dir), "%s/%u", writers, (unsigned int)uid);
		made = mkdir(dir, 0755) == 0;
		if (!made && errno != EEXIST)
			return;
		if (made || is_unbounded(dir))
			memory_bound_set(dir, bound());
		if (cgroup_write(dir, "cgroup.procs", "0") == 0) /* this process */
			return;
	}
}
