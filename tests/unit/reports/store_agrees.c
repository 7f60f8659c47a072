/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that the store says of a job what its report says (agrees.h).
 * Uses the records and reports of tests/data and the fuzzers' records.
 * Other tests of reports compare each report that they build or judge.
 *
 * The store keeps bounds, so these differ by design, besides what agrees.h does not compare:
 * - A line has 16 tools of the user. All others count as one tool, with its failures, peaks and threads.
 * - A line has 32 steps and 8 victims of the OOM killer. Of all others, only the job's sums are known.
 * - Tools of one name that have different paths are one tool.
 * - What ran when the time limit ended the job is not known, nor are the names of files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>

#include "reports/files/report_file.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/case.h"

#define AT_LEAST 24 /* reports in tests/data */

static void check_file(const char *path, const char *state)
{
	struct error err = { "" };
	cleanup_report struct report *report = report_load(path, NULL, &err);

	if (!report)
		fail_msg("%s", err.text);
	if (state)
		report->job.state = state;
	print_message("%s %s\n", path, state ? state : "");
	assert_like_agrees(report);
}

static const char *const states[] = { NULL, "FAILED", "COMPLETED", "OUT_OF_MEMORY", "TIMEOUT", "CANCELLED", "NODE_FAIL" };

static void each_report_of_the_tests(void **state)
{
	static const char *const patterns[] = { "report-*.json", "views/*.json", "example/stint-*.json", "pictures/*.json",
						"timeline/report.json", "compare/[ab].json" };
	const char *source = getenv("srcdir");
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		char pattern[512];
		glob_t found;

		snprintf(pattern, sizeof(pattern), "%s/tests/data/%s", source ? source : ".", patterns[i]);
		assert_int_equal(glob(pattern, 0, NULL, &found), 0);
		for (size_t p = 0; p < found.gl_pathc; p++, count++)
			for (size_t s = 0; s < sizeof(states) / sizeof(states[0]); s++)
				check_file(found.gl_pathv[p], states[s]);
		globfree(&found);
	}
	assert_true(count >= AT_LEAST);
}

/* build() compares. */
static void check_record(const char *record_name, const char *slurm_name)
{
	for (size_t s = 0; s < sizeof(states) / sizeof(states[0]); s++) {
		cleanup_json struct json_object *record = load(record_name), *slurm = slurm_name ? load(slurm_name) : NULL;
		struct json_object *report;

		if (slurm && states[s])
			put_text(slurm, "state", states[s]);
		report = build(&record, 1, slurm);
		json_object_put(report);
	}
}

static void each_record_of_the_tests(void **state)
{
	static const char *const records[] = { "record-one.json", "record-poor.json", "record-old.json", "record-two-n1.json" };
	struct json_object *both;

	(void)state;
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		check_record(records[i], NULL);
		check_record(records[i], "slurm-one.json");
	}
	both = build_two();
	json_object_put(both);
}

/* A corpus file has a record and maybe Slurm's answer, each one JSON object. */
static void check_corpus(const char *path)
{
	struct json_tokener *parser = json_tokener_new();
	struct json_object *parts[2] = { NULL, NULL }, *report;
	struct error err = { "" };
	size_t len, at = 0;
	cleanup_free char *data = file_read(AT_FDCWD, path, 1 << 20, &len, &err);

	assert_non_null(data);
	for (size_t i = 0; i < 2 && at < len; i++) {
		parts[i] = json_tokener_parse_ex(parser, data + at, (int)(len - at));
		at += json_tokener_get_parse_end(parser);
		json_tokener_reset(parser);
	}
	json_tokener_free(parser);
	if (field_find(parts[0], "identity.node") && !field_find(parts[1], "stint_record")) {
		print_message("%s\n", path);
		report = build(parts, 1, parts[1]);
		json_object_put(report);
	}
	json_object_put(parts[0]);
	json_object_put(parts[1]);
}

static void each_record_of_the_fuzzers(void **state)
{
	const char *source = getenv("srcdir");
	char pattern[512];
	glob_t found;

	(void)state;
	snprintf(pattern, sizeof(pattern), "%s/tests/fuzz/corpus/record/*", source ? source : ".");
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t p = 0; p < found.gl_pathc; p++)
		check_corpus(found.gl_pathv[p]);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_report_of_the_tests),
		cmocka_unit_test(each_record_of_the_tests),
		cmocka_unit_test(each_record_of_the_fuzzers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
