/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory/arena.h"
#include "reports/json/scan.h"
#include "reports/model/report_tables.h"
#include "reports/model/report_values.h"

#define ITEMS_MIN 4 /* room of a new list */

const struct report_want report_want_all = { UINT64_MAX, REPORT_PARTS, 0 };

struct reading {
	struct scan scan;
	struct arena *arena;
	size_t text_most; /* a longer string becomes unknown; bytes, 0: no limit */
	int failed; /* errno of the failed allocation, or 0 */
};

static bool read_object(struct reading *reading, const struct report_object *of, void *object);

static bool read_value(struct reading *reading, struct scan_value *value)
{
	if (!values_read(&reading->scan, value))
		return false;
	if (reading->text_most && value->type == SCAN_TEXT && (uint64_t)value->number > reading->text_most)
		value->type = SCAN_NULL;
	return true;
}

/* ---- lists ---- */

/*
 * Adds an item of @bytes at the end of @list, and returns the item; NULL if out of memory.
 *
 * @room: number of items for which the list has room; updated if the list grows
 */
static void *add_item(struct reading *reading, struct report_any_list *list, size_t *room, size_t bytes)
{
	size_t more = *room ? 2 * *room : ITEMS_MIN;
	void *items;

	if (list->count == *room) {
		items = arena_resize(reading->arena, list->items, *room * bytes, more * bytes);
		if (!items) {
			reading->failed = errno;
			return NULL;
		}
		list->items = items;
		*room = more;
	}
	return (char *)list->items + list->count++ * bytes;
}

static bool read_item(struct reading *reading, const struct report_field *field, void *item)
{
	struct scan_value value;

	if (!field->of)
		return read_value(reading, &value) && (values_take_item(field->type, &value, item), true);
	field->of()->forget(item);
	return scan_peek(&reading->scan) == SCAN_OBJECT ? read_object(reading, field->of(), item) : scan_skip(&reading->scan);
}

static bool read_items(struct reading *reading, const struct report_field *field, struct report_any_list *list)
{
	size_t bytes = field->of ? field->of()->bytes : values_item_bytes(field->type), room = 0;
	enum scan_next next;
	void *item;

	if (!scan_enter(&reading->scan))
		return false;
	while ((next = scan_next(&reading->scan, ']', list->count == 0)) == SCAN_ANOTHER) {
		item = add_item(reading, list, &room, bytes);
		if (!item || !read_item(reading, field, item))
			return false;
	}
	/* If the list is the last piece in the arena, the unused room returns to the arena. */
	if (list->count)
		list->items = arena_resize(reading->arena, list->items, room * bytes, list->count * bytes);
	return next == SCAN_END;
}

/* Reads an object whose member names are data. Leaves out members with too long names. */
static bool read_map(struct reading *reading, const struct report_field *field, struct report_any_list *list)
{
	size_t room = 0, length;
	struct scan_value value;
	bool first = true;
	enum scan_next next;
	const char *name;
	void *item;

	if (!scan_enter(&reading->scan))
		return false;
	for (; (next = scan_next(&reading->scan, '}', first)) == SCAN_ANOTHER; first = false) {
		if (!scan_name(&reading->scan, &name, &length) || !read_value(reading, &value))
			return false;
		if (reading->text_most && length > reading->text_most)
			continue;
		item = add_item(reading, list, &room, values_item_bytes(field->type));
		if (!item)
			return false;
		values_take_named(field->type, name, &value, item);
	}
	return next == SCAN_END;
}

/* @member: any struct that begins like struct report_any_list */
static bool read_list(struct reading *reading, const struct report_field *field, void *member)
{
	bool map = field->type == REPORT_TYPE_COUNT_MAP || field->type == REPORT_TYPE_RATIO_MAP, read;
	struct report_any_list list = { 0 };

	if (scan_peek(&reading->scan) == (map ? SCAN_OBJECT : SCAN_LIST)) {
		list.known = true;
		read = map ? read_map(reading, field, &list) : read_items(reading, field, &list);
	} else {
		read = scan_skip(&reading->scan);
	}
	memcpy(member, &list, sizeof(list));
	return read;
}

/* ---- objects ---- */

