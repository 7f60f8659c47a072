/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which store lines belong to one job, and that its row is the same from the lines and from the report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/facts/job_lines.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/fixture.h"

/* ---- which lines are one job ---- */

static struct job_line line_of(const char *node, int64_t submit, int64_t opened, int64_t closed, int64_t revision)
{
	return (struct job_line){ .node = (char *)(uintptr_t)node, .submit = submit, .opened = opened, .closed = closed,
				  .revision = revision, .text = (char *)(uintptr_t)"{}", .length = 2 };
}

/* Writes which lines make which job: "SUBMIT:NODE/REVISION,...". */
static void describe(struct job_line *lines, const size_t *order, size_t count, char text[512])
{
	struct job_line *list[16];
	struct job_lines *jobs;
	struct error err;
	int made;

	for (size_t i = 0; i < count; i++)
		list[i] = &lines[order[i]];
	made = job_lines_split(list, count, &jobs, &err);
	assert_true(made > 0);
	*text = '\0';
	for (int i = 0; i < made; i++) {
		sprintf(text + strlen(text), "%s%lld:", i ? " " : "", (long long)jobs[i].submit);
		for (size_t k = 0; k < jobs[i].count; k++)
			sprintf(text + strlen(text), "%s%s/%lld", k ? "," : "", jobs[i].list[k]->node,
				(long long)jobs[i].list[k]->revision);
	}
	job_lines_free(jobs, made);
}

static void lines_are_put_together_in_whatever_order_they_come(void **state)
{
	struct job_line lines[] = {
		line_of("n1", 900, 1000, 2000, 1),	      line_of("n2", SUBMIT_UNKNOWN, 1001, 2001, 1),
		line_of("n2", SUBMIT_UNKNOWN, 1001, 2001, 2), line_of("n1", 500000, 600000, 700000, 1),
		line_of("n3", SUBMIT_UNKNOWN, 650000, 690000, 1), line_of("n8", SUBMIT_UNKNOWN, 3000, 4000, 1),
		line_of("n9", SUBMIT_UNKNOWN, 3500, 4500, 1),
	};
	size_t count = sizeof(lines) / sizeof(lines[0]), order[sizeof(lines) / sizeof(lines[0])] = { 0, 1, 2, 3, 4, 5, 6 };
	char text[512];

	(void)state;
	for (unsigned int turn = 0; turn < 500; turn++) {
		size_t a = turn * 7 % count, b = turn * 13 / 3 % count, kept = order[a];

		order[a] = order[b];
		order[b] = kept;
		describe(lines, order, count, text);
		assert_string_equal(text, "900:n1/1,n2/2 500000:n1/1,n3/1 -3000:n8/1,n9/1");
	}
	assert_int_equal(job_lines_month(1795392000), 202611);
	assert_int_equal(job_lines_month(-1795392000), 202611);
}

/* ---- the short way ---- */

static void assert_same_row(const struct job_row *one, const struct job_row *other)
{
	assert_memory_equal(one->measure, other->measure, sizeof(one->measure));
	assert_int_equal(one->verdict, other->verdict);
	assert_int_equal(one->findings, other->findings);
	assert_int_equal(one->how, other->how);
	assert_int_equal(one->complete, other->complete);
	assert_string_equal(one->user, other->user);
	assert_int_equal(one->tool_count, other->tool_count);
	for (size_t i = 0; i < one->tool_count; i++) {
		assert_string_equal(one->tools[i].name, other->tools[i].name);
		assert_int_equal(one->tools[i].cpu_ms, other->tools[i].cpu_ms);
		assert_int_equal(one->tools[i].wall_ms, other->tools[i].wall_ms);
		assert_int_equal(one->tools[i].runs, other->tools[i].runs);
		assert_int_equal(one->tools[i].failures, other->tools[i].failures);
	}
	assert_int_equal(one->nodes_expected, other->nodes_expected);
	assert_int_equal(one->node_count, other->node_count);
	for (size_t i = 0; i < one->node_count; i++) {
		assert_int_equal(one->nodes[i].cpu_used_core_ms, other->nodes[i].cpu_used_core_ms);
		assert_int_equal(one->nodes[i].mem_used_mib_s, other->nodes[i].mem_used_mib_s);
	}
}

/* A report that is made only for the row has everything that the row needs. */
static void check_row_of_report(const struct job_lines *job)
{
	cleanup_report struct report *report = NULL;
	struct job_row short_way, long_way;
	struct rules rules;
	struct error err;

	rules_defaults(&rules);
	report = job_lines_report(job, &rules, &err);
	assert_non_null(report);
	assert_int_equal(job_row_from_report(report, &long_way, &err), 0);
	assert_int_equal(job_lines_row(job, &rules, &short_way, &err), 0);
	assert_same_row(&short_way, &long_way);
	job_row_free(&short_way);
	job_row_free(&long_way);
}

