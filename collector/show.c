/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/show.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector/clock.h"
#include "collector/close.h"
#include "collector/common/show.h"
#include "collector/follow.h"
#include "collector/sample.h"

#define ANSWERS_MAX 8 /* at a time */
#define ANSWER_S 5    /* that one may take: a user who does not read is left */
#define REQUEST_S 1   /* in which he must have asked */
#define BACKLOG 16
#define NO_JOB "stintd counts no such job of yours here"

struct show {
	int fd;
	struct sockaddr_un address;
	struct {
		int pid; /* 0: free */
		uid_t uid;
	} answers[ANSWERS_MAX];
};

struct show *show_open(const char *run_dir, struct error *err)
{
	struct show *show = calloc(1, sizeof(*show));
	int length;

	if (!show) {
		error_errno(err, "the socket for running jobs");
		return NULL;
	}
	show->address.sun_family = AF_UNIX;
	length = snprintf(show->address.sun_path, sizeof(show->address.sun_path), "%s" SHOW_SUFFIX, run_dir);
	show->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if ((size_t)length >= sizeof(show->address.sun_path)) {
		error_set(err, "run_dir '%s' is too long for a socket's path", run_dir);
		goto failed;
	}
	/* A stintd that was killed left it: another that lives has the control socket. */
	unlink(show->address.sun_path);
	if (show->fd < 0 || bind(show->fd, (struct sockaddr *)&show->address, sizeof(show->address)) < 0 ||
	    chmod(show->address.sun_path, 0666) < 0 || listen(show->fd, BACKLOG) < 0) {
		error_errno(err, "%s", show->address.sun_path);
		goto failed;
	}
	return show;
failed:
	if (show->fd >= 0)
		close(show->fd);
	free(show);
	return NULL;
}

int show_fd(const struct show *show)
{
	return show->fd;
}

/* ---- in the child ---- */

static void __attribute__((noreturn)) refuse(int fd, const char *why)
{
	char answer[512];

	snprintf(answer, sizeof(answer), "-%s", why);
	send(fd, answer, strlen(answer), MSG_NOSIGNAL);
	_exit(0);
}

static void set_time(int fd, int option, int seconds)
{
	const struct timeval limit = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, option, &limit, sizeof(limit));
}

static struct job *find_job(struct collector *c, uint32_t job_id)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->about.job_id == job_id && !job->closing)
			return job;
	return NULL;
}

static void put_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t n = send(fd, text, length, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			_exit(1);
		text += n > 0 ? n : 0;
		length -= n > 0 ? n : 0;
	}
}

static void __attribute__((noreturn)) answer(struct collector *c, int fd, uid_t uid, int parent)
{
	struct show_request request;
	struct json_object *record;
	struct error err = { "out of memory" };
	const char *text = NULL;
	struct job *job;
	size_t length;

	close_child_begin(parent);
	alarm(ANSWER_S);
	set_time(fd, SO_RCVTIMEO, REQUEST_S);
	set_time(fd, SO_SNDTIMEO, ANSWER_S);
	if (recv(fd, &request, sizeof(request), MSG_WAITALL) != sizeof(request) || request.magic != SHOW_MAGIC ||
	    request.version != SHOW_VERSION)
		refuse(fd, "stintd is of another version than who asks it");
	job = find_job(c, request.job_id);
	if (!job || (uid != 0 && uid != job->about.uid))
		refuse(fd, NO_JOB);
	if (follow_mode(c, job) == CONTROL_MODE_OFF)
		refuse(fd, "the job is run with --stint=off");
	if (job->key && !job->so_far_known)
		refuse(fd, "what live threads have used is not sampled for this job");
	job->shown = job->so_far_known;
	job->about.mode = follow_mode(c, job);
	job->close_ns = clock_ns(CLOCK_BOOTTIME);
	record = close_build(c, job, &err);
	if (record)
		text = json_object_to_json_string_length(
			record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
	if (!text)
		refuse(fd, err.text);
	put_all(fd, "+", 1);
	put_all(fd, text, length);
	_exit(0);
}

/* ---- in the collector ---- */

/* A place for one more answer, and to @uid none is being given; -1. */
static int find_place(const struct show *show, uid_t uid)
{
	int place = -1;

	for (int i = 0; i < ANSWERS_MAX; i++) {
		if (show->answers[i].pid == 0)
			place = i;
		else if (show->answers[i].uid == uid)
			return -1;
	}
	return place;
}

static void begin(struct show *show, struct collector *c, int fd, uid_t uid)
{
	static const char busy[] = "-" SHOW_BUSY;
	int place = find_place(show, uid), parent = getpid(), pid = -1;

	if (place >= 0 && sample_now(c)) {
		programs__drain(c->programs);
		pid = fork();
	}
	if (pid == 0) {
		close(show->fd);
		answer(c, fd, uid, parent);
	}
	if (pid < 0) {
		send(fd, busy, sizeof(busy) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
		return;
	}
	show->answers[place].pid = pid;
	show->answers[place].uid = uid;
}

void show_run(struct show *show, struct collector *c)
{
	int fd = accept4(show->fd, NULL, NULL, SOCK_CLOEXEC);
	struct ucred who;
	socklen_t size = sizeof(who);

	if (fd < 0)
		return;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0)
		begin(show, c, fd, who.uid);
	close(fd);
}

bool show_child_ended(struct show *show, int pid)
{
	for (int i = 0; show && i < ANSWERS_MAX; i++) {
		if (show->answers[i].pid != pid)
			continue;
		show->answers[i].pid = 0;
		return true;
	}
	return false;
}

void show_close(struct show *show)
{
	if (!show)
		return;
	unlink(show->address.sun_path);
	close(show->fd);
	free(show);
}
