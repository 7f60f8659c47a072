/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/reach.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/time_text.h"
#include "reports/files/report_here.h"

#define WAIT_MS 2000
#define NEXT_WAIT_MS 200 /* shorter after a check without an answer, because most paths are on the same file system */
#define MOMENT_NS (NEXT_WAIT_MS * NS_PER_S / 1000)
#define SILENT_MAX 20
#define WORK_NS 500000 /* less CPU time of the asker in a wait is no progress: the question alone takes this much */
#define WAITS_MAX 30 /* the most waits for one answer, as long as the asker makes progress */
#define LATE_NS (60 * NS_PER_S) /* limit on all late time: a user's file system can make slow progress for each of the user's jobs */
#define TAIL_BYTES 8192 /* for report_ends_well() and last_lines_read() */

enum what { STAT, OPEN, GLOB, LINK };

struct question {
	size_t most; /* for OPEN: bytes */
	enum what what;
	char path[PATH_MAX];
};

/* The answers to OPEN, GLOB and LINK are sent together with a file in memory. */
struct answer {
	int why; /* errno; 0: success */
	struct stat file;
	struct error err;
};

/* ---- answering questions ---- */

static int copy(int from, int to, off_t done, off_t end)
{
	char data[65536];

	while (done < end) {
		size_t some = end - done < (off_t)sizeof(data) ? (size_t)(end - done) : sizeof(data);
		ssize_t length = pread(from, data, some, done);

		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0 || (length > 0 && pwrite(to, data, length, done) != length))
			return -1;
		if (length == 0)
			return 0;
		done += length;
	}
	return 0;
}

static int copy_file(const struct question *question, struct answer *answer)
{
	cleanup_close int from = report_open_here(question->path, &answer->file, &answer->err);
	cleanup_close int to = from < 0 ? -1 : memfd_create("report", MFD_CLOEXEC);
	off_t size = answer->file.st_size, most = (off_t)question->most, begin = size < most ? size : most;
	off_t tail = size - TAIL_BYTES > begin ? size - TAIL_BYTES : begin;
	int result;

	if (from < 0)
		return -1;
	if (to < 0 || copy(from, to, 0, begin) < 0 || copy(from, to, tail, size) < 0)
		return error_errno(&answer->err, "%s", question->path);
	result = to;
	to = -1;
	return result;
}

static int add_path(struct reach_paths *paths, const char *path)
{
	char **list = reallocarray(paths->list, paths->count + 2, sizeof(*list));

	if (!list)
		return -1;
	paths->list = list;
	list[paths->count] = strdup(path);
	if (!list[paths->count])
		return -1;
	list[++paths->count] = NULL;
	return 0;
}

static int search(const char *pattern, struct reach_paths *paths)
{
	glob_t found = { 0 };
	int result = glob(pattern, 0, NULL, &found);

	for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
		if (add_path(paths, found.gl_pathv[i]) < 0)
			result = GLOB_NOSPACE;
	globfree(&found);
	if (result == 0 || result == GLOB_NOMATCH)
		return 0;
	errno = result == GLOB_NOSPACE ? ENOMEM : EIO;
	return -1;
}

static int read_link(const char *path, struct reach_paths *paths)
{
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);

	if (length < 0)
		return -1;
	target[length] = '\0';
	return add_path(paths, target);
}

static int find_into_file(const struct question *question)
{
	cleanup_close int to = memfd_create("names", MFD_CLOEXEC);
	struct reach_paths paths = { 0 };
	int result = -1;

	if (to >= 0)
		result = question->what == LINK ? read_link(question->path, &paths) : search(question->path, &paths);
	for (size_t i = 0; result == 0 && i < paths.count; i++)
		result = file_write_all(to, paths.list[i], strlen(paths.list[i]) + 1);
	reach_free(&paths);
	if (result == 0) {
		result = to;
		to = -1;
	}
	return result;
}

static int find_answer(const struct question *question, struct answer *answer)
{
	int fd = -1;
	bool failed;

	*answer = (struct answer){ 0 };
	errno = 0;
	if (question->what == STAT)
		failed = stat(question->path, &answer->file) < 0;
	else
		failed = (fd = question->what == OPEN ? copy_file(question, answer) :
								    find_into_file(question)) < 0;
	if (failed)
		answer->why = errno ? errno : EIO;
	return fd;
}

