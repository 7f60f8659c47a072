/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/node_list.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory/array.h"

#define NAME_MAX_BYTES 256

struct names {
	char **list;
	size_t count;
};

static bool add(struct names *names, const char *name)
{
	if (names->count == NODE_LIST_MAX || !*name || !array_room(&names->list, names->count, sizeof(*names->list)))
		return false;
	names->list[names->count] = strdup(name);
	return names->list[names->count++];
}

static bool expand(struct names *names, const char *done, const char *item, size_t length);

/*
 * Reads a number or a range, such as "01-12", at *@at. Sets @width to the number of digits of the first number, because
 * its leading zeros must be kept.
 */
static bool read_range(const char **at, unsigned long *from, unsigned long *to, int *width)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	*from = *to = strtoul(*at, &end, 10);
	*width = (int)(end - *at);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		*to = strtoul(end + 1, &end, 10);
	}
	*at = end;
	return *width <= 18 && *to >= *from && *to - *from < NODE_LIST_MAX;
}

/* @item: begins with '['. @done: the part of the name before the '[' */
static bool expand_ranges(struct names *names, const char *done, const char *item, size_t length)
{
	const char *close = memchr(item, ']', length), *at = item + 1;
	char name[NAME_MAX_BYTES];
	unsigned long from, to;
	int width;

	if (!close)
		return false;
	for (;; at++) {
		if (!read_range(&at, &from, &to, &width) || at > close)
			return false;
		for (unsigned long n = from; n <= to; n++)
			if (snprintf(name, sizeof(name), "%s%0*lu", done, width, n) >= (int)sizeof(name) ||
			    !expand(names, name, close + 1, length - (size_t)(close + 1 - item)))
				return false;
		if (at == close)
			return true;
		if (*at != ',')
			return false;
	}
}

static bool expand(struct names *names, const char *done, const char *item, size_t length)
{
	const char *open = memchr(item, '[', length);
	size_t plain = open ? (size_t)(open - item) : length;
	char name[NAME_MAX_BYTES];

	if (snprintf(name, sizeof(name), "%s%.*s", done, (int)plain, item) >= (int)sizeof(name))
		return false;
	return open ? expand_ranges(names, name, open, length - plain) : add(names, name);
}

/* Returns the length up to the first comma that is not between brackets. */
static size_t item_length(const char *list)
{
	bool inside = false;
	size_t i = 0;

	for (; list[i] && (inside || list[i] != ','); i++)
		inside = list[i] == '[' || (inside && list[i] != ']');
	return i;
}

char **node_list_expand(const char *list, size_t *count)
{
	struct names names = { 0 };
	bool good = list && *list;

	while (good && *list) {
		size_t length = item_length(list);

		good = expand(&names, "", list, length);
		list += length;
		if (*list == ',')
			good = good && *++list;
	}
	*count = names.count;
	if (good)
		return names.list;
	node_list_free(names.list, names.count);
	return NULL;
}

void node_list_free(char **names, size_t count)
{
	for (size_t i = 0; names && i < count; i++)
		free(names[i]);
	free(names);
}
