/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests' work counts itself, by clocks and counters that stint does not use.
 * It ends as one line of JSON on standard output; times are nanoseconds.
 */
#ifndef STINT_COUNT_H
#define STINT_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

/* CLOCK_MONOTONIC. */
int64_t now_ns(void);

/* CPU of the calling thread, CLOCK_THREAD_CPUTIME_ID. */
int64_t thread_cpu_ns(void);

/* How long the calling thread has waited for a CPU so far, by its /proc/thread-self/schedstat. */
int64_t thread_delay_ns(void);

/*
 * What the hypervisor has taken of all CPUs so far, "steal" of /proc/stat, in whole ticks. The kernel counts it neither
 * as a thread's CPU time nor as its wait for a CPU.
 */
int64_t machine_stolen_ns(void);

/* Uses so much CPU. */
void burn_ns(int64_t ns);

/* Sleeps so long. */
void sleep_ns(int64_t ns);

/* Returns true when there is a file @path, and for NULL. */
bool is_there(const char *path);

/* A thread's clocks at a moment. */
struct meter {
	int64_t wall_ns;
	int64_t cpu_ns;
	int64_t delay_ns;
};

/* Reads the calling thread's clocks at one moment. */
void meter_start(struct meter *meter);

/* How long the calling thread has been neither on a CPU nor waiting for one since meter_start(). */
int64_t meter_waited_ns(const struct meter *meter);

/* Memory of @bytes, zeroed, that forked children share. Ends the program if there is none. */
void *shared_memory(uint64_t bytes);

/* Adds @value to the line's number @name, a literal. Called by one thread alone. */
void told(const char *name, int64_t value);

/*
 * Prints the line: the added numbers, then "machine_stolen_ns" since main() began, the process's own "pid",
 * "process_cpu_ns", "now_unix_ns", of /proc/self/io "rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes", of
 * getrusage "minor_faults", "major_faults", "voluntary_switches", "involuntary_switches", and of /proc/self/status
 * "rss_peak_bytes" and "swap_bytes".
 */
void tell(const char *what);

/* Says on standard error what failed, with errno, and ends the program with status 1. */
_Noreturn void fail(const char *what);

#endif
