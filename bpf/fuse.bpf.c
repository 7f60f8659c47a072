/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes requests to FUSE file systems. Waits for them are no iowait, and a system call on a path has no file
 * yet that would show the file system.
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
