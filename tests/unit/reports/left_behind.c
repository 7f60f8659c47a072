/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests what the job script left behind: lost work is reported at once.
 * Programs that only watched or served the work are no fault.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/findings_case.h"

#define AT(s) "'2026-11-24T16:10:" s "+00:00'"
#define ENTRY(tool, step, pid, ppid, end, rest)                                                                            \
	"{'tool': '" tool "', 'node': 'n1', 'step': '" step "', 'pid': " pid ", 'ppid': " ppid ", 'start': " AT("00.100") \
	", 'end': " AT(end) ", " rest "}"
#define SCRIPT(rest) ENTRY("run.sh", "batch", "100", "1", "30.000", rest)
#define JOB(rest, tools, timeline)                                                                                            \
	"{" rest "'steps': [{'id': 'batch', 'elapsed_s': 30, 'tasks': [{'pid': 100}]}, {'id': '0', 'signal': 15},"            \
	" {'id': '1', 'signal': 15}], 'tools': [" tools "], 'timeline': [" timeline "]}"

/* A run of 20 s: its CPU time, the bytes that it wrote, and the seconds of its threads in each state. */
#define LIKE(cpu, bytes, states) \
	"'wall_s': 20, 'cpu_s': " cpu ", 'syscall_write_bytes': " bytes ", 'socket_rx_bytes': 0, 'socket_tx_bytes': 0, 'states': {" states "}"
#define WORKS LIKE("19", "0", "'on_cpu_s': 19, 'runnable_s': 1")
#define SLEEPS LIKE("0.1", "1000", "'on_cpu_s': 0.1, 'sleep_s': 19.9")
#define POLLS LIKE("0.1", "1000", "'on_cpu_s': 0.1, 'event_s': 19.9")

#define KILLED(tool, step, end, signal, like) ENTRY(tool, step, "110", "100", end, "'exit_code': 0, 'signal': " signal ", " like)
#define TOOL(name, like) "{'name': '" name "', 'slurm': false, 'runs': 1, 'failures': 1, 'signals': 1, " like "}"
#define DISMISSED(name, like) \
	"{'name': '" name "', 'slurm': false, 'runs': 1, 'failures': 0, 'signals': 0, 'dismissed': 1, " like "}"
#define WELL SCRIPT("'exit_code': 0, 'signal': 0")

static void says(const char *patch, const char *outcome)
{
	cleanup_json struct json_object *report = case_report(patch);

	judge(report, NULL);
	assert_string_equal(field_text(report, "verdict.outcome"), outcome);
}

#define COMPLETED "COMPLETED in 1 min 40 s on 1 node"
#define ENDED_IT " still ran when the job script ended, and Slurm ended it"

static void steps_that_the_script_did_not_wait_for_are_told(void **state)
{
	(void)state;
	says(JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "1", "31.000", "9", WORKS)), COMPLETED ", but step 1" ENDED_IT);
	says(JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "1", "31.000", "15", WORKS)), COMPLETED ", but step 1" ENDED_IT);
	/* two processes of one step, and one of another */
	says(JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "0", "31.000", "15", WORKS) ","
		 KILLED("solve", "1", "31.000", "15", WORKS) "," KILLED("solve", "0", "31.001", "9", WORKS)),
	     COMPLETED ", but 2 steps still ran when the job script ended, and Slurm ended them");
	/* killed before that, or a process above it was killed, or it ended otherwise */
	says(JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "1", "29.000", "9", WORKS)), COMPLETED ", but solve was killed (signal 9 SIGKILL)");
	says(JOB("", DISMISSED("solve", WORKS), WELL "," KILLED("solve", "1", "31.000", "9", "'dismissed': true, " WORKS)), COMPLETED);
	says(JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "1", "31.000", "2", WORKS)), COMPLETED ", but solve was killed (signal 2 SIGINT)");
	/* Slurm's SIGKILL for a task of srun counts as one from above; a daemon of the task is another process */
#define TASK(pid, end) "{'steps': [{'id': 'batch', 'elapsed_s': 30, 'tasks': [{'pid': 100}]}, {'id': '1', 'signal': 9, 'tasks': " \
	"[{'rank': 0, 'pid': " pid ", 'node': 'n1'}]}], 'tools': [" DISMISSED("solve", WORKS) "], 'timeline': [" WELL "," \
	KILLED("solve", "1", end, "9", "'dismissed': true, " WORKS) "]}"
	says(TASK("110", "30.002"), COMPLETED ", but step 1" ENDED_IT);
	says(TASK("111", "30.002"), COMPLETED);
	says(TASK("110", "29.000"), COMPLETED);
	/* a monitor or server */
	says(JOB("", TOOL("vmstat", SLEEPS), WELL "," KILLED("vmstat", "1", "31.000", "15", SLEEPS)), COMPLETED);
	says(JOB("", TOOL("redis", POLLS), WELL "," KILLED("redis", "1", "31.000", "15", POLLS)), COMPLETED);
	/* others kept it from the CPU; and a worker likewise */
