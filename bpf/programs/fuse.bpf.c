/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks threads that send requests to FUSE file systems, because the kernel does not count waits for these requests as
 * iowait. Also, a system call on a path has no file yet that would show the file system.
 *
 * Uses a raw tracepoint, which is found by its name. FUSE is often a module, and tp_btf needs the types of a module's
 * tracepoints. Only CAP_SYS_ADMIN may see these types (BPF_BTF_GET_FD_BY_ID, kernel/bpf/syscall.c), and stintd does not
 * have this capability. This program needs no argument of the tracepoint.
 */
#include "bpf/current.h"

SEC("raw_tp/fuse_request_send")
int fuse_requested(void *arguments)
{
	struct thread *t = current_thread();

	if (t)
		t->fuse = 1;
	return 0;
}
