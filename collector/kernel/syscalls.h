/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills a table of system calls, indexed by their numbers on this architecture. The table says what a thread waits for
 * in each call, and how to count the call's result.
 */
#ifndef STINT_SYSCALLS_H
#define STINT_SYSCALLS_H

#include <linux/types.h>

#include "bpf/abi.h"

/* Fills @table, the only element of the map "syscalls". */
void syscalls_fill(struct syscalls *table);

#endif
