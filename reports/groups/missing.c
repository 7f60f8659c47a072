/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/missing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/words.h"
#include "reports/groups/site_groups.h"

#define OF_ROWS ((1u << (NAME_STATE + 1)) - 1) /* the kinds of words in a row of table_missing */

struct counting {
	struct words words;
	const struct job_filter *filters;
	size_t filter_count;
	struct coverage *coverage;
};

/* Returns whether Slurm's data of a job have all that the filters need. */
static bool can_filter(const struct job_filter *filters, size_t count)
{
	static const enum job_key known[] = { JOB_KEY_USER, JOB_KEY_ACCOUNT, JOB_KEY_PARTITION,
					      JOB_KEY_QOS,  JOB_KEY_CLUSTER, JOB_KEY_JOB_NAME,
					      JOB_KEY_DAY,  JOB_KEY_WEEK,    JOB_KEY_MONTH };

	for (size_t i = 0; i < count; i++) {
		size_t k = 0;

		while (k < sizeof(known) / sizeof(known[0]) && known[k] != filters[i].key)
			k++;
		if (k == sizeof(known) / sizeof(known[0]))
			return false;
	}
	return true;
}

static char *word(struct counting *counting, const struct database_value *row, int kind)
{
	const char *text = words_get(&counting->words, row[0].number, kind,
				     kind == NAME_KINDS ? row[0].number : row[MISSING_AT_NAMES + kind].number);

	return (char *)(uintptr_t)text; /* nothing changes the texts of the row */
}

static int count_row(void *context, const struct database_value *row, struct error *err)
{
	struct counting *counting = context;
	int64_t reason = row[MISSING_AT_REASON].number;
	cleanup_free char *name =
		strndup(row[MISSING_AT_NAME].data ? row[MISSING_AT_NAME].data : "", row[MISSING_AT_NAME].size);
	struct job_row job = {
		.cluster = word(counting, row, NAME_KINDS),
		.user = word(counting, row, NAME_USER),
		.account = word(counting, row, NAME_ACCOUNT),
		.partition = word(counting, row, NAME_PARTITION),
		.qos = word(counting, row, NAME_QOS),
		.name = name,
		.id = row[1].number,
		.end_us = row[MISSING_AT_END].number,
	};

	if (!name)
		return error_set(err, "out of memory");
	if (!job_filters_pass(counting->filters, counting->filter_count, &job))
		return 0;
	counting->coverage->missing[reason > 0 && reason < MISSING_REASONS ? reason : MISSING_UNKNOWN]++;
	return 0;
}

static int note_cluster(void *context, const struct database_value *row, struct error *err)
{
	struct map_entry *entry = map_get(context, row[0].data, row[0].size);

	if (!entry)
		return error_set(err, "out of memory");
	entry->number = row[1].number;
	return 0;
}

/* Reads a time of a cluster in seconds since 1970; 0 if it is not set. */
static int read_moment(struct database *db, const char *what, int64_t cluster, int64_t *moment, struct error *err)
{
	char name[64];
	cleanup_free char *text = NULL;

	snprintf(name, sizeof(name), "%s:%lld", what, (long long)cluster);
	text = database_setting(db, name, err);
	*moment = text ? strtoll(text, NULL, 10) : 0;
	return err->text[0] ? -1 : 0;
}

/* Reads the span for which all clusters were compared with Slurm: from the latest first time to the earliest last time. */
static int read_span(struct database *db, int64_t *from_us, int64_t *until_us, struct error *err)
{
	struct map clusters = { 0 };
	int result = database_scan(db, &table_cluster, 0, note_cluster, &clusters, err);
	int64_t from = 0, until = 0;

	*from_us = *until_us = 0;
	for (size_t i = 0; result == 0 && i < clusters.count; i++) {
		int64_t cluster = clusters.list[i].number;

		if (read_moment(db, MISSING_FROM, cluster, &from, err) < 0 ||
		    read_moment(db, MISSING_UNTIL, cluster, &until, err) < 0)
			result = -1;
		if (from * US_PER_S > *from_us)
			*from_us = from * US_PER_S;
		if (i == 0 || until * US_PER_S < *until_us)
			*until_us = until * US_PER_S;
	}
	map_free(&clusters);
	return result;
}

int missing_untold(struct database *db, int64_t cluster, struct untold *untold, struct error *err)
{
	char name[64];
	cleanup_free char *text = NULL;

	snprintf(name, sizeof(name), MISSING_UNTOLD ":%lld", (long long)cluster);
	text = database_setting(db, name, err);
	untold_read(untold, text ? text : "");
	return err->text[0] ? -1 : 0;
}

int missing_keep_untold(struct database *db, int64_t cluster, const struct untold *untold, struct error *err)
{
	char name[64], text[UNTOLD_TEXT];
	cleanup_free char *old = NULL;

	untold_write(untold, text);
	snprintf(name, sizeof(name), MISSING_UNTOLD ":%lld", (long long)cluster);
	old = database_setting(db, name, err);
	if (err->text[0])
		return -1;
	return strcmp(old ? old : "", text) == 0 ? 0 : database_set(db, name, text, err);
}

