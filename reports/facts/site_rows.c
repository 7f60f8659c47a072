/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_rows.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/map.h"
#include "reports/facts/words.h"

#define END_COLUMN (JOB_AT_NUMBERS + 5)
#define US_PER_S INT64_C(1000000)

struct reading {
	struct words words;
	site_rows_each *each;
	void *context;
	struct map jobs; /* with parts: of keys; data is the fact */
};

/* ---- words ---- */

static bool name(struct reading *reading, const struct fact *fact, int kind, int64_t id, char **to)
{
	const char *text = words_get(&reading->words, fact->cluster, kind, id);

	*to = text ? strdup(text) : NULL;
	return *to || !text;
}

static bool name_job(struct reading *reading, struct fact *fact)
{
	struct job_row *row = &fact->row;
	char **const texts[NAME_JOB_KINDS] = { &row->user,  &row->account, &row->partition, &row->qos,
					       &row->state, &row->engine,  &row->rule };

	for (int kind = 0; kind < NAME_JOB_KINDS; kind++)
		if (!name(reading, fact, kind, fact->names[kind], texts[kind]))
			return false;
	for (size_t i = 0; i < row->tool_count; i++)
		if (!name(reading, fact, NAME_TOOL, fact->tools[i], &row->tools[i].name))
			return false;
	for (size_t i = 0; i < row->node_count; i++)
		if (!name(reading, fact, NAME_NODE, fact->nodes[i], &row->nodes[i].name))
			return false;
	return name(reading, fact, NAME_KINDS, fact->cluster, &row->cluster);
}

static int hand_over(struct reading *reading, struct fact *fact, struct error *err)
{
	return name_job(reading, fact) ? reading->each(reading->context, &fact->row, err) : error_set(err, "out of memory");
}

/* ---- jobs alone ---- */

static int read_job(void *context, const struct database_value *row, struct error *err)
{
	struct fact fact;
	int result = fact_from_job(&fact, row, err);

	if (result == 0)
		result = hand_over(context, &fact, err);
	fact_free(&fact);
	return result;
}

/* ---- with their parts ---- */

static struct map_entry *entry_of(struct reading *reading, const struct database_value *row)
{
	const int64_t key[] = { row[0].number, row[1].number, row[2].number, row[3].number };

	return map_get(&reading->jobs, key, sizeof(key));
}

static int keep_job(void *context, const struct database_value *row, struct error *err)
{
	struct map_entry *entry = entry_of(context, row);

	if (!entry || !(entry->data = calloc(1, sizeof(struct fact))))
		return error_set(err, "out of memory");
	return fact_from_job(entry->data, row, err);
}

static int keep_tool(void *context, const struct database_value *row, struct error *err)
{
	struct map_entry *entry = entry_of(context, row);

	return entry && entry->data ? fact_add_tool(entry->data, row, err) : 0;
}

static int keep_node(void *context, const struct database_value *row, struct error *err)
{
	struct map_entry *entry = entry_of(context, row);

	return entry && entry->data ? fact_add_node(entry->data, row, err) : 0;
}

static int find_parts(struct reading *reading, struct database *db, int month, struct error *err)
{
	size_t count = reading->jobs.count;
	cleanup_free struct database_value *keys = calloc(count + 1, JOB_KEY_COLUMNS * sizeof(*keys));

	if (!keys)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < count; i++) {
		const struct fact *fact = reading->jobs.list[i].data;
		struct database_value *key = keys + JOB_KEY_COLUMNS * i;

		key[0] = database_int(fact->cluster);
		key[1] = database_int(fact->job_id);
		key[2] = database_int(fact->submit);
		key[3] = database_int(fact->attempt);
	}
	if (database_find(db, &table_job_tool, month, JOB_KEY_COLUMNS, keys, count, keep_tool, reading, err) < 0)
		return -1;
	return database_find(db, &table_job_node, month, JOB_KEY_COLUMNS, keys, count, keep_node, reading, err);
}

static int read_month(struct reading *reading, struct database *db, int month, int64_t from, int64_t until, bool parts,
		      struct error *err)
{
	int result = database_range(db, &table_job, month, END_COLUMN, from, until, parts ? keep_job : read_job, reading, err);

	if (result == 0 && reading->jobs.count)
		result = find_parts(reading, db, month, err);
	for (size_t i = 0; i < reading->jobs.count; i++) {
		struct fact *fact = reading->jobs.list[i].data;

		if (result == 0)
			result = hand_over(reading, fact, err);
		if (fact)
			fact_free(fact);
		free(fact);
	}
	map_free(&reading->jobs);
	return result;
}

int site_rows_read(struct database *db, int64_t since_us, int64_t until_us, bool parts, site_rows_each *each, void *context,
		   struct error *err)
{
	struct reading reading = { .each = each, .context = context };
	int64_t from = since_us ? since_us : INT64_MIN, until = until_us ? until_us : INT64_MAX;
	/* A job was submitted before it ended. */
	int last = until_us ? job_lines_month(until_us / US_PER_S) : 0, result = words_read(&reading.words, db, err);

	for (const int *month = database_months(db, &table_job); result == 0 && *month && (!last || *month <= last); month++)
		result = read_month(&reading, db, *month, from, until, parts, err);
	words_free(&reading.words);
	return result;
}
