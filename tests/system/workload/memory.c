/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

#define PAGE_BYTES 4096
#define MIB (INT64_C(1) << 20)

static char *take(int64_t bytes)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("mmap");
	for (int64_t at = 0; at < bytes; at += PAGE_BYTES)
		memory[at] = (char)(at >> 12 | 1); /* different bytes: swap would keep none of equal ones */
	return memory;
}

/* Holds for @until seconds. If @until is a path, makes PATH.held, and holds until PATH exists. */
static void hold_until(const char *until)
{
	char held[4096];
	int file;

	if (until[0] != '/') {
		sleep_ns((int64_t)(atof(until) * NS_PER_S));
		return;
	}
	snprintf(held, sizeof(held), "%s.held", until);
	file = open(held, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (file < 0)
		fail(held);
	close(file);
	while (!is_there(until))
		sleep_ns(20 * NS_PER_MS);
}

int work_hold(int argc, char *argv[])
{
	int64_t bytes = atoll(argv[1]) * MIB;

	(void)argc;
	take(bytes);
	hold_until(argv[2]);
	told("bytes", bytes);
	tell("hold");
	return 0;
}

/* Written and never mapped, so it is in no process's resident set. */
int work_memfd(int argc, char *argv[])
{
	int64_t bytes = atoll(argv[1]) * MIB;
	char *block = take(MIB);
	int file = memfd_create("held", 0);

	(void)argc;
	for (int64_t at = 0; at < bytes; at += MIB)
		if (file < 0 || pwrite(file, block, MIB, at) != MIB)
			fail("memfd_create");
	hold_until(argv[2]);
	told("bytes", bytes);
	tell("memfd");
	return 0;
}

int work_together(int argc, char *argv[])
{
	int processes = atoi(argv[1]);
	int64_t bytes = atoll(argv[2]) * MIB;
	pthread_barrier_t *all = shared_memory(sizeof(*all));
	pthread_barrierattr_t shared;

	(void)argc;
	pthread_barrierattr_init(&shared);
	pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(all, &shared, processes);
	for (int i = 0; i < processes; i++) {
		if (fork())
			continue;
		take(bytes);
		pthread_barrier_wait(all);
		hold_until(argv[3]);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	told("bytes", processes * bytes);
	tell("together");
	return 0;
}

/* Reads a mapped file again and again, a page at a time, with too little memory for it. */
int work_squeeze(int argc, char *argv[])
{
	int file = open(argv[1], O_RDONLY | O_CLOEXEC);
	int64_t bytes = atoll(argv[2]) * MIB, sum = 0, touched = 0, pages;
	uint64_t chosen = 7; /* the same pages each time */
	struct stat status;
	struct meter meter;
	volatile char *map;

	(void)argc;
	/* pages in the page cache are charged to whoever brought them there */
	if (file < 0 || fstat(file, &status) || posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED))
		fail(argv[1]);
	/* like a program's text: the kernel keeps it, and notices when it comes back */
	map = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, file, 0);
	if (map == MAP_FAILED || madvise((void *)map, status.st_size, MADV_RANDOM))
		fail("mmap");
	pages = status.st_size / PAGE_BYTES;
	meter_start(&meter);
	take(bytes);
	for (int64_t i = 0; i < atoi(argv[3]) * pages; i++, touched++) {
		chosen = chosen * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += map[(chosen >> 33) % pages * PAGE_BYTES];
	}
	told("waited_ns", meter_waited_ns(&meter));
	told("bytes", bytes);
	told("file_bytes", status.st_size);
	told("touched", touched);
	told("sum", sum);
	tell("squeeze");
	return 0;
}

/* The parent reads from the first pages how far it came before it died. */
int work_grow(int argc, char *argv[])
{
	int64_t mib = atoll(argv[1]);
	int64_t *taken = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, STDIN_FILENO, 0);

	(void)argc;
	if (taken == MAP_FAILED)
		fail("mmap");
	for (int64_t i = 0; i < mib; i++) {
		take(MIB);
		*taken += MIB;
	}
	pause();
	return 0;
}

