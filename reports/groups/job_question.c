/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/job_question.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/memory/array.h"
#include "reports/facts/job_lines.h"
#include "reports/groups/job_conditions.h"
#include "reports/groups/job_sums.h"
#include "reports/groups/job_totals.h"

#define US_PER_S INT64_C(1000000)
#define READERS_MAX 4
#define SERVER_READERS 3 /* PostgreSQL's default number of processes for a query */
#define MANY_DAYS 8 /* if more days of a month are wanted, an index is slower than reading the month */
/*
 * Least and largest size of a part, in blocks of 8 KiB. PostgreSQL adds up a large month in parts, so that several
 * threads can read the month, and the lists of its groups fit into memory.
 */
#define PART_BLOCKS_MIN 2048
#define PART_BLOCKS_MAX 65536

/* What a thread reads at a time. */
struct task {
	enum { READ_JOBS, READ_TOTALS, READ_TOTALS_BEFORE, READ_TOOLS } what;
	int month;
	int64_t first_block, last_block;
};

struct question {
	struct database *db;
	struct jobs_summary *summary;
	struct job_sums sums; /* says which columns to read; each reader has its own sums */
	struct job_totals totals;
	bool by_database;
	struct words words;
	pthread_mutex_t lock;
	int64_t since_us, until_us;
	struct job_conditions jobs, now, before; /* of the whole question, of the period, and of the previous period */
	struct task *tasks;
	size_t task_count;
	atomic_size_t next; /* the next task to begin */
};

/* ---- reading ---- */

static int read_row(void *context, const struct database_value *row, struct error *err)
{
	return job_sums_add(context, row, err);
}

/* Returns the first second of the month in UTC, because tables are by the submit time in UTC. */
static int64_t month_begin(int month)
{
	struct tm parts = { .tm_year = month / 100 - 1900, .tm_mon = month % 100 - 1, .tm_mday = 1 };

	return (int64_t)timegm(&parts);
}

/* Returns whether most of the month's jobs ended in the period. */
static bool is_much_of(const struct question *question, int month)
{
	int64_t from = month_begin(month), until = month_begin(month % 100 == 12 ? month + 89 : month + 1);
	int64_t since_s = question->since_us / US_PER_S, until_s = question->until_us / US_PER_S;

	from = question->since_us && since_s > from ? since_s : from;
	until = question->until_us && until_s < until ? until_s : until;
	return until - from > MANY_DAYS * 86400;
}

static int read_jobs(const struct question *question, struct database *db, struct job_sums *sums, const struct task *task,
		     struct error *err)
{
	const struct database_reading reading = {
		.table = &table_job,
		.month = task->month,
		.columns = question->sums.columns,
		.column_count = question->sums.column_count,
		.conditions = question->jobs.list,
		.condition_count = question->jobs.count,
		.many = !question->jobs.found && is_much_of(question, task->month),
	};

	return database_read(db, &reading, read_row, sums, err);
}

static int read_totals(const struct question *question, struct database *db, struct job_sums *sums, const struct task *task,
		       struct error *err)
{
	const struct job_conditions *jobs = task->what == READ_TOTALS_BEFORE ? &question->before : &question->now;
	struct job_totals_adding *adding = calloc(1, sizeof(*adding));
	bool tools = task->what == READ_TOOLS;
	const struct database_reading reading = {
		.table = &table_job,
		.month = task->month,
		.columns = tools ? job_totals_tool_columns : question->totals.columns,
		.column_count = tools ? sizeof(job_totals_tool_columns) / sizeof(job_totals_tool_columns[0]) : question->totals.column_count,
		.conditions = jobs->list,
		.condition_count = jobs->count,
		.totals = question->totals.totals,
		.total_count = tools ? 0 : question->totals.total_count,
		.first_block = task->first_block,
		.last_block = task->last_block,
	};
	int result;

	if (!adding)
		return error_set(err, "out of memory");
	adding->totals = &question->totals;
	adding->sums = sums;
	adding->cluster = jobs->cluster;
	adding->now = task->what == READ_TOTALS;
	result = database_read(db, &reading, tools ? job_totals_add_tools : job_totals_add, adding, err);
	free(adding);
	return result;
}

/* ---- tasks ---- */

static int add_task(struct question *question, struct task task, struct error *err)
{
	if (!array_room(&question->tasks, question->task_count, sizeof(*question->tasks)))
		return error_set(err, "out of memory");
	question->tasks[question->task_count++] = task;
	return 0;
}

static long readers_wanted(const struct question *question)
{
	long processors = question->by_database ? SERVER_READERS : sysconf(_SC_NPROCESSORS_ONLN);

	/* to open the database again takes SQLite as long as some thousand rows; an index usually finds fewer */
	if (question->jobs.found && !question->by_database)
		return 1;
	return processors < 1 ? 1 : processors < READERS_MAX ? processors : READERS_MAX;
}

/* Returns how many blocks to read at once; 0 for the whole month. @months: how many months are read */
static int64_t part_of(const struct question *question, const struct job_conditions *jobs, int month, int64_t blocks, size_t months)
{
	int64_t part = months < (size_t)readers_wanted(question) ? blocks / readers_wanted(question) + 1 : blocks;

	/* an index finds these jobs, and would be searched again for each part */
	if (jobs->found || question->summary->some_hidden || !is_much_of(question, month))
		return 0;
	part = part < PART_BLOCKS_MIN ? PART_BLOCKS_MIN : part > PART_BLOCKS_MAX ? PART_BLOCKS_MAX : part;
	return part < blocks ? part : 0;
}

