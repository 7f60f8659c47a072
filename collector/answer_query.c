/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/answer_query.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector/close_job.h"
#include "collector/query_turns.h"
#include "collector/sample.h"
#include "common/clock.h"
#include "common/process/child.h"
#include "common/query.h"

#define ANSWERS_MAX 8
#define ANSWER_S 5 /* seconds to read the answer */
#define REQUEST_S 1 /* seconds for the request to arrive */
#define ACCEPTS_MAX 64 /* queries in one call of query_run() */
/* The queue must not fill before stintd refuses a flood of queries. */
#define BACKLOG 512
#define NO_JOB "stintd counts no job of yours with this number on this node"

struct queries {
	int fd, epoll_fd;
	bool resting; /* until query_tick(), for lack of descriptors */
	struct sockaddr_un address;
	struct {
		int pid; /* 0: free */
		uid_t uid;
	} answers[ANSWERS_MAX];
	struct query_turns turns;
};

static int watch(struct queries *queries)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(queries->epoll_fd, EPOLL_CTL_ADD, queries->fd, &event);
}

struct queries *query_open(const char *run_dir, struct error *err)
{
	struct queries *queries = calloc(1, sizeof(*queries));
	int length;

	if (!queries) {
		error_errno(err, "cannot open the socket for queries of running jobs");
		return NULL;
	}
	queries->address.sun_family = AF_UNIX;
	length = snprintf(queries->address.sun_path, sizeof(queries->address.sun_path), "%s" QUERY_SUFFIX, run_dir);
	queries->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	queries->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if ((size_t)length >= sizeof(queries->address.sun_path)) {
		error_set(err, "run_dir '%s' is too long for a socket's path", run_dir);
		goto failed;
	}
	/* A killed stintd left this socket: server_check() found no running stintd. */
	unlink(queries->address.sun_path);
	if (queries->fd < 0 || bind(queries->fd, (struct sockaddr *)&queries->address, sizeof(queries->address)) < 0 ||
	    chmod(queries->address.sun_path, 0666) < 0 || listen(queries->fd, BACKLOG) < 0 || queries->epoll_fd < 0 ||
	    watch(queries) < 0) {
		error_errno(err, "%s", queries->address.sun_path);
		goto failed;
	}
	return queries;
failed:
	if (queries->fd >= 0)
		close(queries->fd);
	if (queries->epoll_fd >= 0)
		close(queries->epoll_fd);
	free(queries);
	return NULL;
}

