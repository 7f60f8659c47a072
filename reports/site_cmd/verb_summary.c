/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/cmd/cmd.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/site_tables.h"
#include "reports/groups/missing.h"
#include "reports/groups/site_groups.h"
#include "reports/groups/site_summary.h"
#include "reports/groups/moments.h"
#include "reports/ingest/store_waiting.h"
#include "reports/site/jobs_summary.h"
#include "reports/site_cmd/opened_stores.h"
#include "reports/site_cmd/verbs.h"

#define DAY_S 86400

/*
 * Returns the cluster that --where names; NULL if --where names no cluster. The caller opens only the database of
 * this cluster.
 */
static const char *find_cluster(int argc, char *argv[])
{
	static const char where[] = "--where", cluster[] = "cluster=";

	for (int i = 1; i < argc; i++) {
		const char *value = strncmp(argv[i], where, sizeof(where) - 1) != 0      ? NULL
				    : argv[i][sizeof(where) - 1] == '='                  ? argv[i] + sizeof(where)
				    : argv[i][sizeof(where) - 1] == '\0' && i + 1 < argc ? argv[i + 1]
											 : NULL;

		if (value && strncmp(value, cluster, sizeof(cluster) - 1) == 0 && value[sizeof(cluster) - 1])
			return value + sizeof(cluster) - 1;
	}
	return NULL;
}

/*
 * Warns if the store no longer has the rows of some jobs in the period. A site may keep rows for less time than
 * the sums that were made from them. Rows are dropped by months in UTC. @since_us may be the begin of a month in
 * another time zone, so allows a day of difference.
 */
static void warn_of_rows(const struct site_store *store, int64_t since_us)
{
	int first = *database_months(store->db, &table_job);
	bool before = false;
	struct error err;

	if (!first || (since_us && job_lines_month(since_us / US_PER_S + DAY_S) >= first))
		return;
	/*
	 * Warn if the store has sums from before its first month of rows, or if rows may have been dropped.
	 * Otherwise the store itself may have begun in that month.
	 */
	if (site_groups_before(store->db, job_lines_month_begin(first) * US_PER_S, &before, &err) < 0 || before ||
	    (since_us && opened_stores.conf.keep.job > 0))
		fprintf(stderr,
			"stint summary: the store%s%s has single jobs since %d-%02d: jobs that ended before are not "
			"counted\n",
			opened_stores.count > 1 ? " of " : "", opened_stores.count > 1 ? store->whose : "", first / 100,
			first % 100);
}

/* Returns how many batches wait; -1 if stint ingest is not late, because the batches are then ingested soon. */
static int64_t count_waiting(const struct store_age *age)
{
	return age->now_us - age->looked_us > STORE_AGE_LATE_US ? store_waiting_soon(opened_stores.conf.store_dir) : -1;
}

static int read_age(struct site_store *store, struct store_age *age, struct error *err)
{
	*age = (struct store_age){ .now_us = moment_now(), .waiting = -1 };
	if (opened_stores.count > 1)
		snprintf(age->whose, sizeof(age->whose), "%s", store->whose);
	return moment_read(store->db, MOMENT_INGESTED, &age->ingested_us, err) < 0 ||
			       moment_read(store->db, MOMENT_LOOKED, &age->looked_us, err) < 0 ||
			       moment_read(store->db, MOMENT_NEWEST, &age->newest_us, err) < 0
		       ? -1
		       : 0;
}

/* Adds the jobs of @store to @summary. @first: true for the first store */
static int read_one(struct site_store *store, struct jobs_summary *summary, bool first, struct error *err)
{
	bool from_rows = false, hidden = summary->some_hidden;
	struct coverage coverage;
	struct store_age age;

	if (site_summary_read(store->db, summary, &from_rows, err) < 0)
		return -1;
	summary->some_hidden = summary->some_hidden || hidden;
	if (from_rows)
		warn_of_rows(store, summary->period.since_us);
	if (missing_count(store->db, &summary->period, summary->filters, summary->filter_count, &coverage, err) < 0 ||
	    read_age(store, &age, err) < 0)
		return -1;
	if (first)
		summary->coverage = coverage;
	else
		coverage_add(&summary->coverage, &coverage);
	if (first || store_age_is_older(&age, &summary->age))
		summary->age = age;
	return 0;
}

/*
 * Prints that the jobs of a database are missing because it cannot be read, and adds its clusters to
 * summary->unread.
 */
static void note_unread(struct jobs_summary *summary, const struct site_store *store)
{
	size_t used = strlen(summary->unread);

	fprintf(stderr, "stint summary: the jobs of %s are missing: %s\n", store->whose, store->why.text);
	snprintf(summary->unread + used, sizeof(summary->unread) - used, "%s%s", used ? ", " : "", store->whose);
}

static int read_store(struct jobs_summary *summary, struct error *err)
{
	bool first = true;

	if (opened_error.text[0])
		return error_set(err, "%s", opened_error.text);
	for (size_t i = 0; i < opened_stores.count; i++) {
		if (!opened_stores.list[i].db) {
			note_unread(summary, &opened_stores.list[i]);
			continue;
		}
		if (read_one(&opened_stores.list[i], summary, first, err) < 0) {
			site_stores_close(&opened_stores);
			return -1;
		}
		first = false;
	}
	summary->age.waiting = count_waiting(&summary->age);
	summary->of_store = true;
	site_stores_close(&opened_stores);
	return 0;
}

/* Opens the stores before it parses the options, because the days in the options depend on the store's time zone. */
int verb_summary(int argc, char *argv[])
{
	summary_store = read_store;
	opened_stores_open(argc, argv, find_cluster(argc, argv), NULL);
	if (opened_stores_rebuilding())
		fprintf(stderr, "%s: " REBUILDING "\n", argv[0]);
	return cmd_summary(argc, argv);
}