static int add_parts(struct question *question, struct task task, int64_t part, int64_t blocks, struct error *err)
{
	for (task.first_block = 0; part && task.first_block + part < blocks; task.first_block += part) {
		task.last_block = task.first_block + part;
		if (add_task(question, task, err) < 0)
			return -1;
	}
	task.last_block = part ? UINT32_MAX : 0;
	return add_task(question, task, err);
}

static int add_month(struct question *question, int month, size_t months, struct error *err)
{
	const struct jobs_summary *summary = question->summary;
	int64_t blocks, part;

	if (!question->by_database)
		return add_task(question, (struct task){ .what = READ_JOBS, .month = month }, err);
	if (database_blocks(question->db, &table_job, month, &blocks, err) < 0)
		return -1;
	part = part_of(question, &question->jobs, month, blocks, months);
	if (!question->now.none && add_parts(question, (struct task){ READ_TOTALS, month, 0, 0 }, part, blocks, err) < 0)
		return -1;
	if (!question->now.none && job_sums_need_tools(summary) &&
	    add_parts(question, (struct task){ READ_TOOLS, month, 0, 0 }, part, blocks, err) < 0)
		return -1;
	return question->before.none ? 0 : add_parts(question, (struct task){ READ_TOTALS_BEFORE, month, 0, 0 }, part, blocks, err);
}

/* ---- threads ---- */

/* A thread that takes tasks until none is left. */
struct reader {
	struct question *question;
	pthread_t thread;
	bool started;
	struct database *db;
	struct job_sums *sums;
	int result;
	struct error err;
};

static void *do_tasks(void *context)
{
	struct reader *reader = context;
	struct question *question = reader->question;

	while (reader->result == 0) {
		size_t place = atomic_fetch_add(&question->next, 1);
		const struct task *task = &question->tasks[place];

		if (place >= question->task_count)
			break;
		reader->result = (task->what == READ_JOBS ? read_jobs : read_totals)(question, reader->db, reader->sums, task, &reader->err);
	}
	if (reader->result == 0)
		reader->result = job_sums_end(reader->sums, &reader->err);
	return NULL;
}

/* Opens the database for a reader. The first reader uses the caller's connection. All readers see the same state. */
static int prepare(struct reader *reader, struct question *question, bool first)
{
	reader->question = question;
	reader->sums = calloc(1, sizeof(*reader->sums));
	if (!reader->sums)
		return error_set(&reader->err, "out of memory");
	job_sums_begin(reader->sums, question->summary, &question->words, &question->lock);
	reader->db = first ? question->db : database_again(question->db, &reader->err);
	return reader->db && (first || database_join(reader->db, question->db, &reader->err) == 0) ? 0 : -1;
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

/* Does the tasks in several threads, or in fewer threads if no more can be started. */
static int read_in_threads(struct question *question, struct error *err)
{
	struct reader readers[READERS_MAX] = { { 0 } };
	size_t count = 1, most = (size_t)readers_wanted(question);
	int result;

	atomic_store(&question->next, 0);
	for (; count < most && count < question->task_count && prepare(&readers[count], question, false) == 0; count++)
		readers[count].started = pthread_create(&readers[count].thread, NULL, do_tasks, &readers[count]) == 0;
	readers[0].result = prepare(&readers[0], question, true);
	do_tasks(&readers[0]);
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

static int make_conditions(struct question *question, struct job_conditions *conditions, const struct job_period *period,
			   int64_t cluster, struct error *err)
{
	const struct jobs_summary *summary = question->summary;
	int64_t since = question->since_us, until = question->until_us;

	if (period->since_us > since)
		since = period->since_us;
	if (period->until_us && (!until || period->until_us < until))
		until = period->until_us;
	conditions->db = question->db;
	conditions->words = &question->words;
	conditions->cluster = cluster;
	conditions->since_us = since;
	conditions->until_us = until;
	if (job_conditions_make(conditions, summary->filters, summary->filter_count, err) < 0)
		return -1;
	conditions->none = conditions->none || (until && until <= since);
	return 0;
}

static int read_cluster(struct question *question, int64_t cluster, struct error *err)
{
	static const struct job_period all;
	const struct jobs_summary *summary = question->summary;
	/* a job is submitted before it ends, so later months have no jobs of the period */
	int last = question->until_us ? job_lines_month(question->until_us / US_PER_S) : 0;
	const int *months = database_months(question->db, &table_job);
	size_t count = 0;

	if (make_conditions(question, &question->jobs, &all, cluster, err) < 0 ||
	    make_conditions(question, &question->now, &summary->period, cluster, err) < 0 ||
	    make_conditions(question, &question->before, &summary->previous, cluster, err) < 0)
		return -1;
	question->before.none = question->before.none || !jobs_summary_has_previous(summary);
	while (months[count] && (!last || months[count] <= last))
		count++;
	question->task_count = 0;
	for (size_t i = 0; !question->jobs.none && i < count; i++)
		if (add_month(question, months[i], count, err) < 0)
			return -1;
	return question->task_count ? read_in_threads(question, err) : 0;
}

static int read_clusters(struct question *question, struct error *err)
{
	if (words_read(&question->words, question->db, job_sums_words(&question->sums), err) < 0)
		return -1;
	for (int64_t cluster = 1; words_get(&question->words, 0, NAME_KINDS, cluster); cluster++)
		if (read_cluster(question, cluster, err) < 0)
			return -1;
	return 0;
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
	question->by_database = database_can_group(db) && job_totals_can(summary);
	pthread_mutex_init(&question->lock, NULL);
	job_sums_begin(&question->sums, summary, &question->words, &question->lock);
	job_totals_begin(&question->totals, summary);
	result = database_hold(db, err) < 0 ? -1 : read_clusters(question, err);
	database_release(db);
	pthread_mutex_destroy(&question->lock);
	words_free(&question->words);
	free(question->tasks);
	free(question);
	return result;
}
