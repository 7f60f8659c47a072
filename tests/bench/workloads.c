/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The benchmark's work. A workload runs for the given time, and prints nanoseconds per operation and the count.
 *
 *   spawn PROGRAM        vfork, exec, exit and wait of PROGRAM
 *   pipe                 a byte to and fro between two processes on one CPU: two switches an operation
 *   pipe-far             a byte to and fro between two CPUs
 *   copy                 read() of a byte from /dev/zero, write() to /dev/null
 *   open FILE            open() and close()
 *   tcp                  64 bytes to and fro over the loopback between two processes on one CPU
 *   compute              arithmetic alone
 *   quantum              the same work of about a millisecond again and again: the time that 99.99 % of them stay within
 *   rate N PROGRAM       spawns N a second, evenly; prints how many there were
 *   count N PROGRAM      spawns N as fast as possible, however long that takes; the same
 *   threads N            N sleeping threads; prints a line when they run
 *   crowd N              N sleeping processes; prints a line when they run
 *   hold                 prints a line and sleeps
 *   run COMMAND...       becomes COMMAND, however long it takes
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_BYTES 64 /* of a TCP round trip */
#define THREAD_STACK (64 * 1024)
#define QUANTUM_STEPS 1000 /* of compute: about a millisecond */
#define QUANTA_MAX_PER_S 20000
#define QUANTUM_SHARE 0.9999

extern char **environ;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	struct timespec when = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
}

static cpu_set_t allowed;

/* Moves to the last allowed CPU. @from_last: 1 moves to the CPU before it, if there is one. */
static void pin(int from_last)
{
	cpu_set_t one;
	int chosen = -1;

	for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && from_last >= 0; cpu--)
		if (CPU_ISSET(cpu, &allowed)) {
			chosen = cpu;
			from_last--;
		}
	CPU_ZERO(&one);
	CPU_SET(chosen, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* Repeats @operation and prints the time of one. Reads the clock once in @batch of them. */
static void repeat(double seconds, int batch, void (*operation)(void *data), void *data)
{
	int64_t start = now_ns(), end = start + (int64_t)(seconds * 1e9), now = start;
	int64_t count = 0;

	while (now < end) {
		for (int i = 0; i < batch; i++)
			operation(data);
		count += batch;
		now = now_ns();
	}
	printf("%.3f %lld\n", (double)(now - start) / count, (long long)count);
}

static void spawn_once(void *program)
{
	char *argv[] = { program, NULL };
	pid_t pid;
	int status;

	if (posix_spawn(&pid, program, NULL, NULL, argv, environ) || waitpid(pid, &status, 0) < 0 || status)
		die(program);
}

/* Sends back everything that it receives, until the other end closes. */
static void echo(int in, int out, size_t size)
{
	char message[MESSAGE_BYTES];
	size_t got = 0;
	ssize_t n;

	while ((n = read(in, message + got, size - got)) > 0) {
		got += n;
		if (got < size)
			continue;
		if (write(out, message, size) != (ssize_t)size)
			break;
		got = 0;
	}
	_exit(0);
}

struct pair {
	int in;
	int out;
	size_t size;
};

static void round_trip(void *data)
{
	struct pair *pair = data;
	char message[MESSAGE_BYTES] = { 0 };
	size_t got = 0;
	ssize_t n;

	if (write(pair->out, message, pair->size) != (ssize_t)pair->size)
		die("write");
	while (got < pair->size) {
		n = read(pair->in, message + got, pair->size - got);
		if (n <= 0)
			die("read");
		got += n;
	}
}

static void run_pipe(double seconds, bool far)
{
	int there[2], back[2];
	struct pair pair;

	if (pipe(there) < 0 || pipe(back) < 0)
		die("pipe");
	if (fork() == 0) {
		if (far)
			pin(1);
		close(there[1]);
		echo(there[0], back[1], 1);
	}
	pair = (struct pair){ .in = back[0], .out = there[1], .size = 1 };
	repeat(seconds, 64, round_trip, &pair);
	close(there[1]);
	wait(NULL);
}

/* Connects two TCP sockets on the loopback. */
static void connect_pair(int fds[2])
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	socklen_t size = sizeof(address);

	fds[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 1) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) < 0 ||
	    connect(fds[0], (struct sockaddr *)&address, size) < 0)
		die("the loopback");
	fds[1] = accept(listener, NULL, NULL);
	close(listener);
	for (int i = 0; i < 2; i++)
		setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static void run_tcp(double seconds)
{
	struct pair pair;
	int fds[2];

	connect_pair(fds);
	if (fork() == 0) {
		close(fds[0]);
		echo(fds[1], fds[1], MESSAGE_BYTES);
	}
	close(fds[1]);
	pair = (struct pair){ .in = fds[0], .out = fds[0], .size = MESSAGE_BYTES };
	repeat(seconds, 32, round_trip, &pair);
	close(fds[0]);
	wait(NULL);
}

static void copy_once(void *data)
{
	int *fds = data;
	char byte;

	if (read(fds[0], &byte, 1) != 1 || write(fds[1], &byte, 1) != 1)
		die("copy");
}

