/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes with THREADS threads for SECONDS.
 *
 *   spin THREADS SECONDS
 *
 * OpenMP starts as many threads as OMP_NUM_THREADS says. Without OpenMP, this file starts them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *spin(void *data)
{
	double end_s = *(double *)data;

	while (clock_s() < end_s)
		for (volatile int i = 0; i < 100000; i++)
			;
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	double end_s = clock_s() + (argc > 2 ? atof(argv[2]) : 1);
#ifdef _OPENMP
	(void)threads;
#pragma omp parallel
	spin(&end_s);
#else
	pthread_t *made = calloc((size_t)threads, sizeof(*made));

	for (int i = 1; made && i < threads; i++)
		pthread_create(&made[i], NULL, spin, &end_s);
	spin(&end_s);
	for (int i = 1; made && i < threads; i++)
		pthread_join(made[i], NULL);
	free(made);
#endif
	return 0;
}
