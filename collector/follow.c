/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "collector/close_job.h"
#include "collector/host/systemd.h"
#include "collector/job/job_budget.h"
#include "collector/pressure_limit.h"
#include "collector/reply.h"
#include "collector/sample.h"
#include "common/clock.h"

#define KEPT_STEPS_MAX 256 /* of a job in the journal: the next stintd knows other steps by their totals alone */
#define JOBS_MAX 4096 /* open at a time: more than a node ever has, and it bounds stintd's memory */
#define BUILDERS_MAX 32 /* records that are built at a time */
#define SCAN_PAUSE_NS 50000000ull /* between two scans for threads that are not counted */
#define SURE_NS 1000000000ull /* a scan that only makes sure waits so long for others to ask for one */
#define SCAN_TIME_SHARE 9 /* parts of the time without a scan, for one part with it */
#define NEXT_ATTEMPT_NS 1000000000ull /* a requeued job is not back sooner */
/*
 * How long the last processes may take to go, once Slurm says that the job is over. On a busy node a dead process waits
 * for a processor, too. The epilog waits for 1.8 s.
 */
#define ENDING_MAX_NS 1000000000ull

static bool is_extern(const struct control_message *message)
{
	return message->step_id == JOB_STEP_EXTERN;
}

/*
 * Stops counting a job whose step says --stint=off. The job remembers that: should its
 * epilog say otherwise, the report says why there is nothing in it.
 */
static void stop_counting(struct collector *c, struct job *job)
{
	if (job->key)
		programs__forget(c->programs, job->key);
	memset(&job->cgroup, 0, sizeof(job->cgroup));
	job->key = 0;
	job->off = true;
}

/*
 * The plugin waits CONTROL_OPEN_WAIT_MS for a step to be counted, and not at all when stintd was away (@noted) or
 * died meanwhile. A step of a job that was not counted yet by then ran uncounted for a while.
 */
static void judge_late(struct job *job, const struct control_message *message, bool noted)
{
	uint64_t due = message->sent_ns + (noted ? 0 : CONTROL_OPEN_WAIT_MS * 1000000ull);
	char step[16];

	if (job->counting.late || is_extern(message) || job->counting.registered_ns <= due)
		return;
	job->counting.late = true;
	snprintf(
		job->counting.late_why, sizeof(job->counting.late_why),
		"collection began %.1f s after step %s did; what had ended by then is not among its processes and tools",
		(job->counting.registered_ns - message->sent_ns) / 1e9, job_step_name(message->step_id, step));
}

void follow_fill_kept(struct journal_message *kept, const struct job *job)
{
	kept->registered_ns = job->counting.registered_ns;
	kept->before_cpu_ns = job->counting.before_cpu_ns;
	kept->unseen = job->counting.unseen;
	/* What is to be found yet is not known to the next stintd, should this one be killed before. */
	kept->cpu_unknown = job->counting.cpu_unknown || job->counting.before == BEFORE_UNKNOWN;
	if (job->counting.late)
		memcpy(kept->late_why, job->counting.late_why, sizeof(kept->late_why));
}

static void keep(struct collector *c, const struct job *job, const struct control_message *message,
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
	follow_fill_kept(&kept, job);
	if (journal_write(c->run_fd, &kept, &err) < 0)
		collector_log_user(message->uid, LOG_WARNING, "job %u is not kept for a restart: %s", message->job_id,
				   err.text);
}

/* Appends a later message of a step to the journal. Where the step's begin is not there, neither is what follows. */
static void keep_more(struct collector *c, const struct job_step *step, const struct control_message *message)
{
	struct error err;

	if (!c->resuming && journal_append(c->run_fd, message, step->start_ns, &err) < 0 && errno != ENOENT)
		collector_log_user(message->uid, LOG_WARNING, "job %u is not kept for a restart: %s", message->job_id,
				   err.text);
}

struct job_step *follow_note_step(struct jobs *jobs, struct job *job, const struct control_message *message,
				  const struct cgroup_job *cgroup)
{
	struct job_step *step = job__step(job, message->step_id);

	if (!job->opened_ns) {
		job->opened_ns = message->sent_ns;
		job->opened_unix_ns = message->sent_unix_ns;
	}
	if (!step)
		return NULL;
	step->cgroup = cgroup->step_id;
	step->stepd_pid = message->open.task.stepd_pid;
	step->stepd_start_ns = cgroup->stepd_start_ns;
	if (cgroup->memory_step_id && !step->directory)
		step->directory = strdup(cgroup->step_name);
	if (!step->start_ns)
		step->start_ns = message->sent_ns;
	step->nodes = message->open.step_nodes;
	step->task_count = message->open.step_tasks;
	if (!is_extern(message))
		jobs__add_task(jobs, job, step, &message->open.task);
	return step;
}

