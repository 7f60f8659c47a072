/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each finding has its evidence; rules.c tests the thresholds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/case.h"

static struct json_object *found(struct json_object **report, const char *patch, const char *code)
{
	*report = case_report(patch);
	verdict_put(*report, NULL);
	return case_find(*report, "findings", "code", code);
}

static bool is_found(const char *patch, const char *code)
{
	cleanup_json struct json_object *report = NULL;

	return found(&report, patch, code);
}

static void assert_number(struct json_object *finding, const char *name, double expected)
{
	double value = NAN;

	field_number(case_find(finding, "evidence", "name", name), "value", &value);
	if (!(fabs(value - expected) < 1e-6 * (1 + fabs(expected))))
		fail_msg("%s is %g, not %g: %s", name, value, expected, json_object_to_json_string(finding));
}

static void assert_text(struct json_object *finding, const char *name, const char *expected)
{
	const char *text = field_text(case_find(finding, "evidence", "name", name), "value");

	assert_non_null(text);
	assert_string_equal(text, expected);
}

static void of_a_sound_job_nothing_is_found(void **state)
{
	cleanup_json struct json_object *report = case_report(NULL);

	(void)state;
	verdict_put(report, NULL);
	assert_int_equal(field_length(field_find(report, "findings")), 0);
	assert_int_equal(field_length(field_find(report, "advice")), 0);
}

static void a_finding_has_all_its_parts(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding = found(&report, "{'used': {'syscall_reads': 200000, 'cpu_s': 2}}", "small-reads");
	double value;

	(void)state;
	assert_string_equal(field_text(finding, "severity"), "warning");
	assert_non_null(field_text(finding, "hint"));
	assert_true(field_number(finding, "threshold.small_io_bytes", &value) && fabs(value - 4096) < 1e-9);
	assert_true(field_number(finding, "threshold.small_io_ops", &value) && fabs(value - 100000) < 1e-9);
	assert_number(finding, "syscall_reads", 200000);
	assert_number(finding, "mean_bytes", 45);
	assert_number(finding, "per_cpu_s", 100000);
	assert_string_equal(field_text(case_find(finding, "evidence", "name", "mean_bytes"), "unit"), "bytes");
}

static void the_worst_stands_first(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *list;

	(void)state;
	found(&report, "{'job': {'state': 'TIMEOUT'}, 'requested': {'time_limit_s': 100},"
	      " 'used': {'oom_kills': 1, 'syscall_reads': 200000, 'cpu_s': 2},"
	      " 'tools': [{'slurm': false, 'runs': 1, 'failures': 1}]}", "");
	list = field_find(report, "findings");
	assert_int_equal(field_length(list), 4);
	assert_string_equal(field_text(json_object_array_get_idx(list, 0), "code"), "oom-kill");
	assert_string_equal(field_text(json_object_array_get_idx(list, 1), "code"), "time-limit-hit");
	assert_string_equal(field_text(json_object_array_get_idx(list, 2), "code"), "small-reads");
	assert_string_equal(field_text(json_object_array_get_idx(list, 3), "code"), "tools-failed");
}

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
	/* counted, but no victim is named */
	finding = found(&counted, "{'used': {'oom_kills': 3}}", "oom-kill");
	assert_number(finding, "oom_kills", 3);
	assert_null(case_find(finding, "evidence", "name", "tool"));
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
	/* where it may have used more, that counts */
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

static void of_whole_nodes_nothing_is_too_much(void **state)
{
	cleanup_json struct json_object *printed = NULL;

	(void)state;
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000}, 'allocated': {'exclusive': true}}", "memory-over-asked"));
	assert_true(is_found("{'progress': {'cores_unused': [1, 2]}}", "cores-unused"));
	/* those of a node that did nothing are not said once more */
	assert_false(is_found("{'progress': {'cores_unused': [1, 2], 'cores_used': 2}, 'nodes': [{'name': 'n1', 'allocated': {'cpus': 2,"
			      " 'cores_bound': 2, 'cores_used': 2}, 'used': {'cpu_s': 200}}, {'name': 'n2', 'allocated': {'cpus': 2,"
			      " 'cores_bound': 2, 'cores_used': 0}, 'used': {'cpu_s': 0.1}}], 'allocated': {'nodes': 2}}", "cores-unused"));
	/* one element of the list can be several that are printed already */
	assert_number(found(&printed, "{'progress': {'cores_unused': [1], 'cores_used': 1}}", "cores-unused"), "cores_unused", 3);
	assert_false(is_found("{'progress': {'cores_unused': [1, 2]}, 'allocated': {'exclusive': true}}", "cores-unused"));
}

static const char *hint(struct json_object **report, const char *patch, const char *code)
{
	json_object_put(*report);
	return field_text(found(report, patch, code), "hint");
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
		/* short ones of a job that was cut: not known */
		{ ONE_BUSY("'runs': 1"), OPTION },
		/* threads that the runtime starts for itself */
		{ ONE_BUSY("'interpreter': 'java', 'threads_peak': 20"), OPTION },
		{ "{'states': {'on_cpu_s': 110, 'parallel_s': 10}}", OPTION },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(hint(&report, jobs[i].patch, "serial-on-many-cores"), jobs[i].hint);
#define WHOLE_NODE(threads) "{'allocated': {'exclusive': true}, 'used': {'cpu_efficiency': 0.3, 'cpu_wasted_core_hours': 12.5}, 'tools':" \
		" [{'name': 'solve', 'cpu_s': 100, 'threads_peak': " threads "}]}"
	assert_string_equal(hint(&report, WHOLE_NODE("4"), "cpu-efficiency-low"),
			    "solve had 4 threads, but they did not keep the CPUs busy: see what they waited for, or run several at once.");
	assert_non_null(strstr(hint(&report, WHOLE_NODE("1"), "cpu-efficiency-low"), "use the program's option for threads"));
}

