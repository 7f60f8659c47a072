/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job_series.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 8

void series_begin(struct series *series, uint64_t start_ns)
{
	if (series->start_ns)
		return;
	series->start_ns = series->end_ns = start_ns;
	series->samples = 1;
}

static void join(struct series_point *a, const struct series_point *b)
{
	a->end_ns = b->end_ns;
	for (int i = 0; i < ABI_USES_SENT; i++)
		a->use[i] += b->use[i];
	for (int i = 0; i < SERIES_LEVELS; i++)
		if (b->level[i] > a->level[i])
			a->level[i] = b->level[i];
}

static void halve(struct series *series)
{
	size_t half = (series->count + 1) / 2;

	/* If the number of points is odd, the last point will be merged with the next samples. */
	if (series->count % 2 == 0)
		series->in_last += series->samples;
	for (size_t i = 0; i < half; i++) {
		series->points[i] = series->points[2 * i];
		if (2 * i + 1 < series->count)
			join(&series->points[i], &series->points[2 * i + 1]);
	}
	series->count = half;
	series->samples *= 2;
}

static bool resize(struct series *series, size_t room)
{
	struct series_point *points = realloc(series->points, room * sizeof(*points));

	if (!points)
		return false;
	series->points = points;
	series->room = room;
	return true;
}

void series_shorten(struct series *series, size_t max)
{
	while (series->count > max)
		halve(series);
	if (series->room > max)
		resize(series, max);
}

size_t series_room_wanted(const struct series *series)
{
	size_t room = series->room ? series->room * 2 : ROOM_FIRST;

	if (series->count < series->room)
		return series->room;
	return room < SERIES_POINTS_MAX ? room : SERIES_POINTS_MAX;
}

static bool make_room(struct series *series, size_t max)
{
	size_t room = series_room_wanted(series);

	if (room > max)
		room = max;
	if (series->count < series->room || (room > series->room && resize(series, room)))
		return true;
	if (!series->count)
		return false;
	halve(series);
	return true;
}

static void take_growth(struct series *series, const __u64 use[ABI_USES_SENT], __u64 more[ABI_USES_SENT])
{
	for (int i = 0; i < ABI_USES_SENT; i++) {
		more[i] = use[i] > series->total[i] ? use[i] - series->total[i] : 0;
		series->total[i] += more[i];
	}
}

static bool last_goes_on(const struct series *series)
{
	return series->count && series->in_last < series->samples;
}

static void append(struct series *series, const struct series_point *point, size_t max)
{
	if (!last_goes_on(series) && !make_room(series, max))
		return;
	if (last_goes_on(series)) {
		join(&series->points[series->count - 1], point);
		series->in_last++;
	} else {
		series->points[series->count++] = *point;
		series->in_last = 1;
	}
}

void series_add(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT],
		const int64_t level[SERIES_LEVELS], size_t max)
{
	struct series_point point = { .end_ns = end_ns };

	take_growth(series, use, point.use);
	memcpy(point.level, level, sizeof(point.level));
	series->end_ns = end_ns;
	series->left_out = 0;
	if (max)
		append(series, &point, max);
}

void series_leave_out(struct series *series)
{
	series->left_out++;
	if (series->left_out > series->left_out_most)
		series->left_out_most = series->left_out;
}

/* Subtracts @excess, which sampling counted twice, from the total and from the last points. */
static void take_back(struct series *series, int use, uint64_t excess)
{
	series->total[use] -= excess;
	for (size_t i = series->count; i-- > 0 && excess;) {
		uint64_t part = series->points[i].use[use];

		if (part > excess)
			part = excess;
		series->points[i].use[use] -= part;
		excess -= part;
	}
}

/* Some sums of the total may be in no point. Adds these sums to the first point. */
static void settle(struct series *series, struct series_point *last)
{
	for (int i = 0; i < ABI_USES_SENT; i++) {
		uint64_t sum = last->use[i];

		for (size_t p = 0; p < series->count; p++)
			sum += series->points[p].use[i];
		if (series->count)
			series->points[0].use[i] += series->total[i] - sum;
		else
			last->use[i] += series->total[i] - sum;
	}
}

static void cut(struct series *series, uint64_t end_ns)
{
	struct series_point *points = series->points;

	for (; series->count > 1 && points[series->count - 2].end_ns >= end_ns; series->count--)
		join(&points[series->count - 2], &points[series->count - 1]);
	if (series->count && points[series->count - 1].end_ns > end_ns)
		points[series->count - 1].end_ns = end_ns;
}

void series_end(struct series *series, uint64_t end_ns, const __u64 use[ABI_USES_SENT])
{
	struct series_point point = { .end_ns = end_ns > series->start_ns ? end_ns : series->start_ns };

	cut(series, point.end_ns);
	for (int i = 0; i < SERIES_LEVELS; i++)
		point.level[i] = SERIES_UNKNOWN;
	for (int i = 0; i < ABI_USES_SENT; i++)
		if (use[i] < series->total[i])
			take_back(series, i, series->total[i] - use[i]);
	take_growth(series, use, point.use);
	settle(series, &point);
	series->end_ns = point.end_ns;
	if (series->count && series->points[series->count - 1].end_ns == point.end_ns)
		join(&series->points[series->count - 1], &point);
	else
		append(series, &point, SERIES_POINTS_MAX);
}

void series_free(struct series *series)
{
	free(series->points);
	memset(series, 0, sizeof(*series));
}
