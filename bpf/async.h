/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts asynchronous I/O, because the kernel has no sums for it: neither io_uring nor libaio adds to rchar and wchar.
 */
#ifndef STINT_ASYNC_H
#define STINT_ASYNC_H

#include "bpf/maps.h"

/* Counts one operation of @bytes in @sum, the sums of the thread that runs now. */
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
