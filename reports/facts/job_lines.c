/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/job_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/memory/memory_quick.h"
#include "common/time_text.h"
#include "reports/builder/build_report.h"
#include "reports/facts/node_list.h"
#include "reports/records/record_parts.h"
#include "reports/store/store_line.h"

#define SECONDS_MAX INT64_C(253402300800) /* the year 10000 */

/* ---- reports ---- */

static const char no_line[] = "the store has no line of this node";

/* Returns the job's nodes that have no line. Sets @missing to their number. */
static struct build_missing *find_missing(char **nodes, size_t node_count, const struct record *const *records,
					  size_t count, size_t *missing)
{
	struct build_missing *list = calloc(node_count + 1, sizeof(*list));

	*missing = 0;
	for (size_t n = 0; list && n < node_count; n++) {
		size_t i = 0;

		while (i < count && strcmp(record_node(records[i]), nodes[n]) != 0)
			i++;
		if (i == count)
			list[(*missing)++] = (struct build_missing){ nodes[n], no_line };
	}
	return list;
}

/*
 * Like find_missing(), for a job whose list of nodes was cut. The nodes' names are "?", because only the count is
 * known.
 */
static struct build_missing *count_missing(const struct record_slurm_job *slurm, size_t count, size_t *missing)
{
	struct build_missing *list;
	int64_t nodes = slurm->nodes;

	*missing = nodes > (int64_t)count && nodes <= NODE_LIST_MAX ? (size_t)nodes - count : 0;
	list = calloc(*missing + 1, sizeof(*list));
	for (size_t i = 0; list && i < *missing; i++)
		list[i] = (struct build_missing){ "?", no_line };
	return list;
}

static const char *nodes_of(const struct record *record, const struct record_slurm_job *slurm)
{
	return record->node_list ? record->node_list : slurm->node_list;
}

/* @slurm: slurm->known is false if no line has Slurm's answer */
static struct report *build(const struct record *const *records, size_t count, const struct record_slurm_job *slurm,
			    int64_t closed, const struct rules *rules, struct facts *for_row)
{
	struct build_input input = {
		.records = records, .record_count = count, .slurm = slurm->known ? slurm : NULL, .rules = rules, .for_row = for_row
	};
	struct build_missing *missing;
	struct report *report;
	size_t node_count;
	char **nodes = node_list_expand(nodes_of(records[0], slurm), &node_count);

	missing = nodes ? find_missing(nodes, node_count, records, count, &input.missing_count)
			: count_missing(slurm, count, &input.missing_count);
	input.missing = missing;
	input.slurm_reason = "the store does not have Slurm's answer";
	input.now_unix_ns = closed * NS_PER_S;
	report = missing ? build_report(&input) : NULL;
	free(missing);
	node_list_free(nodes, node_count);
	return report;
}

/* ---- one line ---- */

static int64_t seconds_of(int64_t ns)
{
	return ns < 0 ? 0 : ns / NS_PER_S;
}

static bool alone(const struct job_line *line, const struct store_line *read)
{
	const struct record_slurm_job *slurm = &read->record->slurm_job;

	return slurm->known && report_text_is(nodes_of(read->record, slurm), line->node);
}

static int make_row(struct job_line *line, const struct record *record, const struct rules *rules, struct error *err)
{
	cleanup_report struct report *report = NULL;
	struct facts facts;

	memory_quick(true);
	report = build(&record, 1, &record->slurm_job, line->closed, rules, &facts);
	memory_quick(false); /* the row stays */
	line->row = report ? calloc(1, sizeof(*line->row)) : NULL;
	if (!line->row) {
		errno = ENOMEM;
		return error_set(err, "out of memory");
	}
	return job_row_from_facts(&facts, line->row, err);
}

