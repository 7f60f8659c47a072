/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A map from bytes to a pointer and a number. No user can choose keys that make it slow: its hash has a seed. */
#ifndef STINT_MAP_H
#define STINT_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Begins as all zero. */
struct map {
	struct map_entry {
		void *key;
		size_t size;
		uint64_t hash;
		void *data;	/* the caller's; NULL in a new one */
		int64_t number; /* the caller's; 0 in a new one */
	} *list; /* in order of insertion */
	size_t count;
	uint32_t *places;
	size_t room; /* a power of 2 */
};

/* Returns the entry of the key, and makes it if it is new: valid until the next one is made; NULL: out of memory. */
struct map_entry *map_get(struct map *map, const void *key, size_t size);

/* Returns the entry of the key; NULL: there is none. */
const struct map_entry *map_find(const struct map *map, const void *key, size_t size);

/* Frees everything except what the entries' data points to. */
void map_free(struct map *map);

#endif
