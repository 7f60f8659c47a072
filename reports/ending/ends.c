/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/ends.h"

#include <signal.h>

#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"
#include "reports/json/shells.h"

int64_t ends_code(struct json_object *entry)
{
	int64_t code = -1, signal = 0;

	field_count(entry, "signal", &signal);
	if (signal > 0)
		return signal <= SIGNAL_MAX ? SIGNAL_CODE + signal : -1; /* a forged report may have any number */
	field_count(entry, "exit_code", &code);
	return code;
}

bool ends_with(struct json_object *entry, int64_t code)
{
	return ends_code(entry) == code && !field_true(entry, "living") &&
	       (code == SIGNAL_CODE + SIGPIPE || !field_true(entry, "dismissed"));
}

bool ends_failed(struct json_object *entry)
{
	int64_t code = ends_code(entry);

	return code > 0 && ends_with(entry, code) && !field_true(entry, "unread") &&
	       (shells_is(entry) || !programs_is_asked(field_text(entry, "tool")));
}
