/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets one allocation of a unit test fail, and counts the allocations. */
#ifndef STINT_FAILING_MEMORY_H
#define STINT_FAILING_MEMORY_H

#include <stddef.h>

extern unsigned long failing_memory_at;    /* number of the allocation that fails; 0: none */
extern unsigned long failing_memory_count; /* allocations so far */

/* Replacements for the C library's functions. */
void *failing_malloc(size_t size);
void *failing_calloc(size_t count, size_t size);
void *failing_realloc(void *memory, size_t size);

#endif
