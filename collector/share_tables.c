/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/share_tables.h"

#include "collector/collector.h"

static bool has_jobs(uint32_t uid, void *data)
{
	const struct collector *c = data;

	for (const struct job *job = c->jobs.first; job; job = job->next)
		if (job->key && job->about.uid == uid)
			return true;
	return false;
}

void share_forget_users(struct collector *c)
{
	programs__forget_users(c->programs, has_jobs, c);
}

static void count(struct table_use *use, struct job_user *user)
{
	use->jobs++;
	use->users += !user->counted++;
}

static void count_all(struct collector *c, const struct job *more, struct table_use *use)
{
	struct totals totals;

	for (struct job_user *user = c->jobs.users; user; user = user->next)
		user->counted = 0;
	for (const struct job *job = c->jobs.first; job; job = job->next) {
		if (!job->key || programs__totals(c->programs, job->key, &totals) < 0)
			continue;
		count(use, job->user);
		use->tools += totals.tools;
		use->files += totals.files;
		use->containers += totals.containers;
		use->gpu_files += totals.gpu_files;
		use->steps += job->step_count;
	}
	if (more)
		count(use, more->user);
}

/* A job keeps all its entries, even above the new limit. The limit is only for new entries. */
void share_tables(struct collector *c, const struct job *more)
{
	struct table_use use = {};
	struct error err;
	int status;

	count_all(c, more, &use);
	status = use.jobs ? programs__share_tables(c->programs, &use, &err) : 0;
	for (const struct job_user *user = c->jobs.users; user && status == 0; user = user->next)
		if (user->counted)
			status = programs__share_of_user(c->programs, &use, user->uid, user->counted, &err);
	if (status < 0)
		collector_log(LOG_WARNING, "cannot set the users' shares of stint's BPF maps: %s", err.text);
}
