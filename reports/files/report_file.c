/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/file.h"
#include "reports/builder/build_report.h"
#include "reports/files/reach.h"
#include "reports/files/report_owner.h"
#include "reports/json/field.h"
#include "reports/json/json_filter.h"

#define TAIL_BYTES 8
#define TEXT_FLAGS (JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE)

static void print_name(FILE *out, const char *name)
{
	struct json_object *text = json_object_new_string(name);

	fprintf(out, "%s: ", json_object_to_json_string_ext(text, TEXT_FLAGS));
	json_object_put(text);
}

/*
 * json-c keeps the text of each object that it prints. So each element is printed as the only one of @alone, "[ ELEMENT
 * ]", whose text is replaced each time.
 */
static void print_element(FILE *out, struct json_object *element, struct json_object *alone)
{
	size_t around = strlen("[ "), length;
	const char *text;

	if (!alone || json_object_array_put_idx(alone, 0, json_object_get(element)) < 0) {
		json_object_put(alone ? element : NULL);
		return; /* as elsewhere, what there is no memory for is left out, and memory_failures() counts it */
	}
	text = json_object_to_json_string_length(alone, TEXT_FLAGS, &length);
	if (text && length > 2 * around)
		fwrite(text + around, 1, length - 2 * around, out);
}

static void print_list(FILE *out, struct json_object *list)
{
	cleanup_json struct json_object *alone = json_object_new_array();
	size_t length = json_object_array_length(list);

	fputs("[", out);
	for (size_t i = 0; i < length; i++) {
		fprintf(out, "%s\n    ", i ? "," : "");
		print_element(out, json_object_array_get_idx(list, i), alone);
	}
	fputs(length ? "\n  ]" : "]", out);
}