static void who_has_too_many_threads_is_told_which_program_has_them(void **state)
{
#define GENERAL "Start as many threads as there are CPUs: the program's option for threads, make -j and the like."
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
		/* a pool of eight processes, whose parent has threads that watch them */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'runs': 1, 'forks': 8, 'threads_peak': 5, 'wall_s': 99, 'states':"
		  " {'on_cpu_s': 396, 'runnable_s': 396}}]}", GENERAL },
		/* Slurm's own */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'slurm': true, 'threads_peak': 8, 'wall_s': 1, 'states':"
		  " {'on_cpu_s': 4, 'runnable_s': 4}}]}", GENERAL },
		/* four tasks, each with as many threads as the node has CPUs */
		{ "{'states': {'runnable_s': 1200}, 'steps': [{'id': '0', 'task_count': 4}], 'requested': {'tasks': 4}, "
		  TOOL("4", "400", "1200", "400") "}", "solve had 4 threads for 1 CPU: use its option for threads to start fewer." },
		/* OMP_NUM_THREADS reaches it */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'name': 'solve', 'threads_peak': 8, 'wall_s': 99, 'blas_processes': 1,"
		  " 'states': {'on_cpu_s': 396, 'runnable_s': 396}}]}",
		  "solve had 8 threads for 4 CPUs: set OMP_NUM_THREADS, or use its option for threads to start fewer." },
		/* not by its threads, but by its processes */
		{ "{'states': {'runnable_s': 400}, 'tools': [{'name': 'cc1', 'threads_peak': 1}]}", GENERAL },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(hint(&report, jobs[i].patch, "oversubscribed"), jobs[i].hint);
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
	/* nor do its pages wait for memory */
	assert_string_equal(field_text(report, "verdict.bound"), "file-io");
	verdict_put(limited, NULL);
	assert_string_equal(field_text(limited, "verdict.bound"), "memory");
	/* what it asked for, and no more */
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
	/* 4 of 32 GiB on one, and little or half of 8 GiB on the other */
	assert_true(is_found(UNEVEN_USED("1073741824"), "memory-over-asked"));
	assert_false(is_found(UNEVEN_USED("4294967295"), "memory-over-asked"));
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
		/* no binding would help: they are too many for all cores */
		{ "{'states': {'on_cpu_s': 300, 'runnable_s': 300}, 'progress': {'cores_unused': [1]}}", 0 },
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200}}", 2 },
		/* no other work has the CPUs: a quota is the reason */
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200, 'throttled_s': 199}}", 3 },
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 600, 'throttled_s': 400}}", 3 },
		/* as many threads as CPUs, and daemons; and in bursts too many */
		{ "{'states': {'on_cpu_s': 390, 'runnable_s': 40}}", -1 },
		{ "{'states': {'on_cpu_s': 160, 'runnable_s': 240, 'parallel_s': 20}}", -1 },
		/* the cpuset is the node's, not the job's: what others use of it is no waste of this job's */
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200}, 'allocated': {'cores': 64},"
		  " 'progress': {'cores_unused': [1, 2, 3]}}", 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		for (int c = 0; c < 4; c++)
			if (is_found(jobs[i].patch, codes[c]) != (jobs[i].code == c))
				fail_msg("%s: %s", jobs[i].patch, codes[c]);
	/* too many of its own, and others besides: both are told */
	assert_true(is_found("{'states': {'on_cpu_s': 120, 'runnable_s': 1480}}", "oversubscribed"));
	assert_true(is_found("{'states': {'on_cpu_s': 120, 'runnable_s': 1480}}", "cpu-starved"));
	assert_false(is_found("{'states': {'on_cpu_s': 281, 'runnable_s': 1319}}", "cpu-starved")); /* 29.75 % of what they could have had */
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
	/* a single thread leaves more to nobody than others took: three cores for 60 of 100 s */
	assert_true(is_found("{'states': {'on_cpu_s': 60, 'runnable_s': 40, " ALONE "}}", "serial-on-many-cores"));
	assert_true(is_found("{'states': {'on_cpu_s': 60, 'runnable_s': 40, " ALONE "}}", "cpu-starved"));
	/* below what makes it starved, it would have used half of it */
	assert_false(is_found("{'used': {'cpu_efficiency': 0.45, 'cpu_wasted_core_hours': 1}, 'states': {'on_cpu_s': 180,"
			      " 'runnable_s': 20}}", "cpu-efficiency-low"));
	assert_true(is_found("{'used': {'cpu_efficiency': 0.45, 'cpu_wasted_core_hours': 1}, 'states': {'on_cpu_s': 180,"
			     " 'runnable_s': 19.9}}", "cpu-efficiency-low"));
	/* nor are its CPUs too many */
	assert_false(is_found("{'nodes': [{'allocated': {'cpus': 4}, 'used': {'cpu_s': 390}}, {'allocated': {'cpus': 4},"
			      " 'used': {'cpu_s': 1}, 'states': {'runnable_s': 7}}]}", "node-idle"));
	assert_true(is_found("{'nodes': [{'allocated': {'cpus': 4}, 'used': {'cpu_s': 390}}, {'allocated': {'cpus': 4},"
			     " 'used': {'cpu_s': 1}, 'states': {'runnable_s': 6.9}}]}", "node-idle"));
}

