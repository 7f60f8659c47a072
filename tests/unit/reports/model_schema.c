/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the schema describes each field in the report's lists, and that the file in the tree is up to date. */
#include <fcntl.h>
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
#include "reports/model/report_schema.h"
#include "reports/model/report_tables.h"

#define SCHEMA_BYTES (1 << 20)
#define PATH 256
#define DEFS "#/$defs/"

static struct json_object *schema;
static size_t faults, fields;

static void complain(const char *path, const char *name, const char *how)
{
	print_message("# %s.%s: %s\n", path, name, how);
	faults++;
}

static char *printed_schema(size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	assert_non_null(out);
	report_schema_print(out);
	fclose(out);
	return text;
}

/* Returns the definition that @rule refers to; NULL: it refers to none. */
static struct json_object *referred(struct json_object *rule)
{
	const char *name = field_text(rule, "$ref");

	return name ? field_find(field_find(schema, "$defs"), name + strlen(DEFS)) : NULL;
}

/* An object has its own properties, and those of its groups. */
static struct json_object *find_property(struct json_object *object, const char *name)
{
	struct json_object *found = field_find(field_find(object, "properties"), name);
	struct json_object *groups = field_find(object, "allOf");

	for (size_t i = 0; !found && groups && i < json_object_array_length(groups); i++)
		found = find_property(referred(json_object_array_get_idx(groups, i)), name);
	return found;
}

static bool is_sentence(const char *text)
{
	return text && *text && text[strlen(text) - 1] == '.';
}

static void check_object(const struct report_object *of, struct json_object *object, const char *path);

static void check_field(const struct report_field *field, struct json_object *object, const char *path)
{
	struct json_object *property = find_property(object, field->name), *inner;
	char inner_path[PATH];

	fields++;
	if (!property) {
		complain(path, field->name, "the schema does not have it");
		return;
	}
	inner = field->of ? referred(field->type == REPORT_TYPE_LIST ? field_find(property, "items") : property) : NULL;
	if (!is_sentence(field_text(property, "description")) && !is_sentence(field_text(inner, "description")))
		complain(path, field->name, "it has no sentence, with a full stop at its end");
	if (field->type == REPORT_TYPE_WORD && !field_find(property, "enum") && !field_find(property, "const"))
		complain(path, field->name, "the words that it can be are not listed");
	if (!field->of)
		return;
	snprintf(inner_path, sizeof(inner_path), "%s.%s", path, field->name);
	check_object(field->of(), inner, inner_path);
}

static void check_object(const struct report_object *of, struct json_object *object, const char *path)
{
	for (size_t i = 0; i < of->count; i++)
		check_field(&of->fields[i], object, path);
}

static void read_schema(void)
{
	struct error err = { "" };
	size_t len;
	cleanup_free char *text = printed_schema(&len);

	schema = field_parse(text, len, "the schema", json_type_object, &err);
	if (!schema)
		fail_msg("%s", err.text);
	faults = fields = 0;
}

static void each_field_is_described(void **state)
{
	(void)state;
	read_schema();
	check_object(report_whole(), schema, "report");
	assert_int_equal(faults, 0);
	assert_true(fields > 400);
	json_object_put(schema);
}

static struct json_object *properties_of(const char *def)
{
	return field_find(field_find(field_find(schema, "$defs"), def), "properties");
}

static void what_is_missing_is_seen(void **state)
{
	(void)state;
	read_schema();
	json_object_object_del(properties_of("job"), "qos");
	json_object_object_del(field_find(properties_of("job"), "state"), "description");
	json_object_object_del(field_find(field_find(schema, "properties"), "mode"), "enum");
	json_object_object_del(properties_of("uses"), "cpu_s");
	check_object(report_whole(), schema, "report");
	assert_int_equal(faults, 3 + 5); /* five objects have uses */
	json_object_put(schema);
}

static void the_file_is_what_is_printed(void **state)
{
	const char *source = getenv("srcdir");
	struct error err = { "" };
	size_t len, printed_len;
	cleanup_free char *printed = printed_schema(&printed_len), *text = NULL;
	char path[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/reports/report.schema.json", source ? source : ".");
	text = file_read(AT_FDCWD, path, SCHEMA_BYTES, &len, &err);
	if (!text)
		fail_msg("%s", err.text);
	if (len != printed_len || memcmp(text, printed, len) != 0)
		fail_msg("%s is not what 'stint report --schema' prints: make update-examples", path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field_is_described),
		cmocka_unit_test(what_is_missing_is_seen),
		cmocka_unit_test(the_file_is_what_is_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
