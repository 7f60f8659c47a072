/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is found about CPUs: unused ones, and too many threads. rules.c tests the thresholds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/findings_case.h"

static void of_whole_nodes_nothing_is_too_much(void **state)
{
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000}, 'allocated': {'exclusive': true}}", "memory-over-asked"));
	assert_true(is_found("{'progress': {'cores_unused': [1, 2]}}", "cores-unused"));
	/* the cores of an idle node are not reported again */
	assert_false(is_found("{'progress': {'cores_unused': [1, 2], 'cores_used': 2}, 'nodes': [{'name': 'n1', 'allocated': {'cpus': 2,"
			      " 'cores_bound': 2, 'cores_used': 2}, 'used': {'cpu_s': 200}}, {'name': 'n2', 'allocated': {'cpus': 2,"
			      " 'cores_bound': 2, 'cores_used': 0}, 'used': {'cpu_s': 0.1}}], 'allocated': {'nodes': 2}}", "cores-unused"));
	assert_false(is_found("{'progress': {'cores_unused': [1, 2], 'cores_used': 2}, 'nodes': [{'name': 'n1', 'allocated': {'cpus': 2,"
			      " 'cores_bound': 2, 'cores_used': 2, 'cores_loaded': 1}, 'used': {'cpu_s': 100}}, {'name': 'n2', 'allocated':"
			      " {'cpus': 2, 'cores_bound': 2, 'cores_used': 0, 'cores_loaded': 0}, 'used': {'cpu_s': 0.1}}], 'allocated':"
			      " {'nodes': 2}}", "cores-unused"));
	/* the list may have fewer cores than there are */
	assert_number(found(&report, "{'progress': {'cores_unused': [1], 'cores_used': 1}}", "cores-unused"), "cores_unused", 3);
	assert_false(is_found("{'progress': {'cores_unused': [1, 2]}, 'allocated': {'exclusive': true}}", "cores-unused"));
}

