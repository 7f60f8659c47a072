/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fast memory for work that makes thousands of small objects and frees all of them. An example is making a job's report
 * from its lines. Between memory_quick(true) and memory_quick(false), this thread's allocations are side by side in
 * chunks of 1 MiB. A chunk is reused as soon as it is empty. If an object outlives the work, its whole chunk remains in
 * use, so make such an object afterwards.
 *
 * Any thread may free an object at any time, by free(). If memory is short, or under a sanitizer, everything works as
 * without these chunks.
 */
#ifndef STINT_MEMORY_QUICK_H
#define STINT_MEMORY_QUICK_H

#include <stdbool.h>
#include <stddef.h>

/* Turns the chunks on or off for this thread. */
void memory_quick(bool on);

/* Releases the chunk of this thread. Call it when the thread ends. */
void memory_quick_end(void);

/* The functions below are for malloc() and similar functions (memory_limit.c). */

/* Returns @size bytes; NULL if this thread does not use chunks now, or there is no room. */
void *memory_quick_get(size_t size);

/* Returns whether @memory is in a chunk. */
bool memory_quick_has(const void *memory);

/* Returns the size in bytes of @memory, which is in a chunk. */
size_t memory_quick_size(const void *memory);

/* Frees @memory, which is in a chunk. Any thread may call this. */
void memory_quick_free(void *memory);

#endif
