/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes which entries of the kernel's maps this stintd has made for a job, and which it has read after the last was
 * made. If it knows all entries of a forgotten job, and they are few, it deletes them by their keys and need not search
 * tables of many thousand entries.
 */
#ifndef STINT_OWN_ENTRIES_H
#define STINT_OWN_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWN_ENTRIES_MAX 64 /* of a job; a job with more has its entries searched for */

struct own_entry {
	unsigned int map;
	uint64_t key;
};

struct own_job {
	struct own_job *next;
	uint64_t job;
	bool whole; /* only this stintd and the kernel programs have made entries of these maps for it */
	bool too_many; /* some are not noted */
	unsigned int read; /* bits 1 << map: all of the job's entries of these maps are noted, also those that others made */
	size_t found; /* how many of the entries the kernel programs had made before */
	size_t count;
	struct own_entry entries[OWN_ENTRIES_MAX];
};

struct own_entries {
	struct own_job *first;
	bool failed; /* memory was short: nothing is known from then on */
};

/*
 * Notes that the entry @key of @map was made for @job, or was there already (@found). An entry that is already noted is
 * not noted again.
 */
void own_entries_note(struct own_entries *own, uint64_t job, unsigned int map, uint64_t key, bool found);

/* Notes that @job had no entries before those noted so far. */
void own_entries_are_first(struct own_entries *own, uint64_t job);

/* Notes that all of @job's entries of @map (below 32) are noted, and that the kernel programs make no more of them. */
void own_entries_are_read(struct own_entries *own, uint64_t job, unsigned int map);

/*
 * Forgets @job. Returns its entries, which the caller frees; NULL: they are not known, or not all of them. They may be
 * gone, or another job's by now.
 */
struct own_job *own_entries_take(struct own_entries *own, uint64_t job);

void own_entries_free(struct own_entries *own);

#endif