#define STARVED(on_cpu, event) LIKE("0.9", "1000", "'on_cpu_s': " on_cpu ", 'runnable_s': 9, 'event_s': " event)
	says(JOB("", TOOL("redis", STARVED("0.9", "10.1")), WELL "," KILLED("redis", "1", "31.000", "15", STARVED("0.9", "10.1"))), COMPLETED);
	says(JOB("", TOOL("solve", STARVED("0.9", "5")), WELL "," KILLED("solve", "1", "31.000", "15", STARVED("0.9", "5"))),
	     COMPLETED ", but step 1" ENDED_IT);
	/* not all is known, or not when the script ended, or the job has no script */
	says(JOB("'complete': false, ", TOOL("solve", WORKS), WELL "," KILLED("solve", "1", "31.000", "9", WORKS)), COMPLETED);
	says(JOB("", TOOL("solve", WORKS), KILLED("solve", "1", "31.000", "9", WORKS)), COMPLETED ", but solve was killed (signal 9 SIGKILL)");
	says("{'steps': [{'id': '1'}], 'tools': [" TOOL("solve", WORKS) "], 'timeline': [" KILLED("solve", "1", "31.000", "9", WORKS) "]}", COMPLETED);
}

/* "(solve &)": slurmstepd kills it, and is above it once its own parent has ended. */
static void what_outlived_its_parent_and_the_script_is_told(void **state)
{
#define STARTED(parent_end, tool, end, signal, like) JOB("'used': {'memory_used_peak_bytes': 1000}, ", DISMISSED(tool, like), WELL "," \
	ENTRY("start.sh", "batch", "105", "100", parent_end, "'exit_code': 0, 'signal': 0") "," \
	ENTRY(tool, "batch", "110", "105", end, "'exit_code': 0, 'signal': " signal ", 'dismissed': true, " like))
#define ORPHAN(tool, end, signal, like) STARTED("00.200", tool, end, signal, like)
	cleanup_json struct json_object *orphan = case_report(ORPHAN("solve", "30.010", "9", WORKS));
	cleanup_json struct json_object *before = case_report(ORPHAN("solve", "29.000", "9", WORKS));

	(void)state;
	judge(orphan, NULL);
	assert_string_equal(field_text(orphan, "verdict.outcome"), COMPLETED ", but solve" ENDED_IT);
	assert_string_equal(field_text(case_find(orphan, "findings", "code", "tools-killed"), "text"),
			    "solve was killed once (signal 9 SIGKILL): it still ran when the job script ended");
	assert_int_equal(field_length(field_find(orphan, "advice")), 0);
	/* its parent ended it, before the script ended */
	judge(before, NULL);
	assert_string_equal(field_text(before, "verdict.outcome"), COMPLETED);
	assert_null(case_find(before, "findings", "code", "tools-killed"));
	assert_int_equal(field_length(field_find(before, "advice")), 1);
	/* its parent had ended before it began */
	says(JOB("'used': {'memory_used_peak_bytes': 1000}, ", DISMISSED("solve", WORKS),
		 WELL "," ENTRY("solve", "batch", "110", "1", "30.010", "'exit_code': 0, 'signal': 9, 'dismissed': true, " WORKS)),
	     COMPLETED ", but solve" ENDED_IT);
	/* its parent killed it right before the script ended, or its parent was the script */
	says(STARTED("29.999", "solve", "30.010", "9", WORKS), COMPLETED);
	says(JOB("", DISMISSED("solve", WORKS), WELL "," KILLED("solve", "batch", "30.010", "9", "'dismissed': true, " WORKS)), COMPLETED);
	/* a server, and another signal: Slurm sends no other there */
	says(ORPHAN("redis", "30.010", "9", POLLS), COMPLETED);
	says(ORPHAN("solve", "30.010", "15", WORKS), COMPLETED);
}

