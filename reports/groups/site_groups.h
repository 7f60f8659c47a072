/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads groups of jobs from the store's rollups. The groups equal the groups that job_question_read() makes from the
 * jobs' rows. Here, the time to read depends on the number of days and groups, not on the number of jobs.
 */
#ifndef STINT_SITE_GROUPS_H
#define STINT_SITE_GROUPS_H

#include "reports/database/database.h"
#include "reports/site/job_group.h"

/*
 * Receives the group of the jobs that ended on one day, or in one month.
 *
 * @who: a row with the cluster and the values of the key, which all jobs of the group have in common. who->end_us is a
 * time within that day or month.
 * @group: if groups are by tool, the group's tool sums are of that tool only. If groups are by user, or if one group
 * has all jobs, the tool sums are of all tools.
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
	/*
	 * the key of the groups, which must have group_tables_by(); JOB_KEY_COUNT for one group of all jobs of a
	 * cluster
	 */
	enum job_key by;
	bool days;		    /* read days even for whole months */
	bool names_only;	    /* @group may be empty */
};

/*
 * Sets *@seen to whether this reader may see all rollups (docs/store.md). If not, use no rollups.
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

/*
 * Return the first midnight at or after @moment_us, and the last midnight at or before @moment_us, in this process's
 * time zone.
 */
int64_t site_groups_midnight_after(int64_t moment_us);
int64_t site_groups_midnight_before(int64_t moment_us);

#endif