static void who_used_the_option_for_threads_is_not_told_to_use_it(void **state)
{
#define ONE_BUSY(more) "{'states': {'on_cpu_s': 110, 'parallel_s': 10}, 'tools': [{'name': 'slurmstepd', 'slurm': true, 'cpu_s': 200," \
		" 'threads_peak': 5}, {'name': 'sort', 'cpu_s': 4, 'threads_peak': 8}, {'name': 'solve', 'cpu_s': 100, " more "}]}"
#define OPTION "Use the program's option for threads, or ask for one core."
	static const struct {
		const char *patch, *hint;
	} jobs[] = {
		{ ONE_BUSY("'threads_peak': 2"),
		  "solve had 2 threads, but they did not keep the CPUs busy: see what they waited for, or ask for fewer CPUs." },
		{ ONE_BUSY("'threads_peak': 1"), OPTION },
		/* short runs of a job that was cut: not known */
		{ ONE_BUSY("'runs': 1"), OPTION },
		/* threads that the runtime starts for itself */
		{ ONE_BUSY("'interpreter': 'java', 'threads_peak': 20"), OPTION },
		{ "{'states': {'on_cpu_s': 110, 'parallel_s': 10}}", OPTION },
		/* MPI's threads, which poll and sleep, and those of Python's Pool, which watch its forks */
		{ ONE_BUSY("'threads_peak': 3, 'states': {'on_cpu_s': 100, 'runnable_s': 1, 'event_s': 160, 'sleep_s': 40, 'lifetime_s': 301}"),
		  OPTION },
		{ ONE_BUSY("'threads_peak': 4, 'runs': 1, 'forks': 2, 'states': {'on_cpu_s': 100, 'runnable_s': 1, 'event_s': 80, 'pipe_s': 150,"
			   " 'condition_s': 160, 'sleep_s': 0, 'lifetime_s': 480}"), OPTION },
		/* workers, which wait for each other, or for files */
		{ ONE_BUSY("'threads_peak': 3, 'runs': 1, 'forks': 0, 'states': {'on_cpu_s': 100, 'runnable_s': 1, 'event_s': 60, 'sleep_s': 39,"
			   " 'condition_s': 60, 'file_io_s': 40, 'lifetime_s': 300}"),
		  "solve had 3 threads, but they did not keep the CPUs busy: see what they waited for, or ask for fewer CPUs." },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(hint(&report, jobs[i].patch, "serial-on-many-cores"), jobs[i].hint);
#define WHOLE_NODE(threads) "{'allocated': {'exclusive': true}, 'used': {'cpu_efficiency': 0.3, 'cpu_wasted_core_hours': 12.5}, 'tools':" \
		" [{'name': 'solve', 'cpu_s': 100, 'threads_peak': " threads "}]}"
	assert_string_equal(hint(&report, WHOLE_NODE("4"), "cpu-efficiency-low"),
			    "solve had 4 threads, but they did not keep the CPUs busy: see what they waited for, or run several programs at once.");
	assert_non_null(strstr(hint(&report, WHOLE_NODE("1"), "cpu-efficiency-low"), "use the program's option for threads"));
}

/* With one core, one task would be left. A rank and its work would be missing without a message. */
static void tasks_are_not_asked_away(void **state)
{
#define SERIAL(more) "{'states': {'on_cpu_s': 110, 'parallel_s': 10}, " more "}"
#define SHARE "Share the work evenly among the job's tasks, or see what the tasks waited for."
#define STEP(id, tasks, s) "{'id': '" id "', 'task_count': " tasks ", 'elapsed_s': " s "}"
#define RANKS(launcher) "'tools': [{'name': '" launcher "', 'runs': 1}, {'name': 'solve', 'cpu_s': 100, 'threads_peak': 3}]"
	static const struct {
		const char *patch, *hint;
	} jobs[] = {
		{ SERIAL("'steps': [" STEP("batch", "1", "100") ", " STEP("0", "4", "99") "]"), SHARE },
		{ SERIAL("'steps': [" STEP("0", "2", "99") "]"), SHARE " One core for each is enough." },
		{ SERIAL("'steps': [" STEP("0", "2", "99") "], 'allocated': {'exclusive': true}"), SHARE },
		{ SERIAL("'steps': [" STEP("0", "2", "99") "], 'used': {'oom_kills': 1}"),
		  "Some of its processes were killed, and did no more work: look at that first." },
		/* no option started MPI's own threads */
		{ SERIAL("'requested': {'tasks': 4}, " RANKS("mpirun")), SHARE },
		{ SERIAL("'requested': {'tasks': 2}, " RANKS("orted")), SHARE " One core for each is enough." },
		{ SERIAL(RANKS("mpirun")), SHARE },
		/* srun ... & srun ... & */
		{ SERIAL("'steps': [" STEP("0", "1", "99") ", " STEP("1", "1", "9") "]"), SHARE },
		/* one after the other */
		{ SERIAL("'steps': [" STEP("0", "1", "49") ", " STEP("1", "1", "49") "]"), OPTION },
		{ SERIAL("'tools': [{'name': 'srun', 'runs': 1}]"), OPTION },
		/* --ntasks=4, but nothing started tasks */
		{ SERIAL("'requested': {'tasks': 4}"), OPTION },
		/* one on each node */
		{ "{'allocated': {'nodes': 2, 'cpus': 8, 'cores': 8}, 'states': {'on_cpu_s': 200, 'active_s': 200, 'parallel_s': 0}, 'nodes':"
		  " [{'name': 'n1', 'used': {}}, {'name': 'n2', 'used': {}}], 'steps': [" STEP("0", "2", "99") "]}",
		  "Use the program's option for threads, or ask for one core for each task." },
	};
#define UNEVEN(tasks) "{'steps': [" STEP("0", tasks, "99") "], 'used': {'cpu_efficiency': 0.3, 'cpu_wasted_core_hours': 12.5}}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(hint(&report, jobs[i].patch, "serial-on-many-cores"), jobs[i].hint);
	assert_string_equal(hint(&report, UNEVEN("4"), "cpu-efficiency-low"),
			    "Change what keeps the CPUs from being used: the verdict says what that is.");
	assert_non_null(strstr(hint(&report, UNEVEN("2"), "cpu-efficiency-low"), "Ask for fewer CPUs"));
}

static void a_task_without_work_on_a_node_is_not_asked_away(void **state)
{
#define IDLE_NODE(more) "{'nodes': [{'name': 'n1', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 390, 'processes': 9}}, {'name': 'n2'," \
		" 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1" more "}}]}"
#define NONE_THERE "Start tasks on each node with srun or mpirun, or ask for fewer nodes."
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_string_equal(hint(&report, IDLE_NODE(", 'processes': 0"), "node-idle"), NONE_THERE);
	assert_string_equal(hint(&report, IDLE_NODE(""), "node-idle"), NONE_THERE);
	assert_string_equal(hint(&report, IDLE_NODE(", 'processes': 1"), "node-idle"),
			    "The processes there had next to nothing to do: give them their part of the work, or ask for fewer nodes if they are not needed.");
}

static void nobody_is_told_to_ask_for_less_than_one_cpu(void **state)
{
#define UNUSED(cpus, cores) "{'allocated': {'cpus': " cpus ", 'cores': " cores "}, 'used': {'cpu_efficiency': 0.1, 'cpu_wasted_core_hours': 12.5}," \
		" 'states': {'on_cpu_s': 10, 'active_s': 10, 'parallel_s': 0}}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_string_equal(hint(&report, UNUSED("1", "1"), "cpu-efficiency-low"),
			    "Change what keeps the CPU from being used: the verdict says what that is.");
	/* the CPUs belong to one core */
	assert_string_equal(hint(&report, UNUSED("2", "1"), "cpu-efficiency-low"),
			    "Change what keeps the CPUs from being used: the verdict says what that is.");
	assert_non_null(strstr(hint(&report, UNUSED("2", "2"), "cpu-efficiency-low"), "Ask for fewer CPUs"));
}

