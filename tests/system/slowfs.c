/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests' network file system: shows the files of DIRECTORY, and takes its time for each request.
 *
 *   slowfs DIRECTORY MOUNTPOINT NAME_MS READ_MS WRITE_MS [UID]
 *
 * DIRECTORY has no directories. WRITE_MS is also for fsync. Nothing is kept in the page cache.
 * With UID, the file system is that user's alone: not even root may enter.
 * When it is unmounted, it prints the number of requests as one line of JSON, and ends.
 *
 * In the environment:
 * SLOWFS_OPEN_MS, SLOWFS_LIST_MS   time to open a file, a directory
 * SLOWFS_PROMPT                    number of requests of each kind that take no time at first
 * SLOWFS_OWNER                     owner of all files
 * SLOWFS_SHARED                    others may enter what is mounted for UID (user_allow_other)
 */
#define FUSE_USE_VERSION 35
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum request { NAME, READ, WRITE, OPEN, LIST, REQUESTS };

static int directory;
static long delay_us[REQUESTS];
static int64_t prompt;
static _Atomic int64_t count[REQUESTS];
static _Atomic int64_t bytes[REQUESTS];
static _Atomic int64_t slept_ns[REQUESTS];

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void serve(enum request request)
{
	struct timespec time = { delay_us[request] / 1000000, delay_us[request] % 1000000 * 1000 };
	int64_t start = now_ns();

	if (count[request]++ >= prompt && delay_us[request])
		clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
	slept_ns[request] += now_ns() - start;
}

/* Returns the place of @path below the directory; "." for the directory itself. */
static const char *below(const char *path)
{
	return path[1] ? path + 1 : ".";
}

static int result(int64_t status)
{
	return status < 0 ? -errno : (int)status;
}

static int slow_getattr(const char *path, struct stat *status, struct fuse_file_info *info)
{
	int failed;

	serve(NAME);
	failed = result(info ? fstat((int)info->fh, status)
				 : fstatat(directory, below(path), status, AT_SYMLINK_NOFOLLOW));

	if (!failed && getenv("SLOWFS_OWNER"))
		status->st_uid = (uid_t)atoi(getenv("SLOWFS_OWNER"));
	return failed;
}

static int slow_open_as(const char *path, int flags, mode_t mode, struct fuse_file_info *info)
{
	int file = openat(directory, below(path), (flags & ~(O_DIRECT | O_APPEND)) | O_CLOEXEC, mode);

	if (file < 0)
		return -errno;
	info->fh = (uint64_t)file;
	info->direct_io = 1;
	return 0;
}

static int slow_open(const char *path, struct fuse_file_info *info)
{
	serve(OPEN);
	return slow_open_as(path, info->flags, 0, info);
}

static int slow_opendir(const char *path, struct fuse_file_info *info)
{
	(void)path;
	(void)info;
	serve(LIST);
	return 0;
}

/* Everybody may write, because root serves the file system. */
static int slow_create(const char *path, mode_t mode, struct fuse_file_info *info)
{
	(void)mode;
	return slow_open_as(path, info->flags | O_CREAT, 0666, info);
}

/* A network file system writes at a close. Here only one name does that. */
static int slow_flush(const char *path, struct fuse_file_info *info)
{
	(void)info;
	if (!strcmp(below(path), "unwritten"))
		serve(WRITE);
	return 0;
}

static int slow_release(const char *path, struct fuse_file_info *info)
{
	(void)path;
	close((int)info->fh);
	return 0;
}

static int slow_read(const char *path, char *data, size_t size, off_t at, struct fuse_file_info *info)
{
	ssize_t some = pread((int)info->fh, data, size, at);

	(void)path;
	serve(READ);
	if (some > 0)
		bytes[READ] += some;
	return result(some);
}

static int slow_write(const char *path, const char *data, size_t size, off_t at, struct fuse_file_info *info)
{
	ssize_t some = pwrite((int)info->fh, data, size, at);

	(void)path;
	serve(WRITE);
	if (some > 0)
		bytes[WRITE] += some;
	return result(some);
}

static int slow_fsync(const char *path, int data_only, struct fuse_file_info *info)
{
	(void)path;
	(void)data_only;
	(void)info;
	serve(WRITE);
	return 0;
}

