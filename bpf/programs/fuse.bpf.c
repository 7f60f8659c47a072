/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes requests to FUSE file systems. Waits for them are no iowait, and a system call on a path has no file yet that
 * would show the file system.
 *
 * FUSE is often a module. Only CAP_SYS_ADMIN may see the types of a module's tracepoints, which tp_btf needs
 * (BPF_BTF_GET_FD_BY_ID, kernel/bpf/syscall.c), and stintd does not have that right. A raw tracepoint is found by its
 * name, and no argument is needed here.
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
