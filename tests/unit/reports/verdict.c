/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of all kinds get the verdict that they were made for, and every odd report gets one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/case.h"

/* No thread did anything, and there was no step; merged into the sound job before each kind of job. */
#define STILL                                                                                            \
	"{'used': {'cpu_s': 0, 'cpu_efficiency': null}, 'series': [], 'states': {'on_cpu_s': 0, 'runnable_s': 0," \
	" 'lifetime_s': 0, 'child_s': 0, 'active_s': 0, 'parallel_s': 0, 'busy_peak': 0,"                 \
	" 'some': {'child_s': 0}, 'waits': {'child': 0}}}"

struct kind {
	const char *name;
	int nodes, cores; /* of each */
	double elapsed_s;
	const char *states; /* merged into STILL */
	const char *word;
	double share;
};

/* The numbers are those that the kernel programs give for such jobs: the shell waits for its child,
a wake-up takes its time. */
static const struct kind kinds[] = {
	{ "spin, 1 of 1", 1, 1, 10,
	  "{'states': {'on_cpu_s': 9.9, 'active_s': 9.9, 'child_s': 9.8, 'busy_peak': 2, 'some': {'child_s': 9.8},"
	  " 'bound': {'child_s': 0.01}}}",
	  "cpu", 0.999 },
	{ "spin, 1 of 4", 1, 4, 10,
	  "{'states': {'on_cpu_s': 9.9, 'active_s': 9.9, 'child_s': 9.8, 'busy_peak': 2, 'some': {'child_s': 9.8},"
	  " 'bound': {'child_s': 0.01}}}",
	  "serial", 0.999 },
	{ "spin, 4 of 4", 1, 4, 10,
	  "{'states': {'on_cpu_s': 39.5, 'runnable_s': 0.2, 'active_s': 9.95, 'parallel_s': 9.9, 'child_s': 9.8,"
	  " 'busy_peak': 5, 'some': {'child_s': 9.8}}}",
	  "cpu", 0.997 },
	{ "spin, 2 of 4", 1, 4, 10, "{'states': {'on_cpu_s': 20, 'active_s': 10, 'parallel_s': 10, 'busy_peak': 3}}",
	  "mixed", 0.5 },
	{ "spin for one second that Slurm takes for three", 1, 2, 3,
	  "{'states': {'on_cpu_s': 2, 'active_s': 1, 'parallel_s': 1, 'busy_peak': 2}}", "cpu", 1 },
	{ "four threads on four cores, two hardware threads each", 1, 4, 100,
	  "{'allocated': {'cpus': 8}, 'states': {'on_cpu_s': 400, 'active_s': 100, 'parallel_s': 100}}", "cpu", 1 },
	{ "one thread where the node binds nothing", 1, 1, 100,
	  "{'allocated': {'cores': 64}, 'states': {'on_cpu_s': 100, 'active_s': 100}}", "cpu", 1 },
	{ "four threads on four cores with a daemon now and then", 1, 4, 100,
	  "{'states': {'on_cpu_s': 380, 'runnable_s': 30, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 5}}",
	  "cpu", 1 },
	{ "on CPUs that are not its own alone", 1, 4, 100,
	  "{'states': {'on_cpu_s': 200, 'runnable_s': 200, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 4}}",
	  "starved", 0.5 },
	{ "one thread that waited for files for longer than strangers had its core", 1, 1, 100,
	  "{'states': {'on_cpu_s': 30, 'runnable_s': 30, 'active_s': 60, 'parallel_s': 0, 'file_io_s': 40, 'some': {'file_io_s': 40},"
	  " 'bound': {'file_io_s': 40}, 'waits': {'file_io': 900}}}",
	  "mixed", 0.3 },
	{ "one thread that waited for files for less than that", 1, 1, 100,
	  "{'states': {'on_cpu_s': 30, 'runnable_s': 41, 'active_s': 71, 'parallel_s': 0, 'file_io_s': 29, 'some': {'file_io_s': 29},"
	  " 'bound': {'file_io_s': 29}, 'waits': {'file_io': 900}}}",
	  "starved", 41 / 71.0 },
	{ "one thread writes and syncs beside four strangers that spin", 1, 2, 6,
	  "{'states': {'on_cpu_s': 0.2, 'runnable_s': 5.43, 'active_s': 5.63, 'parallel_s': 0.01, 'file_io_s': 0.33,"
	  " 'some': {'file_io_s': 0.33}, 'bound': {'file_io_s': 0.33}, 'waits': {'file_io': 900}}}",
	  "starved", 5.43 / 5.63 },
	{ "the same under a quota", 1, 2, 6,
	  "{'states': {'on_cpu_s': 0.2, 'runnable_s': 5.43, 'throttled_s': 5.3, 'active_s': 5.63, 'parallel_s': 0.01,"
	  " 'file_io_s': 0.33, 'some': {'file_io_s': 0.33}, 'bound': {'file_io_s': 0.33}, 'waits': {'file_io': 900}}}",
	  "throttled", 5.43 / 5.63 },
	{ "eight threads on four cores, under a quota of two", 1, 4, 100,
	  "{'states': {'on_cpu_s': 200, 'runnable_s': 600, 'throttled_s': 400, 'active_s': 100, 'parallel_s': 100}}",
	  "throttled", 0.5 },
	{ "eight threads on four cores, and others on them", 1, 4, 100,
	  "{'states': {'on_cpu_s': 200, 'runnable_s': 600, 'active_s': 100, 'parallel_s': 100}}",
	  "oversubscribed", 0.75 },
	{ "five threads on four cores, which others have nearly all of", 1, 4, 100,
	  "{'states': {'on_cpu_s': 40, 'runnable_s': 460, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 5}}",
	  "starved", 0.9 },
	{ "four threads that fight for a mutex, one of which others keep from its CPU", 1, 2, 3,
	  "{'states': {'on_cpu_s': 0.8, 'runnable_s': 7.3, 'active_s': 3.02, 'parallel_s': 2.74, 'lock_s': 3.96,"
	  " 'condition_s': 3, 'some': {'lock_s': 2.6, 'condition_s': 3}, 'waits': {'lock': 685, 'condition': 2}}}",
	  "starved", 0.861 },
	{ "one rank kept from its CPU while the other waits for it", 1, 2, 100,
	  "{'states': {'on_cpu_s': 50, 'runnable_s': 50, 'active_s': 100, 'condition_s': 99, 'some': {'condition_s': 99}}}",
	  "starved", 0.5 },
	{ "one thread beside strangers, on two CPUs: of 23.4 s of core time, 3.6 are theirs, and 8.1 nobody's", 1, 2, 12,
	  "{'states': {'on_cpu_s': 8.1, 'runnable_s': 3.6, 'active_s': 11.7}}",
	  "serial", 1 },
	{ "half asleep, and kept from its CPU in the other half", 1, 1, 100,
	  "{'states': {'on_cpu_s': 30, 'runnable_s': 25, 'active_s': 55, 'sleep_s': 45, 'some': {'sleep_s': 45},"
	  " 'bound': {'sleep_s': 45}}}",
	  "mixed", 0.3 },
	{ "awake most of the time", 1, 1, 100,
	  "{'states': {'on_cpu_s': 55, 'runnable_s': 26, 'active_s': 81, 'sleep_s': 19, 'some': {'sleep_s': 19},"
	  " 'bound': {'sleep_s': 19}}}",
	  "starved", 26 / 81.0 },
	{ "a thread that holds a mutex, kept from its CPU", 1, 4, 100,
	  "{'states': {'on_cpu_s': 50, 'runnable_s': 51, 'active_s': 100, 'parallel_s': 1, 'lock_s': 294,"
	  " 'some': {'lock_s': 100}, 'waits': {'lock': 300000}}}",
	  "starved", 0.5 },
	{ "two threads that others left on one of two cores, and not alone there", 1, 2, 100,
	  "{'progress': {'cores_unused': [1]},"
	  " 'states': {'on_cpu_s': 25, 'runnable_s': 175, 'active_s': 100, 'parallel_s': 100}}",
	  "starved", 0.75 },
	{ "two threads that are bound to one of two cores", 1, 2, 100,
	  "{'progress': {'cores_unused': [1]},"
	  " 'states': {'on_cpu_s': 98, 'runnable_s': 102, 'active_s': 100, 'parallel_s': 100}}",
	  "oversubscribed", 0.51 },
#define SEEN(active) \
	"'states': {'active_s': " active ", 'bound': {'memory_stall_s': 0, 'fault_io_s': 0, 'file_io_s': 0, 'network_s': 0, 'pipe_s': 0," \
	" 'lock_s': 0, 'condition_s': 0, 'child_s': 0, 'event_s': 0, 'sleep_s': 0, 'other_s': 0}}"
#define TWO_NODES "'progress': {'cores_unused': [{'node': 'n2', 'core': 0}], 'cores_used': 1}, 'series': [], 'nodes': [{'name': 'n1'," \
		  " 'complete': true, 'allocated': {'cpus': 1, 'cores_bound': 1, 'cores_used': 1}, 'used': {'cpu_s': 64}, 'states':" \
		  " {'runnable_s': 36}}, {'name': 'n2', 'complete': true, 'allocated': {'cpus': 1, 'cores_bound': 1, 'cores_used': 0}," \
		  " 'used': {'cpu_s': 0.1}, 'states': {'runnable_s': 0}}]"
	{ "a thread beside a stranger on the first of two nodes: the other's core is no room for it", 2, 1, 100,
	  "{" TWO_NODES ", 'states': {'on_cpu_s': 64, 'runnable_s': 36, 'active_s': 100, 'parallel_s': 0}}",
	  "starved", 0.36 },
	{ "two threads on the first of two nodes of one core", 2, 1, 100,
	  "{" TWO_NODES ", 'states': {'on_cpu_s': 100, 'runnable_s': 100, 'active_s': 100, 'parallel_s': 100}}",
	  "oversubscribed", 0.5 },
	{ "Slurm's plugins worked for 60 s before its first task, then all cores", 1, 4, 100,
	  "{'states': {'on_cpu_s': 160, 'active_s': 40, 'parallel_s': 40}, 'steps': [{'id': 'extern', 'launch_s': 0.1},"
	  " {'id': 'batch', 'launch_s': 60}, {'id': '0', 'launch_s': 9}]}",
	  "cpu", 1 },
	{ "the same, and nobody knows of plugins", 1, 4, 100, "{'states': {'on_cpu_s': 160, 'active_s': 40, 'parallel_s': 40}}",
	  "idle", 0.591837 },
	{ "asleep, and kept waiting when it looks", 1, 2, 100,
	  "{'states': {'on_cpu_s': 0.06, 'runnable_s': 0.04, 'active_s': 0.1, 'sleep_s': 99.9, 'some': {'sleep_s': 99.9},"
	  " 'bound': {'sleep_s': 99.9}, 'waits': {'sleep': 999}}}",
	  "idle", 0.999 },
	{ "bursts of too many threads, and a few between", 1, 16, 100,
	  "{'states': {'on_cpu_s': 508, 'runnable_s': 1056, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 64},"
	  " 'series': [{'end_offsets_s': [22, 100], 'columns': {'on_cpu_s': [352, 156], 'runnable_s': [1056, 0]}}]}",
	  "mixed", 0.3175 },
	{ "the same numbers, but others had the CPUs all the time", 1, 16, 100,
	  "{'states': {'on_cpu_s': 508, 'runnable_s': 1056, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 64},"
	  " 'series': [{'end_offsets_s': [50, 100], 'columns': {'on_cpu_s': [254, 254], 'runnable_s': [528, 528]}}]}",
	  "starved", 1056 / 1564.0 },
	{ "one thread works, its pool waits for tasks", 1, 4, 100,
	  "{'states': {'on_cpu_s': 100, 'active_s': 100, 'lock_s': 1500, 'some': {'lock_s': 100},"
	  " 'waits': {'lock': 30}}}",
	  "serial", 1 },
	{ "the same, and Java wakes one of the pool every 50 ms", 1, 4, 100,
	  "{'states': {'on_cpu_s': 100, 'active_s': 100, 'lock_s': 1500, 'some': {'lock_s': 100},"
	  " 'waits': {'lock': 2030}}}",
	  "serial", 1 },
	{ "the same, as the kernel tells it: they wait for work", 1, 4, 100,
	  "{'states': {'on_cpu_s': 100, 'active_s': 100, 'condition_s': 1500, 'turns_s': 0.1, 'some': {'condition_s': 100},"
	  " 'waits': {'condition': 200030}}}",
	  "serial", 1 },
	{ "Java with one thread that computes, and collects its garbage", 1, 4, 100,
	  "{'states': {'on_cpu_s': 110, 'active_s': 100, 'parallel_s': 9, 'condition_s': 1500, 'turns_s': 16,"
	  " 'some': {'condition_s': 100}, 'waits': {'condition': 20030}}}",
	  "serial", 0.91 },
	{ "four threads of Java's in one synchronized method", 1, 4, 100,
	  "{'states': {'on_cpu_s': 101, 'active_s': 100, 'parallel_s': 1, 'condition_s': 299, 'turns_s': 75,"
	  " 'some': {'condition_s': 100}, 'waits': {'condition': 99000}}}",
	  "lock", 75 / 101.0 },
	{ "a long serial part, then all cores", 1, 4, 100,
	  "{'states': {'on_cpu_s': 160, 'runnable_s': 240, 'active_s': 100, 'parallel_s': 20, 'busy_peak': 16}}",
	  "serial", 0.8 },
	{ "four threads fight for a mutex, on four cores", 1, 4, 100,
	  "{'states': {'on_cpu_s': 105, 'runnable_s': 1, 'active_s': 100, 'parallel_s': 6, 'lock_s': 294,"
	  " 'some': {'lock_s': 100}, 'waits': {'lock': 300000}, 'busy_peak': 3}}",
	  "lock", 0.98 },
	{ "four threads fight for a mutex, on two cores", 1, 2, 100,
	  "{'states': {'on_cpu_s': 105, 'runnable_s': 1, 'active_s': 100, 'parallel_s': 6, 'lock_s': 294,"
	  " 'some': {'lock_s': 100}, 'waits': {'lock': 300000}, 'busy_peak': 3}}",
	  "lock", 0.95 },
	{ "sixty-four threads fight for a mutex that each holds for a millisecond", 1, 64, 100,
	  "{'states': {'on_cpu_s': 101, 'active_s': 100, 'parallel_s': 1, 'lock_s': 6300, 'some': {'lock_s': 100},"
	  " 'waits': {'lock': 99000}}}",
	  "lock", 1 },
	{ "an idle loop that looks ten times a second", 1, 4, 100,
	  "{'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'lock_s': 99.8, 'some': {'lock_s': 99.8},"
	  " 'bound': {'lock_s': 99.8}, 'waits': {'lock': 997}}}",
	  "idle", 0.999 },
	{ "who holds the mutex sleeps", 1, 4, 100,
	  "{'states': {'on_cpu_s': 1, 'active_s': 1, 'lock_s': 297, 'sleep_s': 99, 'waits': {'lock': 30000},"
	  " 'some': {'lock_s': 99, 'sleep_s': 99}, 'bound': {'lock_s': 99}}}",
	  "lock", 0.99 },
	{ "a deadlock", 1, 4, 1000,
	  "{'states': {'on_cpu_s': 1, 'active_s': 1, 'lock_s': 1998, 'waits': {'lock': 10}, 'some': {'lock_s': 999},"
	  " 'bound': {'lock_s': 999}}}",
	  "idle", 0.999 },
	{ "fio at depth 1", 1, 4, 100,
	  "{'states': {'on_cpu_s': 8, 'active_s': 8, 'file_io_s': 91, 'some': {'file_io_s': 91},"
	  " 'bound': {'file_io_s': 91}, 'waits': {'file_io': 900000}}}",
	  "file-io", 91 / 99.0 },
	{ "four workers, each in files most of its time", 1, 4, 100,
	  "{'states': {'on_cpu_s': 160, 'active_s': 87, 'parallel_s': 52, 'file_io_s': 240,"
	  " 'some': {'file_io_s': 98}, 'bound': {'file_io_s': 13}, 'waits': {'file_io': 90000}}}",
	  "file-io", 0.6 },
	{ "the same, and others take some of the rest", 1, 4, 100,
	  "{'states': {'on_cpu_s': 100, 'runnable_s': 60, 'active_s': 87, 'parallel_s': 52, 'file_io_s': 240,"
	  " 'some': {'file_io_s': 98}, 'bound': {'file_io_s': 13}, 'waits': {'file_io': 90000}}}",
	  "file-io", 0.6 },
	{ "a reader of a mapped file", 1, 1, 100,
	  "{'states': {'on_cpu_s': 30, 'active_s': 30, 'fault_io_s': 70, 'some': {'fault_io_s': 70},"
	  " 'bound': {'fault_io_s': 70}, 'waits': {'fault_io': 90000}}}",
	  "file-io", 0.7 },
	{ "the same faults in memory that was swapped out", 1, 1, 100,
	  "{'used': {'memory_swap_peak_bytes': " CASE_GIB "}, 'states': {'on_cpu_s': 30, 'active_s': 30,"
	  " 'fault_io_s': 70, 'some': {'fault_io_s': 70}, 'bound': {'fault_io_s': 70},"
	  " 'waits': {'fault_io': 90000}}}",
	  "memory", 0.7 },
	{ "on a CPU, but only to make room in memory", 1, 1, 100,
	  "{'used': {'reclaim_s': 60}, 'states': {'on_cpu_s': 95, 'active_s': 95, 'memory_stall_s': 5,"
	  " 'some': {'memory_stall_s': 5}, 'bound': {'memory_stall_s': 5}, 'waits': {'memory_stall': 9000}}}",
	  "memory", 0.6 },
	{ "one thread computes, a pool reads ahead", 1, 4, 100,
	  "{'states': {'on_cpu_s': 101, 'active_s': 100, 'parallel_s': 1, 'file_io_s': 1600,"
	  " 'some': {'file_io_s': 100}, 'waits': {'file_io': 90000}}}",
	  "serial", 0.99 },
	{ "a download, waiting in recv()", 1, 2, 100,
	  "{'used': {'socket_rx_bytes': 1000000000}, 'states': {'on_cpu_s': 15, 'active_s': 15, 'network_s': 85,"
	  " 'some': {'network_s': 85}, 'bound': {'network_s': 85}, 'waits': {'network': 90000}}}",
	  "network", 0.85 },
	{ "a download, waiting in poll()", 1, 2, 100,
	  "{'used': {'socket_rx_bytes': 1000000000, 'network': {'tcp': {'rx_ops': 90000}}},"
	  " 'states': {'on_cpu_s': 15, 'active_s': 15, 'event_s': 185, 'some': {'event_s': 100},"
	  " 'bound': {'event_s': 85}, 'waits': {'event': 90010}}}",
	  "network", 0.85 },
	{ "the same, started by srun, two of whose threads are in poll(), too", 1, 2, 100,
	  "{'used': {'socket_rx_bytes': 1000000000, 'network': {'tcp': {'rx_ops': 90000}}},"
	  " 'states': {'on_cpu_s': 15, 'active_s': 15, 'event_s': 285, 'some': {'event_s': 100},"
	  " 'bound': {'event_s': 85}, 'waits': {'event': 90010}},"
	  " 'tools': [{'name': 'curl', 'states': {'event_s': 85}}, {'name': 'srun', 'states': {'event_s': 200}}]}",
	  "network", 0.85 },
	{ "the same where the job is said to wait for srun's input", 1, 8, 100,
	  "{'used': {'socket_rx_bytes': 1000000000, 'network': {'tcp': {'rx_ops': 90000}}},"
	  " 'states': {'on_cpu_s': 15, 'active_s': 15, 'event_s': 285, 'pipe_s': 100, 'some': {'event_s': 100, 'pipe_s': 100},"
	  " 'bound': {'pipe_s': 85}, 'waits': {'event': 90010}},"
	  " 'tools': [{'name': 'curl', 'states': {'event_s': 85}}, {'name': 'srun', 'states': {'event_s': 200}}]}",
	  "network", 0.85 },
	{ "sleep, which prints through srun", 1, 2, 100,
	  "{'used': {'socket_rx_bytes': 10000, 'network': {'tcp': {'rx_ops': 9000}}},"
	  " 'states': {'on_cpu_s': 1, 'active_s': 1, 'event_s': 200, 'sleep_s': 99, 'some': {'event_s': 100, 'sleep_s': 99},"
	  " 'bound': {'event_s': 99}, 'waits': {'event': 9000}},"
	  " 'tools': [{'name': 'python3', 'states': {'event_s': 0}}, {'name': 'srun', 'states': {'event_s': 200}}]}",
	  "idle", 0.99 },
	{ "the same, and some of its waits are for the network", 1, 2, 100,
	  "{'used': {'socket_rx_bytes': 10000, 'network': {'tcp': {'rx_ops': 9000}}},"
	  " 'states': {'on_cpu_s': 1, 'active_s': 1, 'event_s': 249, 'sleep_s': 50, 'some': {'event_s': 100, 'sleep_s': 50},"
	  " 'bound': {'event_s': 99}, 'waits': {'event': 9000}},"
	  " 'tools': [{'name': 'python3', 'states': {'event_s': 49}}, {'name': 'srun', 'states': {'event_s': 200}}]}",
	  "idle", 0.99 },
	{ "the same, and half of its waits are", 1, 1, 100,
	  "{'used': {'socket_rx_bytes': 10000, 'network': {'tcp': {'rx_ops': 9000}}},"
	  " 'states': {'on_cpu_s': 1, 'active_s': 1, 'event_s': 251, 'sleep_s': 49, 'some': {'event_s': 100, 'sleep_s': 49},"
	  " 'bound': {'event_s': 99}, 'waits': {'event': 9000}},"
	  " 'tools': [{'name': 'python3', 'states': {'event_s': 51}}, {'name': 'srun', 'states': {'event_s': 200}}]}",
	  "network", 0.51 },
	{ "a server idle in epoll_wait()", 1, 2, 100,
	  "{'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'event_s': 99.8, 'some': {'event_s': 99.8},"
	  " 'bound': {'event_s': 99.8}, 'waits': {'event': 5}}}",
	  "idle", 99.8 / 99.9 },
	{ "a server idle in epoll_wait() with a timer of 20 ms", 1, 2, 100,
	  "{'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'event_s': 99.8, 'some': {'event_s': 99.8},"
	  " 'bound': {'event_s': 99.8}, 'waits': {'event': 5000}}}",
	  "idle", 99.8 / 99.9 },
	{ "a server idle in accept()", 1, 2, 100,
	  "{'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'network_s': 99.8, 'some': {'network_s': 99.8},"
	  " 'bound': {'network_s': 99.8}, 'waits': {'network': 1}}}",
	  "idle", 99.8 / 99.9 },
	{ "a receiver that no one ever sends to, asking once a second", 1, 2, 100,
	  "{'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'network_s': 99.8, 'some': {'network_s': 99.8},"
	  " 'bound': {'network_s': 99.8}, 'waits': {'network': 100}}}",
	  "idle", 99.8 / 99.9 },
	{ "sleep", 1, 1, 100,
	  "{'states': {'on_cpu_s': 0.01, 'active_s': 0.01, 'child_s': 99.7, 'sleep_s': 99.6,"
	  " 'bound': {'child_s': 99.7}, 'some': {'child_s': 99.7, 'sleep_s': 99.6}}}",
	  "idle", 1 },
	{ "eight threads on four cores", 1, 4, 100,
	  "{'states': {'on_cpu_s': 398, 'runnable_s': 400, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 8}}",
	  "oversubscribed", 400 / 798.0 },
	{ "four threads that srun gave one core of four", 1, 4, 100,
	  "{'progress': {'cores_unused': [{'core': 1}, {'core': 2}, {'core': 3}]}, 'states': {'on_cpu_s': 100,"
	  " 'runnable_s': 300, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 4}}",
	  "oversubscribed", 0.75 },
	{ "a pipeline whose slowest stage computes", 1, 2, 100,
	  "{'states': {'on_cpu_s': 104, 'active_s': 100, 'parallel_s': 4, 'pipe_s': 96, 'some': {'pipe_s': 96},"
	  " 'waits': {'pipe': 50000}}}",
	  "serial", 0.96 },
	{ "the same on one core", 1, 1, 100,
	  "{'states': {'on_cpu_s': 100, 'runnable_s': 4, 'active_s': 100, 'parallel_s': 4, 'pipe_s': 96,"
	  " 'some': {'pipe_s': 96}, 'waits': {'pipe': 50000}}}",
	  "cpu", 1 },
	{ "a pipeline whose slowest stage reads files", 1, 2, 100,
	  "{'states': {'on_cpu_s': 20, 'active_s': 20, 'pipe_s': 90, 'file_io_s': 80, 'some': {'pipe_s': 90,"
	  " 'file_io_s': 80}, 'bound': {'file_io_s': 80}, 'waits': {'pipe': 50000, 'file_io': 50000}}}",
	  "file-io", 0.8 },
	{ "a pipeline whose slowest stage sleeps", 1, 2, 100,
	  "{'states': {'on_cpu_s': 2, 'active_s': 2, 'pipe_s': 98, 'sleep_s': 98, 'some': {'pipe_s': 98,"
	  " 'sleep_s': 98}, 'bound': {'pipe_s': 98}, 'waits': {'pipe': 50000, 'sleep': 50000}}}",
	  "idle", 0.98 },
	{ "a shell at its prompt", 1, 1, 1000,
	  "{'states': {'on_cpu_s': 1, 'active_s': 1, 'pipe_s': 998, 'some': {'pipe_s': 998},"
	  " 'bound': {'pipe_s': 998}, 'waits': {'pipe': 20}}}",
	  "idle", 998 / 999.0 },
	{ "an allocation with nothing in it", 1, 4, 1000, "{}", "idle", 1 },
	{ "an allocation with nothing in it, and no pressure told", 1, 4, 1000,
	  "{'states': {'some': null, 'bound': null, 'waits': null, 'active_s': null, 'parallel_s': null}}", "idle", 1 },
	{ "an allocation too short to tell", 1, 4, 2, "{}", "unknown", NAN },
	{ "half computing, half idle", 1, 1, 100,
	  "{'states': {'on_cpu_s': 55, 'active_s': 55, 'sleep_s': 45, 'some': {'sleep_s': 45},"
	  " 'bound': {'sleep_s': 45}}}",
	  "mixed", 0.55 },
	{ "two nodes computing", 2, 4, 100,
	  "{'states': {'on_cpu_s': 790, 'active_s': 200, 'parallel_s': 199, 'busy_peak': 5}}", "cpu", 0.9875 },
	{ "two nodes, a thread on each", 2, 4, 100, "{'states': {'on_cpu_s': 200, 'active_s': 200, 'parallel_s': 1}}",
	  "serial", 199 / 200.0 },
	{ "four nodes, of which one computes", 4, 4, 100,
	  "{'states': {'on_cpu_s': 400, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 5}}", "idle", 292 / 392.0 },
	/* the time that a first process may take to start does not count for a node that never had one */
	{ "a short job of one thread, with a node that had no process", 2, 2, 10,
	  "{'states': {'on_cpu_s': 9.9, 'active_s': 9.9}, 'nodes': [{'name': 'n1', 'complete': true, 'used': {'processes': 2}},"
	  " {'name': 'n2', 'complete': true, 'used': {'processes': 0}}]}",
	  "idle", 10 / 19.9 },
	/* nor for one that had a process for a moment: the other shows how long the start took */
	{ "a short job of one thread, with a node that was asked for its name", 2, 2, 10,
	  "{'states': {'on_cpu_s': 9.9, 'active_s': 9.91}, 'nodes': [{'name': 'n1', 'complete': true, 'used': {'processes': 2}," SEEN("9.9") "},"
	  " {'name': 'n2', 'complete': true, 'used': {'processes': 1}, " SEEN("0.01") "}]}",
	  "idle", 9.99 / 19.9 },
	{ "threads on two nodes that wait in recv() for each other", 2, 4, 100,
	  "{'used': {'socket_rx_bytes': 5000000000}, 'states': {'on_cpu_s': 240, 'active_s': 80, 'parallel_s': 70,"
	  " 'network_s': 550, 'some': {'network_s': 190}, 'bound': {'network_s': 120},"
	  " 'waits': {'network': 2000000}}}",
	  "network", 0.6 },
	{ "no pressure told, computing", 1, 4, 100,
	  "{'states': {'on_cpu_s': 390, 'some': null, 'bound': null, 'waits': null, 'active_s': null,"
	  " 'parallel_s': null, 'lifetime_s': 400}}",
	  "cpu", 0.975 },
	{ "no pressure told, and nothing that could not be idle", 1, 4, 100,
	  "{'states': {'on_cpu_s': 10, 'file_io_s': 20, 'some': null, 'bound': null, 'waits': null, 'active_s': null,"
	  " 'parallel_s': null, 'lifetime_s': 400}}",
	  "idle", 0.7 },
	{ "no pressure told, and what threads waited for may hide anything", 1, 4, 100,
	  "{'states': {'on_cpu_s': 100, 'lock_s': 290, 'some': null, 'bound': null, 'waits': null, 'active_s': null,"
	  " 'parallel_s': null, 'lifetime_s': 400}}",
	  "unknown", NAN },
	{ "no states told", 1, 4, 100, "{'states': null}", "unknown", NAN },
	{ "not told what it was given", 1, 4, 100,
	  "{'allocated': null, 'states': {'on_cpu_s': 100, 'active_s': 100, 'parallel_s': 100}}", "unknown", NAN },
};

