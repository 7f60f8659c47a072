/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/launch.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/time_text.h"

static bool is_extern(const struct report_step *step)
{
	return report_text_is(step->id, "extern");
}

static int64_t last_start_us(const struct report *report)
{
	int64_t last = -1, us;

	for (size_t i = 0; i < report->steps.count; i++) {
		const struct report_step *step = &report->steps.items[i];

		if (!is_extern(step) && time_parse(step->start, &us) && us > last)
			last = us;
	}
	return last;
}

/*
 * The program in the extern step does not count, because it lives as long as the job.
 * slurmstepd does not count, because Slurm does not start it for the job.
 */
static const struct report_tool *busiest_tool(const struct report *report)
{
	const struct report_tool *busiest = NULL;
	int64_t until_us = last_start_us(report), end_us, most_ns = 0;

	for (size_t i = 0; i < report->tools.count; i++) {
		const struct report_tool *tool = &report->tools.items[i];

		if (!tool->slurm.value || tool->runs <= 0 || tool->cpu_s.ns <= most_ns || !time_parse(tool->last_end, &end_us) ||
		    end_us > until_us)
			continue;
		busiest = tool;
		most_ns = tool->cpu_s.ns;
	}
	return busiest;
}

void launch_longest(const struct report *report, struct launch *launch)
{
	*launch = (struct launch){ .took_s = NAN };
	for (size_t i = 0; i < report->steps.count; i++) {
		const struct report_step *step = &report->steps.items[i];
		double took_s = report_s(step->launch_s);

		if (is_extern(step) || isnan(took_s) || took_s <= launch->took_s)
			continue;
		launch->took_s = took_s;
		launch->step = step->id;
	}
	if (launch->step)
		launch->tool = busiest_tool(report);
}

double launch_of_first(const struct report *report)
{
	/* Steps are sorted by start. */
	for (size_t i = 0; i < report->steps.count; i++)
		if (!is_extern(&report->steps.items[i]))
			return fmax(0, report_s(report->steps.items[i].launch_s));
	return 0;
}
