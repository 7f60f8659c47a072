/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for a finding in the report of a sound job after a patch. Include this after cmocka.h. */
#ifndef STINT_TEST_FINDINGS_CASE_H
#define STINT_TEST_FINDINGS_CASE_H

#include "tests/unit/reports/case.h"

static inline struct json_object *found(struct json_object **report, const char *patch, const char *code)
{
	*report = case_report(patch);
	judge(*report, NULL);
	return case_find(*report, "findings", "code", code);
}

static inline bool is_found(const char *patch, const char *code)
{
	cleanup_json struct json_object *report = NULL;

	return found(&report, patch, code);
}

static inline void assert_number(struct json_object *finding, const char *name, double expected)
{
	double value = NAN;

	field_number(case_find(finding, "evidence", "name", name), "value", &value);
	if (!(fabs(value - expected) < 1e-6 * (1 + fabs(expected))))
		fail_msg("%s is %g, not %g: %s", name, value, expected, json_object_to_json_string(finding));
}

static inline void assert_text(struct json_object *finding, const char *name, const char *expected)
{
	const char *text = field_text(case_find(finding, "evidence", "name", name), "value");

	assert_non_null(text);
	assert_string_equal(text, expected);
}

static inline const char *hint(struct json_object **report, const char *patch, const char *code)
{
	json_object_put(*report);
	return field_text(found(report, patch, code), "hint");
}

#endif
