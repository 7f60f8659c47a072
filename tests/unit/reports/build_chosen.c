/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a failure's report is the same from a copy of the record with chosen entries as from the whole record.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/time_text.h"
#include "reports/ending/not_found.h"
#include "reports/records/kept.h"
#include "tests/unit/reports/asserts.h"

static struct report *build_chosen(struct json_object *json, struct json_object *slurm)
{
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	struct record *whole = record_of(json);
	cleanup_record struct record *copy = NULL;
	const struct record *of;
	const struct build_input input = {
		.records = &of, .record_count = 1, .slurm = slurm_answer_job(answer), .now_unix_ns = NOW_NS
	};

	kept_choose(whole);
	of = copy = record_copy(whole);
	record_free(whole);
	assert_non_null(copy);
	return build_report(&input);
}

/* The job script, pid 4242, ends with the exit code of its child 4400. */
static void make_failed(struct json_object *record, struct json_object *slurm)
{
	struct json_object *timeline = field_find(record, "timeline"), *script = json_object_array_get_idx(timeline, 5);
	struct json_object *child = json_object_array_get_idx(timeline, 2);

	put_text(slurm, "state", "FAILED");
	put_text(slurm, "std_out", "/home/juser/run/logs/slurm.out");
	put_count(slurm, "exit_status", 1 << 8);
	put_count(json_object_array_get_idx(field_find(record, "steps"), 0), "exit_status", 1 << 8);
	put_count(script, "exit_status", 1 << 8);
	put_count(script, "end_unix_ns", INT64_C(1763678229) * NS_PER_S);
	put_count(child, "ppid", 4242);
	put_count(child, "exit_status", 1 << 8);
}

static void what_took_the_job_with_it_is_known_of_a_chosen_record(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;
	char wanted[256];

	(void)state;
	make_failed(record, slurm);
	report = build(&record, 1, slurm);
	snprintf(wanted, sizeof(wanted), "%s", field_text(report, "verdict.outcome"));
	assert_non_null(strstr(wanted, " (pid 4400) ended with exit code 1 at 00:01:54, and the job script ended 15 s later. Its "
					"output: logs/slurm.out"));
	json_object_put(report);
	report = report_into_objects(build_chosen(record, slurm));
	assert_text(report, "verdict.outcome", wanted);
}

static struct json_object *add_failed(struct json_object *record, const char *tool, int pid, int code, bool forked)
{
	struct json_object *entry = json_object_new_object(), *tools = field_find(record, "tools"), *new_tool;
	size_t number = 0;

	while (number < field_length(tools) && strcmp(field_text(json_object_array_get_idx(tools, number), "name"), tool) != 0)
		number++;
	if (number == field_length(tools)) {
		new_tool = json_object_new_object();
		put_text(new_tool, "name", tool);
		json_object_array_add(tools, new_tool);
	}
	put_count(entry, "tool", (int64_t)number);
	put_text(entry, "step", "batch");
	put_count(entry, "count", 1);
	put_count(entry, "pid", pid);
	put_count(entry, "ppid", 4242);
	put_count(entry, "start_unix_ns", INT64_C(1763678110) * NS_PER_S + pid);
	put_count(entry, "end_unix_ns", INT64_C(1763678228) * NS_PER_S + pid);
	put_count(entry, "exit_status", code << 8);
	if (forked)
		put_flag(entry, "forked", true);
	json_object_array_add(field_find(record, "timeline"), entry);
	return entry;
}

static void what_failed_before_does_not_hide_what_took_the_job_with_it(void **state)
{
	static const char *const asked[] = { "grep", "test", "[", "ls", "cat", "diff", "cmp", "expr", "which", "stat", "find" };
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json");
	cleanup_report struct report *report = NULL;

	(void)state;
	make_failed(record, slurm);
	for (int i = 0; i < 12; i++)
		add_failed(record, "bash", 5000 + i, 127, true);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		add_failed(record, asked[i], 5100 + (int)i, 2, false);
	for (int i = 0; i < 20; i++)
		add_failed(record, "solve", 5200 + i, 1, false);
	report = build_chosen(record, slurm);
	assert_non_null(strstr(report->verdict.outcome, "solve (pid 5219) ended with exit code 1 at 00:02:"));
	assert_int_equal(not_found_count(report), 12);
}

/* The first to start is not the first to fail. */
static void the_first_task_to_fail_is_known_of_a_chosen_record(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *report = NULL;
	struct json_object *srun;

	(void)state;
	make_failed(record, slurm);
	json_object_array_del_idx(field_find(record, "timeline"), 2, 1);
	for (int i = 0; i < 40; i++) {
		struct json_object *task = add_failed(record, "solve", 5000 + i, 1, false);

		put_text(task, "step", "0");
		put_count(task, "ppid", 4999);
		put_count(task, "end_unix_ns", INT64_C(1763678228) * NS_PER_S - (i == 30 ? 2000000 : 1000 - i));
	}
	srun = add_failed(record, "srun", 4998, 1, false);
	put_count(srun, "end_unix_ns", INT64_C(1763678228) * NS_PER_S + 500000);
	report = report_into_objects(build_chosen(record, slurm));
	assert_non_null(strstr(field_text(report, "verdict.outcome"), "solve (pid 5030) ended with exit code 1 at 00:02:"));
}

/* The finding needs all that ran. The verdict does not look at most of that. */
static void what_ran_at_the_time_limit_is_known_of_a_chosen_record(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *report = NULL;
	const char *text;

	(void)state;
	put_text(slurm, "state", "TIMEOUT");
	put_count(slurm, "end_unix_s", 1763678228);
	for (int i = 0; i < 40; i++)
		add_failed(record, "solve", 5000 + i, 0, false);
	report = report_into_objects(build_chosen(record, slurm));
	text = field_text(json_object_array_get_idx(field_find(report, "findings"), 0), "text");
	assert_string_equal(text, "Slurm ended it at its time limit of 1 h: solve (1 min 58 s) was running");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_took_the_job_with_it_is_known_of_a_chosen_record),
		cmocka_unit_test(what_failed_before_does_not_hide_what_took_the_job_with_it),
		cmocka_unit_test(the_first_task_to_fail_is_known_of_a_chosen_record),
		cmocka_unit_test(what_ran_at_the_time_limit_is_known_of_a_chosen_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
