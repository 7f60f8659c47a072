/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collector/budget.h"
#include "collector/clock.h"
#include "collector/close.h"
#include "collector/keep.h"
#include "collector/live.h"
#include "collector/sample.h"

#define KEPT_STEPS_MAX 256 /* of a job: a new stintd knows the others by their totals alone */
#define JOBS_MAX 4096 /* open at a time: a node never has as many, and what each takes here is bounded */
#define WRITERS_MAX 32 /* reports in the making at a time */
#define ENDING_MAX_NS 500000000ull /* how long the last processes may take to go, once Slurm says that the job is over */

static bool is_extern(const struct control_message *message)
{
	return message->step_id == JOB_STEP_EXTERN;
}

enum control_mode follow_mode(const struct collector *c, const struct job *job)
{
	static const enum control_mode by_conf[] = {
		[CONF_MODE_OFF] = CONTROL_MODE_OFF,
		[CONF_MODE_SUMMARY] = CONTROL_MODE_SUMMARY,
		[CONF_MODE_TIMELINE] = CONTROL_MODE_TIMELINE,
	};

	return job->about.mode == CONTROL_MODE_DEFAULT ? by_conf[c->conf.mode] : job->about.mode;
}

/*
 * Stops counting a job whose step says --stint=off. It is remembered: should its
 * epilog say otherwise, the report tells why there is nothing in it.
 */
static void stop_counting(struct collector *c, struct job *job)
{
	if (job->key)
		programs__forget(c->programs, job->key);
	memset(&job->cgroup, 0, sizeof(job->cgroup));
	job->key = 0;
	job->off = true;
}

static int choose_hierarchy(struct collector *c, const struct cgroup_job *cgroup, struct error *err)
{
	if (programs__settings(c->programs)->hierarchy_id >= 0)
		return 0;
	return programs__set_hierarchy(c->programs, cgroup->hierarchy_id, cgroup->controller,
				       cgroup->memory_hierarchy_id, err);
}

/*
 * The plugin waits CONTROL_OPEN_WAIT_MS for a step to be counted, and not at all when stintd was away (@noted) or
 * died meanwhile. A step of a job that was not counted yet by then ran uncounted for a while.
 */
static void judge_late(struct job *job, const struct control_message *message, bool noted)
{
	uint64_t due = message->sent_ns + (noted ? 0 : CONTROL_OPEN_WAIT_MS * 1000000ull);
	char step[16];

	if (job->late || is_extern(message) || job->registered_ns <= due)
		return;
	job->late = true;
	snprintf(job->late_why, sizeof(job->late_why),
		 "collection began %.1f s after step %s did; what had ended by then is not among its processes and tools",
		 (job->registered_ns - message->sent_ns) / 1e9, job_step_name(message->step_id, step));
}

/*
 * Makes the places where the kernel programs add up a job and one of its steps. *@existed: the job's was there.
 * Without its own the job cannot be counted. What else finds no place is missing in the record, which says so.
 */
static int make_totals(struct collector *c, const struct job *job, uint64_t key, const struct cgroup_job *cgroup,
		       bool extern_step, bool *existed, struct error *err)
{
	struct error why;

	if (programs__add_job(c->programs, key, cgroup->job_id, existed, err) < 0)
		return -1;
	if (cgroup->memory_job_id)
		programs__add_memory(c->programs, cgroup->memory_job_id, key, key, &why);
	/* One job must not fill the maps for all: beyond as many steps, their sums are in the job's alone. */
	if (job->step_count >= JOB_STEPS_MAX)
		return 0;
	programs__add_step(c->programs, key, cgroup->step_id, extern_step, &why);
	if (cgroup->memory_job_id)
		programs__add_memory(c->programs, cgroup->memory_step_id, key, cgroup->step_id, &why);
	return 0;
}

/* What the kernel programs have counted, or found to have been used by processes that will be counted when they end. */
static uint64_t counted_cpu_ns(struct collector *c, uint64_t key)
{
	struct totals totals;

	return programs__totals(c->programs, key, &totals) < 0 ? 0 : totals.found_cpu_ns + totals.use[USE_CPU];
}

