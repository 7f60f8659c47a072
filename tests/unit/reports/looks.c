/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is good, worth a look, or bad: by the findings first, then by the share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/rules/looks.h"
#include "tests/unit/reports/case.h"

static void a_bar_is_as_bad_as_the_worst_finding_about_it(void **state)
{
	static const struct {
		const char *codes;
		enum look_at at;
		double share;
		enum look look;
	} cases[] = {
		{ "oom-kill", LOOK_AT_MEMORY, 0.99, LOOK_BAD },
		{ "cpu-efficiency-low, oom-kill", LOOK_AT_MEMORY, 0.99, LOOK_BAD },
		{ "oom-kill, memory-swapped", LOOK_AT_MEMORY, 0.2, LOOK_BAD },
		{ "oom-kill", LOOK_AT_CPU, 0.99, LOOK_GOOD },
		{ "memory-near-limit", LOOK_AT_MEMORY, 0.95, LOOK_LOOK },
		{ "memory-over-asked", LOOK_AT_MEMORY, 0.03, LOOK_LOOK },
		{ "oversubscribed", LOOK_AT_CPU, 1, LOOK_LOOK },
		{ "threads-crowded", LOOK_AT_CPU, 0.9, LOOK_LOOK },
		{ "cpu-starved", LOOK_AT_CPU, 0.5, LOOK_LOOK },
		{ "idle-head", LOOK_AT_CPU, 0.001, LOOK_LOOK },
		{ "idle-tail", LOOK_AT_CPU, 0.6, LOOK_LOOK },
		{ "time-limit-hit", LOOK_AT_TIME, 1, LOOK_BAD },
		{ "time-limit-near", LOOK_AT_TIME, 0.95, LOOK_LOOK },
		{ "time-limit-long", LOOK_AT_TIME, 0.01, LOOK_NONE },
		{ "not-a-code, oom-killer, oom", LOOK_AT_MEMORY, 0.99, LOOK_GOOD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(look_of_share(cases[i].at, cases[i].share, looks_of_codes(cases[i].codes)), cases[i].look);
}

static void without_findings_what_is_used_well_is_good_and_time_says_nothing(void **state)
{
	(void)state;
	for (enum look_at at = LOOK_AT_CPU; at <= LOOK_AT_MEMORY; at++) {
		assert_int_equal(look_of_share(at, 0.8, 0), LOOK_GOOD);
		assert_int_equal(look_of_share(at, 0.79, 0), LOOK_NONE);
		assert_int_equal(look_of_share(at, NAN, 0), LOOK_NONE);
	}
	assert_int_equal(look_of_share(LOOK_AT_TIME, 0.99, 0), LOOK_NONE);
	assert_int_equal(look_of_efficiency(0.8), LOOK_GOOD);
	assert_int_equal(look_of_efficiency(0.5), LOOK_NONE);
	assert_int_equal(look_of_efficiency(0.49), LOOK_LOOK);
	assert_int_equal(look_of_efficiency(NAN), LOOK_NONE);
}

static void a_report_and_the_list_of_its_codes_look_the_same(void **state)
{
	(void)state;
	for (enum finding i = 0; i < FINDING_COUNT; i++) {
		cleanup_json struct json_object *json = case_json("{'findings': [{'code': 'unknown-here'}, {}, {'code': ''}]}");
		struct json_object *finding = json_object_new_object();
		cleanup_report struct report *report = NULL;

		put_text(finding, "code", finding_rules[i].code);
		json_object_array_add(field_typed(json, "findings", json_type_array), finding);
		report = report_of(json);
		assert_true(looks_of_report(report) == UINT64_C(1) << i);
		assert_true(looks_of_codes(finding_rules[i].code) == UINT64_C(1) << i);
	}
	assert_true(looks_of_codes(NULL) == 0 && looks_of_codes("") == 0 && looks_of_codes(", ,") == 0);
}

static void severities_and_verdicts_have_a_look(void **state)
{
	(void)state;
	assert_int_equal(look_of_severity("critical"), LOOK_BAD);
	assert_int_equal(look_of_severity("warning"), LOOK_LOOK);
	assert_int_equal(look_of_severity("info"), LOOK_NONE);
	assert_int_equal(look_of_severity(NULL), LOOK_NONE);
	assert_int_equal(look_of_bound("cpu"), LOOK_GOOD);
	assert_int_equal(look_of_bound("idle"), LOOK_LOOK);
	assert_int_equal(look_of_bound("mixed"), LOOK_NONE);
	assert_int_equal(look_of_bound(NULL), LOOK_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bar_is_as_bad_as_the_worst_finding_about_it),
		cmocka_unit_test(without_findings_what_is_used_well_is_good_and_time_says_nothing),
		cmocka_unit_test(a_report_and_the_list_of_its_codes_look_the_same),
		cmocka_unit_test(severities_and_verdicts_have_a_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
