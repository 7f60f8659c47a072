/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/reconcile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/memory/map.h"
#include "common/time_text.h"
#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/job_places.h"
#include "reports/facts/names.h"
#include "reports/facts/node_list.h"
#include "reports/facts/table_rows.h"
#include "reports/groups/missing.h"
#include "reports/groups/moments.h"
#include "reports/ingest/access.h"
#include "reports/ingest/amend.h"
#include "reports/ingest/node_ledger.h"
#include "reports/ingest/retention.h"
#include "reports/json/plural.h"
#include "reports/lines/line_pack.h"
#include "reports/slurm/slurm_ended.h"
#include "reports/slurm/slurm_jobs.h"
#include "reports/terminal/progress_line.h"

#define WHO "stint ingest"
#define DAY_S INT64_C(86400)
#define FIRST_S (30 * DAY_S) /* how far to look back if the store has no jobs yet */
#define WINDOW_S INT64_C(3600) /* length of the first window, when it is not known yet how many jobs end in an hour */
#define SHORTEST_S 60
#define SKIPPED_MOST 10 /* if more successive shortest windows are skipped, Slurm does not answer at all */
#define FEW_JOBS 2000 /* if a window has fewer jobs, the next window is twice as long */
#define MANY_JOBS 20000 /* if a window has more jobs, the next window is half as long */
#define SLACK_US (2 * US_PER_S) /* two times may differ by this much, because Slurm's times are whole seconds */
#define NO_OVERLAP INT64_MIN
#define NAMES (NAME_STATE - NAME_USER + 1)
#define END_COLUMN MISSING_AT_END

/* A job that has ended in slurmdbd, and its record in the store. */
struct ended {
	int64_t job_id, submit, start_us, end_us, cpus, elapsed_ms; /* start_us is -1 if the job never started */
	const char *texts[NAMES + 1]; /* the job's words, and at last its name */
	const struct record_slurm_job *slurm;
	int64_t ids[NAMES];
	size_t next; /* index of the next job with the same id; 0 if there is no other */

	/* the job's record */
	int64_t overlap_us; /* for how long the job and its record overlap; NO_OVERLAP if the job has no record */
	int64_t key_submit, attempt, account, qos, state;
	int month;
};

/*
 * Successive shortest windows for which Slurm did not answer. When Slurm answers for a later window, the count begins
 * again, because Slurm is there.
 */
struct skipped {
	int64_t from_s, until_s;
	int count;
	struct error why; /* of the first */
};

struct window {
	struct reconcile *reconcile;
	struct database *db;
	struct names *names;
	struct node_ledger *ledger;
	struct amend *amend;
	int64_t cluster, since_s, until_s;
	struct slurm_answer *answer;
	struct ended *list; /* begins at index 1; its texts belong to @answer */
	size_t count;
	struct map by_id; /* keys are job ids; number is the index in @list of the first job with this id */
	struct table_rows keys, old, new;
	int oldest; /* the oldest month that the tables keep */
	int64_t requeued; /* number of the word "REQUEUED", which is a state */
	struct untold *untold;
	struct skipped *skipped; /* the skipped windows directly before this one */
};

/* ---- what Slurm says ---- */

static struct ended ended_of(const struct record_slurm_job *slurm)
{
	int64_t start = slurm->start_unix_s, submit = slurm->submit_unix_s;

	return (struct ended){
		.job_id = slurm->job_id,
		.submit = submit,
		.end_us = slurm->end_unix_s * US_PER_S,
		/* A job with nodes has started. An attempt that was requeued at once may have no start. */
		.start_us = !slurm->node_list ? -1 : (start > 0 ? start : submit) * US_PER_S,
		.cpus = slurm->cpus,
		.elapsed_ms = slurm->elapsed_s < 0 ? -1 : slurm->elapsed_s * 1000,
		.texts = { slurm->user, slurm->account, slurm->partition, slurm->qos, slurm->state, slurm->name },
		.slurm = slurm,
		.overlap_us = NO_OVERLAP,
	};
}

