/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/memory/memory_limit.h"
#include "reports/model/report_tables.h"
#include "reports/model/report_values.h"

/* How an object or a list is written. in_line has a space between empty brackets, as json-c does. */
struct layout {
	const char *item, *end, *empty, *colon;
};

static const struct layout in_line = { " ", " ", " ", ": " };
static const struct layout on_lines = { "\n    ", "\n  ", "", ": " };
static const struct layout of_whole = { "\n  ", "\n", "", ": " };
static const struct layout compact = { "", "", "", ":" };

static void print_member(const struct report_field *field, const void *member, const struct layout *layout, FILE *out);

static const struct layout *item_layout(const struct layout *layout)
{
	return layout == &compact ? &compact : &in_line;
}

static void print_begin(size_t before, const struct layout *layout, FILE *out)
{
	fputs(before ? "," : "", out);
	fputs(layout->item, out);
}

static void print_end(size_t before, char bracket, const struct layout *layout, FILE *out)
{
	fputs(before ? layout->end : layout->empty, out);
	fputc(bracket, out);
}

/*
 * In an object without a field of type REST, unknown fields are left out.
 * In an object with this field, a SUM of 0 is left out, and an unknown SUM or OBJECT is null.
 *
 * @rest: whether the object has a field of type REST
 */
static bool is_written(const struct report_field *field, const void *member, bool rest)
{
	if (field->type == REPORT_TYPE_OBJECT && rest)
		return true;
	if (field->type == REPORT_TYPE_SUM && rest)
		return *(const int64_t *)member != 0;
	return values_known(field->type, member);
}

static bool has_rest(const struct report_object *of, const void *object)
{
	const struct report_field *rest = report_rest(of);

	return rest && *(const int64_t *)((const char *)object + rest->offset) >= 0;
}

static void print_object(const struct report_object *of, const void *object, const struct layout *layout,
			 const struct layout *inside, FILE *out)
{
	bool rest = has_rest(of, object);
	size_t before = 0;

	fputc('{', out);
	for (size_t i = 0; i < of->count; i++) {
		const struct report_field *field = &of->fields[i];
		const void *member = (const char *)object + field->offset;

		if (!is_written(field, member, rest))
			continue;
		print_begin(before++, layout, out);
		fprintf(out, "\"%s\"%s", field->name, layout->colon);
		print_member(field, member, inside, out);
	}
	print_end(before, '}', layout, out);
}

static void print_map(enum report_type type, const struct report_any_list *map, const struct layout *layout, FILE *out)
{
	fputc('{', out);
	for (size_t i = 0; i < map->count; i++) {
		print_begin(i, layout, out);
		values_print_text(values_name(type, map, i), out);
		fputs(layout->colon, out);
		values_print_item(type, map, i, out);
	}
	print_end(map->count, '}', layout, out);
}

static void print_list(const struct report_field *field, const struct report_any_list *list, const struct layout *layout,
		       FILE *out)
{
	fputc('[', out);
	for (size_t i = 0; i < list->count; i++) {
		print_begin(i, layout, out);
		if (field->of)
			print_object(field->of(), (const char *)list->items + i * field->of()->bytes, item_layout(layout), item_layout(layout), out);
		else
			values_print_item(field->type, list, i, out);
	}
	print_end(list->count, ']', layout, out);
}

static void print_member(const struct report_field *field, const void *member, const struct layout *layout, FILE *out)
{
	struct report_any_list list;

	switch (field->type) {
	case REPORT_TYPE_OBJECT:
		if (!*(const bool *)member) { /* written only in an object with a field of type REST */
			fputs("null", out);
			break;
		}
		print_object(field->of(), member, layout, item_layout(layout), out);
		break;
	case REPORT_TYPE_LIST:
	case REPORT_TYPE_COUNT_LIST:
	case REPORT_TYPE_SECONDS_LIST:
	case REPORT_TYPE_TEXT_LIST:
		memcpy(&list, member, sizeof(list));
		print_list(field, &list, layout, out);
		break;
	case REPORT_TYPE_COUNT_MAP:
	case REPORT_TYPE_RATIO_MAP:
		memcpy(&list, member, sizeof(list));
		print_map(field->type, &list, layout, out);
		break;
	case REPORT_TYPE_SUM: /* written only in an object with a field of type REST */
		if (*(const int64_t *)member < 0) {
			fputs("null", out);
			break;
		}
		/* fall through */
	default:
		values_print(field->type, member, out);
	}
}

char *report_write_object(const struct report_object *of, const void *object, size_t *len)
{
	char *text = NULL, *safe = NULL;
	unsigned long failures = memory_failures();
	FILE *out = open_memstream(&text, len);

	if (!out)
		return NULL;
	if (of == report_whole())
		print_object(of, object, &of_whole, &on_lines, out);
	else
		print_object(of, object, &compact, &compact, out);
	fputs(of == report_whole() ? "\n" : "", out);
	if (fclose(out) == 0 && memory_failures() == failures)
		safe = escape_json(text, len);
	free(text);
	if (safe && memory_failures() == failures)
		return safe;
	free(safe); /* if out of memory, a memory stream loses output without an error */
	errno = ENOMEM;
	return NULL;
}

char *report_write(const struct report *report, size_t *len)
{
	return report_write_object(report_whole(), report, len);
}
