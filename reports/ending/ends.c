/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/ends.h"

#include <signal.h>
#include <stddef.h>

#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/shells.h"

/* A forged report may have any number. */
int64_t ends_code_of(int64_t exit_code, int64_t signal)
{
	return signal <= 0 ? exit_code : signal <= SIGNAL_MAX ? SIGNAL_CODE + signal : REPORT_UNKNOWN;
}

int64_t ends_code(const struct report_entry *entry)
{
	return entry ? ends_code_of(entry->exit_code, entry->signal) : REPORT_UNKNOWN;
}

int64_t ends_code_of_step(const struct report_step *step)
{
	return step ? ends_code_of(step->exit_code, step->signal) : REPORT_UNKNOWN;
}

bool ends_with(const struct report_entry *entry, int64_t code)
{
	return ends_code(entry) == code && !entry->living && (code == SIGNAL_CODE + SIGPIPE || !entry->dismissed);
}

bool ends_failed(const struct report_entry *entry)
{
	int64_t code = ends_code(entry);

	return code > 0 && ends_with(entry, code) && !entry->unread &&
	       (shells_is(entry->tool, entry->interpreter) || !programs_is_asked(entry->tool));
}
