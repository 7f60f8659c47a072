/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/user.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int take_groups(uid_t uid, gid_t gid, const char *name, struct error *err)
{
	const struct passwd *user = name ? getpwnam(name) : NULL;

	/* A name that is another's by now would bring that one's groups. */
	if (user && user->pw_uid == uid && initgroups(name, gid) == 0)
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
	/* Nothing that runs from here on gains rights, whatever the user put in its way. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_errno(err, "no_new_privs");
	return 0;
}

/* A directory where others could swap what root is about to write is not root's to write in. */
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
	return error_set(err, "%s: others than root can write there: a job of root's leaves no report in it", path);
}

static int open_directory(int dirfd, const char *path, uint64_t flags)
{
	struct open_how how = {
		.flags = flags | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_MAGICLINKS | (geteuid() == 0 ? RESOLVE_NO_SYMLINKS : 0),
	};

	return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
}

int user_open_directory(int dirfd, const char *path, struct error *err)
{
	int fd = open_directory(dirfd, path, O_RDONLY);
	int saved;

	/* One that may be passed through and written in but not listed is good enough. */
	if (fd < 0 && errno == EACCES)
		fd = open_directory(dirfd, path, O_PATH);
	if (fd < 0)
		return error_errno(err, "%s", path);
	if (check_root_directory(fd, path, err) == 0)
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static int enter(int dirfd, const char *name, struct error *err)
{
	int fd = user_open_directory(dirfd, name, err);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	/* another job's writer may have been quicker */
	if (mkdirat(dirfd, name, 0777) < 0 && errno != EEXIST)
		return error_errno(err, "%s", name);
	return user_open_directory(dirfd, name, err);
}

int user_make_directories(int dirfd, const char *path, struct error *err)
{
	int at = user_open_directory(dirfd, path[0] == '/' ? "/" : ".", err);

	while (at >= 0) {
		char name[NAME_MAX + 1];
		size_t length;
		int next;

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
			next = enter(at, name, err);
		}
		close(at);
		at = next;
		path += length;
	}
	return -1;
}
