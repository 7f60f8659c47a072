/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/upgrade/translate.h"

#include <bpf/btf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory/array.h"

#define VALUES_MAX 32 /* of a translated enum */
#define DEPTH_MAX 8
#define PATH_BYTES 96

/* Arrays indexed by an enum, and members whose value is an enum. BTF does not show this. */
static const struct {
	const char *member;
	const char *names;
	bool value;        /* true: a value; false: an index */
} enums[] = {
	{ "use", "use", false },
	{ "partial", "use", false },
	{ "waiting", "wait", false },
	{ "some_since", "wait", false },
	{ "some_ns", "wait", false },
	{ "full_ns", "wait", false },
	{ "bound_ns", "wait", false },
	{ "state", "wait", false },
	{ "counted", "kernel_use", false },
	{ "wait", "wait", true },
	{ "left_wait", "wait", true },
	{ "file_wait", "wait", true },
	{ "uring_wait", "wait", true },
};

struct move {
	__u32 from;
	__u32 to;
	__u32 from_bytes;
	__u32 to_bytes;
	bool text;
	bool is_signed;
	signed char *values; /* NULL: the same values */
	char name[PATH_BYTES];
};

struct translation {
	const struct btf *from;
	const struct btf *to;
	size_t from_bytes;
	size_t to_bytes;
	struct move *moves;
	size_t count;
	int depth;
};

/* Matching types of the other version (from) and of this version (to). */
struct pair {
	const struct btf_type *from;
	const struct btf_type *to;
	__u32 from_at;
	__u32 to_at;
	const char *member;
	char name[PATH_BYTES];
};

static const struct btf_type *type_of(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && (btf_is_mod(type) || btf_is_typedef(type)))
		type = btf__type_by_id(btf, type->type);
	return type;
}

static const char *name_of(const struct btf *btf, __u32 offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name ? name : "";
}

static bool is_number(const struct btf_type *type)
{
	return btf_is_int(type) || btf_is_enum(type);
}

static struct move *add_move(struct translation *t, const struct pair *pair)
{
	struct move *move;

	if (!array_room(&t->moves, t->count, sizeof(*t->moves)))
		return NULL;
	move = &t->moves[t->count++];
	memset(move, 0, sizeof(*move));
	move->from = pair->from_at;
	move->to = pair->to_at;
	snprintf(move->name, sizeof(move->name), "%s", pair->name);
	return move;
}

/* @value: the member is a value of the enum; otherwise an index */
static const char *enum_for(const char *member, bool value)
{
	for (size_t i = 0; i < sizeof(enums) / sizeof(enums[0]); i++)
		if (enums[i].value == value && strcmp(enums[i].member, member) == 0)
			return enums[i].names;
	return NULL;
}

static const struct btf_type *find_enum(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_ENUM);

	return id > 0 ? btf__type_by_id(btf, id) : NULL;
}

/* -1 if @type has no enumerator @name. */
static int value_of(const struct btf *btf, const struct btf_type *type, const char *name)
{
	for (int i = 0; i < btf_vlen(type); i++)
		if (strcmp(name_of(btf, btf_enum(type)[i].name_off), name) == 0)
			return btf_enum(type)[i].val;
	return -1;
}

/* Returns NULL if a version lacks the enum, or if out of memory. A missing value becomes 0. */
static signed char *translate_values(const struct translation *t, const char *names)
{
	const struct btf_type *from = find_enum(t->from, names), *to = find_enum(t->to, names);
	signed char *values = from && to ? calloc(VALUES_MAX, 1) : NULL;

	for (int i = 0; values && i < btf_vlen(from); i++) {
		const struct btf_enum *value = &btf_enum(from)[i];
		int ours = value_of(t->to, to, name_of(t->from, value->name_off));

		if (value->val >= 0 && value->val < VALUES_MAX && ours > 0)
			values[value->val] = ours;
	}
	return values;
}

