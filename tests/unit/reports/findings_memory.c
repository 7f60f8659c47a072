/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is found about memory: limits, kills, and too large requests. rules.c tests the thresholds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/findings_case.h"

static void an_oom_kill_names_its_largest_victim(void **state)
{
	cleanup_json struct json_object *report = NULL, *counted = NULL;
	struct json_object *finding = found(&report,
		"{'oom': [{'tool': 'small', 'pid': 5, 'rss_bytes': 1000, 'limit_bytes': 8000},"
		" {'tool': 'hog', 'comm': 'hog', 'pid': 7, 'node': 'n1', 'step': '0', 'rss_bytes': 7000, "
		"'limit_bytes': 8000}]}",
		"oom-kill");

	(void)state;
	assert_string_equal(field_text(finding, "severity"), "critical");
	assert_number(finding, "oom_kills", 2);
	assert_text(finding, "tool", "hog");
	assert_text(finding, "step", "0");
	assert_number(finding, "pid", 7);
	assert_number(finding, "rss_bytes", 7000);
	assert_number(finding, "limit_bytes", 8000);
	finding = found(&counted, "{'used': {'oom_kills': 3}}", "oom-kill");
	assert_number(finding, "oom_kills", 3);
	assert_null(case_find(finding, "evidence", "name", "tool"));
}

/* slurmstepd had no memory either, so Slurm kept the job until its time limit */
static void a_job_whose_script_was_killed_has_no_finding_of_idleness(void **state)
{
#define DEAD(pid) "{'job': {'state': 'TIMEOUT', 'elapsed_s': 3600}, 'progress': {'idle_tail_s': 3500}, 'steps': [{'id': 'batch', 'tasks': [{'pid': 7}]}]," \
	" 'used': {'cpu_efficiency': 0.03, 'cpu_wasted_core_hours': 4}, 'oom': [{'tool': 'x.sh', 'pid': " pid ", 'step': 'batch', 'limit_bytes':" \
	" 8589934592}]}"
	cleanup_json struct json_object *dead = NULL, *idle = NULL;
	const char *text = field_text(found(&dead, DEAD("7"), "time-limit-hit"), "hint");

	(void)state;
	assert_string_equal(text, "The job script was dead by then: the kernel had killed it for memory, and Slurm did not notice.");
	assert_null(case_find(dead, "findings", "code", "idle-tail"));
	assert_null(case_find(dead, "findings", "code", "cpu-efficiency-low"));
	assert_string_not_equal(field_text(dead, "verdict.bound"), "idle");
	assert_non_null(found(&idle, DEAD("8"), "idle-tail"));
	assert_non_null(case_find(idle, "findings", "code", "cpu-efficiency-low"));
	assert_string_equal(field_text(idle, "verdict.bound"), "idle");
}

static void what_was_killed_for_memory_was_not_killed_by_anything_else(void **state)
{
#define VICTIMS(signals) "{'used': {'oom_kills': 2}, 'oom': [{'tool': 'hog'}, {'tool': 'hog'}], 'tools': [{'name': 'hog'," \
		" 'slurm': false, 'runs': 3, 'failures': 3, 'signals': " signals "}]}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_false(is_found(VICTIMS("2"), "tools-killed"));
	assert_number(found(&report, VICTIMS("3"), "tools-killed"), "signals", 1);
}

static void after_an_oom_kill_no_memory_was_too_much(void **state)
{
	(void)state;
	assert_true(is_found("{'used': {'memory_used_peak_bytes': 1000}}", "memory-over-asked"));
	/* mapped files in use need room, too */
	assert_true(is_found("{'used': {'memory_used_peak_bytes': 1000, 'memory_mapped_peak_bytes': 1073741824}}", "memory-over-asked"));
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000, 'memory_mapped_peak_bytes': 5368709120}}", "memory-over-asked"));
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000, 'oom_kills': 1}}", "memory-over-asked"));
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000}, 'job': {'state': 'FAILED'}}",
			      "memory-over-asked"));
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000}, 'complete': false}", "memory-over-asked"));
	/* the largest possible amount counts */
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000, 'memory_used_peak_upper_bytes': 6442450944}}",
			      "memory-over-asked"));
}

