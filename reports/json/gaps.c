/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/gaps.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/suffix.h"
#include "common/utf8.h"
#include "reports/json/field.h"

#define REASON_MAX 1024

static bool is_gap(struct json_object *gap, const char *name, const char *reason)
{
	const char *gap_name = field_text(gap, "name"), *gap_reason = field_text(gap, "reason");

	return gap_name && strcmp(gap_name, name) == 0 && (!reason || (gap_reason && strcmp(gap_reason, reason) == 0));
}

static bool list_has(struct json_object *gaps, const char *name, const char *reason)
{
	for (size_t i = 0; i < field_length(gaps); i++)
		if (is_gap(json_object_array_get_idx(gaps, i), name, reason))
			return true;
	return false;
}

void gaps_add(struct json_object *gaps, const char *name, const char *reason)
{
	struct json_object *gap;

	if (!gaps || list_has(gaps, name, reason))
		return;
	gap = json_object_new_object();
	put_text(gap, "name", name);
	put_text(gap, "reason", reason);
	json_object_array_add(gaps, gap);
}

void gaps_addf(struct json_object *gaps, const char *name, const char *format, ...)
{
	cleanup_free char *valid = NULL;
	char reason[REASON_MAX];
	va_list args;

	if (!gaps)
		return;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	/* The reason may not be UTF-8, or may end in the middle of a character. */
	valid = utf8_valid(utf8_finish(reason));
	gaps_add(gaps, name, valid);
}

bool gaps_have(struct json_object *gaps, const char *name)
{
	return list_has(gaps, name, NULL);
}

void gaps_merge(struct json_object *gaps, struct json_object *from)
{
	for (size_t i = 0; i < field_length(from); i++) {
		struct json_object *gap = json_object_array_get_idx(from, i);
		const char *name = field_text(gap, "name"), *reason = field_text(gap, "reason");

		if (name && reason)
			gaps_add(gaps, name, reason);
	}
}

bool gaps_chosen(const char *reason)
{
	return has_suffix(reason, "= off in stint.conf");
}