static int add_number(struct translation *t, const struct pair *pair)
{
	const char *names = enum_for(pair->member, true);
	struct move *move = add_move(t, pair);

	if (!move)
		return -1;
	move->from_bytes = pair->from->size;
	move->to_bytes = pair->to->size;
	move->is_signed = btf_is_int(pair->from) && (btf_int_encoding(pair->from) & BTF_INT_SIGNED);
	if (names) {
		move->values = translate_values(t, names);
		if (!move->values)
			t->count--; /* leave out the member */
	}
	return 0;
}

static int add_pair(struct translation *t, const struct pair *pair);

static bool is_text(const struct btf *btf, const struct btf_type *element)
{
	return btf_is_int(element) && strcmp(name_of(btf, element->name_off), "char") == 0;
}

static int add_element(struct translation *t, const struct pair *array, const char *name, __u32 theirs, __u32 ours)
{
	const struct btf_array *from = btf_array(array->from), *to = btf_array(array->to);
	__s64 from_bytes = btf__resolve_size(t->from, from->type), to_bytes = btf__resolve_size(t->to, to->type);
	struct pair pair = {
		.from = type_of(t->from, from->type),
		.to = type_of(t->to, to->type),
		.from_at = array->from_at + theirs * from_bytes,
		.to_at = array->to_at + ours * to_bytes,
		.member = "",
	};

	if (!pair.from || !pair.to || from_bytes <= 0 || to_bytes <= 0)
		return -1;
	snprintf(pair.name, sizeof(pair.name), "%.46s%s%.46s", array->name, *name ? "." : "", name);
	return add_pair(t, &pair);
}

static int add_named_elements(struct translation *t, const struct pair *pair, const char *names)
{
	const struct btf_type *from = find_enum(t->from, names), *to = find_enum(t->to, names);

	for (int i = 0; from && to && i < btf_vlen(to); i++) {
		const char *name = name_of(t->to, btf_enum(to)[i].name_off);
		const char *last = strchr(name, '_');
		int ours = btf_enum(to)[i].val, theirs = value_of(t->from, from, name);

		if (theirs < 0 || ours < 0 || (__u32)theirs >= btf_array(pair->from)->nelems ||
		    (__u32)ours >= btf_array(pair->to)->nelems)
			continue;
		if (add_element(t, pair, last ? last + 1 : name, theirs, ours) < 0)
			return -1;
	}
	return 0;
}

static int add_array(struct translation *t, const struct pair *pair)
{
	const struct btf_array *from = btf_array(pair->from), *to = btf_array(pair->to);
	const struct btf_type *from_element = type_of(t->from, from->type), *to_element = type_of(t->to, to->type);
	const char *names = enum_for(pair->member, false);

	if (!from_element || !to_element)
		return -1;
	if (names)
		return add_named_elements(t, pair, names);
	if (is_text(t->from, from_element) && is_text(t->to, to_element)) {
		struct move *move = add_move(t, pair);

		if (!move)
			return -1;
		move->text = true;
		move->from_bytes = from->nelems;
		move->to_bytes = to->nelems;
		return 0;
	}
	for (__u32 i = 0; i < from->nelems && i < to->nelems; i++)
		if (add_element(t, pair, "", i, i) < 0)
			return -1;
	return 0;
}

static const struct btf_member *find_member(const struct btf *btf, const struct btf_type *type, const char *name)
{
	for (int i = 0; i < btf_vlen(type); i++)
		if (strcmp(name_of(btf, btf_members(type)[i].name_off), name) == 0)
			return &btf_members(type)[i];
	return NULL;
}

/* Our structures have no bit fields. */
static int add_members(struct translation *t, const struct pair *outer)
{
	for (int i = 0; i < btf_vlen(outer->to); i++) {
		const struct btf_member *to = &btf_members(outer->to)[i], *from;
		struct pair pair = { .member = name_of(t->to, to->name_off) };

		from = find_member(t->from, outer->from, pair.member);
		if (!from)
			continue;
		pair.from = type_of(t->from, from->type);
		pair.to = type_of(t->to, to->type);
		pair.from_at = outer->from_at + from->offset / 8;
		pair.to_at = outer->to_at + to->offset / 8;
		snprintf(pair.name, sizeof(pair.name), "%.46s%s%.46s", outer->name, outer->name[0] ? "." : "", pair.member);
		if (!pair.from || !pair.to || add_pair(t, &pair) < 0)
			return -1;
	}
	return 0;
}

