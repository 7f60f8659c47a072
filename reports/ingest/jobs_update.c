/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/jobs_update.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/facts/fact.h"
#include "reports/facts/map.h"
#include "reports/facts/rollup.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/table_rows.h"

/* A job as the tables have it. */
struct old_job {
	struct fact fact;
	int month;
	size_t line_count;
	bool dropped; /* it goes, or is written anew */
};

/* A cluster's job id and attempt: all jobs that have had it. */
struct work {
	int64_t cluster, job_id, attempt;
	struct job_line **lines; /* new ones, and then those of the tables */
	size_t count;
	struct old_job *old;
	size_t old_count;
	struct job_lines *jobs; /* what the lines make */
	int job_count;
};

struct new_job {
	struct fact fact;
	int month;
	struct job_lines *lines;
};

struct run {
	struct jobs_update *update;
	struct map by_id, by_key; /* of works; of old jobs: number is the place in its work + 1 */
	struct new_job *new;
	size_t new_count, new_room;
};

/* ---- lists ---- */

/* Makes room for one more in a list whose room is the next power of 2. Returns false when memory is short. */
static bool more(void *list, size_t count, size_t size)
{
	void *now, *bigger;

	if (count & (count - 1))
		return true;
	memcpy(&now, list, sizeof(now));
	bigger = reallocarray(now, count ? 2 * count : 1, size);
	if (bigger)
		memcpy(list, &bigger, sizeof(bigger));
	return bigger;
}

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
	if (!more(&work->lines, work->count, sizeof(struct job_line *)))
		return error_set(err, "out of memory");
	work->lines[work->count++] = line;
	return 0;
}

static int out_of_memory(struct error *err)
{
	return error_set(err, "out of memory");
}

/* ---- what the tables have ---- */

static int read_place(void *context, const struct database_value *row, struct error *err)
{
	struct run *run = context;
	struct work *work = work_of(run, row[0].number, row[1].number, row[2].number);
	const int64_t key[] = { row[0].number, row[1].number, row[3].number, row[2].number };
	struct map_entry *entry = map_get(&run->by_key, key, sizeof(key));

	if (!work || !entry || !more(&work->old, work->old_count, sizeof(*work->old)))
		return out_of_memory(err);
	work->old[work->old_count] = (struct old_job){ .month = (int)row[4].number };
	work->old[work->old_count].fact.submit = row[3].number;
	entry->data = work;
	entry->number = (int64_t)++work->old_count;
	return 0;
}

/* The old job whose key a row begins with. */
static struct old_job *old_of(struct run *run, const struct database_value *row, struct work **work)
{
	const int64_t key[] = { row[0].number, row[1].number, row[2].number, row[3].number };
	struct map_entry *entry = map_get(&run->by_key, key, sizeof(key));

	*work = entry ? entry->data : NULL;
	return *work ? &(*work)->old[entry->number - 1] : NULL;
}

static int read_job(void *context, const struct database_value *row, struct error *err)
{
	struct work *work;
	struct old_job *old = old_of(context, row, &work);

	return old ? fact_from_job(&old->fact, row, err) : out_of_memory(err);
}

static int read_tool(void *context, const struct database_value *row, struct error *err)
{
	struct work *work;
	struct old_job *old = old_of(context, row, &work);

	return old ? fact_add_tool(&old->fact, row, err) : out_of_memory(err);
}

static int take_stored(struct run *run, struct work *work, const struct database_value *value, struct error *err)
{
	struct job_line *line = calloc(1, sizeof(*line));

	if (!line)
		return out_of_memory(err);
	line->owned = line->stored = true;
	if (add_line(work, line, err) < 0) {
		free(line);
		return -1;
	}
	line->text = line_unpack(run->update->packer, value->data, value->size, &line->length, err);
	if (!line->text || job_line_read(line, "a line of the database", run->update->rules, err) < 0)
		return -1;
	line->packed = malloc(value->size);
	if (!line->packed)
		return out_of_memory(err);
	memcpy(line->packed, value->data, value->size);
	line->packed_size = value->size;
	return 0;
}

static int read_node(void *context, const struct database_value *row, struct error *err)
{
	struct work *work;
	struct old_job *old = old_of(context, row, &work);

	if (!old)
		return out_of_memory(err);
	old->line_count++;
	return fact_add_node(&old->fact, row, err) < 0 ? -1 : take_stored(context, work, &row[NODE_AT_LINE], err);
}

