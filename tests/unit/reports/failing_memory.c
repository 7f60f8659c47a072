/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces common/memory/memory_limit.c by an allocator that fails once. */
#include "tests/unit/reports/failing_memory.h"

#define __libc_malloc failing_malloc
#define __libc_calloc failing_calloc
#define __libc_realloc failing_realloc
#include "common/memory/memory_limit.c"
#undef __libc_malloc
#undef __libc_calloc
#undef __libc_realloc

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

unsigned long failing_memory_at, failing_memory_count;

static int fails(void)
{
	if (++failing_memory_count != failing_memory_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *failing_malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *failing_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *failing_realloc(void *memory, size_t size)
{
	return size && fails() ? NULL : __libc_realloc(memory, size);
}
