/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/json_filter.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16 /* as in field_parse() */

struct filter_state {
	const char *at, *end;
	char *out; /* as long as the text: the output is never longer */
	size_t used;
};

static void keep_text(struct filter_state *s, const char *text, size_t len)
{
	memcpy(s->out + s->used, text, len);
	s->used += len;
}

/* Skips white space. Returns the next character; 0 at the end. */
static char next_character(struct filter_state *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
		s->at++;
	return s->at < s->end ? *s->at : 0;
}

static bool expect(struct filter_state *s, char c)
{
	if (next_character(s) != c)
		return false;
	s->at++;
	return true;
}

static bool skip_string(struct filter_state *s)
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
 * report_write() writes each object of a list on a line of its own, and no string contains a newline. In text that only
 * looks like that, brackets would be missed: skip_nested() then ends at a bracket of another kind, or finds no end, or
 * the parser rejects the rest.
 */
static void skip_lines(struct filter_state *s)
{
	static const char begin[] = "\n    {";

	while (s->end - s->at > (ptrdiff_t)strlen(begin) && memcmp(s->at, begin, strlen(begin)) == 0) {
		const char *end = memchr(s->at + 1, '\n', s->end - s->at - 1);

		if (!end || end[-1] != ',' || end[-2] != '}')
			return;
		s->at = end;
	}
}

static bool skip_nested(struct filter_state *s)
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

static bool skip_value(struct filter_state *s)
{
	const char *begin;
	char c = next_character(s);

	if (c == '"')
		return skip_string(s);
	if (c == '{' || c == '[')
		return skip_nested(s);
	begin = s->at;
	while (s->at < s->end && !strchr(",]} \n\t\r", *s->at))
		s->at++;
	return s->at > begin && s->at < s->end;
}

/* ---- text that may have been written to do harm ---- */

/*
 * The most memory that json-c takes: for an object with its table, a member with its name and its places in the table,
 * and a value.
 */
#define OBJECT_WEIGHT 800
#define MEMBER_WEIGHT 240
#define VALUE_WEIGHT 96
#define NUMBER_BYTES_MAX 32
#define MEMBERS_MAX 128 /* in one object */

bool json_weighs_more(const char *text, size_t len, size_t max)
{
	struct filter_state s = { .at = text, .end = text + len };
	size_t weight = len;

	while (s.at < s.end && weight <= max) {
		char c = *s.at;

		if (c == '"' && !skip_string(&s))
			break;
		if (c == '"')
			continue;
		if (c == '\'') /* json-c takes it for a quote of a member's name */
			return true;
		weight += c == '{' || c == '[' ? OBJECT_WEIGHT : c == ':' ? MEMBER_WEIGHT : c == ',' ? VALUE_WEIGHT : 0;
		s.at++;
	}
	return weight > max;
}

struct bounded_state {
	struct filter_state s;
	const struct json_filter_bounds *bounds;
	const char *name;
	struct error *err;
};

static bool admit_value(struct bounded_state *l, const struct json_filter_form *form, bool element, int depth);

static const struct json_filter_form *find_form(const struct json_filter_form *forms, const char *name, size_t len)
{
	for (; forms->name; forms++)
		if (forms->name[0] == name[0] && strlen(forms->name) == len && memcmp(forms->name, name, len) == 0)
			return forms;
	return NULL;
}

static bool refuse(struct bounded_state *l, const char *what, const char *of)
{
	error_set(l->err, "%s: %s%s%.64s", l->name, what, *of ? ": " : "", of);
	return false;
}

static bool damaged(struct bounded_state *l)
{
	return refuse(l, "damaged JSON", "");
}

static bool count_weight(struct bounded_state *l, size_t bytes)
{
	if (*l->bounds->weight < bytes)
		return refuse(l, "it contains more than nodes record of a job", "");
	*l->bounds->weight -= bytes;
	return true;
}

/* Leaves out a value that is not of its form's kind, or is too long. In a list, an empty text takes its place. */
static bool leave_out(struct bounded_state *l, bool element)
{
	if (!skip_value(&l->s))
		return damaged(l);
	if (element)
		keep_text(&l->s, "\"\"", 2);
	return true;
}

/* Copies a text, a number, true, false or null. The parser checks what is copied. */
static bool admit_plain(struct bounded_state *l, bool element)
{
	size_t most = *l->s.at == '"' ? l->bounds->text_bytes : NUMBER_BYTES_MAX, len;
	const char *begin = l->s.at;

	if (!skip_value(&l->s))
		return damaged(l);
	len = l->s.at - begin;
	if (len > most) {
		l->s.at = begin;
		return leave_out(l, element);
	}
	keep_text(&l->s, begin, len);
	return count_weight(l, VALUE_WEIGHT + len);
}

