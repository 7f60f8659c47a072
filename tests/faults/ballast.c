/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a system call that does nothing TIMES times, and becomes PROGRAM.
 *
 *   ballast CALL TIMES PROGRAM [ARGUMENT...]
 *
 * strace numbers a process's calls from its beginning, to fail one of them.
 * With TIMES calls spent here, a lower number fails only calls of PROGRAM's children.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls that fail for their arguments, or have nothing to do. Arguments not set are -1. */
static const struct {
	const char *name;
	long number;
	long first; /* argument */
	long second;
} calls[] = {
#define CALL(name) { #name, SYS_##name, -1, -1 }
	CALL(bpf), CALL(clone3), CALL(connect), CALL(dup3), CALL(fchmod), CALL(fchown), CALL(fcntl), CALL(fdatasync), CALL(flock),
	CALL(fstat), CALL(fstatfs), CALL(fsync), CALL(ftruncate), CALL(getdents64), CALL(linkat), CALL(lseek), CALL(mkdirat),
	CALL(newfstatat), CALL(openat), CALL(openat2), CALL(pidfd_open), CALL(pidfd_send_signal), CALL(pipe2), CALL(prctl),
	CALL(pread64), CALL(prlimit64), CALL(pwrite64), CALL(read), CALL(recvmsg), CALL(renameat), CALL(renameat2), CALL(sendmsg),
	CALL(sendto), CALL(setgroups), CALL(setresgid), CALL(setresuid), CALL(socket), CALL(unlinkat), CALL(write),
#ifdef SYS_dup2 /* newer architectures have neither dup2() nor poll() */
	CALL(dup2),
#endif
#undef CALL
	{ "clone", SYS_clone, 0x10000, 0 }, /* CLONE_THREAD alone */
	{ "clock_nanosleep", SYS_clock_nanosleep, 99, 0 },
	{ "close_range", SYS_close_range, 1, 0 },
	{ "execve", SYS_execve, 0, 0 },
	{ "getrandom", SYS_getrandom, 0, 0 },
	{ "kill", SYS_kill, 0x7fffffff, 0 },
#ifdef SYS_poll
	{ "poll", SYS_poll, 0, 0 },
#endif
	{ "setgid", SYS_setgid, -1, 0 },
	{ "setuid", SYS_setuid, -1, 0 },
	{ "wait4", SYS_wait4, 0x7fffffff, 0 },
};

int main(int argc, char *argv[])
{
	if (argc < 4)
		return 2;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, argv[1]) == 0)
			for (int times = atoi(argv[2]); times > 0; times--)
				syscall(calls[i].number, calls[i].first, calls[i].second, strcmp(calls[i].name, "poll") == 0 ? 0L : -1L, -1L,
					-1L, -1L);
	execv(argv[3], argv + 3);
	fprintf(stderr, "ballast: %s: %s\n", argv[3], strerror(errno));
	return 127;
}
