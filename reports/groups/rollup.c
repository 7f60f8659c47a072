/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/rollup.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "reports/facts/site_days.h"
#include "reports/groups/group_key.h"
#include "reports/groups/group_row.h"
#include "reports/site/job_groups.h"

#define KEYS_MAX GROUP_KEYS_MAX
#define US_PER_S INT64_C(1000000)
#define SPREAD_DAYS_MAX 400 /* if a job ran for more days, its numbers count only on its last day */

/* ---- days ---- */

static time_t next_day(time_t moment)
{
	struct tm parts;
	time_t next;

	if (!localtime_r(&moment, &parts))
		return moment + 86400;
	parts = (struct tm){ .tm_year = parts.tm_year, .tm_mon = parts.tm_mon, .tm_mday = parts.tm_mday + 1, .tm_isdst = -1 };
	next = mktime(&parts);
	return next > moment ? next : moment + 86400;
}

/* ---- adding ---- */

static void *room_at(struct map *map, const struct database_table *table, const int64_t *key, size_t size,
		     struct error *err)
{
	struct map_entry *entry = map_get(map, key, table->key * sizeof(*key));

	if (entry && !entry->data)
		entry->data = calloc(1, size);
	if (entry && entry->data)
		return entry->data;
	error_set(err, "out of memory");
	return NULL;
}

/* @sign: 1 adds, -1 subtracts. Skips unknown numbers. */
static int add_sums(struct map *map, const struct database_table *table, const int64_t *key, const int64_t *sums,
		    int sign, struct error *err)
{
	size_t count = table->column_count - table->key;
	int64_t *to = room_at(map, table, key, count * sizeof(*to), err);

	for (size_t i = 0; to && i < count; i++)
		if (sums[i] > 0)
			to[i] = (int64_t)(sign < 0 ? (uint64_t)to[i] - (uint64_t)sums[i] : (uint64_t)to[i] + (uint64_t)sums[i]);
	return to ? 0 : -1;
}

/* A job that is added or subtracted. */
struct change {
	const struct fact *fact;
	int64_t day; /* the day on which the job ended */
	int sign;
	int32_t bins[JOB_BINS_COUNT]; /* of the whole job */
};

/* A group by tool gets only tool number @place. Groups by user and the group of all jobs get all tools. */
static void add_tools(struct job_group *group, const struct job_row *row, enum job_key by, size_t place, int sign)
{
	for (size_t i = 0; i < row->tool_count; i++)
		if (by == JOB_KEY_TOOL ? i == place : by == JOB_KEY_USER || by == JOB_KEY_COUNT)
			job_group_add_tool(group, &row->tools[i], sign);
}

/* Adds the job to its day's group for value number @place of the key. */
static int add_group(struct rollup *rollup, size_t which, const struct change *change, size_t place, struct error *err)
{
	const struct group_tables *tables = &group_tables[which];
	const struct fact *fact = change->fact;
	int64_t key[KEYS_MAX];
	struct job_group *group;
	struct job_row part;

	group_key_put(fact, tables->by, place, change->day, key);
	group = room_at(&rollup->days[which], tables->day, key, sizeof(*group), err);
	if (!group)
		return -1;
	add_tools(group, &fact->row, tables->by, place, change->sign);
	if (tables->by != JOB_KEY_NODE && tables->by != JOB_KEY_TOOL)
		return job_group_add_binned(group, &fact->row, change->bins, change->sign, err);
	part = fact->row;
	job_key_part(&part, &fact->row, tables->by, place);
	return job_group_add(group, &part, change->sign, err);
}

static int add_groups(struct rollup *rollup, const struct change *change, struct error *err)
{
	for (size_t which = 0; which < GROUP_TABLES; which++)
		for (size_t i = 0, count = job_key_values(&change->fact->row, group_tables[which].by); i < count; i++)
			if (add_group(rollup, which, change, i, err) < 0)
				return -1;
	return 0;
}

