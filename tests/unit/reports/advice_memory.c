/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that advice about memory can be pasted, and is never below the need. There is none if the need is not known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/reports/advice_case.h"

static void memory_is_what_was_used_and_a_fifth(void **state)
{
	static const struct job jobs[] = {
		{ "{'used': {'memory_used_peak_bytes': 4939212390}}", "#SBATCH --mem=6G",
		  "It used 4.6 GiB of 8.0 GiB. This is 1.2 x that, rounded up." },
		{ "{'used': {'memory_used_peak_bytes': 1048576}}", "#SBATCH --mem=64M",
		  "It used 1.0 MiB of 8.0 GiB. Asking for less gains nothing." },
		{ "{'used': {'memory_used_peak_bytes': 100000000}}", "#SBATCH --mem=128M", NULL },
		{ "{'used': {'memory_used_peak_bytes': 894784853}}", "#SBATCH --mem=1G", NULL },
		{ "{'used': {'memory_used_peak_bytes': 894784854}}", "#SBATCH --mem=1536M", NULL },
		{ "{'used': {'memory_used_peak_bytes': 3579139414}}", "#SBATCH --mem=5G", NULL },
		{ "{'used': {'memory_used_peak_bytes': 60000000000}, 'requested': {'memory_bytes': 137438953472},"
		  " 'nodes': [{'complete': true, 'used': {}}]}",
		  "#SBATCH --mem=72G", NULL },
		{ "{'used': {'memory_used_peak_bytes': 1000}, 'requested': {'memory_source': 'per cpu'}}",
		  "#SBATCH --mem=64M",
		  "It used 1000 B of 8.0 GiB. Asking for less gains nothing. It replaces --mem-per-cpu." },
		{ "{'used': {'memory_used_peak_bytes': 2147483648}, 'requested': {'memory_bytes': 17179869184,"
		  " 'nodes': 2}, 'nodes': [{'complete': true, 'used': {}}, {'complete': true, 'used': {}}]}",
		  "#SBATCH --mem=2560M", "It used 2.0 GiB of 8.0 GiB on a node. This is 1.2 x that, rounded up. This is enough on the same number of nodes. On fewer nodes, each needs more." },
	};

	(void)state;
	CHECK(jobs);
}

