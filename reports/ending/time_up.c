/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/time_up.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reports/ending/ends.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"

#define RUNS_MAX 16 /* the timeline is looked through for each, and users decide how many there are */
#define TIMED_OUT 124 /* coreutils, src/timeout.c: EXIT_TIMEDOUT */

/*
 * Whether timeout ended its child @entry. By -k or -s KILL it sends SIGKILL to its own process group, and ends by that, too: then the
 * child must have it from above. A child that says by its own code 124 that something timed out was ended by nobody; what ends in good
 * order when SIGTERM comes may end with 0.
 */
static bool was_ended(struct json_object *entry, int64_t code)
{
	int64_t of_child = ends_code(entry);

	if (field_true(entry, "forked") || field_true(entry, "living") || of_child < 0)
		return false;
	if (code == SIGNAL_CODE + SIGKILL)
		return of_child == code && field_true(entry, "dismissed");
	return field_true(entry, "dismissed") || of_child == 0;
}

struct json_object *time_up_program(struct json_object *report, struct json_object *entry)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	int64_t code = ends_code(entry);

	if (!field_is(entry, "tool", "timeout") || (code != TIMED_OUT && code != SIGNAL_CODE + SIGKILL))
		return NULL;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *child = json_object_array_get_idx(timeline, i);

		if (parts_is_child(child, entry) && was_ended(child, code))
			return child;
	}
	return NULL;
}

static bool has_child_with(struct json_object *timeline, struct json_object *parent, int64_t code)
{
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (ends_with(entry, code) && parts_is_child(entry, parent))
			return true;
	}
	return false;
}

bool time_up_passed_on(struct json_object *report, const char *name)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	size_t looked = 0;

	if (!name || strcmp(name, "timeout") != 0)
		return false;
	for (size_t i = 0; i < field_length(timeline) && looked < RUNS_MAX; i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);
		int64_t code = ends_code(entry);

		if (!field_is(entry, "tool", name) || field_true(entry, "forked") || code <= SIGNAL_CODE || !ends_with(entry, code))
			continue;
		looked++;
		if (!has_child_with(timeline, entry, code))
			return false;
	}
	return looked > 0;
}
