/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers the entries of the kernel's maps that this stintd has made or read for each job. If all entries of a job
 * are known and few, stintd deletes them by their keys when it forgets the job. So it need not search tables of many
 * thousand entries.
 */
#ifndef STINT_OWN_ENTRIES_H
#define STINT_OWN_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWN_ENTRIES_MAX 64 /* of a job; if a job has more, stintd must search the tables for them */

struct own_entry {
	unsigned int map;
	uint64_t key;
};

struct own_job {
	struct own_job *next;
	uint64_t job;
	bool whole; /* only this stintd and the kernel programs have made entries for this job */
	bool too_many; /* some entries were not stored */
	unsigned int read; /* bits 1 << map: all of the job's entries in these maps are stored, whoever made them */
	size_t found; /* the number of entries that the kernel programs had already made */
	size_t count;
	struct own_entry entries[OWN_ENTRIES_MAX];
};

struct own_entries {
	struct own_job *first;
	bool failed; /* out of memory: no job's entries are known from then on */
};

/* Stores that @job has the entry @key in @map. @found: the entry was already there. Does not store an entry twice. */
void own_entries_note(struct own_entries *own, uint64_t job, unsigned int map, uint64_t key, bool found);

/* Marks that @job had no entries before those stored so far. */
void own_entries_are_first(struct own_entries *own, uint64_t job);

/*
 * Marks that all entries of @job in @map are stored, and that the kernel programs make no more of them. @map: less than
 * 32
 */
void own_entries_are_read(struct own_entries *own, uint64_t job, unsigned int map);

/*
 * Forgets @job. Returns its entries, which the caller frees; NULL if not all of them are known. An entry may have been
 * deleted since, or may now belong to another job.
 */
struct own_job *own_entries_take(struct own_entries *own, uint64_t job);

void own_entries_free(struct own_entries *own);

#endif
