/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/standby.h"

#define MANY_NS 10000000000ull /* two records within this time make stintd start a helper */
#define PAUSE_NS 60000000000ull /* after a helper has failed */

bool standby_wanted(struct standby *standby, uint64_t now_ns)
{
	uint64_t last_ns = standby->wanted_ns;

	standby->wanted_ns = now_ns;
	return last_ns && now_ns - last_ns < MANY_NS && now_ns >= standby->after_ns;
}

void standby_failed(struct standby *standby, uint64_t now_ns)
{
	standby->after_ns = now_ns + PAUSE_NS;
}
