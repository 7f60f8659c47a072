/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/close_job.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/journal/journal.h"
#include "collector/record/node_record.h"
#include "collector/reply.h"
#include "collector/sample.h"
#include "collector/share_tables.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/memory/memory_limit.h"
#include "common/process/child.h"

#define EXIT_KEPT 96 /* the record is in the spool */
#define EXIT_NO_RECORD CHILD_NO_PARENT
#define EXIT_NO_WRITER 98
#define SMALL_STEPS 16 /* stintd itself builds smaller records */
#define SMALL_TASKS 64
#define SMALL_TOOLS 64
#define SMALL_FILES 64
#define SMALL_TIMELINE 128
#define SMALL_SERIES 64
#define HELD_MAX 64 /* jobs whose record could not be written yet */
#define HELD_TRY_NS 30000000000ull

/* All threads of the job have ended, so its totals are complete. */
static void add_to_node(struct collector *c, struct job *job)
{
	struct totals totals;

	if (programs__totals(c->programs, job->key, &totals) < 0)
		return;
	totals.use[USE_CPU] += job->counting.before_cpu_ns;
	sample_add_to_node(c, job, totals.use, totals.processes);
}

void close_forget(struct collector *c, struct job *job)
{
	bool counted = job->key;

	if (counted)
		add_to_node(c, job);
	journal_forget(c->run_fd, job->about.job_id, job->about.node, job->phase != JOB_OPEN ? job->closing.close_ns : UINT64_MAX);
	if (counted)
		programs__forget(c->programs, job->key);
	jobs__remove(&c->jobs, job);
	if (counted)
		share_forget_users(c);
}

static void become_writer(const struct collector *c)
{
	const struct writer_program writer = { .libexec_dir = c->libexec_dir };
	char program[PATH_MAX + 32];
	char *arguments[8];
	int n = 0, null;

	writer_path(&writer, program);
	arguments[n++] = program;
	if (c->conf_path) {
		arguments[n++] = (char *)"--config";
		arguments[n++] = (char *)c->conf_path;
	}
	if (c->writers_dir[0]) {
		arguments[n++] = (char *)"--cgroups";
		arguments[n++] = (char *)c->writers_dir;
	}
	arguments[n++] = (char *)"/dev/stdin";
	arguments[n] = NULL;
	/* The writer prints the report's path, which is no line for the log. */
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	execv(program, arguments);
	collector_log(LOG_ERR, "cannot start %s: %s", program, strerror(errno));
	_exit(EXIT_NO_WRITER);
}

const char *close_build_text(struct collector *c, struct job *job, bool may_wait, struct json_object **built,
			     size_t *length, struct error *err)
{
	unsigned long failures = memory_failures();
	struct json_object *record;
	const char *text;
	struct record_source source = {
		.conf = &c->conf,
		.programs = c->programs,
		.topology = c->topology,
		.topology_error = c->topology_error.text,
		.may_wait = may_wait,
	};

	record = node_record_build(&source, job, err);
	*built = record;
	text = record ? json_object_to_json_string_length(
				record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, length) :
			NULL;
	if (memory_failures() == failures)
		return text;
	/* When memory is short, json-c leaves out parts without an error. */
	error_set(err, "out of memory");
	return NULL;
}

static int put_on_input(const char *text, size_t length)
{
	int fd = memfd_create("record", MFD_CLOEXEC);

	return fd < 0 || file_write_all(fd, text, length) < 0 || dup2(fd, STDIN_FILENO) < 0 ? -1 : 0;
}

/* @why: why the record is not on disk; empty: it is on disk */
static void say_where_kept(const struct job *job, const char *why)
{
	if (*why)
		collector_log_user(job->about.uid, LOG_ERR, "job %u: stintd keeps its record in memory: %s",
				   job->about.job_id, why);
}

static void __attribute__((noreturn)) child(struct collector *c, struct job *job, const char *name, int parent)
{
	struct error err = { "out of memory" };
	struct json_object *record;
	const char *text;
	char path[PATH_MAX];
	size_t length;

	child_begin(parent);
	text = close_build_text(c, job, true, &record, &length, &err);
	if (!text) {
		collector_log_user(job->about.uid, LOG_ERR, "job %u: stintd cannot build its record: %s",
				   job->about.job_id, err.text);
		_exit(EXIT_NO_RECORD);
	}
	tally_add_record(c->tally, record);
	if (spool_put(&c->spool, name, text, length, &err) == 0 && spool_find(&c->spool, name, path)) {
		say_where_kept(job, err.text);
		_exit(EXIT_KEPT);
	}
	collector_log_user(job->about.uid, LOG_ERR, "job %u: stintd cannot keep its record: %s", job->about.job_id,
			   err.text);
	if (put_on_input(text, length) < 0)
		_exit(EXIT_NO_WRITER);
	become_writer(c);
	_exit(EXIT_NO_WRITER);
}

static void begin_building(struct job *job, int pid)
{
	job_enter(job, JOB_BUILDER_STARTS);
	job->closing.builder_pid = pid;
}

static bool is_small(const struct collector *c, const struct job *job)
{
	struct totals totals;

	if (job->closing.apart || job->closing.next_try_ns || job->step_count > SMALL_STEPS || job->tasks > SMALL_TASKS ||
	    job->timeline.count > SMALL_TIMELINE || job->series.count > SMALL_SERIES || job->ooms.count)
		return false;
	return !job->key || (programs__totals(c->programs, job->key, &totals) == 0 && totals.tools <= SMALL_TOOLS &&
			     totals.files <= SMALL_FILES);
}

