/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/node_sums.h"

#include <string.h>

static uint64_t take_growth(__u64 *part, uint64_t sum)
{
	uint64_t growth = sum > *part ? sum - *part : 0;

	*part += growth;
	return growth;
}

void node_sums_add(struct node_sums *sums, struct job_part *part, const __u64 use[ABI_USES_SENT], uint64_t processes)
{
	if (part->older) {
		memcpy(part->use, use, sizeof(part->use));
		part->processes = processes;
		part->older = false;
		return;
	}
	for (int i = 0; i < ABI_USES_SENT; i++)
		sums->use[i] += take_growth(&part->use[i], use[i]);
	sums->processes += take_growth(&part->processes, processes);
}