/*
 * Looks for what is in the cgroup already; what comes later tells of itself. CPU
 * time that the cgroup @path, new to us, had used before, by processes that are
 * gone, is added to the job's: nothing else would tell of it.
 */
static int scan_new(struct collector *c, struct job *job, const char *path, struct error *err)
{
	uint64_t before = counted_cpu_ns(c, job->key), found;
	int64_t used;

	if (programs__scan(c->programs, err) < 0)
		return -1;
	used = cgroup_cpu_ns(&c->layout, path);
	found = counted_cpu_ns(c, job->key) - before;
	if (used > 0 && (uint64_t)used > found)
		job->before_cpu_ns += used - found;
	return 0;
}

static bool is_below(const char *path, const char *above)
{
	size_t length = strlen(above);

	return strncmp(path, above, length) == 0 && path[length] == '/';
}

/* A cgroup is one job's: one that is another's, or above or below such a one, was told of wrongly. */
static int check_owner(const struct collector *c, const struct job *job, const struct cgroup_job *cgroup,
		       struct error *err)
{
	for (const struct job *other = c->jobs.first; other; other = other->next)
		if (other != job && other->key && !other->closing &&
		    (other->cgroup.job_id == cgroup->job_id || is_below(other->cgroup.job_path, cgroup->job_path) ||
		     is_below(cgroup->job_path, other->cgroup.job_path)))
			return error_set(err, "the cgroup that it told of is of job %u", other->about.job_id);
	return 0;
}

/* One of the later cgroups of a job found no place: what runs in it is not counted. */
static void miss_step(struct job *job, const struct control_message *message, const struct error *why)
{
	char step[16];

	if (!job->key || job->late)
		return;
	job->late = true;
	snprintf(job->late_why, sizeof(job->late_why), "step %s was not counted: %.200s",
		 job_step_name(message->step_id, step), why->text);
}

static int count_step(struct collector *c, struct job *job, const struct cgroup_job *cgroup,
		      const struct control_message *message, struct error *err)
{
	uint64_t key = job->key ? job->key : cgroup->job_id;
	bool fresh = job->cgroup.job_id != cgroup->job_id;
	struct error why;
	bool existed;

	if (check_owner(c, job, cgroup, err) < 0 || choose_hierarchy(c, cgroup, err) < 0)
		return -1;
	if (programs__learn_stepd(c->programs, message->stepd_pid, &why) < 0)
		collector_log("%s", why.text);
	if (make_totals(c, job, key, cgroup, is_extern(message), &existed, err) < 0) {
		miss_step(job, message, err);
		return -1;
	}
	if (!fresh)
		return programs__scan(c->programs, err);
	job->key = key;
	job->cgroup = *cgroup;
	job->registered_ns = clock_ns(CLOCK_BOOTTIME);
	series_begin(&job->series, job->registered_ns);
	return scan_new(c, job, cgroup->job_path, err);
}

/* What the next stintd is to know of @job itself. */
static void fill_kept(struct kept_message *kept, const struct job *job)
{
	kept->registered_ns = job->registered_ns;
	kept->before_cpu_ns = job->before_cpu_ns;
	kept->unseen = job->unseen;
	if (job->late)
		memcpy(kept->late_why, job->late_why, sizeof(kept->late_why));
}

static void keep(struct collector *c, const struct job *job, const struct control_message *message,
		 const struct cgroup_job *cgroup)
{
	struct kept_message kept = { .message = *message };
	struct error err;

	if (job->step_count > KEPT_STEPS_MAX)
		return;
	if (cgroup)
		kept.cgroup = *cgroup;
	else
		kept.no_cgroup = job->no_cgroup;
	fill_kept(&kept, job);
	if (keep_write(c->run_fd, &kept, &err) < 0)
		collector_log("job %u is not kept for a restart: %s", message->job_id, err.text);
}

