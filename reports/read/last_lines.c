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
#include "reports/model/report_make.h"
#include "reports/verdict/outcome.h"

#define BYTES 8192 /* bytes to read at the file's end, as many as reach_open() copies */
#define LATE_US (60 * US_PER_S) /* a file server's clock may differ, and a page cache writes later */

/* Returns true if @file is probably as the job wrote it: it belongs to the user, and was last changed during the job. */
static bool is_jobs(const struct report_job *job, const struct stat *file)
{
	int64_t start_us, end_us, written_us = 0;

	if (__builtin_mul_overflow((int64_t)file->st_mtim.tv_sec, US_PER_S, &written_us))
		return false;
	return (int64_t)file->st_uid == job->uid && time_parse(job->start, &start_us) && time_parse(job->end, &end_us) &&
	       written_us >= start_us && written_us <= end_us + LATE_US;
}

static size_t read_end(const struct report_job *job, const char *path, char text[BYTES], bool *whole)
{
	struct stat file;
	struct error err;
	cleanup_close int fd = path && path[0] == '/' ? reach_open(path, 0, &file, &err) : -1;
	ssize_t length;

	if (fd < 0 || !is_jobs(job, &file))
		return 0;
	*whole = file.st_size <= BYTES;
	length = pread(fd, text, BYTES, *whole ? 0 : file.st_size - BYTES);
	return length > 0 ? (size_t)length : 0;
}

static size_t line_length(const char *text, size_t length)
{
	const char *newline = memchr(text, '\n', length);

	return newline ? (size_t)(newline - text) + 1 : length;
}

static bool begins(const char *text, size_t length, const char *with)
{
	return length >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* Returns whether the line is @word, blanks and a number, as in the output of the program "time". */
static bool is_times_line(const char *text, size_t length, const char *word)
{
	size_t at = strlen(word);

	if (!begins(text, length, word) || at == length || (text[at] != '\t' && text[at] != ' '))
		return false;
	while (at < length && (text[at] == '\t' || text[at] == ' '))
		at++;
	return at < length && text[at] >= '0' && text[at] <= '9';
}

/* Returns the length of the three lines that a shell's "time" or "time -p" prints; 0 if @text begins otherwise. */
static size_t shells_time(const char *text, size_t length)
{
	static const char *const words[] = { "real", "user", "sys" };
	size_t at = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!is_times_line(text + at, length - at, words[i]))
			return 0;
		at += line_length(text + at, length - at);
	}
	return at;
}

static size_t gnu_time(const char *text, size_t length)
{
	size_t at = 0;

	if (!begins(text, length, "\tCommand being timed: "))
		return 0;
	while (at < length && text[at] == '\t') {
		bool last = begins(text + at, length - at, "\tExit status: ");

		at += line_length(text + at, length - at);
		if (last)
			break;
	}
	return at;
}

/* Copies @text without the lines that "time" prints after the program's last lines. Returns the length. */
static size_t copy_without_times(const char *text, size_t length, char copy[BYTES])
{
	size_t used = 0;

	for (size_t at = 0; at < length;) {
		size_t times = shells_time(text + at, length - at), line = line_length(text + at, length - at);

		if (times == 0)
			times = gnu_time(text + at, length - at);
		if (times == 0) {
			memcpy(copy + used, text + at, line);
			used += line;
		}
		at += times > 0 ? times : line;
	}
	return used;
}

/*
 * Finds what a terminal shows of a line that a progress bar overwrote: the text behind the last carriage return.
 * Ignores carriage returns at the very end. Returns the begin, and sets @length.
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

/* Tables have tabs, which must not be printed as escape sequences. */
static void tabs_to_spaces(char *text)
{
	while ((text = strchr(text, '\t')) != NULL)
		*text++ = ' ';
}

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

/* Splits @text into lines. Shows the lines that "time" prints only if there are no other lines. */
static void put_last(struct last_lines *last, const char text[BYTES], size_t length, bool whole, int most)
{
	char copy[BYTES];

	split(last, copy, copy_without_times(text, length, copy), whole, most);
	if (last->count == 0)
		split(last, text, length, whole, most);
}

void last_lines_read(struct last_lines *last, const struct report *report, int most)
{
	const char *const paths[] = { report->job.std_err, report->job.std_out };
	struct reach reach = REACH_NONE;
	bool whole = true, guarded = reach_guards("/");
	char text[BYTES];

	last->count = 0;
	if (!guarded) /* the report may be on a different file system */
		reach_guard(&reach);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]) && last->count == 0; i++) {
		size_t length = read_end(&report->job, paths[i], text, &whole);

		last->path = paths[i];
		put_last(last, text, length, whole, most < CONF_LAST_LINES_MOST ? most : CONF_LAST_LINES_MOST);
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

static bool is_empty(const struct report_job *job)
{
	struct reach reach = REACH_NONE;
	bool guarded = reach_guards("/"), empty;
	struct stat file;

	if (!guarded)
		reach_guard(&reach);
	empty = job->std_out[0] == '/' && reach_stat(job->std_out, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0 &&
		is_jobs(job, &file);
	if (!guarded)
		reach_end(&reach);
	return empty;
}

void last_lines_forget_empty(struct report *report)
{
	const char *outcome = report->verdict.outcome;
	size_t length = outcome ? outcome_before_output(report, outcome) : 0;
	cleanup_free char *before = NULL;

	if (!outcome || outcome[length] == '\0' || !is_empty(&report->job))
		return;
	before = strndup(outcome, length);
	report->verdict.outcome = report_copy(report, before);
}
