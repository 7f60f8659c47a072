/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/end_job.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "collector/close_job.h"
#include "collector/follow/admit.h"
#include "collector/follow/keep.h"
#include "collector/reply.h"
#include "common/clock.h"

#define BUILDERS_MAX 32 /* the most records that children build at the same time */
#define NEXT_ATTEMPT_NS 1000000000ull /* the shortest time after which a requeued job can return */
/*
 * How long the last processes may take to end after Slurm says that the job is over. This is long because even a dead
 * process waits for a CPU on a busy node. The epilog itself waits for 1.8 s.
 */
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
	/* An extern step cannot have a user's option, so the whole job is off. */
	if (job_is_extern(message) && message->mode == CONTROL_MODE_OFF)
		job->about.mode = CONTROL_MODE_OFF;
	keep_later(c, step, message);
}

/*
 * Returns true if the epilog can be answered as soon as the record is on disk. Then a restart of the node loses
 * nothing, and the node is free for the next job.
 *
 * Returns false if the job is requeued, so that the epilog waits for the report. This is necessary because slurmctld
 * answers questions about the job with its next attempt as soon as the epilog ends. The message of such an epilog has
 * the number of the next attempt.
 */
static bool is_last_attempt(const struct job *job, const struct control_message *message)
{
	uint32_t restarts = message->job_close.restart_count;

	return job->opened_ns && restarts != CONTROL_NONE && restarts == job->about.restart_count;
}

/*
 * Counts a closed job. Returns false if the job was already closed without an epilog. The report then stays unchanged.
 */
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

/*
 * Handles a job that has left the node. A job without an open step here also gets a record, of an allocation in which
 * no step ran.
 */
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
	 * Write the message to the journal before the list of closed jobs, because stintd ignores the plugin's note of
	 * this message as soon as the list has the job.
	 */
	if (job_mode(job, c->conf.mode) != CONTROL_MODE_OFF)
		keep_message(c, job, message, NULL);
	jobs__note_closed(&c->jobs, message);
	if (journal_write_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log(LOG_WARNING, "stintd cannot save the list of recently closed jobs for a restart: %s", err.text);
	if (job_mode(job, c->conf.mode) == CONTROL_MODE_OFF) {
		close_forget(c, job);
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	job->about.mode = job_mode(job, c->conf.mode);
	job_enter(job, JOB_CLOSES);
	/*
	 * Keep the rough value, because the job's cgroup disappears, and its next attempt may have a cgroup with the
	 * same path.
	 */
	if (job->counting.before == BEFORE_ROUGH && !c->starting)
		job->counting.before = BEFORE_FOUND;
	/*
	 * If the close message comes from the journal, let a separate child build the record. If this job made the
	 * former stintd end, only the child ends, and this stintd continues with its other jobs.
	 */
	job->closing.apart = c->resuming;
	job->closing.no_epilog = message->job_close.closed_by == CONTROL_NO_EPILOG;
	job->closing.close_ns = message->sent_ns;
	job->closing.reply_fd = reply_fd;
	job->closing.reply_kept = is_last_attempt(job, message);
}

/* ---- a job that no epilog ends ---- */

bool end_outlives_extern(const struct job *job)
{
	return job->extern_step.signal && job->extern_step.signal != SIGTERM && job->extern_step.signal != SIGKILL;
}

/*
 * Returns when the last step of the job ended, in ns of CLOCK_BOOTTIME. If a step did not report its end, returns when
 * stintd noticed that the job had left the node. A job that continues after its extern step ends now.
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

/* Builds the message that an epilog would have sent, from the data that stintd has. @by: why there is no epilog */
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

/* Returns true if all steps of the job had ended at least NEXT_ATTEMPT_NS before @ns (CLOCK_BOOTTIME). */
static bool had_ended(const struct job *job, uint64_t ns)
{
	for (uint32_t i = 0; i < job->step_count; i++)
		if (!job->steps[i].end_ns || job->steps[i].end_ns + NEXT_ATTEMPT_NS > ns)
			return false;
	return true;
}

/*
 * Closes the former attempt if a new extern step begins after the former extern step has ended, because it belongs to
 * the job's next attempt on this node. This happens if no stintd ran in between. Also closes it if the job had
 * continued without its extern step, and all its steps had ended long enough before. It must check when the steps
 * ended, because an extern step may report later than the first other step of the same attempt.
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

/* ---- its record ---- */

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
 * Returns true if the job's user may have one more child that writes a record to the spool. The number is limited
 * because a child writes the report as the user if the record cannot be spooled, and the user can block that.
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
		else if (has_share(c, job)) /* otherwise wait for the end of another child */
			start_close(c, job);
	}
	return waiting;
}
