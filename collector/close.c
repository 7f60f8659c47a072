/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/close.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "collector/clock.h"
#include "collector/common/file.h"
#include "collector/keep.h"
#include "collector/record.h"
#include "collector/status.h"

#define WRITER "stint-epilog"
#define EXIT_NO_RECORD 97 /* the child's own: the record cannot be built */
#define EXIT_NO_WRITER 98 /* the writer cannot be started */
#define HELD_MAX 64 /* jobs whose records could neither be kept nor delivered stay in the kernel's maps */
#define HELD_TRY_NS 30000000000ull

void close_reply(int fd, uint16_t kind, int status, const char *text)
{
	struct control_reply reply = {
		.magic = CONTROL_MAGIC,
		.version = CONTROL_VERSION,
		.kind = kind,
		.status = status,
	};

	if (fd < 0)
		return;
	if (status < 0)
		snprintf(reply.text, sizeof(reply.text), "%.*s", (int)sizeof(reply.text) - 1, text);
	/* Who has stopped waiting is no concern of ours. */
	send(fd, &reply, sizeof(reply), MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
}

void close_forget(struct collector *c, struct job *job)
{
	keep_forget(c->run_fd, job->about.job_id, job->about.node, job->closing ? job->close_ns : UINT64_MAX);
	if (job->key)
		programs__forget(c->programs, job->key);
	jobs__remove(&c->jobs, job);
}

/* ---- in the child ---- */

/* A child starts as any program would: no signal of ours blocked or ignored. */
static void child_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

/*
 * A child that outlived stintd would read maps that the next stintd is taking down, and its record, though it
 * knows less, would come last. @parent: who stintd is.
 */
static void die_with(int parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_NO_RECORD);
}

void close_child_begin(int parent)
{
	die_with(parent);
	child_signals();
}

static void become_writer(const struct collector *c, const char *path)
{
	char program[PATH_MAX + 32];
	char *arguments[6];
	int n = 0, null;

	snprintf(program, sizeof(program), "%s/" WRITER, c->libexec_dir);
	arguments[n++] = program;
	if (c->conf_path) {
		arguments[n++] = (char *)"--config";
		arguments[n++] = (char *)c->conf_path;
	}
	arguments[n++] = (char *)path;
	arguments[n] = NULL;
	/* The path it prints is for people: in the log, a line for each job of a day would hide what matters. */
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	execv(program, arguments);
	collector_log("%s: %s", program, strerror(errno));
	_exit(EXIT_NO_WRITER);
}

struct json_object *close_build(struct collector *c, struct job *job, struct error *err)
{
	struct record_source source = {
		.conf = &c->conf,
		.programs = c->programs,
		.topology = c->topology,
		.topology_error = c->topology_error.text,
	};

	return record_build(&source, job, err);
}

/* What no disk takes goes to the writer in memory. Returns 0 with the record as standard input; -1 with errno set. */
static int put_on_input(const char *text, size_t length)
{
	int fd = memfd_create("record", MFD_CLOEXEC);

	while (fd >= 0 && length) {
		ssize_t n = write(fd, text, length);

		if (n < 0 && errno != EINTR)
			return -1;
		text += n > 0 ? n : 0;
		length -= n > 0 ? n : 0;
	}
	return fd < 0 || dup2(fd, STDIN_FILENO) < 0 ? -1 : 0;
}

