/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/evidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/suffix.h"
#include "reports/json/units.h"
#include "reports/model/report_make.h"

#define COUNT_MAX 9e18 /* below INT64_MAX */
#define S_PER_H 3600.0

static struct report_evidence *put_entry(struct evidence *evidence, const char *name, const char *unit)
{
	struct report_evidence *entry = REPORT_ADD(evidence->report, &evidence->list, evidence);

	entry->name = name;
	entry->unit = unit;
	return entry;
}

static void put_whole(struct evidence *evidence, const char *name, double value, const char *unit)
{
	if (evidence && value >= 0 && value < COUNT_MAX)
		put_entry(evidence, name, unit)->value = (struct report_value){ .number = round(value), .whole = true };
}

void evidence_count(struct evidence *evidence, const char *name, double value)
{
	put_whole(evidence, name, value, NULL);
}

void evidence_number(struct evidence *evidence, const char *name, double value, const char *unit)
{
	evidence_against(evidence, name, value, unit, NAN);
}

void evidence_bytes(struct evidence *evidence, const char *name, double value)
{
	put_whole(evidence, name, value, "bytes");
}

void evidence_seconds(struct evidence *evidence, const char *name, double value)
{
	evidence_number(evidence, name, value, "s");
}

void evidence_text(struct evidence *evidence, const char *name, const char *text)
{
	if (evidence && text)
		put_entry(evidence, name, NULL)->value.text = report_copy(evidence->report, text);
}

void evidence_against(struct evidence *evidence, const char *name, double value, const char *unit, double threshold)
{
	struct report_evidence *entry;

	if (!evidence || !isfinite(value))
		return;
	entry = put_entry(evidence, name, unit);
	entry->value.number = value;
	entry->threshold = threshold;
}

static const struct report_evidence *find_entry(const struct report_evidence_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (report_text_is(list->items[i].name, name))
			return &list->items[i];
	return NULL;
}

bool evidence_has(const struct report_evidence_list *list, const char *name)
{
	return find_entry(list, name);
}

double evidence_threshold(const struct report_evidence_list *list, const char *name)
{
	const struct report_evidence *entry = find_entry(list, name);

	return entry ? report_ratio(entry->threshold) : NAN;
}

static size_t length_of_end(const char *name, const char *end)
{
	return has_suffix(name, end) ? strlen(end) : 0;
}

/* No number is written as a power of ten, because some numbers are names (pids). */
static int decimals(double value)
{
	return value == floor(value) || fabs(value) >= 999.5 ? 0 : fabs(value) < 0.9995 ? 3 : fabs(value) < 9.995 ? 2 : 1;
}

/* @unit: core-hours or GiB-hours. A value that would read 0.00 is written in seconds: "9.50 core-seconds". */
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

static void put_words(const struct report_evidence *entry, bool first, FILE *out)
{
	const char *name = entry->name, *text = entry->value.text;
	char value_text[EVIDENCE_VALUE_TEXT] = "";
	size_t length, spare = 0;

	if (!name)
		return;
	if (!text && isfinite(entry->value.number))
		spare = evidence_value_text(name, entry->unit ? entry->unit : "", entry->value.number, value_text);
	length = strlen(name) - spare;
	fputs(first ? "" : ", ", out);
	for (size_t i = 0; i < length; i++)
		fputc(name[i] == '_' ? ' ' : name[i], out);
	fprintf(out, " %s", text ? text : value_text);
}

char *evidence_words(const struct report_evidence_list *list)
{
	const char *before = NULL;
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < list->count; i++) {
		const struct report_evidence *entry = &list->items[i];

		/* A process can have the name of its tool: write it once. */
		if (!report_text_is(entry->value.text, before))
			put_words(entry, i == 0, out);
		before = entry->value.text;
	}
	if (fclose(out) == 0)
		return words;
	free(words);
	return NULL;
}
