/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/server.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector/collector.h"
#include "collector/journal/journal.h"

#define BACKLOG 512 /* for bursts of steps */
/* Connections in one call of server_run(). */
#define ACCEPTS_MAX 64

struct peer {
	int fd;      /* -1: free */
	int ticks;
	uint64_t order; /* number of the connection */
};

struct server {
	int epoll_fd;
	int listen_fd;
	struct sockaddr_un address;
	struct peer peers[SERVER_PEERS_MAX];
	uint64_t order;
	bool resting; /* until server_tick(), for lack of descriptors */
	void (*take)(const struct control_message *message, int reply_fd, void *data);
	void *data;
};

static int name_socket(struct sockaddr_un *address, const char *run_dir, struct error *err)
{
	int length = snprintf(address->sun_path, sizeof(address->sun_path), "%s/%s", run_dir, CONTROL_SOCKET);

	address->sun_family = AF_UNIX;
	if ((size_t)length >= sizeof(address->sun_path))
		return error_set(err, "run_dir '%s' is too long for a socket's path", run_dir);
	return 0;
}

/* Returns an unconnected socket; -1 with @err set, also if another stintd answers at @address. */
static int open_unserved(const struct sockaddr_un *address, struct error *err)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return error_errno(err, "a socket");
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 && errno != EAGAIN)
		return fd;
	close(fd);
	return error_set(err, "%s: another stintd serves it", address->sun_path);
}

int server_check(const char *run_dir, struct error *err)
{
	struct sockaddr_un address;
	int fd = name_socket(&address, run_dir, err) < 0 ? -1 : open_unserved(&address, err);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static int listen_at(const struct sockaddr_un *address, struct error *err)
{
	int fd = open_unserved(address, err);
	int on = 1;

	if (fd < 0)
		return -1;
	unlink(address->sun_path);
	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 || chmod(address->sun_path, 0600) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) < 0 || listen(fd, BACKLOG) < 0) {
		error_errno(err, "%s", address->sun_path);
		close(fd);
		return -1;
	}
	return fd;
}

static int watch(struct server *server, int fd, void *data)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = data };

	return epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

struct server *server_open(const char *run_dir,
			   void (*take)(const struct control_message *message, int reply_fd, void *data), void *data,
			   struct error *err)
{
	struct server *server = calloc(1, sizeof(*server));

	if (!server) {
		error_errno(err, "cannot open the control socket");
		return NULL;
	}
	server->take = take;
	server->data = data;
	server->epoll_fd = server->listen_fd = -1;
	for (int i = 0; i < SERVER_PEERS_MAX; i++)
		server->peers[i].fd = -1;
	if (name_socket(&server->address, run_dir, err) < 0)
		goto failed;
	server->listen_fd = listen_at(&server->address, err);
	if (server->listen_fd < 0)
		goto failed;
	server->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (server->epoll_fd < 0 || watch(server, server->listen_fd, NULL) < 0) {
		error_errno(err, "cannot open the control socket");
		goto failed;
	}
	return server;
failed:
	server_close(server);
	return NULL;
}

int server_fd(const struct server *server)
{
	return server->epoll_fd;
}

/* close() would not remove the connection from epoll if a forked child has it open. */
static void forget(struct server *server, struct peer *peer)
{
	epoll_ctl(server->epoll_fd, EPOLL_CTL_DEL, peer->fd, NULL);
	peer->fd = -1;
}

static void dismiss(struct server *server, struct peer *peer)
{
	int fd = peer->fd;

	forget(server, peer);
	close(fd);
}

/*
 * Returns a free entry. If there is none, closes the oldest connection. This connection is not from a plugin, because a
 * plugin sends its message at once.
 */
static struct peer *make_room(struct server *server)
{
	struct peer *oldest = &server->peers[0];

	for (int i = 0; i < SERVER_PEERS_MAX; i++) {
		if (server->peers[i].fd < 0)
			return &server->peers[i];
		if (server->peers[i].order < oldest->order)
			oldest = &server->peers[i];
	}
	dismiss(server, oldest);
	return oldest;
}

static bool comes_from_root(int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0)
		return false;
	if (who.uid != 0)
		collector_log_user(who.uid, LOG_WARNING, "uid %u connected to the control socket: stintd believes only root",
				   who.uid);
	return who.uid == 0;
}

