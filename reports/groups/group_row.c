/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/group_row.h"

#include <stdio.h>
#include <stdlib.h>

#define NUMBERS 64 /* more than there are verdicts or findings */
#define TOOL_SUMS 4

/* in the order of the columns */
static const size_t counts[GROUP_COUNTS] = {
	offsetof(struct job_group, jobs), offsetof(struct job_group, complete), offsetof(struct job_group, brief),
	offsetof(struct job_group, oom), offsetof(struct job_group, nodes_expected), offsetof(struct job_group, nodes_present),
};

static int64_t *count_in(const struct job_group *group, size_t i)
{
	return (int64_t *)((char *)(uintptr_t)group + counts[i]);
}

/* ---- the column "rest": whole numbers of seven bits a byte ---- */

static void put_number(FILE *out, int64_t number)
{
	uint64_t left = (uint64_t)number << 1 ^ (uint64_t)(number >> 63);

	for (; left >= 0x80; left >>= 7)
		putc_unlocked((int)(left & 0x7f) | 0x80, out);
	putc_unlocked((int)left, out);
}

/* Leaves out zeros at the end, so that a later version can append numbers. */
static void put_list(FILE *out, const int64_t *list, size_t count)
{
	while (count && !list[count - 1])
		count--;
	put_number(out, (int64_t)count);
	for (size_t i = 0; i < count; i++)
		put_number(out, list[i]);
}

static void put_rest(FILE *out, const struct job_group *group)
{
	const int64_t tools[TOOL_SUMS] = { group->tool_runs, group->tool_failures, group->tool_cpu_ms, group->tool_wall_ms };
	int64_t words[NUMBERS] = { 0 };

	put_list(out, group->known, JOB_MEASURE_COUNT);
	for (enum bound b = 0; b <= BOUND_UNKNOWN; b++)
		words[verdict_number(b)] = group->verdicts[b];
	put_list(out, words, NUMBERS);
	for (size_t i = 0; i < NUMBERS; i++)
		words[i] = finding_of_number((int)i) == FINDING_COUNT ? 0 : group->findings[finding_of_number((int)i)];
	put_list(out, words, NUMBERS);
	for (size_t b = 0; b < JOB_BINS_COUNT; b++) {
		const struct bins *bins = &group->bins[b];
		int32_t before = 0;

		put_number(out, (int64_t)bins->used);
		for (size_t i = 0; i < bins->used; i++) {
			put_number(out, bins->list[i].index - before);
			put_number(out, bins->list[i].count);
			before = bins->list[i].index;
		}
	}
	put_list(out, tools, TOOL_SUMS);
}

struct reading {
	const unsigned char *at, *end;
	bool bad;
};

static int64_t take_number(struct reading *reading)
{
	uint64_t number = 0;
	unsigned int shift = 0;

	for (;; shift += 7) {
		if (reading->at == reading->end || shift > 63) {
			reading->bad = true;
			return 0;
		}
		number |= (uint64_t)(*reading->at & 0x7f) << shift;
		if (!(*reading->at++ & 0x80))
			return (int64_t)(number >> 1 ^ -(number & 1));
	}
}

static void take_list(struct reading *reading, int64_t *list, size_t most)
{
	int64_t count = take_number(reading);

	if (count < 0 || (size_t)count > most)
		reading->bad = true;
	for (int64_t i = 0; !reading->bad && i < count; i++)
		list[i] = take_number(reading);
}

static int take_bins(struct reading *reading, struct bins *bins, struct error *err)
{
	int64_t used = take_number(reading), index = 0;

	for (int64_t i = 0; !reading->bad && i < used; i++) {
		int64_t count;

		index += take_number(reading);
		count = take_number(reading);
		if (index < 0 || index > INT32_MAX)
			reading->bad = true;
		else if (bins_count(bins, (int32_t)index, count, err) < 0)
			return -1;
	}
	return 0;
}

static int take_rest(struct reading *reading, struct job_group *group, struct error *err)
{
	int64_t verdicts[NUMBERS] = { 0 }, findings[NUMBERS] = { 0 }, tools[TOOL_SUMS] = { 0 };

	take_list(reading, group->known, JOB_MEASURE_COUNT);
	take_list(reading, verdicts, NUMBERS);
	take_list(reading, findings, NUMBERS);
	for (size_t i = 0; i < NUMBERS; i++) {
		if (verdicts[i])
			group->verdicts[verdict_of_number((int)i)] += verdicts[i];
		if (findings[i] && finding_of_number((int)i) != FINDING_COUNT)
			group->findings[finding_of_number((int)i)] += findings[i];
	}
	for (size_t b = 0; b < JOB_BINS_COUNT; b++)
		if (take_bins(reading, &group->bins[b], err) < 0)
			return -1;
	take_list(reading, tools, TOOL_SUMS);
	group->tool_runs = tools[0];
	group->tool_failures = tools[1];
	group->tool_cpu_ms = tools[2];
	group->tool_wall_ms = tools[3];
	if (reading->bad)
		return error_set(err, "the database has a damaged rollup: 'stint ingest --rebuild' makes the database again");
	return 0;
}

/* ---- the row ---- */

int group_row_put(const struct job_group *group, struct database_value *values, void **rest, struct error *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return error_set(err, "out of memory");
	put_rest(out, group);
	if (ferror(out) | fclose(out)) {
		free(text);
		return error_set(err, "out of memory");
	}
	*rest = text;
	for (size_t i = 0; i < GROUP_COUNTS; i++)
		values[GROUP_AT_COUNTS + i] = database_sum(*count_in(group, i));
	for (enum job_end e = 0; e < JOB_END_COUNT; e++)
		values[GROUP_AT_ENDS + end_number(e)] = database_sum(group->ends[e]);
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		values[GROUP_AT_SUMS + i] = database_sum(group->sum[i]);
	values[GROUP_AT_REST] = (struct database_value){ .kind = VALUE_BYTES, .data = text, .size = size };
	return 0;
}

int group_row_add(const struct database_value *values, struct job_group *group, struct error *err)
{
	const struct database_value *rest = &values[GROUP_AT_REST];
	struct reading reading = { rest->data, (const unsigned char *)rest->data + rest->size, false };
	struct job_group read = { 0 };
	int result;

	for (size_t i = 0; i < GROUP_COUNTS; i++)
		*count_in(&read, i) = values[GROUP_AT_COUNTS + i].number;
	for (int i = 0; i < JOB_END_COUNT; i++)
		read.ends[end_of_number(i)] += values[GROUP_AT_ENDS + i].number;
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		read.sum[i] = values[GROUP_AT_SUMS + i].number;
	result = take_rest(&reading, &read, err);
	if (result == 0)
		result = job_group_merge(group, &read, 1, err);
	job_group_free(&read);
	return result;
}
