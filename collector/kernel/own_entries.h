/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers a job's entries in the kernel's maps.
 *
 * stintd deletes a job's entries by key if it knows all of them, and if they are few. Otherwise it must search large
 * tables.
 */
#ifndef STINT_OWN_ENTRIES_H
#define STINT_OWN_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWN_ENTRIES_MAX 64 /* with more, stintd must search the tables */

struct own_entry {
	unsigned int map;
	uint64_t key;
};

struct own_job {
	struct own_job *next;
	uint64_t job;
	bool whole; /* all entries are from this stintd or its programs */
	bool too_many;
	unsigned int read; /* bits 1 << map: all entries of the map are stored */
	size_t found; /* stored entries that existed already */
	size_t count;
	struct own_entry entries[OWN_ENTRIES_MAX];
};

struct own_entries {
	struct own_job *first;
	bool failed; /* out of memory; no job's entries are known */
};

/*
 * Stores that @job has the entry @key in @map, once.
 *
 * @found: the entry already existed
 */
void own_entries_note(struct own_entries *own, uint64_t job, unsigned int map, uint64_t key, bool found);

/* Marks that @job had no other entries until now than those stored here. */
void own_entries_are_first(struct own_entries *own, uint64_t job);

/* Marks that all entries of @job in @map are stored. @map must be below 32. */
void own_entries_are_read(struct own_entries *own, uint64_t job, unsigned int map);

/*
 * Forgets @job, and returns its entries, which the caller frees; NULL if not all are known.
 * An entry may be deleted by now, or may belong to another job.
 */
struct own_job *own_entries_take(struct own_entries *own, uint64_t job);

void own_entries_free(struct own_entries *own);

#endif
