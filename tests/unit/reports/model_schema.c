/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of the report's fields and reports/report.schema.json name the same fields, of types that fit. */
#include <fcntl.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/json/field.h"
#include "reports/model/report_tables.h"

#define SCHEMA_BYTES (1 << 20)
#define PATH 256
#define DEFS "#/$defs/"

static struct json_object *schema;
static size_t differences, fields;

static void differ(const char *path, const char *name, const char *how)
{
	print_message("# %s.%s: %s\n", path, name, how);
	differences++;
}

/* ---- the schema ---- */

/* Returns the definition that @of refers to; NULL: it refers to none. */
static struct json_object *referred(struct json_object *of)
{
	const char *name = field_text(of, "$ref");
	struct json_object *found = NULL;

	if (!name)
		return NULL;
	assert_int_equal(strncmp(name, DEFS, strlen(DEFS)), 0);
	json_object_object_get_ex(field_find(schema, "$defs"), name + strlen(DEFS), &found);
	if (!found)
		fail_msg("the schema refers to %s, which is not there", name);
	return found;
}

/* Returns the keyword @name of @of, or of what it refers to; NULL: they do not have it. */
static struct json_object *keyword(struct json_object *of, const char *name)
{
	struct json_object *value = NULL;

	for (; of && !value; of = referred(of))
		json_object_object_get_ex(of, name, &value);
	return value;
}

static bool refers_to(struct json_object *of, const char *name)
{
	const char *to = field_text(of, "$ref");

	return to && strcmp(to + strlen(DEFS), name) == 0;
}

/* An object has its own properties, and those of what it refers to. */
static struct json_object *find_property(struct json_object *object, const char *name)
{
	struct json_object *found = NULL;

	for (; object && !found; object = referred(object))
		found = field_find(field_find(object, "properties"), name);
	return found;
}

static struct json_object *find_by_pattern(struct json_object *object, const char *name)
{
	struct json_object *patterns = keyword(object, "patternProperties");
	regex_t pattern;
	bool matches;

	if (!patterns)
		return NULL;
	json_object_object_foreach(patterns, text, property) {
		assert_int_equal(regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB), 0);
		matches = regexec(&pattern, name, 0, NULL, 0) == 0;
		regfree(&pattern);
		if (matches)
			return property;
	}
	return NULL;
}

/* Whether the type is @one, or one of @one and @other, which may be NULL. */
static bool is_type(struct json_object *of, const char *one, const char *other)
{
	struct json_object *type = keyword(of, "type");
	const char *first = json_object_get_string(json_object_is_type(type, json_type_array) ?
							   json_object_array_get_idx(type, 0) : type);
	const char *second = json_object_is_type(type, json_type_array) && json_object_array_length(type) == 2 ?
				     json_object_get_string(json_object_array_get_idx(type, 1)) : NULL;

	if (!first || strcmp(first, one) != 0)
		return false;
	return json_object_is_type(type, json_type_array) ? other && second && strcmp(second, other) == 0 : !other;
}

static bool is_constant(struct json_object *of, enum json_type type)
{
	return json_object_is_type(keyword(of, "const"), type);
}

/* ---- types ---- */

static bool fits_list(enum report_type type, struct json_object *items)
{
	switch (type) {
	case REPORT_TYPE_COUNT_LIST:
		return is_type(items, "integer", NULL) || is_type(items, "integer", "null");
	case REPORT_TYPE_SECONDS_LIST:
		return refers_to(items, "seconds") || is_type(items, "number", "null");
	default:
		return is_type(items, "string", NULL);
	}
}

