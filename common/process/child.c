/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"

extern char **environ;

static void set_file(posix_spawn_file_actions_t *actions, int fd, int to)
{
	if (fd == CHILD_NULL)
		posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_RDWR, 0);
	else if (fd != CHILD_KEEPS)
		posix_spawn_file_actions_adddup2(actions, fd, to);
}

pid_t child_start(const char *const arguments[], char *const environment[], const struct child_files *files)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t how;
	sigset_t none, pipe;
	int status;
	pid_t pid;

	sigemptyset(&none);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	posix_spawnattr_init(&how);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &pipe);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	set_file(&actions, files->in, STDIN_FILENO);
	set_file(&actions, files->out, STDOUT_FILENO);
	set_file(&actions, files->error_out, STDERR_FILENO);
	/* posix_spawnp() does not change the strings */
	status = posix_spawnp(&pid, arguments[0], &actions, &how, (char *const *)(uintptr_t)arguments,
			      environment ? environment : environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&how);
	errno = status; /* the cleanup may have changed errno */
	return status ? -1 : pid;
}

/* No blocked signals, and SIGPIPE not ignored. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

/* Without this, a child could outlive stintd, and would read maps that the next stintd replaces. */
static void die_with(int parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(CHILD_NO_PARENT);
}

void child_begin(int parent)
{
	die_with(parent);
	reset_signals();
}

/* Returns false after @deadline_ms. */
static bool ends_by(int pidfd, int64_t deadline_ms)
{
	struct pollfd ended = { pidfd, POLLIN, 0 };

	for (;;) {
		int64_t left = deadline_ms - clock_ms();
		int ready = poll(&ended, 1, left > 0 ? (int)left : 0);

		if (ready > 0)
			return true;
		if (ready == 0 || errno != EINTR)
			return false;
	}
}

bool child_wait(pid_t pid, int wait_ms, int *status)
{
	int64_t deadline_ms = clock_ms() + wait_ms;
	cleanup_close int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (pidfd >= 0)
		ends_by(pidfd, deadline_ms);
	return waitpid(pid, status, WNOHANG) == pid;
}

int child_end(pid_t pid, int wait_ms)
{
	int status;

	kill(pid, SIGKILL); /* the pid is not reused before waitpid() */
	return child_wait(pid, wait_ms, &status) ? status : -1;
}
