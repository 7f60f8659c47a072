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
#include "common/file.h"
#include "reports/builder/build_report.h"
#include "reports/files/reach.h"
#include "reports/files/report_owner.h"
#include "reports/json/field.h"
#include "reports/model/report_make.h"

#define TAIL_BYTES 8

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

/* @timeline: the timeline is among the parts that were read */
static int check(const struct report *report, bool timeline, const char *path, struct error *err)
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
		{ "timeline", report->timeline.known || !timeline, "an array" },
		{ "steps", report->steps.known, "an array" },
		{ "nodes", report->nodes.known, "an array" },
		{ REPORT_PATH(job.id), report->job.id >= 0, "a whole number" },
	};

	if (check_schema(report->schema, path, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!parts[i].known)
			return say_damaged(parts[i].name, parts[i].word, path, err);
	return 0;
}

static mode_t readers = 0777; /* several threads read reports */

/*
 * Removes from report_readers() each permission that the file @report does not give.
 * New files get the group of this process. If @report has another group, the group of new files gets only the
 * permissions that @report gives to all other users.
 */
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

struct loading {
	const char *path;
	const struct report_bounds *bounds;
	uint64_t parts;
	struct stat file;
	size_t len; /* of its text */
};

static char *read_file(struct loading *loading, struct error *err)
{
	cleanup_close int fd = report_open(loading->path, report_bounds_most(loading->bounds), &loading->file, err);
	char *text;

	if (fd < 0 || report_check_bytes(loading->bounds, &loading->file, loading->path, err) < 0)
		return NULL;
	text = file_read_open(fd, loading->path, REPORT_BYTES_MAX, &loading->len, err);
	if (!text || report_check_weight(loading->bounds, &loading->file, text, loading->len, loading->path, err) == 0)
		return text;
	free(text);
	return NULL;
}

/*
 * Reads the file again with json-c, which is slower, but finds the line and column of the damage.
 * It also reads files that are only nearly in the form of report files (scan_pass()).
 */
static struct report *read_otherwise(struct loading *loading, struct error *err)
{
	cleanup_free char *text = read_file(loading, err);
	cleanup_json struct json_object *objects = NULL;

	if (!text)
		return NULL;
	errno = EBADMSG;
	objects = field_parse(text, loading->len, loading->path, json_type_object, err);
	return objects ? report_read_objects(objects, loading->path, err) : NULL;
}

/* @text: read_parts() owns it */
static struct report *read_parts(struct loading *loading, char *text, struct error *err)
{
	const struct report_want want = { loading->parts, REPORT_PARTS, report_weight(loading->bounds, &loading->file) };
	struct report *report = report_read(text, loading->len, &want, loading->path, err);

	if (!report && errno == EFBIG)
		report_refuse(&loading->file, loading->path, err);
	else if (!report && errno == EBADMSG)
		report = read_otherwise(loading, err);
	return report;
}

static int check_and_note(const struct loading *loading, struct report *report, struct error *err)
{
	if (check(report, loading->parts & REPORT_PART(timeline), loading->path, err) < 0)
		return -1;
	report_owner_note(loading->path, &loading->file, report);
	if (!report_lacks_memory(report))
		return 0;
	errno = ENOMEM;
	return error_set(err, "%s: out of memory", loading->path);
}

static struct report *load(const char *path, const struct report_bounds *bounds, uint64_t parts, char **text,
			   struct error *err)
{
	struct loading loading = { .path = path, .bounds = bounds, .parts = parts };
	char *data = read_file(&loading, err);
	cleanup_free char *copy = data && text ? strdup(data) : NULL; /* JSON has no NUL, so strdup() copies all of it */
	struct report *report;

	if (!data)
		return NULL;
	if (text && !copy) {
		free(data);
		error_set(err, "%s: out of memory", path);
		return NULL;
	}
	report = read_parts(&loading, data, err);
	if (!report)
		return NULL;
	if (check_and_note(&loading, report, err) < 0) {
		report_free(report);
		return NULL;
	}
	if (text) {
		*text = copy;
		copy = NULL;
	}
	return report;
}

struct report *report_load(const char *path, char **text, struct error *err)
{
	return load(path, &report_bounds_page, report_want_all.parts, text, err);
}

struct report *report_load_within(const char *path, const struct report_bounds *bounds, struct error *err)
{
	return load(path, bounds, report_want_all.parts, NULL, err);
}

struct report *report_load_parts(const char *path, uint64_t parts, struct error *err)
{
	return load(path, &report_bounds_page, parts, NULL, err);
}
