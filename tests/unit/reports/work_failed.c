/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a failure in a job that ended with 0 is the first thing in its report. A healthy job's report says
 * nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/case.h"

#define AT(s) "'2026-11-24T16:10:" s "+00:00'"
#define ENTRY(tool, step, pid, ppid, end, rest)                                                                            \
	"{'tool': '" tool "', 'node': 'n1', 'step': '" step "', 'pid': " pid ", 'ppid': " ppid ", 'start': " AT("00.100") \
	", 'end': " AT(end) ", " rest "}"
#define BY_SHELL "'by_shell': true, "
#define TOOL(name, runs, failures) \
	"{'name': '" name "', 'slurm': false, 'runs': " runs ", 'failures': " failures ", 'signals': 0}"
#define FAILS(name) ENTRY(name, "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 1")
#define STEP(id, from, to, code) \
	"{'id': '" id "', 'start': " AT(from) ", 'end': " AT(to) ", 'exit_code': " code ", 'signal': 0}"

static void says(const char *patch, const char *outcome, const char *finding)
{
	cleanup_json struct json_object *report = case_report(patch);
	struct json_object *found;

	judge(report, NULL);
	found = case_find(report, "findings", "code", "work-failed");
	assert_string_equal(field_text(report, "verdict.outcome"), outcome);
	if (!finding) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(field_text(found, "severity"), "warning");
	assert_string_equal(field_text(found, "text"), finding);
}

static void says_nothing(const char *patch)
{
	says(patch, "COMPLETED in 1 min 40 s on 1 node", NULL);
}

#define COMPLETED "COMPLETED in 1 min 40 s on 1 node"
#define ENDED "The script ended with 0, but "

static void a_tool_that_failed_each_time(void **state)
{
	(void)state;
	says("{'tools': [" TOOL("samtools", "3", "3") "], 'timeline': [" FAILS("samtools") "]}",
	     COMPLETED ", but samtools failed in all 3 runs (exit code 1)", ENDED "samtools failed in all 3 runs (exit code 1)");
	says("{'tools': [" TOOL("samtools", "2", "2") "], 'timeline': [" FAILS("samtools") "]}",
	     COMPLETED ", but samtools failed in 2 of 2 runs (exit code 1)", ENDED "samtools failed in 2 of 2 runs (exit code 1)");
	says("{'job': {'std_out': '/home/u/7.out', 'work_dir': '/home/u'}, 'tools': [" TOOL("samtools", "1", "1")
	     "], 'timeline': [" FAILS("samtools") "]}",
	     COMPLETED ", but samtools failed (exit code 1). Its output: 7.out", ENDED "samtools failed (exit code 1)");
	says("{'tools': [" TOOL("solve", "1", "1") "], 'timeline': ["
	     ENTRY("solve", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 0, 'signal': 11") "]}",
	     COMPLETED ", but solve was killed (signal 11 SIGSEGV)", ENDED "solve failed (signal 11 SIGSEGV)");
	/* nothing expects that a run crashes */
	says("{'tools': [{'name': 'solve', 'slurm': false, 'runs': 3, 'failures': 2, 'signals': 1}], 'timeline': [" FAILS("solve") ","
	     ENTRY("solve", "batch", "102", "100", "13.000", BY_SHELL "'exit_code': 0, 'signal': 6") "]}",
	     COMPLETED ", but solve was killed in 1 of 3 runs (signal 6 SIGABRT)", ENDED "solve failed in 1 of 3 runs (signal 6 SIGABRT)");
	/* kills for memory by the kernel are reported elsewhere */
	says("{'used': {'oom_kills': 1}, 'oom': [{'tool': 'solve', 'limit_bytes': 8589934592}], 'tools': [" TOOL("srun", "1", "1") ","
	     "{'name': 'solve', 'slurm': false, 'runs': 2, 'failures': 1, 'signals': 1}], 'timeline': [" FAILS("srun") ","
	     ENTRY("solve", "0", "102", "99", "11.000", "'exit_code': 0, 'signal': 9") "]}",
	     COMPLETED ", but solve was killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more", NULL);
	/* the first one to start */
	says("{'tools': [" TOOL("sort", "1", "1") "," TOOL("samtools", "3", "3") "], 'timeline': [" FAILS("samtools") ","
	     FAILS("sort") "]}", COMPLETED ", but samtools failed in all 3 runs (exit code 1)",
	     ENDED "samtools failed in all 3 runs (exit code 1)");
}

