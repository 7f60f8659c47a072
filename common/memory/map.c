/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/memory/map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static uint64_t seed;

/* The seed is secret, so users cannot choose names with equal hashes. */
static uint64_t hash_of(const unsigned char *bytes, size_t size)
{
	uint64_t hash;

	if (!seed && (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed) || !seed))
		seed = UINT64_C(0x9e3779b97f4a7c15);
	hash = seed ^ size;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 32;
}

static uint32_t *place_of(const struct map *map, const void *key, size_t size, uint64_t hash)
{
	for (size_t at = hash & (map->room - 1);; at = (at + 1) & (map->room - 1)) {
		struct map_entry *entry = map->places[at] ? &map->list[map->places[at] - 1] : NULL;

		if (!entry || (entry->hash == hash && entry->size == size && memcmp(entry->key, key, size) == 0))
			return &map->places[at];
	}
}

static bool grow(struct map *map)
{
	size_t room = map->room ? 2 * map->room : 64;
	uint32_t *places = calloc(room, sizeof(*places));
	struct map_entry *list = places ? reallocarray(map->list, room, sizeof(*list)) : NULL;

	if (!list) {
		free(places);
		return false;
	}
	free(map->places);
	map->places = places;
	map->list = list;
	map->room = room;
	for (size_t i = 0; i < map->count; i++)
		*place_of(map, list[i].key, list[i].size, list[i].hash) = (uint32_t)(i + 1);
	return true;
}

struct map_entry *map_get(struct map *map, const void *key, size_t size)
{
	uint64_t hash = hash_of(key, size);
	uint32_t *place;
	void *copy;

	if (2 * map->count >= map->room && !grow(map))
		return NULL;
	place = place_of(map, key, size, hash);
	if (*place)
		return &map->list[*place - 1];
	copy = malloc(size ? size : 1);
	if (!copy)
		return NULL;
	memcpy(copy, key, size);
	map->list[map->count] = (struct map_entry){ .key = copy, .size = size, .hash = hash };
	*place = (uint32_t)++map->count;
	return &map->list[map->count - 1];
}

const struct map_entry *map_find(const struct map *map, const void *key, size_t size)
{
	const uint32_t *place = map->room ? place_of(map, key, size, hash_of(key, size)) : NULL;

	return place && *place ? &map->list[*place - 1] : NULL;
}

void map_free(struct map *map)
{
	for (size_t i = 0; i < map->count; i++)
		free(map->list[i].key);
	free(map->list);
	free(map->places);
	*map = (struct map){ 0 };
}
