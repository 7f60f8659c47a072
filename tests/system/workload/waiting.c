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
	int64_t hold_ns;
	bool burns;
	int64_t lock_ns; /* waited for the mutex */
	int64_t held_ns; /* off the CPU while holding it */
};

static pthread_mutex_t fought = PTHREAD_MUTEX_INITIALIZER;
/* For all threads: a mutex is not fair, and a thread that is left alone would not wait. */
static int rounds_left;

static void *fight(void *data)
{
	struct fighter *fighter = data;
	struct meter meter;

	for (;;) {
		meter_start(&meter);
		pthread_mutex_lock(&fought);
		fighter->lock_ns += meter_waited_ns(&meter);
		if (!rounds_left)
			break;
		rounds_left--;
		meter_start(&meter);
		if (fighter->burns)
			burn_ns(fighter->hold_ns);
		else
			sleep_ns(fighter->hold_ns);
		fighter->held_ns += meter_waited_ns(&meter);
		pthread_mutex_unlock(&fought);
		sched_yield(); /* the others should get it, too */
	}
	pthread_mutex_unlock(&fought);
	return NULL;
}

int work_lock(int argc, char *argv[])
{
	static struct fighter fighters[THREADS_MAX];
	int threads = atoi(argv[1]), rounds = threads * atoi(argv[2]);
	struct meter meter;

	(void)argc;
	if (threads < 1 || threads > THREADS_MAX)
		return 2;
	rounds_left = rounds;
	for (int i = 0; i < threads; i++) {
		fighters[i].hold_ns = (int64_t)(atof(argv[3]) * NS_PER_MS);
		fighters[i].burns = !strcmp(argv[4], "burn");
		if (pthread_create(&fighters[i].id, NULL, fight, &fighters[i]))
			fail("pthread_create");
	}
	/* a join waits on a futex, but not for a lock */
	meter_start(&meter);
	for (int i = 0; i < threads; i++)
		pthread_join(fighters[i].id, NULL);
	told("join_ns", meter_waited_ns(&meter));
	for (int i = 0; i < threads; i++) {
		told("lock_ns", fighters[i].lock_ns);
		told("held_ns", fighters[i].held_ns);
	}
	told("threads", threads);
	told("times", (int64_t)rounds + threads); /* each thread locks once more, and finds no rounds left */
	tell("lock");
	return 0;
}

/* ---- event ---- */

int work_epoll(int argc, char *argv[])
{
	int times = atoi(argv[1]);
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), events = epoll_create1(EPOLL_CLOEXEC);
	struct sockaddr address = { .sa_family = AF_UNIX }; /* without a name, the kernel chooses one */
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

/* Moves a whole block, in as many calls as the pipe wants. @calls: the count of calls */
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
	/* the printed numbers must not go through the pipe */
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
	int64_t waited = 0, forked = 0;
	struct meter meter;

	(void)argc;
	for (int i = 0; i < times; i++) {
		pid_t child;

		meter_start(&meter);
		child = fork();
		if (!child) {
			sleep_ns((int64_t)(atof(argv[2]) * NS_PER_MS));
			_exit(0);
		}
		forked += meter_waited_ns(&meter);
		meter_start(&meter);
		if (waitpid(child, NULL, 0) != child)
			fail("waitpid");
		waited += meter_waited_ns(&meter);
	}
	told("fork_ns", forked);
	told("waited_ns", waited);
	told("times", times);
	tell("child");
	return 0;
}

/* ---- turns ---- */

#define TURNS_LAST 'q' /* the byte that ends it */

struct partner {
	int in, out;
	int64_t delay_ns; /* waited for a CPU */
};

/* Keeps the calling thread to the CPU @index of @may, or to its last one. */
static void keep_to(const cpu_set_t *may, int index)
{
	cpu_set_t one;
	int chosen = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && index >= 0; cpu++)
		if (CPU_ISSET(cpu, may)) {
			chosen = cpu;
			index--;
		}
	CPU_ZERO(&one);
	CPU_SET(chosen, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		fail("sched_setaffinity");
}

static void *send_back(void *data)
{
	struct partner *partner = data;
	char byte = 0;

	while (byte != TURNS_LAST)
		if (read(partner->in, &byte, 1) != 1 || write(partner->out, &byte, 1) != 1)
			fail("turns");
	partner->delay_ns = thread_delay_ns();
	return NULL;
}

/* The least time that reading a clock takes. */
static int64_t clock_reading_ns(void)
{
	int64_t least = NS_PER_S;

	for (int batch = 0; batch < 100; batch++) {
		int64_t from = now_ns(), took;

		for (int i = 0; i < 99; i++)
			now_ns();
		took = (now_ns() - from) / 100;
		least = took < least ? took : least;
	}
	return least;
}

int work_turns(int argc, char *argv[])
{
	int64_t end = now_ns() + (int64_t)(atof(argv[2]) * NS_PER_S), rounds = 0;
	int there[2], back[2], cpus = atoi(argv[1]);
	struct partner partner;
	pthread_t other;
	cpu_set_t may;
	char byte = 0;

	(void)argc;
	if (sched_getaffinity(0, sizeof(may), &may) || pipe(there) || pipe(back))
		fail("pipe");
	partner = (struct partner){ .in = there[0], .out = back[1] };
	keep_to(&may, 0);
	if (pthread_create(&other, NULL, send_back, &partner))
		fail("pthread_create");
	if (cpus > 1)
		keep_to(&may, 1);
	for (; byte != TURNS_LAST; rounds++) {
		byte = now_ns() < end ? 0 : TURNS_LAST;
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			fail("turns");
	}
	pthread_join(other, NULL);
	told("delay_ns", partner.delay_ns + thread_delay_ns());
	told("rounds", rounds);
	told("clock_ns", clock_reading_ns());
	tell("turns");
	return 0;
}
