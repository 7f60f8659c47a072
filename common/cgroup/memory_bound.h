/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits the memory of a cgroup, on cgroup v1 and v2. */
#ifndef STINT_MEMORY_BOUND_H
#define STINT_MEMORY_BOUND_H

#include <stdint.h>

/* Returns the node's memory, in bytes, divided by @part. */
uint64_t memory_bound_part(unsigned int part);

/* Writes @text to the file @name of the cgroup @dir, a directory. Returns 0; -1 with errno set. */
int cgroup_write(const char *dir, const char *name, const char *text);

/*
 * Limits the memory of the cgroup @dir, a directory, to @bytes. Returns 0; -1 with errno set.
 * Writes memory.max (cgroup v2) or memory.limit_in_bytes (v1).
 */
int memory_bound_set(const char *dir, uint64_t bytes);

#endif
