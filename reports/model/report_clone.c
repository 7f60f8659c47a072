/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_clone.h"

#include <string.h>

#include "common/memory/arena.h"
#include "common/memory/map.h"
#include "reports/model/report_make.h"
#include "reports/model/report_values.h"

struct cloning {
	struct report *memory;
	struct map texts; /* maps each text to its copy, because entries have only few different texts */
	bool failed;
};

static void clone_object(struct cloning *cloning, const struct report_object *of, void *object);

static void clone_text(struct cloning *cloning, const char **text)
{
	struct map_entry *copy = *text ? map_get(&cloning->texts, *text, strlen(*text)) : NULL;
	size_t size = *text ? strlen(*text) + 1 : 0;

	if (!*text)
		return;
	if (copy && !copy->data) {
		copy->data = arena_get(report_arena(cloning->memory), size);
		if (copy->data)
			memcpy(copy->data, *text, size);
	}
	cloning->failed |= !copy || !copy->data;
	*text = copy ? copy->data : NULL;
}

static char *clone_items(struct cloning *cloning, void *member, size_t bytes)
{
	struct report_any_list list;
	void *items = NULL;

	memcpy(&list, member, sizeof(list));
	if (list.count)
		items = arena_get(report_arena(cloning->memory), list.count * bytes);
	if (items)
		memcpy(items, list.items, list.count * bytes);
	cloning->failed |= list.count && !items;
	list.items = items;
	list.has_room = false;
	list.count = items ? list.count : 0;
	memcpy(member, &list, sizeof(list));
	return items;
}

static size_t count_of(const void *member)
{
	struct report_any_list list;

	memcpy(&list, member, sizeof(list));
	return list.count;
}

static void clone_list(struct cloning *cloning, const struct report_object *of, void *member)
{
	char *items = clone_items(cloning, member, of->bytes);

	for (size_t i = 0; i < count_of(member); i++)
		clone_object(cloning, of, items + i * of->bytes);
}

static void clone_values(struct cloning *cloning, enum report_type type, void *member)
{
	size_t bytes = values_item_bytes(type);
	char *items = clone_items(cloning, member, bytes);
	bool texts = type == REPORT_TYPE_TEXT_LIST || type == REPORT_TYPE_COUNT_MAP || type == REPORT_TYPE_RATIO_MAP;

	/* an item of a map begins with a pointer to its name */
	for (size_t i = 0; texts && i < count_of(member); i++)
		clone_text(cloning, (const char **)(items + i * bytes));
}

static void clone_member(struct cloning *cloning, const struct report_field *field, void *member)
{
	switch (field->type) {
	case REPORT_TYPE_TEXT:
	case REPORT_TYPE_WORD:
	case REPORT_TYPE_TIME:
		clone_text(cloning, member);
		break;
	case REPORT_TYPE_VALUE:
		clone_text(cloning, &((struct report_value *)member)->text);
		break;
	case REPORT_TYPE_OBJECT:
		clone_object(cloning, field->of(), member);
		break;
	case REPORT_TYPE_LIST:
		clone_list(cloning, field->of(), member);
		break;
	case REPORT_TYPE_COUNT_LIST:
	case REPORT_TYPE_SECONDS_LIST:
	case REPORT_TYPE_TEXT_LIST:
	case REPORT_TYPE_COUNT_MAP:
	case REPORT_TYPE_RATIO_MAP:
		clone_values(cloning, field->type, member);
		break;
	default:
		break;
	}
}

static void clone_object(struct cloning *cloning, const struct report_object *of, void *object)
{
	for (size_t i = 0; i < of->count; i++)
		clone_member(cloning, &of->fields[i], report_member(&of->fields[i], object));
}

int report_clone(struct report *memory, const struct report_object *of, void *object)
{
	struct cloning cloning = { .memory = memory };

	clone_object(&cloning, of, object);
	map_free(&cloning.texts);
	return cloning.failed ? -1 : 0;
}
