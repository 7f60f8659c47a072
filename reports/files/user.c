/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/user.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/utf8.h"
#include "reports/files/known_groups.h"

#define ASIDE_TRIES 8
#define ASIDE_END ".aside-"
#define ASIDE_DIGITS 16

/*
 * Returns whether @name is still the name of @uid.
 * If another user has the name by now, this process would get that user's groups.
 */
static bool is_name_of(uid_t uid, const char *name)
{
	const struct passwd *user = getpwnam(name);

	return user && user->pw_uid == uid;
}

static int look_up_groups(uid_t uid, gid_t gid, const char *name, gid_t groups[KNOWN_GROUPS_MAX])
{
	int count = KNOWN_GROUPS_MAX;

	if (getgrouplist(name, gid, groups, &count) < 0)
		return -1;
	known_groups_keep(uid, gid, name, groups, count);
	return count;
}

static int take_groups(uid_t uid, gid_t gid, const char *name, struct error *err)
{
	gid_t groups[KNOWN_GROUPS_MAX];
	int count = name ? known_groups_find(uid, gid, name, groups) : -1;
	bool named = name && count < 0 && is_name_of(uid, name);

	if (named)
		count = look_up_groups(uid, gid, name, groups);
	known_groups_end();
	if (count >= 0 ? setgroups(count, groups) == 0 : named && initgroups(name, gid) == 0)
		return 0;
	if (setgroups(1, &gid) < 0)
		return error_errno(err, "cannot take the groups of user %u", uid);
	return 0;
}

