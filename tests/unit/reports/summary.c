/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a row is the same from the begin of a report's file and from the whole report. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/read/summary.h"
#include "tests/unit/reports/model_case.h"

static bool same_number(double one, double other)
{
	return one == other || (isnan(one) && isnan(other));
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool same_job(const struct summary *one, const struct summary *other)
{
	return one->id == other->id && one->array == other->array && one->task == other->task && one->het == other->het &&
	       one->attempt == other->attempt && one->uid == other->uid && one->exit_code == other->exit_code &&
	       one->signal == other->signal && same_text(one->cluster, other->cluster) && same_text(one->name, other->name) &&
	       same_text(one->user, other->user) && same_text(one->state, other->state) && same_text(one->reason, other->reason) &&
	       same_text(one->start, other->start) && same_text(one->end, other->end) && one->complete == other->complete &&
	       one->so_far == other->so_far && one->lacks_nodes == other->lacks_nodes && one->foreign == other->foreign;
}

static bool same_numbers(const struct summary *one, const struct summary *other)
{
	return same_number(one->elapsed_s, other->elapsed_s) && same_number(one->limit_s, other->limit_s) &&
	       same_number(one->cpus, other->cpus) && same_number(one->cpu_s, other->cpu_s) &&
	       same_number(one->cpu_efficiency, other->cpu_efficiency) && same_number(one->nodes, other->nodes) &&
	       same_number(one->memory_requested, other->memory_requested) && same_number(one->memory_used, other->memory_used) &&
	       same_number(one->memory_upper, other->memory_upper) && same_number(one->memory_mapped, other->memory_mapped) &&
	       same_number(one->memory_efficiency, other->memory_efficiency) &&
	       same_number(one->advised_memory, other->advised_memory) && same_number(one->advised_cpus, other->advised_cpus);
}

static bool same_words(const struct summary *one, const struct summary *other)
{
	return same_text(one->memory_source, other->memory_source) && one->memory_by_cpu == other->memory_by_cpu &&
	       one->exclusive == other->exclusive && same_text(one->engine, other->engine) && same_text(one->unit, other->unit) &&
	       same_text(one->bound, other->bound) && same_text(one->outcome, other->outcome) &&
	       same_text(one->findings, other->findings) && one->severity == other->severity &&
	       one->advised_one_task == other->advised_one_task;
}

static void assert_says_what_objects_say(const struct summary *row, struct json_object *report)
{
	double cpu_s = NAN, efficiency = NAN;

	field_number(report, "used.cpu_s", &cpu_s);
	field_number(report, "used.cpu_efficiency", &efficiency);
	assert_true(same_number(row->cpu_s, cpu_s) && same_number(row->cpu_efficiency, efficiency));
	assert_true(same_text(row->state, field_text(report, "job.state")));
}

static void a_row_of_the_begin_is_one_of_the_whole(const char *name, const char *text)
{
	struct summary from_file, from_report;
	cleanup_json struct json_object *json = field_parse(text, strlen(text), name, json_type_object, NULL);
	cleanup_report struct report *report = model_of(text);

	assert_non_null(json);
	summary_read(&from_file, name);
	summary_of(&from_report, report, name);
	if (from_file.error || from_report.error)
		fail_msg("%s: %s", name, from_file.error ? from_file.error : from_report.error);
	if (!same_job(&from_file, &from_report) || !same_numbers(&from_file, &from_report) || !same_words(&from_file, &from_report))
		fail_msg("%s: the rows differ", name);
	assert_says_what_objects_say(&from_file, json);
	summary_free(&from_file);
	summary_free(&from_report);
}

static void rows_of_the_trees_reports(void **state)
{
	(void)state;
	model_each_fixture(a_row_of_the_begin_is_one_of_the_whole);
}

/* ---- what is not known ---- */

static struct summary row_of(const char *text)
{
	cleanup_report struct report *report = model_of(text);
	struct summary row;

	summary_of(&row, report, "t");
	return row;
}

static void what_the_report_lacks_is_not_known(void **state)
{
	struct summary row = row_of("{\"job\": {\"array_job_id\": null}, \"used\": {\"cpu_s\": null}, \"requested\": {}}");

	(void)state;
	assert_true(row.id == -1 && row.array == -1 && row.task == -1 && row.exit_code == -1);
	assert_true(isnan(row.cpu_s) && isnan(row.memory_used) && isnan(row.limit_s) && isnan(row.advised_cpus));
	assert_false(row.name || row.findings || row.memory_source || row.complete);
	summary_free(&row);
}

static void a_job_without_a_limit_is_not_one_of_unknown_limit(void **state)
{
	struct summary row = row_of("{\"requested\": {\"time_limit_s\": null}}");

	(void)state;
	assert_true(isinf(row.limit_s));
	summary_free(&row);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_the_trees_reports),
		cmocka_unit_test(what_the_report_lacks_is_not_known),
		cmocka_unit_test(a_job_without_a_limit_is_not_one_of_unknown_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
