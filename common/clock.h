/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads clocks. */
#ifndef STINT_CLOCK_H
#define STINT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static inline int64_t clock_ms(void)
{
	return (int64_t)(clock_ns(CLOCK_MONOTONIC) / 1000000);
}

/* Returns nanoseconds since 1970 minus CLOCK_BOOTTIME. */
static inline int64_t clock_boot_to_unix_ns(void)
{
	return (int64_t)(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME));
}

#endif