/* Returns the report of the kind of job on its nodes. */
static struct json_object *kind_report(const struct kind *kind)
{
	struct json_object *report = case_report(STILL), *nodes = json_object_new_array();
	cleanup_json struct json_object *states = case_json(kind->states);

	for (int i = 0; i < kind->nodes; i++)
		json_object_array_add(nodes,
		json_object_get(json_object_array_get_idx(field_find(report, "nodes"), 0)));
	json_object_object_add(report, "nodes", nodes);
	case_set(report, "requested.nodes", kind->nodes);
	case_set(report, "allocated.nodes", kind->nodes);
	case_set(report, "allocated.cpus", kind->nodes * kind->cores);
	case_set(report, "allocated.cores", kind->nodes * kind->cores);
	case_set(report, "progress.cores_bound", kind->nodes * kind->cores);
	case_set(report, "progress.cores_used", kind->nodes * kind->cores);
	case_set(report, "job.elapsed_s", kind->elapsed_s);
	case_merge(report, states);
	return report;
}

static void each_kind_of_job_gets_its_word(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct kind *kind = &kinds[i];
		cleanup_json struct json_object *report = kind_report(kind);
		double share = NAN;

		judge(report, NULL);
		field_number(report, "verdict.share", &share);
		if (strcmp(field_text(report, "verdict.bound"), kind->word) != 0)
			fail_msg("%s: %s, not %s", kind->name,
				 json_object_to_json_string(field_find(report, "verdict")), kind->word);
		if (isnan(share) != isnan(kind->share) || fabs(share - kind->share) > 0.005)
			fail_msg("%s: %s, share not %g", kind->name,
				 json_object_to_json_string(field_find(report, "verdict")), kind->share);
	}
}

