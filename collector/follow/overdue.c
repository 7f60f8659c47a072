/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/overdue.h"

#include <stdio.h>
#include <string.h>

#include "collector/close_job.h"
#include "collector/follow/end_job.h"
#include "collector/follow/follow.h"
#include "common/clock.h"

#define NS_PER_S 1000000000ull
#define LOOKS 10 /* checks until epilog_wait_s is over */
#define LOOK_MAX_NS (60 * NS_PER_S)

static bool step_lives(const struct collector *c, const struct job_step *step)
{
	return !step->end_ns && step->stepd_pid > 0 && cgroup_process_lives(&c->layout, step->stepd_pid, step->start_ns);
}

static bool has_processes(const struct collector *c, const struct job *job)
{
	struct totals totals;

	return job->key && programs__totals(c->programs, job->key, &totals) == 0 && totals.live > 0;
}

static bool has_living_steps(const struct collector *c, const struct job *job)
{
	for (uint32_t i = 0; i < job->step_count; i++)
		if (step_lives(c, &job->steps[i]))
			return true;
	return false;
}

static bool has_step_that_lasts(const struct job *job)
{
	return job_find_step(job, STEP_EXTERN) || job_find_step(job, STEP_BATCH);
}

static bool has_left(const struct collector *c, const struct job *job)
{
	return !has_living_steps(c, job) && (has_step_that_lasts(job) || job_continues(job)) && !has_processes(c, job);
}

static bool is_nothing(const struct job *job)
{
	return job->off && !job->step_count;
}

static void close_without_epilog(struct collector *c, struct job *job)
{
	if (job_mode(job, c->conf.mode) != CONTROL_MODE_OFF)
		collector_log_user(
			job->about.uid, LOG_WARNING,
			"job %u: no epilog came within %u s of its end, so stintd writes its report without one. Restart slurmd, if "
			"it was started before stint's line was in plugstack.conf",
			job->about.job_id, c->conf.epilog_wait_s);
	end_job_here(c, job, CONTROL_NO_EPILOG);
}

/*
 * Returns true if the extern step and all other steps are over. If the job may continue after its extern step, the
 * batch step must have run here, too.
 */
static bool is_over(const struct collector *c, const struct job *job)
{
	return job->extern_step.ends_job && job->extern_step.ended && job->phase == JOB_OPEN && !has_living_steps(c, job) &&
	       (!end_outlives_extern(job) || job_find_step(job, STEP_BATCH));
}

static bool any_is_over(const struct collector *c)
{
	for (const struct job *job = c->jobs.first; job; job = job->next)
		if (is_over(c, job))
			return true;
	return false;
}

void overdue_extern_ended(struct collector *c)
{
	struct job *next;

	if (!any_is_over(c))
		return;
	programs__drain(c->programs); /* first handles the event of the extern step's end */
	follow_notes(c); /* the notes are older */
	for (struct job *job = c->jobs.first; job; job = next) {
		next = job->next;
		if (!is_over(c, job))
			continue;
		if (!job->left_ns)
			job->left_ns = clock_ns(CLOCK_BOOTTIME);
		end_job_here(c, job, CONTROL_EXTERN_ENDED);
	}
}

static void close_without_a_word(struct collector *c, struct job *job)
{
	if (job_mode(job, c->conf.mode) != CONTROL_MODE_OFF)
		collector_log_user(
			job->about.uid, LOG_WARNING,
			"job %u: its extern step ended without a message: its slurmstepd was killed, or could not reach stintd",
			job->about.job_id);
	job->counting.late = true;
	snprintf(job->counting.late_why, sizeof(job->counting.late_why), "the job's extern step ended without a message");
	end_job_here(c, job, CONTROL_EXTERN_ENDED);
}

/*
 * Returns true if the job left the node half of epilog_wait_s ago. After epilog_wait_s, closes the job and returns
 * false.
 */
static bool look_at(struct collector *c, struct job *job, uint64_t now_ns)
{
	uint64_t wait_ns = c->conf.epilog_wait_s * NS_PER_S;

	if (job->phase != JOB_OPEN)
		return false;
	if (!has_left(c, job) && !is_nothing(job)) {
		job->left_ns = 0;
		return false;
	}
	if (!job->left_ns)
		job->left_ns = now_ns;
	if (now_ns - job->left_ns < wait_ns)
		return !is_nothing(job) && now_ns - job->left_ns >= wait_ns / 2;
	if (is_nothing(job))
		close_forget(c, job);
	else if (job_continues(job) || (job->extern_step.ends_job && job->extern_step.ended))
		end_job_here(c, job, CONTROL_EXTERN_ENDED);
	else if (job->extern_step.ends_job)
		close_without_a_word(c, job);
	else
		close_without_epilog(c, job);
	return false;
}

void overdue_tick(struct collector *c)
{
	uint64_t now_ns = clock_ns(CLOCK_BOOTTIME), pause_ns = c->conf.epilog_wait_s * NS_PER_S / LOOKS;
	struct job *next;

	if (now_ns < c->overdue_after_ns)
		return;
	c->overdue_after_ns = now_ns + (pause_ns < LOOK_MAX_NS ? pause_ns : LOOK_MAX_NS);
	c->counts.overdue = 0;
	for (struct job *job = c->jobs.first; job; job = next) {
		next = job->next;
		c->counts.overdue += look_at(c, job, now_ns);
	}
}