static int add_ended(struct window *window, const struct record_slurm_job *slurm, struct error *err)
{
	struct ended *job = &window->list[window->count + 1];
	struct map_entry *entry;

	*job = ended_of(slurm);
	if (job->job_id <= 0 || job->submit <= 0 || job->end_us < 0 || job_lines_month(job->submit) < window->oldest)
		return 0;
	window->count++;
	entry = map_get(&window->by_id, &job->job_id, sizeof(job->job_id));
	if (!entry)
		return error_set(err, "out of memory");
	job->next = (size_t)entry->number;
	entry->number = (int64_t)window->count;
	for (int i = 0; i < NAMES; i++)
		if (names_want(window->names, window->cluster, (enum name_kind)(NAME_USER + i), job->texts[i], err) < 0)
			return -1;
	return 0;
}

static int read_ended(struct window *window, struct error *err)
{
	const struct record_slurm_job_list *jobs = &window->answer->jobs;

	window->list = calloc(jobs->count + 1, sizeof(*window->list));
	if (!window->list)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < jobs->count; i++)
		if (add_ended(window, &jobs->items[i], err) < 0)
			return -1;
	return 0;
}

/* ---- what the store has ---- */

/* Returns the overlap of record and job in microseconds; NO_OVERLAP if the record cannot belong to the job. */
static int64_t overlap_of(const struct fact *fact, const struct ended *job)
{
	int64_t from = fact->row.start_us, to = fact->row.end_us;

	if (job->start_us < 0)
		return NO_OVERLAP;
	if (from < 0 || to < 0)
		return fact->submit == job->submit ? 0 : NO_OVERLAP;
	from = from > job->start_us ? from : job->start_us;
	to = to < job->end_us ? to : job->end_us;
	return to - from >= -SLACK_US ? to - from : NO_OVERLAP;
}

/*
 * Finds the job of a record. slurmdbd has a row for each attempt. The record belongs to the attempt that overlaps
 * longest with it.
 */
static int match_job(void *context, const struct database_value *row, struct error *err)
{
	struct window *window = context;
	struct fact fact;
	struct map_entry *entry;
	struct ended *best = NULL;
	int64_t most = NO_OVERLAP;

	if (fact_from_job(&fact, row, err) < 0) {
		fact_free(&fact);
		return -1;
	}
	entry = map_get(&window->by_id, &fact.job_id, sizeof(fact.job_id));
	for (size_t i = entry ? (size_t)entry->number : 0; i; i = window->list[i].next) {
		int64_t overlap = overlap_of(&fact, &window->list[i]);

		if (overlap != NO_OVERLAP && overlap > most) {
			best = &window->list[i];
			most = overlap;
		}
	}
	if (best && most > best->overlap_us) {
		best->overlap_us = most;
		best->key_submit = fact.submit;
		best->attempt = fact.attempt;
		best->account = fact.names[NAME_ACCOUNT];
		best->qos = fact.names[NAME_QOS];
		best->state = fact.names[NAME_STATE];
		best->month = job_lines_month(fact.submit);
	}
	fact_free(&fact);
	return entry ? 0 : error_set(err, "out of memory");
}

#define ID_KEY_COLUMNS 2 /* cluster and job id, because the records may have any attempt and submit time */

static int64_t id_at(const struct window *window, size_t i)
{
	int64_t id;

	memcpy(&id, window->by_id.list[i].key, sizeof(id));
	return id;
}

static int put_keys(struct window *window, struct places *places, int64_t id, struct error *err)
{
	for (const int *month = places_months(places, window->cluster, id); month && *month; month++) {
		struct database_value *key = table_rows_add(&window->keys, *month, ID_KEY_COLUMNS);

		if (!key)
			return error_set(err, "out of memory");
		key[JOB_AT_CLUSTER] = database_int(window->cluster);
		key[JOB_AT_ID] = database_int(id);
	}
	return 0;
}

