/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/making.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/utf8.h"

#define REASON_MAX 1024

/*
 * Makes the key of a gap, which the caller frees. @reason: NULL for the key of the name alone
 * Returns the key's size; 0 if out of memory.
 */
static size_t make_key(const char *name, const char *reason, char **key)
{
	int size = reason ? asprintf(key, "%s%c%s", name, '\0', reason) : asprintf(key, "%s", name);

	return size < 0 ? (*key = NULL, 0) : (size_t)size + 1;
}

static bool has_gap(const struct making *making, const char *name, const char *reason)
{
	cleanup_free char *key = NULL;
	size_t size = make_key(name, reason, &key);

	return size && map_find(&making->names, key, size);
}

static void note_gap(struct making *making, const char *name, const char *reason)
{
	cleanup_free char *key = NULL;
	size_t size = make_key(name, reason, &key);

	if (!size || !map_get(&making->names, key, size))
		report_lacked(making->report);
}

void making_gap(struct making *making, const char *name, const char *reason)
{
	struct report_gap *gap;

	if (!making->gaps || has_gap(making, name, reason))
		return;
	gap = REPORT_ADD(making->report, making->gaps, gap);
	gap->name = report_copy(making->report, name);
	gap->reason = report_copy(making->report, reason);
	if (gap->name)
		note_gap(making, gap->name, NULL);
	if (gap->name && gap->reason)
		note_gap(making, gap->name, gap->reason);
}

void making_gapf(struct making *making, const char *name, const char *format, ...)
{
	cleanup_free char *valid = NULL;
	char reason[REASON_MAX];
	va_list args;

	if (!making->gaps)
		return;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	/* The reason may have bytes that are not UTF-8. */
	valid = utf8_valid(utf8_finish(reason));
	if (valid)
		making_gap(making, name, valid);
	else
		report_lacked(making->report);
}

bool making_has_gap(const struct making *making, const char *name)
{
	return has_gap(making, name, NULL);
}

void making_add_gaps(struct making *making, const struct record_gap_list *from, const char *node)
{
	for (size_t i = 0; making->gaps && i < from->count; i++) {
		const struct record_gap *gap = &from->items[i];

		if (!gap->name || !gap->reason)
			continue;
		if (node)
			making_gapf(making, gap->name, "%s: %s", node, gap->reason);
		else
			making_gap(making, gap->name, gap->reason);
	}
}

void making_end(struct making *making)
{
	map_free(&making->names);
}
