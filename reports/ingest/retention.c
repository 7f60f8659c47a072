/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/retention.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/array.h"
#include "common/memory/map.h"
#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/site_tables.h"
#include "reports/groups/missing.h"

#define STEP_ROWS 4096
#define TIME_COLUMN 1 /* of the rollups */
enum { WORD_KIND = 1, WORD_NUMBER = 3 };
enum { BATCH_CLUSTER, BATCH_NAME, BATCH_SEALED = 3 };

/* ---- which months ---- */

int retention_check(const struct retention *keep, struct error *err)
{
	const struct {
		const char *name, *base;
		int months, of_base;
	} rules[] = {
		{ "keep_days", "keep_job", keep->days, keep->job },
		{ "keep_months", "keep_job", keep->months, keep->job },
	};

	/*
	 * A job may end, and be added, in the month after its submit. If only one month was kept, the job would be left
	 * out.
	 */
	if (keep->job == 1)
		return error_set(err, "jobs must be kept for at least 2 months: otherwise those that are submitted in one "
				      "month and end in the next would be missing");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].months && (!rules[i].of_base || rules[i].months < rules[i].of_base))
			return error_set(err, "%s is shorter than %s: rows made from other rows must be kept at least as long as "
					      "those",
					 rules[i].name, rules[i].base);
	return 0;
}

int retention_oldest(struct database *db, int months, int64_t now_s)
{
	int newest = job_lines_month(now_s), last = 0, count;

	for (const int *month = database_months(db, &table_job); *month; month++)
		last = *month;
	if (!months || !last)
		return 0;
	newest = last < newest ? last : newest;
	count = newest / 100 * 12 + newest % 100 - months;
	return count < 0 ? 0 : count / 12 * 100 + count % 12 + 1;
}

/* ---- rows of tables that are not monthly ---- */

struct old_rows {
	const struct database_table *table;
	struct database_value *keys;
	size_t count;
	struct map texts; /* of keys */
	int oldest;
};

static int add_key(struct old_rows *old, const struct database_value *row, size_t width, struct error *err)
{
	struct database_value *key;

	if (!array_room(&old->keys, old->count, width * sizeof(*old->keys)))
		return error_set(err, "out of memory");
	key = old->keys + width * old->count++;
	for (size_t i = 0; i < width; i++) {
		struct map_entry *text = row[i].kind == VALUE_TEXT ? map_get(&old->texts, row[i].data, row[i].size)
								   : NULL;

		key[i] = row[i];
		if (row[i].kind != VALUE_TEXT)
			continue;
		if (!text)
			return error_set(err, "out of memory");
		key[i].data = text->key;
	}
	return 0;
}

static int add_row(void *context, const struct database_value *row, struct error *err)
{
	struct old_rows *old = context;

	return add_key(old, row, old->table->key, err);
}

/* Adds a batch that was sealed before the oldest month. The sealing time is a text such as "2026-11-23T...". */
static int add_batch(void *context, const struct database_value *row, struct error *err)
{
	struct old_rows *old = context;
	char sealed[8] = "";
	char *end;
	long year, month;

	if (row[BATCH_SEALED].size < 7)
		return 0;
	memcpy(sealed, row[BATCH_SEALED].data, 7);
	year = strtol(sealed, &end, 10);
	month = *end == '-' ? strtol(end + 1, NULL, 10) : 0;
	return month && year * 100 + month < old->oldest ? add_key(old, row, BATCH_NAME + 1, err) : 0;
}

static int erase_step(struct database *db, const struct database_table *table, size_t width,
		      const struct database_value *keys, size_t count, struct error *err)
{
	if (database_begin(db, err) < 0)
		return -1;
	if (database_erase(db, table, 0, width, keys, count, err) == 0 && database_commit(db, err) == 0)
		return 0;
	database_rollback(db);
	return -1;
}

static int erase_rows(struct database *db, const struct database_table *table, size_t width, const struct old_rows *old,
		      struct error *err)
{
	for (size_t done = 0; done < old->count; done += STEP_ROWS) {
		size_t count = old->count - done < STEP_ROWS ? old->count - done : STEP_ROWS;

		if (erase_step(db, table, width, old->keys + width * done, count, err) < 0)
			return -1;
	}
	return 0;
}

static void free_old(struct old_rows *old)
{
	free(old->keys);
	map_free(&old->texts);
}

/* Drops the rows in which @column is below @until. */
static int drop_rows(struct database *db, const struct database_table *table, size_t column, int64_t until,
		     struct error *err)
{
	struct old_rows old = { .table = table };
	int result = until ? database_range(db, table, 0, column, 0, until, add_row, &old, err) : 0;

	if (result == 0)
		result = erase_rows(db, table, table->key, &old, err);
	free_old(&old);
	return result;
}

static int drop_batches(struct database *db, int oldest, struct error *err)
{
	struct old_rows old = { .table = &table_batch, .oldest = oldest };
	int result = oldest ? database_scan(db, &table_batch, 0, add_batch, &old, err) : 0;

	if (result == 0)
		result = erase_rows(db, &table_damaged, BATCH_NAME + 1, &old, err);
	if (result == 0)
		result = erase_rows(db, &table_batch, BATCH_NAME + 1, &old, err);
	free_old(&old);
	return result;
}

