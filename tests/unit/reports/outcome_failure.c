/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the sentence of a failure names the process that made the job fail, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/outcome_case.h"

#define OWN "; none of its programs failed, so a command of the shell itself did, or exit gave the code"
#define UNBORN " 'progress': {'steps_without_processes': ['batch']}, 'timeline': []}"

static void a_script_that_never_ran_did_not_end(void **state)
{
	static const struct ending endings[] = {
		{ FAILED("2") BATCH UNBORN,
		  "FAILED: Slurm could not start the job script: no such file (exit code 2): see the interpreter in its "
		  "first line" },
		{ FAILED("13") BATCH UNBORN,
		  "FAILED: Slurm could not start the job script: permission denied (exit code 13): see the interpreter in "
		  "its first line" },
		/* of a prolog's or a plugin's */
		{ FAILED("1") BATCH UNBORN, "FAILED: the job script ended with exit code 1" },
		{ FAILED("255") BATCH UNBORN, "FAILED: the job script ended with exit code 255" },
		/* another step was empty */
		{ FAILED("2") BATCH " 'progress': {'steps_without_processes': ['0']}, 'timeline': []}",
		  "FAILED: the job script ended with exit code 2" },
	};

	(void)state;
	CHECK(endings);
}

static void a_failure_names_the_process_whose_exit_code_the_job_has(void **state)
{
	static const struct ending endings[] = {
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("python3", "batch", "102", "100", "12.400", "'exit_code': 1") "]}",
		  "FAILED: python3 (pid 102) ended with exit code 1 at 00:00:12, and the job script with it" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 2, 'work_dir': '/home/u/run', 'std_out': '/home/u/run/logs/7.out'}," BATCH
		  " 'timeline': []}",
		  "FAILED: the job script ended with exit code 2. Its output: logs/7.out" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 2, 'work_dir': '/home/u/run', 'std_out': '/home/u/run2/7.out'}," BATCH
		  " 'timeline': []}",
		  "FAILED: the job script ended with exit code 2. Its output: /home/u/run2/7.out" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 2, 'std_out': '/dev/null'}," BATCH " 'timeline': []}",
		  "FAILED: the job script ended with exit code 2" },
		/* Slurm's start is rounded down: nothing ended after the job */
		{ "{'job': {'state': 'FAILED', 'start': '2026-11-21T08:00:00.000+00:00', 'exit_code': 1, 'elapsed_s': 11.4}," BATCH
		  "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("python3", "batch", "102", "100", "12.400", "'exit_code': 1") "]}",
		  "FAILED: python3 (pid 102) ended with exit code 1 at 00:00:11, and the job script with it" },
		/* through a shell of its own, and not a grep that found nothing */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("grep", "batch", "101", "100", "03.000", "'exit_code': 1") ","
		  ENTRY("bash", "batch", "102", "100", "12.400", "'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "102", "11.000", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script ended 2 s later" },
		/* the worker that failed last, not one that the program ended, nor a shell's */
