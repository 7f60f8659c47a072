/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/note.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"

static const char *kind_name(uint16_t kind)
{
	switch (kind) {
	case CONTROL_OPEN:
		return "open";
	case CONTROL_TASK:
		return "task";
	case CONTROL_STEP_CLOSE:
		return "step-close";
	default:
		return "job-close";
	}
}

/* Root's hooks run as root, so a directory of its own is one that no user can write to. */
static int open_directory(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return error_errno(err, "%s", path);
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	errno = EPERM;
	return error_set(err, "%s: not owned by uid %u, or writable by others", path, geteuid());
}

static int has_room(int directory)
{
	cleanup_closedir DIR *entries = NULL;
	unsigned int count = 0;
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	entries = fdopendir(fd);
	if (!entries) {
		close(fd);
		return 0;
	}
	while (count <= NOTE_MAX + 2 && readdir(entries)) /* "." and ".." */
		count++;
	return count < NOTE_MAX + 2;
}

static int write_new(int directory, const char *name, const struct control_message *message)
{
	cleanup_close int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	ssize_t written;

	if (fd < 0)
		return -1;
	written = write(fd, message, sizeof(*message));
	if (written == sizeof(*message))
		return 0;
	if (written >= 0)
		errno = ENOSPC;
	return -1;
}

int note_leave(const char *run_dir, const struct control_message *message, struct error *err)
{
	cleanup_close int directory = -1;
	char path[PATH_MAX];
	char temporary[80];

	snprintf(path, sizeof(path), "%s/" CONTROL_NOTES, run_dir);
	directory = open_directory(path, err);
	if (directory < 0)
		return -1;
	if (!has_room(directory)) {
		errno = EDQUOT;
		return error_set(err, "%s: already holds %d notes", path, NOTE_MAX);
	}
	snprintf(temporary, sizeof(temporary), ".%u.%u.%s.%d", message->job_id, message->step_id,
		 kind_name(message->kind), getpid());
	if (write_new(directory, temporary, message) == 0 &&
	    renameat(directory, temporary, directory, temporary + 1) == 0)
		return 0;
	error_errno(err, "%s/%s", path, temporary + 1);
	if (errno != EEXIST) {
		int saved = errno;

		unlinkat(directory, temporary, 0);
		errno = saved;
	}
	return -1;
}
