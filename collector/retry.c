/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/retry.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "collector/close_job.h"
#include "collector/record/node_record.h"
#include "collector/status.h"
#include "common/process/child.h"

#define TRY_MS 60000 /* a slower writer is killed */
#define END_MS 10000 /* time for a killed process to end */

static bool in_work(const char *name, void *data)
{
	struct collector *c = data;

	char own[768];

	if (deliver_has(c, name) || deliver_is_held_up(c, spool_user(name)) || node_record_is_continued(&c->jobs, name))
		return true;
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->phase == JOB_BUILDING && node_record_name(job, own, sizeof(own)) == 0 && strcmp(own, name) == 0)
			return true;
	return false;
}

static int wait_for(int pid)
{
	int status;

	return child_wait(pid, TRY_MS, &status) ? status : child_end(pid, END_MS);
}

static enum spool_try judge_try(int code)
{
	switch (code) {
	case 0:
		return SPOOL_DELIVERED;
	case EX_DATAERR:
		return SPOOL_DAMAGE;
	case EX_CANTCREAT:
		return SPOOL_NEVER;
	case EX_NOINPUT:
		return SPOOL_GONE;
	case EX_TEMPFAIL:
		return SPOOL_HANGS;
	default:
		return SPOOL_LATER;
	}
}

static enum spool_try try_one(const char *name, const char *path, void *data)
{
	struct collector *c = data;
	struct writer_program program = deliver_program(c);
	int fd = memfd_create("why", MFD_CLOEXEC), status, pid;
	enum spool_try result;
	struct error err;
	struct deliver_failure failure;

	if (fd < 0)
		return SPOOL_LATER;
	pid = writer_start(&program, path, fd, false, &err);
	if (pid < 0) {
		close(fd);
		if (spool_is_news(&c->spool, name, err.text))
			collector_log_user(spool_user(name), LOG_ERR,
					   "%s: cannot start the writer of its report: %s", name, err.text);
		return SPOOL_LATER;
	}
	status = wait_for(pid);
	deliver_why(fd, status, &failure);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		tally_add_written(c->tally);
	result = judge_try(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	if (result != SPOOL_DELIVERED && spool_is_news(&c->spool, name, failure.why))
		collector_log_user(spool_user(name), LOG_WARNING, "%s: its report was not written: %s",
				   failure.whose[0] ? failure.whose : name, failure.why);
	return result;
}

void retry_start(struct collector *c)
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
		child_begin(parent);
		spool_pass(&c->spool, now_s, in_work, try_one, c);
		_exit(0);
	}
	if (pid < 0)
		return;
	c->retry_pid = pid;
	c->spool.last_pass_s = now_s;
}

bool retry_ended(struct collector *c, int pid, int status)
{
	(void)status;
	if (!c->retry_pid || pid != c->retry_pid)
		return false;
	c->retry_pid = 0;
	store_line_came(c);
	status_refresh(c);
	return true;
}
