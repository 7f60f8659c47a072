/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/memory/array.h"
#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/line_rows.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/words.h"
#include "reports/lines/line_pack.h"
#include "reports/model/report_make.h"
#include "reports/site/coverage.h"
#include "reports/store/store_line.h"

#define LATER_IDS_FIRST 1024
#define ATTEMPT_TEXT 40

/* The latest job of a cluster that fits the question. */
struct found {
	int64_t cluster, job_id, submit, attempt;
	int month;
};

struct search {
	const struct site_question *question;
	struct found *found;
	size_t found_count;
	struct words words;
	struct database *db;
	struct line_packer *packer;
	const struct rules *rules;
	struct job_line **lines;
	size_t count;
	int64_t clusters; /* the highest number that a cluster has */
	int month; /* the month that is being read */
};

static int64_t moment(int64_t submit)
{
	return submit < 0 ? -submit : submit;
}

/* ---- which job ---- */

static int read_job(void *context, const struct database_value *row, struct error *err)
{
	struct search *search = context;
	const struct found one = { row[JOB_AT_CLUSTER].number, row[JOB_AT_ID].number, row[JOB_AT_SUBMIT].number,
				   row[JOB_AT_ATTEMPT].number, search->month };
	struct found *of = NULL;

	if (search->question->attempt && one.attempt != search->question->attempt)
		return 0;
	for (size_t i = 0; i < search->found_count; i++)
		if (search->found[i].cluster == one.cluster)
			of = &search->found[i];
	if (of) {
		if (moment(one.submit) > moment(of->submit) || (one.submit == of->submit && one.attempt > of->attempt))
			*of = one;
		return 0;
	}
	if (!array_room(&search->found, search->found_count, sizeof(*search->found)))
		return error_set(err, "out of memory");
	search->found[search->found_count++] = one;
	return 0;
}

static int read_cluster(void *context, const struct database_value *row, struct error *err)
{
	struct search *search = context;

	(void)err;
	if (row[1].number > search->clusters)
		search->clusters = row[1].number;
	return 0;
}

/* Reads each row, because no index has the ids of arrays and of heterogeneous jobs. */
static int read_later(void *context, const struct database_value *row, struct error *err)
{
	const struct search *search = context;
	const struct site_question *job = search->question;
	struct fact fact;
	int result = fact_from_job(&fact, row, err);
	bool is_it = result == 0 && (job->task >= 0 ? fact.row.array_id == job->id && fact.row.array_task == job->task
						     : fact.row.het_id == job->id && fact.row.het_offset == job->offset);

	fact_free(&fact);
	return is_it ? read_job(context, row, err) : result;
}

/* Reads the jobs from @from up to @until. Searches all months, because readers cannot read the table "place". */
static int read_ids(struct search *search, int64_t cluster, int64_t from, int64_t until, database_each *each,
		    struct error *err)
{
	for (const int *month = database_months(search->db, &table_job); *month; month++) {
		search->month = *month;
		if (database_span(search->db, &table_job, *month, cluster, from, until, each, search, err) < 0)
			return -1;
	}
	return 0;
}

/*
 * Finds a task of an array, or a component of a heterogeneous job. Their ids are usually close to the first id of the
 * array or job.
 */
static int find_later(struct search *search, int64_t cluster, struct error *err)
{
	int64_t first = search->question->id, from = 0;
	size_t before = search->found_count;

	for (int64_t until = LATER_IDS_FIRST; until <= SITE_LATER_IDS && search->found_count == before; until *= 2) {
		if (read_ids(search, cluster, first + from, first + until, read_later, err) < 0)
			return -1;
		from = until;
	}
	return 0;
}

static int find_jobs(struct search *search, struct error *err)
{
	const struct site_question *job = search->question;
	int result = 0;

	if (database_scan(search->db, &table_cluster, 0, read_cluster, search, err) < 0 ||
	    words_read(&search->words, search->db, 0, err) < 0)
		return -1;
	for (int64_t cluster = 1; result == 0 && cluster <= search->clusters; cluster++)
		result = job->task >= 0 || job->offset >= 0
				 ? find_later(search, cluster, err)
				 : read_ids(search, cluster, job->id, job->id + 1, read_job, err);
	return result;
}

static const char *name_of(struct search *search, const struct found *found)
{
	const char *name = words_get(&search->words, found->cluster, NAME_KINDS, found->cluster);

	return name ? name : "?";
}

static const struct found *with_name(struct search *search, const char *cluster)
{
	for (size_t i = 0; cluster && i < search->found_count; i++)
		/* Slurm stores clusters in lower case */
		if (strcasecmp(name_of(search, &search->found[i]), cluster) == 0)
			return &search->found[i];
	return NULL;
}

static void name_clusters(struct search *search, struct error *err)
{
	char names[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < search->found_count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
					 name_of(search, &search->found[i]));
	error_set(err, "several clusters have a job %.64s: %s. Choose one with --cluster=NAME",
		  search->question->name, names);
}

