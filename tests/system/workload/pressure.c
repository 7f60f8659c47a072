/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits of all kinds, mixed with work, for a given time.
 * A model of the scheduler's events knows files by their number:
 * pipes from 100 on, sockets from 200 on, files of a file system from 300 on.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

#define THREADS_MAX 32
#define STACK_BYTES 16384
#define PIPES 100
#define SOCKETS 200
#define FILES 300
#define WRITE_BYTES 16384
#define CONTENDED 2 /* the word of a glibc mutex that somebody waits for */

/* ---- what threads wait for ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, changed_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* Moves @file to the descriptor @number, by which the model knows it. */
static int numbered(int file, int number)
{
	if (file < 0 || dup3(file, number, O_CLOEXEC) != number)
		fail("a file of a number of its own");
	close(file);
	return number;
}

/* A pipe, sockets and a file for thread @i: two numbers each, the first one to read. */
static void make_files(int i)
{
	char name[] = "pressure.XXXXXX";
	int ends[2];

	if (pipe(ends))
		fail("pipe");
	numbered(ends[0], PIPES + 2 * i);
	numbered(ends[1], PIPES + 2 * i + 1);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends))
		fail("socketpair");
	numbered(ends[0], SOCKETS + 2 * i);
	numbered(ends[1], SOCKETS + 2 * i + 1);
	numbered(mkstemp(name), FILES + i);
	unlink(name);
}

static void wait_for_pipe(int i)
{
	char byte;

	if (read(PIPES + 2 * i, &byte, 1) < 0 && errno != EINTR)
		fail("read");
}

static void wait_for_socket(int i)
{
	char byte;

	if (recv(SOCKETS + 2 * i, &byte, 1, 0) < 0 && errno != EINTR)
		fail("recv");
}

static void wait_for_file(int i)
{
	static const char block[WRITE_BYTES];

	if (pwrite(FILES + i, block, sizeof(block), 0) < 0 || fdatasync(FILES + i))
		fail("fdatasync");
}

static void wait_for_event(int i, int64_t ns)
{
	struct pollfd nothing = { .fd = PIPES + 2 * i + 1 };
	struct timespec time = { .tv_nsec = ns };

	ppoll(&nothing, 1, &time, NULL);
}

static int child(void *ns)
{
	struct timespec time = { .tv_nsec = *(int64_t *)ns };

	syscall(SYS_nanosleep, &time, NULL);
	return 0;
}

/* It shares the memory: the other threads must not wait for a fork's copy. */
static void wait_for_child(int i, int64_t ns)
{
	static char stacks[THREADS_MAX][STACK_BYTES] __attribute__((aligned(16)));
	pid_t pid = clone(child, stacks[i] + STACK_BYTES, CLONE_VM | SIGCHLD, &ns);

	while (pid < 0 || waitpid(pid, NULL, 0) != pid)
		if (errno != EINTR)
			fail("clone");
}

static void wait_for_change(int64_t ns)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / NS_PER_S;
	until.tv_nsec %= NS_PER_S;
	pthread_mutex_lock(&changed_mutex);
	pthread_cond_timedwait(&changed, &changed_mutex, &until);
	pthread_mutex_unlock(&changed_mutex);
}

/* ---- one thread ---- */

static void interrupted(int signal)
{
	(void)signal;
}

/*
 * Ends a wait that has no other thread to end it.
 * The signal repeats after @ns, because the first may come before the wait. 0 stops it.
 */
static void interrupt_after(int64_t ns)
{
	struct itimerval time = { .it_value.tv_usec = ns / 1000, .it_interval.tv_usec = ns / 1000 };

	setitimer(ITIMER_REAL, &time, NULL);
}

/* Waits as pthread_mutex_lock() does for another thread's mutex. */
static void wait_for_mutex(int64_t ns)
{
	static _Alignas(8) uint32_t held = CONTENDED;

	interrupt_after(ns);
	syscall(SYS_futex, &held, FUTEX_WAIT_PRIVATE, CONTENDED, NULL, NULL, 0);
}

static void wait_in_turn(unsigned int turn, int64_t ns)
{
	switch (turn % 8) {
	case 0:
		wait_for_mutex(ns);
		break;
	case 1:
		wait_for_change(ns);
		break;
	case 2:
		interrupt_after(ns);
		wait_for_pipe(0);
		break;
	case 3:
		interrupt_after(ns);
		wait_for_socket(0);
		break;
	case 4:
		wait_for_event(0, ns);
		break;
	case 5:
		wait_for_file(0);
		break;
	case 6:
		sleep_ns(ns);
		break;
	case 7:
		wait_for_child(0, ns);
		break;
	}
	interrupt_after(0);
}

int work_kinds(int argc, char *argv[])
{
	struct sigaction action = { .sa_handler = interrupted };
	int64_t end;

	(void)argc;
	make_files(0);
	sigaction(SIGALRM, &action, NULL);
	end = now_ns() + (int64_t)(atof(argv[1]) * NS_PER_S);
	for (unsigned int turn = 0; now_ns() < end; turn++) {
		burn_ns(NS_PER_MS);
		wait_in_turn(turn, 4 * NS_PER_MS);
	}
	tell("kinds");
	return 0;
}

/* With "starved", goes on until others delayed it three times as long as its files did, however slow the disk is. */
int work_syncs(int argc, char *argv[])
{
	int64_t end = now_ns() + (int64_t)(atof(argv[1]) * NS_PER_S), waited_ns = 0;
	bool starved = argc > 2 && !strcmp(argv[2], "starved");
	struct meter meter;

	make_files(0);
	while (now_ns() < end) {
		do
			burn_ns(NS_PER_MS);
		while (starved && thread_delay_ns() < 3 * waited_ns && now_ns() < end + 30 * NS_PER_S);
		meter_start(&meter);
		wait_for_file(0);
		waited_ns += meter_waited_ns(&meter);
	}
	told("waited_ns", waited_ns);
	told("delay_ns", thread_delay_ns());
	tell("syncs");
	return 0;
}

