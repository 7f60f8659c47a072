/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What former_read writes for each thread that the former programs know: this head,
 * the thread, and its other sums if it has any.
 */
#ifndef STINT_FORMER_H
#define STINT_FORMER_H

#include <linux/types.h>

struct former_head {
	__u64 start_ns; /* task_struct.start_boottime */
	__u32 tid;
	__u32 has_use;
};

#endif
