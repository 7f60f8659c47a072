/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/admit.h"

#include <stdio.h>

#define JOBS_MAX 4096 /* limits stintd's memory */
#define LOST_OPENS (sizeof(((struct lost_opens *)0)->names) / JOURNAL_NAME_MAX)

void admit_bad_message(const char *name, const char *why, void *data)
{
	struct collector *c = data;
	struct lost_opens *lost = &c->lost_opens;

	collector_log(LOG_WARNING, "stintd removed a damaged message from its journal: %s", why);
	snprintf(lost->names[lost->next++ % LOST_OPENS], JOURNAL_NAME_MAX, "%s", name);
}

/* Marks @job as found late if a journal file of @job was damaged. */
static void judge_lost(struct collector *c, struct job *job)
{
	struct lost_opens *lost = &c->lost_opens;

	for (size_t i = 0; i < LOST_OPENS; i++) {
		if (!journal_is_open_of(lost->names[i], job->about.job_id, job->about.node))
			continue;
		lost->names[i][0] = '\0';
		job->counting.late = true;
		snprintf(
			job->counting.late_why, sizeof(job->counting.late_why),
			"the collector was restarted, and what it had saved of a step was damaged: what that step or the whole job "
			"did is not known");
	}
}

struct job *admit_job(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);

	if (!job && c->jobs.count >= JOBS_MAX) {
		collector_log_user(message->uid, LOG_ERR, "job %u is not counted: stintd already counts %d jobs, and has no room for "
							  "more", message->job_id,
				   c->jobs.count);
		return NULL;
	}
	if (!job) {
		job = jobs__add(&c->jobs, message);
		if (job)
			judge_lost(c, job);
	}
	if (job)
		job__learn(job, message);
	else
		collector_log_user(message->uid, LOG_ERR, "job %u is not counted: out of memory", message->job_id);
	return job;
}
