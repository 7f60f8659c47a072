/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/node_memory.h"

#include <math.h>

#include "reports/json/fact_number.h"

static bool asked_per_node(const struct report_requested *requested)
{
	return !requested->memory_source || report_text_is(requested->memory_source, "per node");
}

double node_memory(const struct report *report, const struct report_node *node)
{
	double given = node ? report_number(node->allocated.memory_bytes) : NAN;

	if (given > 0 && !asked_per_node(&report->requested))
		return given;
	return fact_ratio(report_number(report->requested.memory_bytes), report_number(report->requested.nodes));
}

double node_memory_at_peak(const struct report *report)
{
	const struct report_node *highest = NULL;
	double most = NAN;

	for (size_t i = 0; i < report->nodes.count; i++) {
		const struct report_node *node = &report->nodes.items[i];
		double peak = report_number(node->used.memory_used_peak_bytes);

		if (isnan(peak) || peak <= most)
			continue;
		most = peak;
		highest = node;
	}
	return node_memory(report, highest);
}
