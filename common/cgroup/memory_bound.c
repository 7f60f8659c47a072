/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/cgroup/memory_bound.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "common/cleanup.h"
#include "common/file.h"

uint64_t memory_bound_part(unsigned int part)
{
	struct sysinfo info;

	sysinfo(&info);
	return (uint64_t)info.totalram * info.mem_unit / part;
}

int cgroup_write(const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX + 512];
	cleanup_close int fd = -1;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -1 : file_write_all(fd, text, strlen(text));
}

int memory_bound_set(const char *dir, uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, bytes);
	if (cgroup_write(dir, "memory.max", text) == 0)
		return 0;
	return errno == ENOENT ? cgroup_write(dir, "memory.limit_in_bytes", text) : -1;
}
