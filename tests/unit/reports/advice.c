/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice can be pasted, is never below what was needed, and is left out where the need is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reports/json/units.h"
#include "reports/verdict/advice.h"
#include "tests/unit/reports/case.h"

struct job {
	const char *patch;
	const char *line; /* the only one; NULL: none */
	const char *reason; /* NULL: whatever */
};

/* The line that asks for the number of @advice; "" where it has none. */
static const char *line_of_value(struct json_object *advice, const char *line, char made[64])
{
	char text[DURATION_TEXT];
	int64_t value;

	made[0] = '\0';
	if (field_count(advice, "memory_per_cpu_bytes", &value))
		advice_write_memory_per_cpu((double)value, made, 64);
	else if (field_count(advice, "memory_bytes", &value))
		advice_write_memory((double)value, strncmp(line, "srun", 4) == 0 ? "srun" : "#SBATCH", made, 64);
	else if (field_count(advice, "time_limit_s", &value))
		snprintf(made, 64, "#SBATCH --time=%s", duration_text((double)value, text));
	else if (field_count(advice, "cpus_per_task", &value))
		snprintf(made, 64, "#SBATCH %s--cpus-per-task=%d", strstr(line, "--ntasks=1 ") ? "--ntasks=1 " : "", (int)value);
	return made;
}

/* Programs read the number, people paste the line: both ask for the same. */
static bool asks_for_its_value(struct json_object *advice)
{
	const char *line = field_text(advice, "line");
	char made[64];

	if (strncmp(line, "export ", 7) == 0)
		return json_object_object_length(advice) == 2;
	return strcmp(line_of_value(advice, line, made), line) == 0;
}

static void check(const struct job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cleanup_json struct json_object *report = case_report(jobs[i].patch);
		struct json_object *list, *first;

		verdict_put(report, NULL);
		list = field_find(report, "advice");
		first = json_object_array_get_idx(list, 0);
		if (field_length(list) != (jobs[i].line ? 1 : 0))
			fail_msg("%s: %s", jobs[i].patch, json_object_to_json_string(list));
		if (!jobs[i].line)
			continue;
		assert_string_equal(field_text(first, "line"), jobs[i].line);
		if (!asks_for_its_value(first))
			fail_msg("%s: %s", jobs[i].patch, json_object_to_json_string(first));
		if (jobs[i].reason)
			assert_string_equal(field_text(first, "reason"), jobs[i].reason);
	}
}

#define CHECK(jobs) check(jobs, sizeof(jobs) / sizeof((jobs)[0]))

