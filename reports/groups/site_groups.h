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
 * @who: of a row what they have in common: the cluster, what they are grouped by, and in end_us a moment of that day or
 *	month
 * @group: a tool's sums are those of this tool, or of all tools of the jobs where these are people's or all jobs
 *
 * Returns 0; -1 with @err set, which ends the reading. Both are the caller's for this call alone.
 */
typedef int site_groups_each(void *context, const struct job_row *who, const struct job_group *group,
			     struct error *err);

/* What groups are wanted. */
struct site_groups_wanted {
	int64_t since_us, until_us; /* the jobs' ends: midnights of this process's zone; 0: open */
	enum job_key by;	    /* group_tables_by() knows it; JOB_KEY_COUNT: all jobs of a cluster are one */
	bool days;		    /* whole months may not be one group */
	bool names_only;	    /* the groups may be empty: only who had jobs is wanted */
};

/*
 * Finds out whether all rollups are for this reader's eyes (docs/store.md). Who sees some users' jobs alone does not
 * see those of tools, so what they say is wrong for that one.
 *
 * Returns 0; -1 with @err set.
 */
int site_groups_seen(struct database *db, bool *seen, struct error *err);

/* Reads them. */
int site_groups_read(struct database *db, const struct site_groups_wanted *wanted, site_groups_each *each, void *context,
		     struct error *err);

/*
 * Finds out whether the rollups have jobs that ended before the month, of this process's zone, in which @moment_us is.
 *
 * Returns 0; -1 with @err set.
 */
int site_groups_before(struct database *db, int64_t moment_us, bool *has, struct error *err);

/*
 * Returns the first midnight of this process's zone that is not before @moment_us, and the last that is not after it.
 */
int64_t site_groups_midnight_after(int64_t moment_us);
int64_t site_groups_midnight_before(int64_t moment_us);

#endif