static void the_most_that_it_can_have_used_counts(void **state)
{
	static const struct job jobs[] = {
		{ "{'used': {'memory_used_peak_bytes': 1073741824, 'memory_used_peak_upper_bytes': 4294967296}}",
		  "#SBATCH --mem=5G",
		  "It used 1.0 GiB at least and 4.0 GiB at most of 8.0 GiB. This is 1.2 x the latter, rounded up." },
		{ "{'used': {'memory_used_peak_bytes': 1073741824, 'memory_used_peak_upper_bytes': 8589934592}}",
		  NULL, NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void mapped_files_in_use_need_room(void **state)
{
	static const struct job jobs[] = {
		{ "{'used': {'memory_used_peak_bytes': 52428800, 'memory_mapped_peak_bytes': 838860800}}", "#SBATCH --mem=1G",
		  "It used 50.0 MiB of 8.0 GiB, and 800.0 MiB of mapped files besides. This is 1.2 x both, rounded up." },
		{ "{'used': {'memory_used_peak_bytes': 1073741824, 'memory_used_peak_upper_bytes': 2147483648,"
		  " 'memory_mapped_peak_bytes': 2147483648}}",
		  "#SBATCH --mem=4G", "It used 1.0 GiB of 8.0 GiB, and 2.0 GiB of mapped files besides. This is 1.2 x both, rounded up." },
		/* the charged memory includes mapped pages */
		{ "{'used': {'memory_used_peak_bytes': 1073741824, 'memory_used_peak_upper_bytes': 4294967296,"
		  " 'memory_mapped_peak_bytes': 2147483648}}",
		  "#SBATCH --mem=5G",
		  "It used 1.0 GiB at least and 4.0 GiB at most of 8.0 GiB. This is 1.2 x the latter, rounded up." },
		/* the mapped pages of any program: its own, and libraries */
		{ "{'used': {'memory_used_peak_bytes': 52428800, 'memory_mapped_peak_bytes': 67108863}}", "#SBATCH --mem=64M",
		  "It used 50.0 MiB of 8.0 GiB. This is 1.2 x that, rounded up." },
		{ "{'used': {'memory_used_peak_bytes': 52428800, 'memory_mapped_peak_bytes': 67108864}}", "#SBATCH --mem=192M", NULL },
		/* mapped pages are no reason to ask for more: the job had enough */
		{ "{'used': {'memory_used_peak_bytes': 52428800, 'memory_mapped_peak_bytes': 17179869184}}", NULL, NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void after_an_oom_kill_it_is_never_less_than_the_limit(void **state)
{
	static const struct job jobs[] = {
		{ "{'used': {'oom_kills': 1, 'memory_used_peak_bytes': 1000}}", "#SBATCH --mem=16G",
		  "The kernel killed 1 process at the limit of 8.0 GiB. How much more is needed is not known: 16.0 "
		  "GiB is a fair try, and the next report shows what was used." },
		{ "{'oom': [{'limit_bytes': 12884901888}, {'limit_bytes': 8589934592}], 'job': {'state': 'OUT_OF_MEMORY',"
		  " 'elapsed_s': 1}, 'complete': false}",
		  "#SBATCH --mem=24G", NULL },
		/* a limit below the request */
		{ "{'used': {'oom_kills': 1}, 'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 1},"
		  " 'allocated': {'memory_limit_bytes': 1073741824}}]}",
		  "#SBATCH --mem=8G", NULL },
		/* no limit is known, and nothing was requested */
		{ "{'used': {'oom_kills': 1}, 'requested': {'memory_bytes': null}, 'nodes': [{'used': {}}]}",
		  NULL, NULL },
	};
	double factors[] = { 1, 1.5, 100 };

	(void)state;
	CHECK(jobs);
	for (size_t i = 0; i < 3; i++) {
		cleanup_json struct json_object *report = case_report("{'used': {'oom_kills': 1}}");
		struct rules rules;
		char line[64];

		rules_defaults(&rules);
		rules_set(&rules, "advice_oom_factor", factors[i], NULL);
		judge(report, &rules);
		snprintf(line, sizeof(line), "advice #SBATCH --mem=%.0fG", 8 * factors[i]);
		assert_true(case_says(report, line));
	}
}

/* A job of 300 MiB. One of its steps has a limit of its own. */
#define STEP_KILLED(limit)                                                                                          \
	"{'requested': {'memory_bytes': 314572800}, 'nodes': [{'complete': true, 'allocated': {'memory_limit_bytes': " \
	"314572800}, 'used': {'memory_used_peak_bytes': 104857600}}], 'used': {'oom_kills': 1}, 'oom': [{'tool': 'hog'," \
	" 'step': '0', 'limit_bytes': " limit "}]}"

static void a_step_killed_at_its_own_limit_asks_for_more_itself(void **state)
{
	static const struct job jobs[] = {
		{ STEP_KILLED("104857600"), "srun --mem=256M",
		  "The kernel killed 1 process at step 0's own limit of 100.0 MiB, which srun --mem sets. How much more is "
		  "needed is not known: 256.0 MiB is a fair try, and the next report shows what was used." },
		/* 320 MiB are more than the job has */
		{ STEP_KILLED("167772160"), "srun --mem=300M",
		  "The kernel killed 1 process at step 0's own limit of 160.0 MiB, which srun --mem sets. How much more is "
		  "needed is not known: 320.0 MiB, a fair try, is more than the job's 300.0 MiB, so this is all of that; if it is not "
		  "enough, raise #SBATCH --mem, too." },
		{ STEP_KILLED("314572799"), "srun --mem=300M", NULL },
		{ STEP_KILLED("104857600, 'kernel_bytes': 104857600, 'page_table_bytes': 104857600"), "srun --mem=256M",
		  "The kernel killed 1 process at step 0's own limit of 100.0 MiB, which srun --mem sets. Most of it was the kernel's "
		  "memory for the job (page tables). How much more is needed is not known: 256.0 MiB is a fair try, and the next "
		  "report shows what was used." },
		{ STEP_KILLED("314572800, 'kernel_bytes': 157286400, 'page_table_bytes': 157286400"), "#SBATCH --mem=640M",
		  "The kernel killed 1 process at the limit of 300.0 MiB. Most of it was the kernel's memory for the job (page tables). "
		  "How much more is needed is not known: 640.0 MiB is a fair try, and the next report shows what was used." },
		/* neither at the job's limit nor at the step's */
		{ STEP_KILLED("314572800, 'node_ran_out': true"), NULL, NULL },
		{ STEP_KILLED("104857600, 'node_ran_out': true"), NULL, NULL },
		/* all that the job has: the job needs more */
		{ STEP_KILLED("314572800"), "#SBATCH --mem=640M",
		  "The kernel killed 1 process at the limit of 300.0 MiB. How much more is needed is not known: 640.0 "
		  "MiB is a fair try, and the next report shows what was used." },
	};
	cleanup_json struct json_object *both = case_report(STEP_KILLED("104857600"));

	(void)state;
	CHECK(jobs);
	/* one at the step's limit, and one at the job's, of which only the count is known */
	case_set(both, "used.oom_kills", 2);
	judge(both, NULL);
	assert_int_equal(field_length(field_find(both, "advice")), 2);
	assert_true(case_says(both, "advice srun --mem=256M"));
	assert_true(case_says(both, "advice #SBATCH --mem=640M"));
}

/* A job of 8 GiB that used a hundredth of it, in steps of 90 s whose srun asked for memory. */
#define STEP_OF(id, limit) "{'id': '" id "', 'task_count': 1, 'elapsed_s': 90, 'memory_limit_bytes': " limit "}"
#define STEPS(more, steps) "{'used': {'memory_used_peak_bytes': 100000000}, " more " 'steps': [{'id': 'batch'," \
	" 'elapsed_s': 100, 'memory_limit_bytes': 8589934592}, " steps "]}"
#define STEP_AT(id, start, end) "{'id': '" id "', 'task_count': 1, 'elapsed_s': 90, 'memory_limit_bytes': 1073741824," \
	" 'start': '2026-11-21T08:00:" start "+00:00', 'end': '2026-11-21T08:00:" end "+00:00'}"
#define AFTER_EACH_OTHER "'job': {'elapsed_s': 200},"

static void less_memory_is_enough_for_the_steps_to_start(void **state)
{
	static const struct job jobs[] = {
		{ STEPS("", STEP_OF("0", "2147483648")), "#SBATCH --mem=2G",
		  "It used 95.4 MiB of 8.0 GiB. Its step asked for 2.0 GiB (srun --mem): with less, it would not start." },
		{ STEPS(AFTER_EACH_OTHER, STEP_OF("0", "2147483648") ", " STEP_OF("1", "1073741824")), "#SBATCH --mem=2G",
		  "It used 95.4 MiB of 8.0 GiB. One of its steps asked for 2.0 GiB (srun --mem): with less, it would not start." },
		{ STEPS("", STEP_OF("0", "2147483648") ", " STEP_OF("1", "1073741824")), "#SBATCH --mem=3G",
		  "It used 95.4 MiB of 8.0 GiB. Its steps asked for 3.0 GiB together (srun --mem): with less, they would not all "
		  "start at once." },
		/* two of four at once; one that overlaps the next; one without times */
		{ STEPS("", STEP_AT("0", "01.000", "20.000") "," STEP_AT("1", "02.000", "30.000") "," STEP_AT("2", "20.001", "40.000") ","
			STEP_AT("3", "30.001", "50.000")), "#SBATCH --mem=2G",
		  "It used 95.4 MiB of 8.0 GiB. Its steps asked for 2.0 GiB together (srun --mem): with less, they would not all "
		  "start at once." },
		{ STEPS("", STEP_AT("0", "01.000", "20.000") "," STEP_AT("1", "20.000", "30.000") "," STEP_OF("2", "1073741824")),
		  "#SBATCH --mem=2G", NULL },
		/* at once, and short beside the job; and one that begins while Slurm cleans up */
		{ STEPS("'job': {'elapsed_s': 260},", STEP_AT("0", "21.000", "22.000") "," STEP_AT("1", "21.300", "22.300")), "#SBATCH --mem=2G",
		  "It used 95.4 MiB of 8.0 GiB. Its steps asked for 2.0 GiB together (srun --mem): with less, they would not all "
		  "start at once." },
		{ STEPS("'job': {'elapsed_s': 260},", STEP_AT("0", "21.000", "22.000") "," STEP_AT("1", "21.800", "22.800")), "#SBATCH --mem=1G",
		  "It used 95.4 MiB of 8.0 GiB. One of its steps asked for 1.0 GiB (srun --mem): with less, it would not start." },
		/* with so much, hardly anything is saved */
		{ STEPS("", STEP_OF("0", "4294967296") ", " STEP_OF("1", "4294967295")), NULL, NULL },
		/* as little as was used, or the job's limit, which shrinks with the job's request */
		{ STEPS("", STEP_OF("0", "104857600")), "#SBATCH --mem=128M", "It used 95.4 MiB of 8.0 GiB. This is 1.2 x that, rounded up." },
		{ STEPS("", STEP_OF("0", "8589934592")), "#SBATCH --mem=128M", NULL },
		/* with memory per CPU, a step gets less by itself */
		{ STEPS("'requested': {'memory_source': 'per cpu'},", STEP_OF("0", "2147483648")), "#SBATCH --mem=128M", NULL },
		/* limits that are half of the request */
		{ STEPS("'requested': {'memory_bytes': 17179869184},", STEP_OF("0", "2147483648")), "#SBATCH --mem=4G", NULL },
		{ STEPS("'used': {'memory_used_peak_bytes': null},", STEP_OF("0", "2147483648")), NULL, NULL },
	};
	cleanup_json struct json_object *held = case_report(jobs[7].patch);

	(void)state;
	CHECK(jobs);
	judge(held, NULL);
	assert_string_equal(field_text(held, "verdict.no_advice"),
			    "Its steps asked for 8.0 GiB of its 8.0 GiB (srun --mem): lower the memory of the steps first, then that of the job");
}

#define OF_CPUS(tasks) "'requested': {'memory_source': 'per cpu', 'memory_per_cpu_bytes': 2147483648, 'tasks': " tasks "}, 'nodes': [" \
	"{'name': 'n1', 'complete': true, 'allocated': {'memory_bytes': 8589934592, 'memory_limit_bytes': 8589934592}, 'used':" \
	" {'memory_used_peak_bytes': 100000000}}],"

/* Memory per CPU: four CPUs with 2 GiB each. A step of one CPU always has 2 GiB. */
static void steps_of_a_job_with_memory_by_the_cpu_still_start(void **state)
{
	static const struct job jobs[] = {
		{ STEPS(OF_CPUS("1"), STEP_OF("0", "2147483648")), "#SBATCH --mem=128M",
		  "It used 95.4 MiB of 8.0 GiB. This is 1.2 x that, rounded up. It replaces --mem-per-cpu. If the script "
		  "gives srun an amount of memory (--mem-per-cpu), lower that, too." },
		{ STEPS(OF_CPUS("4"), STEP_OF("0", "2147483648") "," STEP_OF("1", "2147483648")), "#SBATCH --mem-per-cpu=64M",
		  "It used 95.4 MiB of 8.0 GiB. Asking for less gains nothing. If the script gives srun an amount of memory "
		  "(--mem-per-cpu), lower that, too." },
		/* one task: with --mem, the first of two steps would get all of it */
		{ STEPS(OF_CPUS("1"), STEP_OF("0", "2147483648") "," STEP_OF("1", "2147483648")), "#SBATCH --mem-per-cpu=64M", NULL },
		/* amounts that are no multiple of a CPU's memory */
		{ STEPS(OF_CPUS("1"), STEP_OF("0", "3221225472")), "#SBATCH --mem=3G",
		  "It used 95.4 MiB of 8.0 GiB. Its step asked for 3.0 GiB (srun --mem or --mem-per-cpu): with less, it "
		  "would not start. It replaces --mem-per-cpu." },
		{ STEPS(OF_CPUS("4"), STEP_OF("0", "1073741824") "," STEP_OF("1", "1073741824")), "#SBATCH --mem-per-cpu=512M",
		  "It used 95.4 MiB of 8.0 GiB. Its steps asked for 2.0 GiB together (srun --mem or --mem-per-cpu): with less, they would not "
		  "all start at once." },
		/* no step */
		{ "{'used': {'memory_used_peak_bytes': 100000000}, " OF_CPUS("1") " 'steps': []}", "#SBATCH --mem=128M",
		  "It used 95.4 MiB of 8.0 GiB. This is 1.2 x that, rounded up. It replaces --mem-per-cpu." },
	};

	(void)state;
	CHECK(jobs);
}

#define PER_CPU(requested) "'requested': {'memory_source': 'per cpu', 'memory_per_cpu_bytes': 4294967296, " requested "}"
#define GIVEN(name, given, used) "{'name': '" name "', 'complete': true, 'allocated': {'memory_bytes': " given "," \
	" 'memory_limit_bytes': " given "}, 'used': {'memory_used_peak_bytes': " used "}}"
#define GIB_2 "2147483648"
#define GIB_8 "8589934592"
#define GIB_20 "21474836480"
#define GIB_32 "34359738368"
#define GIB_64 "68719476736"

static void memory_by_cpu_stays_by_cpu_where_tasks_can_be_packed_otherwise(void **state)
{
	static const struct job jobs[] = {
		/* 64 tasks, 16 on each of four nodes: 24 GiB for 16 CPUs */
		{ "{" PER_CPU("'cpus': 64, 'tasks': 64, 'nodes': 4, 'memory_bytes': 274877906944") ", 'used':"
		  " {'memory_used_peak_bytes': " GIB_20 "}, 'nodes': [" GIVEN("n1", GIB_64, GIB_20) ", " GIVEN("n2", GIB_64, GIB_20)
		  ", " GIVEN("n3", GIB_64, GIB_20) ", " GIVEN("n4", GIB_64, GIB_20) "], 'allocated': {'cpus': 64, 'cores': 64}}",
		  "#SBATCH --mem-per-cpu=1536M",
		  "It used 20.0 GiB of 64.0 GiB on a node. This is 1.2 x what the fullest node used for each CPU, rounded up." },
		/* the fullest node is not the one with the highest peak: 3 of 8 GiB are more than 8 of 32 */
		{ "{" PER_CPU("'cpus': 10, 'tasks': 10, 'nodes': 2, 'memory_bytes': 42949672960") ", 'used':"
		  " {'memory_used_peak_bytes': " GIB_8 "}, 'nodes': [" GIVEN("n1", GIB_32, GIB_8) ", " GIVEN("n2", GIB_8,
		  "3221225472") "], 'allocated': {'cpus': 10, 'cores': 10}}",
		  "#SBATCH --mem-per-cpu=1856M", NULL },
		/* on one node */
		{ "{" PER_CPU("'tasks': 4, 'memory_bytes': 17179869184") ", 'steps': [{'id': '0', 'task_count': 4}], 'nodes': ["
		  GIVEN("n1", "17179869184", GIB_2) "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}",
		  "#SBATCH --mem-per-cpu=640M", "It used 2.0 GiB of 16.0 GiB. This is 1.2 x that for each CPU, rounded up."
		  " If the script gives srun an amount of memory (--mem-per-cpu), lower that, too." },
		{ "{" PER_CPU("'tasks': null, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", "17179869184", GIB_2)
		  "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}", "#SBATCH --mem-per-cpu=640M", NULL },
		/* a task cannot be on two nodes; "one task" on two nodes may be only Slurm's count */
		{ "{" PER_CPU("'tasks': 1, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", "17179869184", GIB_2)
		  "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}", "#SBATCH --mem=2560M",
		  "It used 2.0 GiB of 16.0 GiB. This is 1.2 x that, rounded up. It replaces --mem-per-cpu." },
		{ "{" PER_CPU("'tasks': 1, 'nodes': 2, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", GIB_8, GIB_2)
		  ", " GIVEN("n2", GIB_8, GIB_2) "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}",
		  "#SBATCH --mem-per-cpu=1280M", NULL },
		/* the amount for each CPU is not known */
		{ "{'requested': {'memory_source': 'per cpu', 'tasks': 4, 'memory_bytes': 17179869184}, 'used':"
		  " {'memory_used_peak_bytes': " GIB_2 "}, 'nodes': [" GIVEN("n1", "17179869184", GIB_2) "]}", NULL, NULL },
		/* near the limit, and killed at it */
		{ "{" PER_CPU("'tasks': 4, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", "17179869184", "15461882266")
		  "], 'used': {'memory_used_peak_bytes': 15461882266}}", "#SBATCH --mem-per-cpu=4480M",
		  "It used 14.4 GiB of a limit of 16.0 GiB, which is too near. This is 1.2 x what was used for each CPU, rounded up." },
		{ "{" PER_CPU("'tasks': 4, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", "17179869184", "1")
		  "], 'oom': [{'node': 'n1', 'limit_bytes': 17179869184}]}", "#SBATCH --mem-per-cpu=8G",
		  "The kernel killed 1 process at the limit of 16.0 GiB. How much more is needed is not known: 8.0 GiB for each CPU "
		  "is a fair try, and the next report shows what was used." },
	};

	(void)state;
	CHECK(jobs);
}

static void memory_of_a_node_is_enough_on_as_many_nodes(void **state)
{
#define ON_TWO(tasks) "{'requested': {'memory_source': 'per node', 'nodes': 2, 'cpus': 4, 'tasks': " tasks ", 'memory_bytes': " GIB_64 "}," \
	" 'used': {'memory_used_peak_bytes': " GIB_8 "}, 'nodes': [" GIVEN("n1", GIB_32, GIB_8) ", " GIVEN("n2", GIB_32, GIB_8) "]}"
#define SAME_NODES " This is enough on the same number of nodes. On fewer nodes, each needs more."
#define ENOUGH "It used 8.0 GiB of 32.0 GiB on a node. This is 1.2 x that, rounded up."
	static const struct job jobs[] = {
		/* Slurm may pack these tasks on one node the next time. Two tasks may be of --nodes=2, or of --ntasks=2 alone. */
		{ ON_TWO("3"), "#SBATCH --mem=10G", ENOUGH SAME_NODES },
		{ ON_TWO("null"), "#SBATCH --mem=10G", ENOUGH SAME_NODES },
		{ ON_TWO("2"), "#SBATCH --mem=10G", ENOUGH SAME_NODES },
	};

	(void)state;
	CHECK(jobs);
}

static void memory_of_a_node_is_enough_on_the_fewer_nodes_that_were_used(void **state)
{
#define RAN(name, processes) "{'name': '" name "', 'complete': true, 'allocated': {'cpus': 4, 'memory_limit_bytes': " GIB_32 "}, 'used': {'cpu_s': 200," \
	" 'memory_used_peak_bytes': " GIB_8 ", 'processes': " processes "}}"
#define ON_SOME(processes) "{'requested': {'memory_source': 'per node', 'nodes': 2, 'cpus': 4, 'tasks': 4, 'memory_bytes': " GIB_64 "}," \
	" 'used': {'memory_used_peak_bytes': " GIB_8 "}, 'nodes': [" RAN("n1", "3") ", " RAN("n2", processes) "]}"
	cleanup_json struct json_object *one = case_report(ON_SOME("0")), *both = case_report(ON_SOME("3"));

	(void)state;
	judge(one, NULL);
	assert_true(case_says(one, "advice #SBATCH --nodes=1"));
	assert_string_equal(field_text(case_find(one, "advice", "line", "#SBATCH --mem=10G"), "reason"), ENOUGH);
	judge(both, NULL);
	assert_non_null(strstr(field_text(case_find(both, "advice", "line", "#SBATCH --mem=10G"), "reason"), "on the same number of nodes"));
}

static void fewer_cpus_are_no_less_memory(void **state)
{
#define ON_16(tasks) "'allocated': {'cpus': 16, 'cores': 16}, 'states': {'on_cpu_s': 300, 'busy_peak': 4}, 'series': []," \
	" 'steps': [{'id': '0', 'task_count': " tasks ", 'elapsed_s': 90}], 'nodes': [" GIVEN("n1", GIB_64, "51539607552") "]," \
	" 'used': {'memory_used_peak_bytes': 51539607552}, " PER_CPU("'cpus': 16, 'tasks': " tasks ", 'memory_bytes': " GIB_64)
	cleanup_json struct json_object *four = case_report("{" ON_16("4") "}"), *one = case_report("{" ON_16("1") "}");
	cleanup_json struct json_object *unknown = case_report("{" ON_16("4") "}"), *node = case_report("{" ON_16("4") "}");
	cleanup_json struct json_object *single = case_report("{" ON_16("4") "}"), *near = case_report("{" ON_16("4") "}");
	struct rules rules;

	(void)state;
	/* four CPUs can bring 1.2 x 48 GiB */
	judge(four, NULL);
	assert_int_equal(field_length(field_find(four, "advice")), 2);
	assert_true(case_says(four, "advice #SBATCH --cpus-per-task=1"));
	assert_true(case_says(four, "advice #SBATCH --mem-per-cpu=14784M"));
	assert_string_equal(field_text(case_find(four, "advice", "line", "#SBATCH --mem-per-cpu=14784M"), "reason"),
			    "It used 48.0 GiB of 64.0 GiB. This is 1.2 x that for each CPU that is left, rounded up. If the script gives "
			    "srun an amount of memory (--mem-per-cpu), lower that, too.");
	judge(one, NULL);
	assert_int_equal(field_length(field_find(one, "advice")), 2);
	assert_true(case_says(one, "advice #SBATCH --cpus-per-task=4"));
	assert_true(case_says(one, "advice #SBATCH --mem=58G"));
	/* the CPU of a single task need not bring all of it */
	case_set(single, "states.on_cpu_s", 100);
	case_set(single, "states.parallel_s", 0);
	case_set(single, "steps.0.task_count", 1);
	judge(single, NULL);
	assert_int_equal(field_length(field_find(single, "advice")), 2);
	assert_true(case_says(single, "advice #SBATCH --ntasks=1 --cpus-per-task=1"));
	assert_true(case_says(single, "advice #SBATCH --mem=58G"));
	/* near the limit, if the site's rules leave no room */
	rules_defaults(&rules);
	rules_set(&rules, "advice_factor", 1, NULL);
	case_set(near, "nodes.0.used.memory_used_peak_bytes", 66571993088);
	judge(near, &rules);
	assert_int_equal(field_length(field_find(near, "advice")), 2);
	assert_true(case_says(near, "advice #SBATCH --mem-per-cpu=15872M"));
	/* without the used memory, no advice is possible */
	json_object_object_del(field_find(unknown, "used"), "memory_used_peak_bytes");
	judge(unknown, NULL);
	assert_int_equal(field_length(field_find(unknown, "advice")), 0);
	put_text(field_find(node, "requested"), "memory_source", "per node");
	judge(node, NULL);
	assert_int_equal(field_length(field_find(node, "advice")), 1);
	assert_true(case_says(node, "advice #SBATCH --cpus-per-task=1"));
}

static void who_was_killed_at_the_limit_of_a_smaller_node_was_killed_at_the_jobs(void **state)
{
#define UNEVEN(limit) "{" PER_CPU("'cpus': 10, 'tasks': 10, 'nodes': 2, 'memory_bytes': 42949672960") ", 'nodes': [" \
	GIVEN("n1", GIB_32, "32212254720") ", " GIVEN("n2", GIB_8, GIB_8) "], 'used': {'memory_used_peak_bytes': 32212254720}," \
	" 'allocated': {'cpus': 10, 'cores': 10}, 'oom': [{'node': 'n2', 'step': '0', 'limit_bytes': " limit "}]}"
	static const struct job jobs[] = {
		{ UNEVEN(GIB_8), "#SBATCH --mem-per-cpu=8G",
		  "The kernel killed 1 process at the limit of 8.0 GiB. How much more is needed is not known: 8.0 GiB for each CPU "
		  "is a fair try, and the next report shows what was used." },
		/* below that, at the step's limit */
		{ UNEVEN("8589934591"), "srun --mem=8G", NULL },
	};

	(void)state;
	CHECK(jobs);
}

/* Memory that the site grants for each CPU goes with the CPUs: if they were used, none is taken away. */
static void no_less_is_advised_of_memory_that_came_with_used_cpus(void **state)
{
#define GRANTED(cpus) "'requested': {'memory_source': 'per cpu', 'memory_per_cpu_bytes': 2147483648, 'memory_by_default': true, " cpus "}"
	static const struct job jobs[] = {
		{ "{'used': {'memory_used_peak_bytes': 1000}, " GRANTED("'cpus': 4") "}", NULL, NULL },
		{ "{'used': {'memory_used_peak_bytes': 1000, 'cpu_efficiency': 0.49}, " GRANTED("'cpus': 4") "}", "#SBATCH --mem=64M", NULL },
		/* the job may need more */
		{ "{'used': {'oom_kills': 1}, " GRANTED("'cpus': 4") "}", "#SBATCH --mem=16G", NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void without_a_limit_it_is_what_was_used(void **state)
{
#define NO_LIMIT(used) "{'used': {'memory_used_peak_bytes': " used "}, 'nodes': [{'complete': true, 'allocated': {}, 'used':" \
	" {'memory_used_peak_bytes': " used "}}]}"
	static const struct job jobs[] = {
		{ NO_LIMIT("8589934593"), "#SBATCH --mem=10G",
		  "It used 8.0 GiB, and asked for 8.0 GiB. This is 1.2 x what was used, rounded up." },
		{ NO_LIMIT("8589934592"), NULL, NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void near_the_limit_it_is_more(void **state)
{
	static const struct job jobs[] = {
		{ "{'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 8160437862},"
		  " 'allocated': {'memory_limit_bytes': 8589934592}}], 'job': {'state': 'FAILED'}}",
		  "#SBATCH --mem=10G",
		  "It used 7.6 GiB of a limit of 8.0 GiB, which is too near. This is 1.2 x what was used, rounded up." },
#define FILLED(tool, used, peak) "{'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': " used "}, 'allocated':" \
	" {'memory_limit_bytes': 8589934592}}], 'used': {'memory_used_peak_bytes': " used "}, 'tools': [{'name': '" tool "', 'slurm': false," \
	" 'runs': 1, 'used_peak_bytes': " peak "}]}"
		/* sort takes all memory that it gets; less is enough if other programs used more */
		{ FILLED("sort", "8160437862", "8053063680"), NULL, NULL },
		{ FILLED("sort", "8160437862", "4053063680"), "#SBATCH --mem=10G", NULL },
		{ FILLED("solve", "8160437862", "8053063680"), "#SBATCH --mem=10G", NULL },
	};

	(void)state;
	CHECK(jobs);
}

#define SIZED(tool, used, peak) "{'used': {'memory_used_peak_bytes': " used "}, 'tools': [{" tool ", 'slurm': false, 'runs': 1," \
	" 'used_peak_bytes': " peak "}]}"
#define JAVA "'name': 'picard.jar', 'interpreter': 'java'"
#define USED(size) "It used " size " of 8.0 GiB. "
#define CAN_HAVE(tool) tool " sizes itself by the available memory: with this, it can have 1.2 x what it used."

/* Java takes a quarter of its limit. With the used amount as its limit, it would fail. */
static void who_sizes_itself_by_the_memory_there_is_can_have_what_it_used(void **state)
{
	static const struct job jobs[] = {
		{ SIZED(JAVA, "1073741824", "900000000"), "#SBATCH --mem=5G", USED("1.0 GiB") CAN_HAVE("picard.jar") },
		{ SIZED(JAVA, "1073741824", "300000000"), "#SBATCH --mem=1536M", USED("1.0 GiB") CAN_HAVE("picard.jar") },
		/* other programs used more */
		{ SIZED(JAVA, "1073741824", "268435456"), "#SBATCH --mem=1536M", NULL },
		{ SIZED("'name': 'picard.jar', 'interpreter': 'bash'", "1073741824", "900000000"), "#SBATCH --mem=1536M", NULL },
		{ SIZED("'name': 'picard.jar'", "1073741824", "900000000"), "#SBATCH --mem=1536M", NULL },
		/* lines from a pipe, a few MiB; and a file for which sort took all memory */
		{ SIZED("'name': 'sort'", "8700000", "6800000"), "#SBATCH --mem=64M", NULL },
		{ SIZED("'name': 'sort'", "5300000000", "5200000000"), NULL, NULL },
		/* R's memory depends on its data */
		{ SIZED("'name': 'R'", "1073741824", "1073741824"), "#SBATCH --mem=1536M", NULL },
		{ "{'requested': {'memory_source': 'per cpu', 'memory_per_cpu_bytes': 2147483648, 'tasks': 4}, 'used':"
		  " {'memory_used_peak_bytes': 1073741824}, 'nodes': [" GIVEN("n1", GIB_8, "1073741824") "], 'tools': [{" JAVA
		  ", 'slurm': false, 'used_peak_bytes': 900000000}]}",
		  "#SBATCH --mem-per-cpu=1088M", NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void who_used_all_that_it_may_have_gets_no_less(void **state)
{
	cleanup_json struct json_object *report = case_report(SIZED(JAVA, "2147483648", "2000000000"));
	struct json_object *finding;

	(void)state;
	judge(report, NULL);
	assert_int_equal(field_length(field_find(report, "advice")), 0);
	finding = case_find(report, "findings", "code", "memory-over-asked");
	assert_string_equal(field_text(finding, "hint"), "picard.jar sizes itself by the available memory: set its memory (-Xmx), and then ask for less.");
	assert_string_equal(field_text(report, "verdict.no_advice"),
			    "picard.jar sizes itself by the available memory: set its memory (-Xmx) before you ask for less");
}

static void what_was_rounded_far_says_to_what(void **state)
{
	static const struct job jobs[] = {
		{ "{'used': {'memory_used_peak_bytes': 906600000}}", "#SBATCH --mem=1536M",
		  "It used 864.6 MiB of 8.0 GiB. This is 1.2 x that, rounded up to a multiple of 512.0 MiB." },
	};

	(void)state;
	CHECK(jobs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_what_was_used_and_a_fifth),
		cmocka_unit_test(the_most_that_it_can_have_used_counts),
		cmocka_unit_test(mapped_files_in_use_need_room),
		cmocka_unit_test(after_an_oom_kill_it_is_never_less_than_the_limit),
		cmocka_unit_test(a_step_killed_at_its_own_limit_asks_for_more_itself),
		cmocka_unit_test(less_memory_is_enough_for_the_steps_to_start),
		cmocka_unit_test(steps_of_a_job_with_memory_by_the_cpu_still_start),
		cmocka_unit_test(memory_by_cpu_stays_by_cpu_where_tasks_can_be_packed_otherwise),
		cmocka_unit_test(memory_of_a_node_is_enough_on_as_many_nodes),
		cmocka_unit_test(memory_of_a_node_is_enough_on_the_fewer_nodes_that_were_used),
		cmocka_unit_test(fewer_cpus_are_no_less_memory),
		cmocka_unit_test(who_was_killed_at_the_limit_of_a_smaller_node_was_killed_at_the_jobs),
		cmocka_unit_test(no_less_is_advised_of_memory_that_came_with_used_cpus),
		cmocka_unit_test(without_a_limit_it_is_what_was_used),
		cmocka_unit_test(near_the_limit_it_is_more),
		cmocka_unit_test(who_sizes_itself_by_the_memory_there_is_can_have_what_it_used),
		cmocka_unit_test(who_used_all_that_it_may_have_gets_no_less),
		cmocka_unit_test(what_was_rounded_far_says_to_what),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
