/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads groups of jobs from the store's rollups. They equal those that job_question_read() makes of the jobs' rows.
 * The time depends on days and groups, not on jobs.
 */
#ifndef STINT_SITE_GROUPS_H
#define STINT_SITE_GROUPS_H

#include "reports/database/database.h"
#include "reports/site/job_group.h"

/*
 * Receives the group of the jobs that ended on one day, or in one month.
 *
 * @who: a row with the fields that the jobs have in common: the cluster, and the values of the key that groups are
 * by. Its end_us is a time within that day or month.
 * @group: if groups are by tool, its sums of tools are those of that tool. If groups are by user, or if there is
 * one group of all jobs, they are the sums over all tools.
 *
 * @who and @group are valid only during the call. Returns 0; -1 with @err set to stop the reading.
 */
typedef int site_groups_each(void *context, const struct job_row *who, const struct job_group *group,
			     struct error *err);

struct site_groups_wanted {
	/*
	 * midnights in this process's time zone, or 0 for no bound: jobs that ended at or after since_us and before
	 * until_us
	 */
	int64_t since_us, until_us;
	/* group_tables_by() must have tables of it; JOB_KEY_COUNT for one group of all jobs of a cluster */
	enum job_key by;
	bool days;		    /* read days even for whole months */
	bool names_only;	    /* @group may be empty */
};

/*
 * Sets *@seen to whether this reader may see all rollups (docs/store.md). If not, do not use any.
 * A reader of some users' jobs sees no rollups of tools, so their numbers would be wrong.
 *
 * Returns 0; -1 with @err set.
 */
int site_groups_seen(struct database *db, bool *seen, struct error *err);

/* Calls @each for each group that @wanted describes. Returns 0; -1 with @err set. */
int site_groups_read(struct database *db, const struct site_groups_wanted *wanted, site_groups_each *each, void *context,
		     struct error *err);

/*
 * Sets *@has to whether the rollups have jobs that ended before the month of @moment_us, in this process's time zone.
 *
 * Returns 0; -1 with @err set.
 */
int site_groups_before(struct database *db, int64_t moment_us, bool *has, struct error *err);

/* Return the first midnight at or after @moment_us, and the last one at or before it, in this process's time zone. */
int64_t site_groups_midnight_after(int64_t moment_us);
int64_t site_groups_midnight_before(int64_t moment_us);

#endif
