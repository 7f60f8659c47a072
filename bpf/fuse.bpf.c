/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to FUSE file systems: their waits are no iowait, and in a system call on a path there is no file
 * yet to tell the file system by.
 */
#include "bpf/current.h"

SEC("tp_btf/fuse_request_send")
int BPF_PROG(fuse_requested)
{
	struct thread *t = current_thread();

	if (t)
		t->fuse = 1;
	return 0;
}
