/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/send/store_command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"

#define SAID_MAX 400
#define REAPED_AT_ONCE 256 /* after so many ended processes, kills again the children that are left */
#define PAUSE_MAX_MS 1000 /* between two looks at processes that do not die */

static void __attribute__((noreturn)) become_command(const char *command, const char *name, int fd, int said_fd)
{
	char batch[NAME_MAX + 32];
	char *const environment[] = { (char *)"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
				      (char *)"LC_ALL=C", batch, NULL };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	snprintf(batch, sizeof(batch), "STINT_BATCH=%s", name);
	signal(SIGPIPE, SIG_DFL);
	if (null < 0 || dup2(fd, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(said_fd, STDERR_FILENO) < 0)
		_exit(126);
	close_range(3, ~0U, 0);
	execle("/bin/sh", "sh", "-c", command, (char *)NULL, environment);
	_exit(127);
}

/* Kills all children of this process. Returns false if the kernel does not list them (CONFIG_PROC_CHILDREN). */
static bool kill_children(void)
{
	cleanup_fclose FILE *list = fopen("/proc/thread-self/children", "re");
	int child;

	while (list && fscanf(list, "%d", &child) == 1)
		kill(child, SIGKILL);
	return list || errno != ENOENT; /* if out of memory or descriptors, the next round tries again */
}

/*
 * Kills the command and all its processes, and waits until they have ended. The kernel gives this process the orphans,
 * so another round kills the children of the processes that this round kills.
 *
 * A process that hangs in the kernel, or runs as another user, may not die. Processes may also fork faster than they
 * die. Waits for them without limit, so that no second command starts beside them.
 *
 * Returns the wait status of the command, which is @child.
 */
static int end_all(pid_t child)
{
	int pause_ms = 1, status = -1, one;
	bool listed, ended = false;
	pid_t pid;

	/* Kill the group before waitpid(): the number of @child identifies it, and cannot be reused until then. */
	kill(-child, SIGKILL);
	kill(child, SIGKILL);
	do {
		listed = kill_children();
		for (int i = 0; i < REAPED_AT_ONCE && (pid = waitpid(-1, &one, WNOHANG)) > 0; i++) {
			pause_ms = 1;
			if (pid != child)
				continue;
			status = one;
			ended = true;
		}
		if (pid == 0) {
			poll(NULL, 0, pause_ms);
			pause_ms = pause_ms < PAUSE_MAX_MS / 2 ? 2 * pause_ms : PAUSE_MAX_MS;
		}
	} while (pid > 0 || (pid == 0 && (listed || !ended)));
	return status;
}

/* Waits for @child. Returns its wait status; -1 if it did not end within @wait_ms and was killed. */
static int wait_for(pid_t child, int wait_ms)
{
	cleanup_close int fd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd ended = { fd, POLLIN, 0 };
	bool late = fd < 0 || poll(&ended, 1, wait_ms) <= 0;
	int status = end_all(child);

	return late ? -1 : status;
}

static bool tell_said(int said_fd, struct error *err)
{
	char text[SAID_MAX + 1];
	ssize_t length = pread(said_fd, text, SAID_MAX, 0);

	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (!*text)
		return false;
	error_set(err, "store_command: %s", text);
	return true;
}

int store_command_run(const char *command, const char *name, int fd, int wait_ms, struct error *err)
{
	cleanup_close int said_fd = memfd_create("said", MFD_CLOEXEC);
	pid_t child = said_fd < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ? -1 : fork();
	int status;

	if (child == 0)
		become_command(command, name, fd, said_fd);
	if (child < 0)
		return error_errno(err, "store_command");
	status = wait_for(child, wait_ms);
	if (status == -1)
		return error_set(err, "store_command took longer than store_wait_s = %d s", wait_ms / 1000);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (tell_said(said_fd, err))
		return -1;
	if (WIFSIGNALED(status))
		return error_set(err, "signal %d ended store_command", WTERMSIG(status));
	return error_set(err, "store_command ended with exit code %d", WEXITSTATUS(status));
}
