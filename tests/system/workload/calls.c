/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that wait for different things, by their arguments. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

/* ---- futex ---- */

#define CONTENDED 2               /* a glibc mutex that somebody waits for, or the second round of a barrier */
#define WAITERS (UINT32_C(1) << 31) /* libgomp's semaphores; with a thread's number, robust mutexes */

static void wait_on(uint32_t *word, uint32_t value, int64_t ns)
{
	struct timespec time = { ns / NS_PER_S, ns % NS_PER_S };

	*word = value;
	if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL, 0) == 0 || errno != ETIMEDOUT)
		fail("futex");
}

int work_futex(int argc, char *argv[])
{
	static _Alignas(8) uint32_t words[2];
	int64_t ns = (int64_t)(atof(argv[1]) * NS_PER_MS);
	struct meter meter;

	(void)argc;
	meter_start(&meter);
	wait_on(&words[0], CONTENDED, ns);
	wait_on(&words[0], WAITERS | 1, ns);
	told("lock_ns", meter_waited_ns(&meter));
	meter_start(&meter);
	wait_on(&words[1], CONTENDED, ns); /* at an address where no mutex can be */
	wait_on(&words[0], WAITERS, ns);
	wait_on(&words[0], 1, ns);
	told("condition_ns", meter_waited_ns(&meter));
	tell("futex");
	return 0;
}

/* ---- a pipe, and a thread at its other end ---- */

struct other_end {
	int fd;
	int64_t ns;
	int times;
};

static void *read_slowly(void *argument)
{
	const struct other_end *end = argument;
	static char block[65536];

	do
		sleep_ns(end->ns);
	while (read(end->fd, block, sizeof(block)) > 0);
	return NULL;
}

static void *write_slowly(void *argument)
{
	const struct other_end *end = argument;

	for (int i = 0; i < end->times; i++) {
		sleep_ns(end->ns);
		if (write(end->fd, "x", 1) != 1)
			fail("write");
	}
	return NULL;
}

int work_splice(int argc, char *argv[])
{
	struct other_end end = { .ns = (int64_t)(atof(argv[2]) * NS_PER_MS) };
	int file = open(argv[1], O_RDONLY | O_CLOEXEC), pipe_fds[2];
	static char block[65536];
	struct meter meter;
	pthread_t thread;

	(void)argc;
	if (file < 0 || pipe2(pipe_fds, O_CLOEXEC))
		fail(argv[1]);
	while (read(file, block, sizeof(block)) > 0)
		;
	lseek(file, 0, SEEK_SET);
	end.fd = pipe_fds[0];
	if (pthread_create(&thread, NULL, read_slowly, &end))
		fail("pthread_create");
	meter_start(&meter);
	while (splice(file, NULL, pipe_fds[1], NULL, 1 << 20, 0) > 0)
		;
	told("waited_ns", meter_waited_ns(&meter));
	close(pipe_fds[1]);
	pthread_join(thread, NULL);
	tell("splice");
	return 0;
}

/* ---- io_uring ---- */

struct ring {
	int fd;
	struct io_uring_params params;
	char *sq, *cq;
	struct io_uring_sqe *sqes;
};

static void *map_ring(const struct ring *ring, size_t bytes, off_t what)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd, what);

	if (memory == MAP_FAILED)
		fail("mmap of a ring");
	return memory;
}

static void make_ring(struct ring *ring)
{
	memset(ring, 0, sizeof(*ring));
	ring->fd = (int)syscall(SYS_io_uring_setup, 1, &ring->params);
	if (ring->fd < 0)
		fail("io_uring_setup");
	ring->sq = map_ring(ring, ring->params.sq_off.array + sizeof(uint32_t), IORING_OFF_SQ_RING);
	ring->cq = map_ring(ring, ring->params.cq_off.cqes + ring->params.cq_entries * sizeof(struct io_uring_cqe), IORING_OFF_CQ_RING);
	ring->sqes = map_ring(ring, sizeof(struct io_uring_sqe), IORING_OFF_SQES);
}

static void ask_ring(struct ring *ring, const struct io_uring_sqe *request)
{
	_Atomic uint32_t *sq_tail = (void *)(ring->sq + ring->params.sq_off.tail);
	_Atomic uint32_t *cq_head = (void *)(ring->cq + ring->params.cq_off.head);
	const struct io_uring_cqe *cqes = (void *)(ring->cq + ring->params.cq_off.cqes);
	uint32_t head = *cq_head;

	ring->sqes[0] = *request;
	*(uint32_t *)(ring->sq + ring->params.sq_off.array) = 0;
	(*sq_tail)++;
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		fail("io_uring_enter");
	if (cqes[head & (ring->params.cq_entries - 1)].res <= 0)
		fail("a request of io_uring");
	*cq_head = head + 1;
}

int work_uring(int argc, char *argv[])
{
	struct other_end end = { .times = atoi(argv[2]), .ns = (int64_t)(atof(argv[3]) * NS_PER_MS) };
	bool polls = !strcmp(argv[1], "poll");
	struct io_uring_sqe request = { .opcode = polls ? IORING_OP_POLL_ADD : IORING_OP_READ };
	struct meter meter;
	struct ring ring;
	pthread_t thread;
	int pipe_fds[2];
	char byte;

	(void)argc;
	if (pipe2(pipe_fds, O_CLOEXEC))
		fail("pipe");
	make_ring(&ring);
	request.fd = pipe_fds[0];
	if (polls) {
		request.poll_events = POLLIN;
	} else {
		request.addr = (uintptr_t)&byte;
		request.len = 1;
	}
	end.fd = pipe_fds[1];
	if (pthread_create(&thread, NULL, write_slowly, &end))
		fail("pthread_create");
	meter_start(&meter);
	for (int i = 0; i < end.times; i++) {
		ask_ring(&ring, &request);
		if (polls && read(pipe_fds[0], &byte, 1) != 1)
			fail("read");
	}
	told("waited_ns", meter_waited_ns(&meter));
	told("times", end.times);
	pthread_join(thread, NULL);
	tell("uring");
	return 0;
}
