/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/time_up.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reports/ending/ends.h"
#include "reports/ending/parts.h"

#define RUNS_MAX 16 /* runs to check: each searches the timeline, and users decide how many there are */
#define TIMED_OUT 124 /* EXIT_TIMEDOUT in coreutils, src/timeout.c */

/*
 * Returns true if timeout, which ended with @code, ended its child @entry.
 *
 * With -k or -s KILL, timeout sends SIGKILL to its own process group.
 * Then the child's SIGKILL must come from a process above the child.
 * If the child itself ends with 124, timeout did not end it.
 * A program that ends in good order after SIGTERM may end with 0.
 */
static bool was_ended(const struct report_entry *entry, int64_t code)
{
	int64_t of_child = ends_code(entry);

	if (entry->forked || entry->living || of_child < 0)
		return false;
	if (code == SIGNAL_CODE + SIGKILL)
		return of_child == code && entry->dismissed;
	return entry->dismissed || of_child == 0;
}

const struct report_entry *time_up_program(const struct report *report, const struct report_entry *entry)
{
	int64_t code = ends_code(entry);

	if ((code != TIMED_OUT && code != SIGNAL_CODE + SIGKILL) || !report_text_is(entry->tool, "timeout"))
		return NULL;
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *child = &report->timeline.items[i];

		if (parts_is_child(child, entry) && was_ended(child, code))
			return child;
	}
	return NULL;
}

static bool has_child_with(const struct report_entry_list *timeline, const struct report_entry *parent, int64_t code)
{
	for (size_t i = 0; i < timeline->count; i++) {
		const struct report_entry *entry = &timeline->items[i];

		if (ends_with(entry, code) && parts_is_child(entry, parent))
			return true;
	}
	return false;
}

bool time_up_passed_on(const struct report *report, const char *name)
{
	const struct report_entry_list *timeline = &report->timeline;
	size_t looked = 0;

	if (!name || strcmp(name, "timeout") != 0)
		return false;
	for (size_t i = 0; i < timeline->count && looked < RUNS_MAX; i++) {
		const struct report_entry *entry = &timeline->items[i];
		int64_t code = ends_code(entry);

		if (!report_text_is(entry->tool, name) || entry->forked || code <= SIGNAL_CODE || !ends_with(entry, code))
			continue;
		looked++;
		if (!has_child_with(timeline, entry, code))
			return false;
	}
	return looked > 0;
}
