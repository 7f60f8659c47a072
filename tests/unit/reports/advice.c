/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that advice about CPUs, nodes and time can be pasted, and is never below the need.
 * There is none if the need is not known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/verdict/advice_lines.h"
#include "tests/unit/reports/advice_case.h"

static void of_whole_nodes_no_one_else_has_what_is_left(void **state)
{
	static const struct job jobs[] = {
#define WHOLE "'allocated': {'exclusive': true}"
		{ "{'used': {'memory_used_peak_bytes': 1000}, " WHOLE "}", NULL, NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, " WHOLE "}", NULL, NULL },
		/* the job can get more than it asked for */
		{ "{'used': {'oom_kills': 1}, " WHOLE "}", "#SBATCH --mem=16G", NULL },
		/* the job cannot get more than all */
		{ "{'used': {'oom_kills': 1}, 'requested': {'memory_source': 'all of the node'}}", NULL, NULL },
		/* if others can use the node, it need not be all of it */
		{ "{'used': {'memory_used_peak_bytes': 1000}, 'requested': {'memory_source': 'all of the node'}}",
		  "#SBATCH --mem=64M", NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void of_a_job_that_did_nothing_nothing_is_known(void **state)
{
	static const struct job jobs[] = {
		/* sleep 70 */
		{ "{'job': {'elapsed_s': 70}, 'requested': {'time_limit_s': 36000}, 'used': {'memory_used_peak_bytes':"
		  " 2000000}, 'states': {'on_cpu_s': 0.02, 'active_s': 0.02, 'parallel_s': 0, 'some': {'sleep_s': 69.9},"
		  " 'bound': {'sleep_s': 69.9}}}", NULL, NULL },
		/* without what the job as a whole waited for */
		{ "{'job': {'elapsed_s': 70}, 'requested': {'time_limit_s': 36000}, 'used': {'memory_used_peak_bytes':"
		  " 2000000}, 'states': {'on_cpu_s': 0.02, 'active_s': null, 'parallel_s': null, 'some': null,"
		  " 'bound': null}}", NULL, NULL },
	};
	/* a slow download */
	static const struct job busy[] = {
		{ "{'job': {'elapsed_s': 70}, 'requested': {'cpus': 1}, 'used': {'memory_used_peak_bytes': 2000000,"
		  " 'socket_rx_bytes': 90000000}, 'states': {'on_cpu_s': 0.2, 'active_s': 0.2, 'parallel_s': 0, 'network_s': 69.8,"
		  " 'some': {'network_s': 69.8}, 'bound': {'network_s': 69.8}, 'waits': {'network': 9000}}}",
		  "#SBATCH --mem=64M", NULL },
	};
	cleanup_json struct json_object *slept = case_report(jobs[0].patch);

	(void)state;
	CHECK(jobs);
	CHECK(busy);
	/* two seconds of work count as work */
	case_set(slept, "states.active_s", 2);
	case_set(slept, "states.bound.sleep_s", 67.9);
	judge(slept, NULL);
	assert_true(case_says(slept, "advice #SBATCH --mem=64M"));
	assert_true(case_says(slept, "advice #SBATCH --time=00:10:00"));
}

/* #SBATCH lines are for a script. salloc and srun take the same options. */
static void a_job_without_a_script_gets_options(void **state)
{
#define STEPS(ids, job) "{'used': {'oom_kills': 1}, 'job': {'state': 'OUT_OF_MEMORY', " job "}, 'steps': [" ids "]}"
#define NO_OUTPUT "'std_out': null"
#define EXTERN "{'id': 'extern'}, {'id': '0'}"
	static const struct {
		const char *patch;
		bool script;
	} cases[] = {
		{ STEPS(EXTERN, NO_OUTPUT), false },
		{ STEPS("{'id': 'interactive'}", NO_OUTPUT), false },
		{ STEPS("{'id': 'batch'}, " EXTERN, NO_OUTPUT), true },
		{ STEPS(EXTERN, "'std_out': '/home/u/slurm-1.out'"), true },
		/* only the first component of a heterogeneous job has the script's step; all have its output */
		{ STEPS(EXTERN, NO_OUTPUT ", 'het_job_id': 7, 'het_job_offset': 0"), false },
		{ STEPS(EXTERN, NO_OUTPUT ", 'het_job_id': 7, 'het_job_offset': 1"), false },
		{ STEPS(EXTERN, "'std_out': '/home/u/slurm-8.out', 'het_job_id': 7, 'het_job_offset': 1"), true },
		{ STEPS("", NO_OUTPUT), true },
		{ "{'used': {'oom_kills': 1}, 'job': {'state': null, " NO_OUTPUT "}, 'steps': [" EXTERN "]}", true },
		{ "{'complete': false, 'used': {'oom_kills': 1}, 'job': {" NO_OUTPUT "}, 'steps': [" EXTERN "]}", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_report struct report *report = case_model(cases[i].patch);
		const char *line;
		size_t at = 0;

		verdict_put(report, &report->timeline, NULL);
		line = advice_next_line(&report->advice, cases[i].script ? ADVICE_AT_TOP : ADVICE_OF_COMMAND, &at);
		if (!line || strcmp(line, cases[i].script ? "#SBATCH --mem=16G" : "--mem=16G") != 0)
			fail_msg("%s: %s", cases[i].patch, report->advice.count ? report->advice.items[0].line : "none");
		assert_null(strstr(cases[i].script ? "" : report->verdict.outcome, "#SBATCH"));
	}
}

static void lines_of_a_component_say_where_they_go(void **state)
{
#define COMPONENT(offset) "{'job': {'het_job_id': 7, 'het_job_offset': " offset "}}"
	static const struct {
		const char *patch, *script, *command;
	} cases[] = {
		{ "{}", "lines for the job script", "options for salloc or srun" },
		{ COMPONENT("0"), "lines for the job script, for component 0: above #SBATCH hetjob", "options for salloc or srun, for component 0" },
		{ COMPONENT("1"), "lines for the job script, for component 1: below #SBATCH hetjob", "options for salloc or srun, for component 1" },
		{ COMPONENT("2"), "lines for the job script, for component 2: below hetjob no. 2", "options for salloc or srun, for component 2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_report struct report *report = case_model(cases[i].patch);
		char text[ADVICE_HEAD_TEXT];

		assert_string_equal(advice_place_head(report, ADVICE_AT_TOP, text), cases[i].script);
		assert_string_equal(advice_place_head(report, ADVICE_OF_COMMAND, text), cases[i].command);
		assert_string_equal(advice_place_head(report, ADVICE_ABOVE, text), "above the command that does the work");
	}
}

static void where_no_one_can_know_there_is_none(void **state)
{
#define TOO_MUCH                                                                                           \
	"'used': {'memory_used_peak_bytes': 1000}, 'requested': {'time_limit_s': 86400},"                  \
	" 'states': {'on_cpu_s': 100, 'parallel_s': 0}"
	static const struct job jobs[] = {
		{ "{'complete': false, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'state': 'FAILED'}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'state': 'CANCELLED'}, " TOO_MUCH "}", NULL, NULL },
		/* how much less is enough is not known; how much more time to ask for is known */
		{ "{'job': {'state': 'TIMEOUT'}, " TOO_MUCH "}", "#SBATCH --time=2-00:00:00", NULL },
		{ "{'job': {'state': 'REQUEUED'}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'state': null}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'elapsed_s': 59}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'elapsed_s': null}, " TOO_MUCH "}", NULL, NULL },
	};
	cleanup_json struct json_object *report = case_report("{" TOO_MUCH "}");

	(void)state;
	CHECK(jobs);
	judge(report, NULL);
	assert_int_equal(field_length(field_find(report, "advice")), 3);
	assert_true(case_says(report, "advice #SBATCH --mem=64M"));
	assert_true(case_says(report, "advice #SBATCH --cpus-per-task=1"));
	assert_true(case_says(report, "advice #SBATCH --time=00:10:00"));
}

#define RAN(id, start, end) "{'id': '" id "', 'task_count': 1, 'elapsed_s': 1, 'start': '2026-11-21T08:01:" start "+00:00'," \
	" 'end': '2026-11-21T08:01:" end "+00:00'}"

static void cpus_are_what_was_ever_busy(void **state)
{
#define EIGHT "'requested': {'cpus': 8, 'tasks': 1}, 'allocated': {'cpus': 8, 'cores': 8}"
	static const struct job jobs[] = {
		{ "{'states': {'on_cpu_s': 103, 'parallel_s': 3}}", "#SBATCH --cpus-per-task=1",
		  "On 4 CPUs no more than one thread was busy at a time, except for 3 % of the time." },
		/* one thread, even if others took its CPU; two might have run in parallel */
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 80, 'parallel_s': 0}}", "#SBATCH --cpus-per-task=1",
		  "On 4 CPUs no more than one thread was busy at a time." },
		{ "{'states': {'on_cpu_s': 70, 'runnable_s': 31, 'parallel_s': 1}}", "#SBATCH --cpus-per-task=1",
		  "On 4 CPUs no more than one thread was busy at a time, except for 1 % of the time." },
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 81, 'parallel_s': 2}}", NULL, NULL },
		{ "{'states': {'on_cpu_s': 120, 'runnable_s': 80, 'parallel_s': 100}}", NULL, NULL },
		/* the number of requested tasks is not known */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'tasks': null}}",
		  "#SBATCH --ntasks=1 --cpus-per-task=1", NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'tasks': 4}}",
		  "#SBATCH --ntasks=1 --cpus-per-task=1", NULL },
		/* mpirun takes its number of ranks from --ntasks, and a sleeping rank counts */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'tasks': 4},"
		  " 'tools': [{'name': 'solve', 'runs': 2}, {'name': 'mpirun', 'runs': 1}]}", NULL, NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'tasks': 4},"
		  " 'tools': [{'name': 'solve', 'runs': 1}, {'name': 'srun', 'runs': 1}]}",
		  "#SBATCH --ntasks=1 --cpus-per-task=1", NULL },
		/* two of eight at once, which used three in the busier half */
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 9}, 'series': [{'interval_s': 50,"
		  " 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [100, 150]}}]}",
		  "#SBATCH --cpus-per-task=4", "2.5 of 8 CPUs were used on average, and never more than 4 for long." },
		/* no more than three threads at any moment */
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 3}, 'series': []}",
		  "#SBATCH --cpus-per-task=3", NULL },
		/* a last point that is too short gives no rate; half the length is enough */
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 9}, 'series': [{'interval_s': 50,"
		  " 'end_offsets_s': [50, 74], 'columns': {'cpu_s': [150, 192]}}]}",
		  "#SBATCH --cpus-per-task=4", NULL },
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 9}, 'series': [{'interval_s': 50,"
		  " 'end_offsets_s': [50, 75], 'columns': {'cpu_s': [150, 200]}}]}",
		  NULL, NULL },
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': null}, 'series': []}", NULL, NULL },
		/* two tasks of srun, each with half of the time */
		{ "{'requested': {'cpus': 8, 'tasks': 2}, 'allocated': {'cpus': 8, 'cores': 8}, 'steps': [{'id': '0',"
		  " 'task_count': 2, 'elapsed_s': 90}], 'states': {'on_cpu_s': 200, 'busy_peak': 2}, 'series': []}",
		  "#SBATCH --cpus-per-task=1", NULL },
		/* four tasks were requested, and srun started none of them: mpirun may need them */
		{ "{'requested': {'cpus': 8, 'tasks': 4}, 'allocated': {'cpus': 8, 'cores': 8},"
		  " 'states': {'on_cpu_s': 200, 'busy_peak': 2}, 'series': []}",
		  NULL, NULL },
		/* steps at the same time */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'steps': [{'id': '0', 'task_count': 1,"
		  " 'elapsed_s': 90}, {'id': '1', 'task_count': 1, 'elapsed_s': 90}]}",
		  NULL, NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'steps': [" RAN("0", "50.000", "50.900") ", " RAN("1", "50.100", "50.990")
		  "]}", NULL, NULL },
		/* steps one after another */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'steps': [" RAN("0", "10.000", "49.000") ", " RAN("1", "49.100", "49.900")
		  "]}", "#SBATCH --cpus-per-task=1", NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'steps': [{'id': '0', 'task_count': 1,"
		  " 'elapsed_s': 40}, {'id': '1', 'task_count': 1, 'elapsed_s': 40}, {'id': 'batch',"
		  " 'elapsed_s': 100}]}",
		  "#SBATCH --cpus-per-task=1",
		  "On 4 CPUs no more than one thread was busy at a time. If the script gives srun a number of CPUs (-c), "
		  "lower that, too." },
		/* half a core is not available */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'cpus': 2}, 'allocated': {'cpus': 2,"
		  " 'cores': 1}}",
		  NULL, NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'cpus': 1}}", NULL, NULL },
		/* five of six is hardly less */
		{ "{'states': {'on_cpu_s': 250, 'busy_peak': 5}, 'requested': {'cpus': 6}, 'series': [],"
		  " 'allocated': {'cpus': 6, 'cores': 6}}",
		  NULL, NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void fewer_cpus_make_the_job_hardly_longer(void **state)
{
#define THIRTY_TWO "'requested': {'cpus': 32, 'tasks': 1}, 'allocated': {'cpus': 32, 'cores': 32}"
	static const struct job jobs[] = {
		/* three seconds of four threads would take 12; of two and a bit, at least 8 */
		{ "{'states': {'on_cpu_s': 109, 'parallel_s': 3}}", NULL, NULL },
		{ "{'states': {'on_cpu_s': 104.9, 'runnable_s': 0, 'parallel_s': 3}}", "#SBATCH --cpus-per-task=1", NULL },
		{ "{'states': {'on_cpu_s': 105.1, 'runnable_s': 0, 'parallel_s': 3}}", NULL, NULL },
		/* a thread that waited for a CPU had work to do */
		{ "{'states': {'on_cpu_s': 104.9, 'runnable_s': 0.2, 'parallel_s': 3}}", NULL, NULL },
		/* a single thread waited for a CPU: four CPUs did no more than that in 0.5 s */
		{ "{'states': {'on_cpu_s': 97, 'runnable_s': 7, 'parallel_s': 0.5}}", "#SBATCH --cpus-per-task=1", NULL },
		/* a short phase of all threads: fewer CPUs are enough if the phase was not so wide */
		{ "{" THIRTY_TWO ", 'states': {'on_cpu_s': 190, 'busy_peak': 32, 'parallel_s': 3}, 'series': [{'interval_s':"
		  " 50, 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [50, 140]}}]}", NULL, NULL },
		{ "{" THIRTY_TWO ", 'states': {'on_cpu_s': 121, 'busy_peak': 8, 'parallel_s': 3}, 'series': [{'interval_s':"
		  " 50, 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [50, 71]}}]}", NULL, NULL },
		{ "{" THIRTY_TWO ", 'states': {'on_cpu_s': 121, 'busy_peak': 8, 'parallel_s': 3}, 'series': []}",
		  "#SBATCH --cpus-per-task=8", NULL },
		/* 32 threads for a third of the time: 11.3 in each point, for which 14 CPUs would be enough */
#define BY_TURNS(on_cpu) "{" THIRTY_TWO ", 'states': {'on_cpu_s': " on_cpu ", 'runnable_s': 0, 'parallel_s': 33, 'busy_peak': 32}," \
		" 'series': [{'interval_s': 50, 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [565, 565]}}]}"
		{ BY_TURNS("1130"), NULL, NULL },
		/* 14 x (33 + 5) s, and a second for each of 67 */
		{ BY_TURNS("600"), NULL, NULL },
		{ BY_TURNS("598"), "#SBATCH --cpus-per-task=14", NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void each_thread_gets_a_core(void **state)
{
#define HARDWARE_THREADS(requested) "'requested': {'cpus': " requested ", 'tasks': 1}, 'allocated': {'cpus': 16, 'cores': 8}"
	static const struct job jobs[] = {
		/* eight threads on eight cores, which are 16 CPUs */
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 800, 'busy_peak': 9}, 'series': [{'interval_s': 50,"
		  " 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [400, 400]}}]}", NULL, NULL },
		/* more threads than cores */
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 1000, 'busy_peak': 10}, 'series': []}", NULL, NULL },
		/* seven are hardly less than eight; six are */
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 700, 'busy_peak': 7}, 'series': []}", NULL, NULL },
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 590, 'busy_peak': 6}, 'series': []}",
		  "#SBATCH --cpus-per-task=12",
		  "5.9 of 8 cores were used on average, and never more than 6 for long. A core is 2 CPUs." },
		/* without second hardware threads a CPU is a core */
		{ "{" HARDWARE_THREADS("8") ", 'states': {'on_cpu_s': 390, 'busy_peak': 4}, 'series': []}",
		  "#SBATCH --cpus-per-task=4", "3.9 of 8 CPUs were used on average, and never more than 4 for long." },
		{ "{" HARDWARE_THREADS("9") ", 'states': {'on_cpu_s': 390, 'busy_peak': 4}, 'series': []}", NULL, NULL },
		/* one CPU is a core in any case */
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 100, 'parallel_s': 0}}", "#SBATCH --cpus-per-task=1", NULL },
		/* two tasks of srun, each of which needs two cores */
		{ "{'requested': {'cpus': 16, 'tasks': 2}, 'allocated': {'cpus': 16, 'cores': 8}, 'steps': [{'id': '0',"
		  " 'task_count': 2, 'elapsed_s': 90}], 'states': {'on_cpu_s': 390, 'busy_peak': 4}, 'series': []}",
		  "#SBATCH --cpus-per-task=4", NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void who_left_cores_unused_is_told_how_srun_uses_them(void **state)
{
	static const struct job jobs[] = {
#define CROWDED "'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}"
		/* not started by srun */
		{ "{" CROWDED "}", NULL, NULL },
		/* four tasks on one CPU: CPUs per task would not help */
		{ "{" CROWDED ", 'steps': [{'id': '0', 'task_count': 4}]}", NULL, NULL },
		{ "{" CROWDED ", 'steps': [{'id': 'batch'}, {'id': '0', 'task_count': 1}]}",
		  "export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-4}",
		  "3 of 4 cores were never used, while threads waited for the others: srun gives a task one CPU "
		  "unless told otherwise." },
		/* the batch step's shell ran on another core */
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'nodes': [{'name': 'n1', 'complete': true, 'allocated': {'cpus': 4, 'cores_bound':"
		  " 4, 'cores_used': 2, 'cores_loaded': 1, 'memory_limit_bytes': 8589934592}, 'used': {'cpu_s': 100, 'memory_used_peak_bytes':"
		  " 6442450944}}], 'progress': {'cores_unused': [1, 2], 'cores_used': 2}, 'steps': [{'id': 'batch'}, {'id': '0', 'task_count': 1}]}",
		  "export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-4}",
		  "3 of 4 cores were hardly used, while threads waited for the others: srun gives a task one CPU unless told otherwise." },
	};

	(void)state;
	CHECK(jobs);
}

static void who_has_too_many_threads_is_told_how_many_if_the_line_reaches_them(void **state)
{
#define SOLVE(more) "'tools': [{'name': 'solve', 'threads_peak': 8, 'wall_s': 99, 'states': {'on_cpu_s': 396, 'runnable_s': 396}, " more "}]"
#define LINE(threads) "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-" threads "}"
	static const struct job jobs[] = {
		/* it is not known which of its options sets the number of threads, so there is no line to paste */
		{ "{'states': {'runnable_s': 400}, " SOLVE("'runs': 1") "}", NULL, NULL },
		{ "{'states': {'runnable_s': 400}, " SOLVE("'openmp_processes': 1") "}", LINE("4"),
		  "solve had 8 threads for 4 CPUs. It had an OpenMP runtime loaded, which starts as many as this says, unless the program "
		  "itself asks for a number." },
		{ "{'states': {'runnable_s': 400}, " SOLVE("'blas_processes': 2") "}", LINE("4"),
		  "solve had 8 threads for 4 CPUs. It had a BLAS library loaded, which starts as many as this says, unless the program "
		  "itself asks for a number." },
		{ "{'states': {'runnable_s': 400}, " SOLVE("'openmp_processes': 0") "}", NULL, NULL },
		/* another tool's threads crowd the CPUs */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'name': 'plot', 'threads_peak': 8, 'wall_s': 99, 'openmp_processes': 1,"
		  " 'states': {'on_cpu_s': 9, 'runnable_s': 9}}, {'name': 'solve', 'threads_peak': 8, 'wall_s': 99, 'states': {'on_cpu_s':"
		  " 396, 'runnable_s': 396}}]}", NULL, NULL },
		/* a node for four tasks, each of which has a thread for each CPU */
		{ "{'states': {'runnable_s': 1200}, 'steps': [{'id': '0', 'task_count': 4}], 'requested': {'tasks': 4}, 'tools': [{'name':"
		  " 'solve', 'threads_peak': 4, 'wall_s': 400, 'openmp_processes': 4, 'states': {'on_cpu_s': 400, 'runnable_s': 1200}}]}",
		  LINE("1"), NULL },
		/* there was room: srun held the tool to one core */
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}, "
		  SOLVE("'openmp_processes': 1") "}", NULL, NULL },
		/* no more threads than CPUs */
		{ "{" SOLVE("'openmp_processes': 1") "}", NULL, NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void time_is_what_it_took_and_a_fifth(void **state)
{
	static const struct job jobs[] = {
		{ "{'requested': {'cpus': 1, 'time_limit_s': 86400}}", "#SBATCH --time=00:10:00",
		  "It took 00:01:40 of 1-00:00:00. A shorter limit gains nothing." },
		{ "{'job': {'elapsed_s': 2000}, 'states': {'active_s': 2000}, 'requested': {'cpus': 1, 'time_limit_s': 86400}}",
		  "#SBATCH --time=00:40:00", "It took 00:33:20 of 1-00:00:00. This is 1.2 x that, rounded up." },
		{ "{'job': {'elapsed_s': 3001}, 'states': {'active_s': 3001}, 'requested': {'cpus': 1, 'time_limit_s': 86400}}",
		  "#SBATCH --time=01:15:00", NULL },
		{ "{'job': {'elapsed_s': 40000}, 'states': {'active_s': 40000}, 'requested': {'cpus': 1, 'time_limit_s': 864000}}",
		  "#SBATCH --time=14:00:00", NULL },
		{ "{'job': {'elapsed_s': 100000}, 'states': {'active_s': 100000}, 'requested': {'cpus': 1, 'time_limit_s': 864000}}",
		  "#SBATCH --time=1-10:00:00", NULL },
		/* the time limit was nearly reached */
		{ "{'job': {'elapsed_s': 3590}, 'states': {'active_s': 3590}, 'requested': {'cpus': 1, 'time_limit_s': 3600}}",
		  "#SBATCH --time=01:15:00", NULL },
		{ "{'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested': {'cpus': 1, 'time_limit_s': 3600}}",
		  "#SBATCH --time=02:00:00", "It was at work when its 1 h ended. How much more it needs is not known: 2 h is a fair try,"
		  " unless it can save its state and continue from there." },
		{ "{'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested': {'cpus': 1, 'time_limit_s':"
		  " 3600}, 'progress': {'idle_tail_s': 60}}", NULL, NULL },
		{ "{'allocated': {'gpus': 1}, 'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested':"
		  " {'cpus': 1, 'time_limit_s': 3600}, 'progress': {'idle_tail_s': 60}}", "#SBATCH --time=02:00:00",
		  "What its GPUs did when its 1 h ended is not known. How much more it needs is not known: 2 h is a fair "
		  "try, unless it can save its state and continue from there." },
		{ "{'allocated': {'gpus': 1}, 'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested':"
		  " {'cpus': 1, 'time_limit_s': 3600}}", "#SBATCH --time=02:00:00",
		  "It was at work when its 1 h ended. How much more it needs is not known: 2 h is a fair try, unless it "
		  "can save its state and continue from there." },
		{ "{'job': {'elapsed_s': 5000, 'state': 'TIMEOUT'}, 'requested': {'time_limit_s': null}}", NULL, NULL },
		{ "{'job': {'elapsed_s': 5000}, 'states': {'active_s': 5000}, 'requested': {'cpus': 1, 'time_limit_s': null}}", NULL, NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void who_used_more_cpus_than_it_had_asks_for_them(void **state)
{
	cleanup_json struct json_object *more = case_report("{'states': {'on_cpu_s': 441}}");
	cleanup_json struct json_object *enough = case_report("{'states': {'on_cpu_s': 439}}");
	cleanup_json struct json_object *nodes = case_report("{'states': {'on_cpu_s': 900}, 'nodes': [{'name': 'n1', 'used': {}},"
							     " {'name': 'n2', 'used': {}}]}");

	(void)state;
	judge(more, NULL);
	judge(enough, NULL);
	judge(nodes, NULL);
	assert_true(case_says(more, "advice #SBATCH --cpus-per-task=5"));
	assert_int_equal(field_length(field_find(enough, "advice")), 0);
	assert_int_equal(field_length(field_find(nodes, "advice")), 0);
}

#define NODE(name, complete, processes) \
	"{'name': '" name "', 'complete': " complete ", 'allocated': {'cpus': 4}, 'used': {'cpu_s': 100, 'processes': " processes "}}"

static void nodes_without_a_process_are_not_needed(void **state)
{
	static const struct {
		const char *patch, *line;
	} cases[] = {
		{ "{'nodes': [" NODE("n1", "true", "3") "," NODE("n2", "true", "0") "]}", "#SBATCH --nodes=1" },
		{ "{'nodes': [" NODE("n1", "true", "0") "," NODE("n2", "true", "1") "," NODE("n3", "true", "1") "," NODE("n4", "true", "0") "]}",
		  "#SBATCH --nodes=2" },
		/* a sleeping rank is needed, uncounted processes may be, and GPUs' work is not known */
		{ "{'nodes': [" NODE("n1", "true", "3") "," NODE("n2", "true", "1") "]}", NULL },
		{ "{'nodes': [" NODE("n1", "true", "3") "," NODE("n2", "false", "0") "]}", NULL },
		{ "{'nodes': [" NODE("n1", "true", "3") ", {'name': 'n2', 'complete': true, 'used': {}}]}", NULL },
		{ "{'allocated': {'gpus': 2}, 'nodes': [" NODE("n1", "true", "3") "," NODE("n2", "true", "0") "]}", NULL },
		{ "{'nodes': [" NODE("n1", "true", "0") "," NODE("n2", "true", "0") "]}", NULL },
		{ "{'job': {'elapsed_s': 59}, 'nodes': [" NODE("n1", "true", "3") "," NODE("n2", "true", "0") "]}", NULL },
		{ "{'job': {'state': 'FAILED'}, 'nodes': [" NODE("n1", "true", "3") "," NODE("n2", "true", "0") "]}", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_json struct json_object *report = case_report(cases[i].patch);
		const char *line = NULL;

		judge(report, NULL);
		for (size_t a = 0; a < field_length(field_find(report, "advice")); a++) {
			const char *one = field_text(json_object_array_get_idx(field_find(report, "advice"), a), "line");

			if (strstr(one, "--nodes="))
				line = one;
		}
		if (cases[i].line)
			assert_string_equal(line, cases[i].line);
		else
			assert_null(line);
	}
}

/* sbatch refuses a job whose tasks have no room on its nodes. */
static void fewer_nodes_come_with_the_tasks_that_they_have_room_for(void **state)
{
#define ASKED(cpus, tasks) "{'requested': {'cpus': " cpus ", 'tasks': " tasks ", 'nodes': 2}, 'nodes': [" NODE("n1", "true", "3") "," \
			   NODE("n2", "true", "0") "]}"
	static const struct {
		const char *patch, *line;
	} cases[] = {
		{ ASKED("8", "8"), "#SBATCH --ntasks=4" },
		{ ASKED("8", "5"), "#SBATCH --ntasks=2" }, /* 1.6 CPUs each: whole ones are given */
		{ ASKED("8", "2"), "#SBATCH --ntasks=1" },
		{ ASKED("8", "1"), NULL },
		{ ASKED("4", "4"), NULL },
		{ ASKED("8", "null"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_json struct json_object *report = case_report(cases[i].patch);
		const char *line = NULL;

		judge(report, NULL);
		assert_non_null(case_find(report, "advice", "line", "#SBATCH --nodes=1"));
		for (size_t a = 0; a < field_length(field_find(report, "advice")); a++) {
			const char *one = field_text(json_object_array_get_idx(field_find(report, "advice"), a), "line");

			if (strstr(one, "--ntasks="))
				line = one;
		}
		if (cases[i].line)
			assert_string_equal(line, cases[i].line);
		else
			assert_null(line);
	}
#undef ASKED
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_whole_nodes_no_one_else_has_what_is_left),
		cmocka_unit_test(of_a_job_that_did_nothing_nothing_is_known),
		cmocka_unit_test(a_job_without_a_script_gets_options),
		cmocka_unit_test(lines_of_a_component_say_where_they_go),
		cmocka_unit_test(where_no_one_can_know_there_is_none),
		cmocka_unit_test(cpus_are_what_was_ever_busy),
		cmocka_unit_test(fewer_cpus_make_the_job_hardly_longer),
		cmocka_unit_test(each_thread_gets_a_core),
		cmocka_unit_test(who_left_cores_unused_is_told_how_srun_uses_them),
		cmocka_unit_test(who_has_too_many_threads_is_told_how_many_if_the_line_reaches_them),
		cmocka_unit_test(time_is_what_it_took_and_a_fifth),
		cmocka_unit_test(who_used_more_cpus_than_it_had_asks_for_them),
		cmocka_unit_test(nodes_without_a_process_are_not_needed),
		cmocka_unit_test(fewer_nodes_come_with_the_tasks_that_they_have_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
