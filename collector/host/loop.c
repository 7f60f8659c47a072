/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/loop.h"

#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"

#define TICK_MS 1000
#define FAST_MS 10
#define HOLD_NS 30000
#define REST_NS 200000
/* A phase sleeps only during its first 800 ms, because a user's query waits until the phase ends. */
#define RESTS_NS 800000000
#define WATCHES_MAX 8
#define PERIODS_MAX 16
#define CHILDREN_MAX 8
#define WORKS_MAX 4 /* for each enum loop_moment */

struct watch {
	int fd;
	loop_work *ready;
};

struct period {
	unsigned int seconds;
	loop_work *work;
};

struct loop {
	struct collector *c;
	int epoll_fd, urgent_fd, signal_fd, timer_fd;
	struct watch watches[WATCHES_MAX];
	unsigned int watch_count;
	struct period periods[PERIODS_MAX];
	unsigned int period_count;
	loop_ended *children[CHILDREN_MAX];
	unsigned int child_count;
	loop_work *works[LOOP_MOMENTS][WORKS_MAX];
	unsigned int work_counts[LOOP_MOMENTS];
	uint64_t next_second_ns; /* CLOCK_MONOTONIC */
	unsigned int seconds;
	uint64_t held_since_ns;  /* CLOCK_MONOTONIC when the loop got the CPU */
	uint64_t rests_until_ns; /* CLOCK_MONOTONIC; 0: no more sleeps in this phase */
	bool (*full)(const void *data); /* NULL: no buffer to watch */
	const void *full_data;
	bool fast;
	bool hurried; /* SIGUSR1 came */
	bool stop;
};

static void set_timer(struct loop *loop, int ms)
{
	const struct timespec step = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	const struct itimerspec spec = { step, step };

	timerfd_settime(loop->timer_fd, 0, &spec, NULL);
}

static int add(int epoll_fd, int fd, void *data)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = data };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

int loop_watch(struct loop *loop, int fd, enum loop_urgency urgency, loop_work *ready, struct error *err)
{
	struct watch *watch = &loop->watches[loop->watch_count++];

	assert(loop->watch_count <= WATCHES_MAX);
	*watch = (struct watch){ fd, ready };
	if (add(loop->epoll_fd, fd, watch) < 0 || (urgency == LOOP_URGENT && add(loop->urgent_fd, fd, watch) < 0))
		return error_errno(err, "cannot set up the event loop");
	return 0;
}

void loop_every(struct loop *loop, unsigned int seconds, loop_work *work)
{
	assert(loop->period_count < PERIODS_MAX);
	loop->periods[loop->period_count++] = (struct period){ seconds, work };
}

void loop_children(struct loop *loop, loop_ended *ended)
{
	assert(loop->child_count < CHILDREN_MAX);
	loop->children[loop->child_count++] = ended;
}

void loop_at(struct loop *loop, enum loop_moment moment, loop_work *work)
{
	assert(loop->work_counts[moment] < WORKS_MAX);
	loop->works[moment][loop->work_counts[moment]++] = work;
}

void loop_empties(struct loop *loop, bool (*full)(const void *data), const void *data)
{
	loop->full = full;
	loop->full_data = data;
}

void loop_set_fast(struct loop *loop, bool fast)
{
	if (fast == loop->fast)
		return;
	loop->fast = fast;
	set_timer(loop, fast ? FAST_MS : TICK_MS);
}

static void allow_rests(struct loop *loop)
{
	loop->rests_until_ns = clock_ns(CLOCK_MONOTONIC) + RESTS_NS;
}

/*
 * Sleeps if the loop has had the CPU for HOLD_NS. If something urgent comes or a buffer fills, this was the last sleep
 * of the phase.
 */
