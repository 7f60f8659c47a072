/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts failed allocations. json-c silently leaves out data if memory is short, and errno may have changed by the time
 * the caller looks at it. So a program linked with this counts each failed allocation, whichever code asked for it.
 */
#ifndef STINT_MEMORY_LIMIT_H
#define STINT_MEMORY_LIMIT_H

/* A sanitizer has an allocator of its own, and ends the program if memory runs out. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MEMORY_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_SANITIZED
#endif

/*
 * How many allocations have failed in this process, and before that in its parents before they forked. If two calls
 * return the same number, whatever was made between them is complete.
 */
unsigned long memory_failures(void);

#endif
