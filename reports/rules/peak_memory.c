/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/peak_memory.h"

#include <math.h>
#include <stddef.h>

#include "reports/json/fact_number.h"
#include "reports/rules/node_memory.h"

/* Returns the highest limit of @report at which a process was killed; NAN: there is none. @node: NULL: on all nodes */
static double reached_limit(const struct report *report, const struct report_node *node)
{
	double limit = NAN;

	for (size_t i = 0; i < report->oom.count; i++) {
		const struct report_oom_kill *victim = &report->oom.items[i];

		if (!victim->node_ran_out && (!node || report_text_is(node->name, victim->node)))
			limit = fmax(limit, report_number(victim->limit_bytes));
	}
	return limit;
}

void peak_memory_read(const struct report *report, struct peak_memory *peak)
{
	double limit = reached_limit(report, NULL), sampled = report_number(report->used.memory_used_peak_bytes);

	peak->or_more = limit >= sampled; /* false if one of them is not known */
	peak->bytes = peak->or_more ? limit : sampled;
	peak->share = report_ratio(report->used.memory_efficiency);
	if (peak->or_more)
		peak->share = fmax(peak->share, fact_ratio(limit, node_memory_at_peak(report)));
}

double peak_memory_of_node(const struct report *report, const struct report_node *node)
{
	double limit = reached_limit(report, node), sampled = report_number(node->used.memory_used_peak_bytes);

	return limit >= sampled ? limit : sampled;
}
