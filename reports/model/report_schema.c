/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "reports/model/report_tables.h"
#include "reports/model/report_values.h"

/* ---- the lists as tables ---- */

/* A property of the schema. report_fields.h explains the values. */
struct property {
	const char *name;
	enum report_type type;
	const char *of; /* name of the type of the object, or of the list's objects */
	bool is_group;  /* this entry stands for all fields of a group; the member "name" is the name of the group */
	const char *text;
	bool required;
	const char *words, *pattern;
	int least, most;
	bool nulls;
};

struct object {
	const char *name, *text;
	const struct property *properties;
	size_t count;
};

#define FIELD(of_type, member, ...) { .name = #member, .type = REPORT_TYPE_##of_type, .text = __VA_ARGS__ },
#define OBJECT(member, object, ...) { .name = #member, .type = REPORT_TYPE_OBJECT, .of = #object, .text = "" __VA_ARGS__ },
#define LIST(member, object, ...) { .name = #member, .type = REPORT_TYPE_LIST, .of = #object, .text = "" __VA_ARGS__ },
#define GROUP(group, list) { .name = #group, .is_group = true },

#define PROPERTIES(object, list, ...) static const struct property properties_##object[] = { list };
REPORT_GROUPS(PROPERTIES)
REPORT_OBJECTS(PROPERTIES)
PROPERTIES(whole, REPORT_WHOLE)

#define ROW(object, list, ...) { #object, __VA_ARGS__, properties_##object, sizeof(properties_##object) / sizeof(struct property) },
static const struct object objects[] = { REPORT_GROUPS(ROW) REPORT_OBJECTS(ROW) };
static const struct object whole = { "whole", NULL, properties_whole, sizeof(properties_whole) / sizeof(struct property) };

/* ---- the schema's own texts ---- */

static const char head[] =
	"{\n"
	"  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
	"  \"$id\": \"https://stint.invalid/stint-report-1.json\",\n"
	"  \"title\": \"stint job report\",\n"
	"  \"description\": \"What a Slurm job did with what it was given: one object for each job, made of one record from each of its"
	" nodes. A value that is not known is absent, and gaps has its name and the reason; a value that does not apply is null. Names"
	" contain the units: _s seconds, _bytes bytes. Times are RFC 3339 with the node's zone offset. Fields may be added within this"
	" version; readers ignore those that they do not know.\",\n";

/* Types that many properties have. */
static const char types[] =
	"    \"count\": {\"type\": \"integer\", \"minimum\": 0},\n"
	"    \"count_or_null\": {\"type\": [\"integer\", \"null\"], \"minimum\": 0},\n"
	"    \"seconds\": {\"type\": \"number\", \"minimum\": 0},\n"
	"    \"seconds_or_null\": {\"type\": [\"number\", \"null\"], \"minimum\": 0},\n"
	"    \"ratio\": {\"type\": \"number\", \"minimum\": 0},\n"
	"    \"time\": {\"type\": \"string\", \"pattern\": "
	"\"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\\\.[0-9]{3}[+-][0-9]{2}:[0-9]{2}$\"}";

/* ---- properties ---- */

static void print_reference(const char *name, FILE *out)
{
	fprintf(out, "\"$ref\": \"#/$defs/%s\"", name);
}

/* @type: the type's definition, which allows 0 and has no maximum */
static void print_number(const struct property *property, const char *type, FILE *out)
{
	print_reference(type, out);
	if (property->least)
		fprintf(out, ", \"minimum\": %d", property->least);
	if (property->most)
		fprintf(out, ", \"maximum\": %d", property->most);
}

static void print_string(const struct property *property, FILE *out)
{
	fputs("\"type\": \"string\"", out);
	if (property->least)
		fprintf(out, ", \"minLength\": %d", property->least);
	if (property->pattern) {
		fputs(", \"pattern\": ", out);
		values_print_text(property->pattern, out);
	}
}

/* Prints the words in "a|b" as "a", "b". */
static void print_words(const char *words, FILE *out)
{
	while (words) {
		size_t length = strcspn(words, "|");

		fprintf(out, "\"%.*s\"%s", (int)length, words, words[length] ? ", " : "");
		words = words[length] ? words + length + 1 : NULL;
	}
}

static void print_word(const struct property *property, FILE *out)
{
	bool is_one = !strchr(property->words, '|');

	fputs(is_one ? "\"const\": " : "\"enum\": [", out);
	print_words(property->words, out);
	fputs(is_one ? "" : "]", out);
}

static void print_array(const char *of, const char *suffix, FILE *out)
{
	fprintf(out, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%s%s\"}", of, suffix);
}