static const char *text_of(const char *patch, struct json_object **report)
{
	*report = case_report(patch);
	judge(*report, NULL);
	return field_text(*report, "verdict.text");
}

static void a_sentence_has_the_numbers(void **state)
{
	static const struct {
		const char *patch, *text;
	} sentences[] = {
		{ NULL, "Bound by CPU: threads computed during 100 % of the core time." },
		{ "{'steps': [{'id': '0', 'task_count': 4}]}",
		  "Bound by CPU: threads computed during 100 % of the core time; tasks that spin while they wait "
		  "for each other count as computing." },
		{ "{'states': {'on_cpu_s': 300, 'runnable_s': 100, 'busy_peak': 4}}",
		  "Bound by CPU: threads computed during 75 % of the core time, and waited for a CPU during another "
		  "25 %." },
		{ "{'states': {'on_cpu_s': 40, 'runnable_s': 360}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 90 % of the time in which it could have run." },
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 80, 'parallel_s': 0, 'busy_peak': 1}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 80 % of the time in which it could have run. Only one of "
		  "its threads was ever busy, with 4 CPUs." },
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 680}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 95 % of the time in which it could have run. Its own "
		  "threads waited for each other, too: on average 7.0 of them wanted to run, on 4 CPUs." },
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 80, 'parallel_s': 0, 'busy_peak': 2}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 80 % of the time in which it could have run. Hardly ever "
		  "was more than one of its threads busy, with 4 CPUs." },
		{ "{'states': {'on_cpu_s': 70, 'runnable_s': 30, 'parallel_s': 0}}",
		  "Serial: for 100 % of the time, exactly one thread was busy on 4 cores (0.7 used on average). Besides, other work "
		  "took 30 % of the CPU time that it could have had." },
		/* both: of 400 s that 16 threads could have had, others took 300; and they took 1,200 s from each other */
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 1500}}",
		  "Oversubscribed: on average 16.0 threads wanted to run on 4 CPUs; each waited for one 94 % of the time that it "
		  "could have run. Besides, other work took 75 % of the CPU time that all of them could have had." },
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300, 'throttled_s': 297}}",
		  "Throttled by a CPU quota: it waited for a CPU in 75 % of the time in which it could have run, 99 % of that "
		  "because of the quota." },
		{ "{'states': {'on_cpu_s': 101, 'parallel_s': 1, 'turns_s': 76}}",
		  "Bound by locks: threads took turns: 99 % of the time exactly one was busy, on 4 cores, and 75 % of the CPU "
		  "time was used while others waited for their turn." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'lock_s': 99, 'bound': {'lock_s': 99},"
		  " 'waits': {'lock': 1}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for locks that were held for long." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'lock_s': 99, 'condition_s': 50, 'bound': {'lock_s': 99},"
		  " 'waits': {'lock': 1}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for locks that were held for long or another "
		  "thread (or a timer)." },
		/* in the table's words, without what is little there, and without what the table leaves out */
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'condition_s': 198, 'sleep_s': 2, 'child_s': 99,"
		  " 'bound': {'condition_s': 99}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for another thread (or a timer)." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'condition_s': 50, 'sleep_s': 50, 'event_s': 99, 'pipe_s': 20,"
		  " 'bound': {'event_s': 99}}, 'tools': [{'name': 'srun', 'slurm': false, 'states': {'event_s': 98}}]}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for a pipe or terminal, another thread (or a timer) or "
		  "timers (sleep)." },
		/* a pipeline waits at its pipes while it works: what stopped all of the job is the sleep */
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'pipe_s': 80, 'sleep_s': 99, 'full': {'pipe_s': 0.5, 'sleep_s': 99},"
		  " 'bound': {'pipe_s': 0.5, 'sleep_s': 98.5}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for timers (sleep)." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'pipe_s': 80, 'sleep_s': 99, 'full': {'pipe_s': 5, 'sleep_s': 99},"
		  " 'bound': {'pipe_s': 5, 'sleep_s': 94}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for a pipe or terminal or timers (sleep)." },
		{ "{'states': {'on_cpu_s': 30, 'active_s': 29, 'parallel_s': 0, 'bound': {'file_io_s': 71},"
		  " 'file_io_s': 71}, 'used': {'file_systems': [{'type': 'nfs4', 'class': 'network', 'wait_s': 70},"
		  " {'type': 'ext4', 'class': 'local', 'wait_s': 1}]}}",
		  "Bound by file I/O on the network file system nfs4: 71 % of the time no thread ran, and files "
		  "were waited for." },
		{ "{'states': {'on_cpu_s': 30, 'active_s': 29, 'parallel_s': 0, 'bound': {'file_io_s': 71},"
		  " 'file_io_s': 71}, 'used': {'file_systems': [{'type': '', 'class': 'unknown', 'wait_s': 70},"
		  " {'type': 'ext4', 'class': 'local', 'wait_s': 1}]}}",
		  "Bound by file I/O: 71 % of the time no thread ran, and files were waited for." },
		{ "{'states': {'on_cpu_s': 160, 'active_s': 87, 'parallel_s': 52, 'file_io_s': 240,"
		  " 'some': {'file_io_s': 98}, 'bound': {'file_io_s': 13}},"
		  " 'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 240}]}}",
		  "Bound by file I/O on ext4: 60 % of the core time was left unused by threads that waited for "
		  "files." },
		{ "{'states': {'on_cpu_s': 105, 'parallel_s': 6, 'lock_s': 294, 'some': {'lock_s': 100},"
		  " 'waits': {'lock': 294000}}}",
		  "Bound by locks: 98 % of the cores but one were left unused by threads that waited for each "
		  "other, 1 ms at a time." },
		{ "{'states': {'on_cpu_s': 110, 'parallel_s': 7}}",
		  "Serial: for 93 % of the time, exactly one thread was busy on 4 cores (1.1 used on average)." },
		{ "{'states': {'runnable_s': 400}}",
		  "Oversubscribed: on average 8.0 threads wanted to run on 4 CPUs; each waited for one 50 % of the "
		  "time that it could have run." },
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}}",
		  "Oversubscribed: on average 4.0 threads wanted to run on 1 of 4 cores, while the others were "
		  "never used; each waited for one 75 % of the time that it could have run." },
		/* the shell started on another core */
