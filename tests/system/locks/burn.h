/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work for the programs in C and C++. */
#ifndef STINT_BURN_H
#define STINT_BURN_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

/* Uses @us microseconds of this thread's CPU time. */
static inline void burn_us(int us)
{
	int64_t until = clock_ns(CLOCK_THREAD_CPUTIME_ID) + us * (int64_t)1000;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

/* Waits until @end_ns of the monotonic clock. If it @burns, computes meanwhile. */
static inline void wait_or_burn(bool burns, int64_t end_ns)
{
	struct timespec end = {.tv_sec = end_ns / 1000000000, .tv_nsec = end_ns % 1000000000};

	while (burns && clock_ns(CLOCK_MONOTONIC) < end_ns)
		burn_us(1000);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

#endif
