/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/jobs_update.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/array.h"
#include "common/memory/map.h"
#include "common/time_text.h"
#include "reports/facts/fact.h"
#include "reports/facts/job_places.h"
#include "reports/facts/line_rows.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/table_rows.h"
#include "reports/groups/rollup.h"

/* A job of the tables. */
struct old_job {
	struct fact fact;
	int month;
	size_t line_count;
	bool dropped; /* the old row must be removed; a new row of the job may be written */
};

/* All jobs of a cluster with one job id and attempt. Slurm uses job ids again. */
struct work {
	int64_t cluster, job_id, attempt;
	struct job_line **lines; /* the new lines, and after them the lines from the tables */
	size_t count;
	struct old_job *old;
	size_t old_count;
	struct job_lines *jobs; /* the jobs into which job_lines_split() divides the lines */
	int job_count;
};

struct new_job {
	struct fact fact;
	int month;
	struct job_lines *lines;
};

/* A row of the table "line" that has a job with new lines. */
struct row_of_lines {
	int64_t cluster, user, account;
	struct line_owner first;
	struct stored_line {
		struct line_owner owner;
		struct job_line *line;
	} *list;
	size_t count;
};

struct run {
	struct jobs_update *update;
	struct map by_id; /* keys are (cluster, job id, attempt); data is a struct work */
	struct places places;
	struct new_job **new;
	size_t new_count;
	struct map owners; /* whose rows of lines can have lines of old jobs: keys are those of put_owner() */
	struct row_of_lines *rows;
	size_t row_count;
	struct line_rows_job *lines; /* what line_rows_write() writes */
	size_t lines_count;
};

/* ---- lists ---- */

static struct work *work_of(struct run *run, int64_t cluster, int64_t job_id, int64_t attempt)
{
	const int64_t key[] = { cluster, job_id, attempt };
	struct map_entry *entry = map_get(&run->by_id, key, sizeof(key));
	struct work *work = entry ? entry->data : NULL;

	if (!entry || work)
		return work;
	entry->data = work = calloc(1, sizeof(*work));
	if (work)
		*work = (struct work){ .cluster = cluster, .job_id = job_id, .attempt = attempt };
	return work;
}

static struct work *work_at(const struct run *run, size_t i)
{
	return run->by_id.list[i].data;
}

static int add_line(struct work *work, struct job_line *line, struct error *err)
{
	if (!array_room(&work->lines, work->count, sizeof(struct job_line *)))
		return error_set(err, "out of memory");
	work->lines[work->count++] = line;
	return 0;
}

static int out_of_memory(struct error *err)
{
	return error_set(err, "out of memory");
}

/* ---- what the tables have ---- */

static int read_job(void *context, const struct database_value *row, struct error *err)
{
	struct run *run = context;
	struct work *work = work_of(run, row[JOB_AT_CLUSTER].number, row[JOB_AT_ID].number, row[JOB_AT_ATTEMPT].number);
	struct old_job *old;

	if (!work || !array_room(&work->old, work->old_count, sizeof(*work->old)))
		return out_of_memory(err);
	old = &work->old[work->old_count++];
	*old = (struct old_job){ .month = job_lines_month(row[JOB_AT_SUBMIT].number) };
	return fact_from_job(&old->fact, row, err);
}

static struct old_job *old_with(const struct work *work, int64_t submit)
{
	for (size_t i = 0; i < work->old_count; i++)
		if (work->old[i].fact.submit == submit)
			return &work->old[i];
	return NULL;
}

/* ---- the rows of lines ---- */

static struct work *find_work(const struct run *run, int64_t cluster, const struct line_owner *owner)
{
	const int64_t key[] = { cluster, owner->job_id, owner->attempt };
	const struct map_entry *entry = map_find(&run->by_id, key, sizeof(key));

	return entry ? entry->data : NULL;
}

static bool is_of_work(void *context, const struct line_owner *owner)
{
	const struct run *run = context;

	return find_work(run, run->rows[run->row_count - 1].cluster, owner);
}