/* Of two CPUs that are one core, a thread alone uses half of the time at most: that is all of the core. */
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
	/* not bound to any, or not known */
	assert_true(is_found(ON_CORES("64", "0.4999"), "cpu-efficiency-low"));
	assert_true(is_found(ON_CORES("null", "0.4999"), "cpu-efficiency-low"));
	/* so does what others took: 40 s of 2 cores for 100 s */
#define KEPT(runnable_s) "{'allocated': {'cpus': 4, 'cores': 2}, 'used': {'cpu_efficiency': 0.15, 'cpu_wasted_core_hours': 1}," \
		" 'states': {'on_cpu_s': 160, 'runnable_s': " runnable_s "}}"
	assert_false(is_found(KEPT("40"), "cpu-efficiency-low"));
	assert_true(is_found(KEPT("39.9"), "cpu-efficiency-low"));
}

/* A program reads what another writes: no option makes them fewer, and they wait for a CPU because each has something to do. */
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
		/* make -j16 and pigz, with what reads them; a script that waited for all of that */
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

/* More memory would have held more of the files, and nobody looks at them again. */
static void room_made_for_file_cache_is_no_lack_of_memory(void **state)
{
#define RECLAIM(used, more) "{'used': {'reclaim_s': 6, 'reclaims': 9, 'memory_used_peak_bytes': " used more "}, 'nodes': [{'complete': true," \
	" 'allocated': {'cpus': 4, 'memory_limit_bytes': 8589934592}, 'used': {'memory_used_peak_bytes': " used "}}]}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_string_equal(hint(&report, RECLAIM("1048576", ""), "memory-reclaim"), "Its programs used 1.0 MiB, and file cache took the "
			    "rest: more memory helps only if it then holds what is read again. Direct I/O or posix_fadvise keep large "
			    "files out of the cache.");
	assert_non_null(strstr(hint(&report, RECLAIM("4294967296", ""), "memory-reclaim"), "Ask for more memory"));
	assert_non_null(strstr(hint(&report, RECLAIM("1048576", ", 'memory_mapped_peak_bytes': 67108864"), "memory-reclaim"),
			       "Ask for more memory"));
	assert_non_null(strstr(hint(&report, RECLAIM("1048576", ", 'memory_swap_peak_bytes': 4096"), "memory-reclaim"), "Ask for more"));
}

/* javac and node on one CPU: of a second or two there is nothing to tell. */
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
	/* a reader, and workers that wait for what it reads while they work in parallel: no lock */
	assert_false(is_found("{'states': {'on_cpu_s': 250, 'parallel_s': 90, 'turns_s': 100}}", "lock-contention"));
}

static void of_a_job_too_short_for_a_verdict_no_share_is_told(void **state)
{
	static const char *const codes[] = {
		"memory-reclaim", "page-waits", "oversubscribed", "cpu-throttled", "lock-contention",
		"network-file-system-waits", "synchronous-writes",
	};
	/* of each finding the numbers, for a job of so many seconds; one of the CPU's at a time */
	static const char *const states[] = {
		"'runnable_s': 10, 'on_cpu_s': 5", "'runnable_s': 10, 'on_cpu_s': 0.1, 'throttled_s': 10",
	};
	static const double lengths[] = { 0.09, 0.11 };
	unsigned int found[2] = { 0, 0 };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (size_t s = 0; s < sizeof(states) / sizeof(states[0]); s++) {
			char patch[1024];

			snprintf(patch, sizeof(patch),
				 "{'job': {'elapsed_s': 1}, 'states': {%s, 'active_s': %g,"
				 " 'parallel_s': %g, 'lock_s': 0.3, 'fault_io_s': 9, 'some': {'lock_s': 1}, 'waits': {'lock': 999}},"
				 " 'used': {'reclaim_s': 9, 'sync_wait_s': 9, 'sync_waits': 999, 'file_systems': [{'type': 'nfs4', 'class': 'network', 'wait_s': 9}]}}",
				 states[s], lengths[i], lengths[i]);
			for (size_t c = 0; c < sizeof(codes) / sizeof(codes[0]); c++)
				if (is_found(patch, codes[c]))
					found[i] |= 1U << c;
		}
	assert_int_equal(found[0], 0);
	assert_int_equal(found[1], (1U << sizeof(codes) / sizeof(codes[0])) - 1);
}

