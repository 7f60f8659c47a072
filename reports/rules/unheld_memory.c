/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/unheld_memory.h"

#include <math.h>
#include <stdbool.h>

#include "reports/json/fact_number.h"
#include "reports/json/field.h"

#define LEAST (64 << 20) /* bytes; slurmstepd, of whose memory nothing is known, has some of less */

/*
 * Returns at least as many bytes as all processes of the job had at any time: as if all had lived at once, each as large as the largest
 * of its tool. NAN: that is not known of each.
 */
static double held_at_most(struct json_object *report)
{
	struct json_object *tools = field_typed(report, "tools", json_type_array);
	double bytes = 0, processes = 0;

	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		double count = fact_number(tool, "runs") + fmax(0, fact_number(tool, "forks"));

		if (count == 0) /* slurmstepd began before the job */
			continue;
		bytes += count * fact_number(tool, "peak_bytes");
		if (!field_true(tool, "slurm"))
			processes += count;
	}
	return processes >= fact_number(report, "used.processes") ? bytes : NAN;
}

double unheld_memory(struct json_object *report)
{
	double used = fact_number(report, "used.memory_used_peak_bytes"), unheld = used - held_at_most(report);

	if (!field_true(report, "complete") || field_true(report, "so_far") || fact_number(report, "lost.tools") != 0)
		return NAN;
	return unheld >= LEAST && unheld >= used / 2 ? unheld : NAN;
}