#define POOL(worker) FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") "," \
		ENTRY("p.py", "batch", "101", "100", "12.400", "'exit_code': 1, 'wall_s': 12") "," \
		ENTRY("p.py", "batch", "102", "101", "03.000", "'forked': true, 'exit_code': 4, 'wall_s': 2.5") "," worker "]}"
		{ POOL(ENTRY("p.py", "batch", "103", "101", "04.000", "'forked': true, 'exit_code': 3, 'wall_s': 1.1")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "103) had ended with exit code 3 at 00:00:04" },
		{ POOL(ENTRY("p.py", "batch", "103", "101", "04.000", "'forked': true, 'exit_code': 0, 'signal': 25")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "103) had been killed by signal 25 SIGXFSZ at 00:00:04 (a file grew beyond the limit: ulimit -f)" },
		{ POOL(ENTRY("p.py", "batch", "103", "101", "12.300", "'forked': true, 'dismissed': true, 'exit_code': 0, 'signal': 15")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "102) had ended with exit code 4 at 00:00:03" },
		/* it found no program to execute */
		{ POOL(ENTRY("p.py", "batch", "103", "101", "12.300", "'forked': true, 'exit_code': 255, 'wall_s': 0.003")),
		  "FAILED: p.py (pid 101) ended with exit code 1 at 00:00:12, and the job script with it; a process that it had forked (pid "
		  "102) had ended with exit code 4 at 00:00:03" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1, 'wall_s': 12.4") ","
		  ENTRY("run.sh", "batch", "101", "100", "04.000", "'interpreter': 'bash', 'forked': true, 'wall_s': 2, 'exit_code': 3") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12" },
		/* a limit that the shell or the site set */
		{ FAILED("153") BATCH "'timeline': [" SCRIPT("'exit_code': 153") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 25") "]}",
		  "FAILED: sort (pid 101) was killed by signal 25 SIGXFSZ at 00:00:12 (a file grew beyond the limit: ulimit -f), and the "
		  "job script with it" },
		{ FAILED("152") BATCH "'timeline': [" SCRIPT("'exit_code': 152") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 24") "]}",
		  "FAILED: sort (pid 101) was killed by signal 24 SIGXCPU at 00:00:12 (it reached the limit of CPU time: ulimit -t), and the "
		  "job script with it" },
		{ FAILED("159") BATCH "'timeline': [" SCRIPT("'exit_code': 159") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 31") "]}",
		  "FAILED: sort (pid 101) was killed by signal 31 SIGSYS at 00:00:12 (a filter forbids a system call: seccomp), and the job "
		  "script with it" },
		{ FAILED("135") BATCH "'timeline': [" SCRIPT("'exit_code': 135") ","
		  ENTRY("sort", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 7") "]}",
		  "FAILED: sort (pid 101) was killed by signal 7 SIGBUS at 00:00:12 (it crashed: a bug, or a mapped file cut short or without "
		  "room, as in a full /dev/shm), and the job script with it" },
		/* a shell reports a signal as an exit code */
		{ FAILED("139") BATCH "'timeline': [" SCRIPT("'exit_code': 139") ","
		  ENTRY("solve", "batch", "102", "100", "12.400", "'exit_code': 0, 'signal': 11") "]}",
		  "FAILED: solve (pid 102) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input), and the job script with it" },
		{ FAILED("134") BATCH "'timeline': [" SCRIPT("'exit_code': 134") ","
		  ENTRY("solve", "batch", "102", "100", "12.400", "'exit_code': 0, 'signal': 6") "]}",
		  "FAILED: solve (pid 102) was killed by signal 6 SIGABRT at 00:00:12 (it gave up by itself: abort), and the job script with it" },
		/* in one millisecond: the last one by the nanosecond that did not outlive the script */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1, 'end_unix_ns': 1795248012500500000") ","
		  ENTRY("after", "batch", "101", "100", "12.500", "'exit_code': 1, 'end_unix_ns': 1795248012500500001") ","
		  ENTRY("last", "batch", "102", "100", "12.500", "'exit_code': 1, 'end_unix_ns': 1795248012500499999") ","
		  ENTRY("first", "batch", "103", "100", "12.500", "'exit_code': 1, 'end_unix_ns': 1795248012500499998") "]}",
		  "FAILED: last (pid 102) ended with exit code 1 at 00:00:12, and the job script with it" },
		/* "grep x y; exec solve": a child of the image before */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "102", "100", "12.400", "'exit_code': 1, 'wall_s': 2.4") ","
		  ENTRY("grep", "batch", "103", "102", "09.900", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 102) ended with exit code 1 at 00:00:12, and the job script with it" },
		/* what failed with another code did not end it */
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("grep", "batch", "101", "100", "12.400", "'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12" },
		/* exit 127, or a pid that it waits for in vain */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") "]}",
		  "FAILED: the job script ended with exit code 127 at 00:00:12" OWN },
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("run.sh", "batch", "101", "100", "12.400", "'interpreter': 'bash', 'exit_code': 0, 'forked': true") "]}",
		  "FAILED: the job script ended with exit code 127 at 00:00:12" OWN },
		/* [ -f x ] && cp x y */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "101", "100", "12.400", "'exit_code': 0") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12" OWN },
		/* Python is no shell */
		{ FAILED("1") BATCH "'timeline': [" ENTRY("run.py", "batch", "100", "99", "12.500", "'interpreter': 'python3', 'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12" },
		/* sh -c nosuch */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("sh", "batch", "101", "100", "12.400", "'exit_code': 127") "]}",
		  "FAILED: sh (pid 101) ended with exit code 127 at 00:00:12 (the shell did not find the command, or the interpreter in its first "
		  "line), and the job script with it" },
		/* what this code means elsewhere is not known */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("fit.py", "batch", "101", "100", "12.400", "'interpreter': 'python3', 'exit_code': 127") "]}",
		  "FAILED: fit.py (pid 101) ended with exit code 127 at 00:00:12, and the job script with it" },
		{ FAILED("127") BATCH "'timeline': []}", "FAILED: the job script ended with exit code 127" },
		/* the script continued, and with what; not with what it had begun before */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") ","
		  ENTRY("md5sum", "batch", "104", "100", "12.400", "'exit_code': 0, 'wall_s': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11; the job script went on to md5sum, and ended with the same "
		  "exit code 2 s later" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "12.000", "'exit_code': 1") ","
		  ENTRY("md5sum", "batch", "104", "100", "12.400", "'exit_code': 0, 'wall_s': 0.3") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:12; the job script went on to md5sum, and ended with the same "
		  "exit code" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") ","
		  ENTRY("md5sum", "batch", "104", "100", "12.400", "'exit_code': 0, 'wall_s': 2") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script ended 2 s later" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.500", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script ended 1 s later" },
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "11.501", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 103) ended with exit code 1 at 00:00:11, and the job script with it" },
		/* "solve || exit 3", also in a subshell; what ran before said nothing */
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12; before that, solve (pid 103) had ended with exit code 1 at 00:00:11" },
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("run.sh", "batch", "102", "100", "12.400", "'interpreter': 'bash', 'forked': true, 'exit_code': 3") ","
		  ENTRY("solve", "batch", "103", "102", "12.300", "'exit_code': 0, 'signal': 11") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12; before that, solve (pid 103) had been killed by signal 11 SIGSEGV "
		  "at 00:00:12 (it crashed: a bug or bad input)" },
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("solve", "batch", "103", "100", "11.000", "'exit_code': 1") ","
		  ENTRY("sleep", "batch", "104", "100", "12.000", "'exit_code': 0") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12" },
		{ FAILED("9") BATCH "'timeline': [" SCRIPT("'exit_code': 9") ","
		  ENTRY("bash", "batch", "102", "100", "12.400", "'exit_code': 9") ","
		  ENTRY("solve", "batch", "103", "102", "12.300", "'exit_code': 7") "]}",
		  "FAILED: bash (pid 102) ended with exit code 9 at 00:00:12, and the job script with it; before that, solve (pid 103) had ended "
		  "with exit code 7 at 00:00:12" },
		/* "./step.sh || exit 1": what failed in step.sh, but no answer */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("step.sh", "batch", "102", "100", "12.400", "'interpreter': 'bash', 'exit_code': 4") ","
		  ENTRY("solve", "batch", "103", "102", "12.300", "'exit_code': 4") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12; before that, solve (pid 103) had ended with exit code 4 at 00:00:12" },
		{ FAILED("3") BATCH "'timeline': [" SCRIPT("'exit_code': 3") ","
		  ENTRY("step.sh", "batch", "102", "100", "12.400", "'interpreter': 'bash', 'exit_code': 1") ","
		  ENTRY("grep", "batch", "103", "102", "12.300", "'exit_code': 1") "]}",
		  "FAILED: the job script ended with exit code 3 at 00:00:12; before that, step.sh (pid 102) had ended with exit code 1 at 00:00:12" },
		/* if gen.py | grep -q x; then ...; else exit 4; fi */
		{ FAILED("4") BATCH "'timeline': [" SCRIPT("'exit_code': 4") ","
		  ENTRY("gen.py", "batch", "102", "100", "12.400", "'interpreter': 'python3', 'exit_code': 1, 'unread': true") ","
		  ENTRY("grep", "batch", "103", "100", "12.300", "'exit_code': 0") "]}",
		  "FAILED: the job script ended with exit code 4 at 00:00:12; before that, gen.py (pid 102) had ended with exit code 1 at 00:00:12 "
		  "(what read its output had ended before)" },
		/* "grep -q x y; solve || exit 1": grep answered */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("grep", "batch", "102", "100", "10.000", "'exit_code': 1") ","
		  ENTRY("solve", "batch", "103", "100", "12.000", "'exit_code': 7, 'wall_s': 1") "]}",
		  "FAILED: the job script ended with exit code 1 at 00:00:12; before that, solve (pid 103) had ended with exit code 7 at 00:00:12" },
		/* the engine has its own code: what failed first is the cause, except for an answer */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("make", "batch", "101", "100", "12.400", "'exit_code': 2") ","
		  ENTRY("which", "batch", "102", "101", "01.000", "'exit_code': 1") ","
		  ENTRY("bash", "batch", "103", "101", "12.300", "'exit_code': 1") ","
		  ENTRY("solve", "batch", "104", "103", "12.200", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 104) ended with exit code 1 at 00:00:12; make failed because of it, and the job script with it" },
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("make", "batch", "101", "100", "12.400", "'exit_code': 2") ","
		  ENTRY("which", "batch", "102", "101", "01.000", "'exit_code': 1") "]}",
		  "FAILED: make (pid 101) ended with exit code 2 at 00:00:12, and the job script with it" },
		/* a child that ended with the engine's code by chance */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("parallel", "batch", "101", "100", "12.400", "'exit_code': 1") ","
		  ENTRY("false", "batch", "102", "101", "12.100", "'exit_code': 1") ","
		  ENTRY("sh", "batch", "104", "101", "01.100", "'exit_code': 2") ","
		  ENTRY("bash", "batch", "103", "101", "12.300", "'exit_code': 3") "]}",
		  "FAILED: bash (pid 103) ended with exit code 3 at 00:00:12; parallel failed because of it, and the job script with it" },
		/* a shell's fork that found no command is no process to look for; a subshell's program is */
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("run.sh", "batch", "101", "100", "12.400", "'interpreter': 'bash', 'exit_code': 127, 'forked': true") "]}",
		  "FAILED: the job script ended with exit code 127 at 00:00:12 (the shell did not find the command, or the interpreter in its "
		  "first line)" },
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("run.sh", "batch", "101", "100", "12.400", "'exit_code': 2, 'forked': true") ","
		  ENTRY("solve", "batch", "102", "101", "11.000", "'exit_code': 2") "]}",
		  "FAILED: solve (pid 102) ended with exit code 2 at 00:00:11, and the job script ended 2 s later" },
		{ FAILED("127") BATCH "'timeline': [" SCRIPT("'exit_code': 127") ","
		  ENTRY("align.sh", "batch", "101", "100", "12.400", "'interpreter': 'sh', 'exit_code': 127") ","
		  ENTRY("align.sh", "batch", "102", "101", "12.300", "'interpreter': 'sh', 'exit_code': 127, 'forked': true") "]}",
		  "FAILED: align.sh (pid 101) ended with exit code 127 at 00:00:12 (the shell did not find the command, or the interpreter in "
		  "its first line), and the job script with it" },
		/* ended as its parent wanted */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("helper", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 15, 'dismissed': true") "]}",
		  "FAILED: the job script ended with exit code 143 at 00:00:12 (that of helper, which a process above it had ended: kill and wait)" },
		/* another process ended with that code */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("helper", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 9, 'dismissed': true") "]}",
		  "FAILED: the job script ended with exit code 143 at 00:00:12" },
		/* "solve | head" under "set -o pipefail" */
		{ FAILED("141") BATCH "'timeline': [" SCRIPT("'exit_code': 141") ","
		  ENTRY("solve", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 13, 'dismissed': true") "]}",
		  "FAILED: solve (pid 101) was killed by signal 13 SIGPIPE at 00:00:12 (nothing read its output any more), and the job "
		  "script with it ('set -o pipefail')" },
		/* "solve > >(head)" without it */
		{ FAILED("141") BATCH "'timeline': [" SCRIPT("'exit_code': 141") ","
		  ENTRY("solve", "batch", "101", "100", "12.400", "'exit_code': 0, 'signal': 13, 'dismissed': true, 'no_pipe': true") "]}",
		  "FAILED: solve (pid 101) was killed by signal 13 SIGPIPE at 00:00:12 (nothing read its output any more), and the job "
		  "script with it" },
		/* "gen.py | head" under "set -o pipefail" */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("gen.py", "batch", "101", "100", "12.400", "'exit_code': 1, 'unread': true") "]}",
		  "FAILED: gen.py (pid 101) ended with exit code 1 at 00:00:12 (what read its output had ended before), and the job script with "
		  "it ('set -o pipefail')" },
		/* a process of the same pid, of another node's step */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("solve", "0", "101", "100", "12.400", "'exit_code': 2") "]}",
		  "FAILED: the job script ended with exit code 2 at 00:00:12" },
		/* through srun: the first task that failed */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 2") ","
		  ENTRY("solve", "0", "202", "200", "12.000", "'exit_code': 2") ","
		  ENTRY("solve", "0", "201", "200", "11.000", "'exit_code': 2") "]}",
		  "FAILED: solve (pid 201) ended with exit code 2 at 00:00:11, and the job script ended 2 s later" },
		/* a job without a script */
		{ FAILED("2") "'timeline': [" ENTRY("solve", "0", "201", "200", "11.000", "'exit_code': 2") "],"
		  " 'steps': [{'id': '0', 'elapsed_s': 100}]}",
		  "FAILED: solve (pid 201) ended with exit code 2 at 00:00:11, and the job with it" },
		{ FAILED("2") " 'steps': []}", "FAILED: the job ended with exit code 2" },
		/* a process that outlived the script */
		{ FAILED("2") BATCH "'timeline': [" SCRIPT("'exit_code': 2") ","
		  ENTRY("solve", "batch", "101", "100", "13.000", "'exit_code': 2") "]}",
		  "FAILED: the job script ended with exit code 2 at 00:00:12" },
		/* processes that are each other's parents */
		{ FAILED("1") BATCH "'timeline': [" SCRIPT("'exit_code': 1") ","
		  ENTRY("a", "batch", "101", "100", "12.400", "'exit_code': 1") ","
		  ENTRY("b", "batch", "100", "101", "12.300", "'exit_code': 1") "]}",
		  "FAILED: b (pid 100) ended with exit code 1 at 00:00:12, and the job script with it" },
		{ "{'job': {'state': 'FAILED', 'signal': 9}, 'steps': []}", "FAILED: the job was killed by signal 9 SIGKILL" },
		/* srun ended all others when one had failed: the code is theirs, the failure is that one's */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ENTRY("solve", "0", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") ","
		  ENTRY("solve", "0", "202", "200", "12.000", "'exit_code': 0, 'signal': 11") ","
		  ENTRY("solve", "0", "203", "200", "12.150", "'exit_code': 9") ","
		  ENTRY("grep", "0", "204", "203", "11.000", "'exit_code': 1") ","
		  ENTRY("solve", "1", "205", "200", "11.500", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 202) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input), and the job script with it" },
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ENTRY("solve", "0", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") ","
		  ENTRY("rank.sh", "0", "202", "200", "12.000", "'exit_code': 3") ","
		  ENTRY("input", "0", "203", "202", "11.900", "'exit_code': 3") "]}",
		  "FAILED: input (pid 203) ended with exit code 3 at 00:00:11, and the job script with it" },
		/* on another node, tasks have only slurmstepd as parent */
