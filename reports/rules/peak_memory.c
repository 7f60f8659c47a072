/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/peak_memory.h"

#include <math.h>
#include <stddef.h>

#include "reports/json/fact_number.h"
#include "reports/rules/node_memory.h"

static const struct report_oom_kill *victim_of_highest(const struct report *report, const struct report_node *node)
{
	const struct report_oom_kill *highest = NULL;

	for (size_t i = 0; i < report->oom.count; i++) {
		const struct report_oom_kill *victim = &report->oom.items[i];

		if (victim->node_ran_out || (node && !report_text_is(node->name, victim->node)))
			continue;
		if (!highest || victim->limit_bytes > highest->limit_bytes)
			highest = victim;
	}
	return highest;
}

static double limit_of(const struct report_oom_kill *victim)
{
	return victim ? report_number(victim->limit_bytes) : NAN;
}

void peak_memory_read(const struct report *report, struct peak_memory *peak)
{
	const struct report_oom_kill *victim = victim_of_highest(report, NULL);
	double limit = limit_of(victim), sampled = report_number(report->used.memory_used_peak_bytes);
	const struct report_node *node = NULL;

	peak->or_more = limit >= sampled; /* false if one is not known */
	peak->bytes = peak->or_more ? limit : sampled;
	if (peak->or_more)
		node = report_node_named(report, victim->node);
	peak->given = node ? node_memory(report, node) : node_memory_at_peak(report);
	peak->share = peak->or_more ? fact_ratio(limit, peak->given) : report_ratio(report->used.memory_efficiency);
}

double peak_memory_of_node(const struct report *report, const struct report_node *node)
{
	double limit = limit_of(victim_of_highest(report, node)), sampled = report_number(node->used.memory_used_peak_bytes);

	return limit >= sampled ? limit : sampled;
}