static void a_healthy_job_has_none(void **state)
{
	static const char *const asked[] = { "grep", "test", "[", "false", "diff", "cmp", "ls", "mkdir", "git", "bash" };
	char text[512];

	(void)state;
	says_nothing(NULL);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		snprintf(text, sizeof(text), "{'tools': [" TOOL("%s", "3", "3") "], 'timeline': [" FAILS("%s") "]}", asked[i], asked[i]);
		says_nothing(text);
	}
	/* tried again */
	says_nothing("{'tools': [" TOOL("samtools", "3", "2") "], 'timeline': [" FAILS("samtools") "]}");
	/* the process that started it saw how it ended, and continued */
	says_nothing("{'tools': [" TOOL("samtools", "3", "3") "], 'timeline': ["
		     ENTRY("samtools", "batch", "101", "100", "12.000", "'exit_code': 1") "]}");
	/* it was ended, or is Slurm's */
	says_nothing("{'tools': [" TOOL("server", "1", "1") "], 'timeline': ["
		     ENTRY("server", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 0, 'signal': 15") "]}");
	says_nothing("{'tools': [" TOOL("server", "1", "1") "], 'timeline': ["
		     ENTRY("server", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 1, 'dismissed': true") "]}");
	says_nothing("{'tools': [" TOOL("sleep", "1", "1") "], 'timeline': ["
		     ENTRY("sleep", "extern", "101", "100", "12.000", BY_SHELL "'exit_code': 1, 'slurm': true") "]}");
	/* not all of its runs are known */
	says_nothing("{'complete': false, 'tools': [" TOOL("samtools", "3", "3") "], 'timeline': [" FAILS("samtools") "]}");
}

#define WRITES(stored, said) ", 'write_bytes': " stored ", 'syscall_write_bytes': " said
#define SHORT(tool, code, writes) \
	"'steps': [{'id': 'batch', 'write_bytes': 4096}], 'timeline': [" \
	ENTRY(tool, "batch", "101", "100", "12.000", BY_SHELL "'wall_s': 0.02, 'exit_code': " code writes)
#define PYTHON "{'tools': [" TOOL("python3", "1", "1") "], "
#define PYTHON_FAILED COMPLETED ", but python3 failed (exit code 1)", ENDED "python3 failed (exit code 1)"

/* "python3 -c 'import x' 2>/dev/null || perl": the script may have expected that. */
static void a_short_failure_that_said_nothing_may_be_expected(void **state)
{
	cleanup_json struct json_object *report = case_report(PYTHON SHORT("python3", "1", WRITES("0", "90")) "]}");

	(void)state;
	judge(report, NULL);
	assert_null(case_find(report, "findings", "code", "work-failed"));
	assert_string_equal(field_text(case_find(report, "findings", "code", "tools-failed"), "text"), "python3 failed once (exit code 1)");
	says_nothing(PYTHON SHORT("python3", "1", WRITES("4096", "0")) "]}");
	/* a compiler's driver leaves it to the compiler to say why */
	says_nothing("{'tools': [" TOOL("gcc", "1", "1") "," TOOL("cc1", "1", "1") "], " SHORT("gcc", "1", WRITES("4096", "0")) ","
		     ENTRY("cc1", "batch", "102", "101", "11.900", "'exit_code': 1" WRITES("4096", "90")) "]}");
}

static void any_other_short_failure_counts(void **state)
{
	(void)state;
	/* python3 said why */
	says(PYTHON SHORT("python3", "1", WRITES("4096", "90")) "]}", PYTHON_FAILED);
	/* what it wrote is not known */
	says(PYTHON SHORT("python3", "1", "") "]}", PYTHON_FAILED);
	/* a longer run, or a short job */
	says(PYTHON "'steps': [{'id': 'batch', 'write_bytes': 4096}], 'timeline': [" ENTRY("python3", "batch", "101", "100", "12.000",
	     BY_SHELL "'wall_s': 1.5, 'exit_code': 1" WRITES("0", "90")) "]}", PYTHON_FAILED);
	says("{'job': {'elapsed_s': 0.9}, 'tools': [" TOOL("python3", "1", "1") "], " SHORT("python3", "1", WRITES("0", "90")) "]}",
	     "COMPLETED in 0.900 s on 1 node, but python3 failed (exit code 1)", ENDED "python3 failed (exit code 1)");
	/* more than one try */
	says("{'tools': [" TOOL("python3", "3", "3") "], " SHORT("python3", "1", WRITES("0", "90")) "]}",
	     COMPLETED ", but python3 failed in all 3 runs (exit code 1)", ENDED "python3 failed in all 3 runs (exit code 1)");
	/* a signal ended it */
	says(PYTHON SHORT("python3", "0, 'signal': 11", WRITES("0", "0")) "]}",
	     COMPLETED ", but python3 was killed (signal 11 SIGSEGV)", ENDED "python3 failed (signal 11 SIGSEGV)");
	/* the file system does not count what is written */
	says(PYTHON "'steps': [{'id': 'batch', 'write_bytes': 0}], 'timeline': [" ENTRY("python3", "batch", "101", "100", "12.000",
	     BY_SHELL "'wall_s': 0.02, 'exit_code': 1" WRITES("0", "90")) "]}", PYTHON_FAILED);
	/* what a script ran said why */
	says("{'tools': [" TOOL("step.sh", "1", "1") "," TOOL("solve", "1", "1") "], " SHORT("step.sh", "1", WRITES("0", "0")) ","
	     ENTRY("solve", "batch", "102", "101", "11.900", BY_SHELL "'exit_code': 1" WRITES("4096", "90")) "]}",
	     COMPLETED ", but solve failed (exit code 1)", ENDED "solve failed (exit code 1)");
}

