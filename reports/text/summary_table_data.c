/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables for programs: JSON and CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/text/summary_table.h"

#define TEXT_MAX 8192

static void put_duration(struct json_object *object, const char *name, double seconds)
{
	if (isnan(seconds) || isinf(seconds) || seconds > 9e9 || seconds < 0)
		put_null(object, name);
	else
		put_seconds(object, name, llround(seconds * (double)NS_PER_S));
}

static void put_number(struct json_object *object, const char *name, double value)
{
	if (isnan(value) || isinf(value))
		put_null(object, name);
	else if (value == floor(value) && fabs(value) < 9e15)
		json_object_object_add(object, name, json_object_new_int64((int64_t)value));
	else
		json_object_object_add(object, name, json_object_new_double(value));
}

static void put_share(struct json_object *object, const char *name, double value)
{
	if (isnan(value) || isinf(value))
		put_null(object, name);
	else
		put_ratio(object, name, value);
}

static void put_id(struct json_object *object, const char *name, int64_t value)
{
	put_number(object, name, value < 0 ? NAN : (double)value);
}

static void put_words(struct json_object *object, const char *name, const char *text)
{
	if (text)
		put_text(object, name, text);
	else
		put_null(object, name);
}

static void put_findings(struct json_object *object, const struct summary *row)
{
	static const char *const severities[] = {
		[ROW_INFO] = "info", [ROW_WARNING] = "warning", [ROW_CRITICAL] = "critical"
	};
	struct json_object *list = put_array(object, "findings");
	cleanup_free char *codes = row->findings ? strdup(row->findings) : NULL;
	char *rest, *code;

	for (code = codes ? strtok_r(codes, ", ", &rest) : NULL; code; code = strtok_r(NULL, ", ", &rest))
		json_object_array_add(list, json_object_new_string(code));
	put_words(object, "severity", row->severity == ROW_NO_FINDING ? NULL : severities[row->severity]);
}

static struct json_object *object_of(const struct summary *row)
{
	struct json_object *object = json_object_new_object();
	char id[SUMMARY_ID_TEXT];

	put_text(object, "job", summary_id(row, id));
	put_id(object, "id", row->id);
	put_id(object, "attempt", row->attempt);
	put_words(object, "name", row->name);
	put_words(object, "user", row->user);
	put_words(object, "workflow", row->engine);
	put_words(object, "workflow_unit", row->unit);
	put_words(object, "workflow_which", row->unit_which);
	put_words(object, "state", row->state);
	put_id(object, "exit_code", row->exit_code);
	put_id(object, "signal", row->signal);
	put_words(object, "start", row->start);
	put_words(object, "end", row->end);
	put_duration(object, "elapsed_s", row->elapsed_s);
	put_number(object, "time_limit_s", row->limit_s);
	put_share(object, "time_efficiency", summary_time_efficiency(row));
	put_number(object, "nodes", row->nodes);
	put_number(object, "cpus", row->cpus);
	put_duration(object, "cpu_s", row->cpu_s);
	put_share(object, "cpu_efficiency", row->cpu_efficiency);
	put_number(object, "memory_requested_bytes", row->memory_requested);
	put_number(object, "memory_used_peak_bytes", row->memory_used);
	put_share(object, "memory_efficiency", row->memory_efficiency);
	put_number(object, "gpus", row->gpus);
	put_share(object, "gpu_hours", row->gpu_hours);
	put_words(object, "bound", row->bound);
	put_findings(object, row);
	if (row->path || row->report)
		put_flag(object, "complete", row->complete);
	else
		put_null(object, "complete");
	put_words(object, "path", row->path);
	return object;
}

void summary_table_print_object(struct json_object *object, size_t before, FILE *out)
{
	cleanup_free char *text = escape_json(
		json_object_to_json_string_ext(object, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE), NULL);

	fprintf(out, "%s\n  %s", before ? "," : "", text ? text : "null");
}

void summary_table_print_json(const struct summary *rows, size_t count, FILE *out)
{
	fputs("[", out);
	for (size_t i = 0; i < count; i++) {
		cleanup_json struct json_object *object = object_of(&rows[i]);

		summary_table_print_object(object, i, out);
	}
	fputs(count ? "\n]\n" : "]\n", out);
}

/* Spreadsheets skip leading spaces, and some languages use full-width signs. */
static bool is_formula(const char *text)
{
	static const char *const signs[] = { "=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0" };

	text += strspn(text, " ");
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strncmp(text, signs[i], strlen(signs[i])) == 0)
			return true;
	return false;
}

/*
 * In some languages, spreadsheets separate cells by ';'. So a text with ';' is quoted.
 * A ' before a formula makes it plain text.
 */
void summary_table_print_csv_text(const char *text, FILE *out)
{
	char shown[TEXT_MAX];
	bool formula;

	escape_text(text, shown, sizeof(shown));
	formula = is_formula(shown);
	if (!formula && !strpbrk(shown, "\",;")) {
		fputs(shown, out);
		return;
	}
	fprintf(out, "\"%s", formula ? "'" : "");
	for (const char *c = shown; *c; c++)
		fprintf(out, "%s%c", *c == '"' ? "\"" : "", *c);
	fputc('"', out);
}

static void print_words(FILE *out, struct json_object *list)
{
	char *text = NULL;
	size_t len;
	FILE *words = open_memstream(&text, &len);

	if (!words)
		return;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		fprintf(words, "%s%s", i ? " " : "", json_object_get_string(json_object_array_get_idx(list, i)));
	if (fclose(words) == 0)
		summary_table_print_csv_text(text, out);
	free(text);
}

static void print_value(FILE *out, struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		break;
	case json_type_string:
		summary_table_print_csv_text(json_object_get_string(value), out);
		break;
	case json_type_array:
		print_words(out, value);
		break;
	default:
		fputs(json_object_to_json_string(value), out);
	}
}

void summary_table_print_csv_line(struct json_object *object, bool names, FILE *out)
{
	const char *before = "";

	json_object_object_foreach (object, name, value) {
		fputs(before, out);
		if (names)
			fputs(name, out);
		else
			print_value(out, value);
		before = ",";
	}
	fputs("\r\n", out);
}

void summary_table_print_csv(const struct summary *rows, size_t count, FILE *out)
{
	static const struct summary none;
	cleanup_json struct json_object *head = object_of(&none);

	summary_table_print_csv_line(head, true, out);
	for (size_t i = 0; i < count; i++) {
		cleanup_json struct json_object *object = object_of(&rows[i]);

		summary_table_print_csv_line(object, false, out);
	}
}
