/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs COMMAND as process PID, which must be free, and waits for it. Needs root.
 *
 *   reborn PID FILE... -- COMMAND [ARG...]
 *
 * First writes the process to each FILE: cgroup.procs of the cgroups to run in.
 * Exits as COMMAND does; with 99 if COMMAND could not be run.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_SO 99

static void enter(const char *file)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "0", 1) != 1) {
		perror(file);
		_exit(NOT_SO);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	pid_t wanted = argc > 1 ? atoi(argv[1]) : 0;
	struct clone_args clone = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&wanted,
		.set_tid_size = 1,
	};
	long pid;
	int status, i;

	pid = syscall(SYS_clone3, &clone, sizeof(clone));
	if (pid < 0) {
		perror("clone3");
		return NOT_SO;
	}
	if (pid == 0) {
		for (i = 2; i < argc && strcmp(argv[i], "--"); i++)
			enter(argv[i]);
		if (i + 1 < argc)
			execv(argv[i + 1], argv + i + 1);
		perror("execv");
		_exit(NOT_SO);
	}
	if (waitpid(pid, &status, 0) != pid)
		return NOT_SO;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
