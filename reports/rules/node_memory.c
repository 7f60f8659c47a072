/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/node_memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/json/fact_number.h"
#include "reports/json/field.h"

static bool asked_per_node(struct json_object *report)
{
	const char *source = field_text(report, "requested.memory_source");

	return !source || strcmp(source, "per node") == 0;
}

double node_memory(struct json_object *report, struct json_object *node)
{
	double given = fact_number(node, "allocated.memory_bytes");

	if (given > 0 && !asked_per_node(report))
		return given;
	return fact_ratio(fact_number(report, "requested.memory_bytes"), fact_number(report, "requested.nodes"));
}

double node_memory_at_peak(struct json_object *report)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array), *highest = NULL;
	double most = NAN;

	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		double peak = fact_number(node, "used.memory_used_peak_bytes");

		if (isnan(peak) || peak <= most)
			continue;
		most = peak;
		highest = node;
	}
	return node_memory(report, highest);
}
