/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes JSON texts as JSON. Random bytes seldom leave valid JSON, and would only test its parser.
 * Sometimes random bytes are changed nevertheless.
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "common/utf8.h"
#include "tests/fuzz/fuzz.h"

#define CHANGES_MAX 4
#define COPIES_MAX 24
#define TEXTS_MAX 8

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

struct place {
	struct json_object *parent;
	const char *key; /* NULL: in an array */
	size_t index;
	struct json_object *value;
};

static unsigned int below(unsigned int *seed, size_t bound)
{
	return bound ? (unsigned int)rand_r(seed) % bound : 0;
}

/* Walks through all values, and puts value @chosen into *@place. Returns how many there are. */
static size_t walk(struct json_object *value, size_t chosen, size_t count, struct place *place)
{
	struct place here = { .parent = value };

	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, key, member) {
			here.key = key;
			here.value = member;
			if (count++ == chosen)
				*place = here;
			count = walk(member, chosen, count, place);
		}
	} else if (json_object_is_type(value, json_type_array)) {
		for (here.index = 0; here.index < json_object_array_length(value); here.index++) {
			here.value = json_object_array_get_idx(value, here.index);
			if (count++ == chosen)
				*place = here;
			count = walk(here.value, chosen, count, place);
		}
	}
	return count;
}

static int choose(struct json_object *root, unsigned int *seed, struct place *place)
{
	size_t count = walk(root, SIZE_MAX, 0, NULL);

	if (!count)
		return -1;
	walk(root, below(seed, count), 0, place);
	return 0;
}

static struct json_object *odd_number(unsigned int *seed)
{
	static const int64_t numbers[] = { 0, 1, -1, 2, 255, 256, 65535, 1u << 31, UINT32_MAX, INT64_C(1) << 32,
					   INT64_C(1) << 53, INT64_MAX, INT64_MAX - 1, INT64_MIN, 1000000000 };
	static const char *const reals[] = { "0.5", "-0.0", "1e308", "-1e308", "1e999", "1e-320", "0.1", "1.0" };

	if (below(seed, 4) == 0)
		return json_object_new_double_s(0, reals[below(seed, sizeof(reals) / sizeof(reals[0]))]);
	if (below(seed, 3) == 0)
		return json_object_new_int64((int64_t)rand_r(seed) << below(seed, 32));
	return json_object_new_int64(numbers[below(seed, sizeof(numbers) / sizeof(numbers[0]))]);
}

static struct json_object *odd_text(struct json_object *old, unsigned int *seed)
{
	static const char *const texts[] = { "", "\x1b[2J", "\xc2\x9b", "\xe2\x80\xae", "\xf0\x9f\x98\x80", "\xc3\xa9",
					     "/", "a\nb", "%s%n", "\\x1b", "batch", "extern", "0", "nfs4", "tmpfs",
					     "summary", "\x7f", "\xef\xbf\xbd", "n1", "n2" };
	char text[1200];
	size_t used = 0, times = 1 + (below(seed, 4) ? 0 : below(seed, 300));

	if (json_object_is_type(old, json_type_string) && below(seed, 2)) {
		used = json_object_get_string_len(old) % (sizeof(text) / 2);
		memcpy(text, json_object_get_string(old), used);
	}
	for (; times; times--) {
		const char *more = texts[below(seed, sizeof(texts) / sizeof(texts[0]))];

		if (used + strlen(more) >= sizeof(text))
			break;
		memcpy(text + used, more, strlen(more));
		used += strlen(more);
	}
	text[used] = '\0';
	{
		char *valid = utf8_valid(text);
		struct json_object *made = json_object_new_string(valid);

		free(valid);
		return made;
	}
}

static struct json_object *odd_value(struct json_object *old, unsigned int *seed)
{
	switch (below(seed, 8)) {
	case 0:
		return NULL;
	case 1:
		return json_object_new_object();
	case 2:
		return json_object_new_array();
	case 3:
		return json_object_new_boolean(below(seed, 2));
	case 4:
		return odd_text(old, seed);
	default:
		return json_object_is_type(old, json_type_string) ? odd_text(old, seed) : odd_number(seed);
	}
}

static void put(const struct place *place, struct json_object *value)
{
	if (place->key)
		json_object_object_add(place->parent, place->key, value);
	else
		json_object_array_put_idx(place->parent, place->index, value);
}

static void take_out(const struct place *place)
{
	if (place->key)
		json_object_object_del(place->parent, place->key);
	else
		json_object_array_del_idx(place->parent, place->index, 1);
}

static struct json_object *copy(struct json_object *value)
{
	struct json_object *made = NULL;

	if (value && json_object_deep_copy(value, &made, NULL) < 0)
		made = NULL;
	return made;
}

static void change(struct json_object *root, unsigned int *seed)
{
	struct place place, other;

	if (choose(root, seed, &place) < 0 || choose(root, seed, &other) < 0)
		return;
	switch (below(seed, 6)) {
	case 0:
		take_out(&place);
		break;
	case 1:
		put(&place, copy(other.value));
		break;
	case 2:
		for (size_t i = below(seed, COPIES_MAX); !place.key && i; i--)
			json_object_array_add(place.parent, copy(place.value));
		break;
	case 3: /* a strange name for an existing value */
		if (place.key) {
			struct json_object *name = odd_text(NULL, seed);

			json_object_object_add(place.parent, json_object_get_string(name), copy(place.value));
			json_object_put(name);
		}
		break;
	default:
		put(&place, odd_value(place.value, seed));
		break;
	}
}

static char *change_text(const char *text, unsigned int *seed)
{
	struct json_object *root = json_tokener_parse(text);
	char *made = NULL;

	if (root) {
		for (size_t i = 1 + below(seed, CHANGES_MAX); i; i--)
			change(root, seed);
		made = strdup(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE));
	}
	json_object_put(root);
	return made;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	const uint8_t *rest = data;
	char *texts[TEXTS_MAX], *changed;
	size_t count = 0, left = size, used = 0, chosen;

	if (below(&seed, 16) == 0)
		return LLVMFuzzerMutate(data, size, max);
	while (count < TEXTS_MAX && left)
		texts[count++] = fuzz_text(&rest, &left, NULL);
	chosen = below(&seed, count);
	changed = count ? change_text(texts[chosen], &seed) : NULL;
	if (changed) {
		free(texts[chosen]);
		texts[chosen] = changed;
	}
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(texts[i]);

		if (changed && used + length + 1 <= max) {
			if (i)
				data[used++] = FUZZ_SEPARATOR;
			memcpy(data + used, texts[i], length);
			used += length;
		}
		free(texts[i]);
	}
	return changed ? used : LLVMFuzzerMutate(data, size, max);
}