/* ---- the asker ---- */

/* @fd: the file that goes with the answer; -1 if there is none */
static int send_answer(int to, const struct answer *answer, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = { 0 };
	struct iovec data = { (void *)(uintptr_t)answer, sizeof(*answer) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };
	struct cmsghdr *header;

	if (fd >= 0) {
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &fd, sizeof(int));
	}
	return sendmsg(to, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

static int take_answer(int from, struct answer *answer, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct iovec data = { answer, sizeof(*answer) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = control,
				  .msg_controllen = sizeof(control) };
	ssize_t length = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
	struct cmsghdr *header = length < 0 ? NULL : CMSG_FIRSTHDR(&message);

	*fd = -1;
	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(header), sizeof(int));
	if (length == sizeof(*answer))
		return 0;
	if (*fd >= 0)
		close(*fd);
	return -1;
}

/*
 * Runs in the asker until the socket is closed.
 * Closes the parent's descriptors, so that readers of the parent's output need not wait for the asker.
 */
static void answer_all(int fd)
{
	struct question question;
	struct answer answer;

	dup2(fd, STDIN_FILENO);
	close_range(STDIN_FILENO + 1, ~0U, 0);
	while (recv(STDIN_FILENO, &question, sizeof(question), 0) > (ssize_t)offsetof(struct question, path)) {
		int with = find_answer(&question, &answer);

		if (send_answer(STDIN_FILENO, &answer, with) < 0)
			break;
		if (with >= 0)
			close(with);
	}
	_exit(EXIT_SUCCESS);
}

static int begin(struct reach *reach)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	reach->asker = fork();
	if (reach->asker == 0) {
		close(pair[0]);
		answer_all(pair[1]);
	}
	close(pair[1]);
	reach->fd = pair[0];
	if (reach->asker > 0)
		return 0;
	close(reach->fd);
	reach->fd = -1;
	return -1;
}

/* ---- asking ---- */

static pthread_mutex_t one_asks = PTHREAD_MUTEX_INITIALIZER; /* several threads read reports */

int64_t reach_worked_ns(pid_t pid)
{
	clockid_t clock;
	struct timespec time;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) < 0)
		return 0;
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static bool is_late(const struct reach *reach)
{
	return reach->late_ns >= LATE_NS;
}

/* Waits for @fd with poll(). The time beyond MOMENT_NS counts as late. @ms: milliseconds */
static int wait_late(struct reach *reach, int fd, int ms)
{
	int64_t began = clock_ns(CLOCK_MONOTONIC), took;
	struct pollfd answered = { .fd = fd, .events = POLLIN };
	int count;

	if (reach && (reach->silent || is_late(reach)))
		ms = NEXT_WAIT_MS;
	do
		count = poll(&answered, 1, ms);
	while (count < 0 && errno == EINTR);
	took = (int64_t)clock_ns(CLOCK_MONOTONIC) - began;
	if (reach && took > MOMENT_NS)
		reach->late_ns += took - MOMENT_NS;
	return count;
}

static int wait_for_answer(struct reach *reach, struct answer *answer, int *fd)
{
	int64_t worked = reach_worked_ns(reach->asker), before;
	int count, waits = 0;

	do {
		count = wait_late(reach, reach->fd, WAIT_MS);
		before = worked;
		worked = reach_worked_ns(reach->asker);
	} while (count == 0 && worked - before > WORK_NS && !is_late(reach) && ++waits < WAITS_MAX);
	return count == 1 ? take_answer(reach->fd, answer, fd) : -1;
}

static void give_up(struct reach *reach, const char *path)
{
	if (reach->fd >= 0) {
		kill(reach->asker, SIGKILL); /* do not wait for the asker: SIGKILL cannot end its wait for the file system */
		close(reach->fd);
		reach->fd = -1;
	}
	if (reach->silent++ == 0)
		reach->first = strdup(path);
}

/*
 * Asks for @path. Returns 0 with @answer set; -1 if the file system does not answer.
 * @fd: set to the file that goes with the answer; -1 if there is none
 */