#define POOL(of_parent, workers) "{'tools': [" TOOL("pool.py", "1", "0") "], 'timeline': [" \
	ENTRY("pool.py", "batch", "101", "100", "12.000", of_parent) workers "]}"
#define WORKER(pid, end, how) "," ENTRY("pool.py", "batch", pid, "101", end, "'forked': true, 'wall_s': 1.5, 'syscall_write_bytes': 99, " how)
#define FORKED COMPLETED ", but a process that pool.py had forked "
#define ITS_WORKER ENDED "a process that pool.py had forked failed "

/* Its part of the work is missing, and nothing else says so. */
static void a_worker_that_its_program_went_on_without(void **state)
{
	(void)state;
	says(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 0, 'signal': 11")),
	     FORKED "(pid 102) was killed by signal 11 SIGSEGV (it crashed: a bug or bad input)", ITS_WORKER "(signal 11 SIGSEGV)");
	says(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 0, 'signal': 9")), FORKED "(pid 102) was killed by signal 9 SIGKILL",
	     ITS_WORKER "(signal 9 SIGKILL)");
	says(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 1")), FORKED "(pid 102) ended with exit code 1",
	     ITS_WORKER "(exit code 1)");
	/* perl's die; but not a code that a shell passes on for a signal */
	says(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 255")), FORKED "(pid 102) ended with exit code 255",
	     ITS_WORKER "(exit code 255)");
	says_nothing(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 143")));
	says(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 0, 'signal': 6") WORKER("103", "04.000", "'exit_code': 3")),
	     COMPLETED ", but 2 processes that pool.py had forked failed: the first (pid 102) was killed by signal 6 SIGABRT (it gave up by "
	     "itself: abort)", ENDED "2 processes that pool.py had forked failed (signal 6 SIGABRT)");
	/* a shell's fork is a part of its script: by its exit code it answers */
	says("{'timeline': [" ENTRY("run.sh", "batch", "101", "100", "12.000", "'interpreter': 'bash', 'exit_code': 0") ","
	     ENTRY("run.sh", "batch", "102", "101", "03.000", "'interpreter': 'bash', 'forked': true, 'exit_code': 0, 'signal': 11") "]}",
	     COMPLETED ", but a process that run.sh had forked (pid 102) was killed by signal 11 SIGSEGV (it crashed: a bug or bad input)",
	     ENDED "a process that run.sh had forked failed (signal 11 SIGSEGV)");
}

static void a_worker_of_a_healthy_job_is_not_told(void **state)
{
	(void)state;
	/* the process that forked it ended it, or its reader had gone */
	says_nothing(POOL("'exit_code': 0", WORKER("102", "03.000", "'dismissed': true, 'exit_code': 0, 'signal': 15")));
	says_nothing(POOL("'exit_code': 0", WORKER("102", "03.000", "'dismissed': true, 'exit_code': 0, 'signal': 9")));
	says_nothing(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 0, 'signal': 15")));
	says_nothing(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 0, 'signal': 13")));
	/* another process may have ended it */
	says_nothing("{'tools': [" TOOL("pkill", "1", "0") "], 'timeline': [" ENTRY("pool.py", "batch", "101", "100", "12.000", "'exit_code': 0")
		     WORKER("102", "03.000", "'exit_code': 0, 'signal': 9") "]}");
	/* it only tried to execute a program, said nothing, or another one followed it */
	says_nothing("{'timeline': [" ENTRY("p", "batch", "101", "100", "12.000", "'exit_code': 0") "," ENTRY("p", "batch", "102", "101", "03.000",
		     "'forked': true, 'wall_s': 0.1, 'syscall_write_bytes': 99, 'exit_code': 255") "]}");
	says_nothing("{'timeline': [" ENTRY("p", "batch", "101", "100", "12.000", "'exit_code': 0") "," ENTRY("p", "batch", "102", "101", "03.000",
		     "'forked': true, 'wall_s': 2, 'syscall_write_bytes': 0, 'exit_code': 1") "]}");
	says_nothing(POOL("'exit_code': 0", WORKER("102", "03.000", "'exit_code': 1") ",{'tool': 'pool.py', 'node': 'n1', 'step': 'batch', 'forked':"
			  " true, 'pid': 103, 'ppid': 101, 'start': " AT("03.000") ", 'end': " AT("05.000") ", 'exit_code': 0}"));
	/* srun ends its own children */
	says_nothing("{'timeline': [" ENTRY("srun", "batch", "101", "100", "12.000", "'exit_code': 0") "," ENTRY("srun", "batch", "102", "101", "03.000",
		     "'forked': true, 'exit_code': 0, 'signal': 9") "]}");
	/* ( grep ... ) in a condition */
	says_nothing("{'timeline': [" ENTRY("run.sh", "batch", "101", "100", "12.000", "'interpreter': 'bash', 'exit_code': 0") ","
		     ENTRY("run.sh", "batch", "102", "101", "03.000", "'interpreter': 'bash', 'forked': true, 'wall_s': 2,"
			   " 'syscall_write_bytes': 99, 'exit_code': 1") "]}");
	/* its program took notice, or ended before it, or is not known */
	says_nothing(POOL("'exit_code': 1", WORKER("102", "03.000", "'exit_code': 0, 'signal': 11")));
	says_nothing(POOL("'exit_code': 0", WORKER("102", "12.001", "'exit_code': 0, 'signal': 11")));
	says_nothing(POOL("'exit_code': 0", "," ENTRY("pool.py", "batch", "102", "99", "03.000", "'forked': true, 'exit_code': 0, 'signal': 11")));
}

/* gen.py | head -n 1: Python ends with 1 if nothing reads its output. SIGPIPE ends other programs. */
static void what_nothing_read_any_more_has_not_failed(void **state)
{
#define UNREAD(runs) "{'tools': [" TOOL("gen.py", runs, runs) "], 'timeline': [" \
	ENTRY("gen.py", "batch", "101", "100", "12.000", BY_SHELL "'unawaited': true, 'unread': true, 'exit_code': 1")
	cleanup_json struct json_object *report = case_report(UNREAD("1") "]}");

	(void)state;
	says_nothing(UNREAD("1") "]}");
	judge(report, NULL);
	assert_null(case_find(report, "findings", "code", "tools-failed"));
	/* another run of it failed by itself */
	says(UNREAD("2") "," ENTRY("gen.py", "batch", "102", "100", "12.000", BY_SHELL "'exit_code': 3") "]}",
	     COMPLETED ", but gen.py failed in 2 of 2 runs (exit code 3)", ENDED "gen.py failed in 2 of 2 runs (exit code 3)");
}

static void the_hint_is_what_would_have_told(void **state)
{
	cleanup_json struct json_object *plain = case_report("{'tools': [" TOOL("dedup", "1", "1") "], 'timeline': [" FAILS("dedup") "]}");
	cleanup_json struct json_object *piped = case_report("{'tools': [" TOOL("dedup", "1", "1") "], 'timeline': ["
		ENTRY("dedup", "batch", "101", "100", "12.000", BY_SHELL "'unawaited': true, 'exit_code': 0, 'signal': 11") "]}");

	(void)state;
	judge(plain, NULL);
	assert_string_equal(field_text(case_find(plain, "findings", "code", "work-failed"), "hint"),
			    "Its output says why. If the script does not expect such a failure, let it end with a code other than 0. "
			    "set -e does that, but not for $(...) within another command, and not if an EXIT trap exits with 0.");
	judge(piped, NULL);
	assert_string_equal(field_text(case_find(piped, "findings", "code", "work-failed"), "hint"),
			    "It crashed: a bug or bad input. The job's output may say more. set -e sees such a failure in a pipe "
			    "after set -o pipefail, and in the background if the script waits for the process ID.");
}

static void what_a_signal_says_is_told(void **state)
{
	static const char patch[] = "{'tools': [" TOOL("seq", "1", "1") "], 'timeline': ["
				    ENTRY("seq", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 0, 'signal': 25") "]}";
	cleanup_json struct json_object *report = case_report(patch);

	(void)state;
	says(patch, COMPLETED ", but seq was killed (signal 25 SIGXFSZ; a file grew beyond the limit: ulimit -f)",
	     ENDED "seq failed (signal 25 SIGXFSZ)");
	judge(report, NULL);
	assert_string_equal(field_text(case_find(report, "findings", "code", "work-failed"), "hint"),
			    "A file grew beyond the limit: raise that (ulimit -f), or write smaller files. If the script does not "
			    "expect such a failure, let it end with a code other than 0. set -e does that, but not for $(...) within "
			    "another command, and not if an EXIT trap exits with 0.");
}

static void what_failed_is_named_and_not_what_passes_it_on(void **state)
{
	(void)state;
	says("{'tools': [" TOOL("mpirun", "1", "1") "," TOOL("solve", "4", "1") "], 'timeline': [" FAILS("mpirun") ","
	     ENTRY("solve", "batch", "102", "101", "11.000", "'exit_code': 3") "]}",
	     COMPLETED ", but solve failed in 1 of 4 runs (exit code 3)", ENDED "solve failed in 1 of 4 runs (exit code 3)");
	/* a script of the user's that ends as its last command does */
	says("{'tools': [" TOOL("step.sh", "1", "1") "," TOOL("solve", "1", "1") "], 'timeline': [" FAILS("step.sh") ","
	     ENTRY("solve", "batch", "102", "101", "11.000", BY_SHELL "'exit_code': 1") "]}",
	     COMPLETED ", but solve failed (exit code 1)", ENDED "solve failed (exit code 1)");
	says_nothing("{'tools': [" TOOL("step.sh", "1", "1") "," TOOL("grep", "1", "1") "], 'timeline': [" FAILS("step.sh") ","
		     ENTRY("grep", "batch", "102", "101", "11.000", BY_SHELL "'exit_code': 1") "]}");
	says("{'tools': [" TOOL("parallel", "1", "1") "," TOOL("bash", "9", "1") "], 'timeline': [" FAILS("parallel") ","
	     ENTRY("bash", "batch", "102", "101", "11.000", "'exit_code': 3") "]}",
	     COMPLETED ", but parallel failed (exit code 1)", ENDED "parallel failed (exit code 1)");
	/* xargs sh -c 'gzip ... || exit 3', and with another command after that */
#define XARGS "{'tools': [" TOOL("xargs", "1", "1") "," TOOL("gzip", "43", "1") "," TOOL("sh", "8", "1") "," TOOL("cp", "8", "0") \
	"], 'timeline': [" ENTRY("xargs", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 123") "," \
	ENTRY("sh", "batch", "102", "101", "11.000", "'exit_code': 3") "," \
	ENTRY("gzip", "batch", "103", "102", "10.900", BY_SHELL "'exit_code': 1")
	says(XARGS "]}", COMPLETED ", but gzip failed in 1 of 43 runs (exit code 1)", ENDED "gzip failed in 1 of 43 runs (exit code 1)");
	says(XARGS "," ENTRY("cp", "batch", "104", "102", "10.950", "'exit_code': 0") "]}", COMPLETED ", but xargs failed (exit code 123)",
	     ENDED "xargs failed (exit code 123)");
	/* find | xargs -n 100 grep -l: one of the calls found nothing */
#define ANSWERS(engine, code) "{'tools': [" TOOL(engine, "1", "1") "," TOOL("grep", "2", "1") "," TOOL("gzip", "1", "1") \
	"], 'timeline': [" ENTRY(engine, "batch", "101", "100", "12.000", BY_SHELL "'exit_code': " code) "," \
	ENTRY("grep", "batch", "102", "101", "11.500", "'exit_code': 0") "," ENTRY("grep", "batch", "103", "101", "11.600", "'exit_code': 1")
	says_nothing(ANSWERS("xargs", "123") "]}");
	says_nothing(ANSWERS("parallel", "1") "]}");
	says(ANSWERS("xargs", "123") "," ENTRY("gzip", "batch", "104", "101", "11.700", "'exit_code': 2") "]}",
	     COMPLETED ", but gzip failed (exit code 2)", ENDED "gzip failed (exit code 2)");
	says(ANSWERS("xargs", "1") "]}", COMPLETED ", but xargs failed (exit code 1)", ENDED "xargs failed (exit code 1)");
	/* make stops at what a recipe answers */
	says(ANSWERS("make", "2") "]}", COMPLETED ", but make failed (exit code 2)", ENDED "make failed (exit code 2)");
	says("{'tools': [" TOOL("xargs", "1", "1") "], 'timeline': ["
	     ENTRY("xargs", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 1") "]}",
	     COMPLETED ", but xargs failed (exit code 1)", ENDED "xargs failed (exit code 1)");
}

static void steps_that_failed_are_counted(void **state)
{
	(void)state;
	says("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "0") "," STEP("1", "02", "03", "2") "," STEP("2", "03", "04", "2") ","
	     STEP("3", "04", "05", "0") "], 'timeline': [" ENTRY("sort", "1", "101", "100", "02.900", "'exit_code': 2") "]}",
	     COMPLETED ", but 2 of 4 steps failed: in step 1, sort failed (exit code 2)",
	     ENDED "2 of 4 steps failed: sort failed (exit code 2), first in step 1");
	/* only the step's own code is known */
	says("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "0") "," STEP("1", "02", "03", "7") "], 'timeline': []}",
	     COMPLETED ", but 1 of 2 steps failed: in step 1, its program failed (exit code 7)",
	     ENDED "1 of 2 steps failed: its program failed (exit code 7), first in step 1");
	/* the last one began when all others had failed, and succeeded */
	says_nothing("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "2") "," STEP("1", "02", "03", "2") "," STEP("2", "03", "04", "0") "],"
		     " 'timeline': []}");
	says("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "2") "," STEP("1", "01", "03", "0") "], 'timeline': []}",
	     COMPLETED ", but 1 of 2 steps failed: in step 0, its program failed (exit code 2)",
	     ENDED "1 of 2 steps failed: its program failed (exit code 2), first in step 0");
	/* an answer; and a server that was ended */
	says_nothing("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "1") "], 'timeline': ["
		     ENTRY("grep", "0", "101", "100", "01.900", "'exit_code': 1") "]}");
	says_nothing("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "143") "," STEP("1", "01", "03", "0") "], 'timeline': []}");
}

