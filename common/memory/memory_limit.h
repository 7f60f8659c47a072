/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts failed allocations. If json-c runs out of memory, it leaves out data without an error, and errno may have
 * changed when the caller looks at it. So a program that is linked with this counts each failed allocation, no matter
 * which code asked for it.
 */
#ifndef STINT_MEMORY_LIMIT_H
#define STINT_MEMORY_LIMIT_H

/* A sanitizer has its own allocator, and ends the program if memory runs out. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MEMORY_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_SANITIZED
#endif

/*
 * Returns how many allocations have failed in this process, and in its parents before they forked. If two calls return
 * the same number, everything that was made between them is complete.
 */
unsigned long memory_failures(void);

#endif
