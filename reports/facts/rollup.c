/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/rollup.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "reports/facts/group_row.h"

#define KEYS_MAX GROUP_KEYS
#define SPREAD_DAYS_MAX 400 /* a job that ran for longer counts on its last day */

enum { JOB_DAY, JOB_MONTH, TOOL_DAY, TOOL_MONTH, NODE_DAY, RULE_DAY, CORE_DAY, ALL_DAY };

static const struct database_table *const tables[ROLLUPS] = {
	[JOB_DAY] = &table_job_day,   [JOB_MONTH] = &table_job_month,
	[TOOL_DAY] = &table_tool_day, [TOOL_MONTH] = &table_tool_month,
	[NODE_DAY] = &table_node_day, [RULE_DAY] = &table_rule_day,
	[CORE_DAY] = &table_core_day, [ALL_DAY] = &table_all_day,
};

static bool has_groups(size_t which)
{
	return which == JOB_DAY || which == JOB_MONTH || which == ALL_DAY;
}

/* ---- days ---- */

static int64_t day_of(time_t moment)
{
	struct tm parts;

	return localtime_r(&moment, &parts) ? (parts.tm_year + 1900) * 10000 + (parts.tm_mon + 1) * 100 + parts.tm_mday : 0;
}

/* The first second of the next day. */
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

static void *room_at(struct rollup *rollup, size_t which, const int64_t *key, size_t size, struct error *err)
{
	struct map_entry *entry = map_get(&rollup->of[which], key, tables[which]->key * sizeof(*key));

	if (entry && !entry->data)
		entry->data = calloc(1, size);
	if (entry && entry->data)
		return entry->data;
	error_set(err, "out of memory");
	return NULL;
}

/* Numbers that are not known add nothing. */
static int add_sums(struct rollup *rollup, size_t which, const int64_t *key, const int64_t *sums, int sign,
		    struct error *err)
{
	size_t count = tables[which]->column_count - tables[which]->key;
	int64_t *to = room_at(rollup, which, key, count * sizeof(*to), err);

	for (size_t i = 0; to && i < count; i++)
		if (sums[i] > 0)
			to[i] = (int64_t)(sign < 0 ? (uint64_t)to[i] - (uint64_t)sums[i] : (uint64_t)to[i] + (uint64_t)sums[i]);
	return to ? 0 : -1;
}

static int add_groups(struct rollup *rollup, const struct fact *fact, int64_t day, int sign, struct error *err)
{
	int64_t key[] = { fact->cluster, day, fact->names[NAME_USER], fact->names[NAME_ACCOUNT], fact->names[NAME_PARTITION],
			  fact->names[NAME_QOS] };
	const int64_t of_all[] = { fact->cluster, day, 0, 0, 0, 0 };
	struct job_group *group = room_at(rollup, ALL_DAY, of_all, sizeof(*group), err);

	if (!group || job_group_add(group, &fact->row, sign, err) < 0)
		return -1;
	group = room_at(rollup, JOB_DAY, key, sizeof(*group), err);
	if (!group || job_group_add(group, &fact->row, sign, err) < 0)
		return -1;
	key[1] = day / 100;
	group = room_at(rollup, JOB_MONTH, key, sizeof(*group), err);
	return group ? job_group_add(group, &fact->row, sign, err) : -1;
}

static int add_tools(struct rollup *rollup, const struct fact *fact, int64_t day, int sign, struct error *err)
{
	for (size_t i = 0; i < fact->row.tool_count; i++) {
		const struct job_row_tool *tool = &fact->row.tools[i];
		const int64_t by_day[] = { fact->cluster, day, fact->tools[i] };
		const int64_t by_month[] = { fact->cluster, day / 100, fact->names[NAME_USER], fact->tools[i] };
		const int64_t sums[] = { 1, tool->runs, tool->failures, tool->cpu_ms, tool->wall_ms };

		if (add_sums(rollup, TOOL_DAY, by_day, sums, sign, err) < 0 ||
		    add_sums(rollup, TOOL_MONTH, by_month, sums, sign, err) < 0)
			return -1;
	}
	return 0;
}

static int add_nodes(struct rollup *rollup, const struct fact *fact, int64_t day, int sign, struct error *err)
{
	for (size_t i = 0; i < fact->row.node_count; i++) {
		const struct job_row_node *node = &fact->row.nodes[i];
		const int64_t key[] = { fact->cluster, day, fact->nodes[i] };
		const int64_t sums[] = { 1, fact->row.measure[JOB_ELAPSED], node->cpu_given_core_ms, node->cpu_used_core_ms,
					 node->mem_given_mib_s, node->mem_used_mib_s };

		if (add_sums(rollup, NODE_DAY, key, sums, sign, err) < 0)
			return -1;
	}
	return 0;
}

static int add_rule(struct rollup *rollup, const struct fact *fact, int64_t day, int sign, struct error *err)
{
	const int64_t key[] = { fact->cluster, day, fact->names[NAME_ENGINE], fact->names[NAME_RULE] };
	const int64_t *m = fact->row.measure;
	const int64_t sums[] = { 1, fact->row.how == JOB_END_COMPLETED, m[JOB_ELAPSED], m[JOB_CPU_GIVEN], m[JOB_CPU_USED],
				 m[JOB_CPU_WASTED] };

	return fact->names[NAME_RULE] ? add_sums(rollup, RULE_DAY, key, sums, sign, err) : 0;
}

