/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives memory quickly to work that makes thousands of small objects and then frees them all.
 *
 * Between memory_quick(true) and memory_quick(false), this thread's allocations are in chunks of 1 MiB.
 * A single object keeps its whole chunk in use. So make objects that outlive the work only after memory_quick(false).
 *
 * Any thread may free() an object. If memory is short, or under a sanitizer, malloc() works as usual.
 */
#ifndef STINT_MEMORY_QUICK_H
#define STINT_MEMORY_QUICK_H

#include <stdbool.h>
#include <stddef.h>

void memory_quick(bool on);

/* Releases this thread's chunk. Call this at the end of the thread. */
void memory_quick_end(void);

/* For malloc() and similar functions (memory_limit.c). */

/* Returns NULL if chunks are off, @size is too large, or no chunk is free. */
void *memory_quick_get(size_t size);

bool memory_quick_has(const void *memory);

/* Returns the size of the block @memory in bytes. @memory must be in a chunk. */
size_t memory_quick_size(const void *memory);

/* @memory must be in a chunk. Any thread may call this. */
void memory_quick_free(void *memory);

#endif
