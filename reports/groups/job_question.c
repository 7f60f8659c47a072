/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/job_question.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "reports/facts/job_lines.h"
#include "reports/facts/site_days.h"
#include "reports/groups/job_sums.h"

#define US_PER_S INT64_C(1000000)
#define CONDITIONS_MAX (2 * JOB_FILTERS_MAX + 4)
#define LIKE_TEXT 32
#define READERS_MAX 4
#define MANY_DAYS 8 /* if the period covers more days of a month than this, it is faster to read the month without an index */

struct question {
	struct database *db;
	struct jobs_summary *summary;
	struct job_sums sums; /* only says which columns to read; each reader has sums of its own */
	struct words words;
	pthread_mutex_t lock;
	int64_t since_us, until_us;
	int64_t cluster; /* the cluster that is being read */
	struct database_condition conditions[CONDITIONS_MAX];
	char likes[CONDITIONS_MAX][LIKE_TEXT]; /* values of the conditions */
	size_t count;
	bool none;  /* the cluster has no jobs that meet the conditions */
	bool found; /* an index on users or accounts finds the jobs, so few rows are read */
	const int *months; /* the months to read for this cluster */
	size_t month_count;
	atomic_size_t next; /* index in @months of the next month to read */
};

/* ---- conditions ---- */

static void need(struct question *question, size_t column, enum database_match match, struct database_value value)
{
	if (question->count < CONDITIONS_MAX)
		question->conditions[question->count++] = (struct database_condition){ column, match, value };
}

static void need_number(struct question *question, size_t column, enum database_match match, int64_t number)
{
	need(question, column, match, database_int(number));
}

static int read_id(void *context, const struct database_value *row, struct error *err)
{
	(void)err;
	*(int64_t *)context = row[table_name.column_count - 1].number;
	return 0;
}

/*
 * Sets @id to the number of a word. If the cluster has no such word, or if this reader may not know it, sets @id
 * to 0 and question->none.
 */
static int find_word(struct question *question, int kind, const char *text, int64_t *id, struct error *err)
{
	const struct database_value key[] = { database_int(question->cluster), database_int(kind), database_text(text) };

	*id = 0;
	if (database_find(question->db, &table_name, 0, table_name.key, key, 1, read_id, id, err) < 0)
		return -1;
	question->none = question->none || !*id;
	return 0;
}

static int need_word(struct question *question, int kind, const char *text, struct error *err)
{
	int64_t id = 0;

	if (!*text) {
		need_number(question, JOB_AT_NAMES + (size_t)kind, MATCH_NULL, 0);
		return 0;
	}
	if (find_word(question, kind, text, &id, err) < 0)
		return -1;
	need_number(question, JOB_AT_NAMES + (size_t)kind, MATCH_IS, id);
	question->found = question->found || kind == NAME_USER || kind == NAME_ACCOUNT;
	return 0;
}

/*
 * Adds a condition on the list of tools or nodes. The list is a text (job_parts.h) in which each tool or node
 * begins with the number of its name: [12, ...
 */
static int need_in_list(struct question *question, size_t column, int kind, const char *text, struct error *err)
{
	char *like = question->likes[question->count];
	int64_t id = 0;

	if (!*text) {
		need_number(question, column, MATCH_NULL, 0);
		return 0;
	}
	if (kind == NAME_TOOL && strcmp(text, JOB_OTHER_TOOLS) == 0)
		id = 0; /* "(other tools)" is no word; the tool that joins the other tools has the number 0 */
	else if (find_word(question, kind, text, &id, err) < 0)
		return -1;
	snprintf(like, LIKE_TEXT, "%%[%lld,%%", (long long)id);
	need(question, column, MATCH_LIKE, database_text(like));
	return 0;
}

static void need_finding(struct question *question, const char *text)
{
	const struct finding_rule *rule = rules_finding(text, strlen(text));

	if (!*text)
		need_number(question, JOB_AT_FINDINGS, MATCH_IS, 0);
	else if (rule)
		need_number(question, JOB_AT_FINDINGS, MATCH_BITS,
			    (int64_t)findings_to_numbers(UINT64_C(1) << (rule - finding_rules)));
	else
		question->none = true;
}

static void need_verdict(struct question *question, const char *text)
{
	int verdict = job_verdict_find(text);

	question->none = question->none || verdict > BOUND_UNKNOWN;
	need_number(question, JOB_AT_VERDICT, MATCH_IS, verdict > BOUND_UNKNOWN ? 0 : verdict_number((enum bound)verdict));
}

