/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports for tests that write and check them with json-c objects. Include this after cmocka.h. */
#ifndef STINT_REPORT_CASE_H
#define STINT_REPORT_CASE_H

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/model/report_read.h"
#include "reports/model/report_write.h"
#include "reports/verdict/verdict.h"
#include "tests/unit/reports/agrees.h"

static inline struct report *report_of(struct json_object *json)
{
	struct error err = { "" };
	struct report *report = report_read_objects(json, "the case", &err);

	if (!report)
		fail_msg("%s in: %.200s", err.text, json_object_to_json_string(json));
	return report;
}

/* Returns @report as JSON objects, to be put. */
static inline struct json_object *report_objects(const struct report *report)
{
	struct error err = { "" };
	struct json_object *json;
	cleanup_free char *text = NULL;
	size_t len;

	assert_non_null(report);
	text = report_write(report, &len);
	assert_non_null(text);
	json = field_parse(text, len, "what was written", json_type_object, &err);
	if (!json)
		fail_msg("%s in: %.200s", err.text, text);
	return json;
}

/* Returns @report as JSON objects, to be put, and frees @report. */
static inline struct json_object *report_into_objects(struct report *report)
{
	struct json_object *json = report_objects(report);

	report_free(report);
	return json;
}

static inline void judge(struct json_object *json, const struct rules *rules)
{
	static const char *const parts[] = { "verdict", "findings", "advice" };
	cleanup_report struct report *report = report_of(json);
	cleanup_json struct json_object *judged = NULL;

	verdict_put(report, &report->timeline, rules);
	assert_like_agrees(report);
	judged = report_objects(report);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		json_object_object_add(json, parts[i], json_object_get(field_find(judged, parts[i])));
}

#endif
