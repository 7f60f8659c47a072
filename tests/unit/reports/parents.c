/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests what the timeline says about processes that failed.
 * A shell continues after a failure, so the timeline says if a shell started the process.
 * Ends are in nanoseconds, to order two ends in one millisecond.
 * A process that SIGPIPE ended may be in no pipe: its script then did not fail by "set -o pipefail".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/records/merge.h"
#include "tests/unit/reports/record_case.h"

static struct report *timeline_report(struct json_object *json)
{
	cleanup_record struct record *record = case_record(json);
	const struct record *const records[] = { record };
	struct merge_script script = { 0 };
	struct report *report = report_new(NULL);
	struct report_entry_list judged;

	assert_non_null(report);
	merge_timeline(records, 1, &script, report, &judged);
	return report;
}

#define RUN(tool, pid, ppid, start, status) \
	"{'tool': " tool ", 'pid': " pid ", 'ppid': " ppid ", 'start_unix_ns': " start ", 'end_unix_ns': 99, 'exit_status': " status "}"

static const struct {
	const char *entry;
	bool by_shell;
} timeline[] = {
	{ RUN("0", "7", "1", "10", "0"), false }, /* the job script */
	{ RUN("2", "8", "7", "20", "256"), true },
	{ RUN("2", "9", "7", "21", "0"), false }, /* it did not fail */
	{ RUN("1", "10", "7", "22", "0"), false },
	{ RUN("2", "11", "10", "23", "256"), false }, /* Python started it */
	{ RUN("3", "12", "1", "24", "0"), false },
	{ RUN("2", "13", "12", "25", "11"), true }, /* a login shell, and a signal */
	{ RUN("0", "10", "7", "30", "0, 'forked': true"), false }, /* a subshell, which got Python's pid */
	{ RUN("2", "14", "10", "31", "256"), true },
	{ RUN("2", "15", "10", "32", "15, 'dismissed': true"), false },
	{ RUN("2", "16", "3", "33", "256"), false }, /* its parent is not known */
};

#define ENTRIES (sizeof(timeline) / sizeof(timeline[0]))

static void who_failed_below_a_shell_is_marked(void **state)
{
	cleanup_json struct json_object *record = case_json(
		"{'tools': [{'name': 'job.sh', 'interpreter': 'bash'},"
		" {'name': 'fit.py', 'interpreter': 'python3'}, {'name': 'samtools'}, {'name': '-sh'}]}");
	struct json_object *entries = json_object_new_array();
	cleanup_report struct report *report = NULL;

	(void)state;
	for (size_t i = 0; i < ENTRIES; i++)
		json_object_array_add(entries, case_json(timeline[i].entry));
	json_object_object_add(record, "timeline", entries);
	report = timeline_report(record);
	assert_int_equal(report->timeline.count, ENTRIES);
	for (size_t i = 0; i < ENTRIES; i++)
		if (report->timeline.items[i].by_shell != timeline[i].by_shell)
			fail_msg("by_shell is wrong in %s", timeline[i].entry);
}

#define ENDED(pid, ppid, step, rest) \
	"{'tool': 0, 'pid': " pid ", 'ppid': " ppid ", 'step': '" step "', 'start_unix_ns': 20, 'end_unix_ns': 1795248012500499999" rest "}"

static const struct {
	const char *entry;
	bool exact;
} ends[] = {
	{ ENDED("7", "1", "batch", ""), false }, /* another image of the script's process came after */
	{ ENDED("7", "1", "batch", ", 'exit_status': 0"), true },
	{ ENDED("7", "1", "0", ", 'exit_status': 0"), false },
	{ ENDED("8", "7", "batch", ", 'exit_status': 0"), false },
	{ ENDED("9", "7", "batch", ", 'exit_status': 256"), true },
	{ ENDED("9", "7", "batch", ", 'exit_status': 13, 'dismissed': true"), true },
	{ ENDED("10", "7", "0", ", 'exit_status': 9"), true },
};

static void the_ends_that_are_compared_are_exact(void **state)
{
	cleanup_json struct json_object *record = case_json(
		"{'tools': [{'name': 'job.sh'}], 'steps': [{'id': 'batch', 'tasks': [{'rank': 0, 'pid': 7}]}]}");
	struct json_object *entries = json_object_new_array();
	cleanup_report struct report *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		json_object_array_add(entries, case_json(ends[i].entry));
	json_object_object_add(record, "timeline", entries);
	report = timeline_report(record);
	assert_int_equal(report->timeline.count, sizeof(ends) / sizeof(ends[0]));
	for (size_t i = 0; i < report->timeline.count; i++) {
		int64_t end_ns = report->timeline.items[i].end_unix_ns;

		if (end_ns != (ends[i].exact ? INT64_C(1795248012500499999) : REPORT_UNKNOWN))
			fail_msg("the end is wrong in %s", ends[i].entry);
	}
}

