/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/keep.h"

#include <errno.h>
#include <string.h>

#include "collector/follow/admit.h"

#define KEPT_STEPS_MAX 256 /* steps of a job in the journal */

static void fill_kept(struct journal_message *kept, const struct job *job)
{
	kept->registered_ns = job->counting.registered_ns;
	kept->before_cpu_ns = job->counting.before_cpu_ns;
	kept->unseen = job->counting.unseen;
	/* The next stintd cannot find the missing CPU time, so mark it as unknown. */
	kept->cpu_unknown = job->counting.cpu_unknown || job->counting.before == BEFORE_UNKNOWN;
	if (job->counting.late)
		memcpy(kept->late_why, job->counting.late_why, sizeof(kept->late_why));
}

void keep_message(struct collector *c, const struct job *job, const struct control_message *message,
		  const struct cgroup_job *cgroup)
{
	struct journal_message kept = { .message = *message };
	struct error err;

	if (job->step_count > KEPT_STEPS_MAX && message->kind == CONTROL_OPEN)
		return;
	if (cgroup)
		kept.cgroup = *cgroup;
	else
		kept.no_cgroup = job->no_cgroup;
	fill_kept(&kept, job);
	if (journal_write(c->run_fd, &kept, &err) < 0)
		collector_log_user(message->uid, LOG_WARNING, "job %u: stintd cannot save it for a restart: %s", message->job_id,
				   err.text);
}

void keep_later(struct collector *c, const struct job_step *step, const struct control_message *message)
{
	struct error err;

	if (!c->resuming && journal_append(c->run_fd, message, step->start_ns, &err) < 0 && errno != ENOENT)
		collector_log_user(message->uid, LOG_WARNING, "job %u: stintd cannot save it for a restart: %s", message->job_id,
				   err.text);
}

/*
 * Returns the job of a message in the journal. This is the job that is being closed, if the message was sent before its
 * close; otherwise the open job.
 */
static struct job *job_of_kept(struct collector *c, const struct control_message *message)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->phase != JOB_OPEN && job->about.job_id == message->job_id && message->sent_ns <= job->closing.close_ns &&
		    strcmp(job->about.node, message->node) == 0)
			return job;
	return jobs__find(&c->jobs, message);
}

/* Saves a message again if stintd has learned about its job. */
static void keep_again(const struct journal_message *kept, void *data)
{
	struct collector *c = data;
	struct job *job = job_of_kept(c, &kept->message);
	struct journal_message fresh = *kept;
	struct error err;

	if (!job || !kept->cgroup.job_id ||
	    (!job->counting.anew && job->counting.unseen == kept->unseen && job->counting.cpu_unknown == kept->cpu_unknown &&
	     job->counting.before_cpu_ns == kept->before_cpu_ns))
		return;
	fill_kept(&fresh, job);
	if (journal_write(c->run_fd, &fresh, &err) < 0)
		collector_log_user(job->about.uid, LOG_WARNING, "job %u: stintd cannot save it for a restart: %s",
				   job->about.job_id, err.text);
}

void keep_found(struct collector *c)
{
	journal_read(c->run_fd, keep_again, admit_bad_message, c);
}
