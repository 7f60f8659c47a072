/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/rows.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory/array.h"

bool rows_add(struct rows *rows, const struct summary *row)
{
	if (!array_room(&rows->list, rows->count, sizeof(*rows->list)))
		return false;
	rows->list[rows->count++] = *row;
	return true;
}

void rows_drop(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		summary_free(&rows->list[i]);
	rows->count = 0;
}

void rows_free(struct rows *rows)
{
	rows_drop(rows);
	free(rows->list);
	rows->list = NULL;
}

static int text_order(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "");
}

static int number_order(int64_t one, int64_t other)
{
	return one < other ? -1 : one > other;
}

/* The oldest first. All times have one form, and usually one zone, so texts sort like times. */
static int compare_age(const void *a, const void *b)
{
	const struct summary *one = a, *other = b;
	int order = text_order(one->start, other->start);

	if (!order)
		order = number_order(one->id, other->id);
	if (!order)
		order = number_order(one->attempt, other->attempt);
	return order ? order : text_order(one->path, other->path);
}

void rows_sort(struct rows *rows)
{
	if (rows->count > 1)
		qsort(rows->list, rows->count, sizeof(rows->list[0]), compare_age);
}

static int compare_attempt(const void *a, const void *b)
{
	const struct summary *one = a, *other = b;
	int order = number_order(one->id, other->id);

	if (!order)
		order = text_order(one->cluster, other->cluster);
	return order ? order : number_order(other->attempt, one->attempt);
}

static int compare_attempt_number(const void *a, const void *b)
{
	const struct summary *one = a, *other = b;

	return number_order(one->attempt, other->attempt);
}

void rows_sort_attempts(struct rows *rows)
{
	if (rows->count > 1)
		qsort(rows->list, rows->count, sizeof(rows->list[0]), compare_attempt_number);
}

bool rows_same_job(const struct summary *one, const struct summary *other)
{
	return one->id == other->id && text_order(one->cluster, other->cluster) == 0;
}

void rows_keep_attempts(struct rows *rows)
{
	size_t kept = 0;

	if (rows->count)
		qsort(rows->list, rows->count, sizeof(rows->list[0]), compare_attempt);
	for (size_t i = 0; i < rows->count; i++) {
		struct summary *row = &rows->list[i], *last = kept ? &rows->list[kept - 1] : NULL;
		bool same = last && rows_same_job(last, row);

		if (rows->attempt ? row->attempt == rows->attempt : !same) {
			rows->list[kept++] = *row;
			continue;
		}
		if (same)
			last->earlier++;
		summary_free(row);
	}
	rows->count = kept;
}