#define IN_PIPE(tool, pid, ppid, start, end, rest) \
	"{'tool': " tool ", 'pid': " pid ", 'ppid': " ppid ", 'step': 'batch', 'start_unix_ns': " start ", 'end_unix_ns': " end rest "}"
#define BY_SIGPIPE ", 'exit_status': 13, 'dismissed': true"

static const struct {
	const char *entry;
	bool no_pipe;
} pipes[] = {
	{ IN_PIPE("0", "7", "1", "10", "900", ", 'exit_status': 36096"), false }, /* the shell */
	/* yes | head: the reader is started after it */
	{ IN_PIPE("1", "8", "7", "20", "40", BY_SIGPIPE), false },
	{ IN_PIPE("1", "10", "8", "21", "22", ", 'exit_status': 0"), false },
	{ IN_PIPE("2", "11", "7", "22", "35", ", 'exit_status': 0"), false },
	/* yes > >(head): the reader is started first. A process that starts after its end is no reader */
	{ IN_PIPE("2", "12", "7", "50", "65", ", 'exit_status': 0"), false },
	{ IN_PIPE("1", "13", "7", "51", "70", BY_SIGPIPE), true },
	{ IN_PIPE("2", "14", "7", "71", "75", ", 'exit_status': 0"), false },
	/* another signal */
	{ IN_PIPE("1", "15", "7", "80", "90", ", 'exit_status': 15, 'dismissed': true"), false },
	/* its reader has another parent */
	{ IN_PIPE("1", "16", "7", "100", "110", BY_SIGPIPE), true },
	{ IN_PIPE("2", "17", "16", "101", "120", ", 'exit_status': 0"), false },
};

static const struct {
	const char *entry;
	bool unawaited;
} shells[] = {
	{ IN_PIPE("0", "7", "1", "10", "900", ", 'exit_status': 0"), false }, /* the shell */
	/* dedup | sort */
	{ IN_PIPE("1", "8", "7", "20", "40", ", 'exit_status': 11"), true },
	{ IN_PIPE("2", "9", "7", "21", "45", ", 'exit_status': 0"), false },
	/* sort | dedup: the last one failed */
	{ IN_PIPE("2", "10", "7", "50", "60", ", 'exit_status': 0"), false },
	{ IN_PIPE("1", "11", "7", "51", "65", ", 'exit_status': 256"), false },
	/* dedup; sort */
	{ IN_PIPE("1", "12", "7", "70", "80", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "13", "7", "81", "90", ", 'exit_status': 0"), false },
	/* a child of another process is in no pipe with it */
	{ IN_PIPE("1", "14", "7", "91", "99", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "15", "13", "92", "95", ", 'exit_status': 0"), false },
	/* pids start again: the next pid was started long before, in the background */
	{ IN_PIPE("2", "301", "7", "1000", "9000000000", ", 'exit_status': 0"), false },
	{ IN_PIPE("1", "300", "7", "3000000000", "3000000900", ", 'exit_status': 256"), false },
};

