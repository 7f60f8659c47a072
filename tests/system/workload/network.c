/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

struct tally {
	int64_t rx_bytes;
	int64_t tx_bytes;
	int64_t rx_ops; /* including the call that found the end */
	int64_t tx_ops;
	int64_t waited_ns; /* in recv() and send() */
};

static void told_tally(const struct tally *tally)
{
	told("rx_bytes", tally->rx_bytes);
	told("tx_bytes", tally->tx_bytes);
	told("rx_ops", tally->rx_ops);
	told("tx_ops", tally->tx_ops);
	told("waited_ns", tally->waited_ns);
}

static ssize_t receive(int socket, char *data, size_t bytes, struct tally *tally)
{
	struct meter meter;
	ssize_t some;

	meter_start(&meter);
	some = recv(socket, data, bytes, 0);
	tally->waited_ns += meter_waited_ns(&meter);
	if (some < 0)
		fail("recv");
	tally->rx_ops++;
	tally->rx_bytes += some;
	return some;
}

static void transmit(int socket, const char *data, size_t bytes, struct tally *tally)
{
	struct meter meter;

	while (bytes > 0) {
		ssize_t some;

		meter_start(&meter);
		some = send(socket, data, bytes, MSG_NOSIGNAL);
		tally->waited_ns += meter_waited_ns(&meter);
		if (some < 0)
			fail("send");
		tally->tx_ops++;
		tally->tx_bytes += some;
		data += some;
		bytes -= some;
	}
}

static struct sockaddr_in address_of(const char *host, int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };

	if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
		fail(host);
	return address;
}

/* A socket that listens at a port of the kernel's choice. With SOCK_DGRAM it receives. */
static int bound_socket(const char *host, int type, struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);
	int made = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	*address = address_of(host, 0);
	if (made < 0 || bind(made, (struct sockaddr *)address, size) || (type == SOCK_STREAM && listen(made, 8)) ||
	    getsockname(made, (struct sockaddr *)address, &size))
		fail("a socket");
	return made;
}

/* Small buffers let the slower end set the pace. */
static void make_small(int socket)
{
	int bytes = 16384;

	setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
}

/* Prints its port first. */
int work_serve(int argc, char *argv[])
{
	int64_t left = atoll(argv[3]), chunk = atoll(argv[4]);
	char *data = calloc(1, chunk);
	struct tally tally = { 0 };
	struct sockaddr_in address;
	int server = bound_socket(argv[1], SOCK_STREAM, &address), peer;

	(void)argc;
	make_small(server);
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	peer = accept(server, NULL, NULL);
	if (peer < 0 || !data)
		fail("accept");
	while (left > 0) {
		int64_t some = left < chunk ? left : chunk;

		if (!strcmp(argv[2], "write"))
			transmit(peer, data, some, &tally);
		else
			some = receive(peer, data, some, &tally);
		if (some == 0)
			break;
		left -= some;
		sleep_ns((int64_t)(atof(argv[5]) * NS_PER_MS));
	}
	close(peer);
	told_tally(&tally);
	tell("serve");
	return 0;
}

int work_connect(int argc, char *argv[])
{
	struct sockaddr_in address = address_of(argv[1], atoi(argv[2]));
	bool writes = !strcmp(argv[3], "write");
	int64_t left = argc > 4 ? atoll(argv[4]) : 0;
	int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char data[65536] = "";
	struct tally tally = { 0 };
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	make_small(peer);
	if (connect(peer, (struct sockaddr *)&address, sizeof(address)))
		fail("connect");
	while (writes && left > 0) {
		size_t some = left < (int64_t)sizeof(data) ? (size_t)left : sizeof(data);

		transmit(peer, data, some, &tally);
		left -= (int64_t)some;
	}
	/* after the peer's close, all is acknowledged */
	if (writes)
		shutdown(peer, SHUT_WR);
	while (receive(peer, data, sizeof(data), &tally) > 0)
		;
	getsockopt(peer, IPPROTO_TCP, TCP_INFO, &info, &size);
	told("retransmits", info.tcpi_total_retrans);
	told_tally(&tally);
	tell("connect");
	return 0;
}

/* ---- both ends in the job ---- */

static void make_pair(const char *kind, int ends[2])
{
	int type = !strcmp(kind, "udp") ? SOCK_DGRAM : SOCK_STREAM, server;
	struct sockaddr_in address, other;

	if (!strcmp(kind, "unix")) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
			fail("socketpair");
		return;
	}
	server = bound_socket("127.0.0.1", type, &address);
	if (type == SOCK_DGRAM) {
		ends[0] = server;
		ends[1] = bound_socket("127.0.0.1", type, &other);
		if (connect(ends[0], (struct sockaddr *)&other, sizeof(other)) ||
		    connect(ends[1], (struct sockaddr *)&address, sizeof(address)))
			fail("connect");
		return;
	}
	ends[0] = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	if (connect(ends[0], (struct sockaddr *)&address, sizeof(address)))
		fail("connect");
	ends[1] = accept(server, NULL, NULL);
	if (ends[1] < 0)
		fail("accept");
	close(server);
}

static void receive_whole(int socket, char *data, int64_t bytes, struct tally *tally)
{
	for (int64_t done = 0; done < bytes;)
		done += receive(socket, data + done, bytes - done, tally);
}

/* Tells the sums of both ends. "child_waited_ns" is of the end that answers; its sleep is "slept_ns". */
int work_pingpong(int argc, char *argv[])
{
	int rounds = atoi(argv[2]), ends[2];
	int64_t bytes = atoll(argv[3]);
	int64_t *slept = shared_memory(sizeof(*slept));
	struct tally *tallies = shared_memory(2 * sizeof(*tallies));
	char *data = calloc(1, bytes);
	struct meter meter;
	pid_t child;

	(void)argc;
	make_pair(argv[1], ends);
	child = fork();
	for (int i = 0; i < rounds; i++) {
		if (child)
			transmit(ends[0], data, bytes, &tallies[0]);
		receive_whole(ends[!child], data, bytes, &tallies[!child]);
		if (child)
			continue;
		meter_start(&meter);
		sleep_ns((int64_t)(atof(argv[4]) * NS_PER_MS));
		*slept += meter_waited_ns(&meter);
		transmit(ends[1], data, bytes, &tallies[1]);
	}
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	told_tally(&tallies[0]);
	told_tally(&tallies[1]);
	told("child_waited_ns", tallies[1].waited_ns);
	told("slept_ns", *slept);
	told("rounds", rounds);
	tell(argv[1]);
	return 0;
}
