/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/stretch.h"

#include <poll.h>
#include <stdint.h>
#include <time.h>

#include "common/clock.h"

#define HOLD_NS 30000
#define REST_NS 200000
/*
 * On a busy processor a rest lasts longer than it should, some milliseconds, and stintd answers no user's query
 * meanwhile. So there are none after this time: a node can have more threads and jobs than there is time for.
 */
#define ALLOWED_NS 800000000

/* Of the one event loop that this process has. */
static struct {
	uint64_t until_ns; /* CLOCK_MONOTONIC; 0: no rests are allowed */
	uint64_t since_ns; /* CLOCK_MONOTONIC: when the last rest ended */
	int urgent_fd; /* -1: nobody waits for this process */
	bool (*full)(const void *data); /* NULL: nothing fills */
	const void *full_data;
} stretch = { .urgent_fd = -1 };

void stretch_watch(int urgent_fd, bool (*full)(const void *data), const void *data)
{
	stretch.urgent_fd = urgent_fd;
	stretch.full = full;
	stretch.full_data = data;
}

void stretch_allow(void)
{
	stretch.since_ns = clock_ns(CLOCK_MONOTONIC);
	stretch.until_ns = stretch.since_ns + ALLOWED_NS;
}

void stretch_rest(void)
{
	const struct timespec rest = { .tv_nsec = REST_NS };
	struct pollfd urgent = { stretch.urgent_fd, POLLIN, 0 };

	if (!stretch.until_ns || clock_ns(CLOCK_MONOTONIC) - stretch.since_ns < HOLD_NS)
		return;
	if (ppoll(&urgent, 1, &rest, NULL) > 0 || (stretch.full && stretch.full(stretch.full_data)))
		stretch.until_ns = 0;
	stretch.since_ns = clock_ns(CLOCK_MONOTONIC);
	if (stretch.since_ns > stretch.until_ns)
		stretch.until_ns = 0;
}

void stretch_end(void)
{
	stretch.until_ns = 0;
}
