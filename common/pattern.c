/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pattern.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/suffix.h"
#include "common/utf8.h"

#define NAME_BYTES_MAX 200 /* leaves room in a file's name (255 bytes) */

/* Writes the value of %@letter to @text. Returns its length; -1 if there is no such conversion. */
static int conversion(char letter, const struct pattern_values *values, char *text, size_t size)
{
	switch (letter) {
	case 'i':
		if (values->array_job_id)
			return snprintf(text, size, "%u_%u", values->array_job_id, values->array_task_id);
		return snprintf(text, size, "%u", values->job_id);
	case 'j':
		return snprintf(text, size, "%u", values->job_id);
	case 'A':
		return snprintf(text, size, "%u", values->array_job_id ? values->array_job_id : values->job_id);
	case 'a':
		return snprintf(text, size, "%u", values->array_job_id ? values->array_task_id : 0);
	case 'x':
		return snprintf(text, NAME_BYTES_MAX + 1, "%s", values->job_name ? values->job_name : "");
	case 'u':
		return snprintf(text, size, "%s", values->user ? values->user : "");
	case 'N':
		return snprintf(text, size, "%s", values->node ? values->node : "");
	default:
		return -1;
	}
}

static void make_plain(char *text)
{
	for (unsigned char *c = (unsigned char *)text; *c; c++)
		if (*c == '/' || *c < 0x20 || *c == 0x7f)
			*c = '_';
}

static int no_conversion(const char *pattern, const char *letter, struct error *err)
{
	size_t length = utf8_length(letter);

	return error_set(err, "output pattern '%s': unknown conversion %%%.*s (known are i j A a x u N %%)", pattern,
			 length ? (int)length : 1, letter);
}

/* Refuses a path whose last name is no file. For example, a job's name can be "..". */
static int check_name(const char *path, const char *pattern, struct error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (slash && !*name)
		return error_set(err, "output pattern '%s' ends in '/': it must name a file", pattern);
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return error_set(err, "output pattern '%s' names no file but '%s'", pattern, name);
	return 0;
}

static bool has_one_of(const char *pattern, const char *letters)
{
	for (const char *c = strchr(pattern, '%'); c && c[1]; c = strchr(c + 2, '%'))
		if (strchr(letters, c[1]))
			return true;
	return false;
}

bool pattern_tells_tasks_apart(const char *pattern)
{
	return has_one_of(pattern, "ija");
}

bool pattern_tells_jobs_apart(const char *pattern)
{
	return has_one_of(pattern, "ijA");
}

size_t pattern_stem(const char *name, const char **suffix)
{
	size_t stem = strlen(name) - strlen(PATTERN_SUFFIX);

	*suffix = has_suffix(name, PATTERN_SUFFIX) && stem > 0 && name[stem - 1] != '/' ? PATTERN_SUFFIX : "";
	return strlen(name) - strlen(*suffix);
}

/* Cuts a name that becomes too long. */
static int add_task(const char *pattern, uint32_t task, char *path, size_t size, struct error *err)
{
	const char *suffix;
	size_t length = pattern_stem(path, &suffix), name = length, most = NAME_MAX - strlen(suffix);
	char task_text[32];
	int more;

	while (name && path[name - 1] != '/')
		name--;
	most -= snprintf(task_text, sizeof(task_text), PATTERN_TASK "%u", task);
	if (length - name > most)
		length = name + utf8_whole(path + name, most);
	more = snprintf(path + length, size - length, "%s%s", task_text, suffix);
	if ((size_t)more >= size - length)
		return error_set(err, "output pattern '%s' names too long a path", pattern);
	return 0;
}

int pattern_expand(const char *pattern, const struct pattern_values *values, char *path, size_t size,
		   struct error *err)
{
	size_t used = 0;

	if (!*pattern)
		return error_set(err, "the output pattern is empty");
	for (const char *c = pattern; *c; c++) {
		char text[256];
		int length = 1;

		if (*c != '%' || c[1] == '%') {
			c += *c == '%';
			text[0] = *c;
			text[1] = '\0';
		} else {
			c++;
			length = conversion(*c, values, text, sizeof(text));
			if (length < 0)
				return no_conversion(pattern, c, err);
			make_plain(utf8_finish(text));
			length = strlen(utf8_finish(text));
		}
		if (used + length + 1 > size)
			return error_set(err, "output pattern '%s' names too long a path", pattern);
		memcpy(path + used, text, length);
		used += length;
	}
	path[used] = '\0';
	if (check_name(path, pattern, err) < 0)
		return -1;
	if (values->array_job_id && !pattern_tells_tasks_apart(pattern))
		return add_task(pattern, values->array_task_id, path, size, err);
	return 0;
}

int pattern_check(const char *pattern, struct error *err)
{
	static const struct pattern_values sample = { .job_id = 1, .job_name = "x", .user = "x", .node = "x" };
	char path[4096];

	return pattern_expand(pattern, &sample, path, sizeof(path), err);
}