static void note_step(struct job *job, const struct control_message *message, uint64_t cgroup)
{
	struct job_step *step = job__step(job, message->step_id);

	if (!job->opened_ns) {
		job->opened_ns = message->sent_ns;
		job->opened_unix_ns = message->sent_unix_ns;
	}
	if (!step)
		return;
	step->cgroup = cgroup;
	if (!step->start_ns)
		step->start_ns = message->sent_ns;
	step->nodes = message->step_nodes;
	step->task_count = message->step_tasks;
	if (!is_extern(message))
		job_step__add_task(step, message->task_rank, message->task_pid);
}

#define NO_ROOM "stintd has no room for one more job; its log says why"

static struct job *find_or_add(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);

	if (!job && c->jobs.count >= JOBS_MAX) {
		collector_log("job %u is not taken in: %d jobs are open", message->job_id, c->jobs.count);
		return NULL;
	}
	if (!job)
		job = jobs__add(&c->jobs, message);
	if (job)
		job__learn(job, message);
	else
		collector_log("job %u: out of memory", message->job_id);
	return job;
}

static void open_step(struct collector *c, const struct control_message *message, int reply_fd)
{
	struct job *job = find_or_add(c, message);
	struct cgroup_job cgroup = {};
	struct cgroup_memory memory;
	struct error err = { NO_ROOM };
	int status = -1;

	if (!job) {
		close_reply(reply_fd, message->kind, -1, err.text);
		return;
	}
	if (follow_mode(c, job) == CONTROL_MODE_OFF) {
		stop_counting(c, job);
		close_reply(reply_fd, message->kind, 0, "");
		return;
	}
	job->off = false;
	if (cgroup_find(&c->layout, message->stepd_pid, message->task_pid, message->sent_ns,
			programs__settings(c->programs)->hierarchy_id, &cgroup, &err) == 0)
		status = count_step(c, job, &cgroup, message, &err);
	if (status < 0 && !job->key)
		job->no_cgroup = err;
	note_step(job, message, status == 0 ? cgroup.step_id : 0);
	judge_late(job, message, reply_fd < 0);
	/* Kept first: who has an answer tells it to no later stintd. The rest of the work can wait. */
	keep(c, job, message, status == 0 ? &cgroup : NULL);
	close_reply(reply_fd, message->kind, status, err.text);
	if (status < 0)
		collector_log("job %u: %s", message->job_id, err.text);
	if (!job->cpus[0])
		cgroup_cpus(&c->layout, job->cgroup.job_path, job->cpus, sizeof(job->cpus));
	sample_memory(c, job, &memory);
}

static void add_task(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	job_step__add_task(step, message->task_rank, message->task_pid);
	if (step->tasks_here <= KEPT_STEPS_MAX)
		keep(c, job, message, NULL);
}

static void close_step(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	job__learn(job, message);
	step->end_ns = message->sent_ns;
	step->exit_status = message->exit_status;
	keep(c, job, message, NULL);
}

/*
 * The job has left the node. One that opened nothing here gets its record too:
 * an allocation in which no step ran.
 */
