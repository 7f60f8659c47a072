/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's timeline. Each ended image becomes one entry. If there are too many entries, runs of the same tool that
 * follow each other closely are merged into one entry (a burst), the shortest runs first. Sums stay exact.
 */
#ifndef STINT_JOB_TIMELINE_H
#define STINT_JOB_TIMELINE_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/abi.h"

struct timeline_entry {
	uint64_t tool;
	uint64_t step;
	uint64_t start_ns; /* CLOCK_BOOTTIME */
	uint64_t end_ns;
	uint64_t wall_ns; /* sum over the runs */
	__u64 use[ABI_USES_SENT];
	uint64_t peak_bytes; /* of the largest run */
	uint32_t count;    /* number of runs; if it is above 1, the entry is a burst */
	uint32_t failures;
	uint32_t flags; /* enum event_flags; a burst can have only EVENT_EXECED */
	uint32_t status;
	uint32_t pid;
	uint32_t ppid;
};

struct timeline {
	struct timeline_entry *entries;
	size_t count;
	size_t room;
	uint64_t lost; /* runs that were dropped because there was no room */
};

/* Adds one ended image. If there are already @max entries, first merges them until at most half as many are left. */
void timeline_add(struct timeline *timeline, const struct event *event, size_t max);

/*
 * Merges runs into bursts until at most @max entries are left. If runs of too many different tools are left, drops the
 * shortest entries and adds their runs to timeline.lost.
 */
void timeline_coalesce(struct timeline *timeline, size_t max);

/* Works like timeline_coalesce(), but also frees the memory of the entries above @max. */
void timeline_shorten(struct timeline *timeline, size_t max);

/* Returns how many entries the timeline needs memory for before one more entry can be added. */
size_t timeline_room_wanted(const struct timeline *timeline);

/* Sorts the entries by their start time. */
void timeline_sort(struct timeline *timeline);

void timeline_free(struct timeline *timeline);

#endif
