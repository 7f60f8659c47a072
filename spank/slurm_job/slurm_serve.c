/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/slurm_serve.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/process/helper.h"

#define QUESTION_S 1 /* seconds for a caller to send its question */
#define QUESTION_MAX 65536 /* bytes; a list of nodes can be long */

static void answer_one(int fd, int (*answer)(const char *question))
{
	static char question[QUESTION_MAX];
	const struct timeval limit = { .tv_sec = QUESTION_S };
	ssize_t length;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	length = recv(fd, question, sizeof(question) - 1, 0);
	if (length <= 0 || dup2(fd, STDOUT_FILENO) < 0)
		return;
	question[length] = '\0';
	answer(question);
	alarm(0); /* answer() may have set an alarm */
}

static bool another_waits(void)
{
	struct pollfd call = { STDIN_FILENO, POLLIN, 0 };

	return poll(&call, 1, 0) > 0;
}

int slurm_serve(int (*answer)(const char *question))
{
	struct helper helper = { 0 };
	pid_t child;
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* only stintd's callers want answers */
	signal(SIGCHLD, SIG_IGN); /* do not wait for children that answer */
	signal(SIGPIPE, SIG_IGN); /* a caller may have stopped waiting */
	/* libslurm may print messages. These must not get into an answer. */
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		return EXIT_FAILURE;
	while (helper_waits(&helper, STDIN_FILENO)) {
		int fd = accept4(STDIN_FILENO, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			continue;
		fcntl(fd, F_SETFL, 0);
		/* If another caller waits, a child answers. So no caller waits for another caller's answer. */
		child = another_waits() ? fork() : -1;
		if (child <= 0)
			answer_one(fd, answer);
		if (child == 0)
			_exit(EXIT_SUCCESS); /* libslurm's exit handlers take longer than the answer */
		dup2(null, STDOUT_FILENO);
		close(fd);
	}
	return EXIT_SUCCESS;
}
