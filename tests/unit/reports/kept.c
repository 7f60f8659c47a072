/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which entries of a record's timeline the verdict looks at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "reports/records/kept.h"
#include "reports/records/merge.h"
#include "tests/unit/reports/record_case.h"

#define IN_PIPE(tool, pid, ppid, start, end, rest) \
	"{'tool': " tool ", 'pid': " pid ", 'ppid': " ppid ", 'step': 'batch', 'start_unix_ns': " start ", 'end_unix_ns': " end rest "}"

struct kept {
	const char *entry;
	bool keep;
};

static const struct kept children[] = {
	{ IN_PIPE("0", "7", "1", "10", "900", ", 'exit_status': 768"), true }, /* sh -c '...; exit 3' */
	{ IN_PIPE("1", "8", "7", "20", "30", ", 'exit_status': 256"), true },
	{ IN_PIPE("1", "9", "7", "31", "40", ", 'exit_status': 0"), false },
	{ IN_PIPE("2", "10", "7", "41", "50", ", 'exit_status': 0"), true },
	{ IN_PIPE("0", "11", "7", "51", "60", ", 'exit_status': 0, 'forked': true"), false },
};

/* A pool whose first worker crashed. The pool ended with 0: it did not notice, or a later worker did the work. */
static const struct kept workers[] = {
	{ IN_PIPE("1", "7", "1", "10", "900", ", 'exit_status': 0"), true },
	{ IN_PIPE("1", "8", "7", "20", "30000000", ", 'exit_status': 11, 'forked': true"), true },
	{ IN_PIPE("1", "9", "7", "21", "40", ", 'exit_status': 0, 'forked': true"), false },
	{ IN_PIPE("1", "11", "7", "31000000", "40000000", ", 'exit_status': 0, 'forked': true"), true },
	{ IN_PIPE("2", "10", "1", "41", "50", ", 'exit_status': 0"), false },
};

#define FAILS(tool, pid, ppid, end) IN_PIPE(tool, pid, ppid, "19", end, ", 'exit_status': 256"), true

/* "xargs grep" among much else that failed: what xargs ran may have been answers only. */
static const struct kept answers[] = {
	{ FAILS("7", "2", "1", "20") },	     { FAILS("7", "3", "1", "21") },
	{ FAILS("7", "4", "1", "22") },	     { IN_PIPE("6", "7", "1", "10", "90", ", 'exit_status': 31488"), true },
	{ FAILS("7", "8", "7", "30") },	     { IN_PIPE("7", "9", "7", "30", "31", ", 'exit_status': 256"), false },
	{ FAILS("1", "11", "1", "100") },    { FAILS("1", "12", "1", "101") },
	{ FAILS("1", "13", "1", "102") },    { FAILS("1", "14", "1", "103") },
	{ FAILS("1", "15", "1", "104") },    { FAILS("1", "16", "1", "105") },
	{ FAILS("1", "17", "1", "106") },    { FAILS("1", "18", "1", "107") },
};

/* timeout 5 solve: solve ended with 0 when its time was up */
static const struct kept timed_out[] = {
	{ IN_PIPE("5", "7", "1", "10", "900", ", 'exit_status': 31744"), true },
	{ IN_PIPE("1", "8", "7", "20", "30", ", 'exit_status': 0"), true },
	{ IN_PIPE("1", "9", "8", "21", "25", ", 'exit_status': 0"), false },
};

/* The daemon shows whose rank failed. */
static const struct kept ranks[] = {
	{ IN_PIPE("3", "7", "1", "10", "900", ", 'exit_status': 0"), true },
	{ IN_PIPE("1", "8", "7", "20", "30", ", 'exit_status': 256"), true },
	{ IN_PIPE("1", "9", "7", "21", "40", ", 'exit_status': 0"), false },
	{ IN_PIPE("4", "10", "1", "41", "50", ", 'exit_status': 0"), false },
};

static void check_kept(const struct kept *list, size_t count)
{
	cleanup_json struct json_object *record = case_json("{'tools': [{'name': 'sh'}, {'name': 'dedup'}, {'name': 'sort'}, {'name': 'orted'},"
								" {'name': 'srun'}, {'name': 'timeout'}, {'name': 'xargs'}, {'name': 'grep'}]}");
	struct json_object *entries = json_object_new_array();
	cleanup_record struct record *chosen = NULL;

	for (size_t i = 0; i < count; i++)
		json_object_array_add(entries, case_json(list[i].entry));
	json_object_object_add(record, "timeline", entries);
	chosen = case_record(record);
	assert_false(chosen->chosen);
	kept_choose(chosen);
	assert_true(chosen->chosen);
	assert_int_equal(chosen->timeline.count, count);
	for (size_t i = 0; i < count; i++)
		if (chosen->timeline.items[i].judged != list[i].keep)
			fail_msg("whether it is kept is wrong: %s", list[i].entry);
}

/* The last command is needed, however it ended, to see whether it was the failed one. */
static void the_last_command_of_a_shell_that_failed_is_kept(void **state)
{
	(void)state;
	check_kept(children, sizeof(children) / sizeof(children[0]));
}

static void what_timeout_had_started_is_kept(void **state)
{
	(void)state;
	check_kept(timed_out, sizeof(timed_out) / sizeof(timed_out[0]));
}

static void what_xargs_passes_on_is_kept(void **state)
{
	(void)state;
	check_kept(answers, sizeof(answers) / sizeof(answers[0]));
}

static void who_started_ranks_is_kept(void **state)
{
	(void)state;
	check_kept(ranks, sizeof(ranks) / sizeof(ranks[0]));
}

static void who_had_forked_a_worker_that_failed_is_kept(void **state)
{
	(void)state;
	check_kept(workers, sizeof(workers) / sizeof(workers[0]));
}

#define FAILED 5000
#define JUDGED_MAX 64

/* A user decides how many processes fail, and the verdict compares each with all others. */
static void of_very_many_that_failed_few_are_looked_at(void **state)
{
	cleanup_json struct json_object *json = case_json("{'tools': [{'name': 'sh'}, {'name': 'solve'}]}");
	struct json_object *entries = put_array(json, "timeline");
	struct record *record, *copy;
	struct merge_script script = { 0 };
	cleanup_report struct report *report = report_new(NULL);
	struct report_entry_list judged;
	char entry[256];

	(void)state;
	for (int i = 0; i < FAILED; i++) {
		snprintf(entry, sizeof(entry), IN_PIPE("1", "%d", "7", "%d", "%d", ", 'exit_status': 9, 'dismissed': true"), i + 10, i + 10, i + 20);
		json_object_array_add(entries, case_json(entry));
	}
	record = case_record(json);
	kept_choose(record);
	copy = record_copy(record);
	record_free(record);
	assert_non_null(copy);
	merge_timeline((const struct record *const[]){ copy }, 1, &script, report, &judged);
	record_free(copy);
	assert_int_equal(report->timeline.count, FAILED);
	assert_in_range(judged.count, 1, JUDGED_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_command_of_a_shell_that_failed_is_kept),
		cmocka_unit_test(what_timeout_had_started_is_kept),
		cmocka_unit_test(what_xargs_passes_on_is_kept),
		cmocka_unit_test(who_started_ranks_is_kept),
		cmocka_unit_test(who_had_forked_a_worker_that_failed_is_kept),
		cmocka_unit_test(of_very_many_that_failed_few_are_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
