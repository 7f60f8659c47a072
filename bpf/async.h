/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts asynchronous I/O. io_uring and libaio add nothing to the kernel's rchar and wchar. */
#ifndef STINT_ASYNC_H
#define STINT_ASYNC_H

#include "bpf/maps.h"

static __always_inline void async_used(struct thread_use *sum, bool write, u64 bytes)
{
	if (write) {
		sum->use[USE_SYSCALL_WRITES]++;
		sum->use[USE_SYSCALL_WRITE_BYTES] += bytes;
		sum->use[USE_ASYNC_WRITE_BYTES] += bytes;
	} else {
		sum->use[USE_SYSCALL_READS]++;
		sum->use[USE_SYSCALL_READ_BYTES] += bytes;
		sum->use[USE_ASYNC_READ_BYTES] += bytes;
	}
}

#endif
