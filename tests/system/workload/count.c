/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/system/workload/count.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define TOLD_MAX 64

static struct {
	const char *name;
	int64_t value;
} line[TOLD_MAX];
static int line_length;

_Noreturn void fail(const char *what)
{
	fprintf(stderr, "workload: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t thread_cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t thread_delay_ns(void)
{
	static __thread int file = -1;
	static __thread pid_t owner; /* a forked child has another pid */
	char text[96] = "";
	int64_t delay;

	if (file < 0 || owner != gettid()) {
		file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
		owner = gettid();
	}
	if (pread(file, text, sizeof(text) - 1, 0) <= 0 || sscanf(text, "%*d %" SCNd64, &delay) != 1)
		fail("/proc/thread-self/schedstat");
	return delay;
}

int64_t machine_stolen_ns(void)
{
	FILE *in = fopen("/proc/stat", "re");
	int64_t ticks;

	/* user, nice, system, idle, iowait, irq, softirq, steal */
	if (!in || fscanf(in, "cpu %*d %*d %*d %*d %*d %*d %*d %" SCNd64, &ticks) != 1)
		fail("/proc/stat");
	fclose(in);
	return ticks * (NS_PER_S / sysconf(_SC_CLK_TCK));
}

void burn_ns(int64_t ns)
{
	int64_t end = thread_cpu_ns() + ns;

	while (thread_cpu_ns() < end)
		;
}

void sleep_ns(int64_t ns)
{
	struct timespec time = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

bool is_there(const char *path)
{
	return !path || !access(path, F_OK);
}

/* Reads again if the thread waited for a CPU between two clocks. */
void meter_start(struct meter *meter)
{
	do {
		meter->delay_ns = thread_delay_ns();
		meter->cpu_ns = thread_cpu_ns();
		meter->wall_ns = now_ns();
	} while (thread_delay_ns() != meter->delay_ns);
}

int64_t meter_waited_ns(const struct meter *meter)
{
	struct meter end;

	meter_start(&end);
	return (end.wall_ns - meter->wall_ns) - (end.cpu_ns - meter->cpu_ns) - (end.delay_ns - meter->delay_ns);
}

void *shared_memory(uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("mmap");
	return memory;
}

void told(const char *name, int64_t value)
{
	int i;

	for (i = 0; i < line_length && strcmp(line[i].name, name); i++)
		;
	if (i == TOLD_MAX)
		return;
	line_length += i == line_length;
	line[i].name = name;
	line[i].value += value;
}

/* Tells the lines "KEY: NUMBER" of a file of /proc, each under its name. */
static void told_of(const char *path, const char *const keys[][2], int64_t unit)
{
	char text[128];
	FILE *in = fopen(path, "re");

	if (!in)
		fail(path);
	while (fgets(text, sizeof(text), in)) {
		char *colon = strchr(text, ':');

		if (!colon)
			continue;
		*colon = '\0';
		for (int i = 0; keys[i][0]; i++)
			if (!strcmp(text, keys[i][0]))
				told(keys[i][1], strtoll(colon + 1, NULL, 10) * unit);
	}
	fclose(in);
}

void tell(const char *what)
{
	static const char *const io[][2] = {
		{ "rchar", "rchar" },
		{ "wchar", "wchar" },
		{ "syscr", "syscr" },
		{ "syscw", "syscw" },
		{ "read_bytes", "read_bytes" },
		{ "write_bytes", "write_bytes" },
		{ NULL, NULL },
	};
	static const char *const memory[][2] = {
		{ "VmHWM", "rss_peak_bytes" },
		{ "VmSwap", "swap_bytes" },
		{ NULL, NULL },
	};
	struct rusage usage;

	told("machine_stolen_ns", machine_stolen_ns());
	told("pid", getpid());
	told_of("/proc/self/io", io, 1);
	told_of("/proc/self/status", memory, 1024);
	getrusage(RUSAGE_SELF, &usage);
	told("minor_faults", usage.ru_minflt);
	told("major_faults", usage.ru_majflt);
	told("voluntary_switches", usage.ru_nvcsw);
	told("involuntary_switches", usage.ru_nivcsw);
	told("now_unix_ns", clock_ns(CLOCK_REALTIME));
	told("process_cpu_ns", clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	printf("{\"what\": \"%s\"", what);
	for (int i = 0; i < line_length; i++)
		printf(", \"%s\": %" PRId64, line[i].name, line[i].value);
	printf("}\n");
	fflush(stdout);
}