static const char *attempt_text(const struct site_question *question, char text[ATTEMPT_TEXT])
{
	snprintf(text, ATTEMPT_TEXT, "attempt %lld of ", (long long)question->attempt);
	return question->attempt ? text : "";
}

/* ---- a job without a record ---- */

struct without {
	int64_t submit, reason;
	bool found;
};

static int read_missing(void *context, const struct database_value *row, struct error *err)
{
	struct without *without = context;
	const int64_t submit = row[2].number;

	(void)err;
	if (without->found && submit < without->submit)
		return 0;
	*without = (struct without){ submit, row[MISSING_AT_REASON].number, true };
	return 0;
}

/*
 * Returns whether Slurm knows a job without a record, and sets @err to the reason. A row of "missing" has only the
 * job's own id, so this does not find a task of an array or a component of a heterogeneous job by the id of the whole.
 */
static bool explain(struct search *search, const char *cluster, struct error *err)
{
	struct without without = { 0 };
	const struct site_question *job = search->question;
	struct error unread;

	if (job->attempt || job->task >= 0 || job->offset >= 0)
		return false;
	for (const int *month = database_months(search->db, &table_missing); *month; month++)
		for (int64_t id = 1; id <= search->clusters; id++) {
			const struct database_value key[] = { database_int(id), database_int(job->id) };
			const char *name = words_get(&search->words, id, NAME_KINDS, id);

			if (!cluster || (name && strcasecmp(name, cluster) == 0))
				database_find(search->db, &table_missing, *month, 2, key, 1, read_missing, &without, &unread);
		}
	if (without.found)
		error_set(err, "Slurm knows job %.64s, but the store has no record of it: %s", job->name,
			  coverage_reason((enum missing_reason)without.reason));
	return without.found;
}

/*
 * Returns the found job that the question asks for. Returns NULL with @err set if there is no such job, or if several
 * clusters have such a job.
 */
static const struct found *choose(struct search *search, struct site_question *question, struct error *err)
{
	const char *cluster = question->cluster;
	char attempt[ATTEMPT_TEXT];
	const struct found *found = cluster                    ? with_name(search, cluster)
				    : search->found_count == 1 ? search->found
							       : with_name(search, question->local);

	if (found)
		return found;
	if (!cluster && search->found_count) {
		question->lack = SITE_SEVERAL;
		name_clusters(search, err);
		return NULL;
	}
	if (explain(search, cluster, err)) {
		question->lack = SITE_NO_RECORD;
		return NULL;
	}
	question->lack = SITE_NO_JOB;
	error_set(err, "the store has no %sjob %.64s%s%.100s that you may see", attempt_text(question, attempt), question->name,
		  cluster && search->found_count ? " of the cluster " : "", cluster && search->found_count ? cluster : "");
	return NULL;
}

/* ---- its report ---- */

static int read_line(void *context, const char *text, size_t length, struct error *err)
{
	struct search *search = context;
	struct job_line *line = calloc(1, sizeof(*line));

	if (!line || !array_room(&search->lines, search->count, sizeof(*search->lines))) {
		free(line);
		return error_set(err, "out of memory");
	}
	search->lines[search->count++] = line;
	if (job_line_keep(line, text, length) < 0)
		return error_set(err, "out of memory");
	return job_line_read(line, "a line of the database", search->rules, err);
}

static struct report *make(struct search *search, const struct found *found, struct error *err)
{
	const struct line_rows_key key = { found->month, found->cluster, { found->job_id, found->attempt, found->submit } };
	struct report *report = NULL;
	struct job_lines *jobs;
	int count;

	if (line_rows_find(search->db, search->packer, &key, read_line, search, err) < 0)
		return NULL;
	count = job_lines_split(search->lines, search->count, &jobs, err);
	if (count == 0)
		error_set(err, "the store no longer has the lines of job %.64s", search->question->name);
	else if (count > 0)
		report = job_lines_report(&jobs[0], search->rules, err);
	if (count >= 0)
		job_lines_free(jobs, count);
	if (!report)
		return NULL;
	store_line_finish_report(report);
	if (!report_lacks_memory(report))
		return report;
	report_free(report);
	error_set(err, "out of memory");
	return NULL;
}

struct report *site_report(struct database *db, struct site_question *question, const struct rules *rules,
			   struct error *err)
{
	struct search search = { .question = question, .db = db, .rules = rules, .packer = line_packer_new() };
	const struct found *found = NULL;
	struct report *report;

	if (!search.packer)
		error_set(err, "out of memory");
	else if (find_jobs(&search, err) == 0)
		found = choose(&search, question, err);
	report = found ? make(&search, found, err) : NULL;
	for (size_t i = 0; i < search.count; i++) {
		job_line_free(search.lines[i]);
		free(search.lines[i]);
	}
	free(search.lines);
	free(search.found);
	words_free(&search.words);
	line_packer_free(search.packer);
	return report;
}
