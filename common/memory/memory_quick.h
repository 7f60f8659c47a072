/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for work that makes thousands of small objects and frees all of them, such as making a job's report from its
 * lines. Between memory_quick(true) and memory_quick(false), this thread's allocations are side by side in chunks of 1
 * MiB. A chunk is reused as soon as it is empty. An object that outlives the work keeps its whole chunk, so make it
 * afterwards.
 *
 * Any thread may free it, at any time, by free(). If memory is short, and under a sanitizer, everything works as
 * without this.
 */
#ifndef STINT_MEMORY_QUICK_H
#define STINT_MEMORY_QUICK_H

#include <stdbool.h>
#include <stddef.h>

void memory_quick(bool on);

/* Releases the chunk of this thread, which ends. */
void memory_quick_end(void);

/* For malloc() and its like (memory_limit.c): */

/* Returns @size bytes; NULL: this thread works without chunks now, or there is no room. */
void *memory_quick_get(size_t size);

/* Returns whether @memory lies in a chunk. */
bool memory_quick_has(const void *memory);

/* Returns the size in bytes of @memory, which lies in a chunk. */
size_t memory_quick_size(const void *memory);
void memory_quick_free(void *memory);

#endif
