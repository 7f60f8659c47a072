/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/not_found.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reports/ending/parts.h"
#include "reports/json/field.h"
#include "reports/json/shells.h"

static bool was_not_found(struct json_object *entry, int64_t script_pid)
{
	int64_t code, parent;

	return field_true(entry, "forked") && !field_true(entry, "living") && field_is(entry, "step", "batch") &&
	       field_count(entry, "ppid", &parent) && parent == script_pid && field_count(entry, "exit_code", &code) &&
	       (code == EXIT_NOT_FOUND || code == EXIT_CANNOT_RUN) && shells_is(entry);
}

/* "sh -c command" runs the command in the place of the shell, and then has no fork. */
bool not_found_by(struct json_object *report, struct json_object *shell)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	int64_t code, own = -1;
	bool any = false;

	if (!field_count(shell, "exit_code", &own) || !shells_is(shell))
		return false;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (!parts_is_child(entry, shell))
			continue;
		any = true;
		if (field_true(entry, "forked") && shells_is(entry) && field_count(entry, "exit_code", &code) && code == own)
			return true;
	}
	return !any && !field_text(shell, "interpreter");
}

int not_found_count(struct json_object *report)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	int64_t script_pid = parts_script_pid(report);
	int count = 0;

	for (size_t i = 0; script_pid >= 0 && i < field_length(timeline); i++)
		count += was_not_found(json_object_array_get_idx(timeline, i), script_pid);
	return count;
}

static bool has_no_process(struct json_object *report, const char *step)
{
	struct json_object *steps = field_typed(report, "progress.steps_without_processes", json_type_array);

	for (size_t i = 0; step && i < field_length(steps); i++) {
		const char *id = json_object_get_string(json_object_array_get_idx(steps, i));

		if (id && strcmp(id, step) == 0)
			return true;
	}
	return false;
}

const char *not_started_reason(struct json_object *report, const char *step, int64_t code)
{
	static const char *const reasons[] = {
		[ENOENT] = "no such file",	[ENOEXEC] = "not a program of this machine's kind",
		[EACCES] = "permission denied", [ENOTDIR] = "no such file",
		[ELOOP] = "its links go round in a circle",
	};

	if (code < 0 || (uint64_t)code >= sizeof(reasons) / sizeof(reasons[0]) || !reasons[code])
		return NULL;
	return has_no_process(report, step) ? reasons[code] : NULL;
}