/* Adds a line that was read from the tables to the work on the line's job. */
static int add_stored(struct run *run, struct work *work, const struct line_owner *owner, struct job_line *line, struct error *err)
{
	struct old_job *old = old_with(work, owner->submit);

	if (!old)
		return error_set(err, "the database has the lines of job %lld, but not the job: 'stint ingest --rebuild' makes the database again",
				 (long long)work->job_id);
	old->line_count++;
	return add_line(work, line, err) < 0 ? -1 : job_line_read(line, "a line of the database", run->update->rules, err);
}

static int take_stored(void *context, const struct line_owner *owner, const char *text, size_t length, struct error *err)
{
	struct run *run = context;
	struct row_of_lines *row = &run->rows[run->row_count - 1];
	struct work *work = find_work(run, row->cluster, owner);
	struct stored_line *stored;

	if (!array_room(&row->list, row->count, sizeof(*row->list)))
		return out_of_memory(err);
	stored = &row->list[row->count];
	*stored = (struct stored_line){ *owner, calloc(1, sizeof(*stored->line)) };
	if (!stored->line)
		return out_of_memory(err);
	row->count++;
	stored->line->stored = true;
	if (job_line_keep(stored->line, text, length) < 0)
		return out_of_memory(err);
	return work ? add_stored(run, work, owner, stored->line, err) : 0;
}

#define OWNER_NUMBERS 4

/* All jobs of a row of lines have the user and the account of the row. */
static void put_owner(int64_t key[OWNER_NUMBERS], int64_t cluster, int64_t jobs, int64_t user, int64_t account)
{
	key[0] = cluster;
	key[1] = jobs;
	key[2] = user;
	key[3] = account;
}

/* Forgets the row if none of its jobs has new lines. */
static int read_lines(void *context, const struct database_value *row, struct error *err)
{
	struct run *run = context;
	const struct lines_reading reading = { is_of_work, take_stored, run };
	int64_t owner[OWNER_NUMBERS];
	struct row_of_lines *of;

	put_owner(owner, row[LINE_AT_CLUSTER].number, row[LINE_AT_JOBS].number, row[LINE_AT_USER].number, row[LINE_AT_ACCOUNT].number);
	if (!map_find(&run->owners, owner, sizeof(owner)))
		return 0;
	if (!array_room(&run->rows, run->row_count, sizeof(*run->rows)))
		return out_of_memory(err);
	of = &run->rows[run->row_count++];
	*of = (struct row_of_lines){ .cluster = row[LINE_AT_CLUSTER].number,
				     .first = { row[LINE_AT_ID].number, row[LINE_AT_ATTEMPT].number, row[LINE_AT_SUBMIT].number },
				     .user = row[LINE_AT_USER].number, .account = row[LINE_AT_ACCOUNT].number };
	if (lines_unpack(run->update->packer, row[LINE_AT_LINES].data, row[LINE_AT_LINES].size, &reading, err) < 0)
		return -1;
	if (!of->count)
		run->row_count--;
	return 0;
}

/* Adds the key that finds the job's lines, if @keys does not have it yet. */
static int put_line_key(struct run *run, struct map *known, const struct old_job *old, struct table_rows *keys, struct error *err)
{
	const int64_t key[] = { old->month, old->fact.cluster, LINE_JOBS(old->fact.job_id) }, *names = old->fact.names;
	struct map_entry *entry = map_get(known, key, sizeof(key));
	struct database_value *values;
	int64_t owner[OWNER_NUMBERS];

	put_owner(owner, key[1], key[2], names[NAME_USER], names[NAME_ACCOUNT]);
	if (!entry || !map_get(&run->owners, owner, sizeof(owner)))
		return out_of_memory(err);
	if (entry->number)
		return 0;
	entry->number = 1;
	values = table_rows_add(keys, old->month, LINE_FOUND_BY);
	if (!values)
		return out_of_memory(err);
	values[LINE_AT_CLUSTER] = database_int(key[1]);
	values[LINE_AT_JOBS] = database_int(key[2]);
	return 0;
}

static int find_lines(struct run *run, struct error *err)
{
	struct table_rows keys = { 0 };
	struct map known = { 0 };
	int result = 0;

	for (size_t i = 0; result == 0 && i < run->by_id.count; i++)
		for (size_t k = 0; result == 0 && k < work_at(run, i)->old_count; k++)
			result = put_line_key(run, &known, &work_at(run, i)->old[k], &keys, err);
	if (result == 0)
		result = table_rows_find(&keys, run->update->db, &table_line, read_lines, run, err);
	map_free(&known);
	table_rows_free(&keys);
	return result;
}

