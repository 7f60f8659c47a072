/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/gpu/gpu_confine.h"

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534
#define FILES_MAX 512 /* the libraries open some files for each GPU */
#define DATA_MAX (1024ul * 1024 * 1024)

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define FOREIGN_CALLS 0x40000000u /* x32 */
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define FOREIGN_CALLS 0xffffffffu
#endif

#ifdef ARCHITECTURE
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define REFUSE_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), REFUSE

static int refuse_calls(struct error *err)
{
	struct sock_filter filter[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		REFUSE,
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FOREIGN_CALLS, 0, 1),
		REFUSE,
		REFUSE_CALL(SYS_socket),
		REFUSE_CALL(SYS_socketpair),
		REFUSE_CALL(SYS_execve),
		REFUSE_CALL(SYS_execveat),
		REFUSE_CALL(SYS_ptrace),
		REFUSE_CALL(SYS_process_vm_readv),
		REFUSE_CALL(SYS_process_vm_writev),
		REFUSE_CALL(SYS_kill),
		REFUSE_CALL(SYS_bpf),
		REFUSE_CALL(SYS_perf_event_open),
		REFUSE_CALL(SYS_unshare),
		REFUSE_CALL(SYS_setns),
		REFUSE_CALL(SYS_keyctl),
		REFUSE_CALL(SYS_io_uring_setup),
		RETURN(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	/* a kernel without seccomp has no such filter; the user id still protects */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 && errno != EINVAL)
		return error_errno(err, "cannot refuse system calls");
	return 0;
}
#else
static int refuse_calls(struct error *err)
{
	(void)err;
	return 0;
}
#endif

static int set_limit(int what, rlim_t most, const char *name, struct error *err)
{
	struct rlimit limit;

	if (getrlimit(what, &limit) == 0 && limit.rlim_max < most)
		most = limit.rlim_max;
	limit = (struct rlimit){ most, most };
	return setrlimit(what, &limit) < 0 ? error_errno(err, "cannot set the limit of %s", name) : 0;
}

/* Root's capabilities end with the change of the user. Those of the bounding set stay out of reach by no_new_privs. */
static int become_nobody(struct error *err)
{
	if (geteuid() != 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return error_errno(err, "cannot become the user %d", NOBODY);
	if (setuid(0) == 0)
		return error_set(err, "can become root again");
	return 0;
}

int gpu_confine(struct error *err)
{
	if (syscall(SYS_close_range, 3, ~0u, 0) < 0)
		for (int fd = 3; fd < 1024; fd++) /* Linux before 5.9 */
			close(fd);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_errno(err, "cannot give up new rights");
	if (set_limit(RLIMIT_CORE, 0, "core files", err) < 0 || set_limit(RLIMIT_NOFILE, FILES_MAX, "open files", err) < 0 ||
	    set_limit(RLIMIT_DATA, DATA_MAX, "memory", err) < 0)
		return -1;
	if (become_nobody(err) < 0)
		return -1;
	return refuse_calls(err);
}
