/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree's reports, for the tests of the report as a C type. Include this after cmocka.h. */
#ifndef STINT_MODEL_CASE_H
#define STINT_MODEL_CASE_H

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/files/report_file.h"
#include "reports/json/field.h"
#include "reports/model/report_read.h"
#include "reports/model/report_write.h"
#include "tests/unit/reports/model_agree.h"

#define MODEL_FIXTURE_BYTES (1 << 20)

/* The copy that is read has exactly the size of @text, so that a sanitizer detects reads beyond it. */
static inline struct report *model_of(const char *text)
{
	struct error err = { "" };
	struct report *report = report_read(strdup(text), strlen(text), &report_want_all, "t", &err);

	if (!report)
		fail_msg("%s in %.200s", err.text, text);
	return report;
}

static inline void assert_model_agrees(const char *name, const char *text)
{
	struct error err = { "" };
	cleanup_json struct json_object *json = field_parse(text, strlen(text), name, json_type_object, &err);
	cleanup_report struct report *report = model_of(text);
	struct model_difference where = { "" };

	assert_non_null(json);
	if (!model_agrees(report_whole(), report, json, "", &where))
		fail_msg("%s: model and field.h differ in %s", name, where.name);
}

static inline void model_each_fixture(void (*check)(const char *name, const char *text))
{
	static const char *const patterns[] = { "report-*.json", "*/*.json" };
	const char *source = getenv("srcdir");
	glob_t found = { 0 };
	char pattern[512];
	size_t len, reports = 0;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		snprintf(pattern, sizeof(pattern), "%s/tests/data/%s", source ? source : ".", patterns[i]);
		assert_int_equal(glob(pattern, i ? GLOB_APPEND : 0, NULL, &found), 0);
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		cleanup_free char *text = file_read(AT_FDCWD, found.gl_pathv[i], MODEL_FIXTURE_BYTES, &len, NULL);

		assert_non_null(text);
		if (!strstr(text, "\"stint-report/1\""))
			continue;
		check(found.gl_pathv[i], text);
		reports++;
	}
	globfree(&found);
	assert_true(reports > 20);
}

#endif
