/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pattern.h"

#include <stdio.h>
#include <string.h>

#include "common/utf8.h"

#define NAME_BYTES_MAX 200 /* of a job's name: a file's name may be no longer than 255 */

/* The text of one conversion in @text, or -1 when there is none of that letter. */
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

	return error_set(err, "output pattern '%s': no conversion %%%.*s (there are i j A a x u N %%)", pattern,
			 length ? (int)length : 1, letter);
}

/* Checks that @path names a file: a job may be called "..". */
static int check_name(const char *path, const char *pattern, struct error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (slash && !*name)
		return error_set(err, "output pattern '%s' ends in '/': it must name a file", pattern);
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return error_set(err, "output pattern '%s' names no file but '%s'", pattern, name);
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
	return check_name(path, pattern, err);
}

int pattern_check(const char *pattern, struct error *err)
{
	static const struct pattern_values sample = { .job_id = 1, .job_name = "x", .user = "x", .node = "x" };
	char path[4096];

	return pattern_expand(pattern, &sample, path, sizeof(path), err);
}
