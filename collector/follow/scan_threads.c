/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/scan_threads.h"

#include "common/clock.h"

#define SCAN_PAUSE_NS 50000000ull /* shortest pause between two scans */
#define SURE_NS 1000000000ull /* scan_make_sure() waits, because another scan may come */
#define SCAN_TIME_SHARE 9 /* a pause is this many scans long */

void scan_threads(struct collector *c)
{
	struct error err;

	if (programs__scan(c->programs, &err) < 0)
		collector_log(LOG_WARNING, "cannot search for threads that are not counted: %s", err.text);
}

void scan_make_sure(struct collector *c)
{
	if (!c->scan_sure_ns)
		c->scan_sure_ns = clock_ns(CLOCK_MONOTONIC) + SURE_NS;
}

bool scan_if_due(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_MONOTONIC), now;
	bool sure = c->scan_sure_ns && began >= c->scan_sure_ns;

	if ((!c->scan_wanted && !sure) || began < c->scan_after_ns)
		return c->scan_wanted;
	c->scan_wanted = false;
	c->scan_sure_ns = 0;
	scan_threads(c);
	now = clock_ns(CLOCK_MONOTONIC);
	c->scan_after_ns = now + SCAN_PAUSE_NS + (now - began) * SCAN_TIME_SHARE;
	return false;
}
