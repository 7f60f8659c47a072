/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/terminal/output.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/suffix.h"
#include "common/usage.h"
#include "reports/read/locate.h"

#define LINKS_MAX 40
#define TAIL_BYTES 65536

const struct output_kind output_page = {
	.option = "--html",
	.what = "a page of stint's",
	.suffix = ".html",
	.begins = "<!DOCTYPE html>\n<!-- Made by stint report --html.",
};

/* The suffix is not .json, because stint would read such a file beside the reports as a report. */
const struct output_kind output_trace = {
	.option = "--trace",
	.what = "a trace of stint's",
	.suffix = ".trace",
	.begins = "{\"traceEvents\":[\n{\"ph\":\"",
	.ends = "\n],\"displayTimeUnit\":\"ms\",\"otherData\":{\"start\":\"",
};

/* ---- names ---- */

/* Reports of all attempts share a directory, so their outputs need different names. */
static bool is_earlier(const struct summary *row, char mark[32])
{
	const char *slash = strrchr(row->path, '/'), *name = slash ? slash + 1 : row->path;

	snprintf(mark, 32, ".attempt-%lld", (long long)row->attempt);
	return strstr(name, mark) != NULL;
}

const char *output_name(const struct output_kind *kind, const struct summary *row, char name[NAME_MAX + 1])
{
	char id[SUMMARY_ID_TEXT], mark[32];
	bool earlier = is_earlier(row, mark);

	snprintf(name, NAME_MAX + 1, "stint-%s%s%s", summary_id(row, id), earlier ? mark : "", kind->suffix);
	return name;
}

/* ---- where ---- */

/* A walk along the path to the output's file, name by name. */
struct walk {
	const char *path;
	char rest[2 * PATH_MAX]; /* names not yet visited */
	unsigned int links;
	int dirfd;
	char name[NAME_MAX + 1]; /* the last name visited: in dirfd, and not a link */
	int fd; /* opened with O_PATH; -1 if the file does not exist */
};

static void walk_end(struct walk *walk)
{
	if (walk->dirfd >= 0)
		close(walk->dirfd);
	if (walk->fd >= 0)
		close(walk->fd);
}

#define cleanup_walk __attribute__((cleanup(walk_end), unused))

static int walk_begin(struct walk *walk, const char *path, struct error *err)
{
	size_t length = strlen(path);

	*walk = (struct walk){ .path = path, .dirfd = -1, .fd = -1 };
	errno = ENAMETOOLONG;
	if (length >= PATH_MAX)
		return error_errno(err, "%.100s...", path);
	errno = length ? EISDIR : ENOENT;
	if (!length || path[length - 1] == '/')
		return error_errno(err, "%s", path);
	strcpy(walk->rest, path);
	walk->dirfd = open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return walk->dirfd < 0 ? error_errno(err, "%s", path) : 0;
}

static int take_name(struct walk *walk, bool *last)
{
	const char *begin = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(begin, "/");
	const char *end = begin + length + strspn(begin + length, "/");

	errno = length ? ENAMETOOLONG : EISDIR;
	if (!length || length > NAME_MAX)
		return -1;
	memcpy(walk->name, begin, length);
	walk->name[length] = '\0';
	*last = !*end;
	memmove(walk->rest, end, strlen(end) + 1);
	return 0;
}

/*
 * Root follows only its own links. Other users follow links by the rule of fs.protected_symlinks.
 * The kernel does not apply the rule here: the setting may be off, and readlink() is exempt.
 */
static bool may_follow(const struct walk *walk, const struct stat *link)
{
	struct stat directory;

	if (link->st_uid == geteuid())
		return true;
	if (geteuid() == 0 || fstat(walk->dirfd, &directory) < 0)
		return false;
	return (directory.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) || link->st_uid == directory.st_uid;
}

/* Links in /proc do not lead to a path. */
static bool is_of_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static int follow(struct walk *walk, int fd, const struct stat *link, struct error *err)
{
	char target[2 * PATH_MAX];
	ssize_t length = readlinkat(fd, "", target, PATH_MAX);

	if (length < 0)
		return error_errno(err, "%s", walk->path);
	if (!may_follow(walk, link))
		return error_set(err, "%s: %s is another user's link (uid %lu), and is not followed", walk->path,
				 walk->name, (unsigned long)link->st_uid);
	if (is_of_proc(fd))
		return error_set(err, "%s: not a plain file; '-' is standard output", walk->path);
	errno = ELOOP;
	if (++walk->links > LINKS_MAX)
		return error_errno(err, "%s", walk->path);
	errno = ENAMETOOLONG;
	if (length == 0 || length + strlen(walk->rest) + 2 > sizeof(walk->rest))
		return error_errno(err, "%s", walk->path);
	snprintf(target + length, sizeof(target) - length, "%s%s", *walk->rest ? "/" : "", walk->rest);
	strcpy(walk->rest, target);
	if (target[0] != '/')
		return 0;
	close(walk->dirfd);
	walk->dirfd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return walk->dirfd < 0 ? error_errno(err, "%s", walk->path) : 0;
}