static int take_fields(struct job_line *line, const struct store_line *read, const struct rules *rules, struct error *err)
{
	const struct record *record = read->record;
	const char *cluster = record->identity.cluster;

	line->job_id = read->identity.job_id;
	line->attempt = read->identity.attempt;
	if (line->attempt > INT32_MAX)
		return error_set(err, "the job's attempt is not a valid number"); /* the tables cannot store it */
	line->revision = read->revision;
	line->amended = read->amended;
	line->opened = seconds_of(record->opened_unix_ns);
	line->closed = seconds_of(record->collector.closed_unix_ns);
	if (line->closed < line->opened)
		line->closed = line->opened;
	line->submit = SUBMIT_UNKNOWN;
	if (take_count(record->slurm_job.submit_unix_s, &line->submit) && (line->submit <= 0 || line->submit >= SECONDS_MAX))
		line->submit = SUBMIT_UNKNOWN;
	line->cluster = strdup(cluster ? cluster : "");
	line->node = strdup(read->identity.node);
	if (!line->cluster || !line->node) {
		errno = ENOMEM;
		return error_set(err, "out of memory");
	}
	return alone(line, read) ? make_row(line, record, rules, err) : 0;
}

int job_line_keep(struct job_line *line, const char *text, size_t length)
{
	line->text = malloc(length + 1); /* a damaged line may have a NUL, so strndup() could copy less than @length */
	if (!line->text)
		return -1;
	memcpy(line->text, text, length);
	line->text[length] = '\0';
	line->length = length;
	line->owned = true;
	return 0;
}

int job_line_read(struct job_line *line, const char *name, const struct rules *rules, struct error *err)
{
	struct store_line read;
	int result, saved;

	memory_quick(true);
	result = store_line_read(line->text, line->length, name, &read, err);
	saved = errno;
	memory_quick(false);
	errno = saved;
	if (result < 0)
		return -1;
	errno = EBADMSG;
	result = take_fields(line, &read, rules, err);
	saved = errno;
	store_line_free(&read);
	errno = saved;
	return result;
}

void job_line_free(struct job_line *line)
{
	if (line->row)
		job_row_free(line->row);
	free(line->row);
	free(line->split);
	free(line->cluster);
	free(line->node);
	if (line->owned)
		free(line->text);
	*line = (struct job_line){ 0 };
}

/* ---- which lines are one job ---- */

