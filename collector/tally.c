/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/tally.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { FREE, WRITING, THERE };

struct tally *tally_open(void)
{
	void *tally = mmap(NULL, sizeof(struct tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return tally == MAP_FAILED ? NULL : tally;
}

void tally_add_written(struct tally *tally)
{
	if (tally)
		__atomic_fetch_add(&tally->written, 1, __ATOMIC_RELAXED);
}

void tally_add_forgotten(struct tally *tally)
{
	if (tally)
		__atomic_fetch_add(&tally->forgotten, 1, __ATOMIC_RELAXED);
}

/*
 * Returns the count of @name, or a new one; NULL if there is no room.
 * Uses no lock, because a killed child would keep it. Two children may add one name twice, so tally_put() adds up.
 */
static struct tally_count *find_count(struct tally_count counts[TALLY_NAMES], const char *name)
{
	for (int i = 0; i < TALLY_NAMES; i++) {
		struct tally_count *each = &counts[i];
		uint32_t state = FREE;

		if (__atomic_compare_exchange_n(&each->state, &state, WRITING, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			snprintf(each->name, sizeof(each->name), "%s", name);
			__atomic_store_n(&each->state, THERE, __ATOMIC_RELEASE);
			return each;
		}
		if (state == THERE && strncmp(each->name, name, sizeof(each->name) - 1) == 0)
			return each;
	}
	return NULL;
}

static void add(struct tally_count counts[TALLY_NAMES], const char *name, uint64_t more)
{
	struct tally_count *count = name && more ? find_count(counts, name) : NULL;

	if (count)
		__atomic_fetch_add(&count->count, more, __ATOMIC_RELAXED);
}

void tally_add_record(struct tally *tally, struct json_object *record)
{
	struct json_object *gaps = json_object_object_get(record, "gaps"),
			   *lost = json_object_object_get(record, "lost");

	if (!tally)
		return;
	for (size_t i = 0; gaps && i < json_object_array_length(gaps); i++) {
		struct json_object *name = json_object_object_get(json_object_array_get_idx(gaps, i), "name");

		add(tally->gaps, json_object_get_string(name), 1);
	}
	if (!lost)
		return;
	json_object_object_foreach (lost, kind, value)
		add(tally->lost, kind, (uint64_t)json_object_get_int64(value));
}

static uint64_t add_up(const struct tally_count counts[TALLY_NAMES])
{
	uint64_t sum = 0;

	for (int i = 0; i < TALLY_NAMES; i++)
		sum += __atomic_load_n(&counts[i].count, __ATOMIC_RELAXED);
	return sum;
}

struct tally_sums tally_sums(const struct tally *tally)
{
	struct tally_sums sums = { 0 };

	if (tally)
		sums = (struct tally_sums){ .gaps = add_up(tally->gaps), .lost = add_up(tally->lost) };
	return sums;
}

static struct json_object *build(const struct tally_count counts[TALLY_NAMES])
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < TALLY_NAMES; i++) {
		const struct tally_count *each = &counts[i];
		uint64_t count = __atomic_load_n(&each->count, __ATOMIC_RELAXED);

		if (__atomic_load_n(&each->state, __ATOMIC_ACQUIRE) != THERE)
			continue;
		count += (uint64_t)json_object_get_int64(json_object_object_get(object, each->name));
		put_count(object, each->name, count);
	}
	return object;
}

void tally_put(const struct tally *tally, struct json_object *status)
{
	if (!tally)
		return;
	json_object_object_add(status, "gaps", build(tally->gaps));
	json_object_object_add(status, "lost", build(tally->lost));
}
