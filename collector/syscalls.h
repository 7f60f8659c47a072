/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a wait within a system call is a wait for, and what its result counts, by this architecture's numbers. */
#ifndef STINT_SYSCALLS_H
#define STINT_SYSCALLS_H

#include <linux/types.h>

#include "bpf/record.h"

/* Fills @table, the one element of the map "syscalls". */
void syscalls_fill(struct syscalls *table);

#endif