static int find_places(struct run *run, struct error *err)
{
	cleanup_free struct database_value *keys = calloc(run->by_id.count + 1, 3 * sizeof(*keys));

	if (!keys)
		return out_of_memory(err);
	for (size_t i = 0; i < run->by_id.count; i++) {
		keys[3 * i] = database_int(work_at(run, i)->cluster);
		keys[3 * i + 1] = database_int(work_at(run, i)->job_id);
		keys[3 * i + 2] = database_int(work_at(run, i)->attempt);
	}
	return database_find(run->update->db, &table_place, 0, 3, keys, run->by_id.count, read_place, run, err);
}

static bool put_job_key(struct table_rows *keys, int month, int64_t cluster, int64_t job_id, int64_t submit,
			int64_t attempt)
{
	struct database_value *key = table_rows_add(keys, month, JOB_KEY_COLUMNS);

	if (!key)
		return false;
	key[0] = database_int(cluster);
	key[1] = database_int(job_id);
	key[2] = database_int(submit);
	key[3] = database_int(attempt);
	return true;
}

static int find_old(struct run *run, struct error *err)
{
	struct database *db = run->update->db;
	struct table_rows keys = { 0 };
	int result = find_places(run, err);

	for (size_t i = 0; result == 0 && i < run->by_id.count; i++) {
		const struct work *work = work_at(run, i);

		for (size_t k = 0; result == 0 && k < work->old_count; k++)
			if (!put_job_key(&keys, work->old[k].month, work->cluster, work->job_id,
					 work->old[k].fact.submit, work->attempt))
				result = out_of_memory(err);
	}
	if (result == 0 && keys.count &&
	    (table_rows_find(&keys, db, &table_job, read_job, run, err) < 0 ||
	     table_rows_find(&keys, db, &table_job_tool, read_tool, run, err) < 0 ||
	     table_rows_find(&keys, db, &table_job_node, read_node, run, err) < 0))
		result = -1;
	table_rows_free(&keys);
	return result;
}

/* ---- what becomes of it ---- */

static struct old_job *old_with(const struct work *work, int64_t submit)
{
	for (size_t i = 0; i < work->old_count; i++)
		if (work->old[i].fact.submit == submit)
			return &work->old[i];
	return NULL;
}

/* Whether the job has just the lines that the tables have of it. */
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

	if (!more(&run->new, run->new_count, sizeof(*run->new)))
		return out_of_memory(err);
	new = &run->new[run->new_count++];
	*new = (struct new_job){ .lines = job, .month = job_lines_month(job->submit) };
	new->fact = (struct fact){
		.cluster = work->cluster, .job_id = work->job_id, .submit = job->submit, .attempt = work->attempt
	};
	if (job_lines_row(job, run->update->rules, &new->fact.row, err) < 0)
		return -1;
	for (size_t i = 0; i < job->count; i++)
		if (names_want(run->update->names, work->cluster, NAME_NODE, job->list[i]->node, err) < 0)
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
	const struct fact *one = &((const struct new_job *)a)->fact, *other = &((const struct new_job *)b)->fact;
	int result = order(one->cluster, other->cluster);

	if (!result)
		result = order(one->job_id, other->job_id);
	if (!result)
		result = order(one->submit, other->submit);
	return result ? result : order(one->attempt, other->attempt);
}

static int erase_old(struct run *run, struct rollup *rollup, struct error *err)
{
	struct database *db = run->update->db;
	struct table_rows keys = { 0 }, places = { 0 };
	int result = 0;

	for (size_t i = 0; result == 0 && i < run->by_id.count; i++) {
		const struct work *work = work_at(run, i);

		for (size_t k = 0; result == 0 && k < work->old_count; k++) {
			const struct old_job *old = &work->old[k];

			if (!old->dropped)
				continue;
			if (!put_job_key(&keys, old->month, work->cluster, work->job_id, old->fact.submit, work->attempt) ||
			    !put_job_key(&places, 0, work->cluster, work->job_id, work->attempt, old->fact.submit))
				result = out_of_memory(err);
			else
				result = rollup_add(rollup, &old->fact, -1, err);
		}
	}
	if (result == 0 && keys.count &&
	    (table_rows_erase(&places, db, &table_place, err) < 0 || table_rows_erase(&keys, db, &table_job, err) < 0 ||
	     table_rows_erase(&keys, db, &table_job_tool, err) < 0 || table_rows_erase(&keys, db, &table_job_node, err) < 0))
		result = -1;
	table_rows_free(&keys);
	table_rows_free(&places);
	return result;
}

static bool put_node(const struct new_job *new, const struct job_line *line, struct names *names,
		     struct table_rows *rows)
{
	const struct fact *fact = &new->fact;
	struct database_value *row = table_rows_add(rows, new->month, NODE_COLUMNS);
	int64_t id = names_id(names, fact->cluster, NAME_NODE, line->node);
	struct job_row_node none = { NULL, true, JOB_UNKNOWN, JOB_UNKNOWN, JOB_UNKNOWN, JOB_UNKNOWN };
	const struct job_row_node *node = &none;

