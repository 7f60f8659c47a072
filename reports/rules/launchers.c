/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/launchers.h"

#include <math.h>

#include "common/utf8.h"
#include "reports/ending/known_programs.h"

#define SHARE_MATTERS 0.02 /* the text page shows no row for a smaller share */

const struct report_tool *launchers_next(const struct report *report, size_t *at)
{
	while (*at < report->tools.count) {
		const struct report_tool *tool = &report->tools.items[(*at)++];

		if (programs_is_launcher(tool->name))
			return tool;
	}
	return NULL;
}

const char *launchers_note(const struct report *report, char text[LAUNCHERS_TEXT])
{
	const struct report_tool *tool;
	size_t count = 0, at = 0;

	text[0] = '\0';
	while ((tool = launchers_next(report, &at)))
		if (tool->states.known)
			utf8_append(text, LAUNCHERS_TEXT, "%s%s", count++ ? ", " : "Without the threads of ", tool->name);
	utf8_append(text, LAUNCHERS_TEXT, ", which wait%s for tasks", count > 1 ? "" : "s");
	return count ? text : NULL;
}

static double sum_s(const struct report_seconds *times, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += fmax(0, report_s(times[i]));
	return sum;
}

/* The states that the list of threads' time shows. The list leaves out waits for children. */
#define LISTED 13
#define LISTED_S(states) \
	sum_s((const struct report_seconds[LISTED]){ (states)->on_cpu_s, (states)->runnable_s, (states)->memory_stall_s, \
						     (states)->fault_io_s, (states)->file_io_s, (states)->gpu_s, (states)->network_s, \
						     (states)->pipe_s, (states)->lock_s, (states)->condition_s, \
						     (states)->event_s, (states)->sleep_s, (states)->other_s }, \
	      LISTED)

bool launchers_matter(const struct report *report)
{
	const struct report_tool *tool;
	double launchers_s = 0;
	size_t at = 0;

	while ((tool = launchers_next(report, &at)))
		launchers_s += LISTED_S(&tool->states);
	return launchers_s > 0 && launchers_s >= SHARE_MATTERS * LISTED_S(&report->states);
}