#define ON_ONE(states) "{'states': {'busy_peak': 9, " states "}, 'nodes': [{'name': 'n1', 'allocated': {'cpus': 4, 'cores_bound': 4, 'cores_used': 4," \
		" 'cores_loaded': 1}, 'used': {'cpu_s': 100}}]}"
		{ ON_ONE("'on_cpu_s': 100, 'runnable_s': 100"),
		  "Oversubscribed: on average 2.0 threads wanted to run on 1 of 4 cores, while the others were "
		  "hardly used; each waited for one 50 % of the time that it could have run." },
		{ ON_ONE("'on_cpu_s': 100, 'runnable_s': 700"),
		  "Oversubscribed: on average 8.0 threads wanted to run on 4 CPUs, and ran on 1 of 4 cores; each waited for one 88 % "
		  "of the time that it could have run." },
		{ ON_ONE("'on_cpu_s': 50, 'runnable_s': 150"),
		  "Slowed by other work on its CPUs: it waited for a CPU in 50 % of the time in which it could have run. Its own threads "
		  "waited for each other, too: on average 2.0 of them wanted to run, on 1 of 4 cores." },
		{ ON_ONE("'on_cpu_s': 4.8, 'runnable_s': 4.8, 'active_s': 4.8, 'parallel_s': 4.8, 'bound': {'file_io_s': 3.2}"),
		  "Mixed: on average 0.6 of 4 cores were used, and no one kind of wait explains the rest (file I/O 40 %). On average 2.0 "
		  "threads wanted to run on 1 of 4 cores." },
		{ "{'job': {'elapsed_s': 1000}, 'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0,"
		  " 'bound': {'event_s': 9}}}",
		  "Idle: 99.9 % of the time there was nothing to do; 99 % it had no process at all." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'bound': {'event_s': 99}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for another thread, events, timers, input "
		  "or children." },
		{ "{'allocated': {'gpus': 1}, 'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'bound': {'event_s': 99}}}",
		  "Idle: 99 % of the time there was nothing to do for its CPUs; threads waited for another thread, events, timers, input "
		  "or children; waits for a GPU look the same. What its GPUs did is not known." },
		/* the average describes none of them */