static void memory_is_what_was_used_and_a_fifth(void **state)
{
	static const struct job jobs[] = {
		{ "{'used': {'memory_used_peak_bytes': 4939212390}}", "#SBATCH --mem=6G",
		  "It used 4.6 GiB of 8.0 GiB. This is 1.2 x that, rounded up." },
		{ "{'used': {'memory_used_peak_bytes': 1048576}}", "#SBATCH --mem=64M",
		  "It used 1.0 MiB of 8.0 GiB. Less than this wins nothing." },
		{ "{'used': {'memory_used_peak_bytes': 100000000}}", "#SBATCH --mem=128M", NULL },
		{ "{'used': {'memory_used_peak_bytes': 894784853}}", "#SBATCH --mem=1G", NULL },
		{ "{'used': {'memory_used_peak_bytes': 894784854}}", "#SBATCH --mem=1536M", NULL },
		{ "{'used': {'memory_used_peak_bytes': 3579139414}}", "#SBATCH --mem=5G", NULL },
		{ "{'used': {'memory_used_peak_bytes': 60000000000}, 'requested': {'memory_bytes': 137438953472},"
		  " 'nodes': [{'complete': true, 'used': {}}]}",
		  "#SBATCH --mem=72G", NULL },
		{ "{'used': {'memory_used_peak_bytes': 1000}, 'requested': {'memory_source': 'per cpu'}}",
		  "#SBATCH --mem=64M",
		  "It used 1000 B of 8.0 GiB. Less than this wins nothing. It stands in the place of "
		  "--mem-per-cpu." },
		{ "{'used': {'memory_used_peak_bytes': 2147483648}, 'requested': {'memory_bytes': 17179869184,"
		  " 'nodes': 2}, 'nodes': [{'complete': true, 'used': {}}, {'complete': true, 'used': {}}]}",
		  "#SBATCH --mem=2560M", "It used 2.0 GiB of 8.0 GiB on a node. This is 1.2 x that, rounded up." },
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
		  "It used 50.0 MiB of 8.0 GiB, and 800.0 MiB of mapped files beside. This is 1.2 x both, rounded up." },
		{ "{'used': {'memory_used_peak_bytes': 1073741824, 'memory_used_peak_upper_bytes': 2147483648,"
		  " 'memory_mapped_peak_bytes': 2147483648}}",
		  "#SBATCH --mem=4G", "It used 1.0 GiB of 8.0 GiB, and 2.0 GiB of mapped files beside. This is 1.2 x both, rounded up." },
		/* what the cgroup was charged with has their pages, too */
		{ "{'used': {'memory_used_peak_bytes': 1073741824, 'memory_used_peak_upper_bytes': 4294967296,"
		  " 'memory_mapped_peak_bytes': 2147483648}}",
		  "#SBATCH --mem=5G",
		  "It used 1.0 GiB at least and 4.0 GiB at most of 8.0 GiB. This is 1.2 x the latter, rounded up." },
		/* as all programs have them: their own, and libraries */
		{ "{'used': {'memory_used_peak_bytes': 52428800, 'memory_mapped_peak_bytes': 67108863}}", "#SBATCH --mem=64M",
		  "It used 50.0 MiB of 8.0 GiB. This is 1.2 x that, rounded up." },
		{ "{'used': {'memory_used_peak_bytes': 52428800, 'memory_mapped_peak_bytes': 67108864}}", "#SBATCH --mem=192M", NULL },
		/* they are no reason to ask for more: it did with what it had */
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
		/* a limit below what was asked for */
		{ "{'used': {'oom_kills': 1}, 'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 1},"
		  " 'allocated': {'memory_limit_bytes': 1073741824}}]}",
		  "#SBATCH --mem=8G", NULL },
		/* no limit is known, and nothing was asked for */
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
		verdict_put(report, &rules);
		snprintf(line, sizeof(line), "advice #SBATCH --mem=%.0fG", 8 * factors[i]);
		assert_true(case_says(report, line));
	}
}

/* A job of 300 MiB, one step of which has a limit of its own. */
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
		  "needed is not known: 320.0 MiB, a fair try, is above the job's 300.0 MiB, and this is all of that; if it is not "
		  "enough, raise #SBATCH --mem, too." },
		{ STEP_KILLED("314572799"), "srun --mem=300M", NULL },
		{ STEP_KILLED("104857600, 'kernel_bytes': 104857600, 'page_table_bytes': 104857600"), "srun --mem=256M",
		  "The kernel killed 1 process at step 0's own limit of 100.0 MiB, which srun --mem sets. Most of it was the kernel's "
		  "memory for the job (page tables). How much more is needed is not known: 256.0 MiB is a fair try, and the next "
		  "report shows what was used." },
		{ STEP_KILLED("314572800, 'kernel_bytes': 157286400, 'page_table_bytes': 157286400"), "#SBATCH --mem=640M",
		  "The kernel killed 1 process at the limit of 300.0 MiB. Most of it was the kernel's memory for the job (page tables). "
		  "How much more is needed is not known: 640.0 MiB is a fair try, and the next report shows what was used." },
		/* neither the job's limit nor the step's */
		{ STEP_KILLED("314572800, 'node_ran_out': true"), NULL, NULL },
		{ STEP_KILLED("104857600, 'node_ran_out': true"), NULL, NULL },
		/* all that the job has: it is the job that needs more */
		{ STEP_KILLED("314572800"), "#SBATCH --mem=640M",
		  "The kernel killed 1 process at the limit of 300.0 MiB. How much more is needed is not known: 640.0 "
		  "MiB is a fair try, and the next report shows what was used." },
	};
	cleanup_json struct json_object *both = case_report(STEP_KILLED("104857600"));

	(void)state;
	CHECK(jobs);
	/* one at the step's limit, and one at the job's, of which only the count is known */
	case_set(both, "used.oom_kills", 2);
	verdict_put(both, NULL);
	assert_int_equal(field_length(field_find(both, "advice")), 2);
	assert_true(case_says(both, "advice srun --mem=256M"));
	assert_true(case_says(both, "advice #SBATCH --mem=640M"));
}

