/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers, for each job, the entries of the kernel's maps that this stintd has made or read. If all entries of a job
 * are known, and are few, stintd deletes them by their keys when it forgets the job. So stintd need not search tables
 * of many thousand entries.
 */
#ifndef STINT_OWN_ENTRIES_H
#define STINT_OWN_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWN_ENTRIES_MAX 64 /* the most entries of a job that are stored; if a job has more, stintd must search the tables */

struct own_entry {
	unsigned int map;
	uint64_t key;
};

struct own_job {
	struct own_job *next;
	uint64_t job;
	bool whole; /* all entries of this job were made by this stintd or by the kernel programs */
	bool too_many; /* the job has more entries than OWN_ENTRIES_MAX, so some are not stored */
	unsigned int read; /* bits 1 << map: the maps of which all entries of the job are stored, whoever made these entries */
	size_t found; /* number of the stored entries that the kernel programs had already made */
	size_t count;
	struct own_entry entries[OWN_ENTRIES_MAX];
};

struct own_entries {
	struct own_job *first;
	bool failed; /* out of memory, so from then on no job's entries are known */
};

/* Stores that @job has the entry @key in @map. Does not store an entry twice. @found: the entry already existed */
void own_entries_note(struct own_entries *own, uint64_t job, unsigned int map, uint64_t key, bool found);

/* Marks that @job had no entries before those that are stored so far. */
void own_entries_are_first(struct own_entries *own, uint64_t job);

/*
 * Marks that all entries of @job in @map are stored, and that the kernel programs will make no more of them. @map must
 * be less than 32.
 */
void own_entries_are_read(struct own_entries *own, uint64_t job, unsigned int map);

/*
 * Forgets @job. Returns its entries, which the caller frees. Returns NULL if not all entries of @job are known. An
 * entry may have been deleted since it was stored, or may now belong to another job.
 */
struct own_job *own_entries_take(struct own_entries *own, uint64_t job);

void own_entries_free(struct own_entries *own);

#endif
