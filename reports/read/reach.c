/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/reach.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 2000
#define NEXT_WAIT_MS 200 /* once a look was in vain: mostly all of them are on the same file system */
#define SILENT_MAX 20

/*
 * The asker: answers each path by a byte, until nobody asks any more. It has nothing of ours open: who reads our output
 * would wait for its end, too.
 */
static void answer_all(int fd)
{
	char path[PATH_MAX];
	ssize_t length;

	dup2(fd, STDIN_FILENO);
	close_range(STDIN_FILENO + 1, ~0U, 0);
	while ((length = recv(STDIN_FILENO, path, sizeof(path) - 1, 0)) > 0) {
		char answer;

		path[length] = '\0';
		answer = access(path, F_OK) == 0;
		if (send(STDIN_FILENO, &answer, 1, MSG_NOSIGNAL) != 1)
			break;
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
	reach_end(reach);
	return -1;
}

/* Returns as reach_look() does. */
static int ask(struct reach *reach, const char *path)
{
	struct pollfd answered = { .fd = reach->fd, .events = POLLIN };
	char answer;
	int count;

	if (send(reach->fd, path, strlen(path), MSG_NOSIGNAL) < 0)
		return -1;
	do
		count = poll(&answered, 1, reach->silent ? NEXT_WAIT_MS : WAIT_MS);
	while (count < 0 && errno == EINTR);
	return count == 1 && recv(reach->fd, &answer, 1, 0) == 1 ? answer : -1;
}

int reach_look(struct reach *reach, const char *path)
{
	int answer = -1;

	if (strlen(path) >= PATH_MAX)
		return 0;
	if (reach->silent < SILENT_MAX) {
		if (reach->fd < 0 && begin(reach) < 0)
			return access(path, F_OK) == 0;
		answer = ask(reach, path);
	}
	if (answer >= 0)
		return answer;
	if (reach->fd >= 0) {
		kill(reach->asker, SIGKILL); /* it may be where not even that ends it: so it is not waited for */
		close(reach->fd);
		reach->fd = -1;
	}
	if (reach->silent++ == 0)
		reach->first = strdup(path);
	return -1;
}

void reach_end(struct reach *reach)
{
	if (reach->fd >= 0) {
		close(reach->fd);
		reach->fd = -1;
		if (reach->asker > 0)
			waitpid(reach->asker, NULL, 0);
	}
	free(reach->first);
	reach->first = NULL;
}
