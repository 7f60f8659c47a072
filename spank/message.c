/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/message.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"

#define NS_PER_MS 1000000
#define CONNECT_RETRY_MS 5

void message_init(struct control_message *message, enum control_kind kind, enum control_mode mode)
{
	memset(message, 0, sizeof(*message));
	message->magic = CONTROL_MAGIC;
	message->version = CONTROL_VERSION;
	message->kind = kind;
	message->size = sizeof(*message);
	message->mode = mode;
	message->sent_ns = clock_ns(CLOCK_BOOTTIME);
	message->sent_unix_ns = clock_ns(CLOCK_REALTIME);
	message->job_id = CONTROL_NONE;
	message->step_id = CONTROL_NONE;
	message->uid = CONTROL_NONE;
	message->gid = CONTROL_NONE;
}

void message_text(char *field, size_t size, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	memset(field, 0, size);
	if (length < size)
		memcpy(field, text ? text : "", length);
}

/* Rounds down, so that no wait exceeds the deadline. */
static int left_ms(uint64_t deadline)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	return now < deadline ? (deadline - now) / NS_PER_MS : 0;
}

static int wait_for(int fd, short events, uint64_t deadline)
{
	struct pollfd poller = { .fd = fd, .events = events };

	for (;;) {
		int left = left_ms(deadline);
		int ready = poll(&poller, 1, left);

		if (ready > 0)
			return 0;
		if (ready < 0 && errno != EINTR)
			return -1;
		if (left == 0) {
			errno = ETIMEDOUT;
			return -1;
		}
	}
}

/*
 * Connects @fd. If the listener's backlog is full, tries again every CONNECT_RETRY_MS.
 * With a full backlog, connect(2) fails with EAGAIN, and poll() does not show when there is room.
 */
static int connect_until(int fd, const struct sockaddr_un *address, uint64_t deadline)
{
	while (connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0) {
		int left = left_ms(deadline);

		if (errno != EAGAIN && errno != EINTR)
			return -1;
		if (left == 0) {
			errno = ETIMEDOUT;
			return -1;
		}
		poll(NULL, 0, left < CONNECT_RETRY_MS ? left : CONNECT_RETRY_MS);
	}
	return 0;
}

/* The socket's path may lead to another user's process. Only root may see the data of a step. */
static int check_listener(int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0)
		return -1;
	if (who.uid == geteuid())
		return 0;
	errno = EPERM;
	return -1;
}

static int send_until(int fd, const struct control_message *message, uint64_t deadline)
{
	while (send(fd, message, sizeof(*message), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN || wait_for(fd, POLLOUT, deadline) < 0)
			return -1;
	}
	return 0;
}

/* Receives the answer to a message of @kind. Returns 0; -1 with *@why set. */
static int receive_until(int fd, uint16_t kind, uint64_t deadline, struct control_reply *reply, const char **why)
{
	/* One byte longer than a valid answer, to notice an answer that is too long. */
	char buffer[sizeof(*reply) + 1];
	ssize_t length;

	do {
		if (wait_for(fd, POLLIN, deadline) < 0) {
			*why = errno == ETIMEDOUT ? "no answer in time" : strerror(errno);
			return -1;
		}
		length = recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT);
	} while (length < 0 && (errno == EAGAIN || errno == EINTR));
	if (length <= 0) {
		*why = length ? strerror(errno) : "closed without an answer";
		return -1;
	}
	if (length == sizeof(*reply)) {
		memcpy(reply, buffer, sizeof(*reply));
		reply->text[sizeof(reply->text) - 1] = '\0';
		if (reply->magic == CONTROL_MAGIC && reply->version == CONTROL_VERSION && reply->kind == kind)
			return 0;
	}
	*why = "answered by another version of stintd";
	return -1;
}

int message_send(const char *run_dir, const struct control_message *message, unsigned int wait_ms,
		 struct control_reply *reply, struct error *err)
{
	uint64_t deadline = clock_ns(CLOCK_MONOTONIC) + (uint64_t)wait_ms * NS_PER_MS;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	cleanup_close int fd = -1;
	const char *why;

	if (strlen(run_dir) > MESSAGE_RUN_DIR_MAX)
		return error_set(err, "%s: longer than %d characters", run_dir, MESSAGE_RUN_DIR_MAX);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CONTROL_SOCKET, run_dir);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return error_errno(err, "a socket for %s", address.sun_path);
	if (connect_until(fd, &address, deadline) < 0)
		return error_errno(err, "%s", address.sun_path);
	if (check_listener(fd) < 0)
		return error_errno(err, "%s: the listener is not uid %u", address.sun_path, geteuid());
	if (send_until(fd, message, deadline) < 0)
		return error_errno(err, "%s", address.sun_path);
	if (reply && receive_until(fd, message->kind, deadline, reply, &why) < 0)
		return error_set(err, "%s: %s", address.sun_path, why);
	return 0;
}