#define LOST_OPENS (sizeof(((struct lost_opens *)0)->names) / JOURNAL_NAME_MAX)

/* Where a file of the journal of one of its steps could not be read, the job counts as one that was found late. */
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
			"what the collector had kept of a step was damaged when it was started again: what that step did, "
			"or the whole job, is not known");
	}
}

#define NO_ROOM "stintd has no room for one more job; its log says why"

struct job *follow_find_or_add(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);

	if (!job && c->jobs.count >= JOBS_MAX) {
		collector_log_user(message->uid, LOG_ERR, "job %u is not taken in: %d jobs are open", message->job_id,
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
		collector_log_user(message->uid, LOG_ERR, "job %u is not taken in: out of memory", message->job_id);
	return job;
}

/* Reads the cgroups of a step that begins. @step: NULL when there is no room for it. */
static void look_first(struct collector *c, struct job *job, struct job_step *step)
{
	struct cgroup_memory memory;

	if (!job->cpus[0])
		cgroup_cpus(&c->layout, job->cgroup.job_path, job->cpus, sizeof(job->cpus));
	sample_memory(c, job, &memory);
	if (step && job_step__is_open(step))
		sample_step(c, job, step);
}

/* Whether all steps of the job had ended some time before @ns (CLOCK_BOOTTIME). */
static bool had_ended(const struct job *job, uint64_t ns)
{
	for (uint32_t i = 0; i < job->step_count; i++)
		if (!job->steps[i].end_ns || job->steps[i].end_ns + NEXT_ATTEMPT_NS > ns)
			return false;
	return true;
}

/*
 * Where the extern step of a job has ended, another one is of its next attempt on this node: stintd was away in between, or
 * the job went on without that step. An extern step can also tell of itself later than the first other step does.
 */
static void close_former_attempt(struct collector *c, const struct control_message *message)
{
	struct job *job = is_extern(message) ? jobs__find(&c->jobs, message) : NULL;

	if (!job || !job->extern_step.ends_job ||
	    (!job->extern_step.ended && !(job_continues(job) && had_ended(job, message->sent_ns))))
		return;
	if (!job->left_ns)
		job->left_ns = message->sent_ns;
	follow_close(c, job, CONTROL_EXTERN_ENDED);
}

static void open_step(struct collector *c, const struct control_message *message, int reply_fd)
{
	const struct control_task *task = &message->open.task;
	struct job *job;
	static const struct cgroup_job none;
	struct cgroup_job cgroup = {};
	struct job_step *step;
	struct error err = { NO_ROOM };
	int status = -1;

	close_former_attempt(c, message);
	job = follow_find_or_add(c, message);
	if (!job) {
		reply_send(reply_fd, message->kind, -1, err.text);
		return;
	}
	if (job_mode(job, c->conf.mode) == CONTROL_MODE_OFF) {
		stop_counting(c, job);
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	job->off = false;
	if (cgroup_find(&c->layout, task->stepd_pid, task->pid, message->sent_ns,
			programs__settings(c->programs)->hierarchy_id, &cgroup, &err) == 0)
		status = follow_count_step(c, job, &cgroup, message, &err);
	if (status < 0 && !job->key)
		job->no_cgroup = err;
	step = follow_note_step(&c->jobs, job, message, status == 0 ? &cgroup : &none);
	judge_late(job, message, reply_fd < 0);
	/*
	 * The message goes to the journal before it is answered: a plugin that has an answer leaves no note for a
	 * later stintd. The rest of the work can wait.
	 */
	keep(c, job, message, status == 0 ? &cgroup : NULL);
	reply_send(reply_fd, message->kind, status, err.text);
	/* Of a script that Slurm could not start there is nothing to count. */
	if (status < 0 && task->pid)
		collector_log_user(message->uid, LOG_WARNING, "job %u: one of its steps is not counted: %s",
				   message->job_id, err.text);
	if (job->counting.before != BEFORE_FOUND && !c->starting && follow_before_find(c, job))
		keep(c, job, message, status == 0 ? &cgroup : NULL);
	look_first(c, job, step);
}

static void add_task(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	if (jobs__add_task(&c->jobs, job, step, &message->task))
		keep_more(c, step, message);
}

static void close_step(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	job__learn(job, message);
	step->end_ns = message->sent_ns;
	step->exit_status = message->step_close.exit_status;
	job->extern_step.ended |= is_extern(message);
	if (is_extern(message) && message->mode == CONTROL_MODE_OFF) /* that step has no option of a user's */
		job->about.mode = CONTROL_MODE_OFF;
	keep_more(c, step, message);
}

/*
 * Whether the epilog is answered as soon as the record is on the disk: then a node that is restarted loses nothing,
 * and it is free for the next job. Not where the job is requeued: once the epilog has ended, slurmctld would answer
 * questions about the job with its next attempt. Then the epilog's message has the number of that attempt.
 */
static bool is_last_attempt(const struct job *job, const struct control_message *message)
{
	uint32_t restarts = message->job_close.restart_count;

	return job->opened_ns && restarts != CONTROL_NONE && restarts == job->about.restart_count;
}

/* Counts a job that is closed. Returns false where it was closed already: then its report stays as it is. */
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
				"job %u: its epilog came after its report had been written without: the report stays",
				message->job_id);
			return false;
		}
	}
	counts->closed++;
	return true;
}