static int find_records(struct window *window, struct error *err)
{
	struct places places = { 0 };
	size_t count = window->by_id.count;
	int result = 0;

	for (size_t i = 0; result == 0 && i < count; i++)
		result = places_want(&places, window->cluster, id_at(window, i), err);
	if (result == 0)
		result = places_read(&places, window->db, err);
	for (size_t i = 0; result == 0 && i < count; i++)
		result = put_keys(window, &places, id_at(window, i), err);
	places_free(&places);
	return result == 0 ? table_rows_find(&window->keys, window->db, &table_job, match_job, window, err) : -1;
}

/* ---- what is missing ---- */

static enum missing_reason reason_of(struct window *window, const struct ended *job)
{
	enum missing_reason reason = MISSING_UNKNOWN;
	size_t count;
	char **nodes;

	if (job->start_us < 0)
		return MISSING_NEVER_BEGAN;
	nodes = node_list_expand(job->slurm->node_list, &count);
	if (nodes && count)
		reason = node_ledger_reason(window->ledger, nodes[0], job->end_us);
	if (nodes && count && reason == MISSING_UNKNOWN) {
		window->reconcile->unknown_job = job->job_id;
		snprintf(window->reconcile->unknown_node, sizeof(window->reconcile->unknown_node), "%s", nodes[0]);
	}
	node_list_free(nodes, count);
	return reason;
}

static int put_missing(struct window *window, const struct ended *job, struct error *err)
{
	struct database_value *row =
		table_rows_add(&window->new, job_lines_month(job->end_us / US_PER_S), MISSING_COLUMNS);
	/*
	 * The comparison of another window may have left a row with this key, because slurmdbd may change a job's
	 * times.
	 */
	struct database_value *key =
		table_rows_add(&window->old, job_lines_month(job->end_us / US_PER_S), MISSING_KEY);
	enum missing_reason reason = reason_of(window, job);
	const char *name = job->texts[NAMES];

	if (!row || !key)
		return error_set(err, "out of memory");
	row[0] = database_int(window->cluster);
	row[1] = database_int(job->job_id);
	row[2] = database_int(job->submit);
	memcpy(key, row, MISSING_KEY * sizeof(*key));
	for (int i = 0; i < NAMES; i++)
		row[MISSING_AT_NAMES + i] = database_int(job->ids[i]);
	row[MISSING_AT_NAME] = name ? (struct database_value){ .kind = VALUE_TEXT, .data = name, .size = strlen(name) }
				    : (struct database_value){ .kind = VALUE_NULL };
	row[MISSING_AT_START] = database_count(job->start_us);
	row[MISSING_AT_END] = database_int(job->end_us);
	row[MISSING_AT_CPUS] = database_count(job->cpus);
	row[MISSING_AT_ELAPSED] = database_count(job->elapsed_ms);
	row[MISSING_AT_REASON] = database_int(reason);
	window->reconcile->missing[reason]++;
	return 0;
}

/* Attempts that were submitted in the same second have the same key. Only one of them gets a row. */
static bool is_put(const struct window *window, const struct ended *job)
{
	for (size_t i = job->next; i; i = window->list[i].next)
		if (window->list[i].submit == job->submit && window->list[i].overlap_us == NO_OVERLAP)
			return true;
	return false;
}

static int keep_old(void *context, const struct database_value *row, struct error *err)
{
	struct window *window = context;
	struct database_value *key;

	if (row[0].number != window->cluster)
		return 0;
	key = table_rows_add(&window->old, job_lines_month(row[END_COLUMN].number / US_PER_S), MISSING_KEY);
	if (!key)
		return error_set(err, "out of memory");
	memcpy(key, row, MISSING_KEY * sizeof(*key));
	return 0;
}

/* Erases the rows that an earlier comparison of this window made. */
static int erase_old(struct window *window, struct error *err)
{
	for (const int *month = database_months(window->db, &table_missing); *month; month++)
		if (*month >= job_lines_month(window->since_s) && *month <= job_lines_month(window->until_s) &&
		    database_range(window->db, &table_missing, *month, END_COLUMN, window->since_s * US_PER_S,
				   window->until_s * US_PER_S, keep_old, window, err) < 0)
			return -1;
	return table_rows_erase(&window->old, window->db, &table_missing, err);
}