#define ON(node, pid, ppid, end, how) "{'tool': 'solve', 'node': '" node "', 'step': '0', 'pid': " pid ", 'ppid': " ppid ", 'end': '2026-11-21T08:00:" end "+00:00', " how "}"
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ON("n1", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") "," ON("n2", "202", "199", "12.000", "'exit_code': 6") ","
		  ON("n2", "203", "202", "11.000", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 202) ended with exit code 6 at 00:00:12, and the job script with it" },
		/* a process that failed below a task is no task; tasks that failed later were ended */
		{ FAILED("143") BATCH "'timeline': [" SCRIPT("'exit_code': 143") ","
		  ENTRY("srun", "batch", "101", "100", "12.400", "'exit_code': 143") ","
		  ON("n1", "201", "200", "12.100", "'exit_code': 0, 'signal': 15") "," ON("n2", "202", "199", "12.300", "'exit_code': 6") ","
		  ON("n2", "203", "202", "11.000", "'exit_code': 1") "]}",
		  "FAILED: solve (pid 201) was killed by signal 15 SIGTERM at 00:00:12, and the job script with it" },
		{ "{'job': {'state': 'FAILED', 'reason': 'JobLaunchFailure', 'signal': 53, 'std_out': '/no/1.out'}}",
		  "FAILED: Slurm could not start it: see whether the directory of its output exists, and is writable. Its output: "
		  "/no/1.out" },
		{ "{'job': {'state': 'FAILED', 'signal': 53, 'std_out': '/no/1.out'}, 'used': {'processes': 0}}",
		  "FAILED: Slurm could not start it: see whether the directory of its output exists, and is writable. Its output: "
		  "/no/1.out" },
		{ "{'job': {'state': 'FAILED', 'reason': 'JobLaunchFailure', 'exit_code': 0}}",
		  "FAILED after 1 min 40 s: Slurm's reason is JobLaunchFailure" },
	};

	(void)state;
	CHECK(endings);
}

