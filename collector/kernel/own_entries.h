/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which entries of the kernel's maps this stintd has made for a job, and which it has read when there were to be no more:
 * where these are all of them, and few, they are deleted by their keys when the job is forgotten, and not searched for in
 * tables of many thousand places.
 */
#ifndef STINT_OWN_ENTRIES_H
#define STINT_OWN_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWN_ENTRIES_MAX 64 /* of a job; the entries of one with more are searched for */

struct own_entry {
	unsigned int map;
	uint64_t key;
};

struct own_job {
	struct own_job *next;
	uint64_t job;
	bool whole; /* nobody else has made entries of these maps for it, but what the kernel programs count */
	bool too_many; /* some are not noted */
	unsigned int read; /* bits 1 << map: of these maps, all of the job's entries are noted, whoever has made them */
	size_t found; /* of the entries, those that the kernel programs had made already */
	size_t count;
	struct own_entry entries[OWN_ENTRIES_MAX];
};

struct own_entries {
	struct own_job *first;
	bool failed; /* memory was short: from then on nothing is known */
};

/*
 * Notes that the entry @key of @map was made for @job, or that it was there already (@found). One that is noted already is
 * not noted again.
 */
void own_entries_note(struct own_entries *own, uint64_t job, unsigned int map, uint64_t key, bool found);

/* Notes that before the entries noted so far there were none of @job's. */
void own_entries_are_first(struct own_entries *own, uint64_t job);

/* Notes that all of @job's entries of @map (below 32) are noted, and that the kernel programs make no more of them. */
void own_entries_are_read(struct own_entries *own, uint64_t job, unsigned int map);

/*
 * Forgets @job. Returns its entries, to be freed; NULL: they are not known, or not all of them. They may be gone, or
 * another job's by now.
 */
struct own_job *own_entries_take(struct own_entries *own, uint64_t job);

void own_entries_free(struct own_entries *own);

#endif