static int set_moment(struct database *db, const char *what, int64_t cluster, int64_t moment, struct error *err)
{
	char name[64], text[24];

	snprintf(name, sizeof(name), "%s:%lld", what, (long long)cluster);
	snprintf(text, sizeof(text), "%lld", (long long)moment);
	return database_set(db, name, text, err);
}

/* Saves the times for which Slurm did not answer. The rows of these times stay in the table. */
static int note_untold(const struct window *window, struct error *err)
{
	const struct skipped *skipped = window->skipped;

	untold_cut(window->untold, window->since_s, window->until_s);
	if (skipped->count)
		untold_add(window->untold, skipped->from_s, skipped->until_s);
	return missing_keep_untold(window->db, window->cluster, window->untold, err);
}

static int compare(struct window *window, struct error *err)
{
	struct reconcile *reconcile = window->reconcile;

	if (names_resolve(window->names, window->db, err) < 0)
		return -1;
	for (size_t i = 1; i <= window->count; i++)
		for (int k = 0; k < NAMES; k++)
			window->list[i].ids[k] = names_id(window->names, window->cluster,
							  (enum name_kind)(NAME_USER + k), window->list[i].texts[k]);
	if (find_records(window, err) < 0)
		return -1;
	for (size_t i = 1; i <= window->count; i++) {
		const struct ended *job = &window->list[i];

		reconcile->jobs++;
		if (job->overlap_us != NO_OVERLAP)
			reconcile->recorded++;
		else if (!is_put(window, job) && put_missing(window, job, err) < 0)
			return -1;
	}
	if (erase_old(window, err) < 0 || table_rows_insert(&window->new, window->db, &table_missing, err) < 0 ||
	    note_untold(window, err) < 0)
		return -1;
	return set_moment(window->db, MISSING_UNTIL, window->cluster, window->until_s, err);
}

/* ---- what has changed ---- */

/*
 * Returns whether slurmdbd now says another account, QOS or state. Does not compare the state if it is REQUEUED,
 * because only the record of an earlier attempt has this state.
 */
static bool has_changed(const struct window *window, const struct ended *job)
{
	if (job->overlap_us == NO_OVERLAP)
		return false;
	return (job->ids[NAME_ACCOUNT] && job->ids[NAME_ACCOUNT] != job->account) ||
	       (job->ids[NAME_QOS] && job->ids[NAME_QOS] != job->qos) ||
	       (job->ids[NAME_STATE] && job->ids[NAME_STATE] != job->state && job->state != window->requeued &&
		job->ids[NAME_STATE] != window->requeued);
}

static int amend(struct window *window, struct error *err)
{
	for (size_t i = 1; i <= window->count; i++) {
		const struct ended *job = &window->list[i];
		const struct amend_job one = { window->cluster, job->job_id, job->key_submit,
					       job->attempt,    job->month,  job->slurm };

		if (has_changed(window, job) && amend_add(window->amend, &one, err) < 0)
			return -1;
	}
	return amend_finish(window->amend, err);
}

/* ---- a window ---- */

static void free_window(struct window *window)
{
	free(window->list);
	slurm_answer_free(window->answer);
	map_free(&window->by_id);
	table_rows_free(&window->keys);
	table_rows_free(&window->old);
	table_rows_free(&window->new);
}

/* Compares a window with the store. Takes ownership of @text from slurm_ended(). */
static int do_window(struct window *window, char *text, struct error *err)
{
	window->answer = slurm_jobs_read(text, "Slurm's jobs", err);
	if (!window->answer || names_want(window->names, window->cluster, NAME_STATE, "REQUEUED", err) < 0 ||
	    read_ended(window, err) < 0 || database_begin(window->db, err) < 0)
		return -1;
	if (compare(window, err) < 0 || database_commit(window->db, err) < 0) {
		database_rollback(window->db);
		names_forget(window->names);
		return -1;
	}
	window->requeued = names_id(window->names, window->cluster, NAME_STATE, "REQUEUED");
	return amend(window, err);
}

