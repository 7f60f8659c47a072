/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/send/store_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/files/user.h"
#include "reports/store/store_batch.h"

#define DIRECTORY_MODE 0750
/*
 * Root owns the directory, because stintd may not change an owner. The store's user can write because of the group.
 * With the sticky bit, the group cannot replace files.
 */
#define SHARED_MODE 01770
#define BATCH_MODE 0640

/* Fills @parent with the directory above CONF_STORE_DIR. Returns the last name. */
static const char *default_parent(char parent[PATH_MAX])
{
	char *slash;

	snprintf(parent, PATH_MAX, "%s", CONF_STORE_DIR);
	slash = strrchr(parent, '/');
	*slash = '\0';
	return slash + 1;
}

int store_place_make(const struct store_user *user, struct error *err)
{
	char parent[PATH_MAX];
	const char *name = default_parent(parent);
	gid_t group = getegid();
	cleanup_close int at = -1;
	struct stat st;
	int made;

	umask(022);
	at = user_make_directories(AT_FDCWD, parent, err);
	if (at < 0)
		return -1;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	/* A new directory gets this group. To change the group later needs a capability that stintd does not have. */
	if (setegid(user->gid) < 0)
		return error_errno(err, "cannot take the group of user '%s'", user->name);
	umask(07); /* so a new directory has the right mode even if this process dies now */
	made = mkdirat(at, name, SHARED_MODE) < 0 || fchmodat(at, name, SHARED_MODE, 0) < 0 ? error_errno(err, "%s", CONF_STORE_DIR) : 0;
	umask(022);
	return setegid(group) < 0 ? error_errno(err, "cannot take back the group") : made;
}

int store_place_open(const char *path, struct error *err)
{
	int fd = user_open_directory(AT_FDCWD, path, err);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0)
		error_errno(err, "%s", path);
	else if (st.st_uid != geteuid() && st.st_uid != 0)
		error_set(err, "%s: it belongs to another user than root and the store's", path);
	else if ((st.st_mode & S_IWOTH) || ((st.st_mode & S_IWGRP) && st.st_gid != getegid()))
		error_set(err, "%s: users other than root and the store's user can write there", path);
	else
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

static bool is_own(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Returns @fd if only this user can write there. If others can, closes @fd, and returns -1 with @err set. */
static int check_folder(int fd, const char *shown, struct error *err)
{
	if (fd < 0)
		return error_errno(err, "%s", shown);
	if (is_own(fd))
		return fd;
	close(fd);
	errno = EPERM;
	return error_set(err, "%s must belong to the store's user, and no one else may write there", shown);
}

static int open_folder(int at, const char *name, const char *shown, bool *made, struct error *err)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, fd = openat(at, name, flags);

	*made = fd < 0 && errno == ENOENT && mkdirat(at, name, DIRECTORY_MODE) == 0;
	if (fd < 0 && (*made || errno == EEXIST))
		fd = openat(at, name, flags);
	return check_folder(fd, shown, err);
}

/* Opens new/HH. If the folder is missing, makes it on stable storage. @shown: path for @err */
static int make_new(int at, const char *place, const char *path, const char *shown, struct error *err)
{
	char above_shown[PATH_MAX + 16];
	bool made, made_place;
	cleanup_close int above = -1;
	int fd;

	snprintf(above_shown, sizeof(above_shown), "%s/new", path);
	above = open_folder(at, "new", above_shown, &made, err);
	if (above < 0)
		return -1;
	fd = open_folder(above, place, shown, &made_place, err);
	if (fd < 0)
		return -1;
	if (made_place)
		fsync(above);
	if (made)
		fsync(at); /* fails on some network file systems */
	return fd;
}

/*
 * Opens new/HH at once, because each call is a request to a shared file system. The owner of new/HH also owns new/,
 * because stint makes nothing in another user's new/.
 */
static int open_new(int at, const char *place, const char *path, struct error *err)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH,
	};
	char name[8 + STORE_BATCH_PLACE], shown[PATH_MAX + 16];
	int fd;

	snprintf(name, sizeof(name), "new/%s", place);
	snprintf(shown, sizeof(shown), "%s/%s", path, name);
	fd = (int)syscall(SYS_openat2, at, name, &how, sizeof(how));
	return fd < 0 && errno == ENOENT ? make_new(at, place, path, shown, err) : check_folder(fd, shown, err);
}

/*
 * Makes a new file. An earlier attempt may have left a file of this name. A lock of this node keeps other processes
 * away.
 */
static int create(int at, const char *name)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, fd = openat(at, name, flags, BATCH_MODE);

	if (fd < 0 && errno == EEXIST && unlinkat(at, name, 0) == 0)
		fd = openat(at, name, flags, BATCH_MODE);
	return fd;
}

/* An ACL or the umask may have set another mode. */
static int set_mode(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	return (st.st_mode & 07777) == BATCH_MODE ? 0 : fchmod(fd, BATCH_MODE);
}

/* NFS reports some errors only in close(). */
static int write_new(int at, const char *name, const char *text, size_t length)
{
	int fd = create(at, name), written, saved;

	if (fd < 0)
		return -1;
	written = file_write_all(fd, text, length) < 0 || set_mode(fd) < 0 || fsync(fd) < 0 ? -1 : 0;
	saved = errno;
	if (close(fd) < 0 && written == 0)
		return -1;
	errno = saved;
	return written;
}

/* @path: for @err. @err does not name the batch, because the same failure must give the same text */
static int put_at(int new, const char *name, const char *text, size_t length, const char *path, struct error *err)
{
	char temporary[NAME_MAX + 2];
	int saved;

	snprintf(temporary, sizeof(temporary), ".%s", name);
	if (write_new(new, temporary, text, length) < 0 || renameat(new, temporary, new, name) < 0) {
		saved = errno;

		error_errno(err, "%s", path);
		unlinkat(new, temporary, 0);
		errno = saved;
		return -1;
	}
	/* Some network file systems cannot sync a directory, and do not need it. */
	if (fsync(new) == 0 || (errno != EIO && errno != ENOSPC && errno != EDQUOT))
		return 0;
	/*
	 * This node keeps the batch, and will put it again. If a reader has already taken the batch, the ledger knows
	 * it.
	 */
	saved = errno;
	error_errno(err, "%.300s: the batch may not be on the disk", path);
	unlinkat(new, name, 0);
	errno = saved;
	return -1;
}

int store_place_put(const char *path, const char *name, const char *text, size_t length, struct error *err)
{
	cleanup_close int at = store_place_open(path, err), new = -1;
	char place[STORE_BATCH_PLACE];

	if (at < 0)
		return -1;
	store_batch_place(name, place);
	new = open_new(at, place, path, err);
	if (new < 0)
		return -1;
	return put_at(new, name, text, length, path, err);
}
