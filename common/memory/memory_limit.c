/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/memory/memory_limit.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory/memory_quick.h"

static unsigned long failures;

unsigned long memory_failures(void)
{
	return __atomic_load_n(&failures, __ATOMIC_RELAXED);
}

#if defined(__GLIBC__) && !defined(MEMORY_SANITIZED)
/* The C library's own functions. All functions that allocate are replaced together. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static void *count_failure(void *memory)
{
	if (!memory)
		__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
	return memory;
}

void *malloc(size_t size)
{
	void *quick = memory_quick_get(size);

	return quick ? quick : count_failure(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	size_t whole;
	void *quick = __builtin_mul_overflow(count, size, &whole) ? NULL : memory_quick_get(whole);

	return quick ? memset(quick, 0, whole) : count_failure(__libc_calloc(count, size));
}

static void *realloc_quick(void *memory, size_t size)
{
	size_t had = memory_quick_size(memory);
	void *more = size ? malloc(size) : NULL;

	if (more)
		memcpy(more, memory, had < size ? had : size);
	if (more || !size)
		memory_quick_free(memory);
	return more;
}

void *realloc(void *memory, size_t size)
{
	void *more;

	if (!memory)
		return malloc(size);
	if (memory_quick_has(memory))
		return realloc_quick(memory, size);
	more = __libc_realloc(memory, size);
	return size ? count_failure(more) : more; /* realloc() to 0 bytes frees, and returns NULL */
}

void *memalign(size_t alignment, size_t size)
{
	return count_failure(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	int saved = errno;
	void *aligned;

	if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
		return EINVAL;
	aligned = memalign(alignment, size);
	errno = saved;
	if (!aligned)
		return ENOMEM;
	*memory = aligned;
	return 0;
}

void free(void *memory)
{
	if (memory_quick_has(memory))
		memory_quick_free(memory);
	else
		__libc_free(memory);
}
#endif
