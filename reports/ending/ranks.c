/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/ranks.h"

#include <stddef.h>

#include "common/time_text.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"

#define LOOKED_MAX 64 /* ranks to check: each searches the timeline, and users decide how many there are */

bool ranks_starts(const struct report_entry *entry)
{
	return programs_is_launcher(entry->tool) && !report_text_is(entry->tool, "srun");
}

static bool read_life(const struct report_entry *entry, int64_t *start_us, int64_t *end_us)
{
	return time_parse(entry->start, start_us) && time_parse(entry->end, end_us);
}

static bool ended_within(const struct report_entry *entry, const struct report_entry *launcher)
{
	int64_t start_us, end_us, from_us, to_us;

	return read_life(entry, &start_us, &end_us) && read_life(launcher, &from_us, &to_us) && end_us >= from_us && end_us <= to_us;
}

static bool is_child_of_one(const struct report_entry_list *timeline, const struct report_entry *entry)
{
	const struct report_entry *parent = parts_parent(timeline, entry, NULL);

	while (parent && !ranks_starts(parent))
		parent = parts_parent(timeline, entry, parent);
	return parent;
}

/* A launcher that started @launcher does not count. */
static bool is_at_work_with(const struct report_entry *other, const struct report_entry *launcher)
{
	int64_t start_us, end_us, from_us, to_us;

	return other != launcher && report_text_is(other->step, "batch") && ranks_starts(other) && !other->forked &&
	       ends_code(other) >= 0 && read_life(other, &start_us, &end_us) && read_life(launcher, &from_us, &to_us) &&
	       start_us <= to_us && end_us >= from_us && !parts_is_child(launcher, other);
}

/* Returns false if there are too many launchers to check. */
static bool is_alone(const struct report_entry_list *timeline, const struct report_entry *launcher)
{
	size_t looked = 0;

	for (size_t i = 0; i < timeline->count; i++) {
		const struct report_entry *other = &timeline->items[i];

		if (!is_at_work_with(other, launcher))
			continue;
		if (looked++ == LOOKED_MAX || !is_child_of_one(timeline, other))
			return false;
	}
	return true;
}

static bool is_failed_rank(const struct report_entry *entry, int64_t code)
{
	return !entry->forked && !entry->slurm && !programs_is_launcher(entry->tool) &&
	       (code > 0 ? ends_with(entry, code) : ends_failed(entry));
}

const struct report_entry *ranks_first(const struct report_entry_list *timeline, const struct report_entry *launcher, int64_t code)
{
	const struct report_entry *first = NULL;
	bool alone = is_alone(timeline, launcher);
	int64_t first_ns = 0, end_ns;
	size_t looked = 0;

	for (size_t i = 0; i < timeline->count && looked < LOOKED_MAX; i++) {
		const struct report_entry *entry = &timeline->items[i];

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
