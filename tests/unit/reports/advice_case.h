/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs and the advice that they get. Include this after cmocka.h. */
#ifndef TESTS_UNIT_REPORTS_ADVICE_CASE_H
#define TESTS_UNIT_REPORTS_ADVICE_CASE_H

#include <stdio.h>
#include <string.h>

#include "reports/json/units.h"
#include "reports/verdict/advice.h"
#include "tests/unit/reports/case.h"

struct job {
	const char *patch;
	const char *line; /* the only line; NULL: none */
	const char *reason; /* NULL: any */
};

/* Returns the line that asks for the number of @advice; "" if it has none. */
static const char *line_of_value(struct json_object *advice, const char *line, char made[64])
{
	char text[DURATION_TEXT];
	int64_t value;

	made[0] = '\0';
	if (field_count(advice, "memory_per_cpu_bytes", &value))
		advice_write_memory_per_cpu((double)value, made, 64);
	else if (field_count(advice, "memory_bytes", &value))
		advice_write_memory((double)value, strncmp(line, "srun", 4) == 0 ? "srun" : "#SBATCH", made, 64);
	else if (field_count(advice, "time_limit_s", &value))
		snprintf(made, 64, "#SBATCH --time=%s", duration_text((double)value, text));
	else if (field_count(advice, "cpus_per_task", &value))
		snprintf(made, 64, "#SBATCH %s--cpus-per-task=%d", strstr(line, "--ntasks=1 ") ? "--ntasks=1 " : "", (int)value);
	return made;
}

/* Programs read the number, and people paste the line. */
static bool asks_for_its_value(struct json_object *advice)
{
	const char *line = field_text(advice, "line");
	char made[64];

	if (strncmp(line, "export ", 7) == 0)
		return json_object_object_length(advice) == 2;
	return strcmp(line_of_value(advice, line, made), line) == 0;
}

static void check(const struct job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cleanup_json struct json_object *report = case_report(jobs[i].patch);
		struct json_object *list, *first;

		judge(report, NULL);
		list = field_find(report, "advice");
		first = json_object_array_get_idx(list, 0);
		if (field_length(list) != (jobs[i].line ? 1 : 0))
			fail_msg("%s: %s", jobs[i].patch, json_object_to_json_string(list));
		if (!jobs[i].line)
			continue;
		assert_string_equal(field_text(first, "line"), jobs[i].line);
		if (!asks_for_its_value(first))
			fail_msg("%s: %s", jobs[i].patch, json_object_to_json_string(first));
		if (jobs[i].reason)
			assert_string_equal(field_text(first, "reason"), jobs[i].reason);
	}
}

#define CHECK(jobs) check(jobs, sizeof(jobs) / sizeof((jobs)[0]))

#endif