/*
 * The child grows to just below the limit, and sleeps.
 * The parent's small allocations then exceed the limit, so the kernel kills another process than the allocating one.
 */
int work_victim(int argc, char *argv[])
{
	int64_t grown = atoll(argv[2]) * MIB, small = 0;
	int shared = memfd_create("taken", 0), status = 0;
	int64_t *taken;
	pid_t child;

	(void)argc;
	if (shared < 0 || ftruncate(shared, PAGE_BYTES))
		fail("memfd_create");
	taken = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, shared, 0);
	child = fork();
	if (!child) {
		dup2(shared, STDIN_FILENO);
		execl(argv[1], argv[1], "grow", argv[2], NULL);
		fail(argv[1]);
	}
	while (*(volatile int64_t *)taken < grown && !waitpid(child, &status, WNOHANG))
		sleep_ns(5 * NS_PER_MS);
	while (!waitpid(child, &status, WNOHANG) && small < 1024 * MIB) {
		take(16 * PAGE_BYTES);
		small += 16 * PAGE_BYTES;
		sleep_ns(NS_PER_MS / 10);
	}
	told("child_pid", child);
	told("child_signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	told("child_bytes", *taken);
	told("bytes", small);
	tell("victim");
	return 0;
}

/* With more than fits in memory, a part is always in swap. */
int work_roam(int argc, char *argv[])
{
	int64_t pages = atoll(argv[1]) * MIB / PAGE_BYTES, end = now_ns() + (int64_t)(atof(argv[2]) * NS_PER_S);
	uint64_t chosen = 7;
	int64_t touched = 0;
	struct meter meter;
	char *memory;

	(void)argc;
	meter_start(&meter); /* it already waits for memory while it allocates */
	memory = take(pages * PAGE_BYTES);
	while (now_ns() < end) {
		chosen = chosen * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		memory[(chosen >> 33) % pages * PAGE_BYTES]++;
		touched++;
	}
	told("waited_ns", meter_waited_ns(&meter));
	told("bytes", pages * PAGE_BYTES);
	told("touched", touched);
	tell("roam");
	return 0;
}

/* ---- space ---- */

#define SPACE_BYTES (64 * MIB)

static struct space {
	char *memory;
	int64_t end_ns;
	_Atomic int64_t waited_ns;
} space;

static void *space_touch(void *argument)
{
	uint64_t chosen = (uintptr_t)argument;
	struct meter meter;

	meter_start(&meter);
	while (now_ns() < space.end_ns) {
		chosen = chosen * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		space.memory[(chosen >> 33) % (SPACE_BYTES / PAGE_BYTES) * PAGE_BYTES] = 1;
	}
	space.waited_ns += meter_waited_ns(&meter);
	return NULL;
}

/* Changes the address space, so that page faults of the other threads wait for its lock. */
static void *space_change(void *argument)
{
	int protection = PROT_READ | PROT_WRITE;
	struct meter meter;

	(void)argument;
	meter_start(&meter);
	while (now_ns() < space.end_ns) {
		protection ^= PROT_EXEC;
		if (mprotect(space.memory, SPACE_BYTES, protection) || madvise(space.memory, SPACE_BYTES, MADV_DONTNEED))
			fail("mprotect");
	}
	space.waited_ns += meter_waited_ns(&meter);
	return NULL;
}

int work_space(int argc, char *argv[])
{
	int threads = atoi(argv[1]);
	pthread_t *ids = calloc(threads + 1, sizeof(*ids));

	(void)argc;
	space.memory = take(SPACE_BYTES);
	madvise(space.memory, SPACE_BYTES, MADV_NOHUGEPAGE);
	space.end_ns = now_ns() + (int64_t)(atof(argv[2]) * NS_PER_S);
	for (int i = 0; i <= threads; i++)
		if (pthread_create(&ids[i], NULL, i ? space_touch : space_change, (void *)(uintptr_t)i))
			fail("pthread_create");
	for (int i = 0; i <= threads; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	told("waited_ns", space.waited_ns);
	told("threads", threads + 1);
	tell("space");
	return 0;
}
