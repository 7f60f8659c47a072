/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads groups of the store's jobs from the rollups. The cost grows with the number of days and groups, and not with
 * the number of jobs. The groups are the same as groups made from the jobs' rows (site_rows.h).
 */
#ifndef STINT_SITE_GROUPS_H
#define STINT_SITE_GROUPS_H

#include "reports/database/database.h"
#include "reports/site/job_group.h"

/*
 * Receives the group of the jobs that ended on one day, or in one month.
 *
 * @who: the fields of a row that the jobs have in common. These are the cluster, the key that the jobs are grouped
 * by, and in end_us a moment of that day or month.
 * @group: in groups by tool, the tools' sums are those of that tool; in groups by user and of all jobs, they are
 * those of all tools
 *
 * Returns 0; -1 with @err set, which ends the reading. @who and @group are valid only during the call.
 */
typedef int site_groups_each(void *context, const struct job_row *who, const struct job_group *group,
			     struct error *err);

/* Which groups to read. */
struct site_groups_wanted {
	int64_t since_us, until_us; /* bounds of the jobs' ends: midnights in this process's time zone; 0 if open */
	enum job_key by;	    /* group_tables_by() must know it; JOB_KEY_COUNT for one group of all jobs of a cluster */
	bool days;		    /* do not read whole months as one group */
	bool names_only;	    /* only @who is needed, so the groups may be empty */
};

/*
 * Sets *@seen to whether this reader may see all rollups (docs/store.md). A reader who may see only some users' jobs
 * cannot see the rollups of tools, so rollups would give them wrong numbers.
 *
 * Returns 0; -1 with @err set.
 */
int site_groups_seen(struct database *db, bool *seen, struct error *err);

/* Reads the groups, and calls @each for each group. Returns 0; -1 with @err set. */
int site_groups_read(struct database *db, const struct site_groups_wanted *wanted, site_groups_each *each, void *context,
		     struct error *err);

/*
 * Sets *@has to whether the rollups have jobs that ended before the month of @moment_us, in this process's time zone.
 *
 * Returns 0; -1 with @err set.
 */
int site_groups_before(struct database *db, int64_t moment_us, bool *has, struct error *err);

/*
 * Return the first midnight at or after @moment_us, and the last midnight at or before it, in this process's time
 * zone.
 */
int64_t site_groups_midnight_after(int64_t moment_us);
int64_t site_groups_midnight_before(int64_t moment_us);

#endif