static int slow_truncate(const char *path, off_t size, struct fuse_file_info *info)
{
	int file = info ? (int)info->fh : openat(directory, below(path), O_WRONLY | O_CLOEXEC);
	int status = result(file < 0 ? -1 : ftruncate(file, size));

	if (!info && file >= 0)
		close(file);
	return status;
}

static int slow_unlink(const char *path)
{
	return result(unlinkat(directory, below(path), 0));
}

static int slow_rename(const char *from, const char *to, unsigned int flags)
{
	return flags ? -EINVAL : result(renameat(directory, below(from), directory, below(to)));
}

static int slow_chmod(const char *path, mode_t mode, struct fuse_file_info *info)
{
	return result(info ? fchmod((int)info->fh, mode) : fchmodat(directory, below(path), mode, 0));
}

static int slow_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t at, struct fuse_file_info *info,
			enum fuse_readdir_flags flags)
{
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	(void)path;
	(void)at;
	(void)info;
	(void)flags;
	if (!listing)
		return -errno;
	while ((entry = readdir(listing)))
		if (fill(buffer, entry->d_name, NULL, 0, 0))
			break;
	closedir(listing);
	return 0;
}

static const struct fuse_operations operations = {
	.getattr = slow_getattr,
	.open = slow_open,
	.opendir = slow_opendir,
	.create = slow_create,
	.flush = slow_flush,
	.release = slow_release,
	.read = slow_read,
	.write = slow_write,
	.fsync = slow_fsync,
	.truncate = slow_truncate,
	.unlink = slow_unlink,
	.rename = slow_rename,
	.chmod = slow_chmod,
	.readdir = slow_readdir,
};

static void tell(void)
{
	static const char *const names[REQUESTS] = { "name", "read", "write", "open", "list" };

	for (int i = 0; i < REQUESTS; i++)
		printf("%s\"%s\": {\"requests\": %lld, \"bytes\": %lld, \"ns\": %lld}", i ? ", " : "{", names[i],
		       (long long)count[i], (long long)bytes[i], (long long)slept_ns[i]);
	printf("}\n");
}

static double number_of(const char *name)
{
	const char *text = getenv(name);

	return text ? atof(text) : 0;
}

/* libfuse mounts for its caller; mount(2) can name another user. Returns libfuse's mount point. */
static char *mount_for(const char *mountpoint, const char *user)
{
	static char path[32];
	char options[128];
	int fd = open("/dev/fuse", O_RDWR);

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%s,group_id=%s%s", fd, user, user,
		 getenv("SLOWFS_SHARED") ? ",allow_other" : "");
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	if (fd < 0 || mount("slowfs", mountpoint, "fuse", MS_NOSUID | MS_NODEV, options) < 0 ||
	    setgid((gid_t)atoi(user)) < 0 || setuid((uid_t)atoi(user)) < 0) {
		perror(mountpoint);
		exit(1);
	}
	return path;
}

int main(int argc, char *argv[])
{
	char *arguments[] = { argv[0],
			      "-f",
			      "-o",
			      "allow_other,fsname=slowfs,entry_timeout=3600,attr_timeout=3600,"
			      "negative_timeout=0",
			      argc >= 6 ? argv[2] : NULL,
			      NULL };
	char *own[] = { argv[0], "-f", NULL, NULL };
	int status;

	if (argc != 6 && argc != 7) {
		fprintf(stderr, "usage: slowfs DIRECTORY MOUNTPOINT NAME_MS READ_MS WRITE_MS [UID]\n");
		return 2;
	}
	directory = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0) {
		perror(argv[1]);
		return 1;
	}
	for (int i = NAME; i <= WRITE; i++)
		delay_us[i] = (long)(atof(argv[3 + i]) * 1000);
	delay_us[OPEN] = (long)(number_of("SLOWFS_OPEN_MS") * 1000);
	delay_us[LIST] = (long)(number_of("SLOWFS_LIST_MS") * 1000);
	prompt = (int64_t)number_of("SLOWFS_PROMPT");
	umask(0);
	if (argc == 7) {
		own[2] = mount_for(argv[2], argv[6]);
		status = fuse_main(3, own, &operations, NULL);
	} else {
		status = fuse_main(5, arguments, &operations, NULL);
	}
	tell();
	return status;
}
