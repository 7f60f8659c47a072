/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
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

static char *block_of(size_t bytes)
{
	char *block = aligned_alloc(PAGE_BYTES, (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);

	if (!block)
		fail("memory for a block");
	memset(block, 7, bytes);
	return block;
}

int work_read(int argc, char *argv[])
{
	bool direct = !strcmp(argv[1], "direct"), cached = !strcmp(argv[1], "cached");
	size_t block_bytes = atoll(argv[3]);
	char *block = block_of(block_bytes);
	int64_t calls = 0, bytes = 0;
	int file, rounds = argc > 4 ? atoi(argv[4]) : 1;
	struct meter meter;
	ssize_t some;

	meter_start(&meter);
	file = open(argv[2], O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0));
	if (file < 0)
		fail(argv[2]);
	if (!cached && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED))
		fail("posix_fadvise");
	for (int round = 0; round < rounds; round++) {
		lseek(file, 0, SEEK_SET);
		do {
			some = read(file, block, block_bytes);
			if (some < 0)
				fail("read");
			calls++; /* including the call that found the end */
			bytes += some;
		} while (some > 0);
	}
	told("waited_ns", meter_waited_ns(&meter));
	told("calls", calls);
	told("bytes", bytes);
	tell("read");
	return 0;
}

int work_write(int argc, char *argv[])
{
	bool direct = !strcmp(argv[1], "direct"), synced = !strcmp(argv[1], "fsync"), sync = !strcmp(argv[1], "sync");
	int64_t bytes = atoll(argv[3]), block_bytes = atoll(argv[4]), calls = 0;
	char *block = block_of(block_bytes);
	struct meter meter;
	int file;

	(void)argc;
	meter_start(&meter);
	file = open(argv[2], O_WRONLY | O_CREAT | O_CLOEXEC | (direct ? O_DIRECT : 0) | (sync ? O_SYNC : 0), 0644);
	if (file < 0)
		fail(argv[2]);
	for (int64_t done = 0; done < bytes; done += block_bytes, calls++)
		if (write(file, block, block_bytes) != block_bytes || (synced && fsync(file)))
			fail("write");
	told("waited_ns", meter_waited_ns(&meter));
	told("calls", calls);
	told("bytes", bytes);
	tell("write");
	return 0;
}

/* Reads backwards, with advice of random reads, so that the kernel reads nothing ahead. */
int work_fault(int argc, char *argv[])
{
	int file = open(argv[1], O_RDONLY | O_CLOEXEC);
	struct stat status;
	struct meter meter;
	volatile char *map;
	int64_t pages, sum = 0;

	(void)argc;
	if (file < 0 || fstat(file, &status) || posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED))
		fail(argv[1]);
	map = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, file, 0);
	if (map == MAP_FAILED || madvise((void *)map, status.st_size, MADV_RANDOM))
		fail("mmap");
	pages = status.st_size / PAGE_BYTES;
	meter_start(&meter);
	for (int64_t page = pages - 1; page >= 0; page--)
		sum += map[page * PAGE_BYTES];
	told("waited_ns", meter_waited_ns(&meter));
	told("pages", pages);
	told("sum", sum);
	tell("fault");
	return 0;
}

int work_stat(int argc, char *argv[])
{
	int times = atoi(argv[2]);
	struct stat status;
	struct meter meter;
	char path[4096];

	(void)argc;
	meter_start(&meter);
	for (int i = 0; i < times; i++) {
		snprintf(path, sizeof(path), "%s/nothing-%d", argv[1], i);
		if (!stat(path, &status))
			fail("a name that was not to be there");
	}
	told("waited_ns", meter_waited_ns(&meter));
	told("calls", times);
	tell("stat");
	return 0;
}

/* The children have the file open when they end. Every second child is killed. */
int work_leave(int argc, char *argv[])
{
	int times = atoi(argv[2]);
	struct meter meter;

	(void)argc;
	meter_start(&meter);
	for (int i = 0; i < times; i++) {
		pid_t child = fork();

		if (!child) {
			if (open(argv[1], O_RDONLY | O_CLOEXEC) < 0)
				fail(argv[1]);
			if (i % 2)
				raise(SIGKILL);
			_exit(0);
		}
		if (waitpid(child, NULL, 0) != child)
			fail("waitpid");
	}
	told("waited_ns", meter_waited_ns(&meter));
	told("times", times);
	tell("leave");
	return 0;
}
