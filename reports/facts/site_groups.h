/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of the store's jobs, read from the rollups: the cost grows with days and groups, and not with jobs. They are
 * the same as those that jobs' rows make (site_rows.h).
 */
#ifndef STINT_SITE_GROUPS_H
#define STINT_SITE_GROUPS_H

#include "reports/database/database.h"
#include "reports/site/job_group.h"

/*
 * Gets the jobs that ended on one day, or in one month.
 *
 * @who: of a row what they have in common: the user, account, partition, QOS and cluster, and in end_us a moment of
 *	that day or month
 *
 * Returns 0; -1 with @err set, which ends the reading. Both are the caller's for this call alone.
 */
typedef int site_groups_each(void *context, const struct job_row *who, const struct job_group *group,
			     struct error *err);

/*
 * Returns whether the rollups can say what jobs by @key are: users, accounts, partitions, QOS, clusters, days, weeks,
 * months.
 */
bool site_groups_know(enum job_key key);

/* What the groups are for. */
enum site_groups_detail {
	SITE_GROUPS_MONTHS, /* whole months are one group of each user, account, partition and QOS */
	SITE_GROUPS_DAYS,   /* each day is */
	SITE_GROUPS_ALL,    /* each day is one group, of which only the cluster is known */
	SITE_GROUPS_NAMES   /* as SITE_GROUPS_MONTHS, but the groups are empty: only who had jobs is wanted */
};

/*
 * Finds out whether all rollups are for this reader's eyes (docs/store.md). Who sees some users' jobs alone does not
 * see those of tools, so what they say is wrong for that one.
 *
 * Returns 0; -1 with @err set.
 */
int site_groups_seen(struct database *db, bool *seen, struct error *err);

/*
 * Reads the groups of the jobs that ended from @since_us to @until_us - 1: both are midnights of this process's zone,
 * or 0: open.
 */
int site_groups_read(struct database *db, int64_t since_us, int64_t until_us, enum site_groups_detail detail,
		     site_groups_each *each, void *context, struct error *err);

/* Adds what all tools of these jobs did to @group. */
int site_groups_add_tools(struct database *db, int64_t since_us, int64_t until_us, struct job_group *group,
			  struct error *err);

/*
 * Returns the first midnight of this process's zone that is not before @moment_us, and the last that is not after it.
 */
int64_t site_groups_midnight_after(int64_t moment_us);
int64_t site_groups_midnight_before(int64_t moment_us);

#endif
