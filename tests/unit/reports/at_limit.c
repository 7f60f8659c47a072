/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the finding about the time limit says what ran when Slurm ended the job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/findings_case.h"

#define T(time) "'2026-11-24T" time "+00:00'"
#define STARTED "12:00:00.000"
#define END "16:00:00.000"
#define STATES(more) \
	"'states': {'on_cpu_s': 1, 'runnable_s': 1, 'memory_stall_s': 0, 'fault_io_s': 0, 'gpu_s': 0, 'network_s': 0, 'lock_s': 0, 'other_s': 0," \
	" 'pipe_s': 0, 'condition_s': 0, 'child_s': 0, 'event_s': 0, " more "}"
#define BUSY STATES("'file_io_s': 10000, 'sleep_s': 0")
#define ASLEEP STATES("'file_io_s': 0, 'sleep_s': 10000")
#define ENTRY(tool, pid, ppid, start, end, more) \
	"{'tool': '" tool "', 'node': 'n1', 'step': 'batch', 'pid': " pid ", 'ppid': " ppid ", 'start': " T(start) ", 'end': " T(end) \
	", 'wall_s': 10002, 'cpu_s': 1, 'syscall_write_bytes': 0, 'socket_rx_bytes': 0, 'socket_tx_bytes': 0, " more "}"
#define SCRIPT ENTRY("job.sh", "7", "1", STARTED, "16:00:00.100", ASLEEP)
#define JOB(more, entries) \
	"{'job': {'state': 'TIMEOUT', 'elapsed_s': 14400, 'start': " T(STARTED) ", 'end': " T(END) "}, 'requested': {'time_limit_s': 14400}" more \
	", 'timeline': [" entries "]}"

#define ENDED "Slurm ended it at its time limit of 4 h"

static void assert_said(const char *patch, const char *expected)
{
	cleanup_json struct json_object *report = NULL;

	assert_string_equal(field_text(found(&report, patch, "time-limit-hit"), "text"), expected);
}

