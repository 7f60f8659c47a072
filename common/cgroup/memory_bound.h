/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits the memory of a cgroup, on cgroup v1 and v2. */
#ifndef STINT_MEMORY_BOUND_H
#define STINT_MEMORY_BOUND_H

#include <stdint.h>

/* Returns the node's memory, in bytes, divided by @part. */
uint64_t memory_bound_part(unsigned int part);

/* Writes @text to the file @name in the cgroup's directory @dir. Returns 0; -1 with errno set. */
int cgroup_write(const char *dir, const char *name, const char *text);

/*
 * Limits the memory of the cgroup with the directory @dir to @bytes.
 * Writes memory.max (cgroup v2) or memory.limit_in_bytes (v1).
 *
 * Returns 0; -1 with errno set.
 */
int memory_bound_set(const char *dir, uint64_t bytes);

#endif
