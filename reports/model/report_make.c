/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_make.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/arena.h"
#include "common/utf8.h"
#include "reports/model/report_owned.h"

#define ITEMS_MIN 4 /* room of a new list; the room then doubles */

static size_t room_of(size_t count)
{
	size_t room = ITEMS_MIN;

	while (room < count)
		room *= 2;
	return room;
}

static void *add_item(struct report *report, void *member, size_t bytes)
{
	struct report_any_list list;
	void *items;

	memcpy(&list, member, sizeof(list));
	if (!list.has_room || list.count == room_of(list.count)) {
		items = arena_resize(report_arena(report), list.items, list.count * bytes, room_of(list.count + 1) * bytes);
		if (!items) {
			report_lacked(report);
			return NULL;
		}
		list.items = items;
		list.has_room = true;
	}
	list.known = true;
	list.count++;
	memcpy(member, &list, sizeof(list));
	return (char *)list.items + (list.count - 1) * bytes;
}

/*
 * Returns a place for an item for which there is no memory.
 * A list inside a spare item gets a different spare item, so that the list stays valid.
 */
static void *spare_item(struct owned_report *owner, const void *list)
{
	bool of_spare = (uintptr_t)list - (uintptr_t)&owner->spare[0] < sizeof(owner->spare[0]);

	return &owner->spare[of_spare];
}

void *report_add(struct report *report, void *list, const struct report_object *of)
{
	void *item = add_item(report, list, of->bytes);

	if (!item)
		item = spare_item(report_owner(report), list);
	of->forget(item);
	*(bool *)item = true;
	return item;
}

static void *make_items(struct report *report, void *member, size_t count, size_t bytes)
{
	struct report_any_list list = { .known = true };

	list.items = count ? arena_get(report_arena(report), count * bytes) : NULL;
	if (list.items)
		list.count = count;
	else if (count)
		report_lacked(report);
	memcpy(member, &list, sizeof(list));
	return list.items;
}

void report_make(struct report *report, void *list, size_t count, const struct report_object *of)
{
	char *items = make_items(report, list, count, of->bytes);

	for (size_t i = 0; items && i < count; i++) {
		of->forget(items + i * of->bytes);
		*(bool *)(items + i * of->bytes) = true;
	}
}

void report_make_values(struct report *report, void *list, size_t count)
{
	int64_t *items = make_items(report, list, count, sizeof(*items));

	for (size_t i = 0; items && i < count; i++)
		items[i] = REPORT_UNKNOWN;
}

void report_add_text(struct report *report, struct report_texts *list, const char *text)
{
	const char **item = add_item(report, list, sizeof(*item));

	if (item)
		*item = text;
}

void report_add_value(struct report *report, struct report_counts *list, int64_t value)
{
	int64_t *item = add_item(report, list, sizeof(*item));

	if (item)
		*item = value;
}

void report_add_count(struct report *report, struct report_count_map *map, const char *name, int64_t value)
{
	struct report_named_count *item = add_item(report, map, sizeof(*item));

	if (item)
		*item = (struct report_named_count){ name, value };
}

void report_add_ratio(struct report *report, struct report_ratio_map *map, const char *name, double value)
{
	struct report_named_ratio *item = add_item(report, map, sizeof(*item));

	if (item)
		*item = (struct report_named_ratio){ name, value };
}

const char *report_copy(struct report *report, const char *text)
{
	cleanup_free char *valid = NULL;
	size_t size;
	char *copy;

	if (text && !utf8_is_valid(text)) {
		text = valid = utf8_valid(text);
		report_owner(report)->lacks_memory |= !valid;
	}
	if (!text)
		return NULL;
	size = strlen(text) + 1;
	copy = arena_get(report_arena(report), size);
	if (!copy) {
		report_lacked(report);
		return NULL;
	}
	return memcpy(copy, text, size);
}

void report_keep(struct report *report, struct report *part)
{
	struct kept_report *kept = arena_get(report_arena(report), sizeof(*kept));

	if (!kept || report_lacks_memory(part))
		report_lacked(report);
	if (!kept)
		return;
	*kept = (struct kept_report){ report_share(part), report_owner(report)->kept };
	report_owner(report)->kept = kept;
}

void report_lacked(struct report *report)
{
	report_owner(report)->lacks_memory = true;
}

bool report_lacks_memory(const struct report *report)
{
	return ((const struct owned_report *)report)->lacks_memory;
}