static void who_has_too_many_threads_is_told_which_program_has_them(void **state)
{
#define GENERAL "Start as many threads as there are CPUs, with the program's option for threads, make -j and the like."
#define TOOL(threads, on_cpu, runnable, wall)                                                                  \
	"'tools': [{'name': 'solve', 'threads_peak': " threads ", 'wall_s': " wall ", 'states': {'on_cpu_s': " \
	on_cpu ", 'runnable_s': " runnable "}}]"
	static const struct {
		const char *patch, *hint;
	} jobs[] = {
		{ "{'states': {'runnable_s': 400}, " TOOL("8", "396", "396", "99") "}",
		  "solve had 8 threads for 4 CPUs: use its option for threads to start fewer." },
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 100, 'parallel_s': 100}, 'requested': {'cpus': 1},"
		  " 'allocated': {'cpus': 1, 'cores': 1}, " TOOL("14", "98", "98", "98") "}",
		  "solve had 14 threads for 1 CPU: use its option for threads to start fewer." },
		/* threads that a runtime starts for itself */
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 100, 'parallel_s': 100}, 'requested': {'cpus': 1}, 'allocated': {'cpus': 1,"
		  " 'cores': 1}, 'tools': [{'name': 'Live', 'interpreter': 'java', 'threads_peak': 14, 'wall_s': 98, 'states':"
		  " {'on_cpu_s': 98, 'runnable_s': 98}}]}", GENERAL },
		/* a fifth more than the CPUs, as for the verdict; and a little less */
		{ "{'states': {'runnable_s': 400}, " TOOL("8", "240", "240.1", "100") "}",
		  "solve had 8 threads for 4 CPUs: use its option for threads to start fewer." },
		{ "{'states': {'runnable_s': 400}, " TOOL("8", "240", "240", "100") "}", GENERAL },
		/* Java's helpers sleep; three other processes crowd the CPUs */
		{ "{'states': {'runnable_s': 400}, " TOOL("14", "50", "50", "100") "}", GENERAL },
		/* a pool of eight processes; threads of its parent watch them */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'runs': 1, 'forks': 8, 'threads_peak': 5, 'wall_s': 99, 'states':"
		  " {'on_cpu_s': 396, 'runnable_s': 396}}]}", GENERAL },
		/* Slurm's own threads */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'slurm': true, 'threads_peak': 8, 'wall_s': 1, 'states':"
		  " {'on_cpu_s': 4, 'runnable_s': 4}}]}", GENERAL },
		/* four tasks, each with as many threads as the node has CPUs */
		{ "{'states': {'runnable_s': 1200}, 'steps': [{'id': '0', 'task_count': 4}], 'requested': {'tasks': 4}, "
		  TOOL("4", "400", "1200", "400") "}", "solve had 4 threads for 1 CPU: use its option for threads to start fewer." },
		/* OMP_NUM_THREADS reaches it */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'name': 'solve', 'threads_peak': 8, 'wall_s': 99, 'blas_processes': 1,"
		  " 'states': {'on_cpu_s': 396, 'runnable_s': 396}}]}",
		  "solve had 8 threads for 4 CPUs: set OMP_NUM_THREADS, or use its option for threads to start fewer." },
		/* ranks, of one thread each */
#define TASKS_OF(requested, step) "{'states': {'runnable_s': 1200}, 'requested': {'tasks': " requested "}, 'steps': [{'id': '0', 'task_count': " \
		step "}], "