#define NODES_OF_TWO(states, first, second) "{'allocated': {'cpus': 8, 'cores': 8, 'nodes': 2}, 'states': {" states "}, 'nodes': [" \
		" {'name': 'n1', 'complete': true, 'allocated': {'cpus': 4}, 'used': {'cpu_s': " first "}}," \
		" {'name': 'n2', 'complete': true, 'allocated': {'cpus': 4}, 'used': {'cpu_s': " second "}}]}"
#define HALF_IDLE "'on_cpu_s': 79.9, 'active_s': 90, 'parallel_s': 80, 'bound': {'event_s': 12}"
		{ NODES_OF_TWO(HALF_IDLE, "79.9", "0"),
		  "Idle: 54 % of the time there was nothing to do on a node, on average; 48 % there was no process at all; threads waited "
		  "for another thread, events, timers, input or children." },
		{ NODES_OF_TWO(HALF_IDLE, "80", "0"),
		  "Idle: 54 % of the time there was nothing to do on a node, on average; 48 % there was no process at all; threads waited "
		  "for another thread, events, timers, input or children. Its nodes were not alike: n1 had work for 20 % of its CPUs, n2 "
		  "for 0 %." },
		{ NODES_OF_TWO("'on_cpu_s': 400, 'active_s': 200, 'parallel_s': 200", "100", "300"),
		  "Mixed: on average 4.0 of 8 cores were used, and no one kind of wait explains the rest: there were too few busy threads. "
		  "Its nodes were not alike: n2 had work for 75 % of its CPUs, n1 for 25 %." },
		{ NODES_OF_TWO("'on_cpu_s': 200, 'active_s': 200, 'parallel_s': 0", "100", "100"),
		  "Serial: for 100 % of the time, exactly one thread was busy on a node, on 8 cores (2.0 used on average)." },
		{ "{'states': {'on_cpu_s': 200}}",
		  "Mixed: on average 2.0 of 4 cores were used, and no one kind of wait explains the rest: there "
		  "were too few busy threads." },
		/* the share that the page has, of all of the job's time */
		{ "{'states': {'on_cpu_s': 200}, 'used': {'cores_busy': 1.8}}",
		  "Mixed: on average 1.8 of 4 cores were used, and no one kind of wait explains the rest: there "
		  "were too few busy threads." },
		{ "{'complete': false, 'states': {'on_cpu_s': 200}, 'used': {'cores_busy': 1.8}}",
		  "Mixed: on average 2.0 of 4 cores were used, and no one kind of wait explains the rest: there "
		  "were too few busy threads." },
		{ "{'states': {'on_cpu_s': 200, 'active_s': 60, 'parallel_s': 60, 'bound': {'sleep_s': 20,"
		  " 'file_io_s': 20}}}",
		  "Mixed: on average 2.0 of 4 cores were used, and no one kind of wait explains the rest (file I/O "
		  "20 %, idle 20 %)." },
		{ "{'allocated': {'cpus': 1, 'cores': 1}, 'progress': {'cores_used': 1, 'cores_bound': 1},"
		  " 'series': [], 'states': {'on_cpu_s': 5, 'runnable_s': 35, 'active_s': 40, 'parallel_s': 0,"
		  " 'bound': {'sleep_s': 36, 'file_io_s': 24}}}",
		  "Mixed: on average 0.1 of 1 core was used, and no one kind of wait explains the rest (waiting for a "
		  "CPU 35 %, file I/O 24 %, idle 36 %)." },
		{ "{'states': {'memory_stall_s': 200, 'some': {'memory_stall_s': 100}, 'on_cpu_s': 200}}",
		  "Bound by memory: 50 % of the time went into making room or waiting for pages, at a limit of 8.0 "
		  "GiB." },
		{ "{'states': null}", "Unknown: what its threads did was not counted." },
		{ "{'job': {'elapsed_s': 1}, 'states': {'active_s': 0.05, 'on_cpu_s': 0.05}}",
		  "Unknown: the job was too short to tell (0.050 s)." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		cleanup_json struct json_object *report = NULL;

		assert_string_equal(text_of(sentences[i].patch, &report), sentences[i].text);
	}
}

