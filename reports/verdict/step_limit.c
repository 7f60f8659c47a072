/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/step_limit.h"

#include <math.h>

#include "reports/ending/parts.h"

#define MIB (1024 * 1024.0) /* Slurm counts memory in whole MiB */
#define MOST 0.5

static double memory_s(const struct facts *facts, const struct report_step *step)
{
	double made_s = fmax(report_s(step->states.memory_stall_s), report_s(step->reclaim_s));
	double fault_s = facts->wait[FACT_FAULT_IO].cause == CAUSE_MEMORY ? report_s(step->states.fault_io_s) : 0;

	return fmax(0, made_s) + fmax(0, fault_s);
}

/*
 * The charged memory includes file cache, which the kernel drops first.
 * So being near the limit is not enough: threads must have waited for memory.
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

	found->limit = found->steps > 0 && limit != found->limit ? NAN : limit; /* NAN stays NAN: it equals no limit */
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
