/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps keys of any bytes to a pointer and a number.
 * The hash has a secret seed, so that users cannot choose keys that make the map slow.
 */
#ifndef STINT_MAP_H
#define STINT_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Must be all zero at first. */
struct map {
	struct map_entry {
		void *key;
		size_t size;
		uint64_t hash;
		void *data;	/* the caller's; NULL in a new entry */
		int64_t number; /* the caller's; 0 in a new entry */
	} *list;
	size_t count;
	uint32_t *places;
	size_t room; /* a power of 2 */
};

/*
 * Returns the entry for the @key of @size bytes, valid until the next new entry. Makes it if there is none.
 * Returns NULL if out of memory.
 */
struct map_entry *map_get(struct map *map, const void *key, size_t size);

/* Returns the entry for the @key of @size bytes; NULL if there is none. */
const struct map_entry *map_find(const struct map *map, const void *key, size_t size);

/* Frees the map, but not what data points to. */
void map_free(struct map *map);

#endif
