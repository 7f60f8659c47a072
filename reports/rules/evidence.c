/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/evidence.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/suffix.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"
#include "reports/json/units.h"

#define COUNT_MAX 9e18 /* below INT64_MAX */
#define S_PER_H 3600.0

static struct json_object *put_entry(struct json_object *list, const char *name)
{
	struct json_object *entry = json_object_new_object();

	put_text(entry, "name", name);
	json_object_array_add(list, entry);
	return entry;
}

static struct json_object *put_whole(struct json_object *list, const char *name, double value)
{
	struct json_object *entry;

	if (!list || !(value >= 0 && value < COUNT_MAX))
		return NULL;
	entry = put_entry(list, name);
	put_count(entry, "value", llround(value));
	return entry;
}

static struct json_object *put_number(struct json_object *list, const char *name, double value, const char *unit)
{
	struct json_object *entry;

	if (!list || !isfinite(value))
		return NULL;
	entry = put_entry(list, name);
	put_ratio(entry, "value", value);
	put_text(entry, "unit", unit);
	return entry;
}

void evidence_count(struct json_object *list, const char *name, double value)
{
	put_whole(list, name, value);
}

void evidence_number(struct json_object *list, const char *name, double value, const char *unit)
{
	put_number(list, name, value, unit);
}

void evidence_bytes(struct json_object *list, const char *name, double value)
{
	struct json_object *entry = put_whole(list, name, value);

	if (entry)
		put_text(entry, "unit", "bytes");
}

void evidence_seconds(struct json_object *list, const char *name, double value)
{
	put_number(list, name, value, "s");
}

void evidence_text(struct json_object *list, const char *name, const char *text)
{
	if (list && text)
		put_text(put_entry(list, name), "value", text);
}

void evidence_against(struct json_object *list, const char *name, double value, const char *unit, double threshold)
{
	struct json_object *entry = put_number(list, name, value, unit);

	if (entry)
		put_ratio(entry, "threshold", threshold);
}

/* Returns the entry of @list called @name; NULL: there is none. */
static struct json_object *find_entry(struct json_object *list, const char *name)
{
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);
		const char *there = field_text(entry, "name");

		if (there && strcmp(there, name) == 0)
			return entry;
	}
	return NULL;
}

bool evidence_has(struct json_object *list, const char *name)
{
	return find_entry(list, name);
}

double evidence_threshold(struct json_object *list, const char *name)
{
	return fact_number(find_entry(list, name), "threshold");
}

/* ---- in words ---- */

/* Returns the length of @end where @name ends in it; else 0. */
static size_t length_of_end(const char *name, const char *end)
{
	return has_suffix(name, end) ? strlen(end) : 0;
}

/*
 * Returns how many decimals to write. Whole numbers get none, and no number is written as a power of ten: a pid is a
 * name.
 */
static int decimals(double value)
{
	return value == floor(value) || fabs(value) >= 999.5 ? 0 : fabs(value) < 0.9995 ? 3 : fabs(value) < 9.995 ? 2 : 1;
}

/* Writes @value in @unit, core-hours or GiB-hours; what would be 0.00 in seconds: "9.50 core-seconds". */
static void hours_text(const char *unit, double value, char text[EVIDENCE_VALUE_TEXT])
{
	size_t length = has_suffix(unit, "-hours") && strlen(unit) < 24 ? strlen(unit) - strlen("hours") : 0;

	if (length && value > 0 && value < JOB_HOURS_SHOWN)
		snprintf(text, EVIDENCE_VALUE_TEXT, "%.*f %.*sseconds", decimals(value * S_PER_H), value * S_PER_H, (int)length, unit);
	else
		snprintf(text, EVIDENCE_VALUE_TEXT, "%.*f %.32s", value < 9.995 ? 2 : 0, value, unit);
}

size_t evidence_value_text(const char *name, const char *unit, double value, char text[EVIDENCE_VALUE_TEXT])
{
	if (strcmp(unit, "bytes") == 0) {
		size_text(value, text);
		return length_of_end(name, "_bytes");
	}
	if (strcmp(unit, "s") == 0) {
		short_duration_text(value, text);
		return length_of_end(name, "_s");
	}
	if (strcmp(unit, "1/s") == 0) {
		snprintf(text, EVIDENCE_VALUE_TEXT, "%.*f a second", decimals(value), value);
		return length_of_end(name, "_per_s");
	}
	if (*unit) {
		hours_text(unit, value, text);
		return length_of_end(name, "_core_hours") + length_of_end(name, "_gib_hours");
	}
	if (has_suffix(name, "_share") || has_suffix(name, "_efficiency")) {
		snprintf(text, EVIDENCE_VALUE_TEXT, "%.1f %%", 100 * value);
		return length_of_end(name, "_share");
	}
	snprintf(text, EVIDENCE_VALUE_TEXT, "%.*f", value == floor(value) ? 0 : 1, value);
	return 0;
}

static void put_words(struct json_object *entry, bool first, FILE *out)
{
	const char *name = field_text(entry, "name"), *text = field_text(entry, "value"), *unit = field_text(entry, "unit");
	char value_text[EVIDENCE_VALUE_TEXT] = "";
	size_t length, spare = 0;
	double value;

	if (!name)
		return;
	if (!text && field_number(entry, "value", &value) && isfinite(value))
		spare = evidence_value_text(name, unit ? unit : "", value, value_text);
	length = strlen(name) - spare;
	fputs(first ? "" : ", ", out);
	for (size_t i = 0; i < length; i++)
		fputc(name[i] == '_' ? ' ' : name[i], out);
	fprintf(out, " %s", text ? text : value_text);
}

/* A process whose name is its tool's is named once. */
static bool says_the_same(struct json_object *entry, struct json_object *before)
{
	const char *text = field_text(entry, "value"), *other = field_text(before, "value");

	return text && other && strcmp(text, other) == 0;
}

char *evidence_words(struct json_object *list)
{
	struct json_object *before = NULL;
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);

		if (!says_the_same(entry, before))
			put_words(entry, i == 0, out);
		before = entry;
	}
	if (fclose(out) == 0)
		return words;
	free(words);
	return NULL;
}