/* Begins the search behind the last field found, because members mostly come in the order of the fields. */
static const struct report_field *find_field(const struct report_object *of, size_t *next, const char *name, size_t length)
{
	for (size_t i = 0; i < of->count; i++) {
		size_t at = *next + i < of->count ? *next + i : *next + i - of->count;
		const struct report_field *field = &of->fields[at];

		if (field->length == length && memcmp(field->name, name, length) == 0) {
			*next = at + 1;
			return field;
		}
	}
	return NULL;
}

static bool read_field(struct reading *reading, const struct report_field *field, void *object)
{
	void *member = report_member(field, object);
	struct scan_value value;

	switch (field->type) {
	case REPORT_TYPE_OBJECT:
		field->of()->forget(member); /* the text may have this member twice: forget the first one */
		return scan_peek(&reading->scan) == SCAN_OBJECT ? read_object(reading, field->of(), member) :
								   scan_skip(&reading->scan);
	case REPORT_TYPE_LIST:
	case REPORT_TYPE_COUNT_LIST:
	case REPORT_TYPE_SECONDS_LIST:
	case REPORT_TYPE_TEXT_LIST:
	case REPORT_TYPE_COUNT_MAP:
	case REPORT_TYPE_RATIO_MAP:
		return read_list(reading, field, member);
	default:
		if (!read_value(reading, &value))
			return false;
		values_take(field->type, &value, member);
		return true;
	}
}

static size_t count_left_out(const struct report_object *of)
{
	size_t count = 0;

	for (size_t i = 0; i < of->count; i++)
		count += of->fields[i].type == REPORT_TYPE_SUM || of->fields[i].type == REPORT_TYPE_OBJECT;
	return count;
}

/* Makes @object known, with all counts 0. The text left out @object because all its counts are 0. */
static void zero_counts(const struct report_object *of, void *object)
{
	*(bool *)object = true;
	for (size_t i = 0; i < of->count; i++)
		*(int64_t *)report_member(&of->fields[i], object) = 0;
}

/* If an object has more than 64 fields, some fields share a bit. */
static uint64_t bit_of(size_t i)
{
	return UINT64_C(1) << i % 64;
}

/*
 * Sets to 0 the fields that the text left out. A field that is null was not left out.
 * If the writer knew another number of such fields than this version of stint, the fields stay unknown.
 *
 * @there: the bits of the fields in the text
 */
static void fill_rest(const struct report_object *of, int64_t *rest, void *object, uint64_t there)
{
	bool same = *rest >= 0 && (size_t)*rest == count_left_out(of);

	for (size_t i = 0; i < of->count; i++) {
		const struct report_field *field = &of->fields[i];
		void *member = report_member(field, object);

		if (field->type == REPORT_TYPE_SUM && *(int64_t *)member == REPORT_UNKNOWN && same)
			*(int64_t *)member = 0;
		else if (field->type == REPORT_TYPE_SUM && *(int64_t *)member == REPORT_NONE)
			*(int64_t *)member = REPORT_UNKNOWN;
		else if (field->type == REPORT_TYPE_OBJECT && same && !(there & bit_of(i)))
			zero_counts(field->of(), member);
	}
	*rest = (int64_t)count_left_out(of); /* from now on, an unknown field differs from a 0 */
}

/* Reads into @object, of which nothing is known yet. Each struct with a table begins with the bool "known". */
static bool read_object(struct reading *reading, const struct report_object *of, void *object)
{
	const struct report_field *field;
	bool first = true;
	enum scan_next next;
	const char *name;
	uint64_t there = 0;
	size_t length, at = 0;

	if (!scan_enter(&reading->scan))
		return false;
	*(bool *)object = true;
	while ((next = scan_next(&reading->scan, '}', first)) == SCAN_ANOTHER) {
		first = false;
		if (!scan_name(&reading->scan, &name, &length))
			return false;
		field = find_field(of, &at, name, length);
		if (!(field ? read_field(reading, field, object) : scan_skip(&reading->scan)))
			return false;
		there |= field ? bit_of((size_t)(field - of->fields)) : 0;
	}
	if (report_rest(of))
		fill_rest(of, report_member(report_rest(of), object), object, there);
	return next == SCAN_END;
}

/* ---- the whole ---- */

enum whole { WHOLE_READ, WHOLE_STOPPED, WHOLE_DAMAGED };

