/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice to ask for fewer nodes. */
#include <stdio.h>

#include "reports/json/field.h"
#include "reports/json/plural.h"
#include "reports/verdict/advice_internal.h"

#define LINE_MAX_TEXT 64

/* Counts the nodes on which no process of the job's ever ran; -1: that is not known of each. */
static double count_empty(const struct facts *facts, double *count)
{
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);
	double empty = 0;

	*count = field_length(nodes);
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		double processes = fact_number(node, "used.processes");

		if (!field_true(node, "complete") || !(processes >= 0))
			return -1;
		empty += processes == 0;
	}
	return empty;
}

/* A node with a process is needed, however little that did: MPI counts its ranks. */
void advice_nodes(const struct facts *facts, struct json_object *list)
{
	double count, empty = count_empty(facts, &count);
	char line[LINE_MAX_TEXT];
	struct json_object *advice;

	if (!(empty > 0) || !(empty < count) || !facts_show_needs(facts, RULE_ADVICE_ELAPSED) || facts->gpus > 0)
		return;
	snprintf(line, sizeof(line), "#SBATCH --nodes=%.0f", count - empty);
	advice = advice_add(list, line, "No process of the job ever ran on %.0f of its %.0f node%s.", empty, count, plural(count));
	advice_put_value(advice, "nodes", count - empty);
}