/*
 * The job has left the node. A job without an open step here gets a record, too: an
 * allocation in which no step ran.
 */
static void close_job(struct collector *c, const struct control_message *message, int reply_fd)
{
	struct job *job;
	struct error err;

	if (!note_close(c, message)) {
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	job = follow_find_or_add(c, message);
	if (!job) {
		reply_send(reply_fd, message->kind, -1, NO_ROOM);
		return;
	}
	/* The journal comes first: once the job is known to be closed, the plugin's note of the same is not read. */
	if (job_mode(job, c->conf.mode) != CONTROL_MODE_OFF)
		keep(c, job, message, NULL);
	jobs__note_closed(&c->jobs, message);
	if (journal_write_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log(LOG_WARNING, "which jobs were closed last is not kept for a restart: %s", err.text);
	if (job_mode(job, c->conf.mode) == CONTROL_MODE_OFF) {
		close_forget(c, job);
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	job->about.mode = job_mode(job, c->conf.mode);
	job_enter(job, JOB_CLOSES);
	if (job->counting.before == BEFORE_ROUGH && !c->starting) /* its cgroup goes, and the path can be that of its next attempt */
		job->counting.before = BEFORE_FOUND;
	job->closing.apart = c->resuming; /* whatever ended the stintd before, this one gets on with its other jobs */
	job->closing.no_epilog = message->job_close.closed_by == CONTROL_NO_EPILOG;
	job->closing.close_ns = message->sent_ns;
	job->closing.reply_fd = reply_fd;
	job->closing.reply_kept = is_last_attempt(job, message);
}

bool follow_outlives_extern(const struct job *job)
{
	return job->extern_step.signal && job->extern_step.signal != SIGTERM && job->extern_step.signal != SIGKILL;
}

/*
 * When the last of its steps ended; where one of them did not say so, when that was noticed. CLOCK_BOOTTIME, in ns. A job
 * that outlives its extern step has nothing more to say until now.
 */
static uint64_t end_of(const struct job *job)
{
	uint64_t end_ns = 0;

	if (follow_outlives_extern(job))
		return clock_ns(CLOCK_BOOTTIME);
	for (uint32_t i = 0; i < job->step_count; i++) {
		if (!job->steps[i].end_ns)
			return job->left_ns;
		if (job->steps[i].end_ns > end_ns)
			end_ns = job->steps[i].end_ns;
	}
	return end_ns ? end_ns : job->left_ns;
}

/* Makes the message that an epilog would have sent, of what is known here. */
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

void follow_close(struct collector *c, struct job *job, enum control_closed by)
{
	struct control_message message;

	fill_close(job, by, &message);
	close_job(c, &message, -1);
}

void follow_message(struct collector *c, const struct control_message *message, int reply_fd)
{
	switch (message->kind) {
	case CONTROL_OPEN:
		open_step(c, message, reply_fd);
		return;
	case CONTROL_TASK:
		add_task(c, message);
		break;
	case CONTROL_STEP_CLOSE:
		close_step(c, message);
		break;
	case CONTROL_JOB_CLOSE:
		close_job(c, message, reply_fd);
		return;
	}
	reply_send(reply_fd, message->kind, 0, "");
}

void follow_bad_message(const char *name, const char *why, void *data)
{
	struct collector *c = data;
	struct lost_opens *lost = &c->lost_opens;

	collector_log(LOG_WARNING, "a kept message is damaged and was removed: %s", why);
	snprintf(lost->names[lost->next++ % LOST_OPENS], JOURNAL_NAME_MAX, "%s", name);
}

static void take_note(const struct control_message *message, void *data)
{
	struct collector *c = data;

	if (c->starting)
		systemd_extend_start();
	if (!jobs__was_closed(&c->jobs, message))
		follow_message(c, message, -1);
}

void follow_notes(struct collector *c)
{
	journal_take_notes(c->run_fd, take_note, follow_bad_message, c);
}

/* Notes an OOM victim. Where the kernel programs could not identify its job, the event of its end will. */
static void take_victim(struct collector *c, const struct event *event)
{
	struct job *job = event->job ? jobs__find_key(&c->jobs, event->job) : NULL;

	if (job)
		oom_add(&job->ooms, event);
	else if (!event->job)
		oom_wait(&c->oom_waiting, event->pid, event->end_ns);
}

/* Notes what ended the one process that slurmstepd starts for an extern step. */
static void note_extern_end(struct job *job, const struct event *event)
{
	/* It mostly is the first of the job's steps, and images are many. */
	const struct job_step *step = job_find_step(job, JOB_STEP_EXTERN);

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

void follow_event(const struct event *event, void *data)
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

void follow_scan(struct collector *c)
{
	struct error err;

	if (programs__scan(c->programs, &err) < 0)
		collector_log(LOG_WARNING, "threads that are not counted could not be looked for: %s", err.text);
}

/*
 * Scans for threads that are not counted, if the kernel programs have reported any. One walk over all threads finds all
 * that were reported by then. Jobs can cause many such reports, so the walks take no more than a tenth of the time.
 * Returns whether a scan is still to be made.
 */
static bool look_for_threads(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_MONOTONIC), now;
	bool sure = c->scan_sure_ns && began >= c->scan_sure_ns;

	if ((!c->scan_wanted && !sure) || began < c->scan_after_ns)
		return c->scan_wanted;
	c->scan_wanted = false;
	c->scan_sure_ns = 0;
	follow_scan(c);
	now = clock_ns(CLOCK_MONOTONIC);
	c->scan_after_ns = now + SCAN_PAUSE_NS + (now - began) * SCAN_TIME_SHARE;
	return false;
}

static void start_close(struct collector *c, struct job *job)
{
	struct error err;

	programs__drain(c->programs);
	if (close_start(c, job, &err) == 0)
		return;
	collector_log_user(job->about.uid, LOG_ERR, "job %u: its report cannot be written: %s", job->about.job_id,
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
 * Whether the job's user has a share left of the children that put records into the spool. Where a record cannot be
 * kept, its child becomes the writer, and the user can hold that up.
 */
static bool has_share(const struct collector *c, const struct job *closing)
{
	int his = 0, all = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next) {
		if (job->phase != JOB_BUILDING)
			continue;
		all++;
		his += job->about.uid == closing->about.uid;
	}
	return deliver_has_share(his, all, BUILDERS_MAX);
}

void follow_make_sure(struct collector *c)
{
	if (!c->scan_sure_ns)
		c->scan_sure_ns = clock_ns(CLOCK_MONOTONIC) + SURE_NS;
}

static bool waits_for_builder(const struct job *job)
{
	return job->phase == JOB_ENDING ||
	       (job->phase == JOB_HELD && clock_ns(CLOCK_BOOTTIME) >= job->closing.next_try_ns);
}

bool follow_tick(struct collector *c, bool sample)
{
	struct job *job, *next;
	bool waiting = look_for_threads(c);

	waiting |= follow_find_waiting(c);

	for (job = c->jobs.first; job; job = next) {
		next = job->next;
		if (!waits_for_builder(job))
			continue;
		if (!has_ended(c, job))
			waiting = true;
		else if (has_share(c, job)) /* else this is called again when another child ends */
			start_close(c, job);
	}
	deliver_start(c);
	if (sample) {
		sample_jobs(c);
		pressure_limit_jobs(c);
	}
	return waiting;
}