/*
 * Sets coverage->untold_s to the untold time (untold.h) within the span. Takes the cluster with the longest untold
 * time.
 */
static int read_untold(struct database *db, int64_t from_us, int64_t until_us, struct coverage *coverage,
		       struct error *err)
{
	struct map clusters = { 0 };
	int result = database_scan(db, &table_cluster, 0, note_cluster, &clusters, err);
	struct untold untold;

	for (size_t i = 0; result == 0 && i < clusters.count; i++) {
		int64_t untold_s;

		result = missing_untold(db, clusters.list[i].number, &untold, err);
		untold_s = result == 0 ? untold_within(&untold, from_us / US_PER_S, (until_us - 1) / US_PER_S + 1) : 0;
		if (untold_s > coverage->untold_s)
			coverage->untold_s = untold_s;
	}
	map_free(&clusters);
	return result;
}

/*
 * Sets coverage->until_us if the period was compared with Slurm from its beginning.
 * The comparison may end before the period ends, and may have gaps (untold.h).
 *
 * @end_us: end of the period; 0 if the period has no end
 */
static int read_until(struct database *db, int64_t since_us, int64_t end_us, struct coverage *coverage,
		      struct error *err)
{
	int64_t from_us, until_us;
	bool before = false;

	if (read_span(db, &from_us, &until_us, err) < 0)
		return -1;
	if (!until_us || (since_us && (since_us < from_us || since_us >= until_us)))
		return 0;
	if (!since_us && site_groups_before(db, from_us, &before, err) < 0)
		return -1;
	if (before)
		return 0;
	coverage->until_us = until_us;
	return read_untold(db, since_us ? since_us : from_us, end_us && end_us < until_us ? end_us : until_us, coverage,
			   err);
}

int missing_count(struct database *db, const struct job_period *period, const struct job_filter *filters, size_t filter_count,
		  struct coverage *coverage, struct error *err)
{
	struct counting counting = { .filters = filters, .filter_count = filter_count, .coverage = coverage };
	int64_t from = period->since_us, until = period->until_us ? period->until_us : INT64_MAX;
	int result = 0;

	*coverage = (struct coverage){ 0 };
	err->text[0] = '\0';
	if (!can_filter(filters, filter_count))
		return 0;
	result = read_until(db, from, period->until_us, coverage, err);
	if (result < 0 || !coverage->until_us)
		return result;
	result = words_read(&counting.words, db, OF_ROWS, err);
	for (const int *month = database_months(db, &table_missing); result == 0 && *month; month++)
		if (*month >= job_lines_month(from / US_PER_S) &&
		    (!period->until_us || *month <= job_lines_month(until / US_PER_S)))
			result = database_range(db, &table_missing, *month, MISSING_AT_END, from, until, count_row,
						&counting, err);
	words_free(&counting.words);
	return result;
}

/* ---- forgetting old months ---- */

int missing_forget_before(struct database *db, int month, struct error *err)
{
	struct map clusters = { 0 };
	int64_t begin = job_lines_month_begin(month), from = 0;
	char name[64], text[24];
	struct untold untold = { 0 };
	int result;

	err->text[0] = '\0';
	result = database_scan(db, &table_cluster, 0, note_cluster, &clusters, err);
	snprintf(text, sizeof(text), "%lld", (long long)begin);
	for (size_t i = 0; result == 0 && i < clusters.count; i++) {
		int64_t cluster = clusters.list[i].number;

		snprintf(name, sizeof(name), MISSING_FROM ":%lld", (long long)cluster);
		result = read_moment(db, MISSING_FROM, cluster, &from, err);
		if (result == 0 && from && from < begin)
			result = database_set(db, name, text, err);
		if (result == 0)
			result = missing_untold(db, cluster, &untold, err);
		untold_cut(&untold, 0, begin);
		if (result == 0)
			result = missing_keep_untold(db, cluster, &untold, err);
	}
	map_free(&clusters);
	return result;
}

/* ---- when the tables are rebuilt ---- */

static int forget_cluster(struct database *db, int64_t cluster, struct error *err)
{
	static const struct untold none;
	char from[64], until[64];

	snprintf(from, sizeof(from), MISSING_FROM ":%lld", (long long)cluster);
	snprintf(until, sizeof(until), MISSING_UNTIL ":%lld", (long long)cluster);
	if (database_set(db, from, "0", err) < 0 || database_set(db, until, "0", err) < 0)
		return -1;
	return missing_keep_untold(db, cluster, &none, err);
}

int missing_forget(struct database *db, struct error *err)
{
	struct map clusters = { 0 };
	int result = database_scan(db, &table_cluster, 0, note_cluster, &clusters, err);

	for (size_t i = 0; result == 0 && i < clusters.count; i++)
		result = forget_cluster(db, clusters.list[i].number, err);
	map_free(&clusters);
	return result;
}