/* ---- a cluster ---- */

static int64_t moment_of(struct database *db, const char *what, int64_t cluster, struct error *err)
{
	char name[64];
	cleanup_free char *text = NULL;

	snprintf(name, sizeof(name), "%s:%lld", what, (long long)cluster);
	text = database_setting(db, name, err);
	return text ? strtoll(text, NULL, 10) : 0;
}

static int64_t first_moment(struct reconcile *reconcile, int64_t cluster, struct error *err)
{
	struct database *db = reconcile->ingest->db;
	int64_t until = moment_of(db, MISSING_UNTIL, cluster, err);
	const int *months = database_months(db, &table_job);

	if (until)
		return until - LATE_S;
	return *months && job_lines_month_begin(*months) < reconcile->now_s ? job_lines_month_begin(*months)
									  : reconcile->now_s - FIRST_S;
}

/*
 * Skips a window. Returns 0 if the next window can be tried; -1 with @err set to the first error if too many windows
 * were skipped: then Slurm does not answer at all.
 */
static int skip_window(struct skipped *skipped, int64_t from_s, int64_t until_s, struct error *err)
{
	if (!skipped->count) {
		skipped->from_s = from_s;
		skipped->why = *err;
	}
	skipped->until_s = until_s;
	if (++skipped->count <= SKIPPED_MOST)
		return 0;
	*err = skipped->why;
	return -1;
}

static void say_skipped(struct window *all, const char *cluster)
{
	const struct skipped *skipped = all->skipped;
	char from[TIME_TEXT], until[TIME_TEXT];

	if (!skipped->count)
		return;
	time_text(skipped->from_s * NS_PER_S, from);
	time_text(skipped->until_s * NS_PER_S, until);
	progress_line_erase();
	fprintf(stderr,
		"stint ingest: %s: Slurm does not say which jobs ended from %.19s to %.19s: %s. So it is not known whether these jobs "
		"have a record. stint asks again for 7 days; 'sacct -a -D -S %.19s -E %.19s' shows whether slurmdbd answers\n",
		cluster, from, until, skipped->why.text, from, until);
	all->reconcile->skipped += skipped->count;
	*all->skipped = (struct skipped){ 0 };
}

/* Shows how much of the time since reconcile->from_s was compared. */
static void show_progress(const struct reconcile *reconcile, const char *cluster, int64_t until_s)
{
	int64_t all = reconcile->now_s - reconcile->from_s;

	progress_line_show(all > 0 ? (double)(until_s - reconcile->from_s) / (double)all : -1, "%.64s: %lld job%s compared", cluster,
		      (long long)reconcile->jobs, plural((double)reconcile->jobs));
}

static int do_windows(struct window *all, const char *cluster, int64_t from_s, struct error *err)
{
	int64_t length = WINDOW_S, until;

	for (; from_s < all->reconcile->now_s; from_s = until) {
		struct window window = *all;
		char *text;
		int result;

		show_progress(all->reconcile, cluster, from_s);
		until = from_s + length < all->reconcile->now_s ? from_s + length : all->reconcile->now_s;
		window.since_s = from_s;
		window.until_s = until;
		text = slurm_ended(cluster, from_s, until, err);
		if (!text && length <= SHORTEST_S) {
			if (skip_window(all->skipped, from_s, until, err) < 0)
				return -1;
			continue;
		}
		if (!text) {
			/* the answer may have been too large */
			length = length / 2 < SHORTEST_S ? SHORTEST_S : length / 2;
			until = from_s;
			continue;
		}
		result = do_window(&window, text, err);
		length = window.count > MANY_JOBS ? length / 2 : window.count < FEW_JOBS ? 2 * length : length;
		length = length < SHORTEST_S ? SHORTEST_S : length > LATE_S ? LATE_S : length;
		free_window(&window);
		if (result < 0)
			return -1;
		say_skipped(all, cluster);
	}
	if (all->skipped->count) /* Slurm did not answer for the last windows, so fail, and let the next run begin with them */
		*err = all->skipped->why;
	return all->skipped->count ? -1 : 0;
}