	if (!row)
		return false;
	for (size_t i = 0; i < fact->row.node_count; i++)
		if (fact->nodes[i] == id)
			node = &fact->row.nodes[i];
	row[0] = database_int(fact->cluster);
	row[1] = database_int(fact->job_id);
	row[2] = database_int(fact->submit);
	row[3] = database_int(fact->attempt);
	row[NODE_AT_NODE] = database_int(id);
	row[NODE_AT_REVISION] = database_int(line->revision);
	row[NODE_AT_CPU_GIVEN] = database_count(node->cpu_given_core_ms);
	row[NODE_AT_CPU_USED] = database_count(node->cpu_used_core_ms);
	row[NODE_AT_MEM_GIVEN] = database_count(node->mem_given_mib_s);
	row[NODE_AT_MEM_USED] = database_count(node->mem_used_mib_s);
	row[NODE_AT_LINE] = (struct database_value){ .kind = VALUE_BYTES, .data = line->packed, .size = line->packed_size };
	return true;
}

struct writing {
	struct table_rows places, jobs, tools, nodes;
	struct table_rows found; /* keys of what was missing */
};

/* What slurmdbd says was compared with what had come until then. */
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

static bool put_all(const struct new_job *new, struct names *names, struct writing *writing)
{
	const struct fact *fact = &new->fact;
	struct database_value *row = table_rows_add(&writing->jobs, new->month, JOB_COLUMNS), *place;

	if (!row)
		return false;
	fact_put_job(fact, row);
	place = table_rows_add(&writing->places, 0, JOB_KEY_COLUMNS + 1);
	if (!place || !put_found(fact, &writing->found))
		return false;
	place[0] = database_int(fact->cluster);
	place[1] = database_int(fact->job_id);
	place[2] = database_int(fact->attempt);
	place[3] = database_int(fact->submit);
	place[4] = database_int(new->month);
	for (size_t i = 0; i < fact->row.tool_count; i++) {
		row = table_rows_add(&writing->tools, new->month, TOOL_COLUMNS);
		if (!row)
			return false;
		fact_put_tool(fact, i, row);
	}
	for (size_t i = 0; i < new->lines->count; i++)
		if (!put_node(new, new->lines->list[i], names, &writing->nodes))
			return false;
	return true;
}

static int insert_new(struct run *run, struct rollup *rollup, struct error *err)
{
	struct jobs_update *update = run->update;
	struct writing writing = { 0 };
	int result = names_resolve(update->names, update->db, err);

	/* As the tables have them: neighbours go to one page of it, and most jobs are newer than those before. */
	if (run->new_count)
		qsort(run->new, run->new_count, sizeof(*run->new), by_key);
	for (size_t i = 0; result == 0 && i < run->new_count; i++) {
		struct new_job *new = &run->new[i];

		result = fact_take_names(&new->fact, update->names, err);
		if (result == 0 && !put_all(new, update->names, &writing))
			result = out_of_memory(err);
		if (result == 0)
			result = rollup_add(rollup, &new->fact, 1, err);
	}
	if (result == 0 && (table_rows_erase(&writing.found, update->db, &table_missing, err) < 0 ||
			    table_rows_insert(&writing.places, update->db, &table_place, err) < 0 ||
			    table_rows_insert(&writing.jobs, update->db, &table_job, err) < 0 ||
			    table_rows_insert(&writing.tools, update->db, &table_job_tool, err) < 0 ||
			    table_rows_insert(&writing.nodes, update->db, &table_job_node, err) < 0))
		result = -1;
	update->jobs += (int64_t)run->new_count;
	table_rows_free(&writing.places);
	table_rows_free(&writing.jobs);
	table_rows_free(&writing.tools);
	table_rows_free(&writing.nodes);
	table_rows_free(&writing.found);
	return result;
}

static void free_work(struct work *work)
{
	for (size_t i = 0; i < work->count; i++)
		if (work->lines[i]->stored) {
			job_line_free(work->lines[i]);
			free(work->lines[i]);
		}
	for (size_t i = 0; i < work->old_count; i++)
		fact_free(&work->old[i].fact);
	job_lines_free(work->jobs, work->job_count);
	free(work->lines);
	free(work->old);
	free(work);
}

static void free_run(struct run *run)
{
	for (size_t i = 0; i < run->new_count; i++)
		fact_free(&run->new[i].fact);
	free(run->new);
	for (size_t i = 0; i < run->by_id.count; i++)
		if (run->by_id.list[i].data)
			free_work(run->by_id.list[i].data);
	map_free(&run->by_id);
	map_free(&run->by_key);
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