static int order(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/*
 * Lines with a submit time come first, sorted by this time. Lines without a submit time are sorted by the time when the
 * job began.
 */
static int by_job(const void *a, const void *b)
{
	const struct job_line *one = *(struct job_line *const *)a, *other = *(struct job_line *const *)b;
	int result = order(one->submit == SUBMIT_UNKNOWN, other->submit == SUBMIT_UNKNOWN);

	if (!result)
		result = order(one->submit, other->submit);
	if (!result)
		result = order(one->opened, other->opened);
	return result ? result : strcmp(one->node, other->node);
}

/*
 * By node. A node's highest revision comes first. Of lines with the same revision, the line that was amended last comes
 * first.
 */
static int by_node(const void *a, const void *b)
{
	const struct job_line *one = *(struct job_line *const *)a, *other = *(struct job_line *const *)b;
	int result = strcmp(one->node, other->node);

	if (!result)
		result = order(other->revision, one->revision);
	if (!result)
		result = order(other->amended, one->amended);
	if (!result)
		result = order((int64_t)one->length, (int64_t)other->length);
	return result ? result : memcmp(one->text, other->text, one->length);
}

struct span {
	int64_t from, to;
};

static struct span span_of(const struct job_lines *job)
{
	struct span span = { INT64_MAX, 0 };

	for (size_t i = 0; i < job->count; i++) {
		if (job->list[i]->opened < span.from)
			span.from = job->list[i]->opened;
		if (job->list[i]->closed > span.to)
			span.to = job->list[i]->closed;
	}
	return span;
}

/* Returns how many seconds @line and @span overlap. If they do not overlap, returns the negative time between them. */
static int64_t overlap(const struct job_line *line, const struct span *span)
{
	int64_t from = line->opened > span->from ? line->opened : span->from;

	return (line->closed < span->to ? line->closed : span->to) - from;
}

/*
 * Returns the job that overlaps most with @line; NULL if no job overlaps with it.
 *
 * @spans: the times of the jobs with a submit time
 */
static struct job_lines *find_job(struct job_lines *jobs, int count, const struct span *spans,
				  const struct job_line *line)
{
	struct job_lines *best = NULL;
	int64_t most = 0;

	for (int i = 0; i < count; i++)
		if (overlap(line, &spans[i]) >= most && (!best || overlap(line, &spans[i]) > most)) {
			best = &jobs[i];
			most = overlap(line, &spans[i]);
		}
	return best;
}

static void add_to(struct job_lines *job, struct job_line *line)
{
	job->list[job->count++] = line;
}

/* Keeps the first line of each node, in the order of by_node(). */
static void finish(struct job_lines *job)
{
	size_t kept = 0;

	qsort(job->list, job->count, sizeof(job->list[0]), by_node);
	for (size_t i = 0; i < job->count; i++)
		if (kept == 0 || strcmp(job->list[kept - 1]->node, job->list[i]->node) != 0)
			job->list[kept++] = job->list[i];
	job->count = kept;
}

static int begin_job(struct job_lines *jobs, int count, size_t room, int64_t submit)
{
	jobs[count] = (struct job_lines){ .list = calloc(room, sizeof(struct job_line *)), .submit = submit };
	return jobs[count].list ? count + 1 : -1;
}

static int split(struct job_line **lines, size_t count, struct job_lines *jobs, struct span *spans)
{
	int known, made = 0;
	size_t i = 0;

	for (; i < count && lines[i]->submit != SUBMIT_UNKNOWN; i++) {
		if ((made == 0 || jobs[made - 1].submit != lines[i]->submit) &&
		    (made = begin_job(jobs, made, count, lines[i]->submit)) < 0)
			return -1;
		add_to(&jobs[made - 1], lines[i]);
	}
	known = made;
	for (int k = 0; k < known; k++)
		spans[k] = span_of(&jobs[k]);
	for (; i < count; i++) {
		struct job_lines *job = find_job(jobs, known, spans, lines[i]);
		struct span last = made > known ? span_of(&jobs[made - 1]) : (struct span){ 0 };

		if (!job && made > known && overlap(lines[i], &last) >= 0)
			job = &jobs[made - 1];
		if (!job) {
			made = begin_job(jobs, made, count, -lines[i]->opened);
			if (made < 0)
				return -1;
			job = &jobs[made - 1];
		}
		add_to(job, lines[i]);
	}
	return made;
}

int job_lines_split(struct job_line **lines, size_t count, struct job_lines **jobs, struct error *err)
{
	cleanup_free struct span *spans = calloc(count + 1, sizeof(*spans));
	int made;

	*jobs = calloc(count + 1, sizeof(**jobs));
	if (!spans || !*jobs) {
		free(*jobs);
		*jobs = NULL;
		return error_set(err, "out of memory");
	}
	qsort(lines, count, sizeof(lines[0]), by_job);
	made = split(lines, count, *jobs, spans);
	if (made < 0) {
		job_lines_free(*jobs, (int)count);
		*jobs = NULL;
		return error_set(err, "out of memory");
	}
	for (int i = 0; i < made; i++)
		finish(&(*jobs)[i]);
	return made;
}

void job_lines_free(struct job_lines *jobs, int count)
{
	for (int i = 0; jobs && i < count; i++)
		free(jobs[i].list);
	free(jobs);
}

int job_lines_month(int64_t submit)
{
	time_t moment = (time_t)(submit < 0 ? -submit : submit);
	struct tm parts;

	if (!gmtime_r(&moment, &parts) || parts.tm_year > 8099)
		return 197001;
	return (parts.tm_year + 1900) * 100 + parts.tm_mon + 1;
}

int64_t job_lines_month_begin(int month)
{
	struct tm parts = { .tm_year = month / 100 - 1900, .tm_mon = month % 100 - 1, .tm_mday = 1 };

	return (int64_t)timegm(&parts);
}

/* ---- the job ---- */

/*
 * Returns the index of the line whose answer from Slurm counts: of the lines with an answer, the line with the highest
 * revision. Returns SIZE_MAX if no line has an answer.
 */
static size_t asked(const struct job_lines *job, const struct store_line *read)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < job->count; i++)
		if (read[i].record->slurm_job.known && (best == SIZE_MAX || read[i].revision > read[best].revision))
			best = i;
	return best;
}

