/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/report_bounds.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory/array.h"
#include "reports/files/report_file.h"
#include "reports/files/report_owner.h"
#include "reports/json/scan.h"

#define MIB ((size_t)1 << 20)

const struct report_bounds report_bounds_page = { REPORT_BYTES_MAX, 2048 * MIB, false };
const struct report_bounds report_bounds_row = { 16 * MIB, 320 * MIB, false };
const struct report_bounds report_bounds_thread = { 4 * MIB, 32 * MIB, true };

static bool is_bounded(const struct report_bounds *bounds, const struct stat *file)
{
	return bounds->own_too || report_is_others(file);
}

size_t report_bounds_most(const struct report_bounds *bounds)
{
	return bounds->own_too ? bounds->bytes : REPORT_BYTES_MAX;
}

size_t report_weight(const struct report_bounds *bounds, const struct stat *file)
{
	return is_bounded(bounds, file) ? bounds->weight : SIZE_MAX;
}

int report_refuse(const struct stat *file, const char *path, struct error *err)
{
	error_set(err, "%.300s: not read, because stint cannot have written this file of another user (%lld KiB)", path,
		  (long long)file->st_size / 1024);
	errno = EFBIG;
	return -1;
}

int report_check_bytes(const struct report_bounds *bounds, const struct stat *file, const char *path, struct error *err)
{
	if (!is_bounded(bounds, file) || file->st_size <= (off_t)bounds->bytes)
		return 0;
	return report_refuse(file, path, err);
}

/*
 * Bytes of memory that json-c needs at most: for an object with its hash table, for a member's name with its slots,
 * and for a value.
 */
#define OBJECT_WEIGHT 800
#define MEMBER_WEIGHT 240
#define VALUE_WEIGHT 96

/*
 * Returns whether json-c may need more than @most bytes for @text.
 * Counts brackets, colons and commas, because the text may be damaged.
 */
static bool weighs_more(const char *text, size_t len, size_t most)
{
	const char *at = text, *end = text + len;
	size_t weight = len;

	while (at && at < end && weight <= most) {
		char c = *at;

		if (c == '\'') /* refuse: json-c accepts this quote around a member's name */
			return true;
		weight += c == '{' || c == '[' ? OBJECT_WEIGHT : c == ':' ? MEMBER_WEIGHT : c == ',' ? VALUE_WEIGHT : 0;
		at = c == '"' ? scan_past_text(at, end) : at + 1;
	}
	return weight > most;
}

int report_check_weight(const struct report_bounds *bounds, const struct stat *file, const char *text, size_t len,
			const char *path, struct error *err)
{
	if (!is_bounded(bounds, file) || !weighs_more(text, len, bounds->weight))
		return 0;
	return report_refuse(file, path, err);
}

/* ---- files with several names ---- */

const size_t *report_seen_mark(const struct report_seen *seen, const char *path, const struct stat *file)
{
	bool of_directorys = report_owner_is_directorys(path, file->st_uid);

	for (size_t i = 0; i < seen->count; i++)
		if (seen->list[i].ino == file->st_ino && seen->list[i].dev == file->st_dev &&
		    seen->list[i].of_directorys == of_directorys)
			return &seen->list[i].mark;
	return NULL;
}

/* If out of memory, stores nothing: the file is then read again later. */
void report_seen_note(struct report_seen *seen, const char *path, const struct stat *file, size_t mark)
{
	if (!array_room(&seen->list, seen->count, sizeof(*seen->list)))
		return;
	seen->list[seen->count++] = (struct report_seen_file){ file->st_dev, file->st_ino,
							       report_owner_is_directorys(path, file->st_uid), mark };
}
