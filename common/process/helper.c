/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/process/helper.h"

#include <errno.h>
#include <poll.h>

#include "common/clock.h"

#define IDLE_MS 10000
#define OLD_MS 60000

bool helper_waits(struct helper *helper, int fd)
{
	struct pollfd call = { fd, POLLIN, 0 };
	int64_t now_ms = clock_ms(), idle_ms = now_ms + IDLE_MS;

	if (!helper->old_ms)
		helper->old_ms = now_ms + OLD_MS;
	for (; now_ms < helper->old_ms && now_ms < idle_ms; now_ms = clock_ms()) {
		int ready = poll(&call, 1, (int)(idle_ms - now_ms));

		if (ready > 0)
			return true;
		if (ready < 0 && errno != EINTR)
			return false;
	}
	return false;
}