/* Moves the record of @node, which ran the batch script, to the front. */
static void put_first(const struct record **records, size_t count, const char *node)
{
	for (size_t i = 0; node && i < count; i++)
		if (strcmp(record_node(records[i]), node) == 0) {
			const struct record *first = records[i];

			memmove(records + 1, records, i * sizeof(records[0]));
			records[0] = first;
			return;
		}
}

static struct report *report_of(const struct job_lines *job, struct store_line *read, const struct rules *rules,
				struct facts *for_row)
{
	cleanup_free const struct record **records = calloc(job->count, sizeof(*records));
	size_t best = asked(job, read);
	const struct record_slurm_job *slurm = slurm_job_or_unknown(best == SIZE_MAX ? NULL : &read[best].record->slurm_job);
	int64_t closed = 0;

	if (!records)
		return NULL;
	for (size_t i = 0; i < job->count; i++) {
		records[i] = read[i].record;
		if (job->list[i]->closed > closed)
			closed = job->list[i]->closed;
	}
	put_first(records, job->count, slurm->batch_host);
	return build(records, job->count, slurm, closed, rules, for_row);
}

static struct report *make_report(const struct job_lines *job, const struct rules *rules, struct facts *for_row,
				  struct error *err)
{
	cleanup_free struct store_line *read = calloc(job->count, sizeof(*read));
	struct report *report = NULL;
	size_t i = 0;

	if (!read) {
		error_set(err, "out of memory");
		return NULL;
	}
	for (; i < job->count; i++)
		if (store_line_read(job->list[i]->text, job->list[i]->length, job->list[i]->node, &read[i], err) < 0)
			break;
	if (i == job->count) {
		report = report_of(job, read, rules, for_row);
		if (!report)
			error_set(err, "out of memory");
	}
	for (size_t k = 0; k < i; k++)
		store_line_free(&read[k]);
	return report;
}

struct report *job_lines_report(const struct job_lines *job, const struct rules *rules, struct error *err)
{
	return make_report(job, rules, NULL, err);
}

/* Replaces unknown times by the nodes' times. Slurm no longer says when a requeued attempt ran. */
static void put_times(const struct job_lines *job, struct job_row *row)
{
	struct span span = span_of(job);

	if (row->running || !job->count)
		return;
	if (row->end_us < 0)
		row->end_us = span.to * US_PER_S;
	if (row->start_us < 0 && span.from * US_PER_S <= row->end_us)
		row->start_us = span.from * US_PER_S;
}

int job_lines_row(const struct job_lines *job, const struct rules *rules, struct job_row *row, struct error *err)
{
	cleanup_report struct report *report = NULL;
	struct facts facts;
	int result = 0;

	if (job->count == 1 && job->list[0]->row) {
		*row = *job->list[0]->row;
		free(job->list[0]->row);
		job->list[0]->row = NULL;
	} else {
		memory_quick(true);
		report = make_report(job, rules, &facts, err);
		memory_quick(false);
		result = report ? job_row_from_facts(&facts, row, err) : -1;
	}
	if (result == 0)
		put_times(job, row);
	return result;
}
