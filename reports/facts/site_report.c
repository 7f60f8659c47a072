/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_report.h"

#include <stdlib.h>

#include "reports/facts/job_lines.h"
#include "reports/facts/line_pack.h"
#include "reports/facts/site_tables.h"
#include "reports/store/store_line.h"

struct search {
	int64_t job_id, cluster, submit, attempt; /* the latest so far */
	int month; /* 0: none was found */
	struct database *db;
	struct line_packer *packer;
	const struct rules *rules;
	struct job_line **lines;
	size_t count;
	int64_t clusters; /* how many there are */
};

static int64_t moment(int64_t submit)
{
	return submit < 0 ? -submit : submit;
}

static int read_place(void *context, const struct database_value *row, struct error *err)
{
	struct search *search = context;
	bool later = moment(row[3].number) > moment(search->submit) ||
		     (row[3].number == search->submit && row[2].number > search->attempt);

	(void)err;
	if (!search->month || later) {
		search->cluster = row[0].number;
		search->attempt = row[2].number;
		search->submit = row[3].number;
		search->month = (int)row[4].number;
	}
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

static int find_place(struct search *search, struct error *err)
{
	if (database_scan(search->db, &table_cluster, 0, read_cluster, search, err) < 0)
		return -1;
	for (int64_t cluster = 1; cluster <= search->clusters; cluster++) {
		const struct database_value key[] = { database_int(cluster), database_int(search->job_id) };

		if (database_find(search->db, &table_place, 0, 2, key, 1, read_place, search, err) < 0)
			return -1;
	}
	return search->month ? 0 : error_set(err, "the store has no job %lld", (long long)search->job_id);
}

static int read_node(void *context, const struct database_value *row, struct error *err)
{
	struct search *search = context;
	struct job_line **more = reallocarray(search->lines, search->count + 1, sizeof(*more)), *line = calloc(1, sizeof(*line));

	if (more)
		search->lines = more;
	if (!more || !line) {
		free(line);
		return error_set(err, "out of memory");
	}
	more[search->count++] = line;
	line->owned = true;
	line->text = line_unpack(search->packer, row[NODE_AT_LINE].data, row[NODE_AT_LINE].size, &line->length, err);
	return line->text ? job_line_read(line, "a line of the database", search->rules, err) : -1;
}

static struct json_object *make(struct search *search, struct error *err)
{
	const struct database_value key[] = { database_int(search->cluster), database_int(search->job_id),
					      database_int(search->submit), database_int(search->attempt) };
	struct json_object *report = NULL;
	struct job_lines *jobs;
	int count;

	if (database_find(search->db, &table_job_node, search->month, JOB_KEY_COLUMNS, key, 1, read_node, search, err) < 0)
		return NULL;
	count = job_lines_split(search->lines, search->count, &jobs, err);
	if (count == 0)
		error_set(err, "the store no longer has the lines of job %lld", (long long)search->job_id);
	else if (count > 0)
		report = job_lines_report(&jobs[0], search->rules, err);
	if (count >= 0)
		job_lines_free(jobs, count);
	if (report)
		store_line_finish_report(report);
	return report;
}

struct json_object *site_report(struct database *db, int64_t job_id, const struct rules *rules, struct error *err)
{
	struct search search = { .job_id = job_id, .db = db, .rules = rules, .packer = line_packer_new() };
	struct json_object *report = NULL;

	if (!search.packer)
		error_set(err, "out of memory");
	else if (find_place(&search, err) == 0)
		report = make(&search, err);
	for (size_t i = 0; i < search.count; i++) {
		job_line_free(search.lines[i]);
		free(search.lines[i]);
	}
	free(search.lines);
	line_packer_free(search.packer);
	return report;
}
