/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the verdict of jobs that waited for files, the network, memory or locks, or were idle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/verdict_case.h"

#define SEEN(active) \
	"'states': {'active_s': " active ", 'bound': {'memory_stall_s': 0, 'fault_io_s': 0, 'file_io_s': 0, 'gpu_s': 0, 'network_s': 0, 'pipe_s': 0," \
	" 'lock_s': 0, 'condition_s': 0, 'child_s': 0, 'event_s': 0, 'sleep_s': 0, 'other_s': 0}}"

/* As the kernel programs count such jobs: the shell waits for its child, and a wake-up takes its time. */
static const struct kind kinds[] = {
	{ "asleep, and kept waiting when it looks", 1, 2, 100,
	  "{'states': {'on_cpu_s': 0.06, 'runnable_s': 0.04, 'active_s': 0.1, 'sleep_s': 99.9, 'some': {'sleep_s': 99.9},"
	  " 'bound': {'sleep_s': 99.9}, 'waits': {'sleep': 999}}}",
	  "idle", 0.999 },
	{ "four threads of Java's in one synchronized method", 1, 4, 100,
	  "{'states': {'on_cpu_s': 101, 'active_s': 100, 'parallel_s': 1, 'condition_s': 299, 'turns_s': 75,"
	  " 'some': {'condition_s': 100}, 'waits': {'condition': 99000}}}",
	  "lock", 75 / 101.0 },
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
	{ "waits for a GPU in ioctl()", 1, 4, 100,
	  "{'states': {'on_cpu_s': 10, 'active_s': 10, 'parallel_s': 0, 'gpu_s': 89, 'child_s': 99, 'some': {'gpu_s': 89, 'child_s': 99},"
	  " 'bound': {'gpu_s': 89}, 'waits': {'gpu': 1000}}, 'tools': [{'name': 'train', 'threads_peak': 1, 'wall_s': 99,"
	  " 'states': {'gpu_s': 89}}]}",
	  "gpu", 89 / 99.0 },
	{ "a thread of CUDA's waits for a GPU as long as the program sleeps", 1, 4, 100,
	  "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'gpu_s': 99, 'sleep_s': 99, 'some': {'gpu_s': 99, 'sleep_s': 99},"
	  " 'bound': {'gpu_s': 99}, 'waits': {'gpu': 10}}, 'tools': [{'name': 'jupyter', 'threads_peak': 2, 'wall_s': 100,"
	  " 'states': {'gpu_s': 99}}]}",
	  "idle", 0.99 },
	{ "the same thread, and another that waits for the GPU most of the time", 1, 4, 100,
	  "{'states': {'on_cpu_s': 20, 'active_s': 20, 'parallel_s': 0, 'gpu_s': 170, 'sleep_s': 10, 'some': {'gpu_s': 100},"
	  " 'bound': {'gpu_s': 80}, 'waits': {'gpu': 1000}}, 'tools': [{'name': 'train', 'threads_peak': 9, 'wall_s': 100,"
	  " 'states': {'gpu_s': 170}}]}",
	  "gpu", 0.7 },
	{ "four GPUs, and a thread of CUDA's for each", 1, 4, 100,
	  "{'allocated': {'gpus': 4}, 'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'gpu_s': 396, 'event_s': 99,"
	  " 'some': {'gpu_s': 99}, 'bound': {'gpu_s': 99}, 'waits': {'gpu': 10}}, 'tools': [{'name': 'jupyter', 'threads_peak': 6,"
	  " 'wall_s': 100, 'states': {'gpu_s': 396}}]}",
	  "idle", 0.99 },
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
	{ "four nodes, of which one computes", 4, 4, 100,
	  "{'states': {'on_cpu_s': 400, 'active_s': 100, 'parallel_s': 100, 'busy_peak': 5}}", "idle", 292 / 392.0 },
	/* the time to start a first process does not count for a node that never had one */
	{ "a short job of one thread, with a node that had no process", 2, 2, 10,
	  "{'states': {'on_cpu_s': 9.9, 'active_s': 9.9}, 'nodes': [{'name': 'n1', 'complete': true, 'used': {'processes': 2}},"
	  " {'name': 'n2', 'complete': true, 'used': {'processes': 0}}]}",
	  "idle", 10 / 19.9 },
	/* nor for a node that had a process for a moment: the second node shows how long the start took */
	{ "a short job of one thread, with a node that was asked for its name", 2, 2, 10,
	  "{'states': {'on_cpu_s': 9.9, 'active_s': 9.91}, 'nodes': [{'name': 'n1', 'complete': true, 'used': {'processes': 2}," SEEN("9.9") "},"
	  " {'name': 'n2', 'complete': true, 'used': {'processes': 1}, " SEEN("0.01") "}]}",
	  "idle", 9.99 / 19.9 },
	{ "threads on two nodes that wait in recv() for each other", 2, 4, 100,
	  "{'used': {'socket_rx_bytes': 5000000000}, 'states': {'on_cpu_s': 240, 'active_s': 80, 'parallel_s': 70,"
	  " 'network_s': 550, 'some': {'network_s': 190}, 'bound': {'network_s': 120},"
	  " 'waits': {'network': 2000000}}}",
	  "network", 0.6 },
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

static void each_kind_of_job_gets_its_word(void **state)
{
	(void)state;
	check_kinds(kinds, sizeof(kinds) / sizeof(kinds[0]));
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
		/* another step waited, too, at the job's limit */
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "180") ", " STEP("1", "8589934592", "8589934592", "20")),
		  MADE_ROOM "in step 0, at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "179") ", " STEP("1", "8589934592", "8589934592", "21")),
		  MADE_ROOM "mostly in step 0, at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "101") ", " STEP("1", "8589934592", "8589934592", "99")),
		  MADE_ROOM "mostly in step 0, at its own limit of 100.0 MiB." },
		{ OF_STEPS(STEP("0", HUNDRED_MIB, HUNDRED_MIB, "100") ", " STEP("1", "8589934592", "8589934592", "100")), JOBS_LIMIT },
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_job_gets_its_word),
		cmocka_unit_test(memory_names_the_step_that_had_a_limit_of_its_own),
		cmocka_unit_test(faults_of_a_step_at_its_own_limit_are_waits_for_memory),
		cmocka_unit_test(file_io_names_its_file_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
