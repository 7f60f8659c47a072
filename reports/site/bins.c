/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RATIO 1.01 /* upper edge of a bin / lower edge */
#define ROOM_FIRST 32
#define FEW 16 /* up to so many bins of @other, a search for each bin is faster than merge_sorted() */

int32_t bins_index(int64_t value)
{
	return value > 0 ? 1 + (int32_t)floor(log((double)value) / log(RATIO)) : 0;
}

double bins_value(int32_t index)
{
	double least = pow(RATIO, index - 1), most = least * RATIO;

	if (index <= 0)
		return 0;
	/* if the bin contains only one whole number, return it */
	if (ceil(least) == ceil(most) - 1)
		return ceil(least);
	return sqrt(least * most);
}

/*
 * Returns the first bin that is not below @index. First looks at the end, because most callers add bins in order. A
 * summary of a year makes millions of searches, so the search has no branches that the CPU could mispredict.
 */
static size_t find_place(const struct bins *bins, int32_t index)
{
	const struct bin *at = bins->list;
	size_t left = bins->used;

	if (left == 0 || at[left - 1].index < index)
		return left;
	while (left > 1) {
		size_t half = left / 2;

		at += at[half - 1].index < index ? half : 0;
		left -= half;
	}
	return (size_t)(at - bins->list);
}

static void remove_at(struct bins *bins, size_t place)
{
	bins->used--;
	memmove(&bins->list[place], &bins->list[place + 1], (bins->used - place) * sizeof(bins->list[0]));
}

static int insert_at(struct bins *bins, size_t place, int32_t index, int64_t count, struct error *err)
{
	size_t room = bins->room ? 2 * bins->room : ROOM_FIRST;
	struct bin *list = bins->used < bins->room ? bins->list : reallocarray(bins->list, room, sizeof(*list));

	if (!list)
		return error_set(err, "out of memory");
	if (bins->used == bins->room)
		bins->room = room;
	bins->list = list;
	memmove(&list[place + 1], &list[place], (bins->used - place) * sizeof(*list));
	list[place] = (struct bin){ .index = index, .count = count };
	bins->used++;
	return 0;
}

int bins_count(struct bins *bins, int32_t index, int64_t count, struct error *err)
{
	size_t place = find_place(bins, index);

	if (count == 0)
		return 0;
	if (place == bins->used || bins->list[place].index != index)
		return insert_at(bins, place, index, count, err);
	bins->list[place].count += count;
	if (bins->list[place].count == 0)
		remove_at(bins, place);
	return 0;
}

/* Begins at the ends of the sorted lists, so that each bin moves once. */
static int merge_sorted(struct bins *bins, const struct bins *other, int sign, struct error *err)
{
	size_t room = bins->used + other->used, mine = bins->used, others = other->used, to = room;
	struct bin *list = room > bins->room ? reallocarray(bins->list, room, sizeof(*list)) : bins->list;

	if (!list)
		return error_set(err, "out of memory");
	if (room > bins->room)
		bins->room = room;
	bins->list = list;
	while (others) {
		struct bin bin = other->list[others - 1];

		if (mine && list[mine - 1].index > bin.index) {
			list[--to] = list[--mine];
			continue;
		}
		bin.count *= sign;
		others--;
		if (mine && list[mine - 1].index == bin.index)
			bin.count += list[--mine].count;
		if (bin.count)
			list[--to] = bin;
	}
	memmove(&list[mine], &list[to], (room - to) * sizeof(*list));
	bins->used = mine + room - to;
	return 0;
}

int bins_merge(struct bins *bins, const struct bins *other, int sign, struct error *err)
{
	if (other->used > FEW)
		return merge_sorted(bins, other, sign, err);
	for (size_t i = 0; i < other->used; i++)
		if (bins_count(bins, other->list[i].index, sign * other->list[i].count, err) < 0)
			return -1;
	return 0;
}

int64_t bins_total(const struct bins *bins)
{
	int64_t total = 0;

	for (size_t i = 0; i < bins->used; i++)
		total += bins->list[i].count;
	return total;
}

double bins_quantile(const struct bins *bins, double q)
{
	double wanted = fmax(1, ceil(q * (double)bins_total(bins) - 1e-9));
	int64_t seen = 0;

	for (size_t i = 0; i < bins->used; i++) {
		seen += bins->list[i].count;
		if ((double)seen >= wanted)
			return bins_value(bins->list[i].index);
	}
	return NAN;
}

void bins_free(struct bins *bins)
{
	free(bins->list);
	*bins = (struct bins){ 0 };
}