static bool fits(enum report_type type, struct json_object *property)
{
	switch (type) {
	case REPORT_TYPE_COUNT:
		return is_type(property, "integer", NULL);
	case REPORT_TYPE_LIMIT:
		return is_type(property, "integer", "null");
	case REPORT_TYPE_SECONDS:
		return refers_to(property, "seconds");
	case REPORT_TYPE_RATIO:
		return is_type(property, "number", NULL) && !refers_to(property, "seconds");
	case REPORT_TYPE_TEXT:
		return is_type(property, "string", NULL) && !refers_to(property, "time");
	case REPORT_TYPE_WORD:
		return keyword(property, "enum") || is_constant(property, json_type_string);
	case REPORT_TYPE_TIME:
		return refers_to(property, "time");
	case REPORT_TYPE_MARK:
		return is_constant(property, json_type_boolean);
	case REPORT_TYPE_FLAG:
		return is_type(property, "boolean", NULL);
	case REPORT_TYPE_VALUE:
		return is_type(property, "number", "string");
	case REPORT_TYPE_OBJECT:
		return is_type(property, "object", NULL);
	case REPORT_TYPE_LIST:
		return is_type(property, "array", NULL) && is_type(keyword(property, "items"), "object", NULL);
	case REPORT_TYPE_COUNT_MAP:
		return is_type(keyword(property, "additionalProperties"), "integer", NULL);
	case REPORT_TYPE_RATIO_MAP:
		return is_type(keyword(property, "additionalProperties"), "number", NULL);
	default:
		return is_type(property, "array", NULL) && fits_list(type, keyword(property, "items"));
	}
}

/* ---- both ---- */

static void check_object(const struct report_object *of, struct json_object *object, const char *path);

static void check_field(const struct report_field *field, struct json_object *object, const char *path)
{
	struct json_object *property = find_property(object, field->name);
	char inner[PATH];

	fields++;
	if (!property)
		property = find_by_pattern(object, field->name);
	if (!property) {
		differ(path, field->name, "reports/model/report_fields.h has it, the schema does not");
		return;
	}
	if (!fits(field->type, property)) {
		differ(path, field->name, "its type in the schema is not that of reports/model/report_fields.h");
		return;
	}
	if (!field->of)
		return;
	snprintf(inner, sizeof(inner), "%s.%s", path, field->name);
	check_object(field->of(), field->type == REPORT_TYPE_LIST ? keyword(property, "items") : property, inner);
}

static bool has_field(const struct report_object *of, const char *name)
{
	for (size_t i = 0; i < of->count; i++)
		if (strcmp(of->fields[i].name, name) == 0)
			return true;
	return false;
}

static void check_object(const struct report_object *of, struct json_object *object, const char *path)
{
	for (size_t i = 0; i < of->count; i++)
		check_field(&of->fields[i], object, path);
	for (; object; object = referred(object)) {
		struct json_object *properties = field_find(object, "properties");

		if (!properties)
			continue;
		json_object_object_foreach(properties, name, property) {
			(void)property;
			if (!has_field(of, name))
				differ(path, name, "the schema has it, reports/model/report_fields.h does not");
		}
	}
}

static void load_schema(void)
{
	const char *source = getenv("srcdir");
	cleanup_free char *text = NULL;
	struct error err = { "" };
	char path[512];
	size_t len;

	snprintf(path, sizeof(path), "%s/reports/report.schema.json", source ? source : ".");
	text = file_read(AT_FDCWD, path, SCHEMA_BYTES, &len, &err);
	if (!text)
		fail_msg("%s", err.text);
	schema = field_parse(text, len, path, json_type_object, &err);
	if (!schema)
		fail_msg("%s", err.text);
}

static void lists_and_schema_name_the_same_fields(void **state)
{
	(void)state;
	load_schema();
	check_object(report_whole(), schema, "report");
	assert_int_equal(differences, 0);
	assert_true(fields > 400);
	json_object_put(schema);
}

static void remove_property(const char *def, const char *name)
{
	json_object_object_del(field_find(field_find(field_find(schema, "$defs"), def), "properties"), name);
}

static void a_difference_is_seen(void **state)
{
	(void)state;
	load_schema();
	differences = 0;
	remove_property("job", "qos");
	remove_property("tool", "wall_s");
	json_object_object_add(field_find(schema, "properties"), "newer", json_object_new_object());
	json_object_object_add(field_find(field_find(schema, "$defs"), "share"), "type", json_object_new_string("integer"));
	check_object(report_whole(), schema, "report");
	assert_int_equal(differences, 5); /* share is a type of two fields */
	json_object_put(schema);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_and_schema_name_the_same_fields),
		cmocka_unit_test(a_difference_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
