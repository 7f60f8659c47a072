/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/link.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/process/child.h"
#include "reports/files/user.h"

#define WAIT_MS 1000

static bool leads_there(int dirfd, const char *name, const char *target)
{
	char found[PATH_MAX];
	ssize_t length = readlinkat(dirfd, name, found, sizeof(found));

	return length == (ssize_t)strlen(target) && memcmp(found, target, length) == 0;
}

static void make_link(const char *directory, const char *name, const char *target)
{
	struct error err;
	cleanup_close int dirfd = user_open_directory(AT_FDCWD, directory, &err);
	struct stat found;

	if (dirfd < 0 || symlinkat(target, dirfd, name) == 0 || errno != EEXIST || leads_there(dirfd, name, target))
		return;
	/*
	 * If a file replaces the link after the check, this removes the file. It does no harm: whoever can replace the
	 * link can also remove the file.
	 */
	if (fstatat(dirfd, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode) &&
	    unlinkat(dirfd, name, 0) == 0 && symlinkat(target, dirfd, name) < 0)
		return; /* the report is there, only without a link */
}

/* Runs in the child. Closes the child's descriptors, so that no process waits for the child. */
static void make_link_alone(const char *directory, const char *name, const char *target)
{
	close_range(0, ~0U, 0);
	make_link(directory, name, target);
	_exit(EXIT_SUCCESS);
}

void link_leave(const char *directory, const char *name, const char *target)
{
	pid_t child;
	int status;

	if (target[0] != '/') {
		make_link(directory, name, target);
		return;
	}
	child = fork();
	if (child == 0)
		make_link_alone(directory, name, target);
	if (child > 0 && !child_wait(child, WAIT_MS, &status))
		child_end(child, 0);
}