#define KILLED_STEP(end, more) "{'steps': [{'id': 'batch', 'tasks': [{'rank': 0, 'pid': 100}]}, {'id': '0', 'end': " AT(end) \
	", 'exit_code': 0, 'signal': 9}], 'timeline': [" ENTRY("run.sh", "batch", "100", "99", "09.000", "'exit_code': 0") "," \
	ENTRY("solve", "0", "101", "90", "02.000", "'exit_code': 0, 'signal': 9") "]" more "}"
#define SRUN_TOOL(how) ", 'tools': [{'name': 'srun', 'slurm': false, 'runs': 1, 'failures': 1, " how "}]"

/* srun also sends SIGKILL if it is ended itself. */
static void a_step_that_was_killed_and_nobody_wanted_it_has_failed(void **state)
{
	(void)state;
	says(KILLED_STEP("02.010", SRUN_TOOL("'dismissed': 0, 'signals': 0")), COMPLETED ", but solve was killed (signal 9 SIGKILL)",
	     ENDED "1 of 1 steps failed: solve failed (signal 9 SIGKILL), first in step 0");
	/* each run of its program failed: the step that succeeded was another program's */
	says("{'tools': [" TOOL("solve", "1", "1") "," TOOL("plot", "1", "0") "], 'steps': [{'id': 'batch', 'tasks': [{'rank': 0, 'pid': 100}]},"
	     " {'id': '0', 'start': " AT("01") ", 'end': " AT("02.010") ", 'exit_code': 0, 'signal': 9}, " STEP("1", "02.100", "03", "0") "],"
	     " 'timeline': [" ENTRY("run.sh", "batch", "100", "99", "09.000", "'exit_code': 0") ","
	     ENTRY("solve", "0", "101", "90", "02.000", "'exit_code': 0, 'signal': 9") "]}",
	     COMPLETED ", but 1 of 2 steps failed: in step 0, solve was killed (signal 9 SIGKILL)",
	     ENDED "1 of 2 steps failed: solve failed (signal 9 SIGKILL), first in step 0");
	/* slurmstepd ended it, as for srun --wait */
	says("{'steps': [{'id': 'batch', 'tasks': [{'rank': 0, 'pid': 100}]}, {'id': '0', 'end': " AT("02.010") ", 'exit_code': 0, 'signal': 9}],"
	     " 'timeline': [" ENTRY("run.sh", "batch", "100", "99", "09.000", "'exit_code': 0") ","
	     ENTRY("solve", "0", "101", "90", "02.000", "'dismissed': true, 'exit_code': 0, 'signal': 9") "]}",
	     COMPLETED ", but solve was killed (signal 9 SIGKILL)", ENDED "1 of 1 steps failed: solve failed (signal 9 SIGKILL), first in step 0");
	/* the process that started srun, or another one, ended it */
	says_nothing(KILLED_STEP("02.010", SRUN_TOOL("'dismissed': 1, 'signals': 0")));
	says_nothing(KILLED_STEP("02.010", SRUN_TOOL("'dismissed': 0, 'signals': 1")));
	says_nothing(KILLED_STEP("02.010", ", 'tools': [" TOOL("scancel", "1", "0") "]"));
	/* a time limit of its own */
	says("{'steps': [{'id': 'batch', 'tasks': [{'rank': 0, 'pid': 100}]}, {'id': '0', 'end': " AT("02.010") ", 'timed_out': true,"
	     " 'exit_code': 0, 'signal': 9}], 'timeline': [" ENTRY("run.sh", "batch", "100", "99", "09.000", "'exit_code': 0") "]}",
	     COMPLETED ", but step 0 reached its own time limit", NULL);
}

