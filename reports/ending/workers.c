/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/workers.h"

#include <signal.h>
#include <stdint.h>

#include "common/time_text.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"
#include "reports/json/shells.h"

#define TRIES_S 1.0 /* a child that only tries to execute a program is over by then */
#define LOOKED_MAX 32 /* the timeline is looked through for each, and users decide how many there are */

/* Whether the kernel ends by @signal what crashed, reached a limit of its own, or gave up by itself. */
static bool is_crash(int64_t signal)
{
	return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGSYS ||
	       signal == SIGXFSZ || signal == SIGXCPU;
}

bool workers_crashed(struct json_object *entry)
{
	int64_t signal = 0;

	return field_count(entry, "signal", &signal) && is_crash(signal);
}

/* A shell passes on signals so; a program can end with a code above these, as perl's die does with 255. */
static bool is_signals(int64_t code)
{
	return code > SIGNAL_CODE && code <= SIGNAL_CODE + SIGNAL_MAX;
}

/* srun forks a process that it kills at its end; a launcher tells of its tasks itself. */
bool workers_may_be_lost(struct json_object *entry)
{
	int64_t code = ends_code(entry), signal = code - SIGNAL_CODE;

	if (!field_true(entry, "forked") || field_true(entry, "slurm") || field_is(entry, "step", "extern") || !ends_with(entry, code) ||
	    programs_is_launcher(field_text(entry, "tool")))
		return false;
	if (is_crash(signal) || signal == SIGKILL)
		return true;
	return code > 0 && !is_signals(code) && !shells_is(entry) && fact_number(entry, "wall_s") > TRIES_S &&
	       fact_number(entry, "syscall_write_bytes") > 0;
}

bool workers_may_be_ended(struct json_object *report)
{
	static const char *const names[] = { "kill", "killall", "pkill", "skill", "fuser", "scancel" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (parts_tool(report, names[i]))
			return true;
	return false;
}

/* Whether a parent had forked @other, too: of one node and step, as parts_is_child() says of a parent. */
static bool is_sibling(struct json_object *other, struct json_object *entry)
{
	const char *step = field_text(entry, "step"), *node = field_text(entry, "node");
	int64_t parent, of_other;

	return field_true(other, "forked") && field_count(entry, "ppid", &parent) && field_count(other, "ppid", &of_other) &&
	       of_other == parent && step && field_is(other, "step", step) && (!node || field_is(other, "node", node));
}

/* Whether @parent ended with 0 and after @end_us, in whole milliseconds, as reports know the end of what ended well. */
static bool ended_well(struct json_object *parent, int64_t end_us)
{
	int64_t parent_us;

	return ends_code(parent) == 0 && !field_true(parent, "living") && !field_true(parent, "slurm") &&
	       time_parse(field_text(parent, "end"), &parent_us) && parent_us >= end_us;
}

/*
 * Whether the program that had forked @entry ended later, with 0.
 *
 * @again: gets whether it forked another process after @entry had ended, which may have done the work again
 */
static bool went_on(struct json_object *timeline, struct json_object *entry, bool *again)
{
	int64_t end_us, start_us;
	bool found = false;

	*again = false;
	if (!time_parse(field_text(entry, "end"), &end_us))
		return false;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *other = json_object_array_get_idx(timeline, i);

		if (parts_is_child(entry, other))
			found = found || ended_well(other, end_us);
		else if (other != entry && is_sibling(other, entry) && time_parse(field_text(other, "start"), &start_us))
			*again = *again || start_us >= end_us;
	}
	return found;
}

static bool is_lost(struct json_object *report, struct json_object *entry)
{
	int64_t code = ends_code(entry);
	bool again;

	if (code == SIGNAL_CODE + SIGKILL && (parts_victims(report, field_text(entry, "tool")) > 0 || workers_may_be_ended(report)))
		return false;
	return went_on(field_typed(report, "timeline", json_type_array), entry, &again) && (is_signals(code) || !again);
}

void workers_find(struct lost_workers *lost, struct json_object *report)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	const char *name = NULL;
	size_t looked = 0;

	*lost = (struct lost_workers){ .first = NULL };
	for (size_t i = 0; i < field_length(timeline) && looked < LOOKED_MAX; i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (!workers_may_be_lost(entry) || (name && !field_is(entry, "tool", name)))
			continue;
		looked++;
		if (!is_lost(report, entry))
			continue;
		lost->first = lost->first ? lost->first : entry;
		name = field_text(lost->first, "tool");
		lost->count++;
	}
}
