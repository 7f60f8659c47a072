/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread waits for within each system call, and how the call's result counts, by this architecture's numbers. */
#ifndef STINT_SYSCALLS_H
#define STINT_SYSCALLS_H

#include <linux/types.h>

#include "bpf/abi.h"

/* Fills @table, the one element of the map "syscalls". */
void syscalls_fill(struct syscalls *table);

#endif