/*
 * Receives a message. @sender: who sent it, perhaps not the process that connected
 * Offers no room for passed descriptors, so the kernel closes them.
 * Returns the length, which may exceed a message; -1 with errno set.
 */
static ssize_t receive(int fd, struct control_message *message, struct ucred *sender)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(*sender))];
	} control;
	struct iovec data = { .iov_base = message, .iov_len = sizeof(*message) };
	struct msghdr envelope = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t length = recvmsg(fd, &envelope, MSG_TRUNC | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *header = length < 0 ? NULL : CMSG_FIRSTHDR(&envelope);

	sender->pid = 0;
	sender->uid = -1;
	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS)
		memcpy(sender, CMSG_DATA(header), sizeof(*sender));
	return length;
}

/* Returns true if the step's own slurmstepd sent @message, or if @message may come from another process. */
static bool speaks_for_itself(const struct control_message *message, const struct ucred *sender)
{
	const struct control_task *task = control_task(message);

	return !task || task->stepd_pid == sender->pid;
}

static bool is_believed(const struct control_message *message, size_t size, const struct ucred *sender)
{
	if (sender->uid != 0)
		collector_log_user(sender->uid, LOG_WARNING, "uid %u sent a control message: stintd believes only root",
				   sender->uid);
	else if (!control_message_valid(message, size))
		collector_log(LOG_ERR,
			      "a control message of %zu bytes is damaged or from another version: check that the plugin and stintd "
			      "have the same version",
			      size);
	else if (!speaks_for_itself(message, sender))
		collector_log_user(
			message->uid, LOG_WARNING,
			"job %u: process %d sent a message about a step of process %d: stintd believes only the step's own slurmstepd",
			message->job_id, sender->pid, control_task(message)->stepd_pid);
	else
		return true;
	return false;
}

static void hear(struct server *server, struct peer *peer)
{
	struct control_message message;
	struct ucred sender;
	ssize_t n = receive(peer->fd, &message, &sender);
	int fd = peer->fd;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* Length 0: the connection was closed. */
	if (n <= 0 || !is_believed(&message, n, &sender)) {
		dismiss(server, peer);
		return;
	}
	forget(server, peer);
	server->take(&message, fd, server->data);
}

static void let_in(struct server *server, int fd)
{
	struct peer *peer = make_room(server);

	if (watch(server, fd, peer) < 0) {
		close(fd);
		return;
	}
	peer->fd = fd;
	peer->ticks = 0;
	peer->order = server->order++;
	hear(server, peer); /* the message is usually there */
}

static void rest(struct server *server)
{
	collector_log(LOG_WARNING, "cannot accept connections to the control socket: %s; stintd tries again in a second",
		      strerror(errno));
	epoll_ctl(server->epoll_fd, EPOLL_CTL_DEL, server->listen_fd, NULL);
	server->resting = true;
}

static void accept_some(struct server *server)
{
	for (int i = 0; i < ACCEPTS_MAX; i++) {
		int fd = accept4(server->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0 && (errno == ECONNABORTED || errno == EINTR))
			continue;
		if (fd < 0 && errno != EAGAIN)
			rest(server);
		if (fd < 0)
			return;
		if (comes_from_root(fd))
			let_in(server, fd);
		else
			close(fd);
	}
}

void server_run(struct server *server)
{
	struct epoll_event events[16];
	int n = epoll_wait(server->epoll_fd, events, 16, 0);

	for (int i = 0; i < n; i++) {
		struct peer *peer = events[i].data.ptr;

		if (!peer)
			accept_some(server);
		else if (peer->fd >= 0)
			hear(server, peer);
	}
}

void server_tick(struct server *server)
{
	for (int i = 0; i < SERVER_PEERS_MAX; i++)
		if (server->peers[i].fd >= 0 && ++server->peers[i].ticks > 2)
			dismiss(server, &server->peers[i]);
	if (server->resting && watch(server, server->listen_fd, NULL) == 0)
		server->resting = false;
}

void server_close(struct server *server)
{
	if (!server)
		return;
	for (int i = 0; i < SERVER_PEERS_MAX; i++)
		if (server->peers[i].fd >= 0)
			close(server->peers[i].fd);
	if (server->listen_fd >= 0) {
		close(server->listen_fd);
		unlink(server->address.sun_path);
	}
	if (server->epoll_fd >= 0)
		close(server->epoll_fd);
	free(server);
}