static int drop_rollups(struct database *db, int oldest_day, int oldest_month, struct error *err)
{
	for (size_t i = 0; i < GROUP_TABLES; i++)
		if (drop_rows(db, group_tables[i].day, TIME_COLUMN, (int64_t)oldest_day * 100, err) < 0 ||
		    drop_rows(db, group_tables[i].month, TIME_COLUMN, oldest_month, err) < 0)
			return -1;
	if (drop_rows(db, &table_core_day, TIME_COLUMN, (int64_t)oldest_day * 100, err) < 0)
		return -1;
	return drop_rows(db, &table_tool_user_month, TIME_COLUMN, oldest_month, err);
}

/* ---- unused words ---- */

struct words_used {
	const struct database_table *table;
	struct map used; /* by (cluster, kind, number) */
	struct old_rows unused;
};

/* Returns whether users can make any number of words of this kind. */
static bool is_of_users(int64_t kind)
{
	return kind == NAME_TOOL || kind == NAME_RULE;
}

static int note_word(struct words_used *words, int64_t cluster, int kind, int64_t id, struct error *err)
{
	const int64_t key[] = { cluster, kind, id };

	return map_get(&words->used, key, sizeof(key)) ? 0 : error_set(err, "out of memory");
}

/* note_words() does not see the tools of a job, because the column is a list. */
static int note_tools(struct words_used *words, const struct database_value *row, struct error *err)
{
	struct fact fact;
	int result = fact_from_job(&fact, row, err);

	for (size_t i = 0; result == 0 && i < fact.row.tool_count; i++)
		result = note_word(words, fact.cluster, NAME_TOOL, fact.tools[i], err);
	fact_free(&fact);
	return result;
}

static int note_words(void *context, const struct database_value *row, struct error *err)
{
	struct words_used *words = context;

	for (size_t i = 0; i < words->table->column_count; i++) {
		int kind = site_name_kind(&words->table->columns[i]);

		if (is_of_users(kind) && row[i].kind == VALUE_INT &&
		    note_word(words, row[0].number, kind, row[i].number, err) < 0)
			return -1;
	}
	return words->table == &table_job ? note_tools(words, row, err) : 0;
}

static int find_used(struct database *db, const struct database_table *table, struct words_used *words, struct error *err)
{
	const int *months = database_months(db, table);
	bool has = false;

	for (size_t i = 0; i < table->column_count; i++)
		has = has || is_of_users(site_name_kind(&table->columns[i]));
	words->table = table;
	if (!has || !table->monthly)
		return has ? database_scan(db, table, 0, note_words, words, err) : 0;
	for (; *months; months++)
		if (database_scan(db, table, *months, note_words, words, err) < 0)
			return -1;
	return 0;
}

static int add_unused(void *context, const struct database_value *row, struct error *err)
{
	struct words_used *words = context;
	const int64_t key[] = { row[0].number, row[WORD_KIND].number, row[WORD_NUMBER].number };
	size_t before = words->used.count;

	if (!is_of_users(row[WORD_KIND].number))
		return 0;
	if (!map_get(&words->used, key, sizeof(key)))
		return error_set(err, "out of memory");
	return words->used.count > before ? add_key(&words->unused, row, table_name.key, err) : 0;
}

/* Drops the names of tools and rules that no row uses. Scans all rows, so call it only if a month was dropped. */
static int drop_words(struct database *db, struct error *err)
{
	struct words_used words = { .unused.table = &table_name };
	int result = 0;

	for (const struct database_table *const *table = site_tables; result == 0 && *table; table++)
		result = find_used(db, *table, &words, err);
	if (result == 0)
		result = database_scan(db, &table_name, 0, add_unused, &words, err);
	if (result == 0)
		result = erase_rows(db, &table_name, table_name.key, &words.unused, err);
	free_old(&words.unused);
	map_free(&words.used);
	return result;
}

/* ---- months ---- */

static int drop_month(struct database *db, const struct database_table *table, int month, int oldest,
		      struct error *err)
{
	if (database_begin(db, err) < 0)
		return -1;
	if ((table != &table_missing || missing_forget_before(db, oldest, err) == 0) &&
	    database_drop_month(db, table, month, err) == 0 && database_commit(db, err) == 0)
		return 0;
	database_rollback(db);
	return -1;
}

static int drop_months(struct database *db, const struct database_table *table, int oldest, int *dropped,
		       struct error *err)
{
	for (int month; oldest && (month = *database_months(db, table)) && month < oldest; ++*dropped)
		if (drop_month(db, table, month, oldest, err) < 0)
			return -1;
	return 0;
}

int retention_apply(struct database *db, const struct retention *keep, int64_t now_s, int *dropped, struct error *err)
{
	/* Compute these months before anything is dropped, because they depend on the newest month of the store. */
	const int job = retention_oldest(db, keep->job, now_s), missing = retention_oldest(db, keep->missing, now_s);
	const int day = retention_oldest(db, keep->days, now_s), month = retention_oldest(db, keep->months, now_s);
	const int batch = retention_oldest(db, keep->batch, now_s);
	const int *first = database_months(db, &table_job);
	int lines = 0; /* not added to @dropped, because a job's lines are dropped together with the job */

	*dropped = 0;
	/*
	 * Drop rows of "place" before the jobs that the rows point to. Do it only if a month is dropped, because it
	 * scans the table.
	 */
	if (job && *first && *first < job && drop_rows(db, &table_place, PLACE_AT_MONTH, job, err) < 0)
		return -1;
	if (drop_months(db, &table_line, job, &lines, err) < 0 || drop_months(db, &table_missing, missing, dropped, err) < 0 ||
	    drop_months(db, &table_job, job, dropped, err) < 0)
		return -1;
	if (drop_rollups(db, day, month, err) < 0 || drop_batches(db, batch, err) < 0)
		return -1;
	return *dropped ? drop_words(db, err) : 0;
}
