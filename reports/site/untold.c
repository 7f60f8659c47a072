/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/untold.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_at(struct untold *untold, size_t place, int64_t from_s, int64_t until_s)
{
	memmove(&untold->list[place + 1], &untold->list[place], (untold->count - place) * sizeof(untold->list[0]));
	untold->list[place] = (struct untold_span){ from_s, until_s };
	untold->count++;
}

/* Joins a span with the next span. The time between the two then counts as untold. */
static void join(struct untold *untold, size_t place)
{
	if (untold->list[place].until_s < untold->list[place + 1].until_s)
		untold->list[place].until_s = untold->list[place + 1].until_s;
	untold->count--;
	memmove(&untold->list[place + 1], &untold->list[place + 2],
		(untold->count - place - 1) * sizeof(untold->list[0]));
}

static int64_t gap_behind(const struct untold *untold, size_t place)
{
	return untold->list[place + 1].from_s - untold->list[place].until_s;
}

/* Joins spans that touch, and the nearest spans if there are too many. */
static void tidy(struct untold *untold)
{
	for (size_t i = 0; i + 1 < untold->count;)
		if (gap_behind(untold, i) <= 0)
			join(untold, i);
		else
			i++;
	while (untold->count > UNTOLD_MOST) {
		size_t nearest = 0;

		for (size_t i = 1; i + 1 < untold->count; i++)
			if (gap_behind(untold, i) < gap_behind(untold, nearest))
				nearest = i;
		join(untold, nearest);
	}
}

void untold_cut(struct untold *untold, int64_t from_s, int64_t until_s)
{
	struct untold left = { 0 };

	for (size_t i = 0; i < untold->count; i++) {
		struct untold_span span = untold->list[i];
		int64_t end_s = span.until_s < from_s ? span.until_s : from_s;
		int64_t begin_s = span.from_s > until_s ? span.from_s : until_s;

		if (span.from_s < end_s)
			put_at(&left, left.count, span.from_s, end_s);
		if (begin_s < span.until_s)
			put_at(&left, left.count, begin_s, span.until_s);
	}
	tidy(&left);
	*untold = left;
}

void untold_add(struct untold *untold, int64_t from_s, int64_t until_s)
{
	size_t place = 0;

	if (from_s >= until_s)
		return;
	untold_cut(untold, from_s, until_s);
	while (place < untold->count && untold->list[place].from_s < from_s)
		place++;
	put_at(untold, place, from_s, until_s);
	tidy(untold);
}

int64_t untold_within(const struct untold *untold, int64_t from_s, int64_t until_s)
{
	int64_t sum = 0;

	for (size_t i = 0; i < untold->count; i++) {
		int64_t begin_s = untold->list[i].from_s > from_s ? untold->list[i].from_s : from_s;
		int64_t end_s = untold->list[i].until_s < until_s ? untold->list[i].until_s : until_s;

		sum += end_s > begin_s ? end_s - begin_s : 0;
	}
	return sum;
}

/* ---- as text ---- */

void untold_write(const struct untold *untold, char text[UNTOLD_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < untold->count; i++)
		used += (size_t)snprintf(text + used, UNTOLD_TEXT - used, "%s%" PRId64 "-%" PRId64, used ? " " : "",
					 untold->list[i].from_s, untold->list[i].until_s);
}

void untold_read(struct untold *untold, const char *text)
{
	int64_t from_s, until_s;
	int length;

	*untold = (struct untold){ 0 };
	for (; sscanf(text, "%" SCNd64 "-%" SCNd64 "%n", &from_s, &until_s, &length) == 2; text += length)
		untold_add(untold, from_s, until_s);
}
