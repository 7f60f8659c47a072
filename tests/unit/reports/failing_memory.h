/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A unit test that links failing_memory.c lets one allocation fail, and knows how many there were. */
#ifndef STINT_FAILING_MEMORY_H
#define STINT_FAILING_MEMORY_H

#include <stddef.h>

extern unsigned long failing_memory_at;    /* the number of the allocation that fails; 0: none */
extern unsigned long failing_memory_count; /* of the allocations so far */

/* Replacements for the C library's functions. */
void *failing_malloc(size_t size);
void *failing_calloc(size_t count, size_t size);
void *failing_realloc(void *memory, size_t size);

#endif