static void findings_are_listed_by_severity_whatever_their_numbers(void **state)
{
	/* one of each */
	cleanup_json struct json_object *report = case_report(
		"{'oom': [{'comm': 'a'}], 'used': {'sync_wait_s': 50, 'sync_waits': 1000}, 'tools': [{'name': 'grep', 'slurm': false,"
		" 'runs': 1, 'forks': 0, 'failures': 1, 'signals': 0, 'wall_s': 1}]}");
	static const char *const expected[] = { "oom-kill", "synchronous-writes", "tools-failed" };
	struct json_object *list;

	(void)state;
	verdict_put(report, NULL);
	list = field_typed(report, "findings", json_type_array);
	assert_int_equal(field_length(list), 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(field_text(json_object_array_get_idx(list, i), "code"), expected[i]);
}

static void a_program_that_is_started_from_a_cold_disk_is_none_that_waits_for_pages(void **state)
{
	(void)state;
	assert_false(is_found("{'job': {'elapsed_s': 6}, 'states': {'active_s': 4, 'parallel_s': 0, 'on_cpu_s': 4, 'fault_io_s':"
			      " 2, 'bound': {'fault_io_s': 2}}}", "page-waits"));
	assert_true(is_found("{'job': {'elapsed_s': 60}, 'states': {'active_s': 40, 'parallel_s': 0, 'on_cpu_s': 40,"
			     " 'fault_io_s': 20, 'bound': {'fault_io_s': 20}}}", "page-waits"));
}

static void calls_that_cost_next_to_nothing_of_a_long_job_are_not_too_small(void **state)
{
	(void)state;
	/* a build of an hour on four cores: its shells read their scripts byte by byte */
	assert_false(is_found("{'job': {'elapsed_s': 3600}, 'used': {'cpu_s': 14000, 'syscall_reads': 9000000}}",
			      "small-reads"));
	assert_true(is_found("{'job': {'elapsed_s': 60}, 'used': {'cpu_s': 60, 'syscall_reads': 9000000}}", "small-reads"));
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

static void the_idle_node_is_named(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding = found(&report,
		"{'nodes': [{'name': 'n1', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 390}},"
		" {'name': 'n2', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1}}, {'name': 'n3', 'complete': false},"
		" {'name': 'n4', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1}}]}", "node-idle");

	(void)state;
	assert_number(finding, "nodes_idle", 2);
	assert_text(finding, "node", "n2");
	assert_number(finding, "busiest_cpu_share", 0.975);
}

static void network_file_systems_are_told_together(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding = found(&report,
		"{'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 99, 'waits': 99, 'opens': "
		"99999},"
		" {'type': 'nfs4', 'class': 'network', 'wait_s': 6, 'waits': 60, 'opens': 100},"
		" {'type': 'lustre', 'class': 'network', 'wait_s': 14, 'waits': 40, 'opens': 100}]}}",
		"network-file-system-waits");

	(void)state;
	assert_text(finding, "file_system", "lustre");
	assert_number(finding, "wait_s", 20);
	assert_number(finding, "waits", 100);
	assert_number(finding, "wait_mean_s", 0.2);
	/* those on the node's own disk do no harm */
	assert_null(case_find(report, "findings", "code", "network-file-system-opens"));
	assert_false(is_found("{'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 99}]}}",
			      "network-file-system-waits"));
}

/* How many calls waited is not known, and the node's own disk is no advice to who already writes there. */
static void who_waits_for_fsync_is_sent_to_another_disk_only_from_a_network_file_system(void **state)
{
#define SYNCED(class) "{'used': {'sync_wait_s': 50, 'sync_waits': 1000, 'file_systems': [{'type': 'x', 'class': '" class "', 'wait_s': 51}]}}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_non_null(strstr(hint(&report, SYNCED("network"), "synchronous-writes"), "$TMPDIR"));
	assert_null(strstr(hint(&report, SYNCED("local"), "synchronous-writes"), "$TMPDIR"));
	assert_null(strstr(hint(&report, SYNCED("unknown"), "synchronous-writes"), "$TMPDIR"));
	assert_null(strstr(hint(&report, "{'used': {'sync_wait_s': 50, 'sync_waits': 1000}}", "synchronous-writes"), "$TMPDIR"));
}

/* Small files are read in small pieces by whoever reads them: the report cannot tell them from small reads of large files. */
static void small_files_have_an_advice_of_their_own(void **state)
{
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_non_null(strstr(hint(&report, "{'used': {'syscall_reads': 200000, 'cpu_s': 2}}", "small-reads"),
			       "If the files themselves are small"));
	assert_non_null(strstr(hint(&report, "{'used': {'syscall_writes': 200000, 'cpu_s': 2}}", "small-writes"),
			       "If the files themselves are small"));
}

static void what_asynchronous_io_moved_is_no_small_read(void **state)
{
	(void)state;
	assert_false(is_found("{'used': {'cpu_s': 2, 'syscall_reads': 200000, 'syscall_read_bytes': 900000000}}", "small-reads"));
	assert_true(is_found("{'used': {'cpu_s': 2, 'syscall_reads': 200000, 'syscall_read_bytes': 900000000,"
			     " 'async_read_bytes': 899000000}}", "small-reads"));
}

static void what_a_fuse_server_reads_and_writes_is_as_large_as_its_requests(void **state)
{
#define SERVED(name, calls) "{'used': {'cpu_s': 3, 'syscall_reads': 200000, 'syscall_read_bytes': 20000000, 'syscall_writes': 200000," \
		" 'syscall_write_bytes': 20000000}, 'tools': [{'name': '" name "', 'cpu_s': 2, 'syscall_reads': " calls "," \
		" 'syscall_read_bytes': 10000000, 'syscall_writes': " calls ", 'syscall_write_bytes': 10000000}]}"
	static const char *const codes[] = { "small-reads", "small-writes" };

	(void)state;
	for (int c = 0; c < 2; c++) {
		assert_true(is_found(SERVED("cat", "199000"), codes[c]));
		assert_false(is_found(SERVED("squashfuse", "199000"), codes[c]));
		assert_false(is_found(SERVED("sshfs", "199000"), codes[c]));
		/* what others did is found */
		assert_true(is_found(SERVED("squashfuse", "50000"), codes[c]));
	}
}

static void what_was_not_counted_may_have_used_what_seems_unused(void **state)
{
#define PART_GONE(gap) "{'complete': false, 'gaps': [{'name': '" gap "', 'reason': 'of a kind'}], 'states': {'on_cpu_s': 2, 'active_s': 2," \
		" 'parallel_s': 0}, 'progress': {'idle_tail_s': 80}, 'used': {'cpu_s': 2, 'cpu_efficiency': 0.005," \
		" 'cpu_wasted_core_hours': 12}}"
	static const char *const codes[] = { "cpu-efficiency-low" };
	cleanup_json struct json_object *moved = case_report(PART_GONE("used")), *other = case_report(PART_GONE("series"));

	(void)state;
	for (size_t c = 0; c < sizeof(codes) / sizeof(codes[0]); c++) {
		assert_false(is_found(PART_GONE("used"), codes[c]));
		assert_true(is_found(PART_GONE("series"), codes[c]));
	}
	verdict_put(moved, NULL);
	verdict_put(other, NULL);
	assert_string_equal(field_text(moved, "verdict.bound"), "unknown");
	assert_string_equal(field_text(other, "verdict.bound"), "idle");
}

#define KILLED(name, signal) "{'tools': [{'name': '" name "', 'slurm': false, 'runs': 2, 'failures': 1, 'signals': 1}]," \
	" 'timeline': [{'tool': '" name "', 'signal': " signal "}]}"

#define ENDED(code, more) \
	"{'job': {'exit_code': " code "}, 'steps': [{'id': 'batch', 'tasks': [{'pid': 7}]}], 'timeline': [{'tool': 'x.sh', " more "}]}"
#define CHILD(interpreter, step, parent, code) \
	"'interpreter': '" interpreter "', 'step': '" step "', 'pid': 8, 'ppid': " parent ", 'forked': true, 'exit_code': " code

static void a_command_that_the_script_did_not_find_is_told(void **state)
{
	static const char code[] = "commands-not-found";

	(void)state;
	assert_true(is_found(ENDED("0", CHILD("bash", "batch", "7", "127")), code));
	assert_true(is_found(ENDED("1", CHILD("dash", "batch", "7", "126")), code));
	assert_false(is_found(ENDED("0", CHILD("bash", "batch", "7", "125")), code));
	assert_false(is_found(ENDED("0", CHILD("bash", "batch", "7", "128")), code));
	/* other scripts, such as configure, try what there is */
	assert_false(is_found(ENDED("0", CHILD("bash", "batch", "6", "127")), code));
	assert_false(is_found(ENDED("0", CHILD("bash", "0", "7", "127")), code));
	/* no shell */
	assert_false(is_found(ENDED("0", CHILD("python3", "batch", "7", "127")), code));
	/* a program of its own */
	assert_false(is_found(ENDED("0", "'interpreter': 'bash', 'step': 'batch', 'pid': 8, 'ppid': 7, 'exit_code': 127"), code));
	/* it is the job's end, which the first line is about */
	assert_false(is_found(ENDED("127", CHILD("bash", "batch", "7", "127")), code));
	assert_false(is_found(ENDED("126", CHILD("bash", "batch", "7", "126")), code));
}

static void who_sent_a_signal_is_asked_only_if_somebody_may_have(void **state)
{
	static const struct {
		const char *patch, *hint;
	} jobs[] = {
		{ KILLED("solve", "9"), "If you did not end it, look" },
		{ KILLED("solve", "6"), "It crashed: a bug or bad input." },
		{ KILLED("solve", "11"), "It crashed: a bug or bad input." },
		{ KILLED("solve", "24"), "It reached the limit of CPU time" },
		{ KILLED("solve", "25"), "A file grew beyond the limit" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		cleanup_json struct json_object *report = NULL;
		const char *hint = field_text(found(&report, jobs[i].patch, "tools-killed"), "hint");

		if (!hint || strncmp(hint, jobs[i].hint, strlen(jobs[i].hint)) != 0)
			fail_msg("the hint of %s is: %s", jobs[i].patch, hint ? hint : "none");
	}
}

static void tools_are_the_users_own(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding = found(&report,
		"{'tools': [{'name': 'slurmstepd', 'slurm': true, 'runs': 9, 'failures': 9, 'signals': 9},"
		" {'name': 'grep', 'slurm': false, 'runs': 4, 'failures': 2, 'signals': 0},"
		" {'name': 'killed', 'slurm': false, 'runs': 3, 'failures': 3, 'signals': 3},"
		" {'name': 'solve', 'slurm': false, 'runs': 9, 'failures': 4, 'signals': 1}]}", "tools-failed");

	(void)state;
	assert_text(finding, "tool", "solve");
	assert_number(finding, "tools", 2);
	assert_number(finding, "failures", 3);
	assert_number(finding, "runs", 9);
	finding = case_find(report, "findings", "code", "tools-killed");
	assert_text(finding, "tool", "killed");
	/* each kill is reported once */
	assert_false(is_found("{'tools': [{'slurm': false, 'runs': 1, 'failures': 1, 'signals': 1}]}", "tools-failed"));
	assert_true(is_found("{'tools': [{'slurm': false, 'runs': 1, 'failures': 1}]}", "tools-failed"));
	assert_false(is_found("{'tools': [{'slurm': false, 'runs': 1, 'failures': 1}]}", "tools-killed"));
	/* timeout --signal=KILL kills itself, too */
	assert_false(is_found(KILLED("timeout", "9"), "tools-killed"));
	assert_true(is_found(KILLED("timeout", "11"), "tools-killed"));
	assert_true(is_found(KILLED("time", "9"), "tools-killed"));
	assert_number(finding, "tools", 2);
	assert_number(finding, "signals", 3);
}

#define FAILS(name, failures) "{'name': '" name "', 'slurm': false, 'runs': 9, 'failures': " failures ", 'signals': 0}"
#define AT_END(tool, pid, ppid, code) \
	"{'tool': '" tool "', 'node': 'n1', 'step': 'batch', 'pid': " pid ", 'ppid': " ppid ", 'exit_code': " code ","      \
	" 'end': '2026-11-22T13:35:00.000+00:00'}"

/* Whatever failed more often: what may have been an answer, or have failed because of something else, comes after what failed itself. */
static void the_culprit_is_named_before_engines_and_answers(void **state)
{
	cleanup_json struct json_object *some = NULL, *engines = NULL, *launcher = NULL, *failed = NULL;
	struct json_object *finding;

	(void)state;
	finding = found(&some, "{'tools': [" FAILS("false", "5") "," FAILS("snakemake", "3") "," FAILS("bash", "4") ","
			FAILS("solve", "1") "]}", "tools-failed");
	assert_text(finding, "tool", "solve");
	assert_number(finding, "tools", 4);
	assert_number(finding, "failures", 1);
	finding = found(&engines, "{'tools': [" FAILS("srun", "6") "," FAILS("grep", "5") "," FAILS("make", "1") "]}", "tools-failed");
	assert_text(finding, "tool", "make");
	finding = found(&launcher, "{'tools': [" FAILS("srun", "6") "," FAILS("grep", "5") "]}", "tools-failed");
	assert_text(finding, "tool", "grep");
	finding = found(&failed, "{'job': {'state': 'FAILED', 'exit_code': 1}, 'tools': [" FAILS("solve", "8") "," FAILS("make", "1") ","
			FAILS("cp", "1") "], 'steps': [{'id': 'batch', 'tasks': [{'pid': 7}]}], 'timeline': ["
			AT_END("x.sh", "7", "1", "1") "," AT_END("make", "8", "7", "1") "," AT_END("cp", "9", "8", "3") "]}", "tools-failed");
	assert_text(finding, "tool", "cp");
}

#define SCRIPT_IN(state) \
	"{'job': {'state': '" state "'}, 'tools': [{'name': 'run.sh', 'path': '/spool/job00007/slurm_script', 'slurm': false," \
	" 'runs': 1, 'failures': 1}]}"

static void how_the_script_of_a_failed_job_ended_is_no_finding_beside_its_outcome(void **state)
{
	(void)state;
	assert_false(is_found(SCRIPT_IN("FAILED"), "tools-failed"));
	assert_false(is_found(SCRIPT_IN("OUT_OF_MEMORY"), "tools-failed"));
	assert_true(is_found(SCRIPT_IN("COMPLETED"), "tools-failed"));
	/* whose outcome is about something else */
	assert_true(is_found(SCRIPT_IN("NODE_FAIL"), "tools-failed"));
	assert_true(is_found(SCRIPT_IN("REQUEUED"), "tools-failed"));
}

static void more_time_is_no_advice_for_a_job_that_was_idle_when_its_time_ended(void **state)
{
	cleanup_json struct json_object *busy = NULL, *idle = NULL;

	(void)state;
	assert_non_null(strstr(field_text(found(&busy, "{'job': {'state': 'TIMEOUT'}}", "time-limit-hit"), "hint"),
			       "more time"));
	assert_null(strstr(field_text(found(&idle, "{'job': {'state': 'TIMEOUT'}, 'progress': {'idle_tail_s': 60}}",
					    "time-limit-hit"), "hint"), "more time"));
}

#define STOPPED_AT(end) \
	"{'job': {'state': 'CANCELLED', 'end': '2026-11-22T13:35:00.000+00:00'}, 'tools': [{'name': 'solve'," \
	" 'slurm': false, 'runs': 2, 'failures': 2, 'signals': 2, 'last_end': '2026-11-22T13:" end "+00:00'}]}"

/* In the same millisecond as the script's end, @ns after it began. */
#define ENDED_WITH_THE_SCRIPT(ns) \
	"{'tools': [{'name': 'solve', 'slurm': false, 'runs': 1, 'failures': 1, 'signals': 1}], 'steps': [{'id': 'batch', 'tasks':"     \
	" [{'pid': 7}]}], 'timeline': [{'step': 'batch', 'pid': 7, 'exit_code': 0, 'end': '2026-11-22T13:35:00.000+00:00',"              \
	" 'end_unix_ns': 1795354500000300000}, {'tool': 'solve', 'step': 'batch', 'pid': 8, 'signal': 9,"                                 \
	" 'end': '2026-11-22T13:35:00.000+00:00', 'end_unix_ns': 1795354500000" ns "}]}"

#define LEFT_BEHIND \
	"{'tools': [{'name': 'solve', 'slurm': false, 'runs': 1, 'failures': 1, 'signals': 1}], 'steps': [{'id': 'batch', 'tasks':" \
	" [{'pid': 7}]}], 'timeline': [{'step': 'batch', 'pid': 7, 'exit_code': 0, 'end': '2026-11-22T13:35:00.000+00:00'}, {'tool': 'solve'," \
	" 'step': 'batch', 'pid': 8, 'signal': 9, 'end': '2026-11-22T13:35:00.002+00:00'}]}"

static void what_slurm_ended_with_the_job_was_not_killed_by_anything_else(void **state)
{
	cleanup_json struct json_object *killed = NULL, *left = NULL, *before = NULL, *after = NULL;

	(void)state;
	assert_false(is_found(STOPPED_AT("35:00.498"), "tools-killed"));
	assert_false(is_found(STOPPED_AT("35:00.498"), "tools-failed"));
	assert_true(is_found(STOPPED_AT("34:59.998"), "tools-killed")); /* the job went on without it */
	assert_null(strstr(field_text(found(&killed, STOPPED_AT("34:59.998"), "tools-killed"), "hint"), "let the script wait"));
	assert_non_null(strstr(field_text(found(&left, LEFT_BEHIND, "tools-killed"), "hint"), "let the script wait"));
	assert_null(strstr(field_text(found(&before, ENDED_WITH_THE_SCRIPT("299999"), "tools-killed"), "hint"), "let the script wait"));
	assert_non_null(strstr(field_text(found(&after, ENDED_WITH_THE_SCRIPT("300001"), "tools-killed"), "hint"), "let the script wait"));
	assert_true(is_found("{'job': {'state': 'FAILED', 'end': '2026-11-22T13:35:00.000+00:00'}, 'tools': [{'slurm': false,"
			     " 'runs': 1, 'failures': 1, 'signals': 1, 'last_end': '2026-11-22T13:35:00.498+00:00'}]}",
			     "tools-killed"));
}

static void a_shell_that_lives_on_is_no_storm(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding = found(&report,
		"{'job': {'elapsed_s': 20}, 'states': {'active_s': 20, 'on_cpu_s': 80}, 'used': {'processes': 1200}, 'tools': ["
		" {'name': 'bash', 'slurm': false, 'runs': 1, 'forks': 900, 'wall_s': 100},"
		" {'name': 'srun', 'slurm': false, 'runs': 1, 'forks': 0, 'wall_s': 100},"
		" {'name': 'sed', 'slurm': false, 'runs': 900, 'forks': 0, 'wall_s': 9},"
		" {'name': 'cut', 'slurm': false, 'runs': 1100, 'forks': 0, 'wall_s': 11}]}", "process-storm");

	(void)state;
	/* two programs of one process are two runs and one start */
	assert_number(finding, "processes", 1200);
	assert_number(finding, "processes_per_s", 60);
	assert_number(finding, "life_mean_s", 20 / 1200.0);
	assert_text(finding, "tool", "cut");
	/* ten compilers a second, each of a second */
	assert_false(is_found("{'tools': [{'slurm': false, 'runs': 1000, 'forks': 0, 'wall_s': 1000}]}",
	"process-storm"));
}

/* Threads wait for a GPU as they wait for anything else, and what it does meanwhile is not counted. */
static void a_job_with_gpus_is_not_said_to_have_done_nothing(void **state)
{
#define WITH(gpus, patch) "{'allocated': {'gpus': " gpus "}, " patch "}"
	static const struct {
		const char *with, *without, *code;
	} jobs[] = {
#define BOTH(patch, code) { WITH("1", patch), WITH("0", patch), code }
		BOTH("'progress': {'idle_head_s': 80}", "idle-head"),
		BOTH("'progress': {'idle_tail_s': 80}", "idle-tail"),
		BOTH("'job': {'elapsed_s': 1000}, 'states': {'active_s': 100, 'bound': {'event_s': 900}},"
		     " 'progress': {'stalls': [{'tool': 'train', 'pid': 2, 'quiet_s': 900}]}", "stalled"),
		BOTH("'nodes': [{'name': 'n1', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 390}},"
		     " {'name': 'n2', 'allocated': {'cpus': 4}, 'used': {'cpu_s': 1}}]", "node-idle"),
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		assert_false(is_found(jobs[i].with, jobs[i].code));
		assert_true(is_found(jobs[i].without, jobs[i].code));
	}
	assert_non_null(strstr(field_text(found(&report, WITH("1", "'job': {'state': 'TIMEOUT'}, 'progress': {'idle_tail_s': 60}"),
						"time-limit-hit"), "hint"), "more time"));
}

/* It needs a core for each GPU, and no more. */
static void a_core_for_each_gpu_is_no_waste(void **state)
{
#define HARDLY_USED "'used': {'cpu_efficiency': 0.05, 'cpu_wasted_core_hours': 90}"

	(void)state;
	assert_true(is_found(WITH("3", HARDLY_USED), "cpu-efficiency-low"));
	assert_false(is_found(WITH("4", HARDLY_USED), "cpu-efficiency-low"));
	assert_true(is_found(WITH("0", HARDLY_USED), "cpu-efficiency-low"));
}

static void who_waits_for_others_at_work_has_not_stalled(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding;

	(void)state;
#define STALLS                                                                \
	"'progress': {'stalls': [{'tool': 'run.sh', 'pid': 2, 'quiet_s': 900}," \
	" {'tool': 'solve', 'pid': 3, 'quiet_s': 890}]}"
	assert_false(is_found("{'job': {'elapsed_s': 1000}, 'states': {'active_s': 1000}, " STALLS "}", "stalled"));
	finding = found(&report, "{'job': {'elapsed_s': 1000}, 'states': {'active_s': 100, 'bound': {'event_s': 900}}, "
			STALLS "}", "stalled");
	assert_number(finding, "stalls", 2);
	assert_text(finding, "tool", "run.sh");
	assert_number(finding, "quiet_s", 900);
}

static void empty_steps_are_named_but_not_slurms(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding =
		found(&report, "{'progress': {'steps_without_processes': ['extern', '1', '4']}}",
		"steps-without-processes");

	(void)state;
	assert_number(finding, "steps", 2);
	assert_text(finding, "step", "1");
	assert_false(is_found("{'progress': {'steps_without_processes': ['extern']}}", "steps-without-processes"));
}

static void a_job_that_hit_its_time_limit_was_not_near_it(void **state)
{
	(void)state;
	assert_true(is_found("{'job': {'state': 'TIMEOUT', 'elapsed_s': 301}}", "time-limit-hit"));
	assert_false(is_found("{'job': {'state': 'TIMEOUT', 'elapsed_s': 301}}", "time-limit-near"));
	assert_false(is_found("{'job': {'elapsed_s': 299}}", "time-limit-hit"));
	assert_true(is_found("{'job': {'elapsed_s': 299}}", "time-limit-near"));
	/* a job of two seconds has no limit that is too long, and is near none of Slurm's whole minutes */
	assert_false(is_found("{'job': {'elapsed_s': 2}, 'states': {'active_s': 2}, 'requested': {'time_limit_s': 99999}}",
			      "time-limit-long"));
	assert_false(is_found("{'job': {'elapsed_s': 2}, 'states': {'active_s': 2}, 'requested': {'time_limit_s': 60}}",
			      "time-limit-near"));
	/* nor has one that did nothing */
	assert_false(is_found("{'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'parallel_s': 0, 'bound': {'sleep_s': 99.9}},"
			      " 'requested': {'time_limit_s': 99999}}", "time-limit-long"));
	/* no limit */
	assert_false(is_found("{'requested': {'time_limit_s': null}}", "time-limit-near"));
	assert_false(is_found("{'requested': {'time_limit_s': null}}", "time-limit-long"));
	/* it might have taken longer */
	assert_false(is_found("{'job': {'state': 'FAILED'}, 'requested': {'time_limit_s': 99999}}", "time-limit-long"));
	assert_true(is_found("{'requested': {'time_limit_s': 99999}}", "time-limit-long"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_sound_job_nothing_is_found),
		cmocka_unit_test(a_finding_has_all_its_parts),
		cmocka_unit_test(the_worst_stands_first),
		cmocka_unit_test(an_oom_kill_names_its_largest_victim),
		cmocka_unit_test(what_was_killed_for_memory_was_not_killed_by_anything_else),
		cmocka_unit_test(after_an_oom_kill_no_memory_was_too_much),
		cmocka_unit_test(what_came_with_cpus_that_were_used_is_not_too_much),
		cmocka_unit_test(of_whole_nodes_nothing_is_too_much),
		cmocka_unit_test(of_a_whole_node_there_is_no_more_and_no_less_to_ask_for),
		cmocka_unit_test(who_used_the_option_for_threads_is_not_told_to_use_it),
		cmocka_unit_test(who_has_too_many_threads_is_told_which_program_has_them),
		cmocka_unit_test(where_nothing_enforces_a_limit_none_is_near),
		cmocka_unit_test(the_fullest_node_says_how_much_memory_was_too_much),
		cmocka_unit_test(threads_are_crowded_or_too_many_or_starved),
		cmocka_unit_test(a_pipelines_programs_are_not_too_many_threads),
		cmocka_unit_test(room_made_for_file_cache_is_no_lack_of_memory),
		cmocka_unit_test(what_others_took_is_not_held_against_the_job),
		cmocka_unit_test(who_keeps_the_cores_busy_wastes_no_cpus),
		cmocka_unit_test(a_moment_on_the_run_queue_is_no_finding),
		cmocka_unit_test(threads_that_take_turns_are_no_one_thread),
		cmocka_unit_test(of_a_job_too_short_for_a_verdict_no_share_is_told),
		cmocka_unit_test(findings_are_listed_by_severity_whatever_their_numbers),
		cmocka_unit_test(a_program_that_is_started_from_a_cold_disk_is_none_that_waits_for_pages),
		cmocka_unit_test(calls_that_cost_next_to_nothing_of_a_long_job_are_not_too_small),
		cmocka_unit_test(waste_is_told_in_hours),
		cmocka_unit_test(the_idle_node_is_named),
		cmocka_unit_test(network_file_systems_are_told_together),
		cmocka_unit_test(who_waits_for_fsync_is_sent_to_another_disk_only_from_a_network_file_system),
		cmocka_unit_test(small_files_have_an_advice_of_their_own),
		cmocka_unit_test(what_asynchronous_io_moved_is_no_small_read),
		cmocka_unit_test(what_a_fuse_server_reads_and_writes_is_as_large_as_its_requests),
		cmocka_unit_test(what_was_not_counted_may_have_used_what_seems_unused),
		cmocka_unit_test(a_command_that_the_script_did_not_find_is_told),
		cmocka_unit_test(who_sent_a_signal_is_asked_only_if_somebody_may_have),
		cmocka_unit_test(tools_are_the_users_own),
		cmocka_unit_test(the_culprit_is_named_before_engines_and_answers),
		cmocka_unit_test(how_the_script_of_a_failed_job_ended_is_no_finding_beside_its_outcome),
		cmocka_unit_test(more_time_is_no_advice_for_a_job_that_was_idle_when_its_time_ended),
		cmocka_unit_test(what_slurm_ended_with_the_job_was_not_killed_by_anything_else),
		cmocka_unit_test(a_shell_that_lives_on_is_no_storm),
		cmocka_unit_test(a_job_with_gpus_is_not_said_to_have_done_nothing),
		cmocka_unit_test(a_core_for_each_gpu_is_no_waste),
		cmocka_unit_test(who_waits_for_others_at_work_has_not_stalled),
		cmocka_unit_test(empty_steps_are_named_but_not_slurms),
		cmocka_unit_test(a_job_that_hit_its_time_limit_was_not_near_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
