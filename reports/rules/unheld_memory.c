/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/unheld_memory.h"

#include <math.h>

#define LEAST (64 << 20) /* bytes; slurmstepd, whose memory is not known, may have less than that */

/*
 * Returns an upper bound of the bytes that all processes of the job had at any time. It assumes that all lived at once, each as
 * large as the largest of its tool. NAN: not known for each process.
 */
static double held_at_most(const struct report *report)
{
	double bytes = 0, processes = 0;

	for (size_t i = 0; i < report->tools.count; i++) {
		const struct report_tool *tool = &report->tools.items[i];
		double count = report_number(tool->runs) + fmax(0, report_number(tool->forks));

		if (count == 0) /* slurmstepd began before the job */
			continue;
		bytes += count * report_number(tool->peak_bytes);
		if (!tool->slurm.value)
			processes += count;
	}
	return processes >= report_number(report->used.processes) ? bytes : NAN;
}

/* Whether it is known that no tool was lost. */
static bool has_all_tools(const struct report *report)
{
	for (size_t i = 0; i < report->lost.count; i++)
		if (report_text_is(report->lost.items[i].name, "tools"))
			return report->lost.items[i].value == 0;
	return false;
}

double unheld_memory(const struct report *report)
{
	double used = report_number(report->used.memory_used_peak_bytes), unheld = used - held_at_most(report);

	if (!report->complete.value || report->so_far || !has_all_tools(report))
		return NAN;
	return unheld >= LEAST && unheld >= used / 2 ? unheld : NAN;
}
