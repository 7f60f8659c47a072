/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs stint-site for the checks of the store's host. */
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "reports/doctor/doctor.h"
#include "reports/json/field.h"

#define ANSWER_MS 60000
#define ANSWER_MAX (1u << 20)

static enum doctor_level level_of(const char *name)
{
	enum doctor_level level = DOCTOR_OK;

	while (level < DOCTOR_FAIL && strcmp(doctor_level_name(level), name) != 0)
		level++;
	return level;
}

static void pass_on(struct doctor *doctor, struct json_object *check)
{
	const char *level = field_text(check, "level"), *subject = field_text(check, "subject"), *found = field_text(check, "found");

	if (level && subject && found)
		doctor_say(doctor, level_of(level), subject, field_text(check, "mend"), "%s", found);
}

void doctor_store(struct doctor *doctor, const char *site, const char *config)
{
	char program[PATH_MAX];
	const char *arguments[6] = { doctor_program_path("stint-site", program), "doctor" };
	cleanup_json struct json_object *checks = NULL;
	cleanup_free char *text = NULL;
	size_t count = 2, length;
	struct error err;

	if (site) {
		arguments[count++] = "--site";
		arguments[count++] = site;
	}
	arguments[count] = config ? config : "";
	if (access(program, X_OK) < 0)
		return; /* doctor_programs() says so */
	text = subprocess_output(arguments, ANSWER_MS, ANSWER_MAX, &length, &err);
	if (text)
		checks = field_parse(text, length, "stint-site", json_type_array, &err);
	if (!checks)
		doctor_say(doctor, DOCTOR_FAIL, "stint-site", "see whether its file systems and the database answer, and run it again",
			   "the store could not be checked: %s", err.text);
	for (size_t i = 0; i < field_length(checks); i++)
		pass_on(doctor, json_object_array_get_idx(checks, i));
}
