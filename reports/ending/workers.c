/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/workers.h"

#include <signal.h>
#include <stdint.h>

#include "common/time_text.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/shells.h"

#define LOOKED_MAX 32 /* workers to check: each searches the timeline, and users decide how many there are */

/* Signals of a crash or a limit, and SIGABRT of a process that gives up. */
static bool is_crash(int64_t signal)
{
	return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGILL || signal == SIGFPE ||
	       signal == SIGSYS || signal == SIGXFSZ || signal == SIGXCPU;
}

bool workers_crashed(const struct report_entry *entry)
{
	return is_crash(entry->signal);
}

/*
 * A shell passes on a signal as 128 + its number.
 * Programs also end by themselves with higher codes, such as 255 from perl's die.
 */
static bool is_signals(int64_t code)
{
	return code > SIGNAL_CODE && code <= SIGNAL_CODE + SIGNAL_MAX;
}

/* Leaves out launchers: they report failed tasks themselves, and srun kills a fork of its own at its end. */
bool workers_may_be_lost(const struct report_entry *entry)
{
	int64_t code = ends_code(entry), signal = code - SIGNAL_CODE;

	if (!entry->forked || entry->slurm || report_text_is(entry->step, "extern") || !ends_with(entry, code) ||
	    programs_is_launcher(entry->tool))
		return false;
	if (is_crash(signal) || signal == SIGKILL)
		return true;
	return code > 0 && !is_signals(code) && !shells_is(entry->tool, entry->interpreter) &&
	       report_s(entry->wall_s) > EXEC_TRY_S && entry->syscall_write_bytes > 0;
}

static const char *const enders[] = { "kill", "killall", "pkill", "skill", "fuser", "scancel" };

bool workers_is_ender(const char *name)
{
	for (size_t i = 0; i < sizeof(enders) / sizeof(enders[0]); i++)
		if (report_text_is(name, enders[i]))
			return true;
	return false;
}

bool workers_may_be_ended(const struct report *report)
{
	for (size_t i = 0; i < sizeof(enders) / sizeof(enders[0]); i++)
		if (parts_tool(report, enders[i]))
			return true;
	return false;
}

/* Returns true if the parent of @entry also forked @other. */
static bool is_sibling(const struct report_entry *other, const struct report_entry *entry)
{
	return other->forked && entry->ppid >= 0 && other->ppid == entry->ppid && report_text_is(other->step, entry->step) &&
	       (!entry->node || report_text_is(other->node, entry->node));
}

/* Reports have milliseconds for a process that ended well, so no finer time is compared. */
static bool ended_well(const struct report_entry *parent, int64_t end_us)
{
	int64_t parent_us;

	return ends_code(parent) == 0 && !parent->living && !parent->slurm && time_parse(parent->end, &parent_us) &&
	       parent_us >= end_us;
}

/*
 * Returns true if the program that forked @entry ended later, with 0.
 * @again: set to true if the program later forked a process that may have done the work again.
 */
static bool went_on(const struct report_entry_list *timeline, const struct report_entry *entry, bool *again)
{
	int64_t end_us, start_us;
	bool found = false;

	*again = false;
	if (!time_parse(entry->end, &end_us))
		return false;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct report_entry *other = &timeline->items[i];

		if (parts_is_child(entry, other))
			found = found || ended_well(other, end_us);
		else if (other != entry && is_sibling(other, entry) && time_parse(other->start, &start_us))
			*again = *again || start_us >= end_us;
	}
	return found;
}

static bool is_lost(const struct report *report, const struct report_entry *entry)
{
	int64_t code = ends_code(entry);
	bool again;

	if (code == SIGNAL_CODE + SIGKILL && (parts_victims(report, entry->tool) > 0 || workers_may_be_ended(report)))
		return false;
	return went_on(&report->timeline, entry, &again) && (is_signals(code) || !again);
}

void workers_find(struct lost_workers *lost, const struct report *report)
{
	const struct report_entry_list *timeline = &report->timeline;
	const char *name = NULL;
	size_t looked = 0;

	*lost = (struct lost_workers){ .first = NULL };
	for (size_t i = 0; i < timeline->count && looked < LOOKED_MAX; i++) {
		const struct report_entry *entry = &timeline->items[i];

		if (!workers_may_be_lost(entry) || (name && !report_text_is(entry->tool, name)))
			continue;
		looked++;
		if (!is_lost(report, entry))
			continue;
		lost->first = lost->first ? lost->first : entry;
		name = lost->first->tool;
		lost->count++;
	}
}
