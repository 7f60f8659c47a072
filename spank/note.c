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

/* Root's hooks run as root, so a directory of its own is one that no user can write to. */
static int open_own(int at, const char *name, int flags, const char *path, struct error *err)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	struct stat st;

	if (fd < 0)
		return error_errno(err, "%s", path);
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	errno = EPERM;
	return error_set(err, "%s: not owned by uid %u, or writable by others", path, geteuid());
}

/* A directory of root's in one that a user can write to could have been put there by its name. */
static int open_notes(const char *run_dir, const char *path, struct error *err)
{
	cleanup_close int above = open_own(AT_FDCWD, run_dir, 0, run_dir, err);

	return above < 0 ? -1 : open_own(above, CONTROL_NOTES, O_NOFOLLOW, path, err);
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
	char name[CONTROL_NOTE_NAME_MAX], temporary[CONTROL_NOTE_NAME_MAX + 1];

	snprintf(path, sizeof(path), "%s/" CONTROL_NOTES, run_dir);
	directory = open_notes(run_dir, path, err);
	if (directory < 0)
		return -1;
	if (!has_room(directory)) {
		errno = EDQUOT;
		return error_set(err, "%s: already holds %d notes", path, NOTE_MAX);
	}
	control_note_name(message, name);
	snprintf(temporary, sizeof(temporary), ".%s", name);
	if (write_new(directory, temporary, message) == 0 &&
	    renameat(directory, temporary, directory, name) == 0)
		return 0;
	error_errno(err, "%s/%s", path, name);
	if (errno != EEXIST) {
		int saved = errno;

		unlinkat(directory, temporary, 0);
		errno = saved;
	}
	return -1;
}