static enum whole read_whole(struct reading *reading, const struct report_want *want, struct report *report)
{
	const struct report_object *of = report_whole();
	const struct report_field *field;
	bool first = true, read;
	enum scan_next next;
	const char *name;
	size_t length, part, at = 0;

	if (scan_peek(&reading->scan) != SCAN_OBJECT || !scan_enter(&reading->scan))
		return WHOLE_DAMAGED;
	while ((next = scan_next(&reading->scan, '}', first)) == SCAN_ANOTHER) {
		first = false;
		if (!scan_name(&reading->scan, &name, &length))
			return WHOLE_DAMAGED;
		field = find_field(of, &at, name, length);
		part = field ? (size_t)(field - of->fields) : of->count;
		if (field && part == want->until)
			return WHOLE_STOPPED;
		if (!field)
			read = scan_skip(&reading->scan);
		else if (want->parts & UINT64_C(1) << part)
			read = read_field(reading, field, report);
		else
			read = scan_pass(&reading->scan);
		if (!read)
			return WHOLE_DAMAGED;
	}
	return next == SCAN_END ? WHOLE_READ : WHOLE_DAMAGED;
}

static int fail(const struct reading *reading, const char *name, struct error *err)
{
	if (reading->failed == ENOMEM)
		error_set(err, "%s: out of memory", name);
	else
		error_set(err, "%s: refused: it is larger than anything that stint writes", name);
	return reading->failed;
}

static int read_text(struct report *report, char *text, size_t len, const struct report_want *want, const char *name,
		     struct error *err)
{
	struct reading reading = { .scan = { .at = text }, .arena = report_arena(report) };
	enum whole whole;

	reading.arena->most = want->most;
	scan_space(&reading.scan);
	if (*reading.scan.at && *reading.scan.at != '{') {
		error_set(err, "%s: not a JSON object", name);
		return EBADMSG;
	}
	whole = read_whole(&reading, want, report);
	if (reading.failed)
		return fail(&reading, name, err);
	if (whole == WHOLE_STOPPED || scan_finish(&reading.scan, text, len, name, whole == WHOLE_READ, err) == 0)
		return 0;
	return EBADMSG;
}

struct report *report_read(char *text, size_t len, const struct report_want *want, const char *name, struct error *err)
{
	struct report *report = report_new(text);
	int failed;

	if (!report) {
		free(text);
		error_set(err, "%s: out of memory", name);
		errno = ENOMEM;
		return NULL;
	}
	failed = read_text(report, text, len, want, name, err);
	if (!failed) {
		report_arena(report)->most = 0; /* the limit does not apply to later additions */
		return report;
	}
	report_free(report);
	errno = failed;
	return NULL;
}

/* ---- other models ---- */

static int read_any(struct report *memory, const struct report_source *source, enum report_type type, void *member,
		    struct error *err)
{
	const struct report_field whole = { .type = type, .of = source->of };
	struct reading reading = {
		.scan = { .at = source->text },
		.arena = report_arena(memory),
		.text_most = source->text_most,
	};
	bool list = type == REPORT_TYPE_LIST, read;

	scan_space(&reading.scan);
	if (*reading.scan.at && *reading.scan.at != (list ? '[' : '{')) {
		errno = EBADMSG;
		return error_set(err, "%s: not a JSON %s", source->name, list ? "array" : "object");
	}
	read = read_field(&reading, &whole, member);
	if (reading.failed)
		errno = fail(&reading, source->name, err);
	else if (scan_finish(&reading.scan, source->text, source->len, source->name, read, err) == 0)
		return 0;
	else
		errno = EBADMSG;
	return -1;
}

int report_read_object(struct report *memory, const struct report_source *source, void *object, struct error *err)
{
	return read_any(memory, source, REPORT_TYPE_OBJECT, object, err);
}

int report_read_list(struct report *memory, const struct report_source *source, void *list, struct error *err)
{
	return read_any(memory, source, REPORT_TYPE_LIST, list, err);
}

struct report *report_read_objects(struct json_object *objects, const char *name, struct error *err)
{
	const char *text = json_object_to_json_string_ext(objects, JSON_C_TO_STRING_PLAIN);
	char *copy = text ? strdup(text) : NULL;

	if (copy)
		return report_read(copy, strlen(copy), &report_want_all, name, err);
	error_set(err, "%s: out of memory", name);
	errno = ENOMEM;
	return NULL;
}
