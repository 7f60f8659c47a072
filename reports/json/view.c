/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/view.h"

#include <string.h>

#include "reports/json/scan.h"

struct reader {
	struct scan scan;
	struct view *next;
};

size_t view_room(size_t len)
{
	/* Each value has at least two bytes, except lists and objects without a closing bracket. */
	return len / 2 + SCAN_DEPTH_MAX + 2;
}

static bool read_value(struct reader *reader);

static bool read_name(struct reader *reader)
{
	struct view *name = reader->next++;
	size_t length;

	if (!scan_name(&reader->scan, &name->text, &length))
		return false;
	name->type = VIEW_TEXT;
	name->number = (int64_t)length;
	name->after = 1;
	return true;
}

static bool read_members(struct reader *reader, struct view *value, char end)
{
	enum scan_next next;

	value->number = 0;
	if (!scan_enter(&reader->scan))
		return false;
	while ((next = scan_next(&reader->scan, end, value->number == 0)) == SCAN_ANOTHER) {
		if ((end == '}' && !read_name(reader)) || !read_value(reader))
			return false;
		value->number++;
	}
	return next == SCAN_END;
}

static bool read_plain(struct reader *reader, struct view *value)
{
	static const enum view_type types[] = {
		[SCAN_NULL] = VIEW_NULL, [SCAN_FLAG] = VIEW_FLAG, [SCAN_INT] = VIEW_INT,
		[SCAN_REAL] = VIEW_REAL, [SCAN_TEXT] = VIEW_TEXT,
	};
	struct scan_value plain = { 0 };

	if (!scan_plain(&reader->scan, &plain))
		return false;
	value->type = types[plain.type];
	value->number = plain.number;
	value->text = plain.text;
	return true;
}

static bool read_value(struct reader *reader)
{
	struct view *value = reader->next++;
	bool read;

	switch (scan_peek(&reader->scan)) {
	case SCAN_OBJECT:
		value->type = VIEW_OBJECT;
		read = read_members(reader, value, '}');
		break;
	case SCAN_LIST:
		value->type = VIEW_LIST;
		read = read_members(reader, value, ']');
		break;
	default:
		read = read_plain(reader, value);
	}
	value->after = (uint32_t)(reader->next - value);
	return read;
}

int view_read(char *text, size_t len, const char *name, struct view *values, struct error *err)
{
	struct reader reader = { .scan = { .at = text }, .next = values };

	scan_space(&reader.scan);
	return scan_finish(&reader.scan, text, len, name, read_value(&reader), err);
}

/* ---- looking up ---- */

static const struct view *find_part(const struct view *object, const char *name, size_t length)
{
	const struct view *found = NULL;

	for (const struct view *at = object + 1; at < object + object->after; at += 1 + at[1].after)
		if ((size_t)at->number == length && memcmp(at->text, name, length) == 0)
			found = at + 1;
	return found;
}

const struct view *view_find(const struct view *object, const char *name)
{
	while (view_is(object, VIEW_OBJECT)) {
		const char *dot = strchr(name, '.');

		object = find_part(object, name, dot ? (size_t)(dot - name) : strlen(name));
		if (!dot)
			return object && object->type != VIEW_NULL ? object : NULL;
		name = dot + 1;
	}
	return NULL;
}

bool view_has(const struct view *object, const char *name)
{
	return view_is(object, VIEW_OBJECT) && find_part(object, name, strlen(name));
}

bool view_count(const struct view *object, const char *name, int64_t *value)
{
	const struct view *number = view_find(object, name);

	if (!view_is(number, VIEW_INT) || number->number < 0)
		return false;
	*value = number->number;
	return true;
}