static int ask(struct reach *reach, enum what what, const char *path, size_t most, struct answer *answer, int *fd)
{
	struct question question = { .what = what, .most = most };
	size_t length = strlen(path);
	int result = -1;

	*fd = -1;
	if (length >= sizeof(question.path)) {
		*answer = (struct answer){ .why = ENAMETOOLONG };
		return 0;
	}
	memcpy(question.path, path, length + 1);
	pthread_mutex_lock(&one_asks);
	if (reach->silent < SILENT_MAX) {
		if (reach->fd < 0 && begin(reach) < 0) {
			*fd = find_answer(&question, answer);
			result = 0;
		} else if (send(reach->fd, &question, offsetof(struct question, path) + length + 1, MSG_NOSIGNAL) > 0) {
			result = wait_for_answer(reach, answer, fd);
		}
	}
	if (result < 0)
		give_up(reach, path);
	pthread_mutex_unlock(&one_asks);
	return result;
}

int reach_look(struct reach *reach, const char *path)
{
	struct answer answer;
	int fd;

	return ask(reach, STAT, path, 0, &answer, &fd) < 0 ? -1 : answer.why == 0;
}

void reach_anew(struct reach *reach)
{
	free(reach->first);
	reach->first = NULL;
	reach->silent = 0;
	reach->late_ns = 0;
}

/* ---- while paths are guarded ---- */

static struct reach *guard;

void reach_guard(struct reach *reach)
{
	guard = reach;
}

bool reach_guards(const char *path)
{
	return guard && path[0] == '/' && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0;
}

int reach_wait(int fd, int ms)
{
	return wait_late(guard, fd, ms);
}

bool reach_is_late(void)
{
	return guard && is_late(guard);
}

int reach_stat(const char *path, struct stat *file)
{
	struct answer answer;
	int fd;

	if (!reach_guards(path))
		return stat(path, file);
	if (ask(guard, STAT, path, 0, &answer, &fd) < 0)
		answer.why = ETIMEDOUT;
	*file = answer.file;
	errno = answer.why;
	return answer.why ? -1 : 0;
}

int reach_open(const char *path, size_t most, struct stat *file, struct error *err)
{
	struct answer answer;
	int fd;

	if (!reach_guards(path))
		return report_open_here(path, file, err);
	if (ask(guard, OPEN, path, most, &answer, &fd) < 0) {
		errno = ETIMEDOUT;
		return error_set(err, "%.300s: its file system does not answer", path);
	}
	errno = answer.why;
	*file = answer.file;
	if (fd >= 0)
		return fd;
	return answer.err.text[0] ? error_set(err, "%s", answer.err.text) : error_errno(err, "%.300s", path);
}

/* @fd: a file with the names, each with a NUL at its end */
static int take_paths(int fd, struct reach_paths *paths)
{
	cleanup_free char *names = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	names = malloc(st.st_size + 1);
	if (!names || pread(fd, names, st.st_size, 0) != st.st_size)
		return -1;
	for (const char *name = names; name < names + st.st_size; name += strlen(name) + 1)
		if (add_path(paths, name) < 0)
			return -1;
	return 0;
}

/* @what: GLOB or LINK */
static int find_paths(enum what what, const char *path, struct reach_paths *paths)
{
	cleanup_close int fd = -1;
	struct answer answer = { 0 };

	if (ask(guard, what, path, 0, &answer, &fd) < 0)
		answer.why = ETIMEDOUT;
	if (answer.why)
		errno = answer.why;
	if (fd < 0)
		return -1;
	if (take_paths(fd, paths) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

int reach_glob(const char *pattern, struct reach_paths *paths)
{
	return reach_guards(pattern) ? find_paths(GLOB, pattern, paths) : search(pattern, paths);
}

char *reach_link(const char *path)
{
	struct reach_paths found = { 0 };
	char *target = NULL;

	if ((reach_guards(path) ? find_paths(LINK, path, &found) : read_link(path, &found)) == 0 && found.count == 1)
		target = strdup(found.list[0]);
	reach_free(&found);
	return target;
}

void reach_free(struct reach_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->list[i]);
	free(paths->list);
	*paths = (struct reach_paths){ 0 };
}

void reach_end(struct reach *reach)
{
	if (guard == reach)
		guard = NULL;
	if (reach->fd >= 0) {
		close(reach->fd);
		reach->fd = -1;
		if (reach->asker > 0)
			waitpid(reach->asker, NULL, 0);
	}
	free(reach->first);
	reach->first = NULL;
}
