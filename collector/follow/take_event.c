/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/take_event.h"

#include "collector/job/job_budget.h"
#include "collector/pressure_limit.h"

/*
 * Records a victim of the OOM killer. If the victim's job is not known, the event of the victim's end will name the
 * job.
 */
static void take_victim(struct collector *c, const struct event *event)
{
	struct job *job = event->job ? jobs__find_key(&c->jobs, event->job) : NULL;

	if (job)
		oom_add(&job->ooms, event);
	else if (!event->job)
		oom_wait(&c->oom_waiting, event->pid, event->end_ns);
}

/* Records the signal that ended the only process of the extern step. The parent of this process is slurmstepd. */
static void note_extern_end(struct job *job, const struct event *event)
{
	/* The search is fast, because the extern step is mostly the first step. */
	const struct job_step *step = job_find_step(job, STEP_EXTERN);

	if (step && step->cgroup == event->step && (uint32_t)step->stepd_pid == event->ppid)
		job->extern_step.signal = (int)(event->status & 0x7f);
}

static void take_image(struct collector *c, const struct event *event)
{
	struct job *job = jobs__find_key(&c->jobs, event->job);
	struct event victim;

	if (!job)
		return;
	if (job->extern_step.ends_job)
		note_extern_end(job, event);
	timeline_add(&job->timeline, event, budget_timeline(&c->jobs, job, c->conf.timeline_entries));
	progress_image_ended(&job->progress, event, c->conf.stall_s * 1000000000ull);
	if (oom_was_victim(&c->oom_waiting, event, &victim))
		oom_add_uncounted(&job->ooms, &victim);
}

void take_event(const struct event *event, void *data)
{
	struct collector *c = data;

	switch (event->kind) {
	case EVENT_SCAN:
		c->scan_wanted = true;
		break;
	case EVENT_RUSH:
		pressure_limit_rush(c, event->job);
		break;
	case EVENT_OOM:
		take_victim(c, event);
		break;
	case EVENT_IMAGE:
		take_image(c, event);
		break;
	}
}