static void one_run_that_was_cut_off_is_enough_not_to_know_the_need(void **state)
{
#define RUNS(name, runs, signals) "{'name': '" name "', 'slurm': false, 'runs': " runs ", 'failures': " signals ", 'signals': " signals "}"
#define NEED(tools, timeline) JOB("'used': {'memory_used_peak_bytes': 1000}, ", tools, WELL timeline)
	static const struct {
		const char *patch;
		size_t lines;
	} jobs[] = {
		{ NEED(RUNS("solve", "2", "0"), ""), 1 },
		{ NEED(RUNS("solve", "2", "1"), "," KILLED("solve", "batch", "31.000", "9", WORKS)), 0 },
		{ NEED(RUNS("solve", "2", "1"), "," KILLED("solve", "batch", "20.000", "15", WORKS)), 0 },
		{ NEED(RUNS("solve", "9", "1"), "," KILLED("solve", "batch", "20.000", "11", "'by_shell': true, " WORKS)), 0 },
		/* it answered a question; it was tried again; it ended as its parent wanted */
		{ NEED(RUNS("grep", "2", "1"), "," KILLED("grep", "batch", "20.000", "11", WORKS)), 1 },
		{ NEED("{'name': 'solve', 'slurm': false, 'runs': 2, 'failures': 1, 'signals': 0}",
		       "," ENTRY("solve", "batch", "110", "100", "20.000", "'by_shell': true, 'exit_code': 1")), 1 },
		{ NEED(DISMISSED("solve", WORKS), "," KILLED("solve", "batch", "20.000", "15", "'dismissed': true, " WORKS)), 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		cleanup_json struct json_object *report = case_report(jobs[i].patch);

		judge(report, NULL);
		if (field_length(field_find(report, "advice")) != jobs[i].lines)
			fail_msg("the advice is wrong: %s", jobs[i].patch);
	}
	says(NEED(RUNS("solve", "2", "1"), "," KILLED("solve", "batch", "31.000", "9", WORKS)), COMPLETED ", but solve" ENDED_IT);
	says(NEED(RUNS("solve", "2", "1"), "," KILLED("solve", "batch", "20.000", "15", WORKS)),
	     COMPLETED ", but solve was killed in 1 of 2 runs (signal 15 SIGTERM)");
	/* the script may have ended it */
	says(NEED(RUNS("solve", "2", "1") "," RUNS("pkill", "1", "0"), "," KILLED("solve", "batch", "20.000", "15", WORKS)), COMPLETED);
	says(NEED(RUNS("solve", "9", "1"), "," KILLED("solve", "batch", "20.000", "11", "'by_shell': true, " WORKS)),
	     COMPLETED ", but solve was killed in 1 of 9 runs (signal 11 SIGSEGV)");
}

static void what_a_job_used_whose_steps_were_cut_off_is_not_what_it_needs(void **state)
{
#define CUT_OFF(end) JOB("'requested': {'time_limit_s': 86400}, 'used': {'memory_used_peak_bytes': 1000}, ", TOOL("solve", WORKS), \
			 WELL "," KILLED("solve", "1", end, "9", WORKS))
	cleanup_json struct json_object *cut = case_report(CUT_OFF("31.000")), *killed = case_report(CUT_OFF("29.000"));
	cleanup_json struct json_object *left = case_report(JOB("'used': {'memory_used_peak_bytes': 1000}, ", TOOL("solve", WORKS),
								WELL "," KILLED("solve", "batch", "31.000", "9", WORKS)));
	cleanup_json struct json_object *whole = case_report(JOB("'requested': {'time_limit_s': 86400}, 'used': "
								 "{'memory_used_peak_bytes': 1000}, ", "", WELL));

	(void)state;
	judge(whole, NULL);
	assert_int_equal(field_length(field_find(whole, "advice")), 2);
	assert_non_null(case_find(whole, "findings", "code", "time-limit-long"));
	judge(cut, NULL);
	assert_int_equal(field_length(field_find(cut, "advice")), 0);
	assert_null(case_find(cut, "findings", "code", "time-limit-long"));
	assert_string_equal(field_text(cut, "verdict.no_advice"),
			    "Some of its steps still ran when the job script ended, so there is no advice to ask for less");
	judge(killed, NULL);
	assert_int_equal(field_length(field_find(killed, "advice")), 0);
	assert_string_equal(field_text(killed, "verdict.no_advice"), "Some of its work was killed, so there is no advice to ask for less");
	judge(left, NULL);
	assert_int_equal(field_length(field_find(left, "advice")), 0);
	assert_string_equal(field_text(left, "verdict.no_advice"), "Some of its work was killed, so there is no advice to ask for less");
}