/* A job of 8 GiB that used a hundredth of it, in steps whose srun asked for memory; they took 90 s each, of 100 or 200. */
#define STEP_OF(id, limit) "{'id': '" id "', 'task_count': 1, 'elapsed_s': 90, 'memory_limit_bytes': " limit "}"
#define STEPS(more, steps) "{'used': {'memory_used_peak_bytes': 100000000}, " more " 'steps': [{'id': 'batch'," \
	" 'elapsed_s': 100, 'memory_limit_bytes': 8589934592}, " steps "]}"
#define AFTER_EACH_OTHER "'job': {'elapsed_s': 200},"

static void less_memory_is_enough_for_the_steps_to_start(void **state)
{
	static const struct job jobs[] = {
		{ STEPS("", STEP_OF("0", "2147483648")), "#SBATCH --mem=2G",
		  "It used 95.4 MiB of 8.0 GiB. With less than this, which srun --mem asks for, its step would not start." },
		{ STEPS(AFTER_EACH_OTHER, STEP_OF("0", "2147483648") ", " STEP_OF("1", "1073741824")), "#SBATCH --mem=2G",
		  "It used 95.4 MiB of 8.0 GiB. With less than this, which srun --mem asks for, its steps would not start." },
		{ STEPS("", STEP_OF("0", "2147483648") ", " STEP_OF("1", "1073741824")), "#SBATCH --mem=3G",
		  "It used 95.4 MiB of 8.0 GiB. With less than this, which srun --mem asks for, its steps would not start beside "
		  "each other." },
		/* so much that hardly anything is saved */
		{ STEPS("", STEP_OF("0", "4294967296") ", " STEP_OF("1", "4294967295")), NULL, NULL },
		/* as little as it used, or the job's own limit, which becomes less with the job's */
		{ STEPS("", STEP_OF("0", "104857600")), "#SBATCH --mem=128M", "It used 95.4 MiB of 8.0 GiB. This is 1.2 x that, rounded up." },
		{ STEPS("", STEP_OF("0", "8589934592")), "#SBATCH --mem=128M", NULL },
		/* by the CPU, a step has less by itself */
		{ STEPS("'requested': {'memory_source': 'per cpu'},", STEP_OF("0", "2147483648")), "#SBATCH --mem=128M", NULL },
		/* limits of half of what was asked for */
		{ STEPS("'requested': {'memory_bytes': 17179869184},", STEP_OF("0", "2147483648")), "#SBATCH --mem=4G", NULL },
		{ STEPS("'used': {'memory_used_peak_bytes': null},", STEP_OF("0", "2147483648")), NULL, NULL },
	};
	cleanup_json struct json_object *held = case_report(jobs[3].patch);

	(void)state;
	CHECK(jobs);
	verdict_put(held, NULL);
	assert_string_equal(field_text(held, "verdict.no_advice"),
			    "Its steps ask for nearly all of its memory (srun --mem): lower that first, then the job's");
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
		/* the fullest is not the one with the highest peak: 3 of 8 GiB are more than 8 of 32 */
		{ "{" PER_CPU("'cpus': 10, 'tasks': 10, 'nodes': 2, 'memory_bytes': 42949672960") ", 'used':"
		  " {'memory_used_peak_bytes': " GIB_8 "}, 'nodes': [" GIVEN("n1", GIB_32, GIB_8) ", " GIVEN("n2", GIB_8,
		  "3221225472") "], 'allocated': {'cpus': 10, 'cores': 10}}",
		  "#SBATCH --mem-per-cpu=1856M", NULL },
		/* on one node, too */
		{ "{" PER_CPU("'tasks': 4, 'memory_bytes': 17179869184") ", 'steps': [{'id': '0', 'task_count': 4}], 'nodes': ["
		  GIVEN("n1", "17179869184", GIB_2) "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}",
		  "#SBATCH --mem-per-cpu=640M", "It used 2.0 GiB of 16.0 GiB. This is 1.2 x that for each CPU, rounded up." },
		{ "{" PER_CPU("'tasks': null, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", "17179869184", GIB_2)
		  "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}", "#SBATCH --mem-per-cpu=640M", NULL },
		/* a task cannot be on two nodes; but that it was one of a job on two may be Slurm's count of tasks alone */
		{ "{" PER_CPU("'tasks': 1, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", "17179869184", GIB_2)
		  "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}", "#SBATCH --mem=2560M",
		  "It used 2.0 GiB of 16.0 GiB. This is 1.2 x that, rounded up. It stands in the place of --mem-per-cpu." },
		{ "{" PER_CPU("'tasks': 1, 'nodes': 2, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", GIB_8, GIB_2)
		  ", " GIVEN("n2", GIB_8, GIB_2) "], 'used': {'memory_used_peak_bytes': " GIB_2 "}}",
		  "#SBATCH --mem-per-cpu=1280M", NULL },
		/* how much it was for each CPU is not known */
		{ "{'requested': {'memory_source': 'per cpu', 'tasks': 4, 'memory_bytes': 17179869184}, 'used':"
		  " {'memory_used_peak_bytes': " GIB_2 "}, 'nodes': [" GIVEN("n1", "17179869184", GIB_2) "]}", NULL, NULL },
		/* near the limit, and killed at it */
		{ "{" PER_CPU("'tasks': 4, 'memory_bytes': 17179869184") ", 'nodes': [" GIVEN("n1", "17179869184", "15461882266")
		  "], 'used': {'memory_used_peak_bytes': 15461882266}}", "#SBATCH --mem-per-cpu=4480M",
		  "It used 14.4 GiB of a limit of 16.0 GiB: too near. This is 1.2 x what was used for each CPU, rounded up." },
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
#define ENOUGH "It used 8.0 GiB of 32.0 GiB on a node. This is 1.2 x that, rounded up."
	static const struct job jobs[] = {
		/* three tasks may be packed on one node the next time; one task on each of two may not */
		{ ON_TWO("3"), "#SBATCH --mem=10G", ENOUGH " It is enough on as many nodes: on fewer, each needs more." },
		{ ON_TWO("null"), "#SBATCH --mem=10G", ENOUGH " It is enough on as many nodes: on fewer, each needs more." },
		{ ON_TWO("2"), "#SBATCH --mem=10G", ENOUGH },
	};

	(void)state;
	CHECK(jobs);
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
	/* 1.2 x 48 GiB are to be had from four CPUs, and not from sixteen */
	verdict_put(four, NULL);
	assert_int_equal(field_length(field_find(four, "advice")), 2);
	assert_true(case_says(four, "advice #SBATCH --cpus-per-task=1"));
	assert_true(case_says(four, "advice #SBATCH --mem-per-cpu=14784M"));
	assert_string_equal(field_text(case_find(four, "advice", "line", "#SBATCH --mem-per-cpu=14784M"), "reason"),
			    "It used 48.0 GiB of 64.0 GiB. This is 1.2 x that for each CPU that is left, rounded up.");
	verdict_put(one, NULL);
	assert_int_equal(field_length(field_find(one, "advice")), 2);
	assert_true(case_says(one, "advice #SBATCH --cpus-per-task=4"));
	assert_true(case_says(one, "advice #SBATCH --mem=58G"));
	/* the CPU of a single task is not to bring it all */
	case_set(single, "states.on_cpu_s", 100);
	case_set(single, "states.parallel_s", 0);
	case_set(single, "steps.0.task_count", 1);
	verdict_put(single, NULL);
	assert_int_equal(field_length(field_find(single, "advice")), 2);
	assert_true(case_says(single, "advice #SBATCH --ntasks=1 --cpus-per-task=1"));
	assert_true(case_says(single, "advice #SBATCH --mem=58G"));
	/* near the limit, where a site leaves no room */
	rules_defaults(&rules);
	rules_set(&rules, "advice_factor", 1, NULL);
	case_set(near, "nodes.0.used.memory_used_peak_bytes", 66571993088);
	verdict_put(near, &rules);
	assert_int_equal(field_length(field_find(near, "advice")), 2);
	assert_true(case_says(near, "advice #SBATCH --mem-per-cpu=15872M"));
	/* without the memory that was used, none of it can be said; and a request per node stays as it is */
	json_object_object_del(field_find(unknown, "used"), "memory_used_peak_bytes");
	verdict_put(unknown, NULL);
	assert_int_equal(field_length(field_find(unknown, "advice")), 0);
	put_text(field_find(node, "requested"), "memory_source", "per node");
	verdict_put(node, NULL);
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
		/* and below that, at the step's */
		{ UNEVEN("8589934591"), "srun --mem=8G", NULL },
	};

	(void)state;
	CHECK(jobs);
}

