/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes as much at once as there is room for.
 *
 *   bomb GO MS       writes its pid to the file "pid", and waits for the file GO.
 *                    Then every process forks as often as it can, for MS milliseconds.
 *                    Prints how many forks succeeded, and how many failed.
 *   threads N        N threads that end at the same moment. Prints how many there were.
 *   crowd P T MS     P processes of T threads each, besides their first, all alive at once.
 *                    Each thread takes MS milliseconds of CPU.
 *   rest N GO        N threads that do nothing until the file GO is there. Prints "there" when all are.
 *   hold P GO        P processes, all alive at once, that wait for the file GO.
 *                    Each has a second thread, and one that has ended. Prints a line when all are there.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (64 << 10)

struct shared {
	_Atomic long forks;
	_Atomic long refused;
	_Atomic int over;
	pthread_barrier_t all;
};

static struct shared *shared;

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void barrier(unsigned int count)
{
	pthread_barrierattr_t attr;

	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->all, &attr, count);
}

static void wait_for_children(void)
{
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* A process waits only for its own children. */
static void fork_on(int64_t until)
{
	while (!shared->over && clock_ns(CLOCK_MONOTONIC) < until) {
		pid_t pid = fork();

		if (pid > 0) {
			shared->forks++;
		} else if (pid < 0) {
			shared->refused++;
			usleep(500);
			while (waitpid(-1, NULL, WNOHANG) > 0)
				;
		} else if (clock_ns(CLOCK_MONOTONIC) % 3 == 0) {
			_exit(0); /* makes room for more */
		}
	}
}

static int bomb(const char *go, double ms)
{
	pid_t self = getpid();
	FILE *out = fopen("pid", "w");

	if (!out || fprintf(out, "%d\n", self) < 0 || fclose(out) != 0)
		return 1;
	while (access(go, F_OK) < 0)
		usleep(10000);
	fork_on(clock_ns(CLOCK_MONOTONIC) + (int64_t)(ms * 1e6));
	shared->over = 1;
	wait_for_children();
	if (getpid() != self)
		_exit(0);
	printf("%ld %ld\n", shared->forks, shared->refused);
	return 0;
}

static void *burn(void *ms)
{
	int64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + (int64_t)(*(double *)ms * 1e6);

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
	pthread_barrier_wait(&shared->all);
	return NULL;
}

static int run_threads(int count, double ms)
{
	pthread_t *threads = calloc(count, sizeof(*threads));
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (int i = 0; threads && i < count; i++)
		if (pthread_create(&threads[i], &attr, burn, &ms)) {
			fprintf(stderr, "swarm: thread %d: %s\n", i, strerror(errno));
			exit(1); /* all others would wait for ever */
		}
	for (int i = 0; threads && i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return !threads;
}

static int crowd(int processes, int threads, double ms)
{
	int status, failed = 0;

	for (int i = 0; i < processes; i++)
		if (fork() == 0)
			_exit(run_threads(threads, ms));
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

static void *none(void *unused)
{
	return unused;
}

static void *wait_for_file(void *name)
{
	while (access(name, F_OK) < 0)
		usleep(100000);
	return NULL;
}

static void *do_nothing(void *unused)
{
	pause();
	return unused;
}

static int rest(int count, char *go)
{
	pthread_t thread;
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, &attr, do_nothing, NULL)) {
			fprintf(stderr, "swarm: thread %d: %s\n", i, strerror(errno));
			return 1;
		}
	puts("there");
	fflush(stdout);
	wait_for_file(go);
	return 0;
}

static int hold(int processes, char *go)
{
	pthread_t thread;
	int status, failed = 0;

	barrier(processes + 1);
	for (int i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0) {
			fprintf(stderr, "swarm: process %d: %s\n", i, strerror(errno));
			_exit(1);
		}
		if (pid)
			continue;
		if (pthread_create(&thread, NULL, none, NULL) || pthread_join(thread, NULL) ||
		    pthread_create(&thread, NULL, wait_for_file, go))
			_exit(1);
		pthread_barrier_wait(&shared->all);
		pthread_join(thread, NULL);
		_exit(0);
	}
	pthread_barrier_wait(&shared->all);
	printf("%d\n", processes);
	fflush(stdout);
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

int main(int argc, char *argv[])
{
	const char *what = argc > 1 ? argv[1] : "";

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	if (!strcmp(what, "bomb") && argc == 4)
		return bomb(argv[2], atof(argv[3]));
	if (!strcmp(what, "threads") && argc == 3) {
		barrier(atoi(argv[2]));
		return run_threads(atoi(argv[2]), 0) || printf("%d\n", atoi(argv[2])) < 0;
	}
	if (!strcmp(what, "rest") && argc == 4)
		return rest(atoi(argv[2]), argv[3]);
	if (!strcmp(what, "hold") && argc == 4)
		return hold(atoi(argv[2]), argv[3]);
	if (!strcmp(what, "crowd") && argc == 5) {
		barrier(atoi(argv[2]) * atoi(argv[3]));
		return crowd(atoi(argv[2]), atoi(argv[3]), atof(argv[4]));
	}
	fprintf(stderr, "swarm: unknown work '%s'\n", what);
	return 2;
}
