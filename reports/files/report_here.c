/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/report_here.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <sys/vfs.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/files/fuse_owner.h"

#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546 /* in <linux/magic.h> since 5.12 */
#endif

/*
 * Returns whether the kernel makes the content of files on @fs.
 * Reading such a file may remove a log message or an event that another process still needs.
 */
static bool is_made_by_kernel(const struct statfs *fs)
{
	static const unsigned long types[] = { PROC_SUPER_MAGIC, SYSFS_MAGIC,        DEBUGFS_MAGIC,
					       TRACEFS_MAGIC,    SECURITYFS_MAGIC,   PSTOREFS_MAGIC,
					       EFIVARFS_MAGIC,   CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if ((unsigned long)fs->f_type == types[i])
			return true;
	return false;
}

int report_open_here(const char *path, struct stat *file, struct error *err)
{
	cleanup_close int fd = file_open_plain(AT_FDCWD, path, 0, err);
	struct statfs fs = { 0 };
	int result;

	if (fd < 0)
		return -1;
	if (fstat(fd, file) < 0 || fstatfs(fd, &fs) < 0)
		return error_errno(err, "%s", path);
	if (fs.f_type == FUSE_SUPER_MAGIC)
		file->st_uid = fuse_owner(file->st_dev, file->st_uid);
	if (is_made_by_kernel(&fs))
		return error_set(err, "%s: not a plain file", path);
	if (file->st_size == 0)
		return error_set(err, "%s: an empty file, not a report", path);
	result = fd;
	fd = -1;
	return result;
}