static void of_whole_nodes_no_one_else_has_what_is_left(void **state)
{
	static const struct job jobs[] = {
#define WHOLE "'allocated': {'exclusive': true}"
		{ "{'used': {'memory_used_peak_bytes': 1000}, " WHOLE "}", NULL, NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, " WHOLE "}", NULL, NULL },
		/* more than it asked for can be had */
		{ "{'used': {'oom_kills': 1}, " WHOLE "}", "#SBATCH --mem=16G", NULL },
		/* more than all cannot */
		{ "{'used': {'oom_kills': 1}, 'requested': {'memory_source': 'all of the node'}}", NULL, NULL },
		/* but of a node that others can use, too, it need not be all */
		{ "{'used': {'memory_used_peak_bytes': 1000}, 'requested': {'memory_source': 'all of the node'}}",
		  "#SBATCH --mem=64M", NULL },
	};

	(void)state;
	CHECK(jobs);
}

/* Memory that the site grants for each CPU goes with the CPUs: of those that were used, none is taken away. */
static void no_less_is_advised_of_memory_that_came_with_used_cpus(void **state)
{
#define GRANTED(cpus) "'requested': {'memory_source': 'per cpu', 'memory_per_cpu_bytes': 2147483648, 'memory_by_default': true, " cpus "}"
	static const struct job jobs[] = {
		{ "{'used': {'memory_used_peak_bytes': 1000}, " GRANTED("'cpus': 4") "}", NULL, NULL },
		{ "{'used': {'memory_used_peak_bytes': 1000, 'cpu_efficiency': 0.49}, " GRANTED("'cpus': 4") "}", "#SBATCH --mem=64M", NULL },
		/* more can be needed */
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
	/* two seconds of work are some */
	case_set(slept, "states.active_s", 2);
	case_set(slept, "states.bound.sleep_s", 67.9);
	verdict_put(slept, NULL);
	assert_true(case_says(slept, "advice #SBATCH --mem=64M"));
	assert_true(case_says(slept, "advice #SBATCH --time=00:10:00"));
}

static void near_the_limit_it_is_more(void **state)
{
	static const struct job jobs[] = {
		{ "{'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 8160437862},"
		  " 'allocated': {'memory_limit_bytes': 8589934592}}], 'job': {'state': 'FAILED'}}",
		  "#SBATCH --mem=10G",
		  "It used 7.6 GiB of a limit of 8.0 GiB: too near. This is 1.2 x what was used, rounded up." },
	};

	(void)state;
	CHECK(jobs);
}

static void where_no_one_can_know_there_is_none(void **state)
{
	/* all of it has too much of everything */
#define TOO_MUCH                                                                                           \
	"'used': {'memory_used_peak_bytes': 1000}, 'requested': {'time_limit_s': 86400},"                  \
	" 'states': {'on_cpu_s': 100, 'parallel_s': 0}"
	static const struct job jobs[] = {
		{ "{'complete': false, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'state': 'FAILED'}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'state': 'CANCELLED'}, " TOO_MUCH "}", NULL, NULL },
		/* how much less is not known, and how much more is */
		{ "{'job': {'state': 'TIMEOUT'}, " TOO_MUCH "}", "#SBATCH --time=2-00:00:00", NULL },
		{ "{'job': {'state': 'REQUEUED'}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'state': null}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'elapsed_s': 59}, " TOO_MUCH "}", NULL, NULL },
		{ "{'job': {'elapsed_s': null}, " TOO_MUCH "}", NULL, NULL },
	};
	cleanup_json struct json_object *report = case_report("{" TOO_MUCH "}");

	(void)state;
	CHECK(jobs);
	verdict_put(report, NULL);
	assert_int_equal(field_length(field_find(report, "advice")), 3);
	assert_true(case_says(report, "advice #SBATCH --mem=64M"));
	assert_true(case_says(report, "advice #SBATCH --cpus-per-task=1"));
	assert_true(case_says(report, "advice #SBATCH --time=00:10:00"));
}

static void cpus_are_what_was_ever_busy(void **state)
{
#define EIGHT "'requested': {'cpus': 8, 'tasks': 1}, 'allocated': {'cpus': 8, 'cores': 8}"
	static const struct job jobs[] = {
		{ "{'states': {'on_cpu_s': 103, 'parallel_s': 3}}", "#SBATCH --cpus-per-task=1",
		  "On 4 CPUs no more than one thread was busy at a time, but for 3 % of the time." },
		/* it is not known how many tasks were requested */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'tasks': null}}",
		  "#SBATCH --ntasks=1 --cpus-per-task=1", NULL },
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'requested': {'tasks': 4}}",
		  "#SBATCH --ntasks=1 --cpus-per-task=1", NULL },
		/* two of eight at once, which used three in the busier half */
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 9}, 'series': [{'interval_s': 50,"
		  " 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [100, 150]}}]}",
		  "#SBATCH --cpus-per-task=4", "2.5 of 8 CPUs were used on average, and never more than 4 for long." },
		/* never more than three threads were busy, at no moment */
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 3}, 'series': []}",
		  "#SBATCH --cpus-per-task=3", NULL },
		/* a last point that is too short gives no rate; one of half the length does */
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 9}, 'series': [{'interval_s': 50,"
		  " 'end_offsets_s': [50, 74], 'columns': {'cpu_s': [150, 192]}}]}",
		  "#SBATCH --cpus-per-task=4", NULL },
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': 9}, 'series': [{'interval_s': 50,"
		  " 'end_offsets_s': [50, 75], 'columns': {'cpu_s': [150, 200]}}]}",
		  NULL, NULL },
		{ "{" EIGHT ", 'states': {'on_cpu_s': 250, 'busy_peak': null}, 'series': []}", NULL, NULL },
		/* two tasks of srun's, each with half of it */
		{ "{'requested': {'cpus': 8, 'tasks': 2}, 'allocated': {'cpus': 8, 'cores': 8}, 'steps': [{'id': '0',"
		  " 'task_count': 2, 'elapsed_s': 90}], 'states': {'on_cpu_s': 200, 'busy_peak': 2}, 'series': []}",
		  "#SBATCH --cpus-per-task=1", NULL },
		/* four tasks were asked for and none of srun's: mpirun may need them */
		{ "{'requested': {'cpus': 8, 'tasks': 4}, 'allocated': {'cpus': 8, 'cores': 8},"
		  " 'states': {'on_cpu_s': 200, 'busy_peak': 2}, 'series': []}",
		  NULL, NULL },
		/* steps beside each other */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'steps': [{'id': '0', 'task_count': 1,"
		  " 'elapsed_s': 90}, {'id': '1', 'task_count': 1, 'elapsed_s': 90}]}",
		  NULL, NULL },
		/* and one after the other */
		{ "{'states': {'on_cpu_s': 100, 'parallel_s': 0}, 'steps': [{'id': '0', 'task_count': 1,"
		  " 'elapsed_s': 40}, {'id': '1', 'task_count': 1, 'elapsed_s': 40}, {'id': 'batch',"
		  " 'elapsed_s': 100}]}",
		  "#SBATCH --cpus-per-task=1",
		  "On 4 CPUs no more than one thread was busy at a time. Where the script gives srun a number of CPUs (-c), lower "
		  "that, too." },
		/* half a core cannot be had */
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
		/* three seconds of four threads would take 12; of two and a bit, 8 or more */
		{ "{'states': {'on_cpu_s': 109, 'parallel_s': 3}}", NULL, NULL },
		{ "{'states': {'on_cpu_s': 104.9, 'runnable_s': 0, 'parallel_s': 3}}", "#SBATCH --cpus-per-task=1", NULL },
		{ "{'states': {'on_cpu_s': 105.1, 'runnable_s': 0, 'parallel_s': 3}}", NULL, NULL },
		/* what waited for a CPU then had not done its work */
		{ "{'states': {'on_cpu_s': 104.9, 'runnable_s': 0.2, 'parallel_s': 3}}", NULL, NULL },
		/* where one thread alone waited for a CPU, four CPUs did no more than that in 0.5 s */
		{ "{'states': {'on_cpu_s': 97, 'runnable_s': 7, 'parallel_s': 0.5}}", "#SBATCH --cpus-per-task=1", NULL },
		/* a short phase of all threads: fewer CPUs do where it was not so wide */
		{ "{" THIRTY_TWO ", 'states': {'on_cpu_s': 190, 'busy_peak': 32, 'parallel_s': 3}, 'series': [{'interval_s':"
		  " 50, 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [50, 140]}}]}", NULL, NULL },
		{ "{" THIRTY_TWO ", 'states': {'on_cpu_s': 121, 'busy_peak': 8, 'parallel_s': 3}, 'series': [{'interval_s':"
		  " 50, 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [50, 71]}}]}", NULL, NULL },
		{ "{" THIRTY_TWO ", 'states': {'on_cpu_s': 121, 'busy_peak': 8, 'parallel_s': 3}, 'series': []}",
		  "#SBATCH --cpus-per-task=8", NULL },
		/* a third of the time 32 threads, by turns: each point has 11.3 of them, which would do with 14 at once */
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
		/* more threads than cores, too */
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 1000, 'busy_peak': 10}, 'series': []}", NULL, NULL },
		/* seven are hardly less than eight; six are */
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 700, 'busy_peak': 7}, 'series': []}", NULL, NULL },
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 590, 'busy_peak': 6}, 'series': []}",
		  "#SBATCH --cpus-per-task=12",
		  "5.9 of 8 cores were used on average, and never more than 6 for long. A core is 2 CPUs." },
		/* a CPU is a core for who asked for no second hardware threads; of nine CPUs no one did */
		{ "{" HARDWARE_THREADS("8") ", 'states': {'on_cpu_s': 390, 'busy_peak': 4}, 'series': []}",
		  "#SBATCH --cpus-per-task=4", "3.9 of 8 CPUs were used on average, and never more than 4 for long." },
		{ "{" HARDWARE_THREADS("9") ", 'states': {'on_cpu_s': 390, 'busy_peak': 4}, 'series': []}", NULL, NULL },
		/* one is a core in any case */
		{ "{" HARDWARE_THREADS("16") ", 'states': {'on_cpu_s': 100, 'parallel_s': 0}}", "#SBATCH --cpus-per-task=1", NULL },
		/* two tasks of srun's, each of which needs two cores */
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
		/* which of its options says how many threads it starts is not known: there is no line to paste */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'name': 'solve', 'threads_peak': 8, 'wall_s': 99, 'states': {'on_cpu_s':"
		  " 396, 'runnable_s': 396}}]}", NULL, NULL },
