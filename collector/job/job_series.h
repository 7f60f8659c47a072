/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's use over time. Each sample becomes one point, until there are too many points. Then each two neighbours are
 * merged into one, and each new point covers as many samples as a merged one. Sums are added up and stay exact: the sum
 * over all points is what the job used. A merged point keeps the higher of two levels.
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
#define SERIES_LEFT_OUT_FEW 4 /* after a slow sample, up to this many may be left out in a row by chance */

enum series_level {
	SERIES_MEMORY_USED,
	SERIES_MEMORY_CACHE,
	SERIES_PROCESSES,
	SERIES_THREADS,
	SERIES_LEVELS
};

struct series_point {
	uint64_t end_ns; /* by the caller's clock, like all times in this file */
	__u64 use[ABI_USES_SENT];
	int64_t level[SERIES_LEVELS];
};

struct series {
	uint64_t start_ns; /* 0: not begun */
	uint64_t end_ns;   /* of the last point */
	__u64 total[ABI_USES_SENT]; /* the sums over all points, and over the samples for which no point was kept */
	struct series_point *points;
	size_t count;
	size_t room;
	unsigned int samples;  /* in a point */
	unsigned int in_last;  /* samples in the last point so far */
	unsigned int left_out; /* samples left out since the last sample */
	unsigned int left_out_most; /* the most samples left out in a row */
};

/* Begins the series at @start_ns, unless the series has already begun. */
void series_begin(struct series *series, uint64_t start_ns);

/*
 * Adds a sample. Sampling errors can make a sum smaller than before. Such a sum stays unchanged until a later sample
 * exceeds it.
 *
 * @end_ns: time of the sample
 * @use: what was used from the beginning up to @end_ns
 * @level: the levels at @end_ns
 * @max: how many points there may be now; 0: keep only the totals, no point
 */
void series_add(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT],
		const int64_t level[SERIES_LEVELS], size_t max);

/* Counts a sample that was left out. */
void series_leave_out(struct series *series);

/*
 * Ends the series at @end_ns, with the exact sums @use. Merges the use of later samples into the point that ends at
 * @end_ns. If a sum in @use exceeds the total of all points, adds the difference to the last point. If it is less,
 * subtracts the difference from the last points.
 */
void series_end(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT]);

/* Merges points until there are at most @max (at least 1), and frees the memory of the others. */
void series_shorten(struct series *series, size_t max);

/* Returns the number of points for which the series needs memory before one more point can be added. */
size_t series_room_wanted(const struct series *series);

void series_free(struct series *series);

#endif
