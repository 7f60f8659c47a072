/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_summary.h"

#include <string.h>

#include "reports/facts/site_groups.h"
#include "reports/facts/site_rows.h"

static int add_row(void *context, const struct job_row *row, struct error *err)
{
	return jobs_summary_add(context, row, err);
}

static int add_group(void *context, const struct job_row *who, const struct job_group *group, struct error *err)
{
	return jobs_summary_add_group(context, who, group, err);
}

static int add_user(void *context, const struct job_row *who, const struct job_group *group, struct error *err)
{
	(void)group;
	return jobs_summary_add_user(context, who, err);
}

static int add_both(void *context, const struct job_row *who, const struct job_group *group, struct error *err)
{
	return add_user(context, who, group, err) < 0 ? -1 : add_group(context, who, group, err);
}

/* Whether the rollups have all that is asked for. */
static bool rollups_can_say(const struct jobs_summary *summary)
{
	return !summary->with_views && !summary->filter_count && site_groups_know(summary->groups.by[0]) &&
	       site_groups_know(summary->groups.by[1]);
}

static const char *filter_of(const struct jobs_summary *summary, enum job_key key)
{
	for (size_t i = 0; i < summary->filter_count; i++) {
		const char *value = summary->filters[i].value;

		if (summary->filters[i].key == key && *value && strcmp(value, "-") != 0)
			return value;
	}
	return NULL;
}

static int read_rows(struct database *store, struct jobs_summary *summary, int64_t since_us, int64_t until_us,
		     struct error *err)
{
	const struct site_rows_wanted wanted = { since_us, until_us, filter_of(summary, JOB_KEY_USER),
						 filter_of(summary, JOB_KEY_ACCOUNT) };

	return site_rows_read(store, &wanted, add_row, summary, err);
}

static bool is_by(const struct jobs_summary *summary, enum job_key key)
{
	return summary->groups.by[0] == key || summary->groups.by[1] == key;
}

/*
 * Of whole days. What is by days or weeks alone needs one row of each day, and from the others only who had jobs. Where
 * neither is wanted, months are read: they are kept for longer than days.
 */
static int read_groups(struct database *store, struct jobs_summary *summary, int64_t since_us, int64_t until_us,
		       struct error *err)
{
	bool people = is_by(summary, JOB_KEY_USER) || is_by(summary, JOB_KEY_ACCOUNT) || is_by(summary, JOB_KEY_PARTITION) ||
		      is_by(summary, JOB_KEY_QOS);
	bool days = is_by(summary, JOB_KEY_DAY) || is_by(summary, JOB_KEY_WEEK);

	if (people || !days)
		return site_groups_read(store, since_us, until_us, days ? SITE_GROUPS_DAYS : SITE_GROUPS_MONTHS, add_both,
					summary, err);
	if (site_groups_read(store, since_us, until_us, SITE_GROUPS_NAMES, add_user, summary, err) < 0)
		return -1;
	return site_groups_read(store, since_us, until_us, SITE_GROUPS_ALL, add_group, summary, err);
}

/* Whole days come from the rollups, and what lies before and after them from the jobs' rows. */
static int read_period(struct database *store, struct jobs_summary *summary, const struct job_period *period,
		       struct error *err)
{
	int64_t since = period->since_us ? site_groups_midnight_after(period->since_us) : 0;
	int64_t until = period->until_us ? site_groups_midnight_before(period->until_us) : 0;

	if (until && until <= since)
		return read_rows(store, summary, period->since_us, period->until_us, err);
	if ((since > period->since_us && read_rows(store, summary, period->since_us, since, err) < 0) ||
	    (until < period->until_us && read_rows(store, summary, until, period->until_us, err) < 0) ||
	    read_groups(store, summary, since, until, err) < 0)
		return -1;
	return period == &summary->period ? site_groups_add_tools(store, since, until, &summary->total, err) : 0;
}

int site_summary_read(struct database *store, struct jobs_summary *summary, bool *from_rows, struct error *err)
{
	bool previous = summary->previous.since_us || summary->previous.until_us, seen;

	summary->each_once = true;
	if (site_groups_seen(store, &seen, err) < 0)
		return -1;
	*from_rows = !seen || !rollups_can_say(summary);
	if (*from_rows)
		return read_rows(store, summary, previous ? summary->previous.since_us : summary->period.since_us,
				 summary->period.until_us, err);
	if (previous && read_period(store, summary, &summary->previous, err) < 0)
		return -1;
	return read_period(store, summary, &summary->period, err);
}