static void print_part(FILE *out, struct json_object *part)
{
	const char *before = "";

	fputs("{", out);
	json_object_object_foreach (part, name, value) {
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
	json_object_object_foreach (report, name, value) {
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

static int check_schema(const char *schema, const char *path, struct error *err)
{
	if (!schema || strncmp(schema, "stint-report/", strlen("stint-report/")) != 0)
		return error_set(err, "%s: not a stint report (no \"schema\": \"" REPORT_SCHEMA "\" in it)", path);
	if (strcmp(schema, REPORT_SCHEMA) != 0)
		return error_set(err, "%s: a report of another version (%.40s); this stint reads " REPORT_SCHEMA, path,
				 strpbrk(schema, "\n\r\033") ? "?" : schema);
	return 0;
}

static int say_damaged(const char *name, const char *word, const char *path, struct error *err)
{
	return error_set(err, "%s: a damaged report: \"%s\" is not %s", path, name, word);
}

static int check(struct json_object *report, const char *path, bool brief, struct error *err)
{
	static const struct {
		const char *name;
		enum json_type type;
		const char *word;
	} parts[] = {
		{ "complete", json_type_boolean, "true or false" }, { "gaps", json_type_array, "an array" },
		{ "lost", json_type_object, "an object" },          { "job", json_type_object, "an object" },
		{ "requested", json_type_object, "an object" },     { "used", json_type_object, "an object" },
		{ "tools", json_type_array, "an array" },           { "timeline", json_type_array, "an array" },
		{ "steps", json_type_array, "an array" },           { "nodes", json_type_array, "an array" },
		{ "job.id", json_type_int, "a whole number" },
	};

	if (check_schema(field_text(report, "schema"), path, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!(brief && strcmp(parts[i].name, "timeline") == 0) &&
		    !field_typed(report, parts[i].name, parts[i].type))
			return say_damaged(parts[i].name, parts[i].word, path, err);
	return 0;
}

/* As check(), where the timeline is one of the parts that were read if it is @wanted. */
static int check_report(const struct report *report, bool wanted, const char *path, struct error *err)
{
	const struct {
		const char *name;
		bool known;
		const char *word;
	} parts[] = {
		{ "complete", report->complete.known, "true or false" },
		{ "gaps", report->gaps.known, "an array" },
		{ "lost", report->lost.known, "an object" },
		{ "job", report->job.known, "an object" },
		{ "requested", report->requested.known, "an object" },
		{ "used", report->used.known, "an object" },
		{ "tools", report->tools.known, "an array" },
		{ "timeline", report->timeline.known || !wanted, "an array" },
		{ "steps", report->steps.known, "an array" },
		{ "nodes", report->nodes.known, "an array" },
		{ "job.id", report->job.id >= 0, "a whole number" },
	};

	if (check_schema(report->schema, path, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!parts[i].known)
			return say_damaged(parts[i].name, parts[i].word, path, err);
	return 0;
}

static mode_t readers = 0777; /* several threads read reports */

/* What is made of a report need not have the report's group: a group of its own may do what all others may. */
static void note_readers(const struct stat *report)
{
	mode_t mode = report->st_mode & 0707;

	mode |= report->st_gid == getegid() ? report->st_mode & 070 : (mode & 07) << 3;
	__atomic_fetch_and(&readers, mode, __ATOMIC_RELAXED);
}

mode_t report_readers(void)
{
	return readers | S_IRUSR | S_IWUSR;
}

int report_open(const char *path, size_t most, struct stat *file, struct error *err)
{
	int fd = reach_open(path, most, file, err);

	if (fd >= 0)
		note_readers(file);
	return fd;
}

bool report_ends_well(int fd, off_t size)
{
	char tail[TAIL_BYTES];
	ssize_t len = pread(fd, tail, sizeof(tail), size > TAIL_BYTES ? size - TAIL_BYTES : 0);

	while (len > 0 && (tail[len - 1] == '\n' || tail[len - 1] == ' ' || tail[len - 1] == '\r'))
		len--;
	return len > 1 && tail[len - 1] == '}' && tail[len - 2] == '\n';
}

static char *read_file(const char *path, const struct report_bounds *bounds, struct stat *file, size_t *len,
		       struct error *err)
{
	cleanup_close int fd = report_open(path, report_bounds_most(bounds), file, err);

	if (fd < 0 || report_check_bytes(bounds, file, path, err) < 0)
		return NULL;
	return file_read_open(fd, path, REPORT_BYTES_MAX, len, err);
}

struct json_object *report_load_within(const char *path, const struct report_bounds *bounds, char **text,
				       struct error *err)
{
	cleanup_free char *data = NULL;
	struct json_object *report;
	struct stat file;
	size_t len;

	data = read_file(path, bounds, &file, &len, err);
	if (!data || report_check_weight(bounds, &file, data, len, path, err) < 0)
		return NULL;
	report = field_parse(data, len, path, json_type_object, err);
	if (!report)
		return NULL;
	if (check(report, path, false, err) < 0) {
		json_object_put(report);
		return NULL;
	}
	report_owner_note(path, &file, report);
	if (text) {
		*text = data;
		data = NULL;
	}
	return report;
}

struct json_object *report_load(const char *path, char **text, struct error *err)
{
	return report_load_within(path, &report_bounds_page, text, err);
}

/* Returns NULL where the text is not in the form of report_text(), or is damaged or too heavy: report_load() then finds out why. */
static struct json_object *parse_brief(const char *data, size_t len, const struct stat *file, const char *path)
{
	static const char *const without[] = { "timeline", "series", "files", NULL };
	struct json_object *report;
	size_t brief_len;
	cleanup_free char *brief = json_filter_without(data, len, without, &brief_len);

	if (!brief || report_check_weight(&report_bounds_page, file, brief, brief_len, path, NULL) < 0)
		return NULL;
	report = field_parse(brief, brief_len, path, json_type_object, NULL);
	if (report && check(report, path, true, NULL) == 0)
		return report;
	json_object_put(report);
	return NULL;
}

struct json_object *report_load_brief(const char *path, struct error *err)
{
	cleanup_free char *data = NULL;
	struct json_object *report;
	struct stat file;
	size_t len;

	data = read_file(path, &report_bounds_page, &file, &len, err);
	if (!data)
		return NULL;
	report = parse_brief(data, len, &file, path);
	if (!report)
		return report_load(path, NULL, err);
	report_owner_note(path, &file, report);
	return report;
}

/* ---- as a struct ---- */

/* json-c names the line and column of what is damaged. */
static void find_damage(const char *path, struct error *err)
{
	struct error where;
	struct json_object *report = report_load(path, NULL, &where);

	if (!report)
		*err = where;
	json_object_put(report);
}

static struct report *read_parts(const char *path, uint64_t parts, struct stat *file, struct error *err)
{
	struct report_want want = { parts, REPORT_PARTS, 0 };
	struct report *report;
	size_t len;
	char *text = read_file(path, &report_bounds_page, file, &len, err);

	if (!text || report_check_weight(&report_bounds_page, file, text, len, path, err) < 0) {
		free(text);
		return NULL;
	}
	want.most = report_weight(&report_bounds_page, file);
	report = report_read(text, len, &want, path, err);
	if (!report && errno == EFBIG)
		report_refuse(file, path, err);
	else if (!report && errno == EBADMSG)
		find_damage(path, err);
	return report;
}

struct report *report_load_parts(const char *path, uint64_t parts, struct error *err)
{
	struct stat file;
	struct report *report = read_parts(path, parts, &file, err);

	if (!report)
		return NULL;
	if (check_report(report, parts & REPORT_PART(timeline), path, err) == 0) {
		if (report_owner_disown(path, &file, report))
			return report;
		error_set(err, "%s: out of memory", path);
	}
	report_free(report);
	return NULL;
}
