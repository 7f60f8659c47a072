/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/close.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/keep.h"
#include "collector/record.h"

#define WRITER "stint-epilog"
#define EXIT_NO_RECORD 97 /* the child's own: nothing is in the spool */
#define EXIT_NO_WRITER 98 /* the record is, but the writer cannot be started */

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

/* A child starts as any program would: no signal of ours blocked or ignored. */
static void child_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

static void become_writer(const struct collector *c, const char *record)
{
	char program[PATH_MAX + 32], path[2 * PATH_MAX];
	char *arguments[6];
	int n = 0, null;

	snprintf(program, sizeof(program), "%s/" WRITER, c->libexec_dir);
	snprintf(path, sizeof(path), "%s/%s", c->conf.spool_dir, record);
	arguments[n++] = program;
	if (c->conf_path) {
		arguments[n++] = (char *)"--config";
		arguments[n++] = (char *)c->conf_path;
	}
	arguments[n++] = path;
	arguments[n] = NULL;
	/* The path it prints is for people: in the log, a line for each job of a day would hide what matters. */
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	execv(program, arguments);
	collector_log("%s: %s", program, strerror(errno));
}

/* Builds the record and puts it into the spool as @name. */
static int spool_record(struct collector *c, struct job *job, const char *name, struct error *err)
{
	struct record_source source = {
		.conf = &c->conf,
		.programs = c->programs,
		.topology = c->topology,
		.topology_error = c->topology_error.text,
	};
	struct json_object *record = record_build(&source, job, err);
	const char *text;
	size_t length;

	if (!record)
		return -1;
	text = json_object_to_json_string_length(record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE,
						 &length);
	return text ? file_write(c->spool_fd, name, 0600, text, length, err) : error_set(err, "out of memory");
}

static void __attribute__((noreturn)) child(struct collector *c, struct job *job, const char *name)
{
	struct error err;

	child_signals();
	if (spool_record(c, job, name, &err) < 0) {
		collector_log("job %u: no record of it can be kept: %s/%s", job->about.job_id, c->conf.spool_dir, err.text);
		_exit(EXIT_NO_RECORD);
	}
	become_writer(c, name);
	_exit(EXIT_NO_WRITER);
}

int close_start(struct collector *c, struct job *job, struct error *err)
{
	char name[768];
	int pid;

	if (record_name(job, name, sizeof(name)) < 0)
		return error_set(err, "its names are too long for a file's");
	pid = fork();
	if (pid < 0)
		return error_errno(err, "fork");
	if (pid == 0)
		child(c, job, name);
	job->writer_pid = pid;
	return 0;
}

static void job_written(struct collector *c, struct job *job, int status)
{
	bool delivered = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	bool kept = !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_NO_RECORD;
	char name[768];

	if (delivered && record_name(job, name, sizeof(name)) == 0)
		unlinkat(c->spool_fd, name, 0);
	if (!delivered)
		collector_log("job %u: its report was not written%s", job->about.job_id,
			      kept ? "; its record stays in the spool and is tried again" : "");
	close_reply(job->reply_fd, CONTROL_JOB_CLOSE, delivered ? 0 : -1, "the report was not written; stintd's log says why");
	job->reply_fd = -1;
	if (job->key)
		programs__forget(c->programs, job->key);
	keep_forget(c->run_fd, job->about.job_id, job->about.node);
	jobs__remove(&c->jobs, job);
	malloc_trim(0);
}

void close_child_ended(struct collector *c, int pid, int status)
{
	struct job *job = jobs__find_writer(&c->jobs, pid);

	if (job)
		job_written(c, job, status);
	if (pid == c->retry_pid)
		c->retry_pid = 0;
}

static bool is_record(const char *name)
{
	size_t length = strlen(name);

	return name[0] != '.' && length > 5 && strcmp(name + length - 5, ".json") == 0;
}

/* Whether a job that is being closed right now is about to take care of @name itself. */
static bool in_work(struct collector *c, const char *name)
{
	char own[768];

	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->writer_pid && record_name(job, own, sizeof(own)) == 0 && strcmp(own, name) == 0)
			return true;
	return false;
}

static void retry_one(struct collector *c, const char *name)
{
	int pid = fork(), status;

	if (pid == 0) {
		become_writer(c, name);
		_exit(EXIT_NO_WRITER);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		unlinkat(c->spool_fd, name, 0);
}

void close_retry(struct collector *c)
{
	int fd = dup(c->spool_fd), pid;
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	bool any = false;

	if (!directory || c->retry_pid)
		return;
	rewinddir(directory);
	while ((entry = readdir(directory)))
		any |= is_record(entry->d_name) && !in_work(c, entry->d_name);
	if (!any)
		return;
	pid = fork();
	if (pid != 0) {
		c->retry_pid = pid > 0 ? pid : 0;
		return;
	}
	child_signals();
	rewinddir(directory);
	while ((entry = readdir(directory)))
		if (is_record(entry->d_name) && !in_work(c, entry->d_name))
			retry_one(c, entry->d_name);
	_exit(0);
}
