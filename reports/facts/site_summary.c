/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_summary.h"

#include <string.h>

#include "reports/facts/group_key.h"
#include "reports/facts/site_groups.h"
#include "reports/facts/site_rows.h"

static int add_row(void *context, const struct job_row *row, struct error *err)
{
	return jobs_summary_add(context, row, err);
}

/* ---- rows ---- */

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

/* ---- rollups ---- */

static bool is_people(enum job_key key)
{
	const struct group_tables *tables = group_tables_by(key);

	return tables && tables->by == JOB_KEY_USER;
}

static bool is_of_all(enum job_key key)
{
	const struct group_tables *tables = group_tables_by(key);

	return tables && tables->by == JOB_KEY_COUNT;
}

/*
 * By which key the rollups have what @groups are made of. Of jobs that are filtered, which are those of some people, nothing else is
 * there. JOB_KEY_JOB_NAME: by none.
 */
static enum job_key rollup_of(const struct jobs_summary *summary, const struct job_groups *groups)
{
	enum job_key one = groups->by[0], other = groups->by[1];
	enum job_key key = is_of_all(one) ? other : one, beside = is_of_all(one) ? one : other;

	if (summary->filter_count && is_of_all(key))
		key = JOB_KEY_USER;
	if (is_people(key) && (is_people(beside) || is_of_all(beside)))
		return JOB_KEY_USER;
	if (!is_of_all(beside) || !group_tables_by(key) || summary->filter_count)
		return JOB_KEY_JOB_NAME;
	return is_of_all(key) ? JOB_KEY_COUNT : key;
}

static bool rollups_have(const struct jobs_summary *summary, const struct job_groups *groups)
{
	return rollup_of(summary, groups) != JOB_KEY_JOB_NAME;
}

/* Whether the rollups have all that is asked for. */
static bool rollups_can_say(const struct jobs_summary *summary)
{
	for (size_t i = 0; i < summary->filter_count; i++)
		if (!is_people(summary->filters[i].key) && summary->filters[i].key != JOB_KEY_CLUSTER)
			return false;
	for (size_t i = 0; summary->with_views && i < JOB_VIEWS; i++)
		if (!rollups_have(summary, &summary->views[i]))
			return false;
	return rollups_have(summary, &summary->groups);
}

/* Where neither days nor weeks are wanted, months are read: they are fewer, and kept for longer. */
static bool needs_days(const struct job_groups *groups)
{
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (groups->by[i] == JOB_KEY_DAY || groups->by[i] == JOB_KEY_WEEK)
			return true;
	return false;
}

/* What groups are added to. */
struct adding {
	struct jobs_summary *summary;
	bool now; /* they are of the period, and not of the one before */
	struct job_groups *groups;
};

static bool is_meant(const struct adding *adding, const struct job_row *who)
{
	return job_filters_pass(adding->summary->filters, adding->summary->filter_count, who);
}

static int add_to_total(void *context, const struct job_row *who, const struct job_group *group, struct error *err)
{
	const struct adding *adding = context;
	struct jobs_summary *summary = adding->summary;
	struct job_group copy = *group;

	if (!is_meant(adding, who))
		return 0;
	if (!adding->now) { /* as of rows: of the period before, tools are not told */
		copy.tool_runs = copy.tool_failures = copy.tool_cpu_ms = copy.tool_wall_ms = 0;
		return job_group_merge(&summary->total_before, &copy, 1, err);
	}
	if (!summary->first_us || who->end_us < summary->first_us)
		summary->first_us = who->end_us;
	if (who->end_us > summary->last_us)
		summary->last_us = who->end_us;
	return job_group_merge(&summary->total, group, 1, err);
}

/* Of users only their number is told. */
static int add_to_users(void *context, const struct job_row *who, const struct job_group *group, struct error *err)
{
	const struct adding *adding = context;

	return is_meant(adding, who) ? job_groups_merge(&adding->summary->users, who, group, err) : 0;
}

static int add_to_groups(void *context, const struct job_row *who, const struct job_group *group, struct error *err)
{
	const struct adding *adding = context;
	struct job_group copy = *group;

	if (!is_meant(adding, who))
		return 0;
	if (adding->groups->by[0] != JOB_KEY_TOOL && adding->groups->by[1] != JOB_KEY_TOOL)
		copy.tool_runs = copy.tool_failures = copy.tool_cpu_ms = copy.tool_wall_ms = 0;
	return job_groups_merge(adding->groups, who, &copy, err);
}

static int read_total(struct database *store, struct adding *adding, struct site_groups_wanted wanted,
		      struct error *err)
{
	const struct jobs_summary *summary = adding->summary;

	wanted.by = summary->filter_count ? JOB_KEY_USER : JOB_KEY_COUNT;
	wanted.days = summary->with_views; /* they say from when to when */
	if (site_groups_read(store, &wanted, add_to_total, adding, err) < 0)
		return -1;
	wanted.by = JOB_KEY_USER;
	wanted.days = false;
	wanted.names_only = true;
	return adding->now ? site_groups_read(store, &wanted, add_to_users, adding, err) : 0;
}

static int read_groups(struct database *store, struct adding *adding, struct job_groups *groups,
		       struct site_groups_wanted wanted, struct error *err)
{
	wanted.by = rollup_of(adding->summary, groups);
	wanted.days = needs_days(groups);
	adding->groups = groups;
	return site_groups_read(store, &wanted, add_to_groups, adding, err);
}

/* ---- both ---- */

/* Whole days come from the rollups, and what lies before and after them from the jobs' rows. */
static int read_period(struct database *store, struct jobs_summary *summary, const struct job_period *period,
		       struct error *err)
{
	int64_t since = period->since_us ? site_groups_midnight_after(period->since_us) : 0;
	int64_t until = period->until_us ? site_groups_midnight_before(period->until_us) : 0;
	const struct site_groups_wanted days = { .since_us = since, .until_us = until };
	struct adding adding = { .summary = summary, .now = period == &summary->period };

	if (until && until <= since)
		return read_rows(store, summary, period->since_us, period->until_us, err);
	if ((since > period->since_us && read_rows(store, summary, period->since_us, since, err) < 0) ||
	    (until < period->until_us && read_rows(store, summary, until, period->until_us, err) < 0) ||
	    read_total(store, &adding, days, err) < 0 ||
	    read_groups(store, &adding, adding.now ? &summary->groups : &summary->before, days, err) < 0)
		return -1;
	for (size_t i = 0; adding.now && summary->with_views && i < JOB_VIEWS; i++)
		if (read_groups(store, &adding, &summary->views[i], days, err) < 0)
			return -1;
	return 0;
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
