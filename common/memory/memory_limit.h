/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts failed allocations. If memory runs out, json-c may leave out data without an error. */
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

/* Returns the number of failed allocations in this process. A forked process begins with its parent's number. */
unsigned long memory_failures(void);

#endif
