/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the verdict of jobs bound by their CPUs, by too few busy threads, or by other work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/verdict_case.h"

/* As the kernel programs count such jobs: the shell waits for its child, and a wake-up takes its time. */
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
	{ "a long serial part, then all cores", 1, 4, 100,
	  "{'states': {'on_cpu_s': 160, 'runnable_s': 240, 'active_s': 100, 'parallel_s': 20, 'busy_peak': 16}}",
	  "serial", 0.8 },
	{ "one thread computes, a pool reads ahead", 1, 4, 100,
	  "{'states': {'on_cpu_s': 101, 'active_s': 100, 'parallel_s': 1, 'file_io_s': 1600,"
	  " 'some': {'file_io_s': 100}, 'waits': {'file_io': 90000}}}",
	  "serial", 0.99 },
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
	{ "half computing, half idle", 1, 1, 100,
	  "{'states': {'on_cpu_s': 55, 'active_s': 55, 'sleep_s': 45, 'some': {'sleep_s': 45},"
	  " 'bound': {'sleep_s': 45}}}",
	  "mixed", 0.55 },
	{ "two nodes computing", 2, 4, 100,
	  "{'states': {'on_cpu_s': 790, 'active_s': 200, 'parallel_s': 199, 'busy_peak': 5}}", "cpu", 0.9875 },
	{ "two nodes, a thread on each", 2, 4, 100, "{'states': {'on_cpu_s': 200, 'active_s': 200, 'parallel_s': 1}}",
	  "serial", 199 / 200.0 },
	{ "no pressure told, computing", 1, 4, 100,
	  "{'states': {'on_cpu_s': 390, 'some': null, 'bound': null, 'waits': null, 'active_s': null,"
	  " 'parallel_s': null, 'lifetime_s': 400}}",
	  "cpu", 0.975 },
};

static void each_kind_of_job_gets_its_word(void **state)
{
	(void)state;
	check_kinds(kinds, sizeof(kinds) / sizeof(kinds[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_job_gets_its_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