static void set(struct json_object *object, const char *name, int64_t value)
{
	assert_non_null(object);
	put_count(object, name, value);
}

static void make_line(struct job_line *line, struct json_object *json, struct json_object *slurm)
{
	cleanup_record struct record *record = record_of(json);
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	struct error err = { "" };

	line->text = store_line_make(record, slurm_answer_job(answer), true, &line->length, &err);
	line->owned = true;
	if (!line->text)
		fail_msg("%s", err.text);
}

#define WAYS 7

static void change_record(struct json_object *record, int how)
{
	struct json_object *tool = json_object_array_get_idx(field_find(record, "tools"), 0), *totals = field_find(record, "totals");

	switch (how) {
	case 1:
		set(tool, "failures", 9);
		set(tool, "signals", 3);
		break;
	case 2:
		set(totals, "cpu_ns", 1000000000);
		set(totals, "on_cpu_ns", 1000000000);
		break;
	case 3:
		set(totals, "runnable_ns", INT64_C(900000000000));
		set(totals, "throttled_ns", INT64_C(800000000000));
		break;
	case 4:
		set(totals, "tcp_retransmits", 100000000);
		set(totals, "sync_wait_ns", INT64_C(90000000000));
		set(totals, "reclaim_ns", INT64_C(90000000000));
		set(totals, "syscall_reads", INT64_C(900000000000));
		break;
	case 5:
		set(totals, "memory_used_sampled_peak_bytes", 4096);
		set(totals, "memory_process_peak_bytes", 4096);
		set(tool, "runs", 100000000);
		break;
	case 6: /* its tasks sleep, and srun waits for what they print */
		json_object_object_add(tool, "name", json_object_new_string("srun"));
		set(tool, "event_ns", INT64_C(900000000000));
		set(totals, "event_ns", INT64_C(900000000000));
		set(totals, "sleep_ns", INT64_C(100000000000));
		set(totals, "lifetime_ns", INT64_C(1001000000000));
		set(totals, "tcp_rx_ops", 100000);
		set(totals, "cpu_ns", 1000000000);
		set(totals, "on_cpu_ns", 1000000000);
		json_object_object_add(record, "pressure", json_tokener_parse(
			"{\"active_ns\": 1000000000, \"parallel_ns\": 0, \"busy_peak\": 1, \"waits\": {\"rest\": 11, \"event\": "
			"{\"some_ns\": 99000000000, \"full_ns\": 99000000000, \"bound_ns\": 99000000000, \"waits\": 9000}}}"));
	}
}

static void a_report_for_the_row_makes_the_row_of_the_whole_report(void **state)
{
	static const char *const names[] = { "record-two-n1.json", "record-two-n2.json" };
	struct job_line lines[2] = { 0 }, *list[] = { &lines[0], &lines[1] };
	struct job_lines job = { list, 2, 0 };
	struct error err;
	struct rules rules;

	(void)state;
	rules_defaults(&rules);
	for (int how = 0; how < WAYS * WAYS; how++) {
		for (size_t i = 0; i < 2; i++) {
			cleanup_json struct json_object *record = load(names[i]), *slurm = i ? NULL : load("slurm-two.json");

			change_record(record, i ? how % WAYS : how / WAYS);
			make_line(&lines[i], record, slurm);
			assert_int_equal(job_line_read(&lines[i], "batch:2", &rules, &err), 0);
		}
		check_row_of_report(&job);
		job_line_free(&lines[0]);
		job_line_free(&lines[1]);
	}
}

static void a_row_that_was_made_as_the_line_was_read_is_the_row_of_the_job(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json");
	struct error err = { "" };
	struct job_line line = { 0 }, *list[] = { &line };
	struct job_lines job = { list, 1, 0 };
	struct job_row by_line, by_report;
	struct rules rules;

	(void)state;
	rules_defaults(&rules);
	make_line(&line, record, slurm);
	assert_int_equal(job_line_read(&line, "batch:2", &rules, &err), 0);
	assert_non_null(line.row);
	assert_int_equal(job_lines_row(&job, &rules, &by_line, &err), 0);
	assert_null(line.row);
	assert_int_equal(job_lines_row(&job, &rules, &by_report, &err), 0);
	assert_same_row(&by_line, &by_report);
	assert_true(by_line.measure[JOB_CPU_GIVEN] > 0);
	assert_true(by_line.findings != 0);
	check_row_of_report(&job);
	job_row_free(&by_line);
	job_row_free(&by_report);
	job_line_free(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_put_together_in_whatever_order_they_come),
		cmocka_unit_test(a_report_for_the_row_makes_the_row_of_the_whole_report),
		cmocka_unit_test(a_row_that_was_made_as_the_line_was_read_is_the_row_of_the_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
