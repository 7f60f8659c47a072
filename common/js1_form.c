/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/js1_form.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <zlib.h>

#include "common/cleanup.h"

#define GZIP_WINDOW (15 + 16) /* largest window (15), with gzip's header (16) */
#define UNPACKED_MAX (1 << 20)
#define DEPTH_MAX 16 /* a summary has four levels */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool js1_valid(const char *text)
{
	size_t length = strlen(text), count;

	if (strcmp(text, JS1_NONE) == 0 || strcmp(text, JS1_SHORT) == 0)
		return true;
	if (length <= strlen(JS1_PREFIX) || length > JS1_LENGTH_MAX ||
	    strncmp(text, JS1_PREFIX, strlen(JS1_PREFIX)) != 0)
		return false;
	text += strlen(JS1_PREFIX);
	length -= strlen(JS1_PREFIX);
	count = strspn(text, digits);
	return length % 4 == 0 && length - count <= 2 && strspn(text + count, "=") == length - count;
}

/* ---- what it says ---- */

static int digit_of(char c)
{
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* js1_valid() must have accepted @text. Returns the number of bytes. */
static size_t decode(const char *text, unsigned char *bytes)
{
	unsigned int bits = 0, have = 0;
	size_t count = 0;

	for (; digit_of(*text) >= 0; text++) {
		bits = bits << 6 | (unsigned int)digit_of(*text);
		have += 6;
		if (have >= 8) {
			have -= 8;
			bytes[count++] = (unsigned char)(bits >> have);
		}
	}
	return count;
}

/* Returns a text that the caller frees; NULL if @bytes is no gzip data, or too long. */
static char *unpack(unsigned char *bytes, size_t count)
{
	z_stream stream = { .next_in = bytes, .avail_in = count };
	char *text = malloc(UNPACKED_MAX + 1);
	int end;

	if (!text || inflateInit2(&stream, GZIP_WINDOW) != Z_OK) {
		free(text);
		return NULL;
	}
	stream.next_out = (unsigned char *)text;
	stream.avail_out = UNPACKED_MAX;
	end = inflate(&stream, Z_FINISH);
	text[stream.total_out] = '\0';
	inflateEnd(&stream);
	if (end == Z_STREAM_END)
		return text;
	free(text);
	return NULL;
}

static bool says_gpus(const char *json)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *summary = tokener ? json_tokener_parse_ex(tokener, json, -1) : NULL, *gpus;
	bool some = summary && json_object_object_get_ex(summary, "gpus", &gpus) && json_object_get_int64(gpus) != 0;

	json_object_put(summary);
	if (tokener)
		json_tokener_free(tokener);
	return some;
}

bool js1_has_gpus(const char *comment)
{
	cleanup_free unsigned char *bytes = NULL;
	cleanup_free char *text = NULL;
	size_t prefix = strlen(JS1_PREFIX);

	if (!comment || !js1_valid(comment) || strcmp(comment, JS1_NONE) == 0 || strcmp(comment, JS1_SHORT) == 0)
		return false;
	bytes = malloc(strlen(comment)); /* three quarters would be enough */
	text = bytes ? unpack(bytes, decode(comment + prefix, bytes)) : NULL;
	return text && says_gpus(text);
}

bool js1_may_replace(const char *comment, const char *text)
{
	if (!comment || !*comment)
		return true;
	return js1_valid(comment) && (!text || !js1_has_gpus(comment) || js1_has_gpus(text));
}
