/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/unheld_memory.h"

#include <math.h>

#define LEAST (64 << 20) /* bytes; less may be slurmstepd's memory, which is not known */

/*
 * Returns true if @tool is one of Slurm's own tools and uses next to no memory.
 * slurmstepd has no runs: it began before the job.
 * The sleep of the extern step has no peak if slurmstepd was killed.
 * @count: runs and forks of @tool.
 */
static bool is_small(const struct report_tool *tool, double count)
{
	return count == 0 || (tool->slurm.value && tool->peak_bytes < 0 && report_text_is(tool->name, "sleep"));
}

/*
 * Returns the lower of two bounds, in bytes; NAN if a process is not known:
 *  - All processes lived at once, and each was as large as the largest process of its tool.
 *  - The job had as many processes as threads at its peak, and each was as large as the largest process of all.
 */
static double held_at_most(const struct report *report)
{
	double bytes = 0, processes = 0, largest = 0;

	for (size_t i = 0; i < report->tools.count; i++) {
		const struct report_tool *tool = &report->tools.items[i];
		double count = report_number(tool->runs) + fmax(0, report_number(tool->forks));

		if (is_small(tool, count))
			continue;
		bytes += count * report_number(tool->peak_bytes);
		largest = fmax(largest, report_number(tool->peak_bytes));
		if (!tool->slurm.value)
			processes += count;
	}
	if (isnan(bytes) || !(processes >= report_number(report->used.processes)))
		return NAN;
	return fmin(bytes, largest * report_number(report->used.threads_peak)); /* each process has a thread */
}

static bool has_all_tools(const struct report *report)
{
	for (size_t i = 0; i < report->lost.count; i++)
		if (report_text_is(report->lost.items[i].name, "tools"))
			return report->lost.items[i].value == 0;
	return false;
}

double unheld_bound(const struct report *report)
{
	return report->complete.value && !report->so_far && has_all_tools(report) ? held_at_most(report) : NAN;
}

/* Returns @used minus @bound. Returns NAN if this is less than LEAST, less than half of @used, or not known. */
static double unheld_of(double bound, double used)
{
	double unheld = used - bound;

	return unheld >= LEAST && unheld >= used / 2 ? unheld : NAN;
}

double unheld_memory(const struct report *report)
{
	double bound = unheld_bound(report), unheld = unheld_of(bound, report_number(report->used.memory_used_peak_bytes));

	for (size_t i = 0; i < report->oom.count; i++)
		if (!report->oom.items[i].node_ran_out)
			unheld = fmax(unheld, unheld_of(bound, report_number(report->oom.items[i].limit_bytes)));
	return unheld;
}

double unheld_at_kill(double bound, const struct report_oom_kill *victim)
{
	double limit, unheld;

	if (!victim || victim->node_ran_out)
		return NAN;
	limit = report_number(victim->limit_bytes);
	unheld = unheld_of(bound, limit - report_number(victim->kernel_bytes));
	return unheld >= limit / 2 ? unheld : NAN;
}
