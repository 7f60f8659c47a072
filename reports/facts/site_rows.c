/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_rows.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/words.h"

#define US_PER_S INT64_C(1000000)

struct reading {
	struct database *db;
	struct words words;
	site_rows_each *each;
	void *context;
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

static int read_job(void *context, const struct database_value *row, struct error *err)
{
	struct fact fact;
	int result = fact_from_job(&fact, row, err);

	if (result == 0)
		result = hand_over(context, &fact, err);
	fact_free(&fact);
	return result;
}

/* ---- which jobs ---- */

struct place {
	int64_t cluster, name;
	const struct database_index *index;
};

static int read_id(void *context, const struct database_value *row, struct error *err)
{
	struct place *place = context;

	(void)err;
	place->name = row[3].number;
	return 0;
}

/*
 * Finds the index to read the jobs of @cluster with. Sets the name in @place to 0 if the cluster does not know the
 * user or the account.
 */
static int find_place(struct database *db, const struct site_rows_wanted *wanted, int64_t cluster, struct place *place,
		      struct error *err)
{
	const char *text = wanted->user ? wanted->user : wanted->account;
	int kind = wanted->user ? NAME_USER : NAME_ACCOUNT, index = wanted->user ? JOB_INDEX_USER : JOB_INDEX_ACCOUNT;
	const struct database_value key[] = {
		database_int(cluster), database_int(kind),
		{ .kind = VALUE_TEXT, .data = text, .size = text ? strlen(text) : 0 }
	};

	*place = (struct place){ .cluster = cluster, .index = &table_job.indexes[text ? index : JOB_INDEX_END] };
	return text ? database_find(db, &table_name, 0, 3, key, 1, read_id, place, err) : 0;
}

static int read_cluster(struct reading *reading, const struct site_rows_wanted *wanted, int64_t cluster,
			struct error *err)
{
	int64_t from = wanted->since_us ? wanted->since_us : INT64_MIN;
	int64_t until = wanted->until_us ? wanted->until_us : INT64_MAX;
	/* Later months need not be read, because a job is submitted before it ends. */
	int last = wanted->until_us ? job_lines_month(wanted->until_us / US_PER_S) : 0, result;
	const int *month = database_months(reading->db, &table_job);
	struct place place;

	result = find_place(reading->db, wanted, cluster, &place, err);
	if (place.index != &table_job.indexes[JOB_INDEX_END] && !place.name)
		return result;
	for (; result == 0 && *month && (!last || *month <= last); month++)
		result = database_span_of(reading->db, &table_job, *month, place.index, cluster, place.name, from, until,
					  read_job, reading, err);
	return result;
}

int site_rows_read(struct database *db, const struct site_rows_wanted *wanted, site_rows_each *each, void *context,
		   struct error *err)
{
	struct reading reading = { .db = db, .each = each, .context = context };
	int result = words_read(&reading.words, db, WORDS_ALL, err);

	for (int64_t cluster = 1; result == 0 && words_get(&reading.words, cluster, NAME_KINDS, cluster); cluster++)
		result = read_cluster(&reading, wanted, cluster, err);
	words_free(&reading.words);
	return result;
}