static bool is_dropped(const struct run *run, const struct row_of_lines *row, const struct line_owner *owner)
{
	const struct work *work = find_work(run, row->cluster, owner);
	const struct old_job *old = work ? old_with(work, owner->submit) : NULL;

	return old && old->dropped;
}

static int want_lines(struct run *run, const struct line_rows_job *job, struct error *err)
{
	if (!array_room(&run->lines, run->lines_count, sizeof(*run->lines)))
		return out_of_memory(err);
	run->lines[run->lines_count++] = *job;
	return 0;
}

/* Writes the lines of the row's other jobs again. */
static int keep_others(struct run *run, const struct row_of_lines *row, struct error *err)
{
	for (size_t i = 0; i < row->count; i++) {
		struct stored_line *stored = &row->list[i];
		const struct line_rows_job job = { .month = job_lines_month(stored->owner.submit), .cluster = row->cluster,
						   .user = row->user, .account = row->account, .owner = stored->owner,
						   .lines = &stored->line, .count = 1 };

		if (!is_dropped(run, row, &stored->owner) && want_lines(run, &job, err) < 0)
			return -1;
	}
	return 0;
}

static bool has_dropped(const struct run *run, const struct row_of_lines *row)
{
	for (size_t i = 0; i < row->count; i++)
		if (is_dropped(run, row, &row->list[i].owner))
			return true;
	return false;
}

/* Erases the rows of each job that is made again. */
static int erase_lines(struct run *run, struct error *err)
{
	struct table_rows keys = { 0 };
	int result = 0;

	for (size_t i = 0; result == 0 && i < run->row_count; i++) {
		const struct row_of_lines *row = &run->rows[i];
		struct database_value *key;

		if (!has_dropped(run, row))
			continue;
		key = table_rows_add(&keys, job_lines_month(row->first.submit), LINE_KEY_COLUMNS);
		if (!key) {
			result = out_of_memory(err);
			break;
		}
		key[LINE_AT_CLUSTER] = database_int(row->cluster);
		key[LINE_AT_JOBS] = database_int(LINE_JOBS(row->first.job_id));
		key[LINE_AT_ID] = database_int(row->first.job_id);
		key[LINE_AT_ATTEMPT] = database_int(row->first.attempt);
		key[LINE_AT_SUBMIT] = database_int(row->first.submit);
		result = keep_others(run, row, err);
	}
	if (result == 0)
		result = table_rows_erase(&keys, run->update->db, &table_line, err);
	table_rows_free(&keys);
	return result;
}

static void free_rows(struct run *run)
{
	for (size_t i = 0; i < run->row_count; i++) {
		for (size_t k = 0; k < run->rows[i].count; k++) {
			job_line_free(run->rows[i].list[k].line);
			free(run->rows[i].list[k].line);
		}
		free(run->rows[i].list);
	}
	map_free(&run->owners);
	free(run->rows);
	free(run->lines);
}

/* ---- what the tables have of the jobs ---- */

static int find_places(struct run *run, struct error *err)
{
	for (size_t i = 0; i < run->by_id.count; i++)
		if (places_want(&run->places, work_at(run, i)->cluster, work_at(run, i)->job_id, err) < 0)
			return -1;
	return places_read(&run->places, run->update->db, err);
}

/* without the submit time */
#define WORK_KEY_COLUMNS 3

static int put_work_keys(struct run *run, const struct work *work, struct table_rows *keys, struct error *err)
{
	const int *month = places_months(&run->places, work->cluster, work->job_id);

	for (; month && *month; month++) {
		struct database_value *key = table_rows_add(keys, *month, WORK_KEY_COLUMNS);

		if (!key)
			return out_of_memory(err);
		key[JOB_AT_CLUSTER] = database_int(work->cluster);
		key[JOB_AT_ID] = database_int(work->job_id);
		key[JOB_AT_ATTEMPT] = database_int(work->attempt);
	}
	return 0;
}

