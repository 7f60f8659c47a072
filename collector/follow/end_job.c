/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/end_job.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "collector/close_job.h"
#include "collector/follow/admit.h"
#include "collector/follow/gpu_watch.h"
#include "collector/follow/keep.h"
#include "collector/reply.h"
#include "common/clock.h"

#define BUILDERS_MAX 32 /* children that build records at a time */
#define NEXT_ATTEMPT_NS 1000000000ull /* shortest time until a requeued job returns */
/* Longest time for the end of a job's last processes: even a killed process needs a CPU. The epilog waits for 1.8 s. */
#define ENDING_MAX_NS 1000000000ull

void end_step(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	job__learn(job, message);
	step->end_ns = message->sent_ns;
	step->exit_status = message->step_close.exit_status;
	job->extern_step.ended |= job_is_extern(message);
	/* An extern step has no option of its own, so CONTROL_MODE_OFF turns off the whole job. */
	if (job_is_extern(message) && message->mode == CONTROL_MODE_OFF)
		job->about.mode = CONTROL_MODE_OFF;
	keep_later(c, step, message);
}

/*
 * Returns true if this is the last attempt of the job. Its epilog then waits only until the record is on disk.
 *
 * The epilog of a requeued job must wait for the report. After that epilog, slurmctld answers only about the next
 * attempt.
 */
static bool is_last_attempt(const struct job *job, const struct control_message *message)
{
	uint32_t restarts = message->job_close.restart_count;

	return job->opened_ns && restarts != CONTROL_NONE && restarts == job->about.restart_count;
}

/* Returns false if the job was already closed without an epilog. Its report then stays as it is. */
static bool note_close(struct collector *c, const struct control_message *message)
{
	struct job_counts *counts = &c->counts;
	uint32_t closed_by = message->job_close.closed_by;

	if (closed_by == CONTROL_NO_EPILOG) {
		counts->closed_without_epilog++;
		counts->without_since_epilog++;
	} else {
		counts->without_since_epilog = 0;
		if (closed_by == CONTROL_BY_EPILOG && !jobs__find(&c->jobs, message) &&
		    jobs__was_overdue(&c->jobs, message)) {
			collector_log_user(
				message->uid, LOG_NOTICE,
				"job %u: its epilog came too late: its report had been written without the epilog, and stays as it is",
				message->job_id);
			return false;
		}
	}
	counts->closed++;
	return true;
}

