/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/gaps.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/utf8.h"
#include "reports/field.h"

#define REASON_MAX 1024

static bool have(struct json_object *gaps, const char *name, const char *reason)
{
	for (size_t i = 0; i < field_length(gaps); i++) {
		struct json_object *gap = json_object_array_get_idx(gaps, i);
		const char *gap_name = field_text(gap, "name"), *gap_reason = field_text(gap, "reason");

		if (gap_name && strcmp(gap_name, name) == 0 &&
		    (!reason || (gap_reason && strcmp(gap_reason, reason) == 0)))
			return true;
	}
	return false;
}

void gaps_add(struct json_object *gaps, const char *name, const char *reason)
{
	struct json_object *gap;

	if (have(gaps, name, reason))
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

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	/* It may have been cut, and be made of what was. */
	valid = utf8_valid(utf8_finish(reason));
	gaps_add(gaps, name, valid);
}

bool gaps_have(struct json_object *gaps, const char *name)
{
	return have(gaps, name, NULL);
}

void gaps_merge(struct json_object *gaps, struct json_object *from, const char *node)
{
	for (size_t i = 0; i < field_length(from); i++) {
		struct json_object *gap = json_object_array_get_idx(from, i);
		const char *name = field_text(gap, "name"), *reason = field_text(gap, "reason");

		if (!name || !reason)
			continue;
		if (node)
			gaps_addf(gaps, name, "%s: %s", node, reason);
		else
			gaps_add(gaps, name, reason);
	}
}
