/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/not_found.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/ending/parts.h"
#include "reports/json/shells.h"

static bool was_not_found(const struct report_entry *entry, int64_t script_pid)
{
	return entry->forked && !entry->living && report_text_is(entry->step, "batch") && entry->ppid == script_pid &&
	       (entry->exit_code == EXIT_NOT_FOUND || entry->exit_code == EXIT_CANNOT_RUN) &&
	       shells_is(entry->tool, entry->interpreter);
}

/* The shell of "sh -c command" does not fork, but runs the command by exec. */
bool not_found_by(const struct report *report, const struct report_entry *shell)
{
	const struct report_entry_list *timeline = &report->timeline;
	bool any = false;

	if (!shell || shell->exit_code < 0 || !shells_is(shell->tool, shell->interpreter))
		return false;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct report_entry *entry = &timeline->items[i];

		if (!parts_is_child(entry, shell))
			continue;
		any = true;
		if (entry->forked && shells_is(entry->tool, entry->interpreter) && entry->exit_code == shell->exit_code)
			return true;
	}
	return !any && !shell->interpreter;
}

int not_found_count(const struct report *report)
{
	int64_t script_pid = parts_script_pid(report);
	int count = 0;

	for (size_t i = 0; script_pid >= 0 && i < report->timeline.count; i++)
		count += was_not_found(&report->timeline.items[i], script_pid);
	return count;
}

static bool has_no_process(const struct report *report, const char *step)
{
	const struct report_texts *ids = &report->progress.steps_without_processes;

	for (size_t i = 0; i < ids->count; i++)
		if (report_text_is(ids->items[i], step))
			return true;
	return false;
}

const char *not_started_reason(const struct report *report, const char *step, int64_t code)
{
	static const char *const reasons[] = {
		[ENOENT] = "no such file",	[ENOEXEC] = "not a program of this machine's kind",
		[EACCES] = "permission denied", [ENOTDIR] = "no such file",
		[ELOOP] = "its links form a loop",
	};

	if (code < 0 || (uint64_t)code >= sizeof(reasons) / sizeof(reasons[0]) || !reasons[code])
		return NULL;
	return has_no_process(report, step) ? reasons[code] : NULL;
}