static void the_hint_is_to_wait_unless_the_script_failed(void **state)
{
#define WAIT "Slurm ends what the script leaves behind: if the job needs it, let the script wait for it (wait)."
#define SEE "Slurm ends what the script leaves behind: see first why the script failed."
	static const struct {
		const char *patch, *hint;
	} jobs[] = {
		{ JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "1", "31.000", "15", WORKS)), WAIT },
		{ JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "batch", "31.000", "9", WORKS)), WAIT },
		{ JOB("'job': {'state': 'FAILED'}, ", TOOL("solve", WORKS),
		      SCRIPT("'exit_code': 0, 'signal': 9") "," KILLED("solve", "batch", "31.000", "9", WORKS)), SEE },
		{ JOB("'job': {'state': 'FAILED'}, ", TOOL("solve", WORKS),
		      SCRIPT("'exit_code': 2, 'signal': 0") "," KILLED("solve", "1", "31.000", "9", WORKS)), SEE },
		/* before the script ended; not if the kernel killed something for memory */
		{ JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "batch", "29.000", "9", WORKS)),
		  "If you did not end it, it may have reached its limit of CPU time (ulimit -t): the kernel killed nothing for memory." },
		{ JOB("'used': {'oom_kills': 1}, ", TOOL("solve", WORKS), WELL "," KILLED("solve", "batch", "29.000", "9", WORKS)),
		  "If you did not end it, the job's output may say why." },
		/* in the script's own step, Slurm sends only SIGKILL */
		{ JOB("", TOOL("solve", WORKS), WELL "," KILLED("solve", "batch", "31.000", "15", WORKS)),
		  "If you did not end it, the job's output may say why." },
	};
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(hint(&report, jobs[i].patch, "tools-killed"), jobs[i].hint);
}

/* The end of a run of "batch", after a script that ended well. */
#define BESIDE(rest, tool, like) JOB(rest, TOOL(tool, like), WELL "," KILLED(tool, "batch", "30.010", "9", like))

static void what_watched_or_served_the_work_is_no_finding(void **state)
{
	static const char code[] = "tools-killed";

	(void)state;
	assert_false(is_found(BESIDE("", "vmstat", SLEEPS), code));
	assert_false(is_found(BESIDE("", "redis", POLLS), code));
	assert_false(is_found(BESIDE("", "srun", WORKS), code)); /* it waits for its task */
	assert_true(is_found(BESIDE("", "solve", WORKS), code));
	/* what GPUs did for it is not known */
	assert_true(is_found(BESIDE("'allocated': {'gpus': 1}, ", "solve", SLEEPS), code));
	/* one of many threads is busy; a transfer waits for its peer; a hung worker waits for a thread */
	assert_true(is_found(BESIDE("", "solve", LIKE("19", "0", "'on_cpu_s': 19, 'event_s': 300")), code));
	assert_true(is_found(BESIDE("", "rsync", LIKE("0.1", "9000000", "'on_cpu_s': 0.1, 'event_s': 19.9")), code));
	assert_true(is_found(BESIDE("", "solve", LIKE("0.1", "0", "'on_cpu_s': 0.1, 'condition_s': 19.9")), code));
	/* it wanted a CPU that others had */
	assert_true(is_found(BESIDE("", "solve", LIKE("0.1", "0", "'on_cpu_s': 0.1, 'runnable_s': 19.9")), code));
	/* what it did is not known */
	assert_true(is_found(BESIDE("", "solve", "'wall_s': 20"), code));
	assert_true(is_found(JOB("", TOOL("vmstat", SLEEPS), WELL "," KILLED("vmstat", "batch", "29.000", "9", SLEEPS)), code));
	/* a fork of it worked */
	assert_true(is_found(JOB("", TOOL("python3", WORKS), WELL "," KILLED("python3", "batch", "30.010", "9", SLEEPS) ","
				 KILLED("python3", "batch", "30.010", "9", "'forked': true, " WORKS)), code));
	/* the last run of many had begun right before; the tool as a whole slept */
	assert_false(is_found(JOB("", TOOL("sleep", SLEEPS), WELL "," KILLED("sleep", "batch", "30.010", "9",
		"'wall_s': 0.001, 'cpu_s': 0.001, 'states': {'on_cpu_s': 0.001}")), code));
	/* another run of the tool was the job's work */
	assert_false(is_found(JOB("", TOOL("python3", WORKS), WELL "," KILLED("python3", "batch", "30.010", "9", SLEEPS)), code));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_that_the_script_did_not_wait_for_are_told),
		cmocka_unit_test(what_outlived_its_parent_and_the_script_is_told),
		cmocka_unit_test(one_run_that_was_cut_off_is_enough_not_to_know_the_need),
		cmocka_unit_test(what_a_job_used_whose_steps_were_cut_off_is_not_what_it_needs),
		cmocka_unit_test(the_hint_is_to_wait_unless_the_script_failed),
		cmocka_unit_test(what_watched_or_served_the_work_is_no_finding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
