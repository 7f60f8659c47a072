/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's use over time. Each sample becomes one point. If there are too many points, every two neighbours are merged
 * into one, and from then on each new point covers as many samples as a merged one. Sums are added up and stay exact,
 * so the sum over all points is what the job used. Of two levels, a merged point has the higher one.
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
#define SERIES_LEFT_OUT_FEW 4 /* after a slow sample, up to this many samples in a row may be left out by chance */

enum series_level {
	SERIES_MEMORY_USED,
	SERIES_MEMORY_CACHE,
	SERIES_PROCESSES,
	SERIES_THREADS,
	SERIES_LEVELS
};

struct series_point {
	uint64_t end_ns; /* read from the caller's clock, like all times in this file */
	__u64 use[ABI_USES_SENT];
	int64_t level[SERIES_LEVELS];
};

struct series {
	uint64_t start_ns; /* 0: not begun */
	uint64_t end_ns;   /* of the last point */
	__u64 total[ABI_USES_SENT]; /* the sums over all points, and over samples that became no point */
	struct series_point *points;
	size_t count;
	size_t room;
	unsigned int samples;  /* in a point */
	unsigned int in_last;  /* how many samples the last point has so far */
	unsigned int left_out; /* samples that were left out since the last sample */
	unsigned int left_out_most; /* the most samples that were left out in a row */
};

/* Begins the series at @start_ns, unless it has begun before. */
void series_begin(struct series *series, uint64_t start_ns);

/*
 * Adds a sample. If an error of sampling makes a sum smaller than it was, the series keeps the former sum until a later
 * sample exceeds it.
 *
 * @end_ns: time of the sample
 * @use: what was used from the beginning up to @end_ns
 * @level: the levels at @end_ns
 * @max: how many points the series may have now; 0: add to the totals only, and make no point
 */
void series_add(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT],
		const int64_t level[SERIES_LEVELS], size_t max);

/* Counts one sample that was left out. */
void series_leave_out(struct series *series);

/*
 * Ends the series at @end_ns, with the exact sums @use. Merges later samples into the point that ends at @end_ns. If a
 * sum in @use exceeds the total of all points, adds the difference to the last point. If the sum is less than this
 * total, subtracts the difference from the last points.
 */
void series_end(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT]);

/* Merges points until at most @max points (at least 1) are left, and frees the memory of the others. */
void series_shorten(struct series *series, size_t max);

/* Returns how many points the series needs memory for before one more point can be added. */
size_t series_room_wanted(const struct series *series);

void series_free(struct series *series);

#endif
