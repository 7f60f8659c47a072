/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills the table of system calls: what each waits for, and how to count the result. */
#ifndef STINT_SYSCALLS_H
#define STINT_SYSCALLS_H

#include <linux/types.h>

#include "bpf/abi.h"

/* Fills @table, the only element of "syscalls". */
void syscalls_fill(struct syscalls *table);

#endif