static bool admit_list(struct bounded_state *l, const struct json_filter_form *form, int depth)
{
	const struct json_filter_form of = { form->name, form->inside, 0 };
	size_t *left = &l->bounds->elements[form->list];
	bool first = true;

	l->s.at++;
	keep_text(&l->s, "[", 1);
	while (next_character(&l->s) != ']') {
		if (!first && !expect(&l->s, ','))
			return damaged(l);
		if (!first)
			keep_text(&l->s, ",", 1);
		first = false;
		if (*left == 0)
			return refuse(l, "it has more entries than nodes record of a job", form->name);
		--*left;
		if (!admit_value(l, &of, true, depth + 1))
			return false;
	}
	l->s.at++;
	keep_text(&l->s, "]", 1);
	return count_weight(l, OBJECT_WEIGHT);
}

/* Returns whether this member was met before, and marks it as met. */
static bool is_repeated(uint64_t met[MEMBERS_MAX / 64], size_t index)
{
	bool before = met[index / 64] >> index % 64 & 1;

	met[index / 64] |= UINT64_C(1) << index % 64;
	return before;
}

/* Copies or leaves out one member, from its name on. */
static bool admit_member(struct bounded_state *l, const struct json_filter_form *forms, uint64_t met[MEMBERS_MAX / 64],
		       bool *any, int depth)
{
	const struct json_filter_form *form;
	const char *name = l->s.at;
	size_t len, undo = l->s.used, begin;

	if (next_character(&l->s) != '"' || !skip_string(&l->s))
		return damaged(l);
	len = l->s.at - name;
	if (!expect(&l->s, ':') || !next_character(&l->s))
		return damaged(l);
	form = find_form(forms, name + 1, len - 2);
	if (!form)
		return leave_out(l, false);
	if (is_repeated(met, form - forms))
		return refuse(l, "a member is there twice", form->name);
	if (*any)
		keep_text(&l->s, ",", 1);
	keep_text(&l->s, name, len);
	keep_text(&l->s, ":", 1);
	begin = l->s.used;
	if (!admit_value(l, form, false, depth + 1))
		return false;
	if (l->s.used == begin)
		l->s.used = undo;
	else
		*any = true;
	return count_weight(l, MEMBER_WEIGHT);
}

static bool admit_object(struct bounded_state *l, const struct json_filter_form *forms, int depth)
{
	uint64_t met[MEMBERS_MAX / 64] = { 0 };
	bool first = true, any = false;

	l->s.at++;
	keep_text(&l->s, "{", 1);
	while (next_character(&l->s) != '}') {
		if (!first && !expect(&l->s, ','))
			return damaged(l);
		next_character(&l->s);
		first = false;
		if (!admit_member(l, forms, met, &any, depth))
			return false;
	}
	l->s.at++;
	keep_text(&l->s, "}", 1);
	return count_weight(l, OBJECT_WEIGHT);
}

/* @element: the value is an element of the list that @form describes */
static bool admit_value(struct bounded_state *l, const struct json_filter_form *form, bool element, int depth)
{
	char c = next_character(&l->s);

	if (!c || depth > DEPTH_MAX)
		return damaged(l);
	if (c == '[')
		return form->list ? admit_list(l, form, depth) : leave_out(l, element);
	if (c == '{')
		return form->inside && !form->list ? admit_object(l, form->inside, depth) : leave_out(l, element);
	return admit_plain(l, element);
}

static bool admit_whole(struct bounded_state *l)
{
	if (next_character(&l->s) != '{')
		return damaged(l);
	return admit_object(l, l->bounds->forms, 0) && (!next_character(&l->s) || damaged(l));
}

char *json_filter_within(const char *text, size_t len, const struct json_filter_bounds *bounds, const char *name,
			 size_t *out_len, struct error *err)
{
	struct bounded_state l = { .s = { .at = text, .end = text + len }, .bounds = bounds, .name = name, .err = err };

	l.s.out = malloc(len + 2);
	if (!l.s.out) {
		error_set(err, "%s: out of memory", name);
		errno = ENOMEM;
		return NULL;
	}
	if (!admit_whole(&l)) {
		free(l.s.out);
		errno = EBADMSG;
		return NULL;
	}
	l.s.out[l.s.used] = '\0';
	*out_len = l.s.used;
	return l.s.out;
}
