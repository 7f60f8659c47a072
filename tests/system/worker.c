/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests' work of known size. Copies of it under other names are other tools.
 *
 *   burn MS            MS milliseconds of CPU
 *   threads N MS       N threads, one after another, each MS milliseconds of CPU.
 *                      They run on another CPU than the thread that waits, if there are two
 *   hold MIB [COMMAND...]  touches MIB mebibytes, then runs COMMAND and waits for it
 *   timed COMMAND...   runs COMMAND; prints its CPU from wait4, in microseconds
 *   daemon COMMAND...  runs COMMAND in a new session, outside the job's processes, and ends at once
 *   NUMBER             ends by its last digit: 3 with exit code 3, 7 by SIGTERM, else with 0
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t thread_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void burn(double ms)
{
	int64_t end = thread_cpu_ns() + (int64_t)(ms * 1e6);

	while (thread_cpu_ns() < end)
		;
}

static void *burn_thread(void *ms)
{
	burn(*(double *)ms);
	return NULL;
}

static cpu_set_t one_cpu(bool last)
{
	cpu_set_t allowed, one;
	int chosen = -1;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && (last || chosen < 0))
			chosen = cpu;
	CPU_ZERO(&one);
	CPU_SET(chosen, &one);
	return one;
}

static int run_threads(int count, double ms)
{
	cpu_set_t here = one_cpu(false), there = one_cpu(true);
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(there), &there);
	sched_setaffinity(0, sizeof(here), &here);
	for (int i = 0; i < count; i++) {
		pthread_t thread;

		if (pthread_create(&thread, &attr, burn_thread, &ms))
			return 1;
		pthread_join(thread, NULL);
	}
	return 0;
}

/* With vfork(), like shells of large programs: the child has its parent's memory until its exec. */
static pid_t start(char *argv[])
{
	pid_t pid;

	return posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) ? -1 : pid;
}

static int end_as(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_timed(char *argv[])
{
	struct rusage usage;
	int status;
	pid_t pid = start(argv);

	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return 1;
	printf("%ld\n", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec +
	       usage.ru_stime.tv_usec);
	return end_as(status);
}

static int hold(size_t mib, char *argv[])
{
	char *memory = malloc(mib << 20);
	int status = 0;

	if (!memory)
		return 1;
	memset(memory, 1, mib << 20);
	__asm__ volatile("" : : "r"(memory) : "memory"); /* so that the compiler keeps the loop */
	if (argv[0] && waitpid(start(argv), &status, 0) < 0)
		return 1;
	free(memory);
	return end_as(status);
}

static int run_daemon(char *argv[])
{
	if (fork() > 0)
		_exit(0);
	setsid();
	if (fork() > 0)
		_exit(0);
	execv(argv[0], argv);
	return 127;
}

static int end_by_number(int number)
{
	if (number % 10 == 7)
		raise(SIGTERM);
	return number % 10 == 3 ? 3 : 0;
}

int main(int argc, char *argv[])
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "burn") && argc == 3)
		return burn(atof(argv[2])), 0;
	if (!strcmp(what, "threads") && argc == 4)
		return run_threads(atoi(argv[2]), atof(argv[3]));
	if (!strcmp(what, "hold") && argc >= 3)
		return hold(atoi(argv[2]), argv + 3);
	if (!strcmp(what, "timed") && argc >= 3)
		return run_timed(argv + 2);
	if (!strcmp(what, "daemon") && argc >= 3)
		return run_daemon(argv + 2);
	if (argc == 2 && what[0] >= '0' && what[0] <= '9')
		return end_by_number(atoi(what));
	fprintf(stderr, "worker: unknown work '%s'\n", what);
	return 2;
}
