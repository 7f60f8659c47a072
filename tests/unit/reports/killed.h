/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that is killed at one of its system calls. For tests that include cmocka.h. */
#ifndef TESTS_UNIT_REPORTS_KILLED_H
#define TESTS_UNIT_REPORTS_KILLED_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Runs @work in a process that is killed at the @stop-th end or begin of a system call. Returns whether it had ended
 * before.
 */
static bool killed_at(int stop, void (*work)(void))
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		work();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	while (WIFSTOPPED(status) && stop-- > 0) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		assert_int_equal(waitpid(child, &status, 0), child);
	}
	if (!WIFSTOPPED(status)) {
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		return true;
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return false;
}

#endif
