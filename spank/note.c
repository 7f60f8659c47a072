/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/note.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/cleanup.h"

/* Opens a directory. Refuses it if it does not belong to the effective user (root), or if others may write to it. */
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

/* Checks RUN_DIR, too: a user who can write to RUN_DIR could replace the directory of the notes. */
static int open_notes(const char *run_dir, const char *path, struct error *err)
{
	cleanup_close int above = open_own(AT_FDCWD, run_dir, 0, run_dir, err);

	return above < 0 ? -1 : open_own(above, CONTROL_NOTES, O_NOFOLLOW, path, err);
}

static unsigned int share_of(const struct control_message *message, unsigned int all)
{
	unsigned int share = all < NOTE_MAX / 2 ? NOTE_JOB_MAX : NOTE_JOB_FEW;

	if (message->kind == CONTROL_JOB_CLOSE)
		return NOTE_MAX;
	return message->kind == CONTROL_TASK ? share / 4 * 3 : share;
}

static void count_notes(DIR *entries, const struct control_message *message, unsigned int *all, unsigned int *own,
			unsigned int *users)
{
	const struct dirent *entry;
	char prefix[16];
	struct stat st;

	*all = *own = *users = 0;
	snprintf(prefix, sizeof(prefix), "%u.", message->job_id);
	while (*all < NOTE_MAX && (entry = readdir(entries))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		(*all)++;
		*own += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
		*users += fstatat(dirfd(entries), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_gid == message->uid;
	}
}

/* Returns true if there is room for @message; false with errno EDQUOT (no room) or another errno. */
static bool has_room(int directory, const struct control_message *message)
{
	cleanup_closedir DIR *entries = NULL;
	unsigned int all, own, users;
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;
	entries = fdopendir(fd);
	if (!entries) {
		close(fd);
		return false;
	}
	count_notes(entries, message, &all, &own, &users);
	errno = EDQUOT;
	return all < NOTE_MAX && own < share_of(message, all) && users < NOTE_USER_TIMES * (NOTE_MAX - all);
}

/* Returns the length of @message without the zeros at its end. */
static size_t length_of(const struct control_message *message)
{
	const unsigned char *bytes = (const unsigned char *)message;
	size_t length = sizeof(*message);

	while (length && !bytes[length - 1])
		length--;
	return length;
}

static int write_new(int directory, const char *name, const struct control_message *message)
{
	cleanup_close int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	size_t length = length_of(message);
	uint32_t checksum = control_note_checksum(message, length);
	struct iovec parts[] = { { (void *)(uintptr_t)message, length }, { &checksum, sizeof(checksum) } };
	ssize_t written;

	if (fd < 0)
		return -1;
	/* The note's group is the user's number, so that the user's notes can be counted. The group has no rights. */
	if (fchown(fd, -1, message->uid) < 0 && errno != EPERM)
		return -1;
	if (length + sizeof(checksum) >= sizeof(*message)) {
		parts[0].iov_len = length = sizeof(*message);
		parts[1].iov_len = 0;
	}
	written = writev(fd, parts, 2);
	if (written >= 0 && (size_t)written == length + parts[1].iov_len)
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
	if (!has_room(directory, message))
		return error_set(err, "%s: no room for one more note about job %u", path, message->job_id);
	control_note_name(message, name);
	snprintf(temporary, sizeof(temporary), ".%s", name);
	if (write_new(directory, temporary, message) == 0 && renameat(directory, temporary, directory, name) == 0)
		return 0;
	error_errno(err, "%s/%s", path, name);
	if (errno != EEXIST) {
		int saved = errno;

		unlinkat(directory, temporary, 0);
		errno = saved;
	}
	return -1;
}
