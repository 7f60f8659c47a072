/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/page.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/page_part.h"

#define GAPS_NAMED 4 /* of one reason */

void page_wrapped(FILE *out, const char *first, const char *text)
{
	size_t size = 4 * strlen(text) + 1, indent = escape_width(first), column = indent;
	cleanup_free char *escaped = malloc(size);
	char *rest, *word;

	if (!escaped)
		return;
	fputs(first, out);
	escape_text(text, escaped, size);
	for (word = strtok_r(escaped, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t width = escape_width(word);

		if (column > indent && column + 1 + width > PAGE_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fputs(word, out);
		column += width;
	}
	fputc('\n', out);
}

static const char *reason_of(struct json_object *gaps, size_t i)
{
	return field_text(json_object_array_get_idx(gaps, i), "reason");
}

static bool told_before(struct json_object *gaps, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (reason_of(gaps, before) && strcmp(reason_of(gaps, before), reason_of(gaps, i)) == 0)
			return true;
	return false;
}

/* All names with the reason of gap @i, the first ones by name. */
static void print_reason(struct json_object *gaps, size_t i, FILE *out)
{
	char line[4096];
	size_t used = 0, count = 0;

	for (size_t k = i; k < field_length(gaps); k++) {
		const char *name = field_text(json_object_array_get_idx(gaps, k), "name");

		if (!name || !reason_of(gaps, k) || strcmp(reason_of(gaps, k), reason_of(gaps, i)) != 0)
			continue;
		if (count++ < GAPS_NAMED)
			used += snprintf(line + used, sizeof(line) - used, "%s%.128s", used ? ", " : "", name);
	}
	if (count > GAPS_NAMED)
		used += snprintf(line + used, sizeof(line) - used, " and %zu more", count - GAPS_NAMED);
	if (!count)
		return;
	snprintf(line + used, sizeof(line) - used, ": %s", reason_of(gaps, i));
	page_wrapped(out, "  ", line);
}

static void print_gaps(struct json_object *report, FILE *out)
{
	struct json_object *gaps = field_typed(report, "gaps", json_type_array);

	for (size_t i = 0; i < field_length(gaps); i++)
		if (reason_of(gaps, i) && !told_before(gaps, i))
			print_reason(gaps, i, out);
}

static size_t lost_count(struct json_object *report)
{
	struct json_object *lost = field_typed(report, "lost", json_type_object);
	size_t count = 0;

	json_object_object_foreach(lost, name, value) {
		(void)name;
		count += json_object_is_type(value, json_type_int) && json_object_get_int64(value) > 0;
	}
	return count;
}

void page_incomplete(struct json_object *report, FILE *out)
{
	if (field_true(report, "complete"))
		return;
	fputs("NOT COMPLETE: this report does not tell all of the job.\n", out);
	print_gaps(report, out);
	fputc('\n', out);
}

static void print_lost(struct json_object *report, FILE *out)
{
	struct json_object *lost = field_typed(report, "lost", json_type_object);

	if (lost_count(report) == 0)
		return;
	fputs("\nLost\n", out);
	json_object_object_foreach(lost, name, value) {
		char line[256];

		if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) <= 0)
			continue;
		snprintf(line, sizeof(line), "%s: %lld", name, (long long)json_object_get_int64(value));
		page_wrapped(out, "  ", line);
	}
}

void page_gaps(struct json_object *report, FILE *out)
{
	print_lost(report, out);
	if (!field_true(report, "complete") || field_length(field_typed(report, "gaps", json_type_array)) == 0)
		return; /* those of a report that is not complete stand above */
	fputs("\nNot known\n", out);
	print_gaps(report, out);
}

void page_print(struct json_object *report, FILE *out)
{
	page_incomplete(report, out);
	page_seff(report, out);
	page_more(report, out);
	page_states(report, out);
	page_file_systems(report, out);
	page_findings(report, out);
	page_advice(report, out);
	page_oom(report, out);
	page_stalls(report, out);
	page_tools(report, out);
	page_steps(report, out);
	page_nodes(report, out);
	page_gaps(report, out);
}