int user_become(uid_t uid, gid_t gid, const char *name, struct error *err)
{
	uid_t real, effective, saved;

	umask(022);
	if (geteuid() != 0) {
		if (geteuid() == uid && getuid() == uid)
			return 0;
		errno = EPERM;
		return error_errno(err, "cannot become user %u", uid);
	}
	if (take_groups(uid, gid, name, err) < 0)
		return -1;
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return error_errno(err, "cannot become user %u", uid);
	if (getresuid(&real, &effective, &saved) < 0 || real != uid || effective != uid || saved != uid ||
	    getgid() != gid || getegid() != gid || (uid != 0 && (setuid(0) == 0 || seteuid(0) == 0)))
		return error_set(err, "user %u could become root again", uid);
	/* From here on, no program that this process runs gains rights, even if the user replaced it. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_errno(err, "no_new_privs");
	/* With fs.suid_dumpable set, the user could trace this process and forge its result. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return error_errno(err, "dumpable");
	return 0;
}

/* Root must not write where other users could replace files: refuses such a directory. */
static int check_root_directory(int fd, const char *path, struct error *err)
{
	struct stat st;

	if (geteuid() != 0)
		return 0;
	if (fstat(fd, &st) < 0)
		return error_errno(err, "%s", path);
	if (st.st_uid == 0 && (!(st.st_mode & 022) || (st.st_mode & S_ISVTX)))
		return 0;
	errno = EPERM;
	return error_set(err, "%s: users other than root can write there, so root writes nothing in it", path);
}

static int open_directory(int dirfd, const char *path, uint64_t flags)
{
	struct open_how how = {
		.flags = flags | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_MAGICLINKS | (geteuid() == 0 ? RESOLVE_NO_SYMLINKS : 0),
	};

	return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
}

static int open_checked(int dirfd, const char *path, const char *shown, struct error *err)
{
	int fd = open_directory(dirfd, path, O_RDONLY);
	int saved;

	/* If the user may not list the directory, open it as a path: that is enough to enter it and to write. */
	if (fd < 0 && errno == EACCES)
		fd = open_directory(dirfd, path, O_PATH);
	if (fd < 0)
		return error_errno(err, "%s", shown);
	if (check_root_directory(fd, shown, err) == 0)
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static int enter(int dirfd, const char *name, const char *shown, bool make, struct error *err)
{
	int fd = open_checked(dirfd, name, shown, err);

	if (fd >= 0 || errno != ENOENT || !make)
		return fd;
	/* The writer of another job may have made the directory first. */
	if (mkdirat(dirfd, name, 0777) < 0 && errno != EEXIST)
		return error_errno(err, "%s", shown);
	return open_checked(dirfd, name, shown, err);
}

static int walk(int dirfd, const char *path, bool make, struct error *err)
{
	const char *start = path[0] == '/' ? "/" : ".", *whole = path;
	int at = open_checked(dirfd, start, start, err);

	while (at >= 0) {
		char name[NAME_MAX + 1], shown[PATH_MAX];
		size_t length;
		int next, saved;

		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (length == 0)
			return at;
		if (length > NAME_MAX) {
			errno = ENAMETOOLONG;
			error_errno(err, "%.64s...", path);
			next = -1;
		} else {
			memcpy(name, path, length);
			name[length] = '\0';
			snprintf(shown, sizeof(shown), "%.*s", (int)(path + length - whole), whole);
			next = enter(at, name, shown, make, err);
		}
		saved = errno;
		close(at);
		errno = saved;
		at = next;
		path += length;
	}
	return -1;
}

int user_open_directory(int dirfd, const char *path, struct error *err)
{
	/* Root checks each directory of the path, because a user who may write to a directory chooses what is below. */
	return geteuid() == 0 ? walk(dirfd, path, false, err) : open_checked(dirfd, path, path, err);
}

int user_make_directories(int dirfd, const char *path, struct error *err)
{
	return walk(dirfd, path, true, err);
}

/*
 * Returns whether @file is as trustworthy as its directory.
 * Servers that map users show one user as the owner of all files, so the directory's owner may own the file.
 */
static bool is_trusted(int dirfd, const struct stat *file)
{
	struct stat directory;

	return file->st_uid == geteuid() || (fstat(dirfd, &directory) == 0 && file->st_uid == directory.st_uid);
}

static int refuse_foreign(const char *name, struct error *err)
{
	errno = EPERM;
	return error_set(err, "%s belongs to another user", name);
}

static bool is_anothers(int dirfd, const char *name, struct stat *file)
{
	return fstatat(dirfd, name, file, AT_SYMLINK_NOFOLLOW) == 0 && !is_trusted(dirfd, file);
}

/*
 * Sets @err for a file that could not be opened.
 * For a file of another user, sets the same error for all reasons: that user chose its type, mode and lease.
 */
static int say_unopened(int dirfd, const char *name, struct error *err)
{
	int why = errno;
	struct stat file;

	if (why != ENOENT && why != ELOOP && is_anothers(dirfd, name, &file))
		return refuse_foreign(name, err);
	errno = why;
	return error_errno(err, "%s", name);
}

/*
 * Opens the file first, and checks it afterwards. This saves a request for each of a job's files, maybe a thousand.
 * That is safe: no user can make a device, a FIFO does not block, and links are not followed.
 */
int user_open_file(int dirfd, const char *name, struct stat *found, struct error *err)
{
	cleanup_close int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int result = fd;

	if (fd < 0 || fstat(fd, found) < 0) {
		*found = (struct stat){ 0 };
		say_unopened(dirfd, name, err);
		return -1;
	}
	if (S_ISREG(found->st_mode) && !is_trusted(dirfd, found))
		return refuse_foreign(name, err);
	fd = -1;
	return result;
}

char *user_read_file(int dirfd, const char *name, size_t max, size_t *len, struct stat *found, struct error *err)
{
	struct stat file;
	cleanup_close int fd = user_open_file(dirfd, name, &file, err);

	if (found)
		*found = file;
	return fd < 0 ? NULL : file_read_known(fd, &file, name, max, len, err);
}

bool user_has_file(int dirfd, const char *name)
{
	struct stat file;

	return fstatat(dirfd, name, &file, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(file.st_mode) &&
	       is_trusted(dirfd, &file);
}

/*
 * Makes a new name that begins like @name, so that the owner can find the file.
 * The name ends in random digits, so that no other user can take the name first.
 */
static int make_aside(const char *name, char aside[NAME_MAX + 1])
{
	char stem[NAME_MAX + 1 - (sizeof(ASIDE_END) - 1) - ASIDE_DIGITS];
	size_t length = strlen(name);
	uint64_t end;

	if (length >= sizeof(stem))
		length = utf8_whole(name, sizeof(stem) - 1);
	if (getrandom(&end, sizeof(end), 0) != sizeof(end))
		return -1;
	memcpy(stem, name, length);
	stem[length] = '\0';
	snprintf(aside, NAME_MAX + 1, "%s" ASIDE_END "%016" PRIx64, stem, end);
	return 0;
}

bool user_owns_what_is_made(int dirfd)
{
	cleanup_close int fd = -1;
	char name[NAME_MAX + 1];
	struct stat made;

	if (make_aside(".stint-whose", name) < 0)
		return true;
	fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return true;
	unlinkat(dirfd, name, 0);
	return fstat(fd, &made) < 0 || made.st_uid == geteuid();
}

/*
 * Returns whether @name is the name of a report, or of a file that nodes leave for each other.
 * No user works in a directory of such a name, so it may be renamed.
 */
static bool is_reports(const char *name)
{
	size_t length = strlen(name), end = strlen(".json");

	return strncmp(name, ".stint-", strlen(".stint-")) == 0 ||
	       (length > end && strcmp(name + length - end, ".json") == 0);
}

/*
 * Renames the directory @name, if another user owns it and is_reports() accepts its name.
 * The kernel allows that to all who may write in @dirfd, except in a sticky directory.
 * A file that takes the name after the check is renamed instead, but is not lost.
 */
static bool move_aside(int dirfd, const char *name)
{
	char aside[NAME_MAX + 1];
	struct stat there;

	if (!is_reports(name) || !is_anothers(dirfd, name, &there) || !S_ISDIR(there.st_mode) ||
	    make_aside(name, aside) < 0)
		return false;
	if (renameat2(dirfd, name, dirfd, aside, RENAME_NOREPLACE) == 0)
		return true;
	/*
	 * NFS and some other file systems do not support RENAME_NOREPLACE. A plain rename replaces nothing here,
	 * because the end of the new name is random.
	 */
	return (errno == EINVAL || errno == ENOSYS) && renameat(dirfd, name, dirfd, aside) == 0;
}

/*
 * Handles a failure to replace @name, after @tries retries.
 * If a directory blocked @name, renames it and returns true: the caller retries. Keeps errno.
 * Looks for a directory only after EISDIR, because each look is a request to the file system.
 */
static bool gave_way(int dirfd, const char *name, int tries)
{
	int why = errno;
	bool moved = tries < ASIDE_TRIES && why == EISDIR && move_aside(dirfd, name);

	errno = why;
	return moved;
}

int user_write_file(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err)
{
	for (int i = 0; file_write(dirfd, name, mode, data, len, err) < 0; i++)
		if (!gave_way(dirfd, name, i))
			return -1;
	return 0;
}

/* Gives @name a second name, or renames it if no link is possible. */
static int put_aside(int dirfd, const char *name, const char *aside)
{
	if (linkat(dirfd, name, dirfd, aside, 0) == 0)
		return 0;
	if (errno != EPERM && errno != EMLINK && errno != EOPNOTSUPP && errno != ENOSYS && errno != EACCES && errno != EINVAL)
		return -1;
	return renameat(dirfd, name, dirfd, aside);
}

/*
 * Undoes put_aside() for the file of @now: renames @aside to @name. Keeps errno.
 * If renaming fails because @name exists, removes the name @aside, but not the only name of a file.
 */
static void put_back(int dirfd, const char *aside, const char *name, const struct stat *now)
{
	int why = errno;

	if (renameat2(dirfd, aside, dirfd, name, RENAME_NOREPLACE) < 0 && now->st_nlink > 1)
		unlinkat(dirfd, aside, 0);
	errno = why;
}

/* Renames the file @aside to @kept, if it is the same file as @file. @now: filled by fstatat() */
static int keep_aside(int dirfd, const char *aside, const char *kept, const struct stat *file, struct stat *now)
{
	if (fstatat(dirfd, aside, now, AT_SYMLINK_NOFOLLOW) < 0 || now->st_ino != file->st_ino || now->st_dev != file->st_dev) {
		errno = ESTALE;
		return -1;
	}
	for (int i = 0; renameat(dirfd, aside, dirfd, kept) < 0; i++)
		if (!gave_way(dirfd, kept, i))
			return -1;
	unlinkat(dirfd, aside, 0); /* if both names were of one file, rename() did nothing, and @aside is still there */
	return 0;
}

int user_keep_file(int dirfd, const char *name, const char *kept, const struct stat *file, struct error *err)
{
	char aside[NAME_MAX + 1];
	struct stat now = { 0 };

	if (make_aside(kept, aside) < 0 || put_aside(dirfd, name, aside) < 0)
		return error_errno(err, "%s", name);
	if (keep_aside(dirfd, aside, kept, file, &now) == 0)
		return 0;
	put_back(dirfd, aside, name, &now);
	return error_errno(err, "%s", kept);
}

bool user_has_special(int dirfd, const char *name)
{
	struct stat there;

	return fstatat(dirfd, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode) &&
	       !S_ISLNK(there.st_mode) && (there.st_uid == geteuid() || there.st_uid == 0);
}
