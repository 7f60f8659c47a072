/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector/collector.h"
#include "collector/keep.h"

struct peer {
	int fd; /* -1: free */
	int ticks;
};

struct server {
	int epoll_fd;
	int listen_fd;
	struct sockaddr_un address;
	struct peer peers[SERVER_PEERS_MAX];
	void (*take)(const struct control_message *message, int reply_fd, void *data);
	void *data;
};

static int listen_at(const struct sockaddr_un *address, struct error *err)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return error_errno(err, "a socket");
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 || errno == EAGAIN) {
		close(fd);
		return error_set(err, "%s: another stintd serves it", address->sun_path);
	}
	unlink(address->sun_path);
	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 || chmod(address->sun_path, 0600) < 0 ||
	    listen(fd, SERVER_PEERS_MAX) < 0) {
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
	int length;

	if (!server) {
		error_errno(err, "the control socket");
		return NULL;
	}
	server->address.sun_family = AF_UNIX;
	length = snprintf(server->address.sun_path, sizeof(server->address.sun_path), "%s/%s", run_dir, CONTROL_SOCKET);
	server->take = take;
	server->data = data;
	server->epoll_fd = server->listen_fd = -1;
	for (int i = 0; i < SERVER_PEERS_MAX; i++)
		server->peers[i].fd = -1;
	if ((size_t)length >= sizeof(server->address.sun_path)) {
		error_set(err, "run_dir '%s' is too long for a socket's path", run_dir);
		goto failed;
	}
	server->listen_fd = listen_at(&server->address, err);
	if (server->listen_fd < 0)
		goto failed;
	server->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (server->epoll_fd < 0 || watch(server, server->listen_fd, NULL) < 0) {
		error_errno(err, "the control socket");
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

static void dismiss(struct peer *peer)
{
	close(peer->fd);
	peer->fd = -1;
}

static void accept_one(struct server *server)
{
	int fd = accept4(server->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct ucred credentials;
	socklen_t size = sizeof(credentials);

	if (fd < 0)
		return;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0 || credentials.uid != 0) {
		close(fd);
		return;
	}
	for (int i = 0; i < SERVER_PEERS_MAX; i++)
		if (server->peers[i].fd < 0) {
			server->peers[i].fd = fd;
			server->peers[i].ticks = 0;
			if (watch(server, fd, &server->peers[i]) < 0)
				dismiss(&server->peers[i]);
			return;
		}
	close(fd);
}

static void hear(struct server *server, struct peer *peer)
{
	struct control_message message;
	/* MSG_TRUNC tells the real length of a longer one. */
	ssize_t n = recv(peer->fd, &message, sizeof(message), MSG_TRUNC);
	int fd = peer->fd;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0 || !control_message_valid(&message, n)) {
		if (n > 0)
			collector_log("a control message of %zd bytes is not of this version or damaged; is the plugin of this version?", n);
		dismiss(peer);
		return;
	}
	epoll_ctl(server->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
	peer->fd = -1;
	server->take(&message, fd, server->data);
}

void server_run(struct server *server)
{
	struct epoll_event events[16];
	int n = epoll_wait(server->epoll_fd, events, 16, 0);

	for (int i = 0; i < n; i++) {
		struct peer *peer = events[i].data.ptr;

		if (!peer)
			accept_one(server);
		else if (peer->fd >= 0)
			hear(server, peer);
	}
}

void server_tick(struct server *server)
{
	for (int i = 0; i < SERVER_PEERS_MAX; i++)
		if (server->peers[i].fd >= 0 && ++server->peers[i].ticks > 2)
			dismiss(&server->peers[i]);
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
