/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_fail(const char *file, int line, const char *statement, const char *text)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, statement);
	if (text)
		fprintf(stderr, "of: %s\n", text);
	abort();
}

/* ---- the input ---- */

char *fuzz_text(const uint8_t **data, size_t *size, size_t *len)
{
	const uint8_t *end;
	size_t length;
	char *text;

	if (!*size)
		return NULL;
	end = memchr(*data, FUZZ_SEPARATOR, *size);
	length = end ? (size_t)(end - *data) : *size;
	text = malloc(length + 1);
	HOLDS(text);
	memcpy(text, *data, length);
	text[length] = '\0';
	*data += length + (end != NULL);
	*size -= length + (end != NULL);
	if (len)
		*len = length;
	return text;
}

uint64_t fuzz_number(const uint8_t **data, size_t *size, unsigned int count)
{
	uint64_t number = 0;

	for (; count && *size; count--, (*data)++, (*size)--)
		number = number << 8 | **data;
	return number;
}

/* ---- files ---- */

const char *fuzz_file(unsigned int slot, const void *data, size_t size)
{
	static char paths[4][32];
	static int fds[4];

	if (!paths[slot][0]) {
		fds[slot] = memfd_create("fuzz", 0);
		HOLDS(fds[slot] >= 0);
		snprintf(paths[slot], sizeof(paths[slot]), "/proc/self/fd/%d", fds[slot]);
	}
	HOLDS(ftruncate(fds[slot], 0) == 0 && pwrite(fds[slot], data, size, 0) == (ssize_t)size);
	return paths[slot];
}

static char directory[64];

static void remove_directory(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	if (system(command) != 0)
		fprintf(stderr, "%s was not removed\n", directory);
}

const char *fuzz_directory(void)
{
	const char *below = getenv("STINT_FUZZ_DIRECTORY");

	snprintf(directory, sizeof(directory), "%s/stint-fuzz-XXXXXX", below ? below : "/dev/shm");
	HOLDS(mkdtemp(directory));
	atexit(remove_directory);
	return directory;
}

char *fuzz_read(const char *path, size_t *len)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t used = 0, room = 0, n;

	HOLDS(file);
	do {
		text = realloc(text, room += 65536);
		HOLDS(text);
		n = fread(text + used, 1, room - used - 1, file);
		used += n;
	} while (n);
	fclose(file);
	text[used] = '\0';
	*len = used;
	return text;
}

/* ---- what was made of it ---- */

static uint32_t *decode(const char *text, size_t len, size_t *count)
{
	iconv_t converter = iconv_open("UTF-32LE", "UTF-8");
	size_t left = 4 * len;
	char *in = (char *)(uintptr_t)text, *out;
	uint32_t *codes = malloc(left + 4);

	HOLDS(codes && converter != (iconv_t)-1);
	out = (char *)codes;
	if (iconv(converter, &in, &len, &out, &left) == (size_t)-1) {
		free(codes);
		codes = NULL;
	} else {
		*count = (uint32_t *)out - codes;
	}
	iconv_close(converter);
	return codes;
}

static int drives_terminal(uint32_t code)
{
	return (code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
	       code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

int fuzz_is_shown_safely(const char *text, size_t len)
{
	size_t count = 0;
	uint32_t *codes = decode(text, len, &count);
	int safe = codes != NULL;

	for (size_t i = 0; i < count; i++)
		safe &= !drives_terminal(codes[i]);
	free(codes);
	return safe;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
	if (*at++ != '"')
		return NULL;
	for (; *at != '"'; at++) {
		if ((unsigned char)*at < 0x20)
			return NULL;
		if (*at != '\\')
			continue;
		at++;
		if (*at == 'u') {
			if (strspn(at + 1, "0123456789abcdefABCDEF") < 4)
				return NULL;
			at += 4;
		} else if (!*at || !strchr("\"\\/bfnrt", *at)) {
			return NULL;
		}
	}
	return at + 1;
}

static const char *skip_digits(const char *at)
{
	size_t length = strspn(at, "0123456789");

	return length ? at + length : NULL;
}

static const char *skip_number(const char *at)
{
	at += *at == '-';
	if (at[0] == '0' && at[1] >= '0' && at[1] <= '9')
		return NULL;
	at = skip_digits(at);
	if (at && *at == '.')
		at = skip_digits(at + 1);
	if (at && (*at == 'e' || *at == 'E'))
		at = skip_digits(at + 1 + (at[1] == '+' || at[1] == '-'));
	return at;
}

static const char *skip_value(const char *at, unsigned int depth);

static const char *skip_members(const char *at, char end, unsigned int depth)
{
	at = skip_blanks(at);
	if (*at == end)
		return at + 1;
	for (;; at++) {
		at = skip_blanks(at);
		if (end == '}') {
			at = skip_string(at);
			at = at ? skip_blanks(at) : NULL;
			if (!at || *at++ != ':')
				return NULL;
		}
		at = skip_value(at, depth);
		if (!at)
			return NULL;
		at = skip_blanks(at);
		if (*at == end)
			return at + 1;
		if (*at != ',')
			return NULL;
	}
}

static const char *skip_value(const char *at, unsigned int depth)
{
	static const char *const words[] = { "true", "false", "null" };

	at = skip_blanks(at);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(at, words[i], strlen(words[i])) == 0)
			return at + strlen(words[i]);
	if (*at == '{' || *at == '[')
		return depth ? skip_members(at + 1, *at == '{' ? '}' : ']', depth - 1) : NULL;
	return *at == '"' ? skip_string(at) : skip_number(at);
}

int fuzz_is_json(const char *text, size_t len)
{
	size_t count;
	uint32_t *codes = decode(text, len, &count);
	const char *end = codes && strlen(text) == len ? skip_value(text, 64) : NULL;

	free(codes);
	return end && skip_blanks(end) == text + len;
}
