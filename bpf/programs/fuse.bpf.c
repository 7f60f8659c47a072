/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks threads that send requests to FUSE. The kernel does not count waits for FUSE as iowait.
 *
 * tp_btf would need CAP_SYS_ADMIN for the module's types (BPF_BTF_GET_FD_BY_ID in kernel/bpf/syscall.c).
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