#define TIMEOUT(code, how, end, child) FAILED(code) BATCH "'timeline': [" SCRIPT("'exit_code': " code) "," \
	ENTRY("timeout", "batch", "101", "100", "12.400", how) "," ENTRY("solve", "batch", "102", "101", end, child) "]}"

/* With -k and -s KILL, timeout ends itself, too. The process that it ended may live a moment longer. */
static void whose_time_was_up_is_named_and_not_timeout(void **state)
{
	static const struct ending endings[] = {
		{ TIMEOUT("124", "'exit_code': 124", "12.390", "'exit_code': 0, 'signal': 15, 'dismissed': true"),
		  "FAILED: solve (pid 102) was ended by timeout at 00:00:12 (its time was up: exit code 124), and the job script with it" },
		{ TIMEOUT("137", "'exit_code': 0, 'signal': 9", "12.410", "'exit_code': 0, 'signal': 9, 'dismissed': true"),
		  "FAILED: solve (pid 102) was ended by timeout at 00:00:12 (its time was up: exit code 137), and the job script with it" },
		/* it ended in good order */
		{ TIMEOUT("124", "'exit_code': 124", "12.390", "'exit_code': 0"),
		  "FAILED: solve (pid 102) was ended by timeout at 00:00:12 (its time was up: exit code 124), and the job script with it" },
		/* something else ended it, or it had a code of its own */
		{ TIMEOUT("137", "'exit_code': 0, 'signal': 9", "12.390", "'exit_code': 0, 'signal': 9"),
		  "FAILED: solve (pid 102) was killed by signal 9 SIGKILL at 00:00:12, and the job script with it" },
		{ TIMEOUT("124", "'exit_code': 124", "12.390", "'exit_code': 124"),
		  "FAILED: solve (pid 102) ended with exit code 124 at 00:00:12, and the job script with it" },
		{ TIMEOUT("143", "'exit_code': 143", "12.390", "'exit_code': 0, 'signal': 15, 'dismissed': true"),
		  "FAILED: timeout (pid 101) ended with exit code 143 at 00:00:12, and the job script with it" },
	};

	(void)state;
	CHECK(endings);
}

