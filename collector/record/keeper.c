/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/record/keeper.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process/child.h"
#include "common/process/helper.h"

/* If the keeper needs this long for a record, it is waiting for the disk. */
#define BUSY_NS 200000000ull

struct call {
	uint64_t turn;
	char name[NAME_MAX + 1];
	char text[KEEPER_RECORD_MAX];
};

#define HEAD_BYTES offsetof(struct call, text)

int keeper_open(struct keeper *keeper, struct error *err)
{
	*keeper = (struct keeper){ .fd = -1, .epoll_fd = epoll_create1(EPOLL_CLOEXEC) };
	return keeper->epoll_fd < 0 ? error_errno(err, "cannot open the keeper's epoll descriptor") : 0;
}

int keeper_fd(const struct keeper *keeper)
{
	return keeper->epoll_fd;
}

/* ---- in the keeper ---- */

static int by_number(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

/* Closes inherited descriptors, except @fd, the spool and the log. */
static void close_others(const struct spool *spool, int fd)
{
	int kept[SPOOL_PLACES + 2] = { STDERR_FILENO, fd }, n = 2;

	for (int i = 0; i < SPOOL_PLACES; i++)
		if (spool->places[i].fd >= 0)
			kept[n++] = spool->places[i].fd;
	qsort(kept, n, sizeof(*kept), by_number);
	for (int i = 0; i < n; i++) {
		unsigned int from = kept[i] + 1, to = i + 1 < n ? (unsigned int)kept[i + 1] - 1 : UINT_MAX;

		if (from <= to)
			close_range(from, to, 0);
	}
}

static void put(struct spool *spool, const struct call *call, size_t length, struct keeper_answer *answer)
{
	struct error err = { "" };
	char path[PATH_MAX];

	answer->turn = call->turn;
	answer->kept = spool_put(spool, call->name, call->text, length, &err) == 0 && spool_find(spool, call->name, path);
	memcpy(answer->why, err.text, sizeof(answer->why));
}

static void __attribute__((noreturn)) keep(struct spool *spool, int fd, int parent)
{
	static struct call call;
	/* Ends the keeper from time to time, because the keeper keeps old pages of stintd in memory. */
	struct helper helper = { 0 };

	child_begin(parent);
	prctl(PR_SET_NAME, "stintd-keeper");
	close_others(spool, fd);
	while (helper_waits(&helper, fd)) {
		struct keeper_answer answer = {};
		ssize_t length = recv(fd, &call, sizeof(call), 0);

		if (length < (ssize_t)HEAD_BYTES)
			break;
		put(spool, &call, length - HEAD_BYTES, &answer);
		send(fd, &answer, sizeof(answer), MSG_NOSIGNAL);
	}
	_exit(EXIT_SUCCESS);
}

/* ---- in stintd ---- */

static void start(struct keeper *keeper, struct spool *spool)
{
	struct epoll_event event = { .events = EPOLLIN };
	int ends[2], parent = getpid();

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	keeper->pid = epoll_ctl(keeper->epoll_fd, EPOLL_CTL_ADD, ends[0], &event) < 0 ? -1 : fork();
	if (keeper->pid == 0)
		keep(spool, ends[1], parent);
	close(ends[1]);
	keeper->fd = ends[0];
	keeper->waiting = 0;
	if (keeper->pid > 0)
		return;
	close(ends[0]);
	keeper->pid = 0;
}

bool keeper_is_at_hand(struct keeper *keeper, struct spool *spool)
{
	uint64_t now_ns = clock_ns(CLOCK_BOOTTIME);

	if (standby_wanted(&keeper->standby, now_ns) && !keeper->pid)
		start(keeper, spool);
	return keeper->pid && (!keeper->waiting || now_ns - keeper->since_ns < BUSY_NS);
}

uint64_t keeper_put(struct keeper *keeper, const char *name, const char *text, size_t length)
{
	struct {
		uint64_t turn;
		char name[NAME_MAX + 1];
	} head = { .turn = keeper->turn + 1 };
	struct iovec parts[] = { { &head, sizeof(head) }, { (void *)(uintptr_t)text, length } };
	const struct msghdr envelope = { .msg_iov = parts, .msg_iovlen = 2 };

	_Static_assert(sizeof(head) == HEAD_BYTES, "a call begins with its head");
	if (length > KEEPER_RECORD_MAX || strlen(name) >= sizeof(head.name))
		return 0;
	strcpy(head.name, name);
	if (sendmsg(keeper->fd, &envelope, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return 0;
	if (!keeper->waiting++)
		keeper->since_ns = clock_ns(CLOCK_BOOTTIME);
	return ++keeper->turn;
}

bool keeper_take(struct keeper *keeper, struct keeper_answer *answer)
{
	if (!keeper->pid || recv(keeper->fd, answer, sizeof(*answer), MSG_DONTWAIT) != sizeof(*answer))
		return false;
	keeper->waiting--;
	keeper->since_ns = clock_ns(CLOCK_BOOTTIME);
	return true;
}

bool keeper_ended(struct keeper *keeper, int pid, int status)
{
	if (!keeper->pid || pid != keeper->pid)
		return false;
	if (status != 0)
		standby_failed(&keeper->standby, clock_ns(CLOCK_BOOTTIME));
	close(keeper->fd);
	keeper->fd = -1;
	keeper->pid = 0;
	return true;
}
