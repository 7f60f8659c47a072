/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests' work counts itself, with clocks and counters that stint does not use.
 * Prints one line of JSON at its end. Times are in nanoseconds.
 */
#ifndef STINT_COUNT_H
#define STINT_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

/* CLOCK_MONOTONIC. */
int64_t now_ns(void);

/* CLOCK_THREAD_CPUTIME_ID. */
int64_t thread_cpu_ns(void);

/* How long the calling thread has waited for a CPU (/proc/thread-self/schedstat). */
int64_t thread_delay_ns(void);

/*
 * What the hypervisor has taken of all CPUs: "steal" of /proc/stat, in whole ticks.
 * The kernel counts it neither as CPU time nor as a wait for a CPU.
 */
int64_t machine_stolen_ns(void);

void burn_ns(int64_t ns);

void sleep_ns(int64_t ns);

/* Returns whether the file @path exists; true for NULL. */
bool is_there(const char *path);

/* A thread's clocks at a moment. */
struct meter {
	int64_t wall_ns;
	int64_t cpu_ns;
	int64_t delay_ns;
};

/* Reads the calling thread's clocks at one moment. */
void meter_start(struct meter *meter);

/* Time since meter_start() in which the calling thread neither ran nor waited for a CPU. */
int64_t meter_waited_ns(const struct meter *meter);

/* Returns zeroed memory that forked children share. Ends the program if there is none. */
void *shared_memory(uint64_t bytes);

/* Adds @value to the line's number @name, a literal. Only one thread may call this. */
void told(const char *name, int64_t value);

/*
 * Prints the line: the added numbers, and about this process
 * - "machine_stolen_ns" since main() began, "pid", "process_cpu_ns", "now_unix_ns";
 * - from /proc/self/io: "rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes";
 * - from getrusage(): "minor_faults", "major_faults", "voluntary_switches", "involuntary_switches";
 * - from /proc/self/status: "rss_peak_bytes" and "swap_bytes".
 */
void tell(const char *what);

/* Prints what failed, with errno, and exits with 1. */
_Noreturn void fail(const char *what);

#endif