static void need_size(struct question *question, const char *text)
{
	const size_t column = JOB_AT_NUMBERS + JOB_NUMBER_allocated_cpus;
	int64_t least, most;

	if (!*text) {
		need_number(question, column, MATCH_NULL_OR_BELOW, 1);
		return;
	}
	if (!job_size_bounds(text, &least, &most)) {
		question->none = true;
		return;
	}
	need_number(question, column, MATCH_FROM, least);
	if (most)
		need_number(question, column, MATCH_BELOW, most + 1);
}

/* Returns the date @text as a number such as 20261122 or 202611; 0 if it is not a date. */
static int64_t date_number(const char *text)
{
	int64_t number = 0;

	for (; *text; text++) {
		if (*text != '-' && (*text < '0' || *text > '9'))
			return 0;
		number = *text == '-' ? number : number * 10 + (*text - '0');
	}
	return number;
}

/*
 * Adds the conditions for a day, a week or a month, which is a span of days. A week is named after its Monday.
 */
static void need_date(struct question *question, enum job_key key, const char *text)
{
	int64_t date = date_number(text), last = date;
	time_t noon = (time_t)(site_day_noon(date) / US_PER_S);

	if (!date) {
		question->none = true; /* only jobs with an end are read, and these have a date */
		return;
	}
	if (key == JOB_KEY_WEEK)
		last = site_day((int64_t)(noon + 6 * 86400) * US_PER_S);
	if (key == JOB_KEY_MONTH) {
		date = date * 100;
		last = date + 99;
	}
	need_number(question, JOB_AT_DAY, MATCH_FROM, date);
	need_number(question, JOB_AT_DAY, MATCH_BELOW, last + 1);
}

static int need_filter(struct question *question, const struct job_filter *filter, struct error *err)
{
	const char *text = strcmp(filter->value, "-") == 0 ? "" : filter->value;
	const char *cluster = words_get(&question->words, 0, NAME_KINDS, question->cluster);

	switch (filter->key) {
	case JOB_KEY_USER:
		return need_word(question, NAME_USER, text, err);
	case JOB_KEY_ACCOUNT:
		return need_word(question, NAME_ACCOUNT, text, err);
	case JOB_KEY_PARTITION:
		return need_word(question, NAME_PARTITION, text, err);
	case JOB_KEY_QOS:
		return need_word(question, NAME_QOS, text, err);
	case JOB_KEY_STATE:
		return need_word(question, NAME_STATE, text, err);
	case JOB_KEY_RULE:
		return need_word(question, NAME_RULE, text, err);
	case JOB_KEY_TOOL:
		return need_in_list(question, JOB_AT_TOOLS, NAME_TOOL, text, err);
	case JOB_KEY_NODE:
		return need_in_list(question, JOB_AT_NODES, NAME_NODE, text, err);
	case JOB_KEY_VERDICT:
		need_verdict(question, text);
		break;
	case JOB_KEY_FINDING:
		need_finding(question, text);
		break;
	case JOB_KEY_JOB_NAME:
		need(question, JOB_AT_NAME, *text ? MATCH_IS : MATCH_EMPTY, database_text(text));
		break;
	case JOB_KEY_SIZE:
		need_size(question, text);
		break;
	case JOB_KEY_DAY:
	case JOB_KEY_WEEK:
	case JOB_KEY_MONTH:
		need_date(question, filter->key, text);
		break;
	case JOB_KEY_CLUSTER:
		question->none = question->none || strcmp(cluster ? cluster : "", text) != 0;
		break;
	case JOB_KEY_COUNT:
		break;
	}
	return 0;
}

static int need_all(struct question *question, struct error *err)
{
	const struct jobs_summary *summary = question->summary;

	question->count = 0;
	question->none = question->found = false;
	need_number(question, JOB_AT_CLUSTER, MATCH_IS, question->cluster);
	need_number(question, JOB_AT_NUMBERS + JOB_NUMBER_end_us, MATCH_FROM, question->since_us ? question->since_us : INT64_MIN);
	need_number(question, JOB_AT_NUMBERS + JOB_NUMBER_end_us, MATCH_BELOW, question->until_us ? question->until_us : INT64_MAX);
	for (size_t i = 0; i < summary->filter_count; i++)
		if (need_filter(question, &summary->filters[i], err) < 0)
			return -1;
	return 0;
}

/* ---- reading ---- */

static int read_row(void *context, const struct database_value *row, struct error *err)
{
	return job_sums_add(context, row, err);
}

/*
 * Returns the first second of the month in UTC, because a job is in the table of the month in which it was
 * submitted in UTC.
 */
static int64_t month_begin(int month)
{
	struct tm parts = { .tm_year = month / 100 - 1900, .tm_mon = month % 100 - 1, .tm_mday = 1 };

	return (int64_t)timegm(&parts);
}

/*
 * Returns whether the period covers so much of the month that most of the month's jobs ended in it. Then an index does
 * not help.
 */