int query_fd(const struct queries *queries)
{
	return queries->epoll_fd;
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
		if (job->about.job_id == job_id && job->phase == JOB_OPEN)
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

/*
 * Takes the lock for a walk over all threads: the kernel programs allow one walk at a time.
 * Returns the lock's descriptor; -1 on errors. close() releases the lock.
 */
static int wait_for_others(const struct collector *c)
{
	int lock = open(c->conf.run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (lock >= 0 && flock(lock, LOCK_EX) < 0) {
		close(lock);
		return -1;
	}
	return lock;
}

static void __attribute__((noreturn)) answer(struct collector *c, int fd, uid_t uid, int parent)
{
	struct query_request request;
	struct error err = { "out of memory" };
	const char *text;
	struct job *job;
	struct json_object *record;
	size_t length;
	int lock;

	child_begin(parent);
	alarm(ANSWER_S);
	set_time(fd, SO_RCVTIMEO, REQUEST_S);
	set_time(fd, SO_SNDTIMEO, ANSWER_S);
	if (recv(fd, &request, sizeof(request), MSG_WAITALL) != sizeof(request) || request.magic != QUERY_MAGIC ||
	    request.version != QUERY_VERSION)
		refuse(fd, "stintd and the program that asks it have different versions");
	job = find_job(c, request.job_id);
	if (!job || (uid != 0 && uid != job->about.uid))
		refuse(fd, NO_JOB);
	if (job_mode(job, c->conf.mode) == CONTROL_MODE_OFF)
		refuse(fd, "the job runs with --stint=off");
	if (job->key && !job->so_far_known)
		refuse(fd, job->so_far_old ? QUERY_BUSY : "stintd does not sample what the live threads of this job have used");
	lock = wait_for_others(c);
	if (lock < 0)
		refuse(fd, "stintd cannot lock its directory");
	job->queried = job->so_far_known;
	job->about.mode = job_mode(job, c->conf.mode);
	job->closing.close_ns = clock_ns(CLOCK_BOOTTIME);
	text = close_build_text(c, job, true, &record, &length, &err);
	close(lock);
	if (!text)
		refuse(fd, err.text);
	put_all(fd, "+", 1);
	put_all(fd, text, length);
	_exit(0);
}

/* ---- in the collector ---- */

static int find_answer_place(const struct queries *queries, uid_t uid)
{
	int place = -1;

	for (int i = 0; i < ANSWERS_MAX; i++) {
		if (queries->answers[i].pid == 0)
			place = i;
		else if (queries->answers[i].uid == uid)
			return -1;
	}
	return place;
}

static bool has_job(const struct collector *c, uid_t uid)
{
	for (const struct job *job = c->jobs.first; job; job = job->next)
		if (job->about.uid == uid && job->phase == JOB_OPEN)
			return true;
	return uid == 0;
}

static void turn_away(int fd, const char *why, size_t length)
{
	send(fd, why, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool is_turn(struct queries *queries, struct collector *c, uid_t uid)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (query_turn_is_next(&queries->turns, uid, now) && sample_now(c))
		return true;
	query_turn_waits(&queries->turns, uid, now);
	return false;
}

static void begin(struct queries *queries, struct collector *c, int fd, uid_t uid)
{
	static const char busy[] = "-" QUERY_BUSY, no_job[] = "-" NO_JOB;
	int place = -1, parent = getpid(), pid = -1;

	if (!has_job(c, uid)) {
		turn_away(fd, no_job, sizeof(no_job) - 1);
		return;
	}
	if (!query_turn_is_too_early(&queries->turns, uid, clock_ns(CLOCK_MONOTONIC)))
		place = find_answer_place(queries, uid);
	if (place >= 0 && is_turn(queries, c, uid)) {
		programs__drain(c->programs);
		pid = fork();
	}
	if (pid == 0) {
		close(queries->fd);
		close(queries->epoll_fd);
		answer(c, fd, uid, parent);
	}
	if (pid < 0) {
		turn_away(fd, busy, sizeof(busy) - 1);
		return;
	}
	query_turn_taken(&queries->turns, uid, clock_ns(CLOCK_MONOTONIC));
	queries->answers[place].pid = pid;
	queries->answers[place].uid = uid;
}

/* Accepts no queries for a second. Otherwise the waiting queries would wake stintd again and again. */
static void rest(struct queries *queries)
{
	collector_log(LOG_WARNING, "cannot accept queries of running jobs: %s; stintd tries again in a second", strerror(errno));
	epoll_ctl(queries->epoll_fd, EPOLL_CTL_DEL, queries->fd, NULL);
	queries->resting = true;
}

void query_tick(struct queries *queries)
{
	if (queries && queries->resting && watch(queries) == 0)
		queries->resting = false;
}

void query_run(struct queries *queries, struct collector *c)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	for (int i = 0; i < ACCEPTS_MAX; i++) {
		int fd = accept4(queries->fd, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0 && (errno == ECONNABORTED || errno == EINTR))
			continue;
		if (fd < 0 && errno != EAGAIN)
			rest(queries);
		if (fd < 0)
			return;
		if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0)
			begin(queries, c, fd, who.uid);
		close(fd);
	}
}

bool query_child_ended(struct queries *queries, int pid)
{
	for (int i = 0; queries && i < ANSWERS_MAX; i++) {
		if (queries->answers[i].pid != pid)
			continue;
		queries->answers[i].pid = 0;
		return true;
	}
	return false;
}

void query_close(struct queries *queries)
{
	if (!queries)
		return;
	unlink(queries->address.sun_path);
	close(queries->fd);
	close(queries->epoll_fd);
	free(queries);
}
