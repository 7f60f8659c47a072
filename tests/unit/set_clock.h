/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A clock that goes on only when a test says so, so that durations are exact on a busy machine.
 * Replaces the C library's clock_gettime() in one file of a test.
 */
#ifndef TESTS_UNIT_SET_CLOCK_H
#define TESTS_UNIT_SET_CLOCK_H

#include <stdint.h>
#include <time.h>

static uint64_t set_clock_ns = UINT64_C(1000000000000);

/* All clocks say the same. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now->tv_sec = (time_t)(set_clock_ns / 1000000000);
	now->tv_nsec = (long)(set_clock_ns % 1000000000);
	return 0;
}

static inline void set_clock_add(uint64_t ns)
{
	set_clock_ns += ns;
}

#endif
