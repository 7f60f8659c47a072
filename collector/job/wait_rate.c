/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/wait_rate.h"

#include <linux/types.h>

#include "bpf/abi.h"

static void measure(struct wait_rate *rate, uint64_t waits, uint64_t now_ns)
{
	uint64_t more = waits - rate->waits, took = now_ns - rate->at_ns;
	bool known = rate->at_ns && waits >= rate->waits && now_ns > rate->at_ns;

	rate->waits = waits;
	rate->at_ns = now_ns;
	rate->per_s = known ? (double)more * 1e9 / (double)took : 0;
}

static bool far_above(const struct wait_rate *rate, unsigned int most)
{
	return rate->per_s > (uint64_t)most * WAIT_RATE_FAR;
}

bool wait_rate_note(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most)
{
	measure(rate, waits, now_ns);
	rate->over = rate->per_s > most ? rate->over + 1 : 0;
	return rate->over >= WAIT_RATE_LOOKS || far_above(rate, most);
}

bool wait_rate_note_rush(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most)
{
	if (rate->at_ns && now_ns - rate->at_ns < WAIT_RATE_RUSH_NS)
		return false;
	measure(rate, waits, now_ns);
	return far_above(rate, most);
}

uint32_t wait_rate_rush_ns(unsigned int most)
{
	uint64_t ns = PRESSURE_MARK * UINT64_C(1000000000) / ((uint64_t)(most ? most : 1) * WAIT_RATE_FAR);

	return ns < UINT32_MAX ? ns : UINT32_MAX;
}

unsigned int wait_rate_cpus(const uint64_t *ns, unsigned int cpus)
{
	uint64_t most = 0;
	unsigned int used = 0;

	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		most = ns[cpu] > most ? ns[cpu] : most;
	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		used += ns[cpu] >= WAIT_RATE_PASSED_NS && ns[cpu] >= most / 100;
	return used;
}
