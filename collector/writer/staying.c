/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/writer/staying.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process/writer_process.h"

/* A longer wait would delay the start of jobs. */
#define ANSWER_MS 100

void staying_end(struct staying *staying)
{
	if (!staying->pid || staying->fd < 0)
		return;
	close(staying->fd);
	staying->fd = -1;
	kill(staying->pid, SIGKILL); /* its writers continue */
}

bool staying_ended(struct staying *staying, int pid)
{
	if (!staying->pid || pid != staying->pid)
		return false;
	if (!staying->ready) /* it would fail again */
		standby_failed(&staying->standby, clock_ns(CLOCK_BOOTTIME));
	if (staying->fd >= 0)
		close(staying->fd);
	staying->pid = 0;
	return true;
}

#define GONE (-2)

/* Returns the pid in the answer; -1 if no answer came in @wait_ms; GONE if none will come. */
static int receive(const struct staying *staying, int wait_ms)
{
	struct pollfd ready = { staying->fd, POLLIN, 0 };
	struct writer_answer answer;
	ssize_t length;

	if (wait_ms && poll(&ready, 1, wait_ms) <= 0)
		return -1;
	length = recv(staying->fd, &answer, sizeof(answer), MSG_DONTWAIT);
	return length == sizeof(answer) ? answer.pid : length == 0 ? GONE : -1;
}

static int send_call(const struct staying *staying, const char *path, int why_fd)
{
	struct writer_call call = { .first = true };
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(why_fd))];
	} control = { .header = { .cmsg_len = CMSG_LEN(sizeof(why_fd)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct iovec data = { .iov_base = &call, .iov_len = offsetof(struct writer_call, record) + strlen(path) + 1 };
	const struct msghdr envelope = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	if (data.iov_len > sizeof(call))
		return -1;
	strcpy(call.record, path);
	memcpy(CMSG_DATA(&control.header), &why_fd, sizeof(why_fd));
	return sendmsg(staying->fd, &envelope, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)data.iov_len ? 0 : -1;
}

/* Returns true if the program's file is the one that was started. @remember: this is the start */
static bool is_same_program(const struct writer_program *program, struct staying *staying, bool remember)
{
	char path[PATH_MAX + 32];
	struct stat st;

	writer_path(program, path);
	if (stat(path, &st) < 0)
		return false;
	if (remember) {
		staying->device = st.st_dev;
		staying->inode = st.st_ino;
		staying->changed = st.st_ctim;
	}
	return st.st_dev == staying->device && st.st_ino == staying->inode &&
	       st.st_ctim.tv_sec == staying->changed.tv_sec && st.st_ctim.tv_nsec == staying->changed.tv_nsec;
}

static void start(struct staying *staying, const struct writer_program *program)
{
	struct error err;
	int ends[2];

	if (!is_same_program(program, staying, true) || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	staying->pid = writer_start_staying(program, ends[1], &err);
	close(ends[1]);
	if (staying->pid < 0) {
		close(ends[0]);
		staying->pid = 0;
		return;
	}
	staying->fd = ends[0];
	staying->ready = false;
}

int staying_call(struct staying *staying, const struct writer_program *program, const char *path, int why_fd)
{
	int pid = GONE;

	if (standby_wanted(&staying->standby, clock_ns(CLOCK_BOOTTIME)) && !staying->pid)
		start(staying, program);
	if (!staying->pid || staying->fd < 0)
		return -1;
	if (!is_same_program(program, staying, false)) {
		staying_end(staying);
		return -1;
	}
	if (!staying->ready)
		staying->ready = receive(staying, 0) == 0;
	if (!staying->ready)
		return -1;
	if (send_call(staying, path, why_fd) == 0)
		pid = receive(staying, ANSWER_MS);
	if (pid > 0)
		return pid;
	/* A late answer would look like the answer to the next call. */
	staying->ready = pid == GONE;
	staying_end(staying);
	return -1;
}