static void run_copy(double seconds)
{
	int fds[2] = { open("/dev/zero", O_RDONLY), open("/dev/null", O_WRONLY) };

	repeat(seconds, 1024, copy_once, fds);
}

static void open_once(void *file)
{
	int fd = open(file, O_RDONLY);

	if (fd < 0)
		die(file);
	close(fd);
}

static void compute_once(void *data)
{
	uint64_t *state = data;

	for (int i = 0; i < 1000; i++)
		*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	__asm__ volatile("" : : "r"(*state) : "memory"); /* keeps the compiler from removing the loop */
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void run_quantum(double seconds)
{
	size_t count = 0, room = seconds * QUANTA_MAX_PER_S + 1;
	int64_t *times = calloc(room, sizeof(*times)), now = now_ns(), end = now + (int64_t)(seconds * 1e9);
	uint64_t state = 1;

	while (count < room && now < end) {
		int64_t began = now;

		for (int i = 0; i < QUANTUM_STEPS; i++)
			compute_once(&state);
		now = now_ns();
		times[count++] = now - began;
	}
	qsort(times, count, sizeof(*times), by_size);
	printf("%lld %zu\n", (long long)times[(size_t)(QUANTUM_SHARE * (count - 1))], count);
	free(times);
}

static void run_rate(double seconds, int rate, char *program)
{
	int64_t start = now_ns(), count = (int64_t)(seconds * rate);

	for (int64_t i = 0; i < count; i++) {
		sleep_until(start + i * 1000000000 / rate);
		spawn_once(program);
	}
	printf("%.3f %lld\n", (double)(now_ns() - start) / count, (long long)count);
}

static void run_count(long count, char *program)
{
	int64_t start = now_ns();

	for (long i = 0; i < count; i++)
		spawn_once(program);
	printf("%.3f %ld\n", (double)(now_ns() - start) / count, count);
}

static void *sleeper(void *forever)
{
	pause();
	return forever;
}

static void run_threads(double seconds, int count)
{
	int64_t end = now_ns() + (int64_t)(seconds * 1e9);
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREAD_STACK);
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, &attr, sleeper, NULL))
			die("pthread_create");
	printf("0 %d\n", count);
	fflush(stdout);
	sleep_until(end);
}

static void run_crowd(double seconds, int count)
{
	int64_t end = now_ns() + (int64_t)(seconds * 1e9);

	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			sleep_until(end);
			_exit(0);
		}
	}
	printf("0 %d\n", count);
	fflush(stdout);
	while (wait(NULL) > 0)
		;
}

static void run_hold(double seconds)
{
	puts("0 0");
	fflush(stdout);
	sleep_until(now_ns() + (int64_t)(seconds * 1e9));
}

/* @file: the cgroup.procs of the cgroup to join */
static void join(const char *file)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, "0", 1) != 1)
		die(file);
	close(fd);
}

static int misuse(void)
{
	fprintf(stderr, "usage: workloads [--join CGROUP.PROCS]... [--free] SECONDS WORKLOAD [ARGUMENT...]\n");
	return 2;
}

static int work(double seconds, const char *what, char *argv[])
{
	uint64_t state = 1;

	if (!strcmp(what, "pipe") || !strcmp(what, "pipe-far"))
		run_pipe(seconds, what[4]);
	else if (!strcmp(what, "copy"))
		run_copy(seconds);
	else if (!strcmp(what, "tcp"))
		run_tcp(seconds);
	else if (!strcmp(what, "compute"))
		repeat(seconds, 8, compute_once, &state);
	else if (!strcmp(what, "quantum"))
		run_quantum(seconds);
	else if (!strcmp(what, "hold"))
		run_hold(seconds);
	else if (!argv[0])
		return misuse();
	else if (!strcmp(what, "spawn"))
		repeat(seconds, 4, spawn_once, argv[0]);
	else if (!strcmp(what, "open"))
		repeat(seconds, 256, open_once, argv[0]);
	else if (!strcmp(what, "threads"))
		run_threads(seconds, atoi(argv[0]));
	else if (!strcmp(what, "crowd"))
		run_crowd(seconds, atoi(argv[0]));
	else if (!strcmp(what, "run"))
		execvp(argv[0], argv), die(argv[0]);
	else if (argv[1] && !strcmp(what, "rate"))
		run_rate(seconds, atoi(argv[0]), argv[1]);
	else if (argv[1] && !strcmp(what, "count"))
		run_count(atol(argv[0]), argv[1]);
	else
		return misuse();
	return 0;
}

int main(int argc, char *argv[])
{
	bool free_to_move = false;
	int i = 1;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* an interrupted benchmark leaves nothing behind */
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--join") && i + 1 < argc)
			join(argv[++i]);
		else if (!strcmp(argv[i], "--free"))
			free_to_move = true;
		else
			return misuse();
	}
	if (argc - i < 2)
		return misuse();
	if (!free_to_move)
		pin(0);
	return work(atof(argv[i]), argv[i + 1], argv + i + 2);
}