void end_job(struct collector *c, const struct control_message *message, int reply_fd)
{
	struct job *job;
	struct error err;

	if (!note_close(c, message)) {
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	job = admit_job(c, message);
	if (!job) {
		reply_send(reply_fd, message->kind, -1, ADMIT_NO_ROOM);
		return;
	}
	/*
	 * This order is safe: once the list of closed jobs has the job, stintd ignores the plugin's note of this
	 * message.
	 */
	if (job_mode(job, c->conf.mode) != CONTROL_MODE_OFF)
		keep_message(c, job, message, NULL);
	jobs__note_closed(&c->jobs, message);
	if (journal_write_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log(LOG_WARNING, "stintd cannot save the list of recently closed jobs for a restart: %s", err.text);
	if (job_mode(job, c->conf.mode) == CONTROL_MODE_OFF) {
		close_forget(c, job);
		gpu_watch_closed(c);
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	job->about.mode = job_mode(job, c->conf.mode);
	job_enter(job, JOB_CLOSES);
	gpu_watch_closed(c);
	/* Do not search for more CPU time: the next attempt may get a cgroup of the same path. */
	if (job->counting.before == BEFORE_ROUGH && !c->starting)
		job->counting.before = BEFORE_FOUND;
	/* The job may have crashed the stintd that wrote the journal. Only a child should build its record. */
	job->closing.apart = c->resuming;
	job->closing.no_epilog = message->job_close.closed_by == CONTROL_NO_EPILOG;
	job->closing.close_ns = message->sent_ns;
	job->closing.reply_fd = reply_fd;
	job->closing.reply_kept = is_last_attempt(job, message);
}

bool end_outlives_extern(const struct job *job)
{
	return job->extern_step.signal && job->extern_step.signal != SIGTERM && job->extern_step.signal != SIGKILL;
}

/*
 * Returns when the last step ended, in ns of CLOCK_BOOTTIME. If this is not known, returns when the job left the node.
 */
static uint64_t end_of(const struct job *job)
{
	uint64_t end_ns = 0;

	if (end_outlives_extern(job))
		return clock_ns(CLOCK_BOOTTIME);
	for (uint32_t i = 0; i < job->step_count; i++) {
		if (!job->steps[i].end_ns)
			return job->left_ns;
		if (job->steps[i].end_ns > end_ns)
			end_ns = job->steps[i].end_ns;
	}
	return end_ns ? end_ns : job->left_ns;
}

/* Builds the message of a missing epilog. @by: why it is missing */
static void fill_close(const struct job *job, enum control_closed by, struct control_message *message)
{
	struct control_job_close *close = &message->job_close;
	const struct job_about *about = &job->about;

	memset(message, 0, sizeof(*message));
	message->magic = CONTROL_MAGIC;
	message->version = CONTROL_VERSION;
	message->kind = CONTROL_JOB_CLOSE;
	message->size = sizeof(*message);
	message->mode = about->mode;
	message->sent_ns = end_of(job);
	message->sent_unix_ns = message->sent_ns + clock_boot_to_unix_ns();
	message->job_id = about->job_id;
	message->step_id = CONTROL_NONE;
	message->uid = about->uid;
	message->gid = about->gid;
	snprintf(message->node, sizeof(message->node), "%s", about->node);
	close->closed_by = by;
	close->restart_count = about->restart_count;
	close->exit_status = close->derived_status = -1;
	snprintf(close->output, sizeof(close->output), "%s", about->output);
}

void end_job_here(struct collector *c, struct job *job, enum control_closed by)
{
	struct control_message message;

	fill_close(job, by, &message);
	end_job(c, &message, -1);
}

static bool had_ended(const struct job *job, uint64_t ns)
{
	for (uint32_t i = 0; i < job->step_count; i++)
		if (!job->steps[i].end_ns || job->steps[i].end_ns + NEXT_ATTEMPT_NS > ns)
			return false;
	return true;
}

/*
 * If the former extern step has ended, a new extern step belongs to the next attempt. stintd was not running when the
 * former attempt ended.
 *
 * If the job continued without its extern step, its steps must have ended long enough before the message. Otherwise the
 * extern step may belong to the same attempt, because it may report later than the first step of its attempt.
 */
void end_former_attempt(struct collector *c, const struct control_message *message)
{
	struct job *job = job_is_extern(message) ? jobs__find(&c->jobs, message) : NULL;

	if (!job || !job->extern_step.ends_job ||
	    (!job->extern_step.ended && !(job_continues(job) && had_ended(job, message->sent_ns))))
		return;
	if (!job->left_ns)
		job->left_ns = message->sent_ns;
	end_job_here(c, job, CONTROL_EXTERN_ENDED);
}

static void start_close(struct collector *c, struct job *job)
{
	struct error err;

	programs__drain(c->programs);
	if (close_start(c, job, &err) == 0)
		return;
	collector_log_user(job->about.uid, LOG_ERR, "job %u: stintd cannot write its report: %s", job->about.job_id,
			   err.text);
	reply_send(job->closing.reply_fd, CONTROL_JOB_CLOSE, -1, err.text);
	job->closing.reply_fd = -1;
	tally_add_forgotten(c->tally);
	close_forget(c, job);
}

static bool has_ended(struct collector *c, const struct job *job)
{
	struct totals totals;

	if (!job->key || clock_ns(CLOCK_BOOTTIME) > job->closing.close_ns + ENDING_MAX_NS)
		return true;
	return programs__totals(c->programs, job->key, &totals) < 0 || totals.live == 0;
}

/*
 * Returns true if the user may have one more child. If the spool has no room, the child writes the report as the user,
 * and the user can block this child.
 */
static bool has_share(const struct collector *c, const struct job *closing)
{
	int own = 0, all = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next) {
		if (job->phase != JOB_BUILDING)
			continue;
		all++;
		own += job->about.uid == closing->about.uid;
	}
	return deliver_has_share(own, all, BUILDERS_MAX);
}

static bool waits_for_builder(const struct job *job)
{
	return job->phase == JOB_ENDING ||
	       (job->phase == JOB_HELD && clock_ns(CLOCK_BOOTTIME) >= job->closing.next_try_ns);
}

bool end_tick(struct collector *c)
{
	struct job *job, *next;
	bool waiting = false;

	for (job = c->jobs.first; job; job = next) {
		next = job->next;
		if (!waits_for_builder(job))
			continue;
		if (!has_ended(c, job))
			waiting = true;
		else if (has_share(c, job)) /* try again after a child has ended */
			start_close(c, job);
	}
	return waiting;
}
