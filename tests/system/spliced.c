/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves 8 MiB over TCP, and 8 MiB over a pair of Unix sockets. Sends with write(), and receives only with splice().
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES (8 << 20)

static void send_all(int fd)
{
	static char block[65536];

	for (int sent = 0; sent < BYTES; sent += sizeof(block))
		if (write(fd, block, sizeof(block)) != sizeof(block))
			err(1, "write");
	_exit(0);
}

static void take_all(int fd)
{
	int ends[2], nowhere = open("/dev/null", O_WRONLY);
	ssize_t taken, left = BYTES;

	if (pipe(ends) < 0 || nowhere < 0)
		err(1, "pipe");
	while (left > 0) {
		taken = splice(fd, NULL, ends[1], NULL, 65536, 0);
		if (taken <= 0)
			err(1, "splice");
		left -= taken;
		while (taken > 0) {
			ssize_t given = splice(ends[0], NULL, nowhere, NULL, taken, 0);

			if (given <= 0)
				err(1, "splice to /dev/null");
			taken -= given;
		}
	}
}

static void move(int from, int to)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		send_all(from);
	take_all(to);
	if (waitpid(child, &status, 0) != child || status)
		errx(1, "the sender failed");
}

int main(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int pair[2], listener = socket(AF_INET, SOCK_STREAM, 0), sender = socket(AF_INET, SOCK_STREAM, 0);

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 || listen(listener, 1) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) < 0)
		err(1, "sockets");
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(sender, (struct sockaddr *)&address, length) < 0)
		err(1, "connect");
	move(sender, accept(listener, NULL, NULL));
	move(pair[0], pair[1]);
	return 0;
}
