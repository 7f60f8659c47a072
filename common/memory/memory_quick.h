/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives memory quickly to work that makes thousands of small objects and then frees all of them, such as making a
 * job's report from its store lines. Between memory_quick(true) and memory_quick(false), this thread's allocations
 * lie side by side in chunks of 1 MiB. A chunk is reused as soon as all its objects are freed. If one object outlives
 * the work, its whole chunk stays in use, so make such an object after the work.
 *
 * Any thread may free an object at any time, by free(). If memory is short, or under a sanitizer, malloc() works as
 * usual and no chunks are used.
 */
#ifndef STINT_MEMORY_QUICK_H
#define STINT_MEMORY_QUICK_H

#include <stdbool.h>
#include <stddef.h>

/* Turns the chunks on or off for this thread. */
void memory_quick(bool on);

/* Releases the chunk of this thread. Call it when the thread ends. */
void memory_quick_end(void);

/* Only malloc() and similar functions call the functions below (memory_limit.c). */

/* Returns @size bytes; NULL if chunks are off for this thread, if @size is too large for a chunk, or if no chunk is free. */
void *memory_quick_get(size_t size);

/* Returns whether @memory lies in one of the chunks. */
bool memory_quick_has(const void *memory);

/* Returns the size in bytes of @memory, which must be in a chunk. */
size_t memory_quick_size(const void *memory);

/* Frees @memory, which must be in a chunk. Any thread may call this. */
void memory_quick_free(void *memory);

#endif
