/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is found says what it was found on; the thresholds' own tests are in reports_rules.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports_case.h"

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
	struct json_object *finding = found(&report, "{'used': {'syscall_reads': 200000}}", "small-reads");
	double value;

	(void)state;
	assert_string_equal(field_text(finding, "severity"), "warning");
	assert_non_null(field_text(finding, "hint"));
	assert_true(field_number(finding, "threshold.small_io_bytes", &value) && fabs(value - 4096) < 1e-9);
	assert_true(field_number(finding, "threshold.small_io_ops", &value) && fabs(value - 100000) < 1e-9);
	assert_number(finding, "syscall_reads", 200000);
	assert_number(finding, "mean_bytes", 45);
	assert_string_equal(field_text(case_find(finding, "evidence", "name", "mean_bytes"), "unit"), "bytes");
}

static void the_worst_stands_first(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *list;

	(void)state;
	found(&report, "{'job': {'state': 'TIMEOUT'}, 'requested': {'time_limit_s': 100},"
	      " 'used': {'oom_kills': 1, 'syscall_reads': 200000},"
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
	/* counted, and no victim was told */
	finding = found(&counted, "{'used': {'oom_kills': 3}}", "oom-kill");
	assert_number(finding, "oom_kills", 3);
	assert_null(case_find(finding, "evidence", "name", "tool"));
}

static void after_an_oom_kill_no_memory_was_too_much(void **state)
{
	(void)state;
	assert_true(is_found("{'used': {'memory_used_peak_bytes': 1000}}", "memory-over-asked"));
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000, 'oom_kills': 1}}", "memory-over-asked"));
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000}, 'job': {'state': 'FAILED'}}",
			      "memory-over-asked"));
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000}, 'complete': false}", "memory-over-asked"));
	/* where it may have used more, that counts */
	assert_false(is_found("{'used': {'memory_used_peak_bytes': 1000, 'memory_used_peak_upper_bytes': 6442450944}}",
			      "memory-over-asked"));
}

static void threads_are_crowded_or_too_many_or_starved(void **state)
{
	static const char *const codes[] = { "oversubscribed", "threads-crowded", "cpu-starved" };
	static const struct {
		const char *patch;
		int code;
	} jobs[] = {
		{ "{'states': {'runnable_s': 400}}", 0 },
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}}", 1 },
		/* no binding would help: they are too many for all cores */
		{ "{'states': {'on_cpu_s': 300, 'runnable_s': 300}, 'progress': {'cores_unused': [1]}}", 0 },
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200}}", 2 },
		/* the cpuset is the node's, not the job's: what others use of it is no waste of this job's */
		{ "{'states': {'on_cpu_s': 200, 'runnable_s': 200}, 'allocated': {'cores': 64},"
		  " 'progress': {'cores_unused': [1, 2, 3]}}", 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		for (int c = 0; c < 3; c++)
			if (is_found(jobs[i].patch, codes[c]) != (jobs[i].code == c))
				fail_msg("%s: %s", jobs[i].patch, codes[c]);
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
	/* those on the node's own disk bother no one */
	assert_null(case_find(report, "findings", "code", "network-file-system-opens"));
	assert_false(is_found("{'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 99}]}}",
			      "network-file-system-waits"));
}

static void what_asynchronous_io_moved_is_no_small_read(void **state)
{
	(void)state;
	assert_false(is_found("{'used': {'syscall_reads': 200000, 'syscall_read_bytes': 900000000}}", "small-reads"));
	assert_true(is_found("{'used': {'syscall_reads': 200000, 'syscall_read_bytes': 900000000,"
			     " 'async_read_bytes': 899000000}}", "small-reads"));
}

static void tools_are_the_users_own(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding = found(&report,
		"{'tools': [{'name': 'slurmstepd', 'slurm': true, 'runs': 9, 'failures': 9, 'signals': 9},"
		" {'name': 'grep', 'slurm': false, 'runs': 4, 'failures': 2, 'signals': 0},"
		" {'name': 'solve', 'slurm': false, 'runs': 9, 'failures': 3, 'signals': 1}]}", "tools-failed");

	(void)state;
	assert_text(finding, "tool", "solve");
	assert_number(finding, "tools", 2);
	assert_number(finding, "failures", 3);
	assert_number(finding, "runs", 9);
	finding = case_find(report, "findings", "code", "tools-killed");
	assert_text(finding, "tool", "solve");
	assert_number(finding, "tools", 1);
	assert_number(finding, "signals", 1);
}

static void a_shell_that_lives_on_is_no_storm(void **state)
{
	cleanup_json struct json_object *report = NULL;
	struct json_object *finding = found(&report,
		"{'tools': [{'name': 'bash', 'slurm': false, 'runs': 1, 'forks': 0, 'wall_s': 100},"
		" {'name': 'srun', 'slurm': false, 'runs': 1, 'forks': 0, 'wall_s': 100},"
		" {'name': 'sed', 'slurm': false, 'runs': 900, 'forks': 0, 'wall_s': 9},"
		" {'name': 'cut', 'slurm': false, 'runs': 1100, 'forks': 0, 'wall_s': 11}]}", "process-storm");

	(void)state;
	assert_number(finding, "processes", 2000);
	assert_number(finding, "processes_per_s", 20);
	assert_number(finding, "life_mean_s", 0.01);
	assert_text(finding, "tool", "cut");
	/* ten compilers a second, each of a second */
	assert_false(is_found("{'tools': [{'slurm': false, 'runs': 1000, 'forks': 0, 'wall_s': 1000}]}",
	"process-storm"));
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
		cmocka_unit_test(after_an_oom_kill_no_memory_was_too_much),
		cmocka_unit_test(threads_are_crowded_or_too_many_or_starved),
		cmocka_unit_test(waste_is_told_in_hours),
		cmocka_unit_test(the_idle_node_is_named),
		cmocka_unit_test(network_file_systems_are_told_together),
		cmocka_unit_test(what_asynchronous_io_moved_is_no_small_read),
		cmocka_unit_test(tools_are_the_users_own),
		cmocka_unit_test(a_shell_that_lives_on_is_no_storm),
		cmocka_unit_test(who_waits_for_others_at_work_has_not_stalled),
		cmocka_unit_test(empty_steps_are_named_but_not_slurms),
		cmocka_unit_test(a_job_that_hit_its_time_limit_was_not_near_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
