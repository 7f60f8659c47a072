/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's timeline: an entry for each ended image. If there are too many entries, runs of one tool are merged into
 * bursts, short runs first.
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
	uint64_t container; /* of a burst's first run; 0: none */
	uint64_t start_ns; /* CLOCK_BOOTTIME */
	uint64_t end_ns;
	uint64_t wall_ns; /* sum over the runs */
	__u64 use[ABI_USES_SENT];
	uint64_t peak_bytes; /* of the largest run */
	uint32_t count;    /* runs; above 1: a burst */
	uint32_t failures;
	uint32_t flags; /* enum event_flags; of a burst only EVENT_EXECED */
	uint32_t status;
	uint32_t pid;
	uint32_t ppid;
};

struct timeline {
	struct timeline_entry *entries;
	size_t count;
	size_t room;
	uint64_t lost; /* dropped runs */
};

/* Adds an ended image. If there are @max entries, merges them to half as many. */
void timeline_add(struct timeline *timeline, const struct event *event, size_t max);

/*
 * Merges runs into bursts until at most @max entries are left. If there are too many tools, drops short entries and
 * counts the dropped runs in timeline.lost.
 */
void timeline_coalesce(struct timeline *timeline, size_t max);

/* Works like timeline_coalesce(), and frees memory. */
void timeline_shorten(struct timeline *timeline, size_t max);

/* Returns how many entries the memory must hold before the next entry is added. */
size_t timeline_room_wanted(const struct timeline *timeline);

void timeline_sort(struct timeline *timeline);

void timeline_free(struct timeline *timeline);

#endif
