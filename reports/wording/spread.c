/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/spread.h"

#include <math.h>
#include <stdlib.h>

#include "common/cleanup.h"

struct point {
	double value;
	const struct summary *row;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *one = a, *other = b;

	return one->value < other->value ? -1 : one->value > other->value;
}

struct spread spread_of(const struct summary *rows, size_t count, double (*value)(const struct summary *row))
{
	cleanup_free struct point *points = calloc(count + 1, sizeof(*points));
	struct spread spread = { .least = NAN, .median = NAN, .most = NAN };

	for (size_t i = 0; points && i < count; i++) {
		points[spread.known] = (struct point){ value(&rows[i]), &rows[i] };
		spread.known += !isnan(points[spread.known].value);
	}
	if (spread.known == 0)
		return spread;
	qsort(points, spread.known, sizeof(*points), compare_points);
	spread.least = points[0].value;
	spread.median = (points[(spread.known - 1) / 2].value + points[spread.known / 2].value) / 2;
	spread.most = points[spread.known - 1].value;
	spread.least_row = points[0].row;
	spread.most_row = points[spread.known - 1].row;
	return spread;
}