/* Another step that succeeded was another program. */
static void a_step_whose_program_is_not_there_has_failed(void **state)
{
	(void)state;
	says("{'progress': {'steps_without_processes': ['0']}, 'steps': [{'id': 'batch'}," STEP("0", "01", "02", "2") ","
	     STEP("1", "02", "03", "0") "], 'timeline': []}",
	     COMPLETED ", but 1 of 2 steps failed: in step 0, its program failed to start (no such file)",
	     ENDED "1 of 2 steps failed: its program failed to start (no such file), first in step 0");
	says("{'progress': {'steps_without_processes': ['0']}, 'steps': [{'id': 'batch'}," STEP("0", "01", "02", "13") "], 'timeline': []}",
	     COMPLETED ", but its program failed to start (permission denied)",
	     ENDED "1 of 1 steps failed: its program failed to start (permission denied), first in step 0");
	/* no answer, whatever another step with this code was */
	says("{'progress': {'steps_without_processes': ['1']}, 'steps': [{'id': 'batch'}," STEP("0", "01", "02", "2") ","
	     STEP("1", "02", "03", "2") "," STEP("2", "03", "04", "0") "], 'timeline': ["
	     ENTRY("grep", "0", "101", "100", "01.900", "'exit_code': 2") "]}",
	     COMPLETED ", but 1 of 3 steps failed: in step 1, its program failed to start (no such file)",
	     ENDED "1 of 3 steps failed: its program failed to start (no such file), first in step 1");
	/* a code that is no errno of execve(): its meaning is not known */
	says("{'progress': {'steps_without_processes': ['1']}, 'steps': [{'id': 'batch'}," STEP("0", "01", "02", "0") ","
	     STEP("1", "02", "03", "7") "], 'timeline': []}",
	     COMPLETED ", but 1 of 2 steps failed: in step 1, its program failed (exit code 7)",
	     ENDED "1 of 2 steps failed: its program failed (exit code 7), first in step 1");
}