#define EACH "Its tasks together had more busy threads than it had CPUs: start fewer tasks, or fewer threads in each."
		{ TASKS_OF("4", "8") TOOL("1", "400", "1200", "800") "}", "8 tasks had 4 CPUs: start no more tasks than CPUs, or ask for a CPU for each." },
		{ TASKS_OF("4", "4") TOOL("2", "400", "400", "800") "}", EACH },
		{ TASKS_OF("1", "1") TOOL("1", "400", "1200", "800") "}", GENERAL },
		{ "{'states': {'runnable_s': 1200}, 'requested': {'tasks': 1}, 'tools': [{'name': 'mpirun'}]}", EACH },
		/* by its processes, not by its threads */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'name': 'cc1', 'threads_peak': 1}]}", GENERAL },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(hint(&report, jobs[i].patch, "oversubscribed"), jobs[i].hint);
}

/* for i in ...; do echo $i | md5sum; done | sort, on one CPU, most of which others have. */
#define LOOP(runs, wall, md5sum) "{'allocated': {'cpus': 1, 'cores': 1}, 'requested': {'cpus': 1}, 'progress': {'cores_used': 1, 'cores_bound': 1}," \
	" 'series': [], 'states': {'on_cpu_s': 20, 'runnable_s': 260, 'active_s': 100, 'parallel_s': 80}, 'tools': [{'name': 'sort', 'runs': 1," \
	" 'wall_s': 100, 'states': {'on_cpu_s': 1, 'runnable_s': 39, 'pipe_s': 60}}, {'name': 'run.sh', 'interpreter': 'bash', 'runs': 1, 'wall_s':" \
	" 100, 'states': {'on_cpu_s': 10, 'runnable_s': 90, 'pipe_s': 1}}, {'name': 'md5sum', 'runs': " runs ", 'wall_s': " wall ", 'states':" \
	" {'on_cpu_s': 9, 'runnable_s': " md5sum ", 'pipe_s': 1}}]}"

static void what_a_shell_starts_one_after_the_other_is_not_too_much(void **state)
{
	(void)state;
	assert_false(is_found(LOOP("1500", "80", "71"), "oversubscribed"));
	assert_true(is_found(LOOP("1500", "80", "71"), "cpu-starved"));
	/* a run that lives long, or several at once (xargs -P) */
	assert_true(is_found(LOOP("2", "140", "131"), "oversubscribed"));
	assert_true(is_found(LOOP("1500", "300", "291"), "oversubscribed"));
}

static void locks_that_wait_for_a_holders_cpu_are_not_contended(void **state)
{
#define LOCKS(runnable, lock) "{'states': {'on_cpu_s': 200, 'runnable_s': " runnable ", 'lock_s': " lock ", 'busy_peak': 16, 'some': {'lock_s': 100}," \
		" 'waits': {'lock': 90000}}}"
	(void)state;
	assert_false(is_found(LOCKS("1400", "200"), "lock-contention"));
	assert_true(is_found(LOCKS("1400", "200"), "oversubscribed"));
	/* waits too long to be caused by the CPUs; and waits with a CPU for each thread */
	assert_true(is_found(LOCKS("1400", "800"), "lock-contention"));
	assert_true(is_found(LOCKS("1", "150"), "lock-contention"));
}

static void a_job_that_did_nothing_is_not_told_to_use_its_cores(void **state)
{
#define SLEPT(active, asleep) "{'states': {'on_cpu_s': " active ", 'active_s': " active ", 'parallel_s': 0, 'some': {'sleep_s': " asleep "}, 'bound':" \
		" {'sleep_s': " asleep "}}, 'progress': {'cores_unused': [1, 2, 3], 'cores_used': 1}"
	(void)state;
	assert_false(is_found(SLEPT("0.02", "99.98") "}", "cores-unused"));
	assert_true(is_found(SLEPT("20", "80") "}", "cores-unused"));
	assert_true(is_found(SLEPT("0.02", "99.98") ", 'allocated': {'gpus': 1}}", "cores-unused"));
	/* a crowded job has its own finding for that */
	assert_false(is_found("{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}}", "cores-unused"));
}

