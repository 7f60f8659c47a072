/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that is killed before one of its system calls. Include this after cmocka.h. */
#ifndef TESTS_UNIT_REPORTS_KILLED_H
#define TESTS_UNIT_REPORTS_KILLED_H

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The used part of the kernel's struct (since Linux 5.3): not all C libraries have it. */
struct killed_syscall {
	uint8_t op; /* PTRACE_SYSCALL_INFO_ENTRY is 1 */
	uint8_t pad[3];
	uint32_t arch;
	uint64_t instruction_pointer, stack_pointer, nr, args[6];
};

/* Returns whether the call can change a file system. */
static bool killed_changes(const struct killed_syscall *call)
{
	static const long changing[] = {
#ifdef SYS_rename
		SYS_rename, SYS_link, SYS_symlink, SYS_unlink, SYS_mkdir, SYS_rmdir, SYS_chmod, SYS_chown, SYS_creat,
#endif
#ifdef SYS_renameat
		SYS_renameat,
#endif
		SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_unlinkat, SYS_mkdirat, SYS_write, SYS_writev, SYS_pwrite64,
		SYS_copy_file_range, SYS_ftruncate, SYS_truncate, SYS_fallocate, SYS_fchmod, SYS_fchmodat, SYS_fchown,
		SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_fremovexattr,
	};

	if (call->nr == SYS_openat)
		return call->args[2] & (O_CREAT | O_TRUNC);
#ifdef SYS_open
	if (call->nr == SYS_open)
		return call->args[1] & (O_CREAT | O_TRUNC);
#endif
	for (size_t i = 0; i < sizeof(changing) / sizeof(changing[0]); i++)
		if (call->nr == (uint64_t)changing[i])
			return true;
	return false;
}

/*
 * Runs @work in a process that is killed before its @stop-th call that changes files.
 * Returns whether it had ended before.
 */
static bool killed_at(int stop, void (*work)(void))
{
	struct killed_syscall call;
	pid_t child = fork();
	int status, left = stop;

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		work();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	/* without this the kernel does not say what kind of stop it is */
	assert_int_equal(ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_TRACESYSGOOD), 0);
	while (WIFSTOPPED(status) && left > 0) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (!WIFSTOPPED(status))
			break;
		assert_true(ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof(call), &call) > 0);
		left -= call.op == 1 && killed_changes(&call);
	}
	if (!WIFSTOPPED(status)) {
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		assert_true(stop > 1);
		return true;
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return false;
}

#endif
