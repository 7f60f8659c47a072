/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/last_lines.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/error.h"
#include "common/time_text.h"
#include "reports/files/reach.h"
#include "reports/json/field.h"

#define BYTES 8192 /* of the file's end; reach_open() copies as many */
#define LATE_US (60 * US_PER_S) /* a file server's clock, and what a page cache writes later */

/* Whether @file is what the job wrote, and nothing else has come into it since. */
static bool is_jobs(struct json_object *report, const struct stat *file)
{
	int64_t uid, start_us, end_us, written_us = 0;

	if (__builtin_mul_overflow((int64_t)file->st_mtim.tv_sec, US_PER_S, &written_us))
		return false;
	return field_count(report, "job.uid", &uid) && (int64_t)file->st_uid == uid &&
	       time_parse(field_text(report, "job.start"), &start_us) && time_parse(field_text(report, "job.end"), &end_us) &&
	       written_us >= start_us && written_us <= end_us + LATE_US;
}

/* Reads the end of the file into @text. Returns its length; 0: there is nothing to be shown. @whole: it is all of the file */
static size_t read_end(struct json_object *report, const char *path, char text[BYTES], bool *whole)
{
	struct stat file;
	struct error err;
	cleanup_close int fd = path && path[0] == '/' ? reach_open(path, 0, &file, &err) : -1;
	ssize_t length;

	if (fd < 0 || !is_jobs(report, &file))
		return 0;
	*whole = file.st_size <= BYTES;
	length = pread(fd, text, BYTES, *whole ? 0 : file.st_size - BYTES);
	return length > 0 ? (size_t)length : 0;
}

/*
 * Of a line that a progress bar has written over and over, a terminal shows what is behind the last carriage return, but for those at
 * the very end. Returns where that begins, and shortens @length to where it ends.
 */
static size_t find_shown(const char *line, size_t *length)
{
	size_t begin;

	while (*length > 0 && line[*length - 1] == '\r')
		--*length;
	begin = *length;
	while (begin > 0 && line[begin - 1] != '\r')
		begin--;
	return begin;
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t")] == '\0';
}

/* A line of a table has tabs, and no escape sequence is to stand in their place. */
static void tabs_to_spaces(char *text)
{
	while ((text = strchr(text, '\t')) != NULL)
		*text++ = ' ';
}

/* Puts the line before those that are there, if it shows anything. Returns false where there is no memory. */
static bool put_before(struct last_lines *last, const char *line, size_t length)
{
	size_t begin = find_shown(line, &length);
	char *copy = strndup(line + begin, length - begin);

	if (!copy)
		return false;
	if (is_blank(copy)) {
		free(copy);
		return true;
	}
	tabs_to_spaces(copy);
	memmove(last->lines + 1, last->lines, last->count * sizeof(last->lines[0]));
	last->lines[0] = copy;
	last->count++;
	return true;
}

static void split(struct last_lines *last, const char *text, size_t length, bool whole, int most)
{
	size_t end = length;

	while (end > 0 && last->count < most) {
		const char *newline = memrchr(text, '\n', end);
		size_t start = newline ? (size_t)(newline - text) + 1 : 0;
		bool cut = start == 0 && !whole && last->count > 0;

		if (!cut && !put_before(last, text + start, end - start))
			return;
		end = start > 0 ? start - 1 : 0;
	}
}

void last_lines_read(struct last_lines *last, struct json_object *report, int most)
{
	static const char *const names[] = { "job.std_err", "job.std_out" };
	struct reach reach = REACH_NONE;
	bool whole = true, guarded = reach_guards("/");
	char text[BYTES];

	last->count = 0;
	if (!guarded) /* the file may be on another file system than the report is */
		reach_guard(&reach);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && last->count == 0; i++) {
		size_t length;

		last->path = field_text(report, names[i]);
		length = read_end(report, last->path, text, &whole);
		split(last, text, length, whole, most < CONF_LAST_LINES_MOST ? most : CONF_LAST_LINES_MOST);
	}
	if (!guarded)
		reach_end(&reach);
}

void last_lines_free(struct last_lines *last)
{
	for (int i = 0; i < last->count; i++)
		free(last->lines[i]);
	last->count = 0;
}
