/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's use over time: one point for each sample, until there are too many; then neighbours are joined, two by two,
 * and a point is as long as two were. Sums are added up and stay exact: those of all points are what the job used. Of
 * levels the highest is kept.
 */
#ifndef STINT_SERIES_H
#define STINT_SERIES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/record.h"

#define SERIES_POINTS_MAX 4096
#define SERIES_UNKNOWN (-1) /* a level that is not known */

enum series_level {
	SERIES_MEMORY_USED,
	SERIES_MEMORY_CACHE,
	SERIES_PROCESSES,
	SERIES_THREADS,
	SERIES_LEVELS
};

struct series_point {
	uint64_t end_ns; /* of the clock that the times are told by */
	__u64 use[RECORD_USES_TOLD];
	int64_t level[SERIES_LEVELS];
};

struct series {
	uint64_t start_ns; /* 0: not begun */
	uint64_t end_ns;   /* of the last point */
	__u64 total[RECORD_USES_TOLD]; /* the sums of all points, and of what came while none were kept */
	struct series_point *points;
	size_t count;
	size_t room;
	unsigned int samples;  /* that a point is made of */
	unsigned int in_last;  /* samples that the last one has */
};

/* Begins at @start_ns, unless it has begun already. */
void series_begin(struct series *series, uint64_t start_ns);

/*
 * Adds a sample: what was used up to @end_ns, since the beginning. A sum that is smaller than it was, which is an error
 * of sampling, stands still until it is overtaken.
 *
 * @level: at that moment
 * @max: points there may be now; 0: none is kept, but the sums are
 */
void series_add(struct series *series, uint64_t end_ns, const __u64 use[RECORD_USES_TOLD],
		const int64_t level[SERIES_LEVELS], size_t max);

/*
 * Adds the last point, which has what @use, exact, is more than all points; where it is less, that is taken from the
 * last ones.
 */
void series_end(struct series *series, uint64_t end_ns, const __u64 use[RECORD_USES_TOLD]);

/* Joins points until there are at most @max (at least 1), and gives back the room of the others. */
void series_shorten(struct series *series, size_t max);

/* How many points there is to be room for, should there be one more. */
size_t series_room_wanted(const struct series *series);

void series_free(struct series *series);

#endif
