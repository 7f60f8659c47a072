/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/job_places.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/table_rows.h"

struct place_months {
	size_t known, count; /* the first @known of the @count months are already in the table */
	int list[]; /* ends with 0 */
};

struct block {
	int64_t cluster, jobs;
};

static struct map_entry *block_of(struct places *places, int64_t cluster, int64_t jobs)
{
	const struct block block = { cluster, jobs };

	return map_get(&places->blocks, &block, sizeof(block));
}

int places_want(struct places *places, int64_t cluster, int64_t job_id, struct error *err)
{
	return block_of(places, cluster, PLACE_JOBS(job_id)) ? 0 : error_set(err, "out of memory");
}

static int add_month(struct places *places, int64_t cluster, int64_t jobs, int month, struct error *err)
{
	struct map_entry *entry = block_of(places, cluster, jobs);
	struct place_months *months = entry ? entry->data : NULL;
	size_t count = months ? months->count : 0;

	for (size_t i = 0; i < count; i++)
		if (months->list[i] == month)
			return 0;
	months = entry ? realloc(months, sizeof(*months) + (count + 2) * sizeof(months->list[0])) : NULL;
	if (!months)
		return error_set(err, "out of memory");
	if (!count)
		months->known = 0;
	months->list[count] = month;
	months->list[count + 1] = 0;
	months->count = count + 1;
	entry->data = months;
	return 0;
}

static int read_row(void *context, const struct database_value *row, struct error *err)
{
	return add_month(context, row[PLACE_AT_CLUSTER].number, row[PLACE_AT_JOBS].number,
			 (int)row[PLACE_AT_MONTH].number, err);
}

int places_read(struct places *places, struct database *db, struct error *err)
{
	size_t count = places->blocks.count;
	cleanup_free struct database_value *keys = calloc(count + 1, 2 * sizeof(*keys));
	struct block block;

	if (!keys)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < count; i++) {
		memcpy(&block, places->blocks.list[i].key, sizeof(block));
		keys[2 * i] = database_int(block.cluster);
		keys[2 * i + 1] = database_int(block.jobs);
	}
	if (database_find(db, &table_place, 0, 2, keys, count, read_row, places, err) < 0)
		return -1;
	for (size_t i = 0; i < places->blocks.count; i++) {
		struct place_months *months = places->blocks.list[i].data;

		if (months)
			months->known = months->count;
	}
	return 0;
}

const int *places_months(struct places *places, int64_t cluster, int64_t job_id)
{
	const struct map_entry *entry = block_of(places, cluster, PLACE_JOBS(job_id));
	const struct place_months *months = entry ? entry->data : NULL;

	return months ? months->list : NULL;
}

int places_add(struct places *places, int64_t cluster, int64_t job_id, int month, struct error *err)
{
	return add_month(places, cluster, PLACE_JOBS(job_id), month, err);
}

int places_write(struct places *places, struct database *db, struct error *err)
{
	struct table_rows rows = { 0 };
	int result = 0;

	for (size_t i = 0; i < places->blocks.count; i++) {
		const struct place_months *months = places->blocks.list[i].data;
		struct block block;

		memcpy(&block, places->blocks.list[i].key, sizeof(block));
		for (size_t k = months ? months->known : 0; months && result == 0 && k < months->count; k++) {
			struct database_value *row = table_rows_add(&rows, 0, PLACE_COLUMNS);

			if (!row) {
				result = error_set(err, "out of memory");
				break;
			}
			row[PLACE_AT_CLUSTER] = database_int(block.cluster);
			row[PLACE_AT_JOBS] = database_int(block.jobs);
			row[PLACE_AT_MONTH] = database_int(months->list[k]);
		}
	}
	if (result == 0)
		result = table_rows_insert(&rows, db, &table_place, err);
	table_rows_free(&rows);
	return result;
}

void places_free(struct places *places)
{
	for (size_t i = 0; i < places->blocks.count; i++)
		free(places->blocks.list[i].data);
	map_free(&places->blocks);
}
