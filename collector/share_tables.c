/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/share_tables.h"

#include "collector/collector.h"

/* Whether one of the open jobs that come before @end in the list is the user @uid's. */
static bool is_users(const struct collector *c, const struct job *end, uint32_t uid)
{
	for (const struct job *job = c->jobs.first; job && job != end; job = job->next)
		if (job->key && job->about.uid == uid)
			return true;
	return false;
}

static bool has_jobs(uint32_t uid, void *data)
{
	return is_users(data, NULL, uid);
}

void share_forget_users(struct collector *c)
{
	programs__forget_users(c->programs, has_jobs, c);
}

/* A job keeps the entries that it has; how many it may take changes as jobs and their tools come and go. */
void share_tables(struct collector *c, const struct job *more)
{
	struct table_use use = { .jobs = !!more, .users = more && !is_users(c, NULL, more->about.uid) };
	struct totals totals;
	struct error err;

	for (const struct job *job = c->jobs.first; job; job = job->next) {
		if (!job->key || programs__totals(c->programs, job->key, &totals) < 0)
			continue;
		use.jobs++;
		use.users += !is_users(c, job, job->about.uid);
		use.tools += totals.tools;
		use.files += totals.files;
		use.steps += job->step_count;
	}
	if (use.jobs && programs__share_tables(c->programs, &use, &err) < 0)
		collector_log(LOG_WARNING, "the shares of the kernel's tables could not be set: %s", err.text);
}
