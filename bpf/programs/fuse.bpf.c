/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes requests to FUSE file systems. Waits for them do not count as iowait. Also, a system call on a path has no file
 * yet that would show the file system.
 *
 * FUSE is often a module. tp_btf needs the types of a module's tracepoints, and only CAP_SYS_ADMIN may see these
 * (BPF_BTF_GET_FD_BY_ID, kernel/bpf/syscall.c). stintd does not have that right. A raw tracepoint is found by its name,
 * and this program needs no argument of it.
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
