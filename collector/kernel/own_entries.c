/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/own_entries.h"

#include <stdlib.h>

static struct own_job **find(struct own_entries *own, uint64_t job)
{
	struct own_job **at = &own->first;

	while (*at && (*at)->job != job)
		at = &(*at)->next;
	return at;
}

/* Returns NULL if out of memory. */
static struct own_job *find_or_add(struct own_entries *own, uint64_t job)
{
	struct own_job *fresh = *find(own, job);

	if (fresh)
		return fresh;
	fresh = calloc(1, sizeof(*fresh));
	if (!fresh)
		return NULL;
	fresh->job = job;
	fresh->next = own->first;
	own->first = fresh;
	return fresh;
}

void own_entries_note(struct own_entries *own, uint64_t job, unsigned int map, uint64_t key, bool found)
{
	struct own_job *of_job = find_or_add(own, job);

	own->failed |= !of_job;
	if (!of_job)
		return;
	for (size_t i = 0; i < of_job->count; i++)
		if (of_job->entries[i].map == map && of_job->entries[i].key == key)
			return;
	if (of_job->count == OWN_ENTRIES_MAX) {
		of_job->too_many = true;
		return;
	}
	of_job->entries[of_job->count++] = (struct own_entry){ map, key };
	of_job->found += found;
}

void own_entries_are_first(struct own_entries *own, uint64_t job)
{
	struct own_job *of_job = *find(own, job);

	if (of_job)
		of_job->whole = true;
}

void own_entries_are_read(struct own_entries *own, uint64_t job, unsigned int map)
{
	struct own_job *of_job = *find(own, job);

	if (of_job)
		of_job->read |= 1u << map;
}

struct own_job *own_entries_take(struct own_entries *own, uint64_t job)
{
	struct own_job **at = find(own, job), *of_job = *at;

	if (!of_job)
		return NULL;
	*at = of_job->next;
	if (of_job->whole && !of_job->too_many && !own->failed)
		return of_job;
	free(of_job);
	return NULL;
}

void own_entries_free(struct own_entries *own)
{
	struct own_job *next;

	for (struct own_job *each = own->first; each; each = next) {
		next = each->next;
		free(each);
	}
	own->first = NULL;
}