static void threads_are_crowded_or_too_many_or_starved(void **state)
{
	static const char *const codes[] = { "oversubscribed", "threads-crowded", "cpu-starved", "cpu-throttled" };
	static const struct {
		const char *patch;
		int code;
	} jobs[] = {
		{ "{'states': {'runnable_s': 400}}", 0 },
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}}", 1 },
		{ "{'states': {'on_cpu_s': 40, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}}", 2 },
		/* no binding would help: the threads are too many for all cores */
		{ "{'states': {'on_cpu_s': 300, 'runnable_s': 300, 'busy_peak': 6}, 'progress': {'cores_unused': [1]}}", 0 },
		/* a thread for each CPU, and the one that started them */
		{ "{'states': {'on_cpu_s': 280, 'runnable_s': 210, 'busy_peak': 5}, 'progress': {'cores_unused': [1]}}", 1 },
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200}}", 2 },
		/* no other work has the CPUs: a quota is the reason */
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200, 'throttled_s': 199}}", 3 },
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 600, 'throttled_s': 400}}", 3 },
		/* as many threads as CPUs, and daemons; and in bursts too many */
		{ "{'states': {'on_cpu_s': 390, 'runnable_s': 40}}", -1 },
		{ "{'states': {'on_cpu_s': 160, 'runnable_s': 240, 'parallel_s': 20}}", -1 },
		/* bound to one core by taskset or OMP_PROC_BIND, by a shell that had started on another core */
#define LOADED(loaded, on_cpu, runnable) "{'states': {'on_cpu_s': " on_cpu ", 'runnable_s': " runnable ", 'busy_peak': 6}, 'nodes': [{'name': 'n1', 'allocated':" \
		" {'cpus': 4, 'cores_bound': 4, 'cores_used': 4, 'cores_loaded': " loaded "}, 'used': {'cpu_s': 100}, 'states': {'runnable_s': 100}}]}"
		{ LOADED("1", "100", "100"), 1 },
		{ LOADED("2", "200", "100"), 1 },
		{ LOADED("1", "100", "300"), 1 },
		/* all cores had work: others took as much of each */
		{ LOADED("4", "200", "200"), 2 },
		/* on one core, which others used much: they may have had the other cores */
		{ LOADED("1", "60", "140"), 2 },
		/* too many for all cores */
		{ LOADED("1", "100", "500"), 0 },
		/* the cpuset is the node's: what others use of it is no waste of this job's */
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200}, 'allocated': {'cores': 64},"
		  " 'progress': {'cores_unused': [1, 2, 3]}}", 2 },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		for (int c = 0; c < 4; c++)
			if (is_found(jobs[i].patch, codes[c]) != (jobs[i].code == c))
				fail_msg("%s: %s", jobs[i].patch, codes[c]);
	assert_string_equal(hint(&report, LOADED("1", "100", "500"), "oversubscribed"), GENERAL
			    " And they ran on 1 of 4 cores: see whether srun, taskset or OMP_PROC_BIND bound them.");
	/* too many threads of its own, and other work: two findings */
	assert_true(is_found("{'states': {'on_cpu_s': 120, 'runnable_s': 1480}}", "oversubscribed"));
	assert_true(is_found("{'states': {'on_cpu_s': 120, 'runnable_s': 1480}}", "cpu-starved"));
	/* 29.75 % of what they could have had */
	assert_false(is_found("{'states': {'on_cpu_s': 281, 'runnable_s': 1319}}", "cpu-starved"));
}

