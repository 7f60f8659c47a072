/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/launchers.h"

#include <stddef.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/ending/known_programs.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"

#define SHARE_MATTERS 0.02 /* as the text page has rows for */

/* Returns the states of the @i-th of @tools, if that is a launcher; else NULL. A tool stands in a report once. */
static struct json_object *launchers_states(struct json_object *tools, size_t i)
{
	struct json_object *tool = json_object_array_get_idx(tools, i);

	return programs_is_launcher(field_text(tool, "name")) ? field_typed(tool, "states", json_type_object) : NULL;
}

const char *launchers_note(struct json_object *report, char text[LAUNCHERS_TEXT])
{
	struct json_object *tools = field_typed(report, "tools", json_type_array);
	size_t count = 0;

	text[0] = '\0';
	for (size_t i = 0; i < field_length(tools); i++)
		if (launchers_states(tools, i))
			utf8_append(text, LAUNCHERS_TEXT, "%s%s", count++ ? ", " : "Without the threads of ",
				    field_text(json_object_array_get_idx(tools, i), "name"));
	utf8_append(text, LAUNCHERS_TEXT, ", which wait%s for tasks", count > 1 ? "" : "s");
	return count ? text : NULL;
}

/* Adds up the times that the list has, whose names those of the job are: what waits for children has no part in it. */
static double listed_seconds(struct json_object *states)
{
	static const char *const names[] = { "on_cpu_s", "runnable_s", "memory_stall_s", "fault_io_s", "file_io_s", "network_s",
					     "pipe_s",   "lock_s",     "condition_s",    "event_s",    "sleep_s",   "other_s" };
	double sum = 0, value;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (field_number(states, names[i], &value))
			sum += value;
	return sum;
}

bool launchers_matter(struct json_object *report)
{
	struct json_object *tools = field_typed(report, "tools", json_type_array);
	double launchers_s = 0;

	for (size_t i = 0; i < field_length(tools); i++)
		launchers_s += listed_seconds(launchers_states(tools, i));
	return launchers_s > 0 && launchers_s >= SHARE_MATTERS * listed_seconds(field_typed(report, "states", json_type_object));
}
