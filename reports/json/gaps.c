/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/gaps.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "common/cleanup.h"
#include "common/suffix.h"
#include "common/utf8.h"
#include "reports/json/field.h"

#define REASON_MAX 1024

/*
 * The position of a gap in its list, found by the gap's name alone and by its name and reason. Each node of a job may
 * add gaps, and each is looked up before it is added. The table uses open addressing, and belongs to the list.
 */
struct place {
	uint64_t hash; /* 0: this place is free */
	size_t gap;
};

struct index {
	struct place *places;
	size_t room; /* a power of two */
	size_t used;
	size_t gaps; /* how many of the list's gaps are in the table: the first ones */
};

static void index_delete(struct json_object *gaps, void *data)
{
	struct index *index = data;

	(void)gaps;
	free(index->places);
	free(index);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	while (*text++);
	return hash;
}

/*
 * @reason: NULL: the hash is that of the name alone. Each process has another seed, so nobody can choose texts that
 *          collide.
 */
static uint64_t hash_of(const char *name, const char *reason)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325), seed;

	memcpy(&seed, (const void *)(uintptr_t)getauxval(AT_RANDOM), sizeof(seed));
	hash = hash_text(hash ^ seed, name);
	hash = reason ? hash_text(hash, reason) : hash;
	return (hash ^ hash >> 32) | 1;
}

static bool is_gap(struct json_object *gap, const char *name, const char *reason)
{
	const char *gap_name = field_text(gap, "name"), *gap_reason = field_text(gap, "reason");

	return gap_name && strcmp(gap_name, name) == 0 && (!reason || (gap_reason && strcmp(gap_reason, reason) == 0));
}

static void take_place(struct index *index, uint64_t hash, size_t gap)
{
	size_t at = hash & (index->room - 1);

	while (index->places[at].hash)
		at = (at + 1) & (index->room - 1);
	index->places[at] = (struct place){ hash, gap };
	index->used++;
}

/* Makes room for two more places. */
static bool make_room(struct index *index)
{
	struct index larger = { .room = index->room ? index->room * 2 : 64, .gaps = index->gaps };

	if (2 * (index->used + 2) <= index->room)
		return true;
	larger.places = calloc(larger.room, sizeof(*larger.places));
	if (!larger.places)
		return false;
	for (size_t i = 0; i < index->room; i++)
		if (index->places[i].hash)
			take_place(&larger, index->places[i].hash, index->places[i].gap);
	free(index->places);
	*index = larger;
	return true;
}

static bool index_has(const struct index *index, struct json_object *gaps, const char *name, const char *reason)
{
	uint64_t hash = hash_of(name, reason);

	for (size_t at = hash; index->room && index->places[at & (index->room - 1)].hash; at++) {
		const struct place *place = &index->places[at & (index->room - 1)];

		if (place->hash == hash && is_gap(json_object_array_get_idx(gaps, place->gap), name, reason))
			return true;
	}
	return false;
}

/* Adds the next gap of @gaps to the index. */
static bool index_add(struct index *index, struct json_object *gaps)
{
	struct json_object *gap = json_object_array_get_idx(gaps, index->gaps);
	const char *name = field_text(gap, "name"), *reason = field_text(gap, "reason");

	if (!make_room(index))
		return false;
	if (name && !index_has(index, gaps, name, NULL))
		take_place(index, hash_of(name, NULL), index->gaps);
	if (name && reason && !index_has(index, gaps, name, reason))
		take_place(index, hash_of(name, reason), index->gaps);
	index->gaps++;
	return true;
}

/* Returns the index with all of @gaps in it; NULL when memory is short. */
static struct index *index_of(struct json_object *gaps)
{
	struct index *index = json_object_get_userdata(gaps);

	/* Gaps list_has been removed from the list since. */
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

	return index ? index_has(index, gaps, name, reason) : search_list(gaps, name, reason);
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
	/* The reason may list_has been cut within a character, or contain bytes that are no UTF-8. */
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
