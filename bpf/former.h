/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs of former.bpf.c tell the collector. */
#ifndef STINT_FORMER_H
#define STINT_FORMER_H

#include <linux/types.h>

/* What former_read writes for each thread that the former programs know: this head, the thread, its other sums if it has any. */
struct former_head {
	__u64 start_ns; /* task_struct.start_boottime */
	__u32 tid;
	__u32 has_use;
};

/* "forks", key: a job's key. What nobody counted, until the former programs' totals have been copied. */
struct former_forks {
	__u64 threads;
	__u64 processes; /* of these */
};

#endif
