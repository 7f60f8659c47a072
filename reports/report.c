/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/report.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "collector/common/file.h"
#include "reports/build.h"
#include "reports/field.h"
#include "reports/sieve.h"

#define TEXT_FLAGS (JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE)

static void print_name(FILE *out, const char *name)
{
	struct json_object *text = json_object_new_string(name);

	fprintf(out, "%s: ", json_object_to_json_string_ext(text, TEXT_FLAGS));
	json_object_put(text);
}

static void print_list(FILE *out, struct json_object *list)
{
	size_t length = json_object_array_length(list);

	fputs("[", out);
	for (size_t i = 0; i < length; i++)
		fprintf(out, "%s\n    %s", i ? "," : "",
			json_object_to_json_string_ext(json_object_array_get_idx(list, i), TEXT_FLAGS));
	fputs(length ? "\n  ]" : "]", out);
}

static void print_part(FILE *out, struct json_object *part)
{
	const char *before = "";

	fputs("{", out);
	json_object_object_foreach(part, name, value) {
		fprintf(out, "%s\n    ", before);
		print_name(out, name);
		fputs(json_object_to_json_string_ext(value, TEXT_FLAGS), out);
		before = ",";
	}
	fputs(*before ? "\n  }" : "}", out);
}

char *report_text(struct json_object *report, size_t *len)
{
	const char *before = "";
	char *text = NULL, *safe = NULL;
	FILE *out = open_memstream(&text, len);

	if (!out)
		return NULL;
	fputs("{", out);
	json_object_object_foreach(report, name, value) {
		fprintf(out, "%s\n  ", before);
		print_name(out, name);
		if (json_object_is_type(value, json_type_array))
			print_list(out, value);
		else if (json_object_is_type(value, json_type_object))
			print_part(out, value);
		else
			fputs(json_object_to_json_string_ext(value, TEXT_FLAGS), out);
		before = ",";
	}
	fputs("\n}\n", out);
	if (fclose(out) == 0)
		safe = escape_json(text, len);
	free(text);
	return safe;
}

static int check(struct json_object *report, const char *path, bool brief, struct error *err)
{
	static const struct {
		const char *name;
		enum json_type type;
		const char *word;
	} parts[] = {
		{ "complete", json_type_boolean, "true or false" },
		{ "gaps", json_type_array, "an array" },
		{ "lost", json_type_object, "an object" },
		{ "job", json_type_object, "an object" },
		{ "requested", json_type_object, "an object" },
		{ "used", json_type_object, "an object" },
		{ "tools", json_type_array, "an array" },
		{ "timeline", json_type_array, "an array" },
		{ "steps", json_type_array, "an array" },
		{ "nodes", json_type_array, "an array" },
		{ "job.id", json_type_int, "a whole number" },
	};
	const char *schema = field_text(report, "schema");

	if (!schema || strncmp(schema, "stint-report/", strlen("stint-report/")) != 0)
		return error_set(err, "%s: not a stint report (no \"schema\": \"" REPORT_SCHEMA "\" in it)", path);
	if (strcmp(schema, REPORT_SCHEMA) != 0)
		return error_set(err, "%s: a report of another version (%.40s); this stint reads " REPORT_SCHEMA,
				 path, strpbrk(schema, "\n\r\033") ? "?" : schema);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!(brief && strcmp(parts[i].name, "timeline") == 0) &&
		    !field_typed(report, parts[i].name, parts[i].type))
			return error_set(err, "%s: a damaged report: \"%s\" is not %s", path, parts[i].name,
					 parts[i].word);
	return 0;
}

struct json_object *report_load(const char *path, char **text, struct error *err)
{
	cleanup_free char *data = NULL;
	struct json_object *report;
	size_t len;

	data = file_read(AT_FDCWD, path, REPORT_BYTES_MAX, &len, err);
	if (!data)
		return NULL;
	report = field_parse(data, len, path, json_type_object, err);
	if (!report)
		return NULL;
	if (check(report, path, false, err) < 0) {
		json_object_put(report);
		return NULL;
	}
	if (text) {
		*text = data;
		data = NULL;
	}
	return report;
}

/* NULL where it is not as report_text() has it, or not sound: report_load() then tells why. */
static struct json_object *parse_brief(const char *data, size_t len, const char *path)
{
	static const char *const without[] = { "timeline", "series", "files", NULL };
	struct json_object *report;
	size_t brief_len;
	cleanup_free char *brief = sieve_without(data, len, without, &brief_len);

	report = brief ? field_parse(brief, brief_len, path, json_type_object, NULL) : NULL;
	if (report && check(report, path, true, NULL) == 0)
		return report;
	json_object_put(report);
	return NULL;
}

struct json_object *report_load_brief(const char *path, struct error *err)
{
	cleanup_free char *data = NULL;
	struct json_object *report;
	size_t len;

	data = file_read(AT_FDCWD, path, REPORT_BYTES_MAX, &len, err);
	if (!data)
		return NULL;
	report = parse_brief(data, len, path);
	return report ? report : report_load(path, NULL, err);
}