static void print_map(const struct property *property, const char *of, FILE *out)
{
	fputs("\"type\": \"object\", ", out);
	if (property->words) {
		fputs("\"required\": [", out);
		print_words(property->words, out);
		fputs("], ", out);
	}
	fprintf(out, "\"additionalProperties\": {\"$ref\": \"#/$defs/%s\"}", of);
}

static void print_list(const struct property *property, FILE *out)
{
	const char *suffix = property->nulls ? "_or_null" : "";

	switch (property->type) {
	case REPORT_TYPE_COUNT_LIST:
		print_array("count", suffix, out);
		break;
	case REPORT_TYPE_SECONDS_LIST:
		print_array("seconds", suffix, out);
		break;
	case REPORT_TYPE_COUNT_MAP:
		print_map(property, "count", out);
		break;
	case REPORT_TYPE_RATIO_MAP:
		print_map(property, "ratio", out);
		break;
	case REPORT_TYPE_TEXT_LIST:
		fputs("\"type\": \"array\", \"items\": {\"type\": \"string\"}", out);
		break;
	default:
		print_array(property->of, "", out);
	}
}

/* print_list() prints lists. Types that only the node record has do not occur here. */
static void print_type(const struct property *property, FILE *out)
{
	switch (property->type) {
	case REPORT_TYPE_COUNT:
		print_number(property, "count", out);
		break;
	case REPORT_TYPE_LIMIT:
		print_number(property, "count_or_null", out);
		break;
	case REPORT_TYPE_SECONDS:
		print_number(property, "seconds", out);
		break;
	case REPORT_TYPE_RATIO:
		print_number(property, "ratio", out);
		break;
	case REPORT_TYPE_TEXT:
		print_string(property, out);
		break;
	case REPORT_TYPE_WORD:
		print_word(property, out);
		break;
	case REPORT_TYPE_TIME:
		print_reference("time", out);
		break;
	case REPORT_TYPE_MARK:
		fputs("\"const\": true", out);
		break;
	case REPORT_TYPE_FLAG:
		fputs("\"type\": \"boolean\"", out);
		break;
	case REPORT_TYPE_VALUE:
		fputs("\"type\": [\"number\", \"string\"]", out);
		break;
	case REPORT_TYPE_OBJECT:
		print_reference(property->of, out);
		break;
	default:
		print_list(property, out);
	}
}

static void print_property(const struct property *property, FILE *out)
{
	fprintf(out, "\"%s\": {", property->name);
	print_type(property, out);
	if (*property->text) {
		fputs(", \"description\": ", out);
		values_print_text(property->text, out);
	}
	fputs("}", out);
}

/* ---- objects ---- */

static void print_item_begin(size_t before, const char *name, const char *indent, FILE *out)
{
	if (before)
		fputs(", ", out);
	else
		fprintf(out, "%s\"%s\": [", indent, name);
}

static void print_groups(const struct object *object, const char *indent, FILE *out)
{
	size_t printed = 0;

	for (size_t i = 0; i < object->count; i++) {
		if (!object->properties[i].is_group)
			continue;
		print_item_begin(printed++, "allOf", indent, out);
		fputs("{", out);
		print_reference(object->properties[i].name, out);
		fputs("}", out);
	}
	fputs(printed ? "],\n" : "", out);
}

static void print_required(const struct object *object, const char *indent, FILE *out)
{
	size_t printed = 0;

	for (size_t i = 0; i < object->count; i++) {
		if (!object->properties[i].required)
			continue;
		print_item_begin(printed++, "required", indent, out);
		fprintf(out, "\"%s\"", object->properties[i].name);
	}
	fputs(printed ? "],\n" : "", out);
}

static void print_members(const struct object *object, const char *indent, FILE *out)
{
	size_t printed = 0;

	fprintf(out, "%s\"type\": \"object\",\n", indent);
	print_groups(object, indent, out);
	print_required(object, indent, out);
	fprintf(out, "%s\"properties\": {", indent);
	for (size_t i = 0; i < object->count; i++) {
		if (object->properties[i].is_group)
			continue;
		fprintf(out, "%s\n%s  ", printed++ ? "," : "", indent);
		print_property(&object->properties[i], out);
	}
	if (printed)
		fprintf(out, "\n%s", indent);
	fputs("}", out);
}

static void print_object(const struct object *object, FILE *out)
{
	fprintf(out, ",\n    \"%s\": {\n      \"description\": ", object->name);
	values_print_text(object->text, out);
	fputs(",\n", out);
	print_members(object, "      ", out);
	fputs("\n    }", out);
}

void report_schema_print(FILE *out)
{
	fputs(head, out);
	print_members(&whole, "  ", out);
	fputs(",\n  \"$defs\": {\n", out);
	fputs(types, out);
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		print_object(&objects[i], out);
	fputs("\n  }\n}\n", out);
}