static int add_pair(struct translation *t, const struct pair *pair)
{
	int status = 0;

	if (t->depth >= DEPTH_MAX)
		return -1;
	t->depth++;
	if (is_number(pair->from) && is_number(pair->to))
		status = add_number(t, pair);
	else if (btf_is_array(pair->from) && btf_is_array(pair->to))
		status = add_array(t, pair);
	else if (btf_is_composite(pair->from) && btf_is_composite(pair->to))
		status = add_members(t, pair);
	t->depth--;
	return status;
}

struct translation *translation_make(const struct btf *from, __u32 from_id, const struct btf *to, __u32 to_id)
{
	struct translation *t = calloc(1, sizeof(*t));
	struct pair pair = { .from = type_of(from, from_id), .to = type_of(to, to_id), .member = "" };
	__s64 from_bytes = btf__resolve_size(from, from_id), to_bytes = btf__resolve_size(to, to_id);

	if (!t)
		return NULL;
	t->from = from;
	t->to = to;
	t->from_bytes = from_bytes;
	t->to_bytes = to_bytes;
	if (pair.from && pair.to && from_bytes > 0 && to_bytes > 0 && add_pair(t, &pair) == 0 && t->count > 0)
		return t;
	translation_free(t);
	return NULL;
}

void translation_free(struct translation *t)
{
	for (size_t i = 0; t && i < t->count; i++)
		free(t->moves[i].values);
	if (t)
		free(t->moves);
	free(t);
}

size_t translation_from_bytes(const struct translation *t)
{
	return t->from_bytes;
}

size_t translation_to_bytes(const struct translation *t)
{
	return t->to_bytes;
}

long translation_at(const struct translation *t, const char *name)
{
	for (size_t i = 0; i < t->count; i++)
		if (strcmp(t->moves[i].name, name) == 0)
			return t->moves[i].to;
	return -1;
}

static uint64_t read_number(const void *at, __u32 bytes, bool is_signed)
{
	uint8_t one;
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (bytes) {
	case 1:
		memcpy(&one, at, 1);
		return is_signed ? (uint64_t)(int8_t)one : one;
	case 2:
		memcpy(&two, at, 2);
		return is_signed ? (uint64_t)(int16_t)two : two;
	case 4:
		memcpy(&four, at, 4);
		return is_signed ? (uint64_t)(int32_t)four : four;
	case 8:
		memcpy(&eight, at, 8);
		return eight;
	}
	return 0;
}

static void write_number(void *at, __u32 bytes, uint64_t value)
{
	const uint8_t one = value;
	const uint16_t two = value;
	const uint32_t four = value;

	switch (bytes) {
	case 1:
		memcpy(at, &one, 1);
		break;
	case 2:
		memcpy(at, &two, 2);
		break;
	case 4:
		memcpy(at, &four, 4);
		break;
	case 8:
		memcpy(at, &value, 8);
		break;
	}
}

/* The result always ends with a zero byte. */
static void copy_text(const struct move *move, const char *from, char *to)
{
	size_t length = strnlen(from, move->from_bytes);

	if (length >= move->to_bytes)
		length = move->to_bytes - 1;
	memcpy(to, from, length);
}

void translation_run(const struct translation *t, const void *from, void *to)
{
	memset(to, 0, t->to_bytes);
	for (size_t i = 0; i < t->count; i++) {
		const struct move *move = &t->moves[i];
		const char *in = (const char *)from + move->from;
		char *out = (char *)to + move->to;
		uint64_t value;

		if (move->text) {
			copy_text(move, in, out);
			continue;
		}
		value = read_number(in, move->from_bytes, move->is_signed);
		if (move->values)
			value = value < VALUES_MAX ? (uint64_t)move->values[value] : 0;
		write_number(out, move->to_bytes, value);
	}
}
