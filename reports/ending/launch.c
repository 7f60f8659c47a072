/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/launch.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/time_text.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"

static struct json_object *steps_of(struct json_object *report)
{
	return field_typed(report, "steps", json_type_array);
}

static bool is_extern(struct json_object *step)
{
	return field_is(step, "id", "extern");
}

/* Returns when the last of the steps began its tasks, in microseconds; -1: not known. */
static int64_t last_start_us(struct json_object *report)
{
	struct json_object *steps = steps_of(report);
	int64_t last = -1, us;

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!is_extern(step) && time_parse(field_text(step, "start"), &us) && us > last)
			last = us;
	}
	return last;
}

/* What Slurm runs in the extern step lives as long as the job does, and slurmstepd itself is no program that it runs. */
static struct json_object *busiest_tool(struct json_object *report)
{
	struct json_object *tools = field_typed(report, "tools", json_type_array), *busiest = NULL;
	int64_t until_us = last_start_us(report), end_us;
	double most_s = 0;

	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);

		if (!field_true(tool, "slurm") || !(fact_number(tool, "runs") > 0) || !(fact_number(tool, "cpu_s") > most_s) ||
		    !time_parse(field_text(tool, "last_end"), &end_us) || end_us > until_us)
			continue;
		busiest = tool;
		most_s = fact_number(tool, "cpu_s");
	}
	return busiest;
}

void launch_longest(struct json_object *report, struct launch *launch)
{
	struct json_object *steps = steps_of(report);

	*launch = (struct launch){ .took_s = NAN };
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);
		double took_s = fact_number(step, "launch_s");

		if (is_extern(step) || isnan(took_s) || took_s <= launch->took_s)
			continue;
		launch->took_s = took_s;
		launch->step = field_text(step, "id");
	}
	if (launch->step)
		launch->tool = busiest_tool(report);
}

double launch_of_first(struct json_object *report)
{
	struct json_object *steps = steps_of(report);

	/* they are in the order in which they began */
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!is_extern(step))
			return fmax(0, fact_number(step, "launch_s"));
	}
	return 0;
}