/* A shell's exit code is how the step ended, except for a code that grep had told it. */
static void a_step_whose_program_is_a_shell_can_fail(void **state)
{
	(void)state;
	says("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "0") "," STEP("1", "02", "03", "7") "," STEP("2", "03", "04", "0")
	     "], 'timeline': [" ENTRY("bash", "1", "101", "100", "02.900", "'exit_code': 7") "]}",
	     COMPLETED ", but 1 of 3 steps failed: in step 1, bash failed (exit code 7)",
	     ENDED "1 of 3 steps failed: bash failed (exit code 7), first in step 1");
	says("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "139") "], 'timeline': ["
	     ENTRY("sh", "0", "101", "100", "01.900", "'exit_code': 139") ","
	     ENTRY("solve", "0", "102", "101", "01.800", "'exit_code': 0, 'signal': 11") "]}",
	     COMPLETED ", but solve was killed (signal 11 SIGSEGV)", ENDED "1 of 1 steps failed: solve failed (signal 11 SIGSEGV), first in step 0");
	says_nothing("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "0") "," STEP("1", "02", "03", "1") "], 'timeline': ["
		     ENTRY("bash", "1", "101", "100", "02.900", "'exit_code': 1") ","
		     ENTRY("grep", "1", "102", "101", "02.800", "'exit_code': 1") "]}");
}

