/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for a mutex or a condition variable.
 *
 *   mutex contended SECONDS      four threads want one mutex: 1 ms of CPU under it, 0.1 ms without
 *   mutex idle|beside SECONDS    four threads of a pool wait for work; beside: main computes
 *   mutex rare SECONDS           main computes, a tenth of the time under the mutex.
 *                                Four threads want the mutex a hundred times a second.
 *                                Writes the seconds that they waited to the file "waited"
 *   mutex timed|timed-beside SECONDS   four threads wait for 20 ms at a time
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "burn.h"

#define THREADS 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int64_t end_ns;
static bool ended;
static int64_t waited_ns;

static void *fight(void *data)
{
	while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
		pthread_mutex_lock(&mutex);
		burn_us(1000);
		pthread_mutex_unlock(&mutex);
		burn_us(100);
	}
	return data;
}

static void *serve(void *data)
{
	pthread_mutex_lock(&mutex);
	while (!ended)
		pthread_cond_wait(&work, &mutex);
	pthread_mutex_unlock(&mutex);
	return data;
}

static void *look(void *data)
{
	struct timespec until;

	pthread_mutex_lock(&mutex);
	while (!ended) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 20 * 1000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&work, &mutex, &until);
	}
	pthread_mutex_unlock(&mutex);
	return data;
}

static void *want(void *data)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
		int64_t from_ns;

		nanosleep(&pause, NULL);
		from_ns = clock_ns(CLOCK_MONOTONIC);
		pthread_mutex_lock(&mutex);
		waited_ns += clock_ns(CLOCK_MONOTONIC) - from_ns;
		pthread_mutex_unlock(&mutex);
	}
	return data;
}

static void compute(void)
{
	while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
		pthread_mutex_lock(&mutex);
		burn_us(1000);
		pthread_mutex_unlock(&mutex);
		burn_us(9000);
	}
}

static int tell_waited(void)
{
	FILE *file = fopen("waited", "w");

	return !file || fprintf(file, "%.6f\n", waited_ns / 1e9) < 0 || fclose(file) != 0;
}

int main(int argc, char *argv[])
{
	const char *how = argc > 2 ? argv[1] : "";
	void *(*body)(void *) = strcmp(how, "contended") == 0 ? fight :
				strcmp(how, "rare") == 0      ? want :
				strncmp(how, "timed", 5) == 0 ? look :
								serve;
	pthread_t threads[THREADS];

	if (argc != 3)
		return 2;
	end_ns = clock_ns(CLOCK_MONOTONIC) + (int64_t)(atof(argv[2]) * 1e9);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, body, NULL))
			return 1;
	if (body == want)
		compute();
	wait_or_burn(strstr(how, "beside") != NULL, body == fight ? 0 : end_ns);
	pthread_mutex_lock(&mutex);
	ended = true;
	pthread_cond_broadcast(&work);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return body == want ? tell_waited() : 0;
}
