/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/line_rows.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/array.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/table_rows.h"

#define PACKS_MAX 512
#define ROW_LINES 16 /* so many lines nearly always fit into a page */
#define PAGE 8192
#define PAGE_HEAD 24 /* of PostgreSQL; SQLite has less */
#define ROW_MORE 80 /* what a row takes besides the packed lines in PostgreSQL; SQLite takes less */

static int out_of_memory(struct error *err)
{
	return error_set(err, "out of memory");
}

/* ---- writing ---- */

static int order(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_key(const void *a, const void *b)
{
	const struct line_rows_job *one = a, *other = b;
	int result = order(one->month, other->month);

	if (!result)
		result = order(one->cluster, other->cluster);
	if (!result)
		result = order(one->owner.job_id, other->owner.job_id);
	if (!result)
		result = order(one->owner.submit, other->owner.submit);
	return result ? result : order(one->owner.attempt, other->owner.attempt);
}

static bool same_owner(const struct line_owner *one, const struct line_owner *other)
{
	return one->job_id == other->job_id && one->submit == other->submit && one->attempt == other->attempt;
}

static bool is_same_job(const struct line_rows_job *one, const struct line_rows_job *other)
{
	return one->month == other->month && one->cluster == other->cluster && same_owner(&one->owner, &other->owner);
}

static bool may_share_row(const struct line_rows_job *one, const struct line_rows_job *other)
{
	return one->month == other->month && one->cluster == other->cluster && one->user == other->user &&
	       one->account == other->account && LINE_JOBS(one->owner.job_id) == LINE_JOBS(other->owner.job_id);
}

/* The rows that are being made. */
struct writing {
	struct line_packer *packer;
	struct table_rows rows;
	struct line_of *lines; /* of the row that is being made */
	size_t line_count;
	void *packs[PACKS_MAX]; /* of the rows */
	size_t pack_count;
};

/* ---- the order of rows ---- */

/* A row in the order of sizes. */
struct sized {
	size_t size, place;
	size_t next; /* this row if it waits, otherwise a later one */
};

static int by_size(const void *a, const void *b)
{
	const struct sized *one = a, *other = b;

	return one->size != other->size ? order((int64_t)other->size, (int64_t)one->size) : order((int64_t)one->place, (int64_t)other->place);
}

/* Returns the first row from @at on that waits; the end of @list if there is none. */
static size_t waiting_from(struct sized *list, size_t at)
{
	size_t found = at;

	while (list[found].next != found)
		found = list[found].next;
	for (size_t next; at != found; at = next) {
		next = list[at].next;
		list[at].next = found;
	}
	return found;
}

/* Returns the first row that is not larger than @room; @count if all are larger. */
static size_t first_within(const struct sized *list, size_t count, size_t room)
{
	size_t from = 0, until = count;

	while (from < until) {
		size_t middle = (from + until) / 2;

		if (list[middle].size > room)
			from = middle + 1;
		else
			until = middle;
	}
	return from;
}

/* @list: @count rows in the order of sizes, and the end. Fills @to with the rows in the order in which they fill pages. */
static void fill_pages(struct sized *list, size_t count, const struct database_value *from, struct database_value *to)
{
	size_t room = PAGE - PAGE_HEAD;

	for (size_t done = 0; done < count; done++) {
		size_t at = waiting_from(list, first_within(list, count, room));

		if (at == count) {
			at = waiting_from(list, 0);
			room = PAGE - PAGE_HEAD;
		}
		memcpy(to + LINE_COLUMNS * done, from + LINE_COLUMNS * list[at].place, LINE_COLUMNS * sizeof(*to));
		room = list[at].size < room ? room - list[at].size : 0;
		list[at].next = at + 1;
	}
}

/* Sorts the rows so that an engine that appends them to its pages fills each page: the next row is the largest that fits. */
static int sort_rows(struct table_rows_month *month, struct error *err)
{
	struct database_value *to = calloc(month->count, LINE_COLUMNS * sizeof(*to));
	cleanup_free struct sized *list = calloc(month->count + 1, sizeof(*list));

	if (!to || !list) {
		free(to);
		return out_of_memory(err);
	}
	for (size_t i = 0; i < month->count; i++)
		list[i] = (struct sized){ .size = month->values[LINE_COLUMNS * i + LINE_AT_LINES].size + ROW_MORE, .place = i };
	qsort(list, month->count, sizeof(*list), by_size);
	for (size_t i = 0; i <= month->count; i++)
		list[i].next = i;
	fill_pages(list, month->count, month->values, to);
	free(month->values);
	month->values = to;
	return 0;
}

static void forget_packs(struct writing *writing)
{
	while (writing->pack_count)
		free(writing->packs[--writing->pack_count]);
}

/* Inserts the rows that were made. */
static int insert(struct writing *writing, struct database *db, struct error *err)
{
	int result = 0;

	for (size_t i = 0; result == 0 && i < writing->rows.count; i++)
		result = sort_rows(&writing->rows.list[i], err);
	if (result == 0)
		result = table_rows_insert(&writing->rows, db, &table_line, err);
	table_rows_forget(&writing->rows);
	forget_packs(writing);
	return result;
}

static void forget_splits(const struct line_rows_job *jobs, const struct line_rows_job *end)
{
	for (; jobs < end; jobs++)
		for (size_t i = 0; i < jobs->count; i++) {
			free(jobs->lines[i]->split);
			jobs->lines[i]->split = NULL;
		}
}

static int add_lines(struct writing *writing, const struct line_rows_job *job, struct error *err)
{
	for (size_t i = 0; i < job->count; i++) {
		struct job_line *line = job->lines[i];

		if (!line->split)
			line->split = line_pack_split(writing->packer, line->text, line->length);
		if (!line->split || !array_room(&writing->lines, writing->line_count, sizeof(*writing->lines)))
			return out_of_memory(err);
		writing->lines[writing->line_count++] = (struct line_of){ job->owner, line->split };
	}
	return 0;
}

static struct database_value word_value(int64_t id)
{
	return (struct database_value){ .kind = id ? VALUE_INT : VALUE_NULL, .number = id };
}

/* Makes the row of the collected lines. @first: the first job of the row */
static int finish_row(struct writing *writing, const struct line_rows_job *first, struct error *err)
{
	struct database_value *row = table_rows_add(&writing->rows, first->month, LINE_COLUMNS);
	size_t size;
	void *packed = lines_pack(writing->packer, writing->lines, writing->line_count, &size);

	if (!row || !packed) {
		free(packed);
		return out_of_memory(err);
	}
	writing->packs[writing->pack_count++] = packed;
	writing->line_count = 0;
	row[LINE_AT_CLUSTER] = database_int(first->cluster);
	row[LINE_AT_JOBS] = database_int(LINE_JOBS(first->owner.job_id));
	row[LINE_AT_ID] = database_int(first->owner.job_id);
	row[LINE_AT_ATTEMPT] = database_int(first->owner.attempt);
	row[LINE_AT_SUBMIT] = database_int(first->owner.submit);
	row[LINE_AT_USER] = word_value(first->user);
	row[LINE_AT_ACCOUNT] = word_value(first->account);
	row[LINE_AT_LINES] = (struct database_value){ .kind = VALUE_BYTES, .data = packed, .size = size };
	return 0;
}

/* Makes the row of the jobs from @first to before @end. The splits of their lines take much memory, and go. */
static int write_row(struct writing *writing, struct database *db, const struct line_rows_job *first, const struct line_rows_job *end,
		     struct error *err)
{
	int result = finish_row(writing, first, err);

	forget_splits(first, end);
	return result == 0 && writing->pack_count == PACKS_MAX ? insert(writing, db, err) : result;
}

static int write_rows(struct writing *writing, struct database *db, const struct line_rows_job *jobs, size_t count, struct error *err)
{
	const struct line_rows_job *first = jobs;

	for (size_t i = 0; i < count; i++) {
		const struct line_rows_job *job = &jobs[i];

		if (i && !is_same_job(job, &job[-1]) &&
		    (!may_share_row(first, job) || writing->line_count + job->count > ROW_LINES)) {
			if (write_row(writing, db, first, job, err) < 0)
				return -1;
			first = job;
		}
		if (add_lines(writing, job, err) < 0)
			return -1;
	}
	if (count && write_row(writing, db, first, jobs + count, err) < 0)
		return -1;
	return insert(writing, db, err);
}

int line_rows_write(struct database *db, struct line_packer *packer, struct line_rows_job *jobs, size_t count,
		    struct error *err)
{
	struct writing writing = { .packer = packer };
	int result;

	if (count)
		qsort(jobs, count, sizeof(*jobs), by_key);
	result = write_rows(&writing, db, jobs, count, err);
	forget_packs(&writing);
	free(writing.lines);
	table_rows_free(&writing.rows);
	return result;
}

/* ---- reading ---- */

struct search {
	const struct line_rows_key *key;
	struct line_packer *packer;
	line_rows_each *each;
	void *context;
};

static bool is_wanted(void *context, const struct line_owner *owner)
{
	const struct search *search = context;

	return same_owner(owner, &search->key->owner);
}

static int pass_line(void *context, const struct line_owner *owner, const char *text, size_t length, struct error *err)
{
	const struct search *search = context;

	return is_wanted(context, owner) ? search->each(search->context, text, length, err) : 0;
}

static int read_row(void *context, const struct database_value *row, struct error *err)
{
	const struct search *search = context;
	const struct lines_reading reading = { is_wanted, pass_line, context };

	if (row[LINE_AT_ID].number > search->key->owner.job_id) /* the first job of a row has the lowest id */
		return 0;
	return lines_unpack(search->packer, row[LINE_AT_LINES].data, row[LINE_AT_LINES].size, &reading, err);
}

int line_rows_find(struct database *db, struct line_packer *packer, const struct line_rows_key *key, line_rows_each *each,
		   void *context, struct error *err)
{
	const struct database_value values[LINE_FOUND_BY] = { database_int(key->cluster),
							      database_int(LINE_JOBS(key->owner.job_id)) };
	struct search search = { key, packer, each, context };

	return database_find(db, &table_line, key->month, LINE_FOUND_BY, values, 1, read_row, &search, err);
}