static void close_job(struct collector *c, const struct control_message *message, int reply_fd)
{
	struct job *job = find_or_add(c, message);
	struct error err;

	if (!job) {
		close_reply(reply_fd, message->kind, -1, NO_ROOM);
		return;
	}
	/* Kept first: once it is known to be closed, the plugin's note of the same is not read. */
	if (follow_mode(c, job) != CONTROL_MODE_OFF)
		keep(c, job, message, NULL);
	jobs__note_closed(&c->jobs, message);
	if (keep_write_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log("%s", err.text);
	if (follow_mode(c, job) == CONTROL_MODE_OFF) {
		close_forget(c, job);
		close_reply(reply_fd, message->kind, 0, "");
		return;
	}
	job->about.mode = follow_mode(c, job);
	job->closing = true;
	job->close_ns = message->sent_ns;
	job->reply_fd = reply_fd;
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
	close_reply(reply_fd, message->kind, 0, "");
}

/* An open step that an earlier stintd was counting: its cgroup is known, whether or not it is still there. */
static void resume_step(struct collector *c, const struct kept_message *kept)
{
	struct job *job = find_or_add(c, &kept->message);
	bool existed = true;
	struct error err;

	if (!job)
		return;
	note_step(job, &kept->message, kept->cgroup.step_id);
	if (!kept->cgroup.job_id) {
		job->no_cgroup = kept->no_cgroup;
		return;
	}
	if (!job->key)
		job->key = kept->cgroup.job_id;
	if (choose_hierarchy(c, &kept->cgroup, &err) < 0 ||
	    make_totals(c, job, job->key, &kept->cgroup, is_extern(&kept->message), &existed, &err) < 0)
		collector_log("job %u: %s", kept->message.job_id, err.text);
	job->cgroup = kept->cgroup;
	job->registered_ns = kept->registered_ns;
	job->before_cpu_ns = kept->before_cpu_ns;
	job->unseen |= kept->unseen;
	if (kept->late_why[0]) {
		job->late = true;
		memcpy(job->late_why, kept->late_why, sizeof(job->late_why));
	}
	series_begin(&job->series, job->registered_ns);
	if (!existed && !job->anew) {
		const char *why;

		programs__replaced(c->programs, &why);
		job->late = job->anew = true;
		snprintf(job->late_why, sizeof(job->late_why),
			 "the collector was started anew in mid-job and could not take over what it had counted%s%.120s",
			 *why ? ": " : "", why);
	}
	if (!job->cpus[0])
		cgroup_cpus(&c->layout, job->cgroup.job_path, job->cpus, sizeof(job->cpus));
}

static void resume_one(const struct kept_message *kept, void *data)
{
	struct collector *c = data;

	bool told = kept->cgroup.job_id || kept->no_cgroup.text[0];

	/* What an earlier version kept tells no cgroup: it is looked for, as for a step that nobody has told of yet. */
	if (kept->message.kind == CONTROL_OPEN && told)
		resume_step(c, kept);
	else
		follow_message(c, &kept->message, -1);
}

static void bad_message(const char *name, void *data)
{
	(void)data;
	collector_log("a kept message is damaged and was removed: %s", name);
}

static void take_note(const struct control_message *message, void *data)
{
	struct collector *c = data;

	if (!jobs__was_closed(&c->jobs, message))
		follow_message(c, message, -1);
}

void follow_notes(struct collector *c)
{
	keep_take_notes(c->run_fd, take_note, bad_message, c);
}

static bool is_open(uint64_t key, void *data)
{
	struct collector *c = data;

	return jobs__find_key(&c->jobs, key) != NULL;
}

/*
 * Programs were replaced while the job ran. CPU time of threads that ended between the two, which nobody counted, is
 * known by the job's cgroup. It is read before the threads are: what they use meanwhile is not taken for that.
 */
static void find_unseen_cpu(struct collector *c, const struct job *job)
{
	uint64_t counted, unseen = 0;
	struct error err;

	for (int i = 0; i < 4; i++) {
		int64_t used = cgroup_cpu_ns(&c->layout, job->cgroup.job_path);

		if (used < 0 || programs__cpu_ns(c->programs, job->key, &counted, &err) < 0)
			return;
		counted += job->before_cpu_ns;
		if ((uint64_t)used > counted && used - counted > unseen)
			unseen = used - counted;
	}
	if (unseen && programs__give(c->programs, job->key, unseen, 0, &err) < 0)
		collector_log("job %u: %s", job->about.job_id, err.text);
}

/* What was taken over is counted already, what of it was not is looked for; of what is counted anew, all. */
static void resume_job(struct collector *c, struct job *job)
{
	const char *why;
	struct error err;

	if (job->anew)
		job->before_cpu_ns = 0;
	else if (!live_take(c->run_fd, job))
		job->unseen = true;
	if ((job->anew ? scan_new(c, job, job->cgroup.job_path, &err) : programs__scan(c->programs, &err)) < 0)
		collector_log("job %u: %s", job->about.job_id, err.text);
	if (!job->anew && programs__replaced(c->programs, &why))
		find_unseen_cpu(c, job);
}

/* The job that a kept message is of: one that is being closed, up to its close, or the one that is open. */
static struct job *job_of_kept(struct collector *c, const struct control_message *message)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->closing && job->about.job_id == message->job_id && message->sent_ns <= job->close_ns &&
		    strcmp(job->about.node, message->node) == 0)
			return job;
	return jobs__find(&c->jobs, message);
}