/* For steps that ended alike, the report has only the first ones' processes. */
static void steps_without_a_process_are_as_those_before(void **state)
{
	(void)state;
	says_nothing("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "1") "," STEP("1", "02", "03", "1") "," STEP("2", "03", "04", "1")
		     "], 'timeline': [" ENTRY("grep", "0", "101", "100", "01.900", "'exit_code': 1") "]}");
	says("{'steps': [{'id': 'batch'}," STEP("0", "01", "02", "1") "," STEP("1", "02", "03", "1") "," STEP("2", "03", "04", "2")
	     "], 'timeline': [" ENTRY("grep", "0", "101", "100", "01.900", "'exit_code': 1") "]}",
	     COMPLETED ", but 1 of 3 steps failed: in step 2, its program failed (exit code 2)",
	     ENDED "1 of 3 steps failed: its program failed (exit code 2), first in step 2");
}

/* Users who work in an allocation see how each command ends. */
static void a_job_without_a_script_has_none(void **state)
{
	(void)state;
	says_nothing("{'steps': [{'id': 'interactive'}," STEP("0", "01", "02", "2") "," STEP("1", "01", "03", "0") "], 'timeline': []}");
}

/* A user decides how many runs and steps there are. */
static void many_failures_are_soon_looked_through(void **state)
{
	cleanup_json struct json_object *report = case_report("{'tools': [" TOOL("step.sh", "30000", "30000") "," TOOL("grep", "30000", "30000")
							      "]}");
	struct json_object *timeline = json_object_new_array(), *steps = json_object_new_array();

	(void)state;
	json_object_array_add(steps, case_json("{'id': 'batch'}"));
	for (int i = 0; i < 30000; i++) {
		json_object_array_add(timeline, case_json(FAILS("step.sh")));
		json_object_array_add(timeline, case_json(ENTRY("grep", "batch", "102", "101", "11.000", "'exit_code': 1")));
		json_object_array_add(steps, case_json(STEP("7", "01", "02", "3")));
	}
	json_object_object_add(report, "timeline", timeline);
	json_object_object_add(report, "steps", steps);
	judge(report, NULL);
	assert_string_equal(field_text(report, "verdict.outcome"),
			    COMPLETED ", but 30000 of 30000 steps failed: in step 7, its program failed (exit code 3)");
}

static void a_job_that_failed_says_it_otherwise(void **state)
{
	cleanup_json struct json_object *report = case_report("{'job': {'state': 'FAILED', 'exit_code': 1}, 'tools': ["
							      TOOL("samtools", "3", "3") "], 'timeline': [" FAILS("samtools") "]}");

	(void)state;
	judge(report, NULL);
	assert_null(case_find(report, "findings", "code", "work-failed"));
	assert_non_null(case_find(report, "findings", "code", "tools-failed"));
}

/* tools-failed and tools-killed do not repeat work-failed. */
static void each_failure_is_found_once(void **state)
{
	cleanup_json struct json_object *report = case_report("{'tools': [" TOOL("samtools", "3", "3") "," TOOL("sort", "1", "1")
							      "], 'timeline': [" FAILS("samtools") "]}");
	struct json_object *found;

	(void)state;
	judge(report, NULL);
	found = case_find(report, "findings", "code", "tools-failed");
	assert_non_null(found);
	assert_string_equal(field_text(found, "text"), "sort failed once; 2 tools in all failed");
}