static void __attribute__((noreturn)) child(struct collector *c, struct job *job, const char *name, int parent)
{
	struct json_object *record;
	struct error err = { "out of memory" };
	const char *text = NULL;
	char path[PATH_MAX];
	size_t length;

	close_child_begin(parent);
	record = close_build(c, job, &err);
	if (record)
		text = json_object_to_json_string_length(
			record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
	if (!text) {
		collector_log("job %u: no record of it can be built: %s", job->about.job_id, err.text);
		_exit(EXIT_NO_RECORD);
	}
	if (spool_put(&c->spool, name, text, length, &err) == 0 && spool_find(&c->spool, name, path)) {
		if (err.text[0])
			collector_log("job %u: its record is kept in memory: %s", job->about.job_id, err.text);
		prctl(PR_SET_PDEATHSIG, 0); /* what comes now needs nobody */
		become_writer(c, path);
	}
	collector_log("job %u: its record cannot be kept: %s", job->about.job_id, err.text);
	if (put_on_input(text, length) < 0)
		_exit(EXIT_NO_WRITER);
	become_writer(c, "/dev/stdin");
	_exit(EXIT_NO_WRITER);
}

/* ---- one job ---- */

int close_start(struct collector *c, struct job *job, struct error *err)
{
	int pid, parent = getpid();
	char name[768], path[PATH_MAX];

	if (record_name(job, name, sizeof(name)) < 0)
		return error_set(err, "its names are too long for a file's");
	/* An earlier stintd, which was killed, came as far as that. */
	if (spool_find(&c->spool, name, path)) {
		close_reply(job->reply_fd, CONTROL_JOB_CLOSE, 0, "");
		job->reply_fd = -1;
		close_forget(c, job);
		return 0;
	}
	pid = fork();
	if (pid < 0)
		return error_errno(err, "fork");
	if (pid == 0)
		child(c, job, name, parent);
	job->writer_pid = pid;
	return 0;
}

/* Those that are held are bounded: they take up room in the kernel. */
static void hold(struct collector *c, struct job *job)
{
	struct job *oldest = job;
	int held = 0;

	job->writer_pid = 0;
	job->next_try_ns = clock_ns(CLOCK_BOOTTIME) + HELD_TRY_NS;
	for (struct job *other = c->jobs.first; other; other = other->next) {
		if (!other->next_try_ns || other->writer_pid)
			continue;
		held++;
		if (other->close_ns < oldest->close_ns)
			oldest = other;
	}
	if (held <= HELD_MAX) {
		collector_log("job %u: it goes on being held in the kernel's memory, and its report is tried again",
			      job->about.job_id);
		return;
	}
	collector_log_each("job %u is given up, and its report with it: %d jobs wait for a spool that can be written",
			   oldest->about.job_id, HELD_MAX);
	close_forget(c, oldest);
}

static void job_written(struct collector *c, struct job *job, int status)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	char name[768], path[PATH_MAX];
	bool kept;

	if (record_name(job, name, sizeof(name)) < 0)
		name[0] = '\0';
	kept = name[0] && spool_find(&c->spool, name, path);
	if (code != 0)
		collector_log("job %u: its report was not written%s", job->about.job_id,
			      kept ? "; its record stays in the spool and is tried again" : "");
	close_reply(job->reply_fd, CONTROL_JOB_CLOSE, code == 0 ? 0 : -1,
		    "the report was not written; stintd's log says why");
	job->reply_fd = -1;
	if (code != 0 && !kept) {
		hold(c, job);
		return;
	}
	/* In this order, a kill at any moment leaves either all of the job or its record. */
	close_forget(c, job);
	if (code == 0)
		spool_remove(&c->spool, name);
	else if (code == EX_DATAERR)
		spool_set_aside(&c->spool, name);
	malloc_trim(0);
}

void close_child_ended(struct collector *c, int pid, int status)
{
	struct job *job = jobs__find_writer(&c->jobs, pid);

	if (job)
		job_written(c, job, status);
	if (pid == c->retry_pid)
		c->retry_pid = 0;
	else if (status == 0)
		return;
	status_refresh(c); /* a record may have stayed in the spool */
}

/* ---- what is left in the spool ---- */

/* Whether a job that is being closed right now is about to take care of @name itself. */
static bool in_work(const char *name, void *data)
{
	struct collector *c = data;
	char own[768];

	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->writer_pid && record_name(job, own, sizeof(own)) == 0 && strcmp(own, name) == 0)
			return true;
	return false;
}

static enum spool_try try_one(const char *name, const char *path, void *data)
{
	int pid = fork(), status;

	(void)name;
	if (pid == 0)
		become_writer(data, path);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return SPOOL_LATER;
	if (WEXITSTATUS(status) == 0)
		return SPOOL_DELIVERED;
	return WEXITSTATUS(status) == EX_DATAERR ? SPOOL_DAMAGE : SPOOL_LATER;
}

void close_retry(struct collector *c)
{
	int64_t now_s = time(NULL);
	int pid, parent = getpid();

	if (c->retry_pid)
		return;
	if (!spool_due(&c->spool, now_s)) {
		status_refresh(c);
		return;
	}
	pid = fork();
	if (pid == 0) {
		die_with(parent);
		child_signals();
		spool_pass(&c->spool, now_s, in_work, try_one, c);
		_exit(0);
	}
	if (pid < 0)
		return;
	c->retry_pid = pid;
	c->spool.last_pass_s = now_s;
}
