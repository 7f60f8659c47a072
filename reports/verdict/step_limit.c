/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/step_limit.h"

#include <math.h>

#include "reports/ending/parts.h"

#define MIB (1024 * 1024.0) /* Slurm counts memory in whole MiB, so limits that differ by less are the same */
#define MOST 0.5

/* Returns for how many seconds threads of @step reclaimed memory, or waited for memory. */
static double memory_s(const struct facts *facts, const struct report_step *step)
{
	double made_s = fmax(report_s(step->states.memory_stall_s), report_s(step->reclaim_s));
	double fault_s = facts->wait[FACT_FAULT_IO].cause == CAUSE_MEMORY ? report_s(step->states.fault_io_s) : 0;

	return fmax(0, made_s) + fmax(0, fault_s);
}

/*
 * Returns true if @step ran short of memory at its own limit. It must have come near to the limit, and its threads must
 * have waited for memory. Near alone is not enough, because the memory that a cgroup was charged with includes file
 * cache, which the kernel drops first.
 */
static bool is_short(const struct facts *facts, const struct report_step *step)
{
	double limit = report_number(step->memory_limit_bytes), near = fact_rule(facts, RULE_MEMORY_NEAR) * limit;

	return parts_is_of_srun(step) && limit + MIB < facts->memory_limit && memory_s(facts, step) > 0 &&
	       fmax(report_number(step->memory_charged_peak_bytes), report_number(step->memory_used_peak_bytes)) >= near;
}

static void add_step(struct step_limit *found, const struct report_step *step)
{
	double limit = report_number(step->memory_limit_bytes);

	found->limit = found->steps > 0 && limit != found->limit ? NAN : limit; /* once the limit is NAN, it stays NAN, because
										 * no limit is equal to NAN */
	found->used = fmax(found->used, fact_ratio(report_number(step->memory_used_peak_bytes), limit));
	found->steps++;
}

void step_limit_find(const struct facts *facts, struct step_limit *found)
{
	const struct report_step_list *list = &facts->report->steps;
	struct step_limit only = { .used = NAN };
	double all_s = 0, short_s = 0, most_s = 0;

	*found = (struct step_limit){ .used = NAN };
	for (size_t i = 0; i < list->count; i++) {
		const struct report_step *step = &list->items[i];
		double step_s = memory_s(facts, step);

		all_s += step_s;
		if (!is_short(facts, step))
			continue;
		short_s += step_s;
		add_step(found, step);
		if (step_s > most_s) {
			most_s = step_s;
			only = (struct step_limit){ .id = step->id, .used = NAN };
			add_step(&only, step);
		}
	}
	found->share = fact_ratio(short_s, all_s);
	only.share = fact_ratio(most_s, all_s);
	if (only.share > MOST)
		*found = only;
	else if (!(found->share > MOST))
		found->steps = 0;
}