/* The next stintd is to know what this one has found out. */
static void keep_again(const struct kept_message *kept, void *data)
{
	struct collector *c = data;
	struct job *job = job_of_kept(c, &kept->message);
	struct kept_message fresh = *kept;
	struct error err;

	if (!job || !kept->cgroup.job_id || (!job->anew && job->unseen == kept->unseen))
		return;
	fill_kept(&fresh, job);
	if (keep_write(c->run_fd, &fresh, &err) < 0)
		collector_log("job %u is not kept for a restart: %s", job->about.job_id, err.text);
}

void follow_resume(struct collector *c)
{
	keep_read_closed(c->run_fd, &c->jobs);
	keep_read(c->run_fd, resume_one, bad_message, c);
	programs__forget_unknown(c->programs, is_open, c);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key)
			resume_job(c, job);
	keep_read(c->run_fd, keep_again, bad_message, c);
	live_clear(c->run_fd);
	follow_notes(c);
}

void follow_hand_over(struct collector *c)
{
	struct error err;

	programs__drain(c->programs);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key && !job->writer_pid && live_write(c->run_fd, job, &err) < 0)
			collector_log("job %u: what was seen of it is lost: %s", job->about.job_id, err.text);
}

/* Of one whose job the kernel programs could not tell, its end does. */
static void take_victim(struct collector *c, const struct event *event)
{
	struct job *job = event->job ? jobs__find_key(&c->jobs, event->job) : NULL;

	if (job)
		oom_add(&job->ooms, event);
	else if (!event->job)
		oom_wait(&c->oom_waiting, event->pid, event->end_ns);
}

static void take_image(struct collector *c, const struct event *event)
{
	struct job *job = jobs__find_key(&c->jobs, event->job);
	struct event victim;

	if (!job)
		return;
	timeline_add(&job->timeline, event, budget_timeline(&c->jobs, job, c->conf.timeline_entries));
	progress_image_ended(&job->progress, event, c->conf.stall_s * 1000000000ull);
	if (oom_was_victim(&c->oom_waiting, event, &victim))
		oom_add_uncounted(&job->ooms, &victim);
}

void follow_event(const struct event *event, void *data)
{
	struct collector *c = data;
	struct error err;

	switch (event->kind) {
	case EVENT_SCAN:
		if (programs__scan(c->programs, &err) < 0)
			collector_log("%s", err.text);
		break;
	case EVENT_OOM:
		take_victim(c, event);
		break;
	case EVENT_IMAGE:
		take_image(c, event);
		break;
	}
}

static void start_close(struct collector *c, struct job *job)
{
	struct error err;

	programs__drain(c->programs);
	if (close_start(c, job, &err) == 0)
		return;
	collector_log("job %u: its report cannot be written: %s", job->about.job_id, err.text);
	close_reply(job->reply_fd, CONTROL_JOB_CLOSE, -1, err.text);
	job->reply_fd = -1;
	close_forget(c, job);
}

static bool has_ended(struct collector *c, const struct job *job)
{
	struct totals totals;

	if (!job->key || clock_ns(CLOCK_BOOTTIME) > job->close_ns + ENDING_MAX_NS)
		return true;
	return programs__totals(c->programs, job->key, &totals) < 0 || totals.live == 0;
}

static int count_writers(const struct collector *c)
{
	int count = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next)
		count += job->writer_pid != 0;
	return count;
}

bool follow_tick(struct collector *c, bool sample)
{
	struct job *job, *next;
	int writers = count_writers(c);
	bool waiting = false;

	for (job = c->jobs.first; job; job = next) {
		next = job->next;
		if (!job->closing || job->writer_pid || (job->next_try_ns && clock_ns(CLOCK_BOOTTIME) < job->next_try_ns))
			continue;
		if (writers < WRITERS_MAX && has_ended(c, job)) {
			start_close(c, job);
			writers++;
		} else {
			waiting = true;
		}
	}
	if (sample)
		sample_jobs(c);
	return waiting;
}