static int begin_cluster(struct reconcile *reconcile, int64_t cluster, struct error *err)
{
	struct database *db = reconcile->ingest->db;
	int64_t from = moment_of(db, MISSING_FROM, cluster, err);

	reconcile->from_s = first_moment(reconcile, cluster, err);
	reconcile->jobs = reconcile->recorded = reconcile->amended = reconcile->skipped = 0;
	reconcile->unknown_job = 0;
	memset(reconcile->missing, 0, sizeof(reconcile->missing));
	if (from && from <= reconcile->from_s)
		return 0;
	if (database_begin(db, err) < 0)
		return -1;
	if (set_moment(db, MISSING_FROM, cluster, reconcile->from_s, err) == 0 && database_commit(db, err) == 0)
		return 0;
	database_rollback(db);
	return -1;
}

static int do_cluster(struct reconcile *reconcile, const char *name, int64_t cluster, struct error *err)
{
	struct names names = { 0 };
	struct node_ledger ledger = { 0 };
	struct untold untold;
	struct skipped skipped = { 0 };
	struct amend amend = { .ingest = reconcile->ingest,
			       .packer = line_packer_new(),
			       .cluster = name,
			       .now_s = reconcile->now_s,
			       .began_ms = (int64_t)time(NULL) * 1000 };
	struct window all = { .reconcile = reconcile,
			      .db = reconcile->ingest->db,
			      .names = &names,
			      .ledger = &ledger,
			      .amend = &amend,
			      .cluster = cluster,
			      .untold = &untold,
			      .skipped = &skipped,
			      .oldest = retention_oldest(reconcile->ingest->db, reconcile->keep_months,
							 reconcile->now_s) };
	cleanup_free char *people = NULL;
	int result = amend.packer ? begin_cluster(reconcile, cluster, err) : error_set(err, "out of memory");

	/* first, because comparing may take long */
	if (result == 0)
		result = (people = slurm_people(err))
				 ? access_learn(all.db, &names, cluster, people, reconcile->view_groups, err)
				 : -1;
	if (result == 0)
		result = node_ledger_read(&ledger, all.db, cluster, err);
	if (result == 0)
		result = missing_untold(all.db, cluster, &untold, err);
	progress_line_begin(WHO);
	if (result == 0)
		result = do_windows(&all, name, reconcile->from_s, err);
	progress_line_end();
	reconcile->amended = amend.lines;
	names_forget(&names);
	node_ledger_free(&ledger);
	amend_free(&amend);
	line_packer_free(amend.packer);
	return result;
}

/* ---- all of them ---- */

static int read_cluster(void *context, const struct database_value *row, struct error *err)
{
	struct map_entry *entry = map_get(context, row[0].data, row[0].size);

	if (!entry)
		return error_set(err, "out of memory");
	entry->number = row[1].number;
	return 0;
}

int reconcile_run(struct reconcile *reconcile, reconcile_each *each, void *context, struct error *err)
{
	struct map clusters = { 0 };
	int result = database_scan(reconcile->ingest->db, &table_cluster, 0, read_cluster, &clusters, err);

	if (result == 0 && !clusters.count)
		result = error_set(err, "the store has no cluster yet: run 'stint ingest' first, which imports the first batch");
	for (size_t i = 0; result == 0 && i < clusters.count; i++) {
		cleanup_free char *name = strndup(clusters.list[i].key, clusters.list[i].size);

		struct error why;

		if (!name) {
			result = error_set(err, "out of memory");
		} else if (do_cluster(reconcile, name, clusters.list[i].number, &why) == 0) {
			reconcile->failed += reconcile->skipped > 0;
			each(context, name, reconcile, NULL);
		} else {
			reconcile->failed++;
			each(context, name, reconcile, &why);
		}
	}
	map_free(&clusters);
	if (result < 0 || reconcile->failed)
		return result;
	return moment_write_alone(reconcile->ingest->db, MOMENT_RECONCILED, moment_now(), err);
}
