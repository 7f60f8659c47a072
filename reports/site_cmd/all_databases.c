/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/all_databases.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "reports/site_cmd/failure.h"
#include "reports/site_cmd/one_database.h"
#include "reports/site_cmd/watch_retry.h"
#include "reports/terminal/progress_line.h"

/* A process that works on one of the databases. */
struct worker {
	char who[SITE_TEXT]; /* begins each message about its database */
	pid_t pid; /* 0 if there is none */
	/* with --watch: */
	int told_fd; /* the process writes here why it fails */
	struct error why;
	struct watch_retry retry;
	int64_t again_ms; /* when to start the process again */
};

static struct worker *make_workers(const struct site_conf *conf)
{
	struct worker *workers = calloc(conf->database_count, sizeof(*workers));

	for (size_t i = 0; workers && i < conf->database_count; i++) {
		workers[i].told_fd = -1;
		snprintf(workers[i].who, sizeof(workers[i].who), WHO ": the database of %.400s",
			 site_conf_whose(&conf->databases[i]));
	}
	return workers;
}

static _Noreturn void work_on(struct site_conf *conf, size_t which, const struct ingest_options *arguments,
			      pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	site_conf_choose(conf, which);
	progress_line_off(); /* the processes share a terminal */
	exit(one_database(conf, arguments));
}

/*
 * Starts the process of the database @which.
 *
 * @told_fd: the process writes its failures here; -1: on standard error
 *
 * Returns 0; -1 with errno set.
 */
static int start(struct worker *worker, struct site_conf *conf, size_t which, const struct ingest_options *arguments,
		 int told_fd)
{
	pid_t parent = getpid();

	worker->pid = fork();
	if (worker->pid == 0) {
		snprintf(failure_who, sizeof(failure_who), "%s", worker->who);
		failure_fd = told_fd;
		work_on(conf, which, arguments, parent);
	}
	if (worker->pid > 0)
		return 0;
	worker->pid = 0;
	return -1;
}

/* Waits for the end of the worker's process. Returns its wait status; -1 if it is not known. */
static int status_of(struct worker *worker)
{
	int status = -1;

	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		;
	worker->pid = 0;
	return status;
}

static int result_of(struct worker *worker)
{
	int status = worker->pid ? status_of(worker) : -1;

	return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

/* ---- --watch ---- */

static void note_failure(struct worker *worker, const struct error *why)
{
	worker->again_ms = clock_ms() + INT64_C(1000) * watch_retry_failed(&worker->retry, worker->who, why);
}

static void start_watching(struct worker *worker, struct site_conf *conf, size_t which,
			   const struct ingest_options *arguments)
{
	int ends[2];
	struct error why;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		error_errno(&why, "pipe");
		note_failure(worker, &why);
		return;
	}
	worker->why.text[0] = '\0';
	if (start(worker, conf, which, arguments, ends[1]) < 0) {
		error_errno(&why, "fork");
		note_failure(worker, &why);
		close(ends[0]);
	} else {
		worker->told_fd = ends[0];
	}
	close(ends[1]);
}

static void note_end(struct worker *worker)
{
	int status = status_of(worker);

	close(worker->told_fd);
	worker->told_fd = -1;
	if (!worker->why.text[0] && WIFSIGNALED(status))
		error_set(&worker->why, "signal %d ended its process", WTERMSIG(status));
	else if (!worker->why.text[0])
		error_set(&worker->why, "its process ended with exit code %d", WEXITSTATUS(status));
	note_failure(worker, &worker->why);
}

/* Reads what the worker's process has written to its pipe. The end of the pipe is the end of the process. */
static void listen_to(struct worker *worker)
{
	char text[sizeof(worker->why.text)];
	ssize_t length = read(worker->told_fd, text, sizeof(text) - 1);
	size_t over;

	if (length < 0)
		return;
	if (length == 0) {
		note_end(worker);
		return;
	}
	text[length] = '\0';
	over = strspn(text, (const char[]){ FAILURE_OVER, '\0' });
	if (over)
		watch_retry_worked(&worker->retry, worker->who);
	if (text[over])
		error_set(&worker->why, "%s", text + over);
}

/* Starts the processes that are due. Returns the milliseconds until the next process is due; -1 if all run. */
static int start_due(struct worker *workers, struct site_conf *conf, const struct ingest_options *arguments)
{
	int64_t wait_ms = -1, left_ms;

	for (size_t i = 0; i < conf->database_count; i++) {
		if (!workers[i].pid && workers[i].again_ms <= clock_ms())
			start_watching(&workers[i], conf, i, arguments);
		if (workers[i].pid)
			continue;
		left_ms = workers[i].again_ms - clock_ms();
		left_ms = left_ms > 0 ? left_ms : 0;
		wait_ms = wait_ms < 0 || left_ms < wait_ms ? left_ms : wait_ms;
	}
	return (int)wait_ms;
}

/* Starts each process again whenever it has ended, for any reason. Prints each failure once. */
static _Noreturn void watch_all(struct worker *workers, struct pollfd *polled, struct site_conf *conf,
				const struct ingest_options *arguments)
{
	for (;;) {
		int wait_ms = start_due(workers, conf, arguments);

		for (size_t i = 0; i < conf->database_count; i++)
			polled[i] = (struct pollfd){ workers[i].told_fd, POLLIN, 0 };
		if (poll(polled, conf->database_count, wait_ms) <= 0)
			continue;
		for (size_t i = 0; i < conf->database_count; i++)
			if (polled[i].revents)
				listen_to(&workers[i]);
	}
}

/* ---- once ---- */

static int work_once(struct worker *workers, struct site_conf *conf, const struct ingest_options *arguments)
{
	int result = EXIT_SUCCESS, one;

	for (size_t i = 0; i < conf->database_count; i++) {
		if (arguments->checksum) {
			printf("# %s\n", site_conf_whose(&conf->databases[i]));
			fflush(stdout);
		}
		if (start(&workers[i], conf, i, arguments, -1) < 0)
			result = fail(strerror(errno));
		/* wait for each process, so that the checksums are printed one after the other */
		if (arguments->checksum && result_of(&workers[i]) != EXIT_SUCCESS)
			result = EXIT_FAILURE;
	}
	for (size_t i = 0; !arguments->checksum && i < conf->database_count; i++) {
		one = result_of(&workers[i]);
		result = one > result ? one : result;
	}
	return result;
}

int all_databases(struct site_conf *conf, const struct ingest_options *arguments)
{
	cleanup_free struct worker *workers = make_workers(conf);
	cleanup_free struct pollfd *polled = calloc(conf->database_count, sizeof(*polled));

	if (!workers || !polled)
		return fail("out of memory");
	if (arguments->watch)
		watch_all(workers, polled, conf, arguments);
	return work_once(workers, conf, arguments);
}