#define FAILING(name, runs, failures, signals) \
	"{'name': '" name "', 'slurm': false, 'runs': " runs ", 'failures': " failures ", 'signals': " signals "}"

static void finds(const char *tools, const char *code, const char *text)
{
	cleanup_json struct json_object *report = case_report(tools);

	judge(report, NULL);
	assert_string_equal(field_text(case_find(report, "findings", "code", code), "text"), text);
}

/* grep's answers are reported for grep. */
static void what_xargs_passes_on_is_no_failure_of_its_own(void **state)
{
#define OF_GREP(engine, code) "{'tools': [" TOOL(engine, "1", "1") "," TOOL("grep", "2", "1") "], 'timeline': [" \
	ENTRY(engine, "batch", "101", "100", "12.000", BY_SHELL "'exit_code': " code) "," ENTRY("grep", "batch", "103", "101", "11.600", \
	"'exit_code': 1") "]}"
	(void)state;
	finds(OF_GREP("xargs", "123"), "tools-failed", "grep failed in 1 of 2 runs (exit code 1): for grep, this can just mean that nothing was found");
	finds(OF_GREP("xargs", "1"), "tools-failed", "grep failed in 1 of 2 runs (exit code 1): for grep, this can just mean that nothing was "
	      "found; 2 tools in all failed");
}

/* timeout sends itself the signal that ended its command: the report names the command. */
static void what_timeout_passes_on_is_no_failure_of_its_own(void **state)
{
	cleanup_json struct json_object *report = case_report("{'tools': [" FAILING("timeout", "1", "1", "1") "," FAILING("solve", "1", "1", "1")
		"], 'timeline': [" ENTRY("timeout", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 0, 'signal': 11") ","
		ENTRY("solve", "batch", "102", "101", "11.900", "'exit_code': 0, 'signal': 11") "]}");

	(void)state;
	judge(report, NULL);
	assert_null(case_find(report, "findings", "code", "tools-killed"));
}

/* The table has as many failed tools as the sentence says, whichever of them the first line names. */
static void all_tools_that_failed_are_counted(void **state)
{
	(void)state;
	finds("{'tools': [" TOOL("xargs", "1", "1") "," TOOL("gzip", "43", "1") "," TOOL("sh", "8", "1") "," TOOL("rm", "1", "0")
	      "], 'timeline': [" FAILS("xargs") "]}", "tools-failed", "gzip failed in 1 of 43 runs; 3 tools in all failed");
	finds("{'tools': [" TOOL("gzip", "43", "1") "," TOOL("sh", "8", "1") "], 'timeline': []}", "tools-failed",
	      "gzip failed in 1 of 43 runs; 2 tools in all failed");
	finds("{'tools': [" FAILING("solve", "1", "1", "1") "," FAILING("plot", "2", "1", "1") "," FAILING("sort", "3", "1", "1")
	      "], 'timeline': [" ENTRY("solve", "batch", "101", "100", "12.000", BY_SHELL "'exit_code': 0, 'signal': 11") "]}",
	      "tools-killed", "plot was killed in 1 of 2 runs; 3 tools in all were killed");
	/* among tools that failed equally often, the one that never succeeded */
	finds("{'tools': [" TOOL("seq", "2", "1") "," TOOL("python3", "1", "1") "], 'timeline': []}", "tools-failed",
	      "python3 failed once; 2 tools in all failed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tool_that_failed_each_time),
		cmocka_unit_test(a_healthy_job_has_none),
		cmocka_unit_test(a_short_failure_that_said_nothing_may_be_expected),
		cmocka_unit_test(any_other_short_failure_counts),
		cmocka_unit_test(a_worker_that_its_program_went_on_without),
		cmocka_unit_test(a_worker_of_a_healthy_job_is_not_told),
		cmocka_unit_test(what_nothing_read_any_more_has_not_failed),
		cmocka_unit_test(the_hint_is_what_would_have_told),
		cmocka_unit_test(what_a_signal_says_is_told),
		cmocka_unit_test(what_failed_is_named_and_not_what_passes_it_on),
		cmocka_unit_test(steps_that_failed_are_counted),
		cmocka_unit_test(a_step_that_was_killed_and_nobody_wanted_it_has_failed),
		cmocka_unit_test(a_step_whose_program_is_not_there_has_failed),
		cmocka_unit_test(a_step_whose_program_is_a_shell_can_fail),
		cmocka_unit_test(steps_without_a_process_are_as_those_before),
		cmocka_unit_test(a_job_without_a_script_has_none),
		cmocka_unit_test(many_failures_are_soon_looked_through),
		cmocka_unit_test(a_job_that_failed_says_it_otherwise),
		cmocka_unit_test(each_failure_is_found_once),
		cmocka_unit_test(what_xargs_passes_on_is_no_failure_of_its_own),
		cmocka_unit_test(what_timeout_passes_on_is_no_failure_of_its_own),
		cmocka_unit_test(all_tools_that_failed_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
