/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/site_summary.h"

#include <string.h>

#include "reports/groups/group_key.h"
#include "reports/groups/job_question.h"
#include "reports/groups/site_groups.h"

/* ---- rollups ---- */

/* Returns whether the rollups by @rollup have the value of @key. */
static bool is_in(enum job_key key, enum job_key rollup)
{
	const struct group_tables *tables = group_tables_by(key);

	return tables && tables->by == rollup;
}

/*
 * Returns the key of the rollups that have @groups; JOB_KEY_JOB_NAME if no rollups have them. With filters, only
 * rollups by JOB_KEY_USER can be used.
 */
static enum job_key rollup_of(const struct jobs_summary *summary, const struct job_groups *groups)
{
	enum job_key rollup = summary->filter_count ? JOB_KEY_USER : JOB_KEY_COUNT;

	for (size_t i = 0; i < JOB_KEYS_MAX; i++) {
		const struct group_tables *tables = group_tables_by(groups->by[i]);

		if (!tables || (tables->by != rollup && tables->by != JOB_KEY_COUNT && rollup != JOB_KEY_COUNT))
			return JOB_KEY_JOB_NAME;
		if (tables->by != JOB_KEY_COUNT)
			rollup = tables->by;
	}
	return rollup;
}

static bool rollups_have(const struct jobs_summary *summary, const struct job_groups *groups)
{
	return rollup_of(summary, groups) != JOB_KEY_JOB_NAME;
}

static bool rollups_can_say(const struct jobs_summary *summary)
{
	for (size_t i = 0; i < summary->filter_count; i++)
		if (!is_in(summary->filters[i].key, JOB_KEY_USER) && summary->filters[i].key != JOB_KEY_CLUSTER)
			return false;
	for (size_t i = 0; summary->with_views && i < JOB_VIEWS; i++)
		if (!rollups_have(summary, &summary->views[i]))
			return false;
	return rollups_have(summary, &summary->groups);
}

/* Returns whether @groups need days. Rollups of months are fewer, and the store keeps them longer. */
static bool needs_days(const struct job_groups *groups)
{
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (groups->by[i] == JOB_KEY_DAY || groups->by[i] == JOB_KEY_WEEK)
			return true;
	return false;
}

/* Where to add the groups of one kind of rollup. Each kind is read only once. */
struct adding {
	struct jobs_summary *summary;
	bool now; /* true for the period, false for the previous period */
	bool to_total, to_users;
	struct job_groups *groups[1 + JOB_VIEWS];
	size_t count;
};

static int add_to_total(const struct adding *adding, const struct job_row *who, const struct job_group *group,
			struct error *err)
{
	struct jobs_summary *summary = adding->summary;
	struct job_group copy = *group;

	if (!adding->now) { /* jobs_summary_add() does not count tools of the previous period either */
		copy.tool_runs = copy.tool_failures = copy.tool_cpu_ms = copy.tool_wall_ms = 0;
		return job_group_merge(&summary->total_before, &copy, 1, err);
	}
	if (!summary->first_us || who->end_us < summary->first_us)
		summary->first_us = who->end_us;
	if (who->end_us > summary->last_us)
		summary->last_us = who->end_us;
	return job_group_merge(&summary->total, group, 1, err);
}

static int add_to_groups(struct job_groups *groups, const struct job_row *who, const struct job_group *group,
			 struct error *err)
{
	struct job_group copy = *group;

	if (!job_groups_are_by(groups, JOB_KEY_TOOL))
		copy.tool_runs = copy.tool_failures = copy.tool_cpu_ms = copy.tool_wall_ms = 0;
	return job_groups_merge(groups, who, &copy, err);
}

static int add_group(void *context, const struct job_row *who, const struct job_group *group, struct error *err)
{
	static const struct job_group nothing;
	const struct adding *adding = context;
	struct jobs_summary *summary = adding->summary;

	if (!job_filters_pass(summary->filters, summary->filter_count, who))
		return 0;
	if ((adding->to_total && add_to_total(adding, who, group, err) < 0) ||
	    (adding->to_users && job_groups_merge(&summary->users, who, &nothing, err) < 0))
		return -1;
	for (size_t i = 0; i < adding->count; i++)
		if (add_to_groups(adding->groups[i], who, group, err) < 0)
			return -1;
	return 0;
}

static void want(struct adding *adding, struct job_groups *groups, const struct site_groups_wanted *wanted)
{
	if (rollup_of(adding->summary, groups) == wanted->by && needs_days(groups) == wanted->days)
		adding->groups[adding->count++] = groups;
}

static int read_rollup(struct database *store, struct jobs_summary *summary, bool now, struct site_groups_wanted wanted,
		       struct error *err)
{
	struct adding adding = { .summary = summary, .now = now };

	/* with views, make the total from days: the page for browsers shows the first and the last day */
	adding.to_total = wanted.by == (summary->filter_count ? JOB_KEY_USER : JOB_KEY_COUNT) && wanted.days == summary->with_views;
	/* months are enough to count users */
	adding.to_users = now && wanted.by == JOB_KEY_USER && !wanted.days;
	want(&adding, now ? &summary->groups : &summary->before, &wanted);
	for (size_t i = 0; now && summary->with_views && i < JOB_VIEWS; i++)
		want(&adding, &summary->views[i], &wanted);
	wanted.names_only = !adding.to_total && !adding.count;
	return wanted.names_only && !adding.to_users ? 0 : site_groups_read(store, &wanted, add_group, &adding, err);
}

static int read_rollups(struct database *store, struct jobs_summary *summary, bool now, int64_t since_us, int64_t until_us,
			struct error *err)
{
	struct site_groups_wanted wanted = { .since_us = since_us, .until_us = until_us };

	for (size_t i = 0; i < GROUP_TABLES; i++) {
		wanted.by = group_tables[i].by;
		for (int days = 0; days < 2; days++) {
			wanted.days = days;
			if (read_rollup(store, summary, now, wanted, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* ---- both ---- */

/* Reads whole days from the rollups. Parts of the first and the last day come from the jobs' rows. */
static int read_period(struct database *store, struct jobs_summary *summary, const struct job_period *period,
		       struct error *err)
{
	int64_t since = period->since_us ? site_groups_midnight_after(period->since_us) : 0;
	int64_t until = period->until_us ? site_groups_midnight_before(period->until_us) : 0;

	if (until && until <= since)
		return job_question_read(store, summary, period->since_us, period->until_us, err);
	if ((since > period->since_us && job_question_read(store, summary, period->since_us, since, err) < 0) ||
	    (until < period->until_us && job_question_read(store, summary, until, period->until_us, err) < 0))
		return -1;
	return read_rollups(store, summary, period == &summary->period, since, until, err);
}

int site_summary_read(struct database *store, struct jobs_summary *summary, bool *from_rows, struct error *err)
{
	bool previous = jobs_summary_has_previous(summary), seen;

	summary->each_once = true;
	if (site_groups_seen(store, &seen, err) < 0)
		return -1;
	summary->some_hidden = !seen;
	*from_rows = !seen || !rollups_can_say(summary);
	if (*from_rows)
		return job_question_read(store, summary, previous ? summary->previous.since_us : summary->period.since_us,
				 summary->period.until_us, err);
	if (previous && read_period(store, summary, &summary->previous, err) < 0)
		return -1;
	return read_period(store, summary, &summary->period, err);
}
