/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job_budget.h"

struct budget {
	size_t all;
	size_t (*room)(const struct job *job);
	void (*shorten)(struct job *job, size_t max);
};

static size_t timeline_room(const struct job *job)
{
	return job->timeline.room;
}

static void shorten_timeline(struct job *job, size_t max)
{
	timeline_shorten(&job->timeline, max);
}

static size_t series_room(const struct job *job)
{
	return job->series.room;
}

static void shorten_series(struct job *job, size_t max)
{
	series_shorten(&job->series, max);
}

static const struct budget timelines = { BUDGET_TIMELINES, timeline_room, shorten_timeline };
static const struct budget series = { BUDGET_SERIES, series_room, shorten_series };

static size_t share_of(const struct budget *budget, const struct jobs *jobs, const struct job *job)
{
	size_t share = budget->all / jobs->user_count / job->user->jobs;

	return share > BUDGET_SHARE_MIN ? share : BUDGET_SHARE_MIN;
}

/*
 * Returns how many entries (or points) the job may have. @wanted: must be more than the job has room for now. If all
 * jobs together want too many, shortens each job that has more than its share.
 */
static size_t allow(const struct budget *budget, struct jobs *jobs, const struct job *job, size_t wanted)
{
	size_t share = share_of(budget, jobs, job), taken = wanted - budget->room(job);

	for (const struct job *each = jobs->first; each; each = each->next)
		taken += budget->room(each);
	if (taken <= budget->all)
		return wanted;
	for (struct job *each = jobs->first; each; each = each->next) {
		size_t most = share_of(budget, jobs, each);

		if (budget->room(each) > most)
			budget->shorten(each, most);
	}
	return share < wanted ? share : wanted;
}

size_t budget_timeline(struct jobs *jobs, struct job *job, size_t max)
{
	size_t wanted = timeline_room_wanted(&job->timeline);

	if (wanted > max)
		wanted = max;
	return wanted <= job->timeline.room ? job->timeline.room : allow(&timelines, jobs, job, wanted);
}

size_t budget_series(struct jobs *jobs, struct job *job)
{
	size_t wanted = series_room_wanted(&job->series);

	return wanted <= job->series.room ? job->series.room : allow(&series, jobs, job, wanted);
}