/* Visits one name. Returns 1 at the path's end, 0 before the end; -1 with @err set. */
static int walk_on(struct walk *walk, struct error *err)
{
	cleanup_close int fd = -1;
	struct stat there;
	bool last;

	if (take_name(walk, &last) < 0)
		return error_errno(err, "%s", walk->path);
	fd = openat(walk->dirfd, walk->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && last)
		return 1;
	if (fd < 0 || fstat(fd, &there) < 0)
		return error_errno(err, "%s", walk->path);
	if (S_ISLNK(there.st_mode))
		return follow(walk, fd, &there, err);
	if (last) {
		walk->fd = fd;
	} else {
		close(walk->dirfd);
		walk->dirfd = fd; /* not a directory: opening the next name will fail */
	}
	fd = -1;
	return last;
}

/* ---- what is there ---- */

static bool is_kind(const struct output_kind *kind, int fd, off_t size)
{
	char head[64], tail[TAIL_BYTES];
	size_t length = strlen(kind->begins);
	off_t from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
	ssize_t got;

	if (pread(fd, head, length, 0) != (ssize_t)length || memcmp(head, kind->begins, length) != 0)
		return false;
	if (!kind->ends)
		return true;
	got = pread(fd, tail, sizeof(tail), from);
	return got > 0 && memmem(tail, got, kind->ends, strlen(kind->ends));
}

/* The output is readable only for users who may read all reports in it. */
static mode_t new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask & summary_readers();
}

static int check_replaceable(const struct output_kind *kind, const struct walk *walk, mode_t *mode, struct error *err)
{
	cleanup_close int fd = -1;
	struct stat there;

	if (fstat(walk->fd, &there) < 0)
		return error_errno(err, "%s", walk->path);
	if (!S_ISREG(there.st_mode))
		return error_set(err, "%s: not a plain file; '-' is standard output", walk->path);
	fd = file_reopen(walk->fd);
	if (fd < 0)
		return error_errno(err, "%s", walk->path);
	if (!is_kind(kind, fd, there.st_size))
		return error_set(err, "%s exists and is not %s: stint leaves it as it is", walk->path, kind->what);
	/* Another user created the file: its permissions must not decide who may read the output. */
	*mode = there.st_mode & (there.st_uid == geteuid() ? 0777 : new_mode());
	return 0;
}

int output_write(const struct output_kind *kind, const char *path, const char *text, size_t len, struct error *err)
{
	cleanup_walk struct walk walk;
	struct error why;
	mode_t mode = 0;
	int at;

	if (walk_begin(&walk, path, err) < 0)
		return -1;
	while ((at = walk_on(&walk, err)) == 0)
		;
	if (at < 0)
		return -1;
	if (walk.fd < 0) {
		at = file_write_new(walk.dirfd, walk.name, new_mode(), text, len, &why);
	} else {
		if (check_replaceable(kind, &walk, &mode, err) < 0)
			return -1;
		at = file_write(walk.dirfd, walk.name, mode, text, len, &why);
	}
	return at < 0 ? error_errno(err, "%s", path) : 0;
}

/* ---- the command line ---- */

void output_check_behind(const struct output_kind *kind, const char *behind, const struct argp_state *state)
{
	struct locate_job job;
	struct stat there;

	if (!behind || (behind[0] == '-' && behind[1]))
		return;
	if (strcmp(behind, "-") != 0 && strcasecmp(text_end(behind, strlen(kind->suffix)), kind->suffix) != 0 &&
	    (locate_parse_job(behind, &job) || strpbrk(behind, "*?[") || stat(behind, &there) == 0))
		return;
	usage_fail(state, "%s %s: this is not a job or report; to name a file to write, use a '=': %s=%s", kind->option,
		   behind, kind->option, behind);
}

int output_flush(struct error *err)
{
	return fflush(stdout) != 0 || ferror(stdout) ? error_errno(err, "standard output") : 0;
}