static int find_old(struct run *run, struct error *err)
{
	struct table_rows keys = { 0 };
	int result = find_places(run, err);

	for (size_t i = 0; result == 0 && i < run->by_id.count; i++)
		result = put_work_keys(run, work_at(run, i), &keys, err);
	if (result == 0)
		result = table_rows_find(&keys, run->update->db, &table_job, read_job, run, err);
	table_rows_free(&keys);
	return result == 0 ? find_lines(run, err) : -1;
}

/* ---- what to write ---- */

/* Returns whether the tables have exactly these lines. */
static bool is_same(const struct old_job *old, const struct job_lines *job)
{
	for (size_t i = 0; i < job->count; i++)
		if (!job->list[i]->stored)
			return false;
	return old && old->line_count == job->count;
}

static int add_new(struct run *run, const struct work *work, struct job_lines *job, struct error *err)
{
	struct new_job *new;

	if (!array_room(&run->new, run->new_count, sizeof(*run->new)) || !(new = calloc(1, sizeof(*new))))
		return out_of_memory(err);
	run->new[run->new_count++] = new;
	*new = (struct new_job){ .lines = job, .month = job_lines_month(job->submit) };
	new->fact = (struct fact){
		.cluster = work->cluster, .job_id = work->job_id, .submit = job->submit, .attempt = work->attempt
	};
	if (job_lines_row(job, run->update->rules, &new->fact.row, err) < 0)
		return -1;
	return fact_want_names(&new->fact, run->update->names, err);
}

static int decide(struct run *run, struct work *work, struct error *err)
{
	work->job_count = job_lines_split(work->lines, work->count, &work->jobs, err);
	if (work->job_count < 0)
		return -1;
	for (size_t i = 0; i < work->old_count; i++)
		work->old[i].dropped = true;
	for (int i = 0; i < work->job_count; i++) {
		struct old_job *old = old_with(work, work->jobs[i].submit);

		if (is_same(old, &work->jobs[i]))
			old->dropped = false;
		else if (add_new(run, work, &work->jobs[i], err) < 0)
			return -1;
	}
	return 0;
}

/* ---- writing ---- */