/* ---- spread over the days ---- */

#define SPREAD_SUMS 7

/* The part of @sum that belongs to the first @done of @whole seconds. */
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
		key[1] = day_of(at);
		for (size_t i = 1; i < SPREAD_SUMS; i++)
			parts[i] = part_of(sums[i], (next > end ? end : next) - start, end - start) -
				   (at > start ? part_of(sums[i], at - start, end - start) : 0);
		if (add_sums(rollup, CORE_DAY, key, parts, sign, err) < 0)
			return -1;
		if (next == end)
			break;
	}
	return 0;
}

int rollup_add(struct rollup *rollup, const struct fact *fact, int sign, struct error *err)
{
	int64_t day;

	if (fact->row.running || fact->row.end_us < 0)
		return 0;
	day = day_of((time_t)(fact->row.end_us / 1000000));
	if (add_groups(rollup, fact, day, sign, err) < 0 || add_tools(rollup, fact, day, sign, err) < 0 ||
	    add_nodes(rollup, fact, day, sign, err) < 0 || add_rule(rollup, fact, day, sign, err) < 0)
		return -1;
	return add_spread(rollup, fact, sign, err);
}

/* ---- writing ---- */

struct writing {
	const struct rollup *rollup;
	size_t which;
	bool *found; /* of each entry: the table has a row of it */
};

/* Adds to an entry what the table has of it. */
static int read_row(void *context, const struct database_value *row, struct error *err)
{
	struct writing *writing = context;
	struct map *map = (struct map *)(uintptr_t)&writing->rollup->of[writing->which];
	const struct database_table *table = tables[writing->which];
	int64_t key[KEYS_MAX], *sums;
	struct map_entry *entry;

	for (size_t i = 0; i < table->key; i++)
		key[i] = row[i].number;
	entry = map_get(map, key, table->key * sizeof(key[0]));
	if (!entry || !entry->data)
		return error_set(err, "out of memory");
	writing->found[entry - map->list] = true;
	if (has_groups(writing->which))
		return group_row_add(row, entry->data, err);
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

/* Puts the keys of all entries, or of those that were found, into @keys. Returns how many. */
static size_t put_keys(const struct writing *writing, bool found_alone, struct database_value *keys)
{
	const struct map *map = &writing->rollup->of[writing->which];
	size_t width = tables[writing->which]->key, count = 0;

	for (size_t i = 0; i < map->count; i++)
		if (!found_alone || writing->found[i])
			put_key(&map->list[i], width, keys + width * count++);
	return count;
}

static bool is_empty(const struct writing *writing, const struct map_entry *entry)
{
	const struct job_group *group = entry->data;
	const int64_t *sums = entry->data;

	return has_groups(writing->which) ? group->jobs == 0 : sums[0] == 0;
}

static int put_row(const struct writing *writing, const struct map_entry *entry, struct database_value *row,
		   void **rest, struct error *err)
{
	const struct database_table *table = tables[writing->which];
	const int64_t *sums = entry->data;

	put_key(entry, table->key, row);
	if (has_groups(writing->which))
		return group_row_put(entry->data, row, rest, err);
	for (size_t i = table->key; i < table->column_count; i++)
		row[i] = database_int(sums[i - table->key]);
	return 0;
}

static int insert_rows(const struct writing *writing, struct database *db, struct error *err)
{
	const struct map *map = &writing->rollup->of[writing->which];
	const struct database_table *table = tables[writing->which];
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

static int write_one(const struct rollup *rollup, size_t which, struct database *db, struct error *err)
{
	const struct database_table *table = tables[which];
	size_t count = rollup->of[which].count;
	cleanup_free bool *found = calloc(count + 1, sizeof(*found));
	cleanup_free struct database_value *keys = calloc(count + 1, table->key * sizeof(*keys));
	struct writing writing = { rollup, which, found };

	if (!count)
		return 0;
	if (!found || !keys)
		return error_set(err, "out of memory");
	if (database_find(db, table, 0, table->key, keys, put_keys(&writing, false, keys), read_row, &writing, err) < 0 ||
	    database_erase(db, table, 0, table->key, keys, put_keys(&writing, true, keys), err) < 0)
		return -1;
	return insert_rows(&writing, db, err);
}

int rollup_write(const struct rollup *rollup, struct database *db, struct error *err)
{
	for (size_t which = 0; which < ROLLUPS; which++)
		if (write_one(rollup, which, db, err) < 0)
			return -1;
	return 0;
}

void rollup_free(struct rollup *rollup)
{
	for (size_t which = 0; which < ROLLUPS; which++) {
		for (size_t i = 0; i < rollup->of[which].count; i++) {
			if (has_groups(which) && rollup->of[which].list[i].data)
				job_group_free(rollup->of[which].list[i].data);
			free(rollup->of[which].list[i].data);
		}
		map_free(&rollup->of[which]);
	}
}