#define STEP(id, limit, peak, stall_s) \
	"{'id': '" id "', 'memory_limit_bytes': " limit ", 'memory_charged_peak_bytes': " peak ", 'states': {'memory_stall_s': " stall_s "}}"
#define OF_STEPS(steps) "{'steps': [" steps "], 'states': {'memory_stall_s': 200, 'some': {'memory_stall_s': 100}, 'on_cpu_s': 200}}"
#define MADE_ROOM "Bound by memory: 50 % of the time went into making room or waiting for pages, "

static void memory_names_the_step_that_had_a_limit_of_its_own(void **state)
{
#define HUNDRED_MIB "104857600"
#define JOBS_LIMIT MADE_ROOM "at a limit of 8.0 GiB."
	static const struct {
		const char *patch, *text;
	} cases[] = {
		{ OF_STEPS(STEP("0", HUNDRED_MIB, "94371840", "200")), MADE_ROOM "in step 0, at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, "94371839", "200")), JOBS_LIMIT },
		/* the script, and a step with the job's limit */
		{ OF_STEPS(STEP("batch", HUNDRED_MIB, HUNDRED_MIB, "200")), JOBS_LIMIT },
		{ OF_STEPS(STEP("0", "8588886016", "8588886016", "200")), JOBS_LIMIT },
		{ OF_STEPS(STEP("0", "8588886015", "8588886015", "200")), MADE_ROOM "in step 0, at its own limit of 8.0 GiB." },
		{ OF_STEPS(STEP("0", "null", HUNDRED_MIB, "200")), JOBS_LIMIT },
		/* another one waited, too, at the job's limit */
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "180") ", " STEP("1", "8589934592", "8589934592", "20")),
		  MADE_ROOM "in step 0, at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "179") ", " STEP("1", "8589934592", "8589934592", "21")),
		  MADE_ROOM "mostly in step 0, at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "101") ", " STEP("1", "8589934592", "8589934592", "99")),
		  MADE_ROOM "mostly in step 0, at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "100") ", " STEP("1", "8589934592", "8589934592", "100")), JOBS_LIMIT },
		/* several */
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "70") ", " STEP("1", HUNDRED_MIB, HUNDRED_MIB, "70") ", "
			   STEP("2", HUNDRED_MIB, HUNDRED_MIB, "60") ", " STEP("3", HUNDRED_MIB, "9", "0")),
		  MADE_ROOM "in 3 steps, each at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "70") ", " STEP("1", "99614720", HUNDRED_MIB, "70") ", "
			   STEP("2", HUNDRED_MIB, HUNDRED_MIB, "60")), MADE_ROOM "in 3 steps, each at a limit of its own." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_json struct json_object *report = NULL;

		assert_string_equal(text_of(cases[i].patch, &report), cases[i].text);
	}
}

