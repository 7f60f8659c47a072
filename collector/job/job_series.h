/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's use over time: one point for each sample, until there are too many. Then neighbours are joined, two by two,
 * and each new point is as long as both. Sums are added up and stay exact: over all points they are what the job used.
 * A joined point keeps the higher of two levels.
 */
#ifndef STINT_JOB_SERIES_H
#define STINT_JOB_SERIES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/abi.h"

#define SERIES_POINTS_MAX 4096
#define SERIES_UNKNOWN (-1) /* an unknown level */
#define SERIES_LEFT_OUT_FEW 4 /* samples in a row that may be left out by chance, after one had taken long */

enum series_level {
	SERIES_MEMORY_USED,
	SERIES_MEMORY_CACHE,
	SERIES_PROCESSES,
	SERIES_THREADS,
	SERIES_LEVELS
};

struct series_point {
	uint64_t end_ns; /* by the caller's clock, like all times here */
	__u64 use[ABI_USES_SENT];
	int64_t level[SERIES_LEVELS];
};

struct series {
	uint64_t start_ns; /* 0: not begun */
	uint64_t end_ns;   /* of the last point */
	__u64 total[ABI_USES_SENT]; /* the sums of all points, and of the samples for which no point was kept */
	struct series_point *points;
	size_t count;
	size_t room;
	unsigned int samples;  /* in a point */
	unsigned int in_last;  /* samples in the last point */
	unsigned int left_out; /* samples since the last one */
	unsigned int left_out_most; /* the most in a row */
};

/* Begins the series at @start_ns, unless it has begun already. */
void series_begin(struct series *series, uint64_t start_ns);

/*
 * Adds a sample: what was used up to @end_ns, since the beginning. If a sum is smaller than before, by an error of
 * sampling, it stays unchanged until a later sample exceeds it.
 *
 * @level: at that moment
 * @max: how many points there may be now; 0: no point is kept, only the sums
 */
void series_add(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT],
		const int64_t level[SERIES_LEVELS], size_t max);

/* Notes that a sample was left out. */
void series_leave_out(struct series *series);

/*
 * Ends the series at @end_ns: the point that ends then also gets what later samples had. @use has the exact sums at the
 * end: the last point gets the amount by which they exceed the sums of all points. If a sum of @use is less, the
 * difference is subtracted from the last points.
 */
void series_end(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT]);

/* Joins points until there are at most @max (at least 1), and frees the memory of the others. */
void series_shorten(struct series *series, size_t max);

/* Returns how many points the series needs memory for to add one more. */
size_t series_room_wanted(const struct series *series);

void series_free(struct series *series);

#endif
