/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/node_sums.h"

/* A sum can be negative (use_positive()), which counts as 0. */
static uint64_t take_growth(__u64 *part, uint64_t sum)
{
	uint64_t growth = (int64_t)sum > (int64_t)*part ? sum - *part : 0;

	*part += growth;
	return growth;
}

void node_sums_add(struct node_sums *sums, struct job_part *part, const __u64 use[ABI_USES_SENT], uint64_t processes)
{
	struct node_sums growth = { .processes = take_growth(&part->processes, processes) };

	for (int i = 0; i < ABI_USES_SENT; i++)
		growth.use[i] = take_growth(&part->use[i], use[i]);
	if (!part->older) {
		for (int i = 0; i < ABI_USES_SENT; i++)
			sums->use[i] += growth.use[i];
		sums->processes += growth.processes;
	}
	part->older = false;
}