static void what_ran_at_the_time_limit_is_named_with_what_it_mainly_did(void **state)
{
	(void)state;
#define FASTQC(pid, end, more) ENTRY("fastqc", pid, "7", "12:48:00.000", end, more)
	assert_said(JOB("", SCRIPT ", " FASTQC("8", "16:00:00.000", BUSY)), ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for files");
	assert_said(JOB(", 'used': {'file_systems': [{'type': 'nfs4', 'wait_s': 9000}, {'type': 'xfs', 'wait_s': 1000}]}, 'states': {'file_io_s': 9}",
			SCRIPT ", " FASTQC("8", "16:00:00.000", BUSY)),
		    ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for the file system nfs4");
	/* two file systems: it is not certain which one was waited for */
	assert_said(JOB(", 'used': {'file_systems': [{'type': 'nfs4', 'wait_s': 8999}, {'type': 'xfs', 'wait_s': 1001}]}, 'states': {'file_io_s': 9}",
			SCRIPT ", " FASTQC("8", "16:00:00.000", BUSY)), ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for files");
	/* half of its time is not most of it */
	assert_said(JOB("", SCRIPT ", " FASTQC("8", END, STATES("'file_io_s': 5000, 'sleep_s': 4997"))),
		    ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for files");
	assert_said(JOB("", SCRIPT ", " FASTQC("8", END, STATES("'file_io_s': 5000, 'sleep_s': 4998"))), ENDED ": fastqc (3 h 12 min) was running");
	/* an entry has no zeros; more than a tenth of its time is not known */
	assert_said(JOB("", SCRIPT ", " FASTQC("8", END, "'states': {'file_io_s': 9002}")),
		    ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for files");
	assert_said(JOB("", SCRIPT ", " FASTQC("8", END, "'states': {'file_io_s': 9001}")), ENDED ": fastqc (3 h 12 min) was running");
	assert_said(JOB("", SCRIPT ", " FASTQC("8", END, "'count': 1")), ENDED ": fastqc (3 h 12 min) was running");
}

static void what_had_ended_before_or_began_later_did_not_run_at_the_limit(void **state)
{
	(void)state;
	/* the script itself was at work */
	assert_said(JOB("", SCRIPT ", " FASTQC("8", "15:59:59.999", BUSY)), ENDED ": job.sh (4 h) was running, and had mainly slept");
	assert_said(JOB("", SCRIPT ", " ENTRY("rm", "8", "7", "16:00:01.000", "16:00:02.000", BUSY)),
		    ENDED ": job.sh (4 h) was running, and had mainly slept");
	/* Slurm has whole seconds: this may have begun before or after the end */
	assert_said(JOB("", SCRIPT ", " ENTRY("rm", "8", "7", "16:00:00.999", "16:00:02.000", BUSY)), ENDED);
	assert_said(JOB("", SCRIPT ", " ENTRY("rm", "8", "7", END, "16:00:02.000", BUSY)),
		    ENDED ": rm (1 ms) was running, and had mainly waited for files");
}

static void of_several_tools_two_are_named(void **state)
{
#define PIPE(tool, pid, file_io_s) ENTRY(tool, pid, "7", STARTED, END, STATES("'sleep_s': 1, 'file_io_s': " file_io_s))

	(void)state;
	assert_said(JOB("", SCRIPT ", " PIPE("gzip", "8", "20") ", " PIPE("bwa", "9", "30")), ENDED ": bwa (4 h) and gzip (4 h) were running");
	assert_said(JOB("", SCRIPT ", " PIPE("cat", "11", "10") ", " PIPE("gzip", "8", "20") ", " PIPE("bwa", "9", "30")),
		    ENDED ": bwa (4 h) and gzip (4 h) and 1 more were running");
	/* what only waits is beside the work, if there is anything else */
	assert_said(JOB("", SCRIPT ", " PIPE("bwa", "9", "30") ", " ENTRY("monitor", "8", "7", STARTED, END, ASLEEP)), ENDED ": bwa (4 h) was running");
	assert_said(JOB("", SCRIPT ", " ENTRY("tail", "9", "7", STARTED, END, ASLEEP) ", " ENTRY("monitor", "8", "7", STARTED, END, ASLEEP)),
		    ENDED ": monitor (4 h) and tail (4 h) were running");
}

static void ranks_of_one_program_are_one_name(void **state)
{
#define RANK(pid, start) \
	"{'tool': 'solve', 'node': 'n" pid "', 'step': '0', 'pid': 9, 'ppid': 8, 'start': " T(start) ", 'end': " T(END) ", 'wall_s': 10000, " \
	STATES("'file_io_s': 0, 'sleep_s': 0, 'on_cpu_s': 9900") "}"

	(void)state;
	assert_said(JOB("", SCRIPT ", " ENTRY("srun", "8", "7", STARTED, END, ASLEEP) ", " RANK("1", "12:00:03.000") ", " RANK("2", "12:00:02.000") ", "
			RANK("3", "12:00:04.000")), ENDED ": solve (3 h 59 min) was running, and had mainly computed");
	/* a program of srun is not known to have ended by then */
	assert_said(JOB("", SCRIPT ", " ENTRY("srun", "8", "7", STARTED, END, ASLEEP)), ENDED);
}

/* Most threads of a pool wait for work, whatever the process waits for. */
static void of_a_pool_of_threads_no_idle_wait_is_told(void **state)
{
#define POOL(condition_s) ENTRY("solve", "8", "7", STARTED, END, STATES("'file_io_s': 100, 'sleep_s': 0, 'condition_s': " condition_s))

	(void)state;
	assert_said(JOB("", SCRIPT ", " POOL("14900")), ENDED ": solve (4 h) was running, and had mainly waited for another thread (or a timer)");
	assert_said(JOB("", SCRIPT ", " POOL("14902")), ENDED ": solve (4 h) was running");
	assert_said(JOB("", SCRIPT ", " ENTRY("solve", "8", "7", STARTED, END, STATES("'file_io_s': 99000, 'sleep_s': 9000"))),
		    ENDED ": solve (4 h) was running, and had mainly waited for files");
}

static void nothing_is_told_of_a_timeline_that_is_not_whole(void **state)
{
#define LACKING(more) JOB(more, SCRIPT ", " FASTQC("8", END, BUSY))

	(void)state;
	assert_said(LACKING(", 'lost': {'process_records': 0}"), ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for files");
	assert_said(LACKING(", 'lost': {'process_records': 1}"), ENDED);
	assert_said(LACKING(", 'complete': false"), ENDED);
	assert_said(LACKING(", 'gaps': [{'name': 'timeline', 'reason': 'the longest 9 of 10 entries are kept'}]"), ENDED);
	assert_said(LACKING(", 'gaps': [{'name': 'job.reason', 'reason': 'Slurm does not say'}]"),
		    ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for files");
	assert_said(LACKING(", 'job': {'state': 'TIMEOUT', 'end': null}"), ENDED);
	assert_said("{'job': {'state': 'TIMEOUT'}}", "Slurm ended it at its time limit of 5 min");
	/* of short runs that were added up, it is not known which one ran */
	assert_said(JOB("", SCRIPT ", " FASTQC("8", END, "'count': 9, " BUSY)), ENDED);
	assert_said(JOB("", SCRIPT ", " FASTQC("8", "15:59:59.000", "'count': 9, " BUSY)), ENDED ": job.sh (4 h) was running, and had mainly slept");
	assert_said(JOB("", SCRIPT ", " FASTQC("8", END, BUSY) ", " ENTRY("slurmstepd", "9", "1", STARTED, END, "'slurm': true, 'count': 9")),
		    ENDED ": fastqc (3 h 12 min) was running, and had mainly waited for files");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ran_at_the_time_limit_is_named_with_what_it_mainly_did),
		cmocka_unit_test(what_had_ended_before_or_began_later_did_not_run_at_the_limit),
		cmocka_unit_test(of_several_tools_two_are_named),
		cmocka_unit_test(ranks_of_one_program_are_one_name),
		cmocka_unit_test(of_a_pool_of_threads_no_idle_wait_is_told),
		cmocka_unit_test(nothing_is_told_of_a_timeline_that_is_not_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
