/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that each finding has its evidence. findings_memory.c and findings_cpu.c have those of memory and CPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/findings_case.h"

static void of_a_sound_job_nothing_is_found(void **state)
{
	cleanup_json struct json_object *report = case_report(NULL);

	(void)state;
	judge(report, NULL);
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

static void of_a_job_too_short_for_a_verdict_no_share_is_told(void **state)
{
	static const char *const codes[] = {
		"memory-reclaim", "page-waits", "oversubscribed", "cpu-throttled", "lock-contention",
		"network-file-system-waits", "synchronous-writes",
	};
	/* the numbers of each finding, for a job of so many seconds; one finding about CPUs at a time */
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
	cleanup_json struct json_object *report = case_report(
		"{'oom': [{'comm': 'a'}], 'used': {'sync_wait_s': 50, 'sync_waits': 1000}, 'tools': [{'name': 'grep', 'slurm': false,"
		" 'runs': 1, 'forks': 0, 'failures': 1, 'signals': 0, 'wall_s': 1}]}");
	static const char *const expected[] = { "oom-kill", "synchronous-writes", "tools-failed" };
	struct json_object *list;

	(void)state;
	judge(report, NULL);
	list = field_typed(report, "findings", json_type_array);
	assert_int_equal(field_length(list), 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(field_text(json_object_array_get_idx(list, i), "code"), expected[i]);
}

/* A job that waits for a lock or a server can neither start at once nor end. */
static void what_was_idle_may_have_waited_for_something(void **state)
{
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_string_equal(hint(&report, "{'progress': {'idle_head_s': 60}}", "idle-head"),
			    "If the job waited for something, see what that was. Otherwise start the work at once.");
	assert_string_equal(hint(&report, "{'progress': {'idle_tail_s': 60}}", "idle-tail"),
			    "If its work was done, end the job then. If the job waited for something, see what that was.");
}

static void calls_that_cost_next_to_nothing_of_a_long_job_are_not_too_small(void **state)
{
	(void)state;
	/* a build of an hour on four cores: its shells read their scripts byte by byte */
	assert_false(is_found("{'job': {'elapsed_s': 3600}, 'used': {'cpu_s': 14000, 'syscall_reads': 9000000}}",
			      "small-reads"));
	assert_true(is_found("{'job': {'elapsed_s': 60}, 'used': {'cpu_s': 60, 'syscall_reads': 9000000}}", "small-reads"));
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
	/* opens on the node's own disk do no harm */
	assert_null(case_find(report, "findings", "code", "network-file-system-opens"));
	assert_false(is_found("{'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 99}]}}",
			      "network-file-system-waits"));
}

/*
 * The number of calls that waited is not known.
 * A job that writes to the node's own disk already is not advised to use it.
 */
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

/*
 * What the calls were for is known only if the site counts files.
 * Data through a pipe does not belong into an archive.
 */
static void an_archive_is_advised_for_files_alone(void **state)
{
#define CALLS(verb, tool) "'used': {'syscall_" verb "': 200000, 'cpu_s': 2" tool "}}"
#define BY_CAT(verb, pipe_s) "{'tools': [{'name': 'cat', 'slurm': false, 'runs': 1, 'failures': 0, 'signals': 0, 'wall_s': 99," \
		" 'threads_peak': 1, 'syscall_" verb "': 150000, 'states': {'on_cpu_s': 2, 'runnable_s': 0, 'pipe_s': " pipe_s "}}], "
#define COUNTED(verb, calls) ", 'file_systems': [{'type': 'ext4', 'class': 'local', '" verb "': " calls "}]"
	static const struct {
		const char *patch, *code;
		bool archive;
	} jobs[] = {
		{ "{" CALLS("reads", ""), "small-reads", true },
		{ "{" CALLS("writes", ""), "small-writes", true },
		{ BY_CAT("reads", "0.01") CALLS("reads", ""), "small-reads", true },
		{ BY_CAT("reads", "1") CALLS("reads", ""), "small-reads", false },
		{ BY_CAT("writes", "1") CALLS("writes", ""), "small-writes", false },
		/* cat may wait at a pipe, and read from files */
		{ BY_CAT("reads", "1") CALLS("reads", COUNTED("reads", "100001")), "small-reads", true },
		{ "{" CALLS("reads", COUNTED("reads", "99999")), "small-reads", false },
		{ "{" CALLS("writes", COUNTED("writes", "100001")), "small-writes", true },
		{ "{" CALLS("writes", COUNTED("writes", "0")), "small-writes", false },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		const char *text = hint(&report, jobs[i].patch, jobs[i].code);

		assert_non_null(text);
		assert_non_null(strstr(text, "into the kernel") ?: strstr(text, "enters the kernel"));
		if ((strstr(text, "archive") != NULL) != jobs[i].archive)
			fail_msg("%s: %s", jobs[i].patch, text);
	}
}

static void the_tool_is_named_that_made_most_small_calls(void **state)
{
#define TOOL(name, calls) "{'name': '" name "', 'slurm': false, 'runs': 1, 'failures': 0, 'signals': 0, 'wall_s': 9, 'syscall_reads': " calls "}"
#define TOOLS(calls, others) "{'used': {'syscall_reads': 200000, 'cpu_s': 2}, 'tools': [" TOOL("cat", calls) ", " TOOL("awk", others) "]}"
	cleanup_json struct json_object *most = NULL, *half = NULL;
	char text[SENTENCE_TEXT];

	(void)state;
	assert_string_equal(case_sentence(found(&most, TOOLS("80000", "120000"), "small-reads"), text),
			    "200,000 reads of 45 B on average, most by awk");
	assert_string_equal(case_sentence(found(&half, TOOLS("100000", "100000"), "small-reads"), text),
			    "200,000 reads of 45 B on average");
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
		/* other programs' opens are found */
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
	judge(moved, NULL);
	judge(other, NULL);
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
	/* that is the job's end, which the first line is about */
	assert_false(is_found(ENDED("127", CHILD("bash", "batch", "7", "127")), code));
	assert_false(is_found(ENDED("126", CHILD("bash", "batch", "7", "126")), code));
}

static void who_sent_a_signal_is_asked_only_if_somebody_may_have(void **state)
{
	static const struct {
		const char *patch, *hint;
	} jobs[] = {
		{ KILLED("solve", "9"), "If you did not end it, the job's output" },
		{ KILLED("solve", "6"), "It gave up by itself (abort): its own output says why." },
		{ KILLED("solve", "11"), "It crashed: a bug or bad input." },
		{ KILLED("solve", "24"), "It reached the limit of CPU time" },
		{ KILLED("solve", "25"), "A file grew beyond the limit" },
		{ KILLED("solve", "7"), "It crashed: a bug, or a mapped file that was cut short or found no room" },
		{ KILLED("solve", "31"), "A filter (seccomp) forbids a system call" },
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

/*
 * A tool that failed itself is named first, even if others failed more often.
 * Others may have given an answer, or failed because of another tool.
 */
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

#define OF_STEP(pid, end, rest) \
	"{'tool': 'solve', 'node': 'n1', 'step': '0', 'pid': " pid ", 'end': '2026-11-22T13:3" end "+00:00', " rest "}"
#define STEP_ENDED(failed, first, second) \
	"{'tools': [{'name': 'solve', 'slurm': false, 'runs': 4, 'failures': 3, 'signals': 2}], 'steps': [{'id': '0', 'exit_code': 9," \
	" 'signal': 0}], 'timeline': [" OF_STEP("7", "5:00.500", failed) "," OF_STEP("8", first, "'exit_code': 0, 'signal': 15") "," \
	OF_STEP("9", second, "'exit_code': 0, 'signal': 9") "]}"
#define BY_ITSELF "'exit_code': 9, 'signal': 0"

/* srun ends all tasks when one has failed. */
static void what_ended_with_its_step_was_not_killed_by_anything_else(void **state)
{
	cleanup_json struct json_object *before = NULL, *late = NULL;

	(void)state;
	assert_false(is_found(STEP_ENDED(BY_ITSELF, "5:00.600", "5:30.700"), "tools-killed"));
	assert_true(is_found(STEP_ENDED(BY_ITSELF, "5:00.600", "5:30.700"), "tools-failed"));
	/* before that, or long after it */
	assert_number(found(&before, STEP_ENDED(BY_ITSELF, "5:00.400", "5:30.700"), "tools-killed"), "signals", 2);
	assert_number(found(&late, STEP_ENDED(BY_ITSELF, "5:00.600", "6:30.700"), "tools-killed"), "signals", 2);
	/* the step did not fail because of that */
	assert_true(is_found(STEP_ENDED("'exit_code': 3, 'signal': 0", "5:00.600", "5:30.700"), "tools-killed"));
	assert_true(is_found(STEP_ENDED(BY_ITSELF ", 'dismissed': true", "5:00.600", "5:30.700"), "tools-killed"));
}

/*
 * The step of a monitor or server, ended by scancel or by a kill of its srun when the work is done.
 * For its shell, it is known that Slurm did that.
 */
#define STEP_CANCELLED(of_step, of_shell, killed, script) \
	"{'tools': [{'name': 'solve', 'slurm': false, 'runs': 36, 'failures': 1, 'signals': 1}, {'name': 'bash', 'slurm': false, 'runs': 1," \
	" 'failures': 0, 'signals': 0}], 'steps': [{'id': 'batch', 'tasks': [{'pid': 3}]}, {'id': '0', 'exit_code': 0, 'signal': " of_step "}]," \
	" 'timeline': [{'tool': 'run.sh', 'step': 'batch', 'pid': 3, 'exit_code': 0, 'end': '2026-11-22T13:3" script "+00:00'}, {'tool': 'bash'," \
	" 'node': 'n1', 'step': '0', 'pid': 7, 'end': '2026-11-22T13:35:00.500+00:00', 'exit_code': 0, " of_shell "}," \
	OF_STEP("8", killed, "'exit_code': 0, 'signal': 9") "]}"
#define DISMISSED "'signal': 9, 'dismissed': true"

static void what_ended_with_a_step_that_somebody_ended_was_not_killed_by_anything_else(void **state)
{
	(void)state;
	assert_false(is_found(STEP_CANCELLED("9", DISMISSED, "5:00.499", "5:02.000"), "tools-killed"));
	assert_false(is_found(STEP_CANCELLED("9", DISMISSED, "5:00.600", "5:02.000"), "tools-killed"));
	/* long before that; a step that ended otherwise; one that the script left behind */
	assert_true(is_found(STEP_CANCELLED("9", DISMISSED, "3:00.600", "5:02.000"), "tools-killed"));
	assert_true(is_found(STEP_CANCELLED("0", DISMISSED, "5:00.499", "5:02.000"), "tools-killed"));
	assert_true(is_found(STEP_CANCELLED("9", "'signal': 0", "5:00.499", "5:02.000"), "tools-killed"));
	assert_true(is_found(STEP_CANCELLED("9", DISMISSED, "5:00.499", "5:00.000"), "tools-killed"));
}

/* srun -K: SIGKILL ended the task that was killed for memory, and SIGTERM all others. */
static void what_ended_with_its_step_after_an_oom_kill_was_not_killed_by_anything_else(void **state)
{
#define AFTER_OOM(at) "{'used': {'oom_kills': 1}, 'oom': [{'tool': 'burn', 'step': '0', 'pid': 7, 'time': '2026-11-22T13:3" at "+00:00'}]," \
	" 'tools': [{'name': 'solve', 'slurm': false, 'runs': 1, 'failures': 1, 'signals': 1}, {'name': 'burn', 'slurm': false, 'runs': 1," \
	" 'failures': 1, 'signals': 1}], 'steps': [{'id': '0', 'exit_code': 0, 'signal': 9}], 'timeline': [{'tool': 'burn', 'node': 'n1'," \
	" 'step': '0', 'pid': 7, 'end': '2026-11-22T13:35:00.500+00:00', 'exit_code': 0, 'signal': 9}, " \
	OF_STEP("8", "5:00.600", "'exit_code': 0, 'signal': 15") "]}"
	(void)state;
	assert_false(is_found(AFTER_OOM("5:00.490"), "tools-killed"));
	assert_true(is_found(AFTER_OOM("5:00.490"), "oom-kill"));
	/* killed before that */
	assert_true(is_found(AFTER_OOM("5:00.610"), "tools-killed"));
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
	/* a job whose outcome is about something else */
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
	assert_true(is_found(STOPPED_AT("34:59.998"), "tools-killed")); /* the job continued without it */
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

/* Threads wait for a GPU as for anything else, and what it does meanwhile is not counted. */
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

/* The job needs a core for each GPU, and no more. */
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
	/* a job that did nothing has no limit that is too long */
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
		cmocka_unit_test(of_a_job_too_short_for_a_verdict_no_share_is_told),
		cmocka_unit_test(findings_are_listed_by_severity_whatever_their_numbers),
		cmocka_unit_test(what_was_idle_may_have_waited_for_something),
		cmocka_unit_test(calls_that_cost_next_to_nothing_of_a_long_job_are_not_too_small),
		cmocka_unit_test(the_idle_node_is_named),
		cmocka_unit_test(network_file_systems_are_told_together),
		cmocka_unit_test(who_waits_for_fsync_is_sent_to_another_disk_only_from_a_network_file_system),
		cmocka_unit_test(an_archive_is_advised_for_files_alone),
		cmocka_unit_test(the_tool_is_named_that_made_most_small_calls),
		cmocka_unit_test(what_asynchronous_io_moved_is_no_small_read),
		cmocka_unit_test(what_a_fuse_server_reads_and_writes_is_as_large_as_its_requests),
		cmocka_unit_test(what_was_not_counted_may_have_used_what_seems_unused),
		cmocka_unit_test(a_command_that_the_script_did_not_find_is_told),
		cmocka_unit_test(who_sent_a_signal_is_asked_only_if_somebody_may_have),
		cmocka_unit_test(tools_are_the_users_own),
		cmocka_unit_test(the_culprit_is_named_before_engines_and_answers),
		cmocka_unit_test(what_ended_with_its_step_was_not_killed_by_anything_else),
		cmocka_unit_test(what_ended_with_a_step_that_somebody_ended_was_not_killed_by_anything_else),
		cmocka_unit_test(what_ended_with_its_step_after_an_oom_kill_was_not_killed_by_anything_else),
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
