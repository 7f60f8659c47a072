/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's timeline: one entry for each image that ended, until there are too many.
 * Then runs of the same tool that follow each other closely become bursts, the
 * shortest first. Sums stay exact.
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
	uint32_t count;    /* runs; above 1: a burst */
	uint32_t failures;
	uint32_t flags; /* enum event_flags; a burst has only EVENT_EXECED */
	uint32_t status;
	uint32_t pid;
	uint32_t ppid;
};

struct timeline {
	struct timeline_entry *entries;
	size_t count;
	size_t room;
	uint64_t lost; /* runs without room for them */
};

/* Adds one ended image. If there are @max entries, first joins them to half as many or fewer. */
void timeline_add(struct timeline *timeline, const struct event *event, size_t max);

/*
 * Makes bursts until at most @max entries are left. If there are too many tools for that, the shortest entries are
 * lost, and timeline.lost counts their runs.
 */
void timeline_coalesce(struct timeline *timeline, size_t max);

/* The same, and frees the memory of the others. */
void timeline_shorten(struct timeline *timeline, size_t max);

/* Returns how many entries the timeline needs memory for to add one more. */
size_t timeline_room_wanted(const struct timeline *timeline);

/* Sorts the entries by their start. */
void timeline_sort(struct timeline *timeline);

void timeline_free(struct timeline *timeline);

#endif
