/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/ranks.h"

#include <stddef.h>

#include "common/time_text.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"

#define LOOKED_MAX 64 /* the timeline is looked through for the parent of each, and users decide how many there are */

bool ranks_starts(struct json_object *entry)
{
	return programs_is_launcher(field_text(entry, "tool")) && !field_is(entry, "tool", "srun");
}

/* Reads when @entry began and ended, in microseconds. */
static bool read_life(struct json_object *entry, int64_t *start_us, int64_t *end_us)
{
	return time_parse(field_text(entry, "start"), start_us) && time_parse(field_text(entry, "end"), end_us);
}

static bool ended_within(struct json_object *entry, struct json_object *launcher)
{
	int64_t start_us, end_us, from_us, to_us;

	return read_life(entry, &start_us, &end_us) && read_life(launcher, &from_us, &to_us) && end_us >= from_us && end_us <= to_us;
}

static bool is_child_of_one(struct json_object *timeline, struct json_object *entry)
{
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *other = json_object_array_get_idx(timeline, i);

		if (parts_is_child(entry, other) && ranks_starts(other))
			return true;
	}
	return false;
}

/* Whether @other is another launcher of the job script's step that was at work together with @launcher, and had not started that. */
static bool is_at_work_with(struct json_object *other, struct json_object *launcher)
{
	int64_t start_us, end_us, from_us, to_us;

	return other != launcher && field_is(other, "step", "batch") && ranks_starts(other) && !field_true(other, "forked") &&
	       ends_code(other) >= 0 && read_life(other, &start_us, &end_us) && read_life(launcher, &from_us, &to_us) &&
	       start_us <= to_us && end_us >= from_us && !parts_is_child(launcher, other);
}

/* Of very many launchers it is not looked which of them started another. */
static bool is_alone(struct json_object *timeline, struct json_object *launcher)
{
	size_t looked = 0;

	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *other = json_object_array_get_idx(timeline, i);

		if (!is_at_work_with(other, launcher))
			continue;
		if (looked++ == LOOKED_MAX || !is_child_of_one(timeline, other))
			return false;
	}
	return true;
}

static bool is_failed_rank(struct json_object *entry, int64_t code)
{
	return !field_true(entry, "forked") && !field_true(entry, "slurm") && !programs_is_launcher(field_text(entry, "tool")) &&
	       (code > 0 ? ends_with(entry, code) : ends_failed(entry));
}

struct json_object *ranks_first(struct json_object *timeline, struct json_object *launcher, int64_t code)
{
	struct json_object *first = NULL;
	bool alone = is_alone(timeline, launcher);
	int64_t first_ns = 0, end_ns;
	size_t looked = 0;

	for (size_t i = 0; i < field_length(timeline) && looked < LOOKED_MAX; i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (!is_failed_rank(entry, code) || !parts_end(entry, &end_ns) || (first && end_ns >= first_ns) ||
		    !ended_within(entry, launcher))
			continue;
		looked++;
		if (!parts_is_child(entry, launcher) && !(alone && is_child_of_one(timeline, entry)))
			continue;
		first = entry;
		first_ns = end_ns;
	}
	return first;
}