/* As much as the site grants for each CPU, to a job that did not ask. */
static void what_came_with_cpus_that_were_used_is_not_too_much(void **state)
{
#define GRANTED(efficiency, asked) "{'used': {'memory_used_peak_bytes': 1000, 'cpu_efficiency': " efficiency "}, 'requested': " \
		"{'memory_source': 'per cpu', 'memory_per_cpu_bytes': 2147483648" asked "}}"
#define DEFAULT ", 'memory_by_default': true"
	(void)state;
	assert_false(is_found(GRANTED("0.5", DEFAULT), "memory-over-asked"));
	assert_true(is_found(GRANTED("0.49", DEFAULT), "memory-over-asked"));
	assert_true(is_found(GRANTED("0.5", ""), "memory-over-asked"));
	/* it would have used the CPUs that others kept from it */
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000, 'cpu_efficiency': 0.3}, 'states': {'on_cpu_s': 120, 'runnable_s': 280,"
			      " 'active_s': 100}, 'requested': {'memory_source': 'per cpu', 'memory_per_cpu_bytes': 2147483648" DEFAULT "}}",
			      "memory-over-asked"));
}

static void of_a_whole_node_there_is_no_more_and_no_less_to_ask_for(void **state)
{
	static const char more[] = "It had all of the node's memory: take nodes with more, or spread it over more of them.";
	cleanup_json struct json_object *report = NULL;

	(void)state;
#define ALL_OF_IT "'requested': {'memory_source': 'all of the node'}"
	assert_string_equal(hint(&report, "{'used': {'oom_kills': 1}, " ALL_OF_IT "}", "oom-kill"), more);
	assert_string_equal(hint(&report, "{" ALL_OF_IT ", 'nodes': [{'used': {'memory_used_peak_bytes': 8527899034}, 'allocated':"
				 " {'memory_limit_bytes': 8589934592}}]}", "memory-near-limit"), more);
	assert_non_null(strstr(hint(&report, "{'used': {'oom_kills': 1}}", "oom-kill"), "Ask for more memory"));
	assert_null(strstr(hint(&report, "{'states': {'on_cpu_s': 110, 'parallel_s': 10}, 'allocated': {'exclusive': true}}",
				"serial-on-many-cores"), "ask for"));
	assert_non_null(strstr(hint(&report, "{'states': {'on_cpu_s': 110, 'parallel_s': 10}}", "serial-on-many-cores"), "ask for"));
	assert_null(strstr(hint(&report, "{'used': {'cpu_efficiency': 0.3, 'cpu_wasted_core_hours': 12.5}, 'allocated':"
				" {'exclusive': true}}", "cpu-efficiency-low"), "Ask for"));
}

static void where_nothing_enforces_a_limit_none_is_near(void **state)
{
#define UNLIMITED(used) "{'requested': {'memory_bytes': 6442450944}, 'used': {'memory_used_peak_bytes': " used "}," \
		" 'states': {'on_cpu_s': 100, 'active_s': 25, 'parallel_s': 25, 'fault_io_s': 75, 'bound': {'fault_io_s': 75}}," \
		" 'nodes': [{'name': 'n1', 'complete': true, 'allocated': {'cpus': 4}, 'used': {'memory_used_peak_bytes': " used "}}]}"
	cleanup_json struct json_object *report = NULL, *limited = case_report(
		"{'nodes': [{'allocated': {'memory_limit_bytes': 6442450944}, 'used': {'memory_used_peak_bytes': 6442450944}}],"
		" 'states': {'on_cpu_s': 100, 'active_s': 25, 'parallel_s': 25, 'fault_io_s': 75, 'bound': {'fault_io_s': 75}}}");
	struct json_object *finding = found(&report, UNLIMITED("6442450945"), "memory-near-limit");

	(void)state;
	assert_string_equal(field_text(finding, "text"), "Used 6.0 GiB, and asked for 6.0 GiB");
	assert_null(strstr(field_text(finding, "hint"), "killed"));
	/* its pages do not wait for memory */
	assert_string_equal(field_text(report, "verdict.bound"), "file-io");
	judge(limited, NULL);
	assert_string_equal(field_text(limited, "verdict.bound"), "memory");
	/* what was requested, and no more */
	assert_false(is_found(UNLIMITED("6442450944"), "memory-near-limit"));
}

static void the_fullest_node_says_how_much_memory_was_too_much(void **state)
{
#define NODE_OF(name, given, used) "{'name': '" name "', 'complete': true, 'allocated': {'memory_bytes': " given "}," \
		" 'used': {'memory_used_peak_bytes': " used "}}"
#define UNEVEN_USED(less) "{'requested': {'memory_source': 'per cpu', 'nodes': 2, 'memory_bytes': 42949672960}, 'used':" \
		" {'memory_used_peak_bytes': 4294967296}, 'nodes': [" NODE_OF("n1", "34359738368", "4294967296") ", " \
		NODE_OF("n2", "8589934592", less) "]}"

	(void)state;
	/* 4 of 32 GiB on one node, and little or half of 8 GiB on the second */
	assert_true(is_found(UNEVEN_USED("1073741824"), "memory-over-asked"));
	assert_false(is_found(UNEVEN_USED("4294967295"), "memory-over-asked"));
}