static bool is_much_of(const struct question *question, int month)
{
	int64_t from = month_begin(month), until = month_begin(month % 100 == 12 ? month + 89 : month + 1);
	int64_t since_s = question->since_us / US_PER_S, until_s = question->until_us / US_PER_S;

	from = question->since_us && since_s > from ? since_s : from;
	until = question->until_us && until_s < until ? until_s : until;
	return until - from > MANY_DAYS * 86400;
}

static int read_month(const struct question *question, struct database *db, struct job_sums *sums, int month, struct error *err)
{
	const struct database_reading reading = {
		.table = &table_job,
		.month = month,
		.columns = question->sums.columns,
		.column_count = question->sums.column_count,
		.conditions = question->conditions,
		.condition_count = question->count,
		.many = !question->found && is_much_of(question, month),
	};

	return database_read(db, &reading, read_row, sums, err);
}

/* ---- threads ---- */

/* A thread that reads one month after the other until none is left, while other threads do the same. */
struct reader {
	struct question *question;
	pthread_t thread;
	bool started;
	struct database *db;
	struct job_sums *sums;
	int result;
	struct error err;
};

static void *read_months(void *context)
{
	struct reader *reader = context;
	struct question *question = reader->question;

	while (reader->result == 0) {
		size_t place = atomic_fetch_add(&question->next, 1);

		if (place >= question->month_count)
			break;
		reader->result = read_month(question, reader->db, reader->sums, question->months[place], &reader->err);
	}
	if (reader->result == 0)
		reader->result = job_sums_end(reader->sums, &reader->err);
	return NULL;
}

/* Opens a database for a reader, and prepares its sums. The first reader uses the caller's database. */
static int prepare(struct reader *reader, struct question *question, bool first)
{
	reader->question = question;
	reader->sums = calloc(1, sizeof(*reader->sums));
	if (!reader->sums)
		return error_set(&reader->err, "out of memory");
	job_sums_begin(reader->sums, question->summary, &question->words, &question->lock);
	reader->db = first ? question->db : database_again(question->db, &reader->err);
	return reader->db ? 0 : -1;
}

static void finish(struct reader *reader, const struct question *question)
{
	if (reader->started)
		pthread_join(reader->thread, NULL);
	if (reader->sums)
		job_sums_free(reader->sums);
	free(reader->sums);
	if (reader->db != question->db)
		database_close(reader->db);
}

/*
 * Reads the months of the question in several threads, but at most one for each processor. Uses fewer threads if
 * it cannot open another connection or start another thread.
 */
static int read_in_threads(struct question *question, struct error *err)
{
	struct reader readers[READERS_MAX] = { { 0 } };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = 1;
	int result;

	atomic_store(&question->next, 0);
	while (count < READERS_MAX && (long)count < processors && count < question->month_count &&
	       prepare(&readers[count], question, false) == 0) {
		readers[count].started = pthread_create(&readers[count].thread, NULL, read_months, &readers[count]) == 0;
		count++;
	}
	readers[0].result = prepare(&readers[0], question, true);
	read_months(&readers[0]);
	result = readers[0].result;
	*err = readers[0].err;
	for (size_t i = 0; i < READERS_MAX; i++) {
		finish(&readers[i], question);
		if (i && readers[i].started && readers[i].result < 0 && result == 0) {
			result = -1;
			*err = readers[i].err;
		}
	}
	return result;
}

static int read_cluster(struct question *question, struct error *err)
{
	/* Do not read later months, because a job is submitted before it ends. */
	int last = question->until_us ? job_lines_month(question->until_us / US_PER_S) : 0;

	if (need_all(question, err) < 0)
		return -1;
	question->months = database_months(question->db, &table_job);
	question->month_count = 0;
	while (question->months[question->month_count] && (!last || question->months[question->month_count] <= last))
		question->month_count++;
	return question->none || !question->month_count ? 0 : read_in_threads(question, err);
}

int job_question_read(struct database *db, struct jobs_summary *summary, int64_t since_us, int64_t until_us,
		      struct error *err)
{
	struct question *question = calloc(1, sizeof(*question));
	int result;

	if (!question)
		return error_set(err, "out of memory");
	question->db = db;
	question->summary = summary;
	question->since_us = since_us;
	question->until_us = until_us;
	pthread_mutex_init(&question->lock, NULL);
	job_sums_begin(&question->sums, summary, &question->words, &question->lock);
	result = words_read(&question->words, db, job_sums_words(&question->sums), err);
	for (question->cluster = 1; result == 0 && words_get(&question->words, 0, NAME_KINDS, question->cluster); question->cluster++)
		result = read_cluster(question, err);
	pthread_mutex_destroy(&question->lock);
	words_free(&question->words);
	free(question);
	return result;
}