/* Returns -1 if a child must build the record. */
static int give_to_keeper(struct collector *c, struct job *job, const char *name)
{
	struct json_object *record = NULL;
	const char *text;
	struct error err;
	size_t length;

	if (!keeper_is_at_hand(&c->keeper, &c->spool) || !is_small(c, job))
		return -1;
	text = close_build_text(c, job, false, &record, &length, &err);
	job->closing.keeper_turn = text ? keeper_put(&c->keeper, name, text, length) : 0;
	if (job->closing.keeper_turn) {
		tally_add_record(c->tally, record);
		begin_building(job, c->keeper.pid);
	}
	json_object_put(record);
	return job->closing.keeper_turn ? 0 : -1;
}

int close_start(struct collector *c, struct job *job, struct error *err)
{
	int pid, parent = getpid();
	char name[768], path[PATH_MAX];

	if (node_record_name(job, name, sizeof(name)) < 0)
		return error_set(err, "the names of the job are too long for a file name");
	/* An earlier stintd wrote this record and was killed before close_forget(). */
	if (spool_find(&c->spool, name, path)) {
		reply_send(job->closing.reply_fd, CONTROL_JOB_CLOSE, 0, "");
		job->closing.reply_fd = -1;
		close_forget(c, job);
		return 0;
	}
	if (give_to_keeper(c, job, name) == 0)
		return 0;
	pid = fork();
	if (pid < 0)
		return error_errno(err, "fork");
	if (pid == 0)
		child(c, job, name, parent);
	begin_building(job, pid);
	return 0;
}

/*
 * Tries again later to write the job's record. If more than HELD_MAX jobs wait, gives up the oldest waiting job,
 * because waiting jobs fill the kernel's maps.
 */
static void hold(struct collector *c, struct job *job)
{
	struct job *oldest = job;
	int held = 0;

	job_enter(job, JOB_BUILDER_FAILS);
	job->closing.next_try_ns = clock_ns(CLOCK_BOOTTIME) + HELD_TRY_NS;
	for (struct job *other = c->jobs.first; other; other = other->next) {
		if (other->phase != JOB_HELD)
			continue;
		held++;
		if (other->closing.close_ns < oldest->closing.close_ns)
			oldest = other;
	}
	if (held <= HELD_MAX) {
		collector_log_user(job->about.uid, LOG_WARNING,
				   "job %u: its counts stay in the kernel's memory, and stintd will try to write its report again",
				   job->about.job_id);
		return;
	}
	collector_log_each(LOG_ERR,
			   "job %u: stintd gives up its report, because %d other jobs already wait until stintd can write to the "
			   "spool",
			   oldest->about.job_id, HELD_MAX);
	tally_add_forgotten(c->tally);
	close_forget(c, oldest);
}

/* Handles the end of a writer that read the record from memory. */
static void job_written(struct collector *c, struct job *job, int code)
{
	if (code != 0)
		collector_log_user(job->about.uid, LOG_WARNING, "job %u: its report was not written",
				   job->about.job_id);
	reply_send(job->closing.reply_fd, CONTROL_JOB_CLOSE, code == 0 ? 0 : -1,
		    "the report was not written; stintd's log says why");
	job->closing.reply_fd = -1;
	store_line_came(c);
	if (code != 0) {
		hold(c, job);
	} else {
		tally_add_written(c->tally);
		close_forget(c, job);
	}
	c->trim = true;
}

/*
 * The order of the calls matters. If stintd is killed between two calls, the next stintd finds the job or the record.
 */
static void job_kept(struct collector *c, struct job *job, const char *name)
{
	uint32_t job_id = job->about.job_id, uid = job->about.uid;
	int reply_fd = job->closing.reply_fd;

	if (job->closing.reply_kept) {
		reply_send(reply_fd, CONTROL_JOB_CLOSE, 0, "");
		reply_fd = -1;
	}
	job->closing.reply_fd = -1;
	close_forget(c, job);
	deliver_add(c, name, job_id, uid, reply_fd);
	c->trim = true;
}

static bool is_with_keeper(const struct collector *c, const struct job *job)
{
	return job->phase == JOB_BUILDING && job->closing.builder_pid == c->keeper.pid;
}

static struct job *find_turn(struct collector *c, uint64_t turn)
{
	struct job *job = c->jobs.first;

	while (job && !(is_with_keeper(c, job) && job->closing.keeper_turn == turn))
		job = job->next;
	return job;
}

static void try_apart(struct job *job)
{
	job_enter(job, JOB_KEEPER_FAILS);
	job->closing.apart = true;
}

void close_kept(struct collector *c)
{
	struct keeper_answer answer;
	char name[768];

	while (keeper_take(&c->keeper, &answer)) {
		struct job *job = find_turn(c, answer.turn);

		if (!job)
			continue;
		if (!answer.kept || node_record_name(job, name, sizeof(name)) < 0) {
			try_apart(job);
			continue;
		}
		say_where_kept(job, answer.why);
		job_kept(c, job, name);
	}
}

static bool keeper_was(struct collector *c, int pid, int status)
{
	if (pid != c->keeper.pid)
		return false;
	close_kept(c);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (is_with_keeper(c, job))
			try_apart(job);
	return keeper_ended(&c->keeper, pid, status);
}

bool close_child_ended(struct collector *c, int pid, int status)
{
	struct job *job = jobs__find_builder(&c->jobs, pid);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	char name[768];

	if (keeper_was(c, pid, status))
		return true;
	if (deliver_ended(c, pid, status)) {
		store_line_came(c);
		return true;
	}
	if (job && code == EXIT_KEPT && node_record_name(job, name, sizeof(name)) == 0)
		job_kept(c, job, name);
	else if (job)
		job_written(c, job, code);
	return job;
}
