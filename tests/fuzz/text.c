/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes text of a user, made safe for terminals and for JSON.
 * Nothing controls the terminal, and no character is cut, however little room there is.
 * The input begins with the room and the columns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/escape.h"
#include "common/pattern.h"
#include "common/utf8.h"
#include "tests/fuzz/fuzz.h"

static int is_utf8(const char *text)
{
	/* one line without control characters stays unchanged */
	size_t length = strlen(text);
	char *plain = strdup(text);
	int valid;

	HOLDS(plain);
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)plain[i] < 0x20 || plain[i] == 0x7f || plain[i] == '"' || plain[i] == '\\')
			plain[i] = '.';
	{
		size_t size = length + 3;
		char *json = malloc(size);

		HOLDS(json);
		snprintf(json, size, "\"%s\"", plain);
		valid = fuzz_is_json(json, length + 2);
		free(json);
	}
	free(plain);
	return valid;
}

/* Returns whether @part is @whole, or its beginning with a mark for the cut, if there was room. */
static int is_begin(const char *whole, const char *part)
{
	size_t length = strlen(part);

	if (strncmp(whole, part, length) == 0)
		return 1;
	return length >= 3 && strcmp(part + length - 3, "...") == 0 && strncmp(whole, part, length - 3) == 0;
}

static void check_escape(const char *text, size_t room, size_t columns)
{
	char *out = malloc(room), *whole = malloc(4 * strlen(text) + 1);

	HOLDS(out && whole);
	escape_text(text, whole, 4 * strlen(text) + 1);
	escape_text(text, out, room);
	HOLDS_OF(strlen(out) < room && is_begin(whole, out), out);
	HOLDS_OF(fuzz_is_shown_safely(out, strlen(out)) && !strchr(out, '\n'), out);
	escape_cut(out, columns);
	HOLDS_OF(escape_width(out) <= columns, out);
	HOLDS_OF(fuzz_is_shown_safely(out, strlen(out)), out);
	escape_cut(whole, columns);
	HOLDS_OF(escape_width(whole) <= columns && fuzz_is_shown_safely(whole, strlen(whole)), whole);
	free(out);
	free(whole);
}

static void check_utf8(const char *text, size_t room)
{
	char *valid = utf8_valid(text), *cut;

	HOLDS(valid && is_utf8(valid));
	HOLDS(!is_utf8(text) || strcmp(valid, text) == 0);
	cut = strndup(valid, room);
	HOLDS(cut);
	utf8_finish(cut);
	HOLDS_OF(is_utf8(cut) && strlen(cut) + 3 >= strnlen(valid, room), cut);
	free(cut);
	free(valid);
}

static void check_pattern(const char *text, size_t room)
{
	const struct pattern_values values = { .job_id = 7, .array_job_id = room & 1 ? 6 : 0, .array_task_id = 3,
					       .job_name = text, .user = text, .node = "n1" };
	size_t size = room + 2;
	char *path = malloc(size);
	struct error err = { "" };

	HOLDS(path);
	if (pattern_expand("a/%x.%u", &values, path, size, &err) == 0)
		HOLDS_OF(strncmp(path, "a/", 2) == 0 && !strchr(path + 2, '/') && (!is_utf8(text) || is_utf8(path)),
			 path);
	if (pattern_expand(text, &values, path, size, &err) == 0)
		HOLDS_OF(path[0] && path[strlen(path) - 1] != '/' && strlen(path) < size, path);
	else
		HOLDS(err.text[0]);
	HOLDS(!is_utf8(text) || is_utf8(err.text));
	free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t room = 1 + fuzz_number(&data, &size, 1), columns = fuzz_number(&data, &size, 1);
	char *text = malloc(size + 1);

	HOLDS(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_escape(text, room, columns);
	check_utf8(text, room);
	check_pattern(text, room);
	free(text);
	return 0;
}