#define FAULTS(steps) \
	"{'steps': [" steps "], 'states': {'on_cpu_s': 9, 'active_s': 9, 'fault_io_s': 91, 'bound': {'fault_io_s': 91}}}"
#define FAULTED(id, used, fault_s) \
	"{'id': '" id "', 'memory_limit_bytes': 100, 'memory_used_peak_bytes': " used ", 'states': {'fault_io_s': " fault_s "}}"

/* The job itself is far from its limit. */
static void faults_of_a_step_at_its_own_limit_are_waits_for_memory(void **state)
{
	static const struct {
		const char *patch, *word;
	} cases[] = {
		{ FAULTS(FAULTED("0", "90", "91")), "memory" },
		{ FAULTS(FAULTED("0", "89", "91")), "file-io" },
		{ FAULTS(FAULTED("0", "null", "91")), "file-io" },
		{ FAULTS(FAULTED("batch", "90", "91")), "file-io" },
		/* the faults were in another step */
		{ FAULTS(FAULTED("0", "90", "46") ", " FAULTED("1", "9", "45")), "memory" },
		{ FAULTS(FAULTED("0", "90", "45") ", " FAULTED("1", "9", "46")), "file-io" },
		{ FAULTS(FAULTED("0", "90", "null") ", " FAULTED("1", "90", "null")), "file-io" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_json struct json_object *report = NULL;

		text_of(cases[i].patch, &report);
		assert_string_equal(field_text(report, "verdict.bound"), cases[i].word);
	}
}

static void file_io_names_its_file_system(void **state)
{
	cleanup_json struct json_object *named = NULL, *unnamed = NULL, *mapped = NULL, *odd = NULL;

	(void)state;
#define IN_FILES "'states': {'on_cpu_s': 9, 'active_s': 9, 'file_io_s': 91, 'bound': {'file_io_s': 91}}"
	text_of("{" IN_FILES ", 'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 1},"
		" {'type': 'lustre', 'class': 'network', 'wait_s': 90}]}}", &named);
	assert_string_equal(field_text(named, "verdict.file_system"), "lustre");
	assert_string_equal(field_text(named, "verdict.file_system_class"), "network");
	text_of("{" IN_FILES ", 'used': {'file_systems': [{'type': '', 'class': 'unknown', 'wait_s': 90},"
		" {'type': 'ext4', 'class': 'local', 'wait_s': 1}]}}", &unnamed);
	assert_null(field_find(unnamed, "verdict.file_system"));
	assert_null(field_find(unnamed, "verdict.file_system_class"));
	text_of("{'states': {'on_cpu_s': 9, 'active_s': 9, 'fault_io_s': 91, 'bound': {'fault_io_s': 91}},"
		" 'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 1}]}}", &mapped);
	assert_string_equal(field_text(mapped, "verdict.bound"), "file-io");
	assert_null(field_find(mapped, "verdict.file_system"));
	text_of("{" IN_FILES ", 'used': {'file_systems': [{'type': 'a name that no file system in the kernel has',"
		" 'class': 'local', 'wait_s': 1}]}}", &odd);
	assert_null(field_find(odd, "verdict.file_system"));
}

static void evidence_has_number_and_threshold(void **state)
{
	cleanup_json struct json_object *report = case_report(NULL), *again = case_report(NULL);
	struct json_object *one;
	struct rules rules;
	struct error err;
	double number;

	(void)state;
	rules_defaults(&rules);
	judge(report, NULL);
	one = case_find(report, "verdict.evidence", "name", "cpu_share");
	assert_true(field_number(one, "value", &number) && fabs(number - 1) < 1e-6);
	assert_true(field_number(one, "threshold", &number) && fabs(number - 0.75) < 1e-6);
	one = case_find(report, "verdict.evidence", "name", "time_s");
	assert_true(field_number(one, "value", &number) && fabs(number - 100) < 1e-6);
	assert_string_equal(field_text(one, "unit"), "s");
	/* for pages, which do not know the site's rules */
	one = case_find(report, "verdict.evidence", "name", "elapsed_s");
	assert_true(field_number(one, "threshold", &number) && fabs(number - 60) < 1e-6);
	assert_int_equal(rules_set(&rules, "finding_elapsed_s", 7, &err), 0);
	judge(again, &rules);
	one = case_find(again, "verdict.evidence", "name", "elapsed_s");
	assert_true(field_number(one, "threshold", &number) && fabs(number - 7) < 1e-6);
	/* there was no such wait: nothing to compare with the threshold */
	assert_null(case_find(report, "verdict.evidence", "name", "lock_wait_mean_s"));
}

static void what_was_not_counted_is_not_idle(void **state)
{
	cleanup_json struct json_object *late = NULL, *missing = NULL;

	(void)state;
	/* counted for the last 100 of 1000 s */
	text_of("{'complete': false, 'job': {'elapsed_s': 1000}, 'nodes': [{'complete': false, 'used': {}}]}", &late);
	assert_string_equal(field_text(late, "verdict.bound"), "cpu");
	/* one of two nodes knew */
	text_of("{'complete': false, 'requested': {'nodes': 2}, 'nodes': [{'complete': true, 'used': {}},"
		" {'complete': false, 'gaps': []}]}", &missing);
	assert_string_equal(field_text(missing, "verdict.bound"), "cpu");
}

static void said_twice_it_is_the_same(void **state)
{
	cleanup_json struct json_object *report = case_report("{'states': {'parallel_s': 0, 'on_cpu_s': 100}}");
	cleanup_free char *once = NULL;

	(void)state;
	judge(report, NULL);
	once = strdup(json_object_to_json_string(report));
	judge(report, NULL);
	assert_string_equal(json_object_to_json_string(report), once);
}

/* ---- odd reports ---- */

/*
 * Goes through the values in @json, and those within lists; @serial counts them. Replaces the value of number @which by
 * @by.
 */
static void replace(struct json_object *json, size_t which, size_t *serial, struct json_object *by)
{
	if (json_object_is_type(json, json_type_array)) {
		for (size_t i = 0; i < field_length(json); i++) {
			if ((*serial)++ == which) {
				json_object_array_put_idx(json, i, json_object_get(by));
				return;
			}
			replace(json_object_array_get_idx(json, i), which, serial, by);
		}
	} else if (json_object_is_type(json, json_type_object)) {
		json_object_object_foreach(json, name, value) {
			if ((*serial)++ == which) {
				json_object_object_add(json, name, json_object_get(by));
				return;
			}
			replace(value, which, serial, by);
		}
	}
}

/* Checks that the result is JSON and has all that the schema requires. */
static void check_form(struct json_object *report)
{
	cleanup_free char *text = strdup(json_object_to_json_string(report));
	cleanup_json struct json_object *again = NULL;
	struct error err = { "" };
	double share = 0;

	again = field_parse(text, strlen(text), "what was put", json_type_object, &err);
	if (!again)
		fail_msg("%s: %s", err.text, text);
	assert_non_null(field_text(again, "verdict.bound"));
	assert_non_null(field_text(again, "verdict.text"));
	assert_non_null(field_typed(again, "verdict.evidence", json_type_array));
	assert_non_null(field_typed(again, "findings", json_type_array));
	assert_non_null(field_typed(again, "advice", json_type_array));
	field_number(again, "verdict.share", &share);
	assert_true(share >= 0 && share <= 1);
	assert_true((strcmp(field_text(again, "verdict.bound"), "unknown") == 0) ==
		    !field_find(again, "verdict.share"));
}

/* A job with many findings, so that there is much to spoil. */
static const char much[] =
	"{'states': {'on_cpu_s': 60, 'active_s': 55, 'parallel_s': 2, 'file_io_s': 45, 'lock_s': 75, 'busy_peak': 4,"
	" 'some': {'file_io_s': 45, 'lock_s': 75}, 'bound': {'file_io_s': 45}, 'waits': {'file_io': 100, 'lock': "
	"90000}},"
	" 'used': {'oom_kills': 1, 'memory_swap_peak_bytes': 99999999, 'syscall_reads': 1000000, 'reclaim_s': 9,"
	"  'cpu_efficiency': 0.15, 'cpu_wasted_core_hours': 1,"
	"  'network': {'tcp': {'tx_ops': 1000, 'retransmits': 200}},"
	"  'file_systems': [{'type': 'nfs4', 'class': 'network', 'wait_s': 40, 'waits': 100, 'opens': 20000}]},"
	" 'oom': [{'tool': 'hog', 'pid': 7, 'rss_bytes': 8000000000, 'limit_bytes': 8589934592}],"
	" 'steps': [{'id': '0', 'task_count': 2, 'elapsed_s': 90}],"
	" 'progress': {'idle_tail_s': 70, 'stalls': [{'tool': 'solve', 'pid': 3, 'quiet_s': 40}],"
	"  'steps_without_processes': ['extern', '1'], 'cores_unused': [{'core': 3}]},"
	" 'tools': [{'name': 'sed', 'slurm': false, 'runs': 5000, 'forks': 1, 'failures': 3, 'signals': 1, 'wall_s': "
	"20}]}";

/* Replaces every value in turn by every odd one, or removes it; @check looks at the result. */
static void spoil(const char *patch, void (*check)(struct json_object *report))
{
	static const char *const odd[] = {
		"{'by': null}", "{'by': -1}", "{'by': 0}", "{'by': 1e-300}", "{'by': 1e18}", "{'by': 1e308}",
		"{'by': 1e999}",
		"{'by': 18446744073709551615}", "{'by': 'text'}", "{'by': ''}", "{'by': []}", "{'by': [[], null, 1]}",
		"{'by': {}}", "{'by': true}",
	};

	for (size_t o = 0; o < sizeof(odd) / sizeof(odd[0]); o++) {
		cleanup_json struct json_object *by = case_json(odd[o]);
		size_t which = 0, serial;

		do {
			cleanup_json struct json_object *report = case_report(patch);

			serial = 0;
			replace(report, which, &serial, field_find(by, "by"));
			judge(report, NULL);
			check(report);
		} while (which++ < serial);
	}
}

static void no_report_is_too_odd(void **state)
{
	cleanup_json struct json_object *empty = json_object_new_object();

	(void)state;
	judge(empty, NULL);
	assert_string_equal(field_text(empty, "verdict.bound"), "unknown");
	assert_int_equal(field_length(field_find(empty, "findings")), 0);
	assert_int_equal(field_length(field_find(empty, "advice")), 0);
	check_form(empty);
	spoil(NULL, check_form);
	spoil(much, check_form);
}

static void check_nothing_is_found(struct json_object *report)
{
	const char *word = field_text(report, "verdict.bound");

	if (field_length(field_find(report, "findings")) > 0 || field_length(field_find(report, "advice")) > 0 ||
	    (strcmp(word, "unknown") != 0 && strcmp(word, "cpu") != 0))
		fail_msg("found on what is not known: %s", json_object_to_json_string(field_find(report, "findings")));
}

static void nothing_is_found_on_what_is_not_known(void **state)
{
	size_t which = 0, serial;

	(void)state;
	do {
		cleanup_json struct json_object *report = case_report(NULL);

		serial = 0;
		replace(report, which, &serial, NULL);
		judge(report, NULL);
		check_nothing_is_found(report);
	} while (which++ < serial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_job_gets_its_word),
		cmocka_unit_test(a_sentence_has_the_numbers),
		cmocka_unit_test(memory_names_the_step_that_had_a_limit_of_its_own),
		cmocka_unit_test(faults_of_a_step_at_its_own_limit_are_waits_for_memory),
		cmocka_unit_test(file_io_names_its_file_system),
		cmocka_unit_test(evidence_has_number_and_threshold),
		cmocka_unit_test(what_was_not_counted_is_not_idle),
		cmocka_unit_test(said_twice_it_is_the_same),
		cmocka_unit_test(no_report_is_too_odd),
		cmocka_unit_test(nothing_is_found_on_what_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
