/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/sieve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16 /* as field_parse() has it */

struct sieving {
	const char *at, *end;
	char *out; /* as long as the text: what is kept is never longer */
	size_t used;
	const char *stop;
	bool stopped;
	const char *const
		*without; /* members of the outermost object; then all others are kept. NULL: those of the keys are */
};

static bool keep_value(struct sieving *s, const struct sieve_key *keys, int depth);

static void put(struct sieving *s, const char *text, size_t len)
{
	memcpy(s->out + s->used, text, len);
	s->used += len;
}

/* The next character that is no space; 0 at the end. */
static char next(struct sieving *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
		s->at++;
	return s->at < s->end ? *s->at : 0;
}

static bool expect(struct sieving *s, char c)
{
	if (next(s) != c)
		return false;
	s->at++;
	return true;
}

static bool skip_string(struct sieving *s)
{
	for (s->at++; s->at < s->end; s->at++) {
		if (*s->at == '\\')
			s->at++;
		else if (*s->at == '"')
			return s->at++, true;
	}
	return false;
}

/*
 * report_text() has each object of a list on a line of its own, and no string has a line's end in it. Of text that only looks
 * like that, brackets would be missed: skip_nested() then ends at one of another kind, or not at all, or the parser objects.
 */
static void skip_lines(struct sieving *s)
{
	static const char begin[] = "\n    {";

	while (s->end - s->at > (ptrdiff_t)strlen(begin) && memcmp(s->at, begin, strlen(begin)) == 0) {
		const char *end = memchr(s->at + 1, '\n', s->end - s->at - 1);

		if (!end || end[-1] != ',' || end[-2] != '}')
			return;
		s->at = end;
	}
}

static bool skip_nested(struct sieving *s)
{
	char last = *s->at == '[' ? ']' : '}';
	int depth = 0;

	while (s->at < s->end) {
		char c = *s->at;

		if (c == '"') {
			if (!skip_string(s))
				return false;
			continue;
		}
		if (c == '\n' && depth == 1) {
			skip_lines(s);
			s->at++;
			continue;
		}
		depth += (c == '{' || c == '[') - (c == '}' || c == ']');
		s->at++;
		if (depth == 0)
			return c == last;
	}
	return false;
}

static bool skip_value(struct sieving *s)
{
	const char *begin;
	char c = next(s);

	if (c == '"')
		return skip_string(s);
	if (c == '{' || c == '[')
		return skip_nested(s);
	begin = s->at;
	while (s->at < s->end && !strchr(",]} \n\t\r", *s->at))
		s->at++;
	return s->at > begin && s->at < s->end;
}

static const struct sieve_key *find(const struct sieve_key *keys, const char *name, size_t len)
{
	for (; keys->name; keys++)
		if (strlen(keys->name) == len && memcmp(keys->name, name, len) == 0)
			return keys;
	return NULL;
}

static bool is_without(const struct sieving *s, const char *name, size_t len)
{
	for (const char *const *one = s->without; *one; one++)
		if (strlen(*one) == len && memcmp(*one, name, len) == 0)
			return true;
	return false;
}

/* One member, from its name on. *@any: one was kept before. */
static bool keep_member(struct sieving *s, const struct sieve_key *keys, int depth, bool *any)
{
	const char *name = s->at;
	const struct sieve_key *key;
	size_t len;

	if (next(s) != '"' || !skip_string(s))
		return false;
	len = s->at - name;
	if (depth == 0 && s->stop && strlen(s->stop) == len - 2 && memcmp(s->stop, name + 1, len - 2) == 0) {
		s->stopped = true;
		return true;
	}
	if (!expect(s, ':'))
		return false;
	key = s->without ? NULL : find(keys, name + 1, len - 2);
	if (s->without ? is_without(s, name + 1, len - 2) : !key)
		return skip_value(s);
	if (*any)
		put(s, ",", 1);
	*any = true;
	put(s, name, len);
	put(s, ":", 1);
	return keep_value(s, key ? key->inside : NULL, depth + 1);
}

static bool keep_object(struct sieving *s, const struct sieve_key *keys, int depth)
{
	bool first = true, any = false;

	s->at++;
	put(s, "{", 1);
	while (next(s) != '}') {
		if (!first && !expect(s, ','))
			return false;
		next(s);
		first = false;
		if (!keep_member(s, keys, depth, &any))
			return false;
		if (s->stopped)
			break;
	}
	s->at++;
	put(s, "}", 1);
	return true;
}

static bool keep_list(struct sieving *s, const struct sieve_key *keys, int depth)
{
	bool first = true;

	s->at++;
	put(s, "[", 1);
	while (next(s) != ']') {
		if (!first && !expect(s, ','))
			return false;
		if (!first)
			put(s, ",", 1);
		first = false;
		if (!keep_value(s, keys, depth + 1))
			return false;
	}
	s->at++;
	put(s, "]", 1);
	return true;
}

static bool keep_value(struct sieving *s, const struct sieve_key *keys, int depth)
{
	char c = next(s);
	const char *begin = s->at;

	if (depth > DEPTH_MAX)
		return false;
	if (keys && c == '{')
		return keep_object(s, keys, depth);
	if (keys && c == '[')
		return keep_list(s, keys, depth);
	if (!skip_value(s))
		return false;
	put(s, begin, s->at - begin);
	return true;
}

static char *begin(struct sieving *s, size_t len, const struct sieve_key *keys, size_t *out_len)
{
	s->out = malloc(len + 2);
	if (!s->out)
		return NULL;
	if (next(s) != '{' || !keep_object(s, keys, 0) || (!s->stopped && next(s))) {
		free(s->out);
		return NULL;
	}
	s->out[s->used] = '\0';
	*out_len = s->used;
	return s->out;
}

char *sieve(const char *text, size_t len, const struct sieve_key *keys, const char *stop, size_t *out_len)
{
	struct sieving s = { .at = text, .end = text + len, .stop = stop };

	return begin(&s, len, keys, out_len);
}

char *sieve_without(const char *text, size_t len, const char *const *names, size_t *out_len)
{
	struct sieving s = { .at = text, .end = text + len, .without = names };

	return begin(&s, len, NULL, out_len);
}
