/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how long a job ran and how it ended, by Slurm and by the records of its nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/time_text.h"
#include "tests/unit/reports/asserts.h"

static void without_slurm_the_records_tell_how_it_ended(void **state)
{
	cleanup_json struct json_object *report = build_one("record-one.json", NULL);

	(void)state;
	assert_count(report, "job.exit_code", 0);
	assert_count(report, "job.signal", 0);
	assert_number(report, "job.elapsed_s", 129.8);
	assert_gap(report, "job.state");
}

static void exit_codes_and_signals_are_told_apart(void **state)
{
	static const struct {
		int status, exit_code, signal;
	} ends[] = { { 0, 0, 0 }, { 3 << 8, 3, 0 }, { 9, 0, 9 }, { 11 | 0x80, 0, 11 }, { 137 << 8, 137, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		cleanup_json struct json_object *record = load("record-one.json");
		cleanup_json struct json_object *slurm = load("slurm-one.json");
		cleanup_json struct json_object *report = NULL;

		put_count(slurm, "exit_status", ends[i].status);
		report = build(&record, 1, slurm);
		assert_count(report, "job.exit_code", ends[i].exit_code);
		assert_count(report, "job.signal", ends[i].signal);
	}
}

static void a_cancelled_job_has_its_scripts_signal(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_text(slurm, "state", "CANCELLED"); /* Slurm's own status stays 0 */
	put_count(json_object_array_get_idx(field_find(record, "steps"), 0), "exit_status", 15);
	report = build(&record, 1, slurm);
	assert_count(report, "job.signal", 15);
}

static void a_job_within_one_second_is_not_divided_by_zero(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;
	int64_t start = 0;

	(void)state;
	field_count(slurm, "start_unix_s", &start);
	put_count(slurm, "end_unix_s", start);
	report = build(&record, 1, slurm);
	assert_number(report, "job.elapsed_s", 129.8); /* as the node saw it */
	json_object_put(report);
	json_object_object_del(record, "opened_unix_ns");
	report = build(&record, 1, slurm);
	assert_number(report, "job.elapsed_s", 0);
	assert_gap(report, "used.cpu_efficiency");
}

/* The extern step is over seconds after the job. */
static void add_extern(struct json_object *record, int64_t end_ns)
{
	struct json_object *step = json_object_new_object();

	put_text(step, "id", "extern");
	put_count(step, "end_unix_ns", end_ns);
	json_object_array_add(field_find(record, "steps"), step);
}

static void what_slurm_does_after_the_last_process_makes_no_job_longer(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	struct json_object *batch = json_object_array_get_idx(field_find(record, "steps"), 0);
	cleanup_json struct json_object *report = NULL;
	int64_t start = 0, opened = 0;

	(void)state;
	field_count(slurm, "start_unix_s", &start);
	field_count(record, "opened_unix_ns", &opened);
	put_count(slurm, "end_unix_s", start + 3);
	put_count(batch, "end_unix_ns", opened + 3 * NS_PER_S + 100000000);
	add_extern(record, opened + 3 * NS_PER_S + 900000000);
	report = build(&record, 1, slurm);
	assert_number(report, "job.elapsed_s", 3.1);
	json_object_put(report);
	put_count(record, "clock_set_ns", NS_PER_S);
	report = build(&record, 1, slurm);
	assert_number(report, "job.elapsed_s", 3.1);
	json_object_put(report);
	/* An allocation without a script lasts even without a process. */
	put_text(batch, "id", "0");
	report = build(&record, 1, slurm);
	assert_number(report, "job.elapsed_s", 3.9);
}

static void a_running_job_lasts_until_now_whichever_of_its_steps_are_over(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_record struct record *read = NULL;
	const struct record *of;
	const struct build_input input = { .records = &of, .record_count = 1, .running = true };
	cleanup_json struct json_object *report = NULL, *step = json_object_new_object();
	int64_t opened = 0;

	(void)state;
	field_count(record, "opened_unix_ns", &opened);
	put_count(field_find(record, "collector"), "closed_unix_ns", opened + 9 * NS_PER_S);
	json_object_object_del(json_object_array_get_idx(field_find(record, "steps"), 0), "end_unix_ns");
	put_text(step, "id", "0");
	put_count(step, "end_unix_ns", opened + 2 * NS_PER_S);
	json_object_array_add(field_find(record, "steps"), json_object_get(step));
	of = read = record_of(record);
	report = report_into_objects(build_report(&input));
	assert_number(report, "job.elapsed_s", 9);
}

static void time_in_which_slurm_held_the_job_up_is_not_its_own(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = build(&record, 1, slurm);
	double whole_s = 0, cores = 0;

	(void)state;
	assert_null(field_find(report, "job.suspended_s"));
	field_number(report, "job.elapsed_s", &whole_s);
	field_number(report, "used.cores_busy", &cores);
	json_object_put(report);
	put_count(slurm, "suspended_s", 65);
	put_count(field_find(record, "pressure"), "active_ns", 30 * NS_PER_S);
	report = build(&record, 1, slurm);
	assert_number(report, "job.suspended_s", 65);
	assert_number(report, "job.elapsed_s", whole_s - 65);
	assert_number(report, "used.cores_busy", round(cores * whole_s / (whole_s - 65) * 1e6) / 1e6);
}

/* Slurm reports the last suspension as the job's end. Its processes were stopped from then on, until scancel. */
static void a_job_that_ended_while_it_was_held_up_took_no_longer_than_slurm_says(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;
	int64_t start = 0;

	(void)state;
	field_count(slurm, "start_unix_s", &start);
	put_text(slurm, "state", "CANCELLED");
	put_count(slurm, "end_unix_s", start + 50);
	put_count(field_find(record, "pressure"), "active_ns", 30 * NS_PER_S);
	report = build(&record, 1, slurm);
	assert_null(field_find(report, "job.suspended_s"));
	assert_number(report, "job.elapsed_s", 129.8);
	json_object_put(report);
	put_flag(slurm, "ended_suspended", true);
	report = build(&record, 1, slurm);
	assert_number(report, "job.suspended_s", 80);
	assert_number(report, "job.elapsed_s", 50);
	json_object_put(report);
	put_count(slurm, "suspended_s", 15);
	report = build(&record, 1, slurm);
	assert_number(report, "job.suspended_s", 95);
	assert_number(report, "job.elapsed_s", 35);
	json_object_put(report);
	/* the time in which threads computed until the stop is the job's own */
	put_count(field_find(record, "pressure"), "active_ns", 37 * NS_PER_S);
	report = build(&record, 1, slurm);
	assert_number(report, "job.suspended_s", 93);
	assert_number(report, "job.elapsed_s", 37);
	json_object_put(report);
	put_count(slurm, "end_unix_s", start + 130); /* the processes were gone by then */
	report = build(&record, 1, slurm);
	assert_number(report, "job.suspended_s", 15);
	assert_number(report, "job.elapsed_s", 115);
}

/* Slurm's time is two seconds before the processes stop. What they computed counts for the job. */
static void a_job_held_up_kept_no_more_cores_busy_than_it_had(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = build(&record, 1, slurm);
	double whole_s = 0, cores = 0;

	(void)state;
	field_number(report, "job.elapsed_s", &whole_s);
	json_object_put(report);
	/* four threads on four cores computed for 63 of the 65 s that Slurm gives */
	put_count(slurm, "suspended_s", 65);
	put_count(field_find(record, "pressure"), "active_ns", (int64_t)((whole_s - 63) * NS_PER_S));
	put_count(field_find(record, "totals"), "cpu_ns", (int64_t)((whole_s - 63) * 4 * NS_PER_S));
	report = build(&record, 1, slurm);
	assert_number(report, "job.suspended_s", 63);
	assert_number(report, "job.elapsed_s", whole_s - 63);
	field_number(report, "used.cores_busy", &cores);
	assert_true(fabs(cores - 4) < 1e-5);
	json_object_put(report);
	/* the processes were never stopped */
	put_count(field_find(record, "pressure"), "active_ns", (int64_t)(whole_s * NS_PER_S));
	report = build(&record, 1, slurm);
	assert_null(field_find(report, "job.suspended_s"));
	assert_number(report, "job.elapsed_s", whole_s);
}

/* The record's times are by the new clock, Slurm's by both clocks. */
static void a_clock_that_was_set_in_mid_job_changes_no_duration(void **state)
{
	static const int64_t set_s[] = { 3600, -3600 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		cleanup_json struct json_object *record = load("record-one.json");
		cleanup_json struct json_object *slurm = load("slurm-one.json");
		cleanup_json struct json_object *report = NULL;
		int64_t start = 0;

		json_object_object_add(record, "clock_set_ns", json_object_new_int64(set_s[i] * NS_PER_S));
		field_count(slurm, "start_unix_s", &start);
		put_count(slurm, "start_unix_s", start - set_s[i]);
		report = build(&record, 1, slurm);
		assert_number(report, "job.elapsed_s", 129.8);
		assert_true(gaps_have(field_find(report, "gaps"), "job.start"));
		assert_true(field_text(report, "job.start") && field_text(report, "job.end"));
	}
}

/* No step was seen: none ran, or the node crashed while one ran. */
static void a_node_that_was_started_in_mid_job_cannot_tell_that_nothing_ran(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;
	struct json_object *collector = field_find(record, "collector");
	int64_t start = 0;

	(void)state;
	field_count(slurm, "start_unix_s", &start);
	json_object_object_del(record, "opened_unix_ns");
	put_count(collector, "since_unix_ns", (start - 50) * NS_PER_S);
	put_count(collector, "booted_unix_ns", (start - 100) * NS_PER_S);
	report = build(&record, 1, slurm);
	assert_true(field_true(report, "complete"));
	json_object_put(report);
	put_count(collector, "since_unix_ns", (start + 20) * NS_PER_S);
	report = build(&record, 1, slurm);
	assert_false(field_true(report, "complete"));
	assert_non_null(strstr(gap_reason(report, "job"), "collection began"));
	json_object_put(report);
	put_count(collector, "booted_unix_ns", (start + 10) * NS_PER_S);
	report = build(&record, 1, slurm);
	assert_false(field_true(report, "complete"));
	assert_non_null(strstr(gap_reason(report, "job"), "was restarted"));
	json_object_put(report);
	/* The next attempt's times say nothing about this one. */
	put_count(slurm, "restarts", 1);
	report = build(&record, 1, slurm);
	assert_false(field_true(report, "complete"));
	assert_non_null(strstr(gap_reason(report, "job"), "was restarted"));
}

static void an_end_that_slurm_only_foretells_is_not_believed(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_text(slurm, "state", "RUNNING");
	put_count(slurm, "end_unix_s", NOW_NS / NS_PER_S + 3600);
	report = build(&record, 1, slurm);
	assert_gap(report, "job.end");
	assert_gap(report, "job.state");
	assert_number(report, "job.elapsed_s", 129.8);
}

static void slurms_mark_for_out_of_memory_is_no_signal(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(slurm, "exit_status", 253);
	/* The script continued without what was killed, and ended well. */
	report = build(&record, 1, slurm);
	assert_count(report, "job.exit_code", 0);
	assert_count(report, "job.signal", 0);
	json_object_put(report);
	put_count(json_object_array_get_idx(field_find(record, "steps"), 0), "exit_status", 9);
	report = build(&record, 1, slurm);
	assert_count(report, "job.exit_code", 0);
	assert_count(report, "job.signal", 9);
	json_object_put(report);
	put_count(json_object_array_get_idx(field_find(record, "steps"), 0), "exit_status", 137 << 8);
	report = build(&record, 1, slurm);
	assert_count(report, "job.signal", 0);
	assert_count(report, "job.exit_code", 137);
	json_object_put(report);
	/* without a script, nothing says how the job ended */
	put_text(json_object_array_get_idx(field_find(record, "steps"), 0), "id", "0");
	report = build(&record, 1, slurm);
	assert_null(field_find(report, "job.signal"));
	assert_null(field_find(report, "job.exit_code"));
	assert_gap(report, "job.exit_code");
}

static void a_node_that_was_closed_long_before_the_job_ended_is_named(void **state)
{
	(void)state;
	for (int before_s = 29; before_s < 33; before_s++) {
		cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *report = NULL;
		int64_t closed, end_s;

		assert_true(field_count(record, "collector.closed_unix_ns", &closed));
		end_s = closed / NS_PER_S + before_s;
		put_count(slurm, "end_unix_s", end_s);
		report = build(&record, 1, slurm);
		assert_int_equal(field_true(report, "complete"), before_s <= 30);
		assert_int_equal(gaps_have(field_find(report, "gaps"), "nodes"), before_s > 30);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_slurm_the_records_tell_how_it_ended),
		cmocka_unit_test(exit_codes_and_signals_are_told_apart),
		cmocka_unit_test(a_cancelled_job_has_its_scripts_signal),
		cmocka_unit_test(a_job_within_one_second_is_not_divided_by_zero),
		cmocka_unit_test(what_slurm_does_after_the_last_process_makes_no_job_longer),
		cmocka_unit_test(a_running_job_lasts_until_now_whichever_of_its_steps_are_over),
		cmocka_unit_test(time_in_which_slurm_held_the_job_up_is_not_its_own),
		cmocka_unit_test(a_job_that_ended_while_it_was_held_up_took_no_longer_than_slurm_says),
		cmocka_unit_test(a_job_held_up_kept_no_more_cores_busy_than_it_had),
		cmocka_unit_test(a_clock_that_was_set_in_mid_job_changes_no_duration),
		cmocka_unit_test(a_node_that_was_started_in_mid_job_cannot_tell_that_nothing_ran),
		cmocka_unit_test(an_end_that_slurm_only_foretells_is_not_believed),
		cmocka_unit_test(slurms_mark_for_out_of_memory_is_no_signal),
		cmocka_unit_test(a_node_that_was_closed_long_before_the_job_ended_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