#define CROWDED "'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}"
		/* not by srun */
		{ "{" CROWDED "}", NULL, NULL },
		/* four tasks on one CPU: CPUs per task would not help */
		{ "{" CROWDED ", 'steps': [{'id': '0', 'task_count': 4}]}", NULL, NULL },
		{ "{" CROWDED ", 'steps': [{'id': 'batch'}, {'id': '0', 'task_count': 1}]}",
		  "export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-4}",
		  "3 of 4 cores were never used, while threads waited for the others: srun gives a task one CPU "
		  "unless told otherwise." },
	};

	(void)state;
	CHECK(jobs);
}

static void time_is_what_it_took_and_a_fifth(void **state)
{
	static const struct job jobs[] = {
		{ "{'requested': {'cpus': 1, 'time_limit_s': 86400}}", "#SBATCH --time=00:10:00",
		  "It took 00:01:40 of 1-00:00:00. A limit below this wins nothing." },
		{ "{'job': {'elapsed_s': 2000}, 'states': {'active_s': 2000}, 'requested': {'cpus': 1, 'time_limit_s': 86400}}",
		  "#SBATCH --time=00:40:00", "It took 00:33:20 of 1-00:00:00. This is 1.2 x that, rounded up." },
		{ "{'job': {'elapsed_s': 3001}, 'states': {'active_s': 3001}, 'requested': {'cpus': 1, 'time_limit_s': 86400}}",
		  "#SBATCH --time=01:15:00", NULL },
		{ "{'job': {'elapsed_s': 40000}, 'states': {'active_s': 40000}, 'requested': {'cpus': 1, 'time_limit_s': 864000}}",
		  "#SBATCH --time=14:00:00", NULL },
		{ "{'job': {'elapsed_s': 100000}, 'states': {'active_s': 100000}, 'requested': {'cpus': 1, 'time_limit_s': 864000}}",
		  "#SBATCH --time=1-10:00:00", NULL },
		/* it was a near thing */
		{ "{'job': {'elapsed_s': 3590}, 'states': {'active_s': 3590}, 'requested': {'cpus': 1, 'time_limit_s': 3600}}",
		  "#SBATCH --time=01:15:00", NULL },
		{ "{'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested': {'cpus': 1, 'time_limit_s': 3600}}",
		  "#SBATCH --time=02:00:00", "It was at work when its 1 h ended. How much more it needs is not known: 2 h is a fair try,"
		  " unless it can save its state and go on from there." },
		{ "{'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested': {'cpus': 1, 'time_limit_s':"
		  " 3600}, 'progress': {'idle_tail_s': 60}}", NULL, NULL },
		{ "{'allocated': {'gpus': 1}, 'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested':"
		  " {'cpus': 1, 'time_limit_s': 3600}, 'progress': {'idle_tail_s': 60}}", "#SBATCH --time=02:00:00",
		  "What its GPUs did when its 1 h ended is not known. How much more it needs is not known: 2 h is a fair try, unless it"
		  " can save its state and go on from there." },
		{ "{'allocated': {'gpus': 1}, 'job': {'elapsed_s': 3590, 'state': 'TIMEOUT'}, 'states': {'active_s': 3590}, 'requested':"
		  " {'cpus': 1, 'time_limit_s': 3600}}", "#SBATCH --time=02:00:00",
		  "It was at work when its 1 h ended. How much more it needs is not known: 2 h is a fair try, unless it can save its"
		  " state and go on from there." },
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
	verdict_put(more, NULL);
	verdict_put(enough, NULL);
	verdict_put(nodes, NULL);
	assert_true(case_says(more, "advice #SBATCH --cpus-per-task=5"));
	assert_int_equal(field_length(field_find(enough, "advice")), 0);
	assert_int_equal(field_length(field_find(nodes, "advice")), 0);
}

#define JAVA(interpreter, peak) \
	"{'used': {'memory_used_peak_bytes': 1073741824}, 'tools': [{'name': 'picard.jar', " interpreter "'slurm': false, 'runs': 1," \
	" 'used_peak_bytes': " peak "}]}"

/* Java has a quarter of its limit: with less memory it would have less, and fail. */
static void who_takes_its_size_from_the_memory_there_is_gets_no_less(void **state)
{
	static const struct {
		const char *patch;
		bool less;
	} cases[] = {
		{ JAVA("'interpreter': 'java', ", "900000000"), false },
		{ JAVA("'interpreter': 'java', ", "268435456"), false },
		{ JAVA("'interpreter': 'java', ", "268435455"), true }, /* another program's memory */
		{ JAVA("'interpreter': 'bash', ", "900000000"), true },
		{ JAVA("", "900000000"), true },
		{ "{'used': {'memory_used_peak_bytes': 1073741824}, 'tools': [{'name': 'sort', 'slurm': false, 'used_peak_bytes': 1e9}]}", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_json struct json_object *report = case_report(cases[i].patch);
		struct json_object *finding;

		verdict_put(report, NULL);
		assert_int_equal(case_says(report, "advice #SBATCH --mem=1536M"), cases[i].less);
		finding = case_find(report, "findings", "code", "memory-over-asked");
		assert_non_null(finding);
		if (cases[i].less)
			continue;
		assert_non_null(strstr(field_text(finding, "hint"), " takes its size from the memory there is: set it (-"));
		assert_non_null(strstr(field_text(report, "verdict.no_advice"), " takes its size from the memory there is: set it (-"));
	}
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
		/* a rank that sleeps is needed; so may be what was not counted; and what GPUs did is not known */
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

		verdict_put(report, NULL);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_what_was_used_and_a_fifth),
		cmocka_unit_test(the_most_that_it_can_have_used_counts),
		cmocka_unit_test(mapped_files_in_use_need_room),
		cmocka_unit_test(after_an_oom_kill_it_is_never_less_than_the_limit),
		cmocka_unit_test(a_step_killed_at_its_own_limit_asks_for_more_itself),
		cmocka_unit_test(less_memory_is_enough_for_the_steps_to_start),
		cmocka_unit_test(memory_by_cpu_stays_by_cpu_where_tasks_can_be_packed_otherwise),
		cmocka_unit_test(memory_of_a_node_is_enough_on_as_many_nodes),
		cmocka_unit_test(fewer_cpus_are_no_less_memory),
		cmocka_unit_test(who_was_killed_at_the_limit_of_a_smaller_node_was_killed_at_the_jobs),
		cmocka_unit_test(of_whole_nodes_no_one_else_has_what_is_left),
		cmocka_unit_test(no_less_is_advised_of_memory_that_came_with_used_cpus),
		cmocka_unit_test(without_a_limit_it_is_what_was_used),
		cmocka_unit_test(of_a_job_that_did_nothing_nothing_is_known),
		cmocka_unit_test(near_the_limit_it_is_more),
		cmocka_unit_test(where_no_one_can_know_there_is_none),
		cmocka_unit_test(cpus_are_what_was_ever_busy),
		cmocka_unit_test(fewer_cpus_make_the_job_hardly_longer),
		cmocka_unit_test(each_thread_gets_a_core),
		cmocka_unit_test(who_left_cores_unused_is_told_how_srun_uses_them),
		cmocka_unit_test(time_is_what_it_took_and_a_fifth),
		cmocka_unit_test(who_takes_its_size_from_the_memory_there_is_gets_no_less),
		cmocka_unit_test(nodes_without_a_process_are_not_needed),
		cmocka_unit_test(who_used_more_cpus_than_it_had_asks_for_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