static int add_users_tools(struct rollup *rollup, const struct change *change, struct error *err)
{
	const struct fact *fact = change->fact;

	for (size_t i = 0; i < fact->row.tool_count; i++) {
		const struct job_row_tool *tool = &fact->row.tools[i];
		const int64_t key[] = { fact->cluster, change->day / 100, fact->names[NAME_USER], fact->tools[i] };
		const int64_t sums[] = { 1, tool->runs, tool->failures, tool->cpu_ms, tool->wall_ms };

		if (add_sums(&rollup->tools, &table_tool_user_month, key, sums, change->sign, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- spread over the days ---- */

#define SPREAD_SUMS 7

/* Returns the part of @sum in the first @done of @whole seconds. */
static int64_t part_of(int64_t sum, int64_t done, int64_t whole)
{
	return sum <= 0 ? 0 : whole <= 0 ? sum : (int64_t)((__int128)sum * done / whole);
}

static int add_spread(struct rollup *rollup, const struct fact *fact, int sign, struct error *err)
{
	const int64_t *m = fact->row.measure;
	const int64_t sums[SPREAD_SUMS] = { 0, m[JOB_CPU_GIVEN], m[JOB_CPU_USED], m[JOB_CPU_WASTED], m[JOB_MEM_GIVEN],
					    m[JOB_MEM_WASTED], m[JOB_NODE_GIVEN] };
	time_t end = (time_t)(fact->row.end_us / 1000000);
	time_t start = fact->row.start_us < 0 ? end : (time_t)(fact->row.start_us / 1000000);
	int64_t key[] = { fact->cluster, 0, fact->names[NAME_USER], fact->names[NAME_ACCOUNT], fact->names[NAME_PARTITION],
			  fact->names[NAME_QOS] };

	if (start > end || end - start > SPREAD_DAYS_MAX * 86400)
		start = end;
	for (time_t at = start, next; at <= end; at = next) {
		int64_t parts[SPREAD_SUMS] = { 1 };

		next = next_day(at);
		key[1] = site_day((int64_t)at * US_PER_S);
		for (size_t i = 1; i < SPREAD_SUMS; i++)
			parts[i] = part_of(sums[i], (next > end ? end : next) - start, end - start) -
				   (at > start ? part_of(sums[i], at - start, end - start) : 0);
		if (add_sums(&rollup->cores, &table_core_day, key, parts, sign, err) < 0)
			return -1;
		if (next == end)
			break;
	}
	return 0;
}

int rollup_add(struct rollup *rollup, const struct fact *fact, int sign, struct error *err)
{
	struct change change = { .fact = fact, .sign = sign };

	if (fact->row.running || fact->row.end_us < 0)
		return 0;
	change.day = site_day(fact->row.end_us);
	job_group_bins(&fact->row, change.bins);
	if (add_groups(rollup, &change, err) < 0 || add_users_tools(rollup, &change, err) < 0)
		return -1;
	return add_spread(rollup, fact, sign, err);
}

/* ---- months ---- */

static int add_to_month(struct map *months, const struct database_table *table, const struct map_entry *entry,
			struct error *err)
{
	struct job_group *group;
	int64_t key[KEYS_MAX];

	memcpy(key, entry->key, entry->size);
	key[1] /= 100;
	group = room_at(months, table, key, sizeof(*group), err);
	return group ? job_group_merge(group, entry->data, 1, err) : -1;
}

/* A month is the sum of its days. */
static int make_months(struct rollup *rollup, size_t which, struct error *err)
{
	const struct map *days = &rollup->days[which];

	for (size_t i = 0; i < days->count; i++)
		if (add_to_month(&rollup->months[which], group_tables[which].month, &days->list[i], err) < 0)
			return -1;
	return 0;
}

/* ---- writing ---- */

struct writing {
	struct map *map;
	const struct database_table *table;
	bool groups;
	bool *found; /* for each entry of the map: whether the table has a row with its key */
};

/* Adds a row of the table to the entry with its key. */
static int read_row(void *context, const struct database_value *row, struct error *err)
{
	struct writing *writing = context;
	const struct database_table *table = writing->table;
	int64_t key[KEYS_MAX], *sums;
	struct map_entry *entry;

	for (size_t i = 0; i < table->key; i++)
		key[i] = row[i].number;
	entry = map_get(writing->map, key, table->key * sizeof(key[0]));
	if (!entry || !entry->data)
		return error_set(err, "out of memory");
	writing->found[entry - writing->map->list] = true;
	if (writing->groups)
		return group_row_add(row + table->key, entry->data, err);
	sums = entry->data;
	for (size_t i = table->key; i < table->column_count; i++)
		sums[i - table->key] = (int64_t)((uint64_t)sums[i - table->key] + (uint64_t)row[i].number);
	return 0;
}

static void put_key(const struct map_entry *entry, size_t count, struct database_value *values)
{
	for (size_t i = 0; i < count; i++) {
		int64_t number;

		memcpy(&number, (char *)entry->key + i * sizeof(number), sizeof(number));
		values[i] = database_int(number);
	}
}

/*
 * Fills @keys with the keys of the map's entries. @found_alone: only of entries whose key the table has. Returns the
 * number of keys.
 */
static size_t put_keys(const struct writing *writing, bool found_alone, struct database_value *keys)
{
	const struct map *map = writing->map;
	size_t width = writing->table->key, count = 0;

	for (size_t i = 0; i < map->count; i++)
		if (!found_alone || writing->found[i])
			put_key(&map->list[i], width, keys + width * count++);
	return count;
}

static bool is_empty(const struct writing *writing, const struct map_entry *entry)
{
	const struct job_group *group = entry->data;
	const int64_t *sums = entry->data;

	return writing->groups ? group->jobs == 0 : sums[0] == 0;
}

static int put_row(const struct writing *writing, const struct map_entry *entry, struct database_value *row,
		   void **rest, struct error *err)
{
	const struct database_table *table = writing->table;
	const int64_t *sums = entry->data;

	put_key(entry, table->key, row);
	if (writing->groups)
		return group_row_put(entry->data, row + table->key, rest, err);
	for (size_t i = table->key; i < table->column_count; i++)
		row[i] = database_sum(sums[i - table->key]);
	return 0;
}

static int insert_rows(const struct writing *writing, struct database *db, struct error *err)
{
	const struct map *map = writing->map;
	const struct database_table *table = writing->table;
	cleanup_free struct database_value *rows = calloc(map->count, table->column_count * sizeof(*rows));
	cleanup_free void **rests = calloc(map->count, sizeof(*rests));
	size_t count = 0;
	int result = rows && rests ? 0 : error_set(err, "out of memory");

	for (size_t i = 0; result == 0 && i < map->count; i++)
		if (!is_empty(writing, &map->list[i])) {
			result = put_row(writing, &map->list[i], rows + table->column_count * count, &rests[count], err);
			count++;
		}
	if (result == 0)
		result = database_insert(db, table, 0, rows, count, err);
	for (size_t i = 0; rests && i < count; i++)
		free(rests[i]);
	return result;
}

static int write_one(struct map *map, const struct database_table *table, bool groups, struct database *db,
		     struct error *err)
{
	cleanup_free bool *found = calloc(map->count + 1, sizeof(*found));
	cleanup_free struct database_value *keys = calloc(map->count + 1, table->key * sizeof(*keys));
	struct writing writing = { map, table, groups, found };

	if (!map->count)
		return 0;
	if (!found || !keys)
		return error_set(err, "out of memory");
	if (database_find(db, table, 0, table->key, keys, put_keys(&writing, false, keys), read_row, &writing, err) < 0 ||
	    database_erase(db, table, 0, table->key, keys, put_keys(&writing, true, keys), err) < 0)
		return -1;
	return insert_rows(&writing, db, err);
}

int rollup_write(struct rollup *rollup, struct database *db, struct error *err)
{
	for (size_t which = 0; which < GROUP_TABLES; which++)
		/* months first, because write_one() adds the table's rows to the days */
		if (make_months(rollup, which, err) < 0 ||
		    write_one(&rollup->months[which], group_tables[which].month, true, db, err) < 0 ||
		    write_one(&rollup->days[which], group_tables[which].day, true, db, err) < 0)
			return -1;
	if (write_one(&rollup->cores, &table_core_day, false, db, err) < 0)
		return -1;
	return write_one(&rollup->tools, &table_tool_user_month, false, db, err);
}

static void free_map(struct map *map, bool groups)
{
	for (size_t i = 0; i < map->count; i++) {
		if (groups && map->list[i].data)
			job_group_free(map->list[i].data);
		free(map->list[i].data);
	}
	map_free(map);
}

void rollup_free(struct rollup *rollup)
{
	for (size_t which = 0; which < GROUP_TABLES; which++) {
		free_map(&rollup->days[which], true);
		free_map(&rollup->months[which], true);
	}
	free_map(&rollup->cores, false);
	free_map(&rollup->tools, false);
}