/* More memory would keep more of the files cached, but they are never read again. */
static void room_made_for_file_cache_is_no_lack_of_memory(void **state)
{
#define RECLAIM(used, more) "{'used': {'reclaim_s': 6, 'reclaims': 9, 'memory_used_peak_bytes': " used more "}, 'nodes': [{'complete': true," \
	" 'allocated': {'cpus': 4, 'memory_limit_bytes': 8589934592}, 'used': {'memory_used_peak_bytes': " used "}}]}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_string_equal(hint(&report, RECLAIM("1048576", ""), "memory-reclaim"), "Its programs used 1.0 MiB, and file cache took the "
			    "rest: more memory helps only if the cache then holds data that is read again. Direct I/O or posix_fadvise keep large "
			    "files out of the cache.");
	assert_non_null(strstr(hint(&report, RECLAIM("4294967296", ""), "memory-reclaim"), "Ask for more memory"));
	assert_non_null(strstr(hint(&report, RECLAIM("1048576", ", 'memory_mapped_peak_bytes': 67108864"), "memory-reclaim"),
			       "Ask for more memory"));
	assert_non_null(strstr(hint(&report, RECLAIM("1048576", ", 'memory_swap_peak_bytes': 4096"), "memory-reclaim"), "Ask for more"));
}

/* The job had room, and the step did not get it. */
static void room_made_at_a_limit_of_a_step_is_for_srun_to_raise(void **state)
{
#define IN_STEP(limit, used) "{'used': {'reclaim_s': 6, 'reclaims': 9, 'memory_used_peak_bytes': 1048576}, 'nodes': [{'complete': true, 'allocated':" \
	" {'cpus': 4, 'memory_limit_bytes': 8589934592}, 'used': {'memory_used_peak_bytes': 1048576}}], 'steps': [{'id': '0', 'reclaim_s': 6," \
	" 'memory_limit_bytes': " limit ", 'memory_charged_peak_bytes': " limit ", 'memory_used_peak_bytes': " used "}]}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_string_equal(hint(&report, IN_STEP("104857600", "52428800"), "memory-reclaim"),
			    "Step 0 has a limit of its own, 100.0 MiB: let srun give it more (--mem).");
	assert_non_null(strstr(hint(&report, IN_STEP("104857600", "52428799"), "memory-reclaim"), "file cache took the rest"));
	assert_non_null(strstr(hint(&report, IN_STEP("8589934592", "8589934592"), "memory-reclaim"), "file cache took the rest"));
}

static void a_program_that_is_started_from_a_cold_disk_is_none_that_waits_for_pages(void **state)
{
	(void)state;
	assert_false(is_found("{'job': {'elapsed_s': 6}, 'states': {'active_s': 4, 'parallel_s': 0, 'on_cpu_s': 4, 'fault_io_s':"
			      " 2, 'bound': {'fault_io_s': 2}}}", "page-waits"));
	assert_true(is_found("{'job': {'elapsed_s': 60}, 'states': {'active_s': 40, 'parallel_s': 0, 'on_cpu_s': 40,"
			     " 'fault_io_s': 20, 'bound': {'fault_io_s': 20}}}", "page-waits"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_oom_kill_names_its_largest_victim),
		cmocka_unit_test(a_job_whose_script_was_killed_has_no_finding_of_idleness),
		cmocka_unit_test(what_was_killed_for_memory_was_not_killed_by_anything_else),
		cmocka_unit_test(after_an_oom_kill_no_memory_was_too_much),
		cmocka_unit_test(what_came_with_cpus_that_were_used_is_not_too_much),
		cmocka_unit_test(of_a_whole_node_there_is_no_more_and_no_less_to_ask_for),
		cmocka_unit_test(where_nothing_enforces_a_limit_none_is_near),
		cmocka_unit_test(the_fullest_node_says_how_much_memory_was_too_much),
		cmocka_unit_test(room_made_for_file_cache_is_no_lack_of_memory),
		cmocka_unit_test(room_made_at_a_limit_of_a_step_is_for_srun_to_raise),
		cmocka_unit_test(a_program_that_is_started_from_a_cold_disk_is_none_that_waits_for_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
