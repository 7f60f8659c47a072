/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

#define THREADS_MAX 1024

struct worker {
	pthread_t id;
	int64_t cpu_budget_ns; /* ends after this much CPU, ... */
	int64_t end_ns; /* ... or at this time */
	int64_t start_ns; /* when the thread was made */
	int64_t cpu_ns; /* by the thread's own clock */
	int64_t delay_ns;
	int64_t life_ns;
};

static void *work(void *data)
{
	struct worker *worker = data;

	if (worker->cpu_budget_ns)
		burn_ns(worker->cpu_budget_ns);
	else
		while (now_ns() < worker->end_ns)
			;
	worker->delay_ns = thread_delay_ns();
	worker->cpu_ns = thread_cpu_ns();
	worker->life_ns = now_ns() - worker->start_ns;
	return NULL;
}

/*
 * Tells the threads' sums and number.
 * At each thread's last look: "cpu_ns", "delay_ns" and "life_ns". Until all are gone: "joined_ns".
 */
static int run(int threads, int64_t cpu_budget_ns, int64_t wall_ns, bool first_works, const char *what)
{
	struct worker *workers = calloc(THREADS_MAX, sizeof(*workers));

	if (!workers || threads < 1 || threads > THREADS_MAX)
		return 2;
	for (int i = 0; i < threads; i++) {
		workers[i].cpu_budget_ns = cpu_budget_ns;
		workers[i].end_ns = now_ns() + wall_ns;
	}
	for (int i = first_works; i < threads; i++) {
		workers[i].start_ns = now_ns();
		if (pthread_create(&workers[i].id, NULL, work, &workers[i]))
			fail("pthread_create");
	}
	if (first_works) {
		/* its computing since its exec is in its life, and in its clock */
		workers[0].start_ns = now_ns() - thread_cpu_ns();
		work(&workers[0]);
	}
	for (int i = first_works; i < threads; i++) {
		pthread_join(workers[i].id, NULL);
		told("joined_ns", now_ns() - workers[i].start_ns);
	}
	for (int i = 0; i < threads; i++) {
		told("cpu_ns", workers[i].cpu_ns);
		told("delay_ns", workers[i].delay_ns);
		told("life_ns", workers[i].life_ns);
	}
	told("threads", threads);
	tell(what);
	return 0;
}

int work_spin(int argc, char *argv[])
{
	while (!is_there(argc > 3 ? argv[3] : NULL))
		burn_ns(NS_PER_MS);
	return run(atoi(argv[1]), 0, (int64_t)(atof(argv[2]) * NS_PER_S), true, "spin");
}

int work_brief(int argc, char *argv[])
{
	(void)argc;
	return run(atoi(argv[1]), (int64_t)(atof(argv[2]) * NS_PER_MS), 0, false, "brief");
}