/* ---- several threads ---- */

struct player {
	pthread_t id;
	int number;
	unsigned int seed;
};

static struct player players[THREADS_MAX];
static int64_t plays_end_ns;
static volatile bool played;

static int64_t up_to_ns(struct player *player, int64_t ns)
{
	return rand_r(&player->seed) % ns + 1;
}

static void hold_mutex(struct player *player)
{
	pthread_mutex_lock(&mutex);
	if (rand_r(&player->seed) % 2)
		burn_ns(up_to_ns(player, NS_PER_MS));
	else
		sleep_ns(up_to_ns(player, 3 * NS_PER_MS));
	pthread_mutex_unlock(&mutex);
}

static void play_once(struct player *player)
{
	switch (rand_r(&player->seed) % 9) {
	case 0:
	case 1:
		hold_mutex(player);
		break;
	case 2:
		wait_for_change(up_to_ns(player, 8 * NS_PER_MS));
		break;
	case 3:
		pthread_cond_broadcast(&changed);
		break;
	case 4:
		wait_for_pipe(player->number);
		break;
	case 5:
		wait_for_socket(player->number);
		break;
	case 6:
		wait_for_event(player->number, up_to_ns(player, 5 * NS_PER_MS));
		break;
	case 7:
		wait_for_file(player->number);
		break;
	case 8:
		wait_for_child(player->number, up_to_ns(player, 3 * NS_PER_MS));
		break;
	}
}

static void *play(void *data)
{
	struct player *player = data;

	while (now_ns() < plays_end_ns) {
		burn_ns(up_to_ns(player, 2 * NS_PER_MS));
		play_once(player);
		sleep_ns(up_to_ns(player, 4 * NS_PER_MS));
	}
	return NULL;
}

static void *feed(void *data)
{
	int threads = *(int *)data;

	for (int i = 0; !played; i = (i + 1) % threads) {
		sleep_ns(2 * NS_PER_MS);
		if (send(SOCKETS + 2 * i + 1, "", 1, MSG_DONTWAIT) < 0 && errno != EAGAIN)
			fail("send");
		if (write(PIPES + 2 * i + 1, "", 1) < 0 && errno != EAGAIN)
			fail("write");
	}
	return NULL;
}

int work_mixed(int argc, char *argv[])
{
	int threads = atoi(argv[1]);
	pthread_t feeder;

	(void)argc;
	if (threads < 1 || threads > THREADS_MAX)
		return 2;
	for (int i = 0; i < threads; i++) {
		make_files(i);
		fcntl(PIPES + 2 * i + 1, F_SETFL, O_NONBLOCK);
		players[i].number = i;
		players[i].seed = atoi(argv[3]) * THREADS_MAX + i;
	}
	plays_end_ns = now_ns() + (int64_t)(atof(argv[2]) * NS_PER_S);
	if (pthread_create(&feeder, NULL, feed, &threads))
		fail("pthread_create");
	for (int i = 0; i < threads; i++)
		if (pthread_create(&players[i].id, NULL, play, &players[i]))
			fail("pthread_create");
	for (int i = 0; i < threads; i++)
		pthread_join(players[i].id, NULL);
	played = true;
	pthread_join(feeder, NULL);
	tell("mixed");
	return 0;
}

/* ---- producers and consumers ---- */

#define STORE 4

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t filled;
	pthread_cond_t emptied;
	int items;
	bool closed;
} store = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false };

static void *produce(void *data)
{
	struct player *player = data;

	while (now_ns() < plays_end_ns) {
		burn_ns(up_to_ns(player, NS_PER_MS));
		sleep_ns(up_to_ns(player, NS_PER_MS));
		pthread_mutex_lock(&store.mutex);
		while (store.items == STORE)
			pthread_cond_wait(&store.emptied, &store.mutex);
		store.items++;
		pthread_cond_signal(&store.filled);
		pthread_mutex_unlock(&store.mutex);
	}
	return NULL;
}

static bool take(void)
{
	bool taken;

	pthread_mutex_lock(&store.mutex);
	while (!store.items && !store.closed)
		pthread_cond_wait(&store.filled, &store.mutex);
	taken = store.items > 0;
	store.items -= taken;
	pthread_cond_signal(&store.emptied);
	pthread_mutex_unlock(&store.mutex);
	return taken;
}

static void *consume(void *data)
{
	struct player *player = data;

	while (take())
		burn_ns(up_to_ns(player, 3 * NS_PER_MS));
	return NULL;
}

int work_store(int argc, char *argv[])
{
	int producers = atoi(argv[1]), threads = producers + atoi(argv[2]);

	(void)argc;
	if (producers < 1 || threads <= producers || threads > THREADS_MAX)
		return 2;
	plays_end_ns = now_ns() + (int64_t)(atof(argv[3]) * NS_PER_S);
	for (int i = 0; i < threads; i++) {
		players[i].seed = atoi(argv[4]) * THREADS_MAX + i;
		if (pthread_create(&players[i].id, NULL, i < producers ? produce : consume, &players[i]))
			fail("pthread_create");
	}
	for (int i = 0; i < producers; i++)
		pthread_join(players[i].id, NULL);
	pthread_mutex_lock(&store.mutex);
	store.closed = true;
	pthread_cond_broadcast(&store.filled);
	pthread_mutex_unlock(&store.mutex);
	for (int i = producers; i < threads; i++)
		pthread_join(players[i].id, NULL);
	tell("store");
	return 0;
}
