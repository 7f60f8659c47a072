/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts failed allocations, because json-c leaves out data without an error if it runs out of memory, and errno may
 * have changed when the caller looks at it. A program that is linked with this file counts each failed allocation, no
 * matter which code asked for the memory.
 */
#ifndef STINT_MEMORY_LIMIT_H
#define STINT_MEMORY_LIMIT_H

/*
 * With a sanitizer, malloc() is not replaced, because a sanitizer has its own allocator, and ends the program if
 * memory runs out.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MEMORY_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_SANITIZED
#endif

/*
 * Returns how many allocations have failed in this process, and in its parents before they forked. If two calls
 * return the same number, no allocation failed in between, so everything that was made in between is complete.
 */
unsigned long memory_failures(void);

#endif
