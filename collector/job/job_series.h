/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's use over time: a point for each sample. If there are too many points, neighbours are merged. From then on, a
 * new point covers as many samples as a merged point. Merging two points adds up their sums, and takes the higher of
 * their levels.
 */
#ifndef STINT_JOB_SERIES_H
#define STINT_JOB_SERIES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/abi.h"

#define SERIES_POINTS_MAX 4096
#define SERIES_UNKNOWN (-1) /* of a level */
#define SERIES_LEFT_OUT_FEW 4 /* so many in a row can be chance */

enum series_level {
	SERIES_MEMORY_USED,
	SERIES_MEMORY_CACHE,
	SERIES_PROCESSES,
	SERIES_THREADS,
	SERIES_LEVELS
};

struct series_point {
	uint64_t end_ns; /* caller's clock, as in this whole file */
	__u64 use[ABI_USES_SENT];
	int64_t level[SERIES_LEVELS];
};

struct series {
	uint64_t start_ns; /* 0: not begun */
	uint64_t end_ns;   /* of the last point */
	__u64 total[ABI_USES_SENT]; /* of all samples */
	struct series_point *points;
	size_t count;
	size_t room;
	unsigned int samples;  /* in a point */
	unsigned int in_last;  /* samples in the last point */
	unsigned int left_out; /* since the last sample */
	unsigned int left_out_most; /* most in a row */
};

/* Begins the series, unless it has begun. */
void series_begin(struct series *series, uint64_t start_ns);

/*
 * Adds a sample. If a sum shrinks, sampling made an error, and the series keeps the higher sum.
 *
 * @end_ns: time of the sample
 * @use: sums since the beginning
 * @level: levels at @end_ns
 * @max: most points of the series now; 0: add to the totals only
 */
void series_add(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT],
		const int64_t level[SERIES_LEVELS], size_t max);

void series_leave_out(struct series *series);

/*
 * Ends the series at @end_ns with the exact sums @use. Merges later samples into the last point, and corrects errors of
 * sampling there.
 */
void series_end(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT]);

/* Merges points until at most @max are left, and frees memory. @max: at least 1 */
void series_shorten(struct series *series, size_t max);

/* Returns how many points the memory must hold before the next point is added. */
size_t series_room_wanted(const struct series *series);

void series_free(struct series *series);

#endif