#define MPI(mpirun, code, entries) FAILED(code) BATCH "'timeline': [" SCRIPT("'exit_code': " code) "," \
	ENTRY(mpirun, "batch", "101", "100", "12.400", "'exit_code': " code) entries "]}"
#define SRUN(code) "," ENTRY("srun", "batch", "102", "101", "12.300", "'exit_code': " code)
#define DAEMON(name, pid, ppid, code) "," ENTRY(name, "0", pid, ppid, "12.200", "'exit_code': " code)
#define RANK(pid, ppid, end, how) "," ENTRY("solve", "0", pid, ppid, end, how)
#define WITH_IT ", and the job script with it"

/* mpirun's daemons are srun's tasks, and end with any code, whatever the ranks did. */
static void below_mpirun_it_is_the_rank_that_failed_first(void **state)
{
	static const struct ending endings[] = {
		{ MPI("mpirun", "7", SRUN("0") DAEMON("orted", "201", "200", "0") RANK("202", "201", "12.100", "'exit_code': 7")
		  RANK("203", "201", "12.000", "'exit_code': 7") RANK("204", "201", "12.050", "'exit_code': 0, 'signal': 15, 'dismissed': true")),
		  "FAILED: solve (pid 203) ended with exit code 7 at 00:00:12" WITH_IT },
		{ MPI("mpiexec", "139", SRUN("0") DAEMON("prted", "201", "200", "0") RANK("202", "201", "12.100", "'exit_code': 0, 'signal': 11")),
		  "FAILED: solve (pid 202) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input)" WITH_IT },
		/* its own children, without a daemon */
		{ MPI("mpirun", "7", "," ENTRY("solve", "batch", "102", "101", "12.100", "'exit_code': 7") ","
		  ENTRY("solve", "batch", "103", "101", "12.000", "'exit_code': 7")),
		  "FAILED: solve (pid 103) ended with exit code 7 at 00:00:12" WITH_IT },
		/* a code of its own, of which its daemons have parts */
		{ MPI("mpiexec.hydra", "255", SRUN("7") DAEMON("hydra_pmi_proxy", "201", "200", "7")
		  DAEMON("hydra_pmi_proxy", "301", "300", "0") RANK("302", "301", "12.100", "'exit_code': 0, 'signal': 11")),
		  "FAILED: solve (pid 302) was killed by signal 11 SIGSEGV at 00:00:12 (it crashed: a bug or bad input); mpiexec.hydra failed "
		  "because of it" WITH_IT },
		{ MPI("mpirun", "7", DAEMON("orted", "201", "200", "0") "," ENTRY("rank.sh", "0", "202", "201", "12.100", "'interpreter': 'sh',"
		  " 'exit_code': 7") "," ENTRY("input", "0", "203", "202", "12.050", "'exit_code': 7")),
		  "FAILED: input (pid 203) ended with exit code 7 at 00:00:12" WITH_IT },
		/* a process below a rank that did not fail, and one of another time */
		{ MPI("mpirun", "7", DAEMON("orted", "201", "200", "0") RANK("202", "201", "12.100", "'exit_code': 0") ","
		  ENTRY("grep", "0", "203", "202", "12.050", "'exit_code': 7")),
		  "FAILED: mpirun (pid 101) ended with exit code 7 at 00:00:12" WITH_IT },
		{ MPI("mpirun", "7", DAEMON("orted", "201", "200", "0") RANK("202", "201", "12.450", "'exit_code': 7")),
		  "FAILED: mpirun (pid 101) ended with exit code 7 at 00:00:12" WITH_IT },
		/* which of the two it belongs to is not known */
		{ MPI("mpirun", "7", "," ENTRY("mpirun", "batch", "105", "100", "12.300", "'exit_code': 0") DAEMON("orted", "201", "200", "0")
		  RANK("202", "201", "12.100", "'exit_code': 7")),
		  "FAILED: mpirun (pid 101) ended with exit code 7 at 00:00:12" WITH_IT },
	};

	(void)state;
	CHECK(endings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_script_that_never_ran_did_not_end),
		cmocka_unit_test(a_failure_names_the_process_whose_exit_code_the_job_has),
		cmocka_unit_test(whose_time_was_up_is_named_and_not_timeout),
		cmocka_unit_test(below_mpirun_it_is_the_rank_that_failed_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
