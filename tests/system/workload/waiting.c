/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

#define THREADS_MAX 64

int work_sleep(int argc, char *argv[])
{
	const char *file = argc > 3 ? argv[3] : NULL;
	int times = atoi(argv[1]);
	struct meter meter;

	meter_start(&meter);
	for (int left = times; left > 0; left -= is_there(file))
		sleep_ns((int64_t)(atof(argv[2]) * NS_PER_MS));
	told("waited_ns", meter_waited_ns(&meter));
	told("times", times);
	tell("sleep");
	return 0;
}

/* ---- lock ---- */

struct fighter {
	pthread_t id;
	int rounds;
	int64_t hold_ns;
	bool burns;
	int64_t lock_ns; /* waited for the mutex */
	int64_t held_ns; /* off the CPU with it in hand */
};

static pthread_mutex_t fought = PTHREAD_MUTEX_INITIALIZER;

static void *fight(void *data)
{
	struct fighter *fighter = data;
	struct meter meter;

	for (int i = 0; i < fighter->rounds; i++) {
		meter_start(&meter);
		pthread_mutex_lock(&fought);
		fighter->lock_ns += meter_waited_ns(&meter);
		meter_start(&meter);
		if (fighter->burns)
			burn_ns(fighter->hold_ns);
		else
			sleep_ns(fighter->hold_ns);
		fighter->held_ns += meter_waited_ns(&meter);
		pthread_mutex_unlock(&fought);
		sched_yield(); /* a mutex is not fair: the others are to have it, too */
	}
	return NULL;
}

int work_lock(int argc, char *argv[])
{
	static struct fighter fighters[THREADS_MAX];
	int threads = atoi(argv[1]), rounds = atoi(argv[2]);
	struct meter meter;

	(void)argc;
	if (threads < 1 || threads > THREADS_MAX)
		return 2;
	for (int i = 0; i < threads; i++) {
		fighters[i].rounds = rounds;
		fighters[i].hold_ns = (int64_t)(atof(argv[3]) * NS_PER_MS);
		fighters[i].burns = !strcmp(argv[4], "burn");
		if (pthread_create(&fighters[i].id, NULL, fight, &fighters[i]))
			fail("pthread_create");
	}
	/* joining is a wait for a futex as well */
	meter_start(&meter);
	for (int i = 0; i < threads; i++)
		pthread_join(fighters[i].id, NULL);
	told("join_ns", meter_waited_ns(&meter));
	for (int i = 0; i < threads; i++) {
		told("lock_ns", fighters[i].lock_ns);
		told("held_ns", fighters[i].held_ns);
	}
	told("threads", threads);
	told("times", (int64_t)threads * rounds);
	tell("lock");
	return 0;
}

/* ---- event ---- */

int work_epoll(int argc, char *argv[])
{
	int times = atoi(argv[1]);
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), events = epoll_create1(EPOLL_CLOEXEC);
	struct sockaddr address = { .sa_family = AF_UNIX }; /* with no more of it the kernel chooses a name */
	struct epoll_event event = { .events = EPOLLIN };
	struct meter meter;

	(void)argc;
	if (bind(server, &address, sizeof(address.sa_family)) || listen(server, 8) ||
	    epoll_ctl(events, EPOLL_CTL_ADD, server, &event))
		fail("epoll");
	meter_start(&meter);
	for (int i = 0; i < times; i++)
		if (epoll_wait(events, &event, 1, atoi(argv[2])))
			fail("epoll_wait");
	told("waited_ns", meter_waited_ns(&meter));
	told("times", times);
	tell("epoll");
	return 0;
}

/* ---- pipe ---- */

/* Moves a whole block, by as many calls as the pipe wants. Adds to the count of calls. */
static bool move_block(int file, char *block, size_t bytes, bool out, int64_t *calls)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t some = out ? write(file, block + done, bytes - done) : read(file, block + done, bytes - done);

		if (some <= 0)
			return false;
		done += some;
		(*calls)++;
	}
	return true;
}

int work_stage(int argc, char *argv[])
{
	bool reads = strcmp(argv[1], "source") != 0, writes = strcmp(argv[1], "sink") != 0;
	int64_t waited = 0, read_calls = 0, write_calls = 0, bytes = atoll(argv[3]);
	char *block = calloc(1, bytes);
	int blocks = atoi(argv[2]), out = dup(STDOUT_FILENO);
	struct meter meter;

	(void)argc;
	/* what is told goes beside the pipe */
	if (!block || out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		fail("stage");
	for (int i = 0; i < blocks; i++) {
		meter_start(&meter);
		if (reads && !move_block(STDIN_FILENO, block, bytes, false, &read_calls))
			fail("read");
		waited += meter_waited_ns(&meter);
		burn_ns((int64_t)(atof(argv[4]) * NS_PER_MS));
		meter_start(&meter);
		if (writes && !move_block(out, block, bytes, true, &write_calls))
			fail("write");
		waited += meter_waited_ns(&meter);
	}
	told("waited_ns", waited);
	told("bytes", blocks * bytes);
	told("read_calls", read_calls);
	told("write_calls", write_calls);
	tell(argv[1]);
	free(block);
	return 0;
}

/* ---- child ---- */

int work_child(int argc, char *argv[])
{
	int times = atoi(argv[1]);
	int64_t waited = 0;
	struct meter meter;

	(void)argc;
	for (int i = 0; i < times; i++) {
		pid_t child = fork();

		if (!child) {
			sleep_ns((int64_t)(atof(argv[2]) * NS_PER_MS));
			_exit(0);
		}
		meter_start(&meter);
		if (waitpid(child, NULL, 0) != child)
			fail("waitpid");
		waited += meter_waited_ns(&meter);
	}
	told("waited_ns", waited);
	told("times", times);
	tell("child");
	return 0;
}