static int order(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_key(const void *a, const void *b)
{
	const struct fact *one = &(*(struct new_job *const *)a)->fact, *other = &(*(struct new_job *const *)b)->fact;
	int result = order(one->cluster, other->cluster);

	if (!result)
		result = order(one->job_id, other->job_id);
	if (!result)
		result = order(one->submit, other->submit);
	return result ? result : order(one->attempt, other->attempt);
}

static bool put_job_key(struct table_rows *keys, const struct old_job *old)
{
	struct database_value *key = table_rows_add(keys, old->month, JOB_KEY_COLUMNS);

	if (!key)
		return false;
	key[JOB_AT_CLUSTER] = database_int(old->fact.cluster);
	key[JOB_AT_ID] = database_int(old->fact.job_id);
	key[JOB_AT_ATTEMPT] = database_int(old->fact.attempt);
	key[JOB_AT_SUBMIT] = database_int(old->fact.submit);
	return true;
}

static int erase_old(struct run *run, struct rollup *rollup, struct error *err)
{
	struct table_rows keys = { 0 };
	int result = 0;

	for (size_t i = 0; result == 0 && i < run->by_id.count; i++) {
		const struct work *work = work_at(run, i);

		for (size_t k = 0; result == 0 && k < work->old_count; k++) {
			const struct old_job *old = &work->old[k];

			if (!old->dropped)
				continue;
			if (!put_job_key(&keys, old))
				result = out_of_memory(err);
			else
				result = rollup_add(rollup, &old->fact, -1, err);
		}
	}
	if (result == 0)
		result = table_rows_erase(&keys, run->update->db, &table_job, err);
	table_rows_free(&keys);
	return result == 0 ? erase_lines(run, err) : -1;
}

struct writing {
	struct table_rows jobs;
	struct table_rows found; /* keys of the new jobs, to remove them from the table of missing jobs */
};

/*
 * Adds the job's key to @found, so that its row in the table of missing jobs is removed. Such a row exists if slurmdbd
 * was asked before the job's record arrived.
 */
static bool put_found(const struct fact *fact, struct table_rows *found)
{
	struct database_value *key;

	if (fact->row.end_us < 0)
		return true;
	key = table_rows_add(found, job_lines_month(fact->row.end_us / US_PER_S), MISSING_KEY);
	if (!key)
		return false;
	key[0] = database_int(fact->cluster);
	key[1] = database_int(fact->job_id);
	key[2] = database_int(fact->submit);
	return true;
}

static int put_all(struct run *run, struct new_job *new, struct writing *writing, struct error *err)
{
	struct fact *fact = &new->fact;
	struct database_value *row = table_rows_add(&writing->jobs, new->month, JOB_COLUMNS);
	const struct line_rows_job lines = { .month = new->month, .cluster = fact->cluster, .user = fact->names[NAME_USER],
					     .account = fact->names[NAME_ACCOUNT], .lines = new->lines->list,
					     .owner = { fact->job_id, fact->attempt, fact->submit },
					     .count = new->lines->count };

	if (!row || !put_found(fact, &writing->found))
		return out_of_memory(err);
	if (fact_put_job(fact, row, err) < 0 || want_lines(run, &lines, err) < 0)
		return -1;
	return places_add(&run->places, fact->cluster, fact->job_id, new->month, err);
}

static int insert_new(struct run *run, struct rollup *rollup, struct error *err)
{
	struct jobs_update *update = run->update;
	struct writing writing = { 0 };
	int result = names_resolve(update->names, update->db, err);

	/*
	 * In the order of the table's key, neighbours go to the same page of the database. Most new jobs come after all
	 * earlier jobs.
	 */
	if (run->new_count)
		qsort(run->new, run->new_count, sizeof(*run->new), by_key);
	for (size_t i = 0; result == 0 && i < run->new_count; i++) {
		struct new_job *new = run->new[i];

		result = fact_take_names(&new->fact, update->names, err);
		if (result == 0)
			result = put_all(run, new, &writing, err);
		if (result == 0)
			result = table_rows_insert_full(&writing.jobs, update->db, &table_job, err);
		if (result == 0)
			result = rollup_add(rollup, &new->fact, 1, err);
	}
	if (result == 0 && (table_rows_erase(&writing.found, update->db, &table_missing, err) < 0 ||
			    places_write(&run->places, update->db, err) < 0 ||
			    table_rows_insert(&writing.jobs, update->db, &table_job, err) < 0 ||
			    line_rows_write(update->db, update->packer, run->lines, run->lines_count, err) < 0))
		result = -1;
	update->jobs += (int64_t)run->new_count;
	table_rows_free(&writing.jobs);
	table_rows_free(&writing.found);
	return result;
}

static void free_work(struct work *work)
{
	for (size_t i = 0; i < work->old_count; i++)
		fact_free(&work->old[i].fact);
	job_lines_free(work->jobs, work->job_count);
	free(work->lines);
	free(work->old);
	free(work);
}

static void free_run(struct run *run)
{
	for (size_t i = 0; i < run->new_count; i++) {
		fact_free(&run->new[i]->fact);
		free(run->new[i]);
	}
	free(run->new);
	for (size_t i = 0; i < run->by_id.count; i++)
		if (run->by_id.list[i].data)
			free_work(run->by_id.list[i].data);
	map_free(&run->by_id);
	free_rows(run);
	places_free(&run->places);
}

static int sort_lines(struct run *run, struct job_line **lines, const int64_t *clusters, size_t count,
		      struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		struct work *work = work_of(run, clusters[i], lines[i]->job_id, lines[i]->attempt);

		if (!work || add_line(work, lines[i], err) < 0)
			return out_of_memory(err);
	}
	return 0;
}

int jobs_update(struct jobs_update *update, struct job_line **lines, const int64_t *clusters, size_t count,
		struct error *err)
{
	struct run run = { .update = update };
	struct rollup rollup = { 0 };
	int result = sort_lines(&run, lines, clusters, count, err);

	if (result == 0)
		result = find_old(&run, err);
	for (size_t i = 0; result == 0 && i < run.by_id.count; i++)
		result = decide(&run, work_at(&run, i), err);
	if (result == 0 && (erase_old(&run, &rollup, err) < 0 || insert_new(&run, &rollup, err) < 0 ||
			    rollup_write(&rollup, update->db, err) < 0))
		result = -1;
	rollup_free(&rollup);
	free_run(&run);
	return result;
}
