/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/gaps.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/map.h"
#include "common/suffix.h"
#include "common/utf8.h"
#include "reports/json/field.h"

#define REASON_MAX 1024

/*
 * Which gaps a list has, by their names alone and by their names and reasons. Each node of a job may add gaps, and each is
 * looked up before it is added. The index belongs to the list.
 */
struct index {
	struct map map;
	size_t gaps; /* how many of the list's gaps are in it: the first ones */
};

static void index_delete(struct json_object *gaps, void *data)
{
	struct index *index = data;

	(void)gaps;
	map_free(&index->map);
	free(index);
}

/* Makes the key of a gap, to be freed. @reason: NULL: that of the name alone. Returns its size; 0: memory is short. */
static size_t make_key(const char *name, const char *reason, char **key)
{
	int size = reason ? asprintf(key, "%s%c%s", name, '\0', reason) : asprintf(key, "%s", name);

	return size < 0 ? (*key = NULL, 0) : (size_t)size + 1;
}

static bool is_gap(struct json_object *gap, const char *name, const char *reason)
{
	const char *gap_name = field_text(gap, "name"), *gap_reason = field_text(gap, "reason");

	return gap_name && strcmp(gap_name, name) == 0 && (!reason || (gap_reason && strcmp(gap_reason, reason) == 0));
}

static bool index_add_key(struct index *index, const char *name, const char *reason)
{
	cleanup_free char *key = NULL;
	size_t size = make_key(name, reason, &key);

	return size && map_get(&index->map, key, size);
}

/* Adds the next gap of @gaps to the index. */
static bool index_add(struct index *index, struct json_object *gaps)
{
	struct json_object *gap = json_object_array_get_idx(gaps, index->gaps);
	const char *name = field_text(gap, "name"), *reason = field_text(gap, "reason");

	if (name && (!index_add_key(index, name, NULL) || (reason && !index_add_key(index, name, reason))))
		return false;
	index->gaps++;
	return true;
}

/* Returns the index with all of @gaps in it; NULL when memory is short. */
static struct index *index_of(struct json_object *gaps)
{
	struct index *index = json_object_get_userdata(gaps);

	/* Gaps have been removed from the list since. */
	if (index && index->gaps > field_length(gaps)) {
		json_object_set_userdata(gaps, NULL, NULL);
		index = NULL;
	}
	if (!index) {
		index = calloc(1, sizeof(*index));
		if (!index)
			return NULL;
		json_object_set_userdata(gaps, index, index_delete);
	}
	while (index->gaps < field_length(gaps))
		if (!index_add(index, gaps))
			return NULL;
	return index;
}

static bool search_list(struct json_object *gaps, const char *name, const char *reason)
{
	for (size_t i = 0; i < field_length(gaps); i++)
		if (is_gap(json_object_array_get_idx(gaps, i), name, reason))
			return true;
	return false;
}

static bool list_has(struct json_object *gaps, const char *name, const char *reason)
{
	const struct index *index = gaps ? index_of(gaps) : NULL;
	cleanup_free char *key = NULL;
	size_t size = index ? make_key(name, reason, &key) : 0;

	return size ? map_find(&index->map, key, size) != NULL : search_list(gaps, name, reason);
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
	/* The reason may have been cut within a character, or contain bytes that are no UTF-8. */
	valid = utf8_valid(utf8_finish(reason));
	gaps_add(gaps, name, valid);
}

bool gaps_have(struct json_object *gaps, const char *name)
{
	return list_has(gaps, name, NULL);
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

bool gaps_chosen(const char *reason)
{
	return has_suffix(reason, "= off in stint.conf");
}

bool gaps_concern(struct json_object *report, const char *name, const char *reason)
{
	double read = 0, written = 0;

	if (gaps_chosen(reason) || strstr(reason, GAP_NO_TICK))
		return false;
	if (strncmp(name, "used.async_", strlen("used.async_")) != 0 || !strstr(reason, "libaio is counted for O_DIRECT"))
		return true;
	field_number(report, "used.async_read_bytes", &read);
	field_number(report, "used.async_write_bytes", &written);
	return read + written > 0;
}