static void rest(struct loop *loop)
{
	const struct timespec length = { .tv_nsec = REST_NS };
	struct pollfd urgent = { loop->urgent_fd, POLLIN, 0 };

	if (!loop->rests_until_ns || clock_ns(CLOCK_MONOTONIC) - loop->held_since_ns < HOLD_NS)
		return;
	if (ppoll(&urgent, 1, &length, NULL) > 0 || (loop->full && loop->full(loop->full_data)))
		loop->rests_until_ns = 0;
	loop->held_since_ns = clock_ns(CLOCK_MONOTONIC);
	if (loop->held_since_ns > loop->rests_until_ns)
		loop->rests_until_ns = 0;
}

void loop_in_pieces(struct loop *loop, loop_piece *piece)
{
	bool more;

	do {
		more = piece(loop->c);
		rest(loop);
	} while (more);
}

static void moment(struct loop *loop, enum loop_moment which)
{
	for (unsigned int i = 0; i < loop->work_counts[which]; i++)
		loop->works[which][i](loop->c);
}

static void reap(struct loop *loop)
{
	int pid, status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (unsigned int i = 0; i < loop->child_count; i++)
			if (loop->children[i](loop->c, pid, status))
				break;
	moment(loop, LOOP_REAPED);
}

static void take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(loop->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(loop);
		else if (info.ssi_signo == SIGUSR1)
			loop->hurried = true;
		else
			loop->stop = true;
	}
}

static void work_of_second(struct loop *loop, bool hurried)
{
	if (hurried)
		moment(loop, LOOP_HURRY);
	loop->next_second_ns = clock_ns(CLOCK_MONOTONIC) + (TICK_MS - FAST_MS / 2) * 1000000ull;
	loop->seconds++;
	for (unsigned int i = 0; i < loop->period_count; i++)
		if (hurried || loop->seconds % loop->periods[i].seconds == 0) {
			loop->periods[i].work(loop->c);
			if (!loop->fast) /* an epilog waits */
				rest(loop);
		}
}

static void take_time(struct loop *loop)
{
	uint64_t count;

	if (read(loop->timer_fd, &count, sizeof(count)) > 0 && clock_ns(CLOCK_MONOTONIC) >= loop->next_second_ns)
		work_of_second(loop, false);
}

/* The loop's own descriptors have no struct watch. */
static void take(struct loop *loop, const struct epoll_event *event)
{
	const struct watch *watch = event->data.ptr;

	if (event->data.ptr == &loop->signal_fd)
		take_signals(loop);
	else if (event->data.ptr == &loop->timer_fd)
		take_time(loop);
	else
		watch->ready(loop->c);
}

void loop_run(struct loop *loop)
{
	while (!loop->stop) {
		struct epoll_event events[WATCHES_MAX];
		int n = epoll_wait(loop->epoll_fd, events, WATCHES_MAX, -1);

		loop->held_since_ns = clock_ns(CLOCK_MONOTONIC);
		allow_rests(loop);
		for (int i = 0; i < n; i++)
			take(loop, &events[i]);
		if (loop->hurried) {
			loop->hurried = false;
			work_of_second(loop, true);
		}
		allow_rests(loop);
		moment(loop, LOOP_ROUND);
	}
}

/* Returns false on failure. Checks add() only, which fails for a descriptor of -1. */
static bool make(struct loop *loop)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->urgent_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return add(loop->epoll_fd, loop->signal_fd, &loop->signal_fd) == 0 &&
	       add(loop->epoll_fd, loop->timer_fd, &loop->timer_fd) == 0 &&
	       add(loop->urgent_fd, loop->signal_fd, NULL) == 0 && add(loop->urgent_fd, loop->timer_fd, NULL) == 0;
}

struct loop *loop_open(struct collector *c, struct error *err)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (!loop || !make(loop)) {
		error_errno(err, "cannot set up the event loop");
		loop_close(loop);
		return NULL;
	}
	loop->c = c;
	set_timer(loop, TICK_MS);
	return loop;
}

void loop_close(struct loop *loop)
{
	if (!loop)
		return;
	close(loop->epoll_fd);
	close(loop->urgent_fd);
	close(loop->signal_fd);
	close(loop->timer_fd);
	free(loop);
}
