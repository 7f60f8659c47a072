/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/launchers.h"

#include "common/utf8.h"
#include "reports/ending/known_programs.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"

#define SHARE_MATTERS 0.02 /* as the text page has rows for */

struct json_object *launchers_next(struct json_object *report, size_t *at)
{
	struct json_object *tools = field_typed(report, "tools", json_type_array), *tool;

	while (*at < field_length(tools)) {
		tool = json_object_array_get_idx(tools, (*at)++);
		if (programs_is_launcher(field_text(tool, "name")))
			return tool;
	}
	return NULL;
}

static struct json_object *states_of(struct json_object *tool)
{
	return field_typed(tool, "states", json_type_object);
}

/* A tool stands in a report once. */
const char *launchers_note(struct json_object *report, char text[LAUNCHERS_TEXT])
{
	struct json_object *tool;
	size_t count = 0, at = 0;

	text[0] = '\0';
	while ((tool = launchers_next(report, &at)))
		if (states_of(tool))
			utf8_append(text, LAUNCHERS_TEXT, "%s%s", count++ ? ", " : "Without the threads of ",
				    field_text(tool, "name"));
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
	struct json_object *tool;
	double launchers_s = 0;
	size_t at = 0;

	while ((tool = launchers_next(report, &at)))
		launchers_s += listed_seconds(states_of(tool));
	return launchers_s > 0 && launchers_s >= SHARE_MATTERS * listed_seconds(states_of(report));
}