static const struct {
	const char *entry;
	bool unread;
} readers[] = {
	{ IN_PIPE("0", "7", "1", "10", "90000000000", ", 'exit_status': 0"), false }, /* the shell */
	/* dedup | head, and a child of dedup in between */
	{ IN_PIPE("1", "8", "7", "20", "5000000", ", 'exit_status': 256"), true },
	{ IN_PIPE("1", "9", "8", "21", "22", ", 'exit_status': 0"), false },
	{ IN_PIPE("2", "10", "7", "21", "4000000", ", 'exit_status': 0, 'pipe_ns': 2000000"), false },
	/* the reader may have ended because of its end */
	{ IN_PIPE("1", "20", "7", "20", "5000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "21", "7", "21", "4000001", ", 'exit_status': 0, 'pipe_ns': 4000000"), false },
	/* dedup | tee: tee reads to the end */
	{ IN_PIPE("1", "90", "7", "20", "5000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("3", "91", "7", "21", "4000000", ", 'exit_status': 0, 'pipe_ns': 4000000"), false },
	/* not waiting at a pipe; failed; began long after; ended long before */
	{ IN_PIPE("1", "30", "7", "20", "5000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "31", "7", "21", "4000000", ", 'exit_status': 0, 'pipe_ns': 1999000"), false },
	{ IN_PIPE("1", "40", "7", "20", "5000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "41", "7", "21", "4000000", ", 'exit_status': 256, 'pipe_ns': 4000000"), false },
	{ IN_PIPE("1", "50", "7", "20", "3000000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "51", "7", "1000000021", "2900000000", ", 'exit_status': 0, 'pipe_ns': 1900000000"), false },
	{ IN_PIPE("1", "60", "7", "20", "12000000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "61", "7", "21", "1900000000", ", 'exit_status': 0, 'pipe_ns': 1900000000"), false },
	/* a signal ended it */
	{ IN_PIPE("1", "70", "7", "20", "5000000", ", 'exit_status': 11"), false },
	{ IN_PIPE("2", "71", "7", "21", "4000000", ", 'exit_status': 0, 'pipe_ns': 4000000"), false },
	/* pids start again: it was started long before, and waited for another */
	{ IN_PIPE("1", "100", "7", "9000000000", "9005000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "101", "7", "21", "9003000000", ", 'exit_status': 0, 'pipe_ns': 9000000000"), false },
	/* sh -c 'sleep 9; exec dedup' | head */
	{ IN_PIPE("0", "110", "7", "20", "9000000000", ""), false },
	{ IN_PIPE("1", "110", "7", "9000000000", "9005000000", ", 'exit_status': 256"), true },
	{ IN_PIPE("2", "111", "7", "21", "9003000000", ", 'exit_status': 0, 'pipe_ns': 9000000000"), false },
	/* the reader of another process */
	{ IN_PIPE("1", "80", "7", "20", "5000000", ", 'exit_status': 256"), false },
	{ IN_PIPE("2", "81", "6", "21", "4000000", ", 'exit_status': 0, 'pipe_ns': 4000000"), false },
};

/* Python does not end by SIGPIPE, but with exit code 1. */
static void what_lost_its_reader_before_it_failed_is_marked(void **state)
{
	cleanup_json struct json_object *record = case_json(
		"{'tools': [{'name': 'job.sh', 'interpreter': 'bash'}, {'name': 'dedup'}, {'name': 'head'}, {'name': 'tee'}]}");
	struct json_object *entries = json_object_new_array();
	cleanup_report struct report *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		json_object_array_add(entries, case_json(readers[i].entry));
	json_object_object_add(record, "timeline", entries);
	report = timeline_report(record);
	assert_int_equal(report->timeline.count, sizeof(readers) / sizeof(readers[0]));
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		assert_true(entry->pid >= 0);
		for (size_t j = 0; j < sizeof(readers) / sizeof(readers[0]); j++) {
			cleanup_json struct json_object *of = case_json(readers[j].entry);
			int64_t there = -1;

			if (field_count(of, "pid", &there) && there == entry->pid &&
			    !field_find(of, "exit_status") == (entry->exit_code < 0) && entry->unread != readers[j].unread)
				fail_msg("unread is wrong in %s", readers[j].entry);
		}
	}
}

static void what_a_shell_did_not_wait_for_is_marked(void **state)
{
	cleanup_json struct json_object *record = case_json(
		"{'tools': [{'name': 'job.sh', 'interpreter': 'bash'}, {'name': 'dedup'}, {'name': 'sort'}]}");
	struct json_object *entries = json_object_new_array();
	cleanup_report struct report *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		json_object_array_add(entries, case_json(shells[i].entry));
	json_object_object_add(record, "timeline", entries);
	report = timeline_report(record);
	assert_int_equal(report->timeline.count, sizeof(shells) / sizeof(shells[0]));
	for (size_t i = 0; i < report->timeline.count; i++)
		if (report->timeline.items[i].unawaited != shells[i].unawaited)
			fail_msg("unawaited is wrong in %s", shells[i].entry);
}

static void who_lost_the_reader_of_no_pipe_is_marked(void **state)
{
	cleanup_json struct json_object *record = case_json(
		"{'tools': [{'name': 'job.sh', 'interpreter': 'bash'}, {'name': 'yes'}, {'name': 'head'}]}");
	struct json_object *entries = json_object_new_array();
	cleanup_report struct report *report = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(pipes) / sizeof(pipes[0]); i++)
		json_object_array_add(entries, case_json(pipes[i].entry));
	json_object_object_add(record, "timeline", entries);
	report = timeline_report(record);
	assert_int_equal(report->timeline.count, sizeof(pipes) / sizeof(pipes[0]));
	for (size_t i = 0; i < report->timeline.count; i++)
		if (report->timeline.items[i].no_pipe != pipes[i].no_pipe)
			fail_msg("no_pipe is wrong in %s", pipes[i].entry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_failed_below_a_shell_is_marked),
		cmocka_unit_test(the_ends_that_are_compared_are_exact),
		cmocka_unit_test(what_lost_its_reader_before_it_failed_is_marked),
		cmocka_unit_test(what_a_shell_did_not_wait_for_is_marked),
		cmocka_unit_test(who_lost_the_reader_of_no_pipe_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