static void what_others_took_is_not_held_against_the_job(void **state)
{
	static const char *const codes[] = { "cpu-efficiency-low", "serial-on-many-cores" };
	static const char *const jobs[] = {
		/* a thread that waits for its CPU while three others wait for it */
#define ALONE "'parallel_s': 1, 'active_s': 100"
#define WASTE "'used': {'cpu_efficiency': 0.1, 'cpu_wasted_core_hours': 1}"
		"{" WASTE ", 'states': {'on_cpu_s': 20, 'runnable_s': 80, " ALONE "}}",
		"{" WASTE ", 'states': {'on_cpu_s': 20, 'runnable_s': 80, 'throttled_s': 80, " ALONE "}}",
	};
	static const char own[] = "{" WASTE ", 'states': {'on_cpu_s': 95, 'runnable_s': 5, " ALONE "}}";

	(void)state;
	for (size_t c = 0; c < sizeof(codes) / sizeof(codes[0]); c++) {
		assert_true(is_found(own, codes[c]));
		for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
			if (is_found(jobs[i], codes[c]))
				fail_msg("%s: %s", jobs[i], codes[c]);
	}
	/* its threads stayed together where others left them some room */
	assert_false(is_found("{'states': {'on_cpu_s': 40, 'runnable_s': 60, " ALONE "}, 'progress': {'cores_unused': [1]}}",
			      "cores-unused"));
	assert_true(is_found("{'states': {'on_cpu_s': 95, 'runnable_s': 5, " ALONE "}, 'progress': {'cores_unused': [1]}}",
			     "cores-unused"));
	/* a single thread left more cores idle than others took: three cores for 60 of 100 s */
	assert_true(is_found("{'states': {'on_cpu_s': 60, 'runnable_s': 40, " ALONE "}}", "serial-on-many-cores"));
	assert_true(is_found("{'states': {'on_cpu_s': 60, 'runnable_s': 40, " ALONE "}}", "cpu-starved"));
	/* not starved, but without the others it would have used half of its CPUs */
	assert_false(is_found("{'used': {'cpu_efficiency': 0.45, 'cpu_wasted_core_hours': 1}, 'states': {'on_cpu_s': 180,"
			      " 'runnable_s': 20}}", "cpu-efficiency-low"));
	assert_true(is_found("{'used': {'cpu_efficiency': 0.45, 'cpu_wasted_core_hours': 1}, 'states': {'on_cpu_s': 180,"
			     " 'runnable_s': 19.9}}", "cpu-efficiency-low"));
	/* its CPUs are not too many */
	assert_false(is_found("{'nodes': [{'allocated': {'cpus': 4}, 'used': {'cpu_s': 390}}, {'allocated': {'cpus': 4},"
			      " 'used': {'cpu_s': 1}, 'states': {'runnable_s': 7}}]}", "node-idle"));
	assert_true(is_found("{'nodes': [{'allocated': {'cpus': 4}, 'used': {'cpu_s': 390}}, {'allocated': {'cpus': 4},"
			     " 'used': {'cpu_s': 1}, 'states': {'runnable_s': 6.9}}]}", "node-idle"));
}

/* A single thread uses at most half of the time of two CPUs in one core: that is all of the core. */
static void who_keeps_the_cores_busy_wastes_no_cpus(void **state)
{
#define ON_CORES(cores, efficiency) "{'allocated': {'cpus': 4, 'cores': " cores "}, 'used': {'cpu_efficiency': " efficiency \
		", 'cpu_wasted_core_hours': 1}}"
	(void)state;
	assert_false(is_found(ON_CORES("1", "0.24931"), "cpu-efficiency-low"));
	assert_false(is_found(ON_CORES("2", "0.49931"), "cpu-efficiency-low"));
	assert_false(is_found(ON_CORES("2", "0.25"), "cpu-efficiency-low"));
	assert_true(is_found(ON_CORES("2", "0.2499"), "cpu-efficiency-low"));
	assert_true(is_found(ON_CORES("4", "0.4999"), "cpu-efficiency-low"));
	assert_false(is_found(ON_CORES("4", "0.5"), "cpu-efficiency-low"));
	/* not bound to any core, or not known */
	assert_true(is_found(ON_CORES("64", "0.4999"), "cpu-efficiency-low"));
	assert_true(is_found(ON_CORES("null", "0.4999"), "cpu-efficiency-low"));
	/* what others took counts, too: 40 s of 2 cores for 100 s */
#define KEPT(runnable_s) "{'allocated': {'cpus': 4, 'cores': 2}, 'used': {'cpu_efficiency': 0.15, 'cpu_wasted_core_hours': 1}," \
		" 'states': {'on_cpu_s': 160, 'runnable_s': " runnable_s "}}"
	assert_false(is_found(KEPT("40"), "cpu-efficiency-low"));
	assert_true(is_found(KEPT("39.9"), "cpu-efficiency-low"));
}

/* No option makes a pipeline's programs fewer, and each has something to do. */
static void a_pipelines_programs_are_not_too_many_threads(void **state)
{
#define ON_CPUS(cpus, wanted, tools) "{'allocated': {'cpus': " cpus ", 'cores': " cpus "}, 'requested': {'cpus': " cpus "}, 'states':" \
	" {'on_cpu_s': 100, 'runnable_s': " wanted ", 'active_s': 100, 'parallel_s': 90}, 'series': [], 'tools': [" tools "]}"
#define PIPED(name, busy, pipe) "{'name': '" name "', 'slurm': false, 'runs': 1, 'threads_peak': 1, 'wall_s': 100, 'states': {'on_cpu_s': 1," \
	" 'runnable_s': " busy ", 'pipe_s': " pipe "}}"
	static const struct {
		const char *patch;
		bool found;
	} jobs[] = {
		/* zcat waits for room, awk for nothing; python | tee | grep; gzip -d | gzip -9 */
		{ ON_CPUS("1", "90", PIPED("gzip", "90", "50") ", " PIPED("awk", "98", "1")), false },
		{ ON_CPUS("1", "150", PIPED("python3", "95", "10") ", " PIPED("tee", "90", "20") ", " PIPED("grep", "62", "40")), false },
		{ ON_CPUS("1", "90", PIPED("gzip", "189", "50")), false },
		/* make -j16 and pigz, with their readers; a script that waited for all of that */
		{ ON_CPUS("1", "1500", PIPED("cc1", "1580", "0") ", " PIPED("make", "15", "90")), true },
		{ ON_CPUS("2", "700", PIPED("pigz", "700", "90") ", " PIPED("tar", "50", "90")), true },
		{ ON_CPUS("1", "90", PIPED("perl", "95", "0") ", " PIPED("ruby", "94", "0")), true },
		/* what tools waited for was not counted */
		{ ON_CPUS("1", "90", "{'name': 'gzip', 'slurm': false, 'runs': 1}"), true },
		{ ON_CPUS("1", "90", PIPED("gzip", "90", "4") ", " PIPED("awk", "98", "4")), true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		if (is_found(jobs[i].patch, "oversubscribed") != jobs[i].found)
			fail_msg("%s", jobs[i].patch);
	/* bound to one of four cores */
	assert_true(is_found("{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}, 'tools': ["
			     PIPED("solve", "395", "0") "]}", "threads-crowded"));
}

/*
 * Python's threads ask for its lock every few milliseconds. Beside others, all of them wait for the CPU, but one
 * could run.
 */
static void threads_that_an_interpreter_runs_in_turns_are_not_too_many(void **state)
{
#define TOOL_BUSY(name, interpreter, busy) "{'name': '" name "', 'interpreter': '" interpreter "', 'slurm': false, 'runs': 1, 'forks': 0," \
	" 'threads_peak': 2, 'wall_s': 100, 'states': {'on_cpu_s': 0, 'runnable_s': " busy "}}"
#define PYTHON(more) "{'name': 't.py', 'interpreter': 'python3', 'slurm': false, 'runs': 1, 'threads_peak': 3, 'wall_s': 100, 'states':" 	" {'on_cpu_s': 20, 'runnable_s': 178}" more "}"
#define ALONE_WITH(on_cpu, runnable, tools) "{'allocated': {'cpus': 1, 'cores': 1}, 'requested': {'cpus': 1}, 'states': {'on_cpu_s': " on_cpu 	", 'runnable_s': " runnable ", 'parallel_s': 98}, 'series': [], 'tools': [" tools "]}"
	static const struct {
		const char *patch, *verdict;
	} jobs[] = {
		{ ALONE_WITH("20", "178", PYTHON("")), "starved" },
		{ ALONE_WITH("100", "98", PYTHON("")), "cpu" },
		{ ALONE_WITH("100", "98", PYTHON(", 'forks': 0")), "cpu" },
		/* a worker for each CPU and more; threads of OpenBLAS; two scripts at once; another program */
		{ ALONE_WITH("100", "98", PYTHON(", 'forks': 1")), "oversubscribed" },
		{ ALONE_WITH("100", "98", PYTHON(", 'blas_processes': 1")), "oversubscribed" },
		{ ALONE_WITH("100", "298", PYTHON("") ", " PYTHON("")), "oversubscribed" },
		{ ALONE_WITH("100", "298", PYTHON("") ", " TOOL_BUSY("solve", "solve", "199")), "oversubscribed" },
		{ ALONE_WITH("100", "98", TOOL_BUSY("t.rb", "ruby3.1", "197")), "cpu" },
		{ ALONE_WITH("100", "98", TOOL_BUSY("python3.11", "python3.11", "197")), "cpu" },
		{ ALONE_WITH("100", "98", TOOL_BUSY("t.py", "python3.13t", "197")), "oversubscribed" },
		{ ALONE_WITH("100", "98", TOOL_BUSY("pythonic", "pythonic", "197")), "oversubscribed" },
		{ ALONE_WITH("100", "98", "{'name': 't.py', 'interpreter': 'python3', 'wall_s': 0, 'states': {'on_cpu_s': 197, 'runnable_s': 0}}"),
		  "oversubscribed" },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		found(&report, jobs[i].patch, "");
		if (strcmp(field_text(report, "verdict.bound"), jobs[i].verdict) != 0)
			fail_msg("%s, not %s: %s", field_text(report, "verdict.bound"), jobs[i].verdict, jobs[i].patch);
		json_object_put(report);
		report = NULL;
	}
	/* if other processes are too many, the hint names no option of the script */
	assert_string_equal(hint(&report, ALONE_WITH("100", "598", PYTHON("") ", " TOOL_BUSY("a", "a", "99") ", " TOOL_BUSY("b", "b", "99")),
				 "oversubscribed"), GENERAL);
	assert_string_equal(hint(&report, ONE_BUSY("'interpreter': 'python3', 'threads_peak': 5"), "serial-on-many-cores"),
			    "solve had 5 threads, and python3 runs one at a time: use processes instead, or ask for fewer CPUs.");
}

/* javac and node on one CPU: a second or two is not worth a finding. */
static void a_moment_on_the_run_queue_is_no_finding(void **state)
{
	(void)state;
#define CROWDED(runnable_s) "{'job': {'elapsed_s': 5}, 'allocated': {'cpus': 1, 'cores': 1}, 'states': {'on_cpu_s': 5, 'runnable_s': " runnable_s \
		", 'active_s': 5, 'parallel_s': 5, 'busy_peak': 9}}"
	assert_false(is_found(CROWDED("4.9"), "oversubscribed"));
	assert_true(is_found(CROWDED("5"), "oversubscribed"));
}

static void threads_that_take_turns_are_no_one_thread(void **state)
{
	(void)state;
	assert_true(is_found("{'states': {'on_cpu_s': 101, 'parallel_s': 1, 'turns_s': 15}}", "serial-on-many-cores"));
	assert_false(is_found("{'states': {'on_cpu_s': 101, 'parallel_s': 1, 'turns_s': 15}}", "lock-contention"));
	assert_false(is_found("{'states': {'on_cpu_s': 101, 'parallel_s': 1, 'turns_s': 75}}", "serial-on-many-cores"));
	assert_true(is_found("{'states': {'on_cpu_s': 101, 'parallel_s': 1, 'turns_s': 75}}", "lock-contention"));
	/* a reader, and workers that wait for what it reads: no lock */
	assert_false(is_found("{'states': {'on_cpu_s': 250, 'parallel_s': 90, 'turns_s': 100}}", "lock-contention"));
}

static void waste_is_told_in_hours(void **state)
{
	cleanup_json struct json_object *serial = NULL, *unused = NULL, *tail = NULL;

	(void)state;
	assert_number(found(&serial, "{'states': {'on_cpu_s': 100, 'parallel_s': 0}}", "serial-on-many-cores"),
	"cores_idle_core_hours",
		      300 / 3600.0);
	assert_number(found(&unused, "{'progress': {'cores_unused': [1, 2]}}", "cores-unused"), "unused_core_hours",
		      200 / 3600.0);
	assert_number(found(&tail, "{'progress': {'idle_tail_s': 80}}", "idle-tail"), "idle_core_hours", 320 / 3600.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_whole_nodes_nothing_is_too_much),
		cmocka_unit_test(who_used_the_option_for_threads_is_not_told_to_use_it),
		cmocka_unit_test(tasks_are_not_asked_away),
		cmocka_unit_test(a_task_without_work_on_a_node_is_not_asked_away),
		cmocka_unit_test(nobody_is_told_to_ask_for_less_than_one_cpu),
		cmocka_unit_test(who_has_too_many_threads_is_told_which_program_has_them),
		cmocka_unit_test(what_a_shell_starts_one_after_the_other_is_not_too_much),
		cmocka_unit_test(locks_that_wait_for_a_holders_cpu_are_not_contended),
		cmocka_unit_test(a_job_that_did_nothing_is_not_told_to_use_its_cores),
		cmocka_unit_test(threads_are_crowded_or_too_many_or_starved),
		cmocka_unit_test(a_pipelines_programs_are_not_too_many_threads),
		cmocka_unit_test(what_others_took_is_not_held_against_the_job),
		cmocka_unit_test(who_keeps_the_cores_busy_wastes_no_cpus),
		cmocka_unit_test(threads_that_an_interpreter_runs_in_turns_are_not_too_many),
		cmocka_unit_test(a_moment_on_the_run_queue_is_no_finding),
		cmocka_unit_test(threads_that_take_turns_are_no_one_thread),
		cmocka_unit_test(waste_is_told_in_hours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
