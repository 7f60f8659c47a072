/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that one line in one list makes a field or a sum, for which only this file has code.
 * Reader and writer of report and node record know it. So do the schema and the tables of docs/report.md.
 * tests/unit/local.mk adds a line to each of the two lists.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/time_text.h"
#include "reports/files/part_form.h"
#include "reports/model/report_read.h"
#include "reports/model/report_schema.h"
#include "reports/model/report_write.h"
#include "reports/records/sums.h"

#define PAGE_BYTES (1 << 20)
#define FIELD_TEXT "A field of the tests."
#define SUM_TEXT "A sum of the tests."

static void a_record_has_the_sum(void **state)
{
	static const char part[] = "{\"stint_record\": 1, \"identity\": {\"job_id\": 7, \"attempt\": 1, \"node\": \"n1\"},"
				   " \"totals\": {\"cpu_ns\": 1500000000, \"test_ns\": 2000000000, \"read_bytes\": 7}}";
	struct record_identity identity;
	struct error err;
	cleanup_record struct record *record = record_parse(part, strlen(part), "part", &identity, &err);
	struct report_uses out;
	struct sums sums = { 0 };

	(void)state;
	assert_non_null(record);
	sums_add(&sums, &record->totals, "n1");
	sums_add(&sums, &record->totals, "n2");
	memset(&out, 0xff, sizeof(out)); /* REPORT_UNKNOWN */
	assert_true(sums_put(&sums, SUM_IN_USED, &out));
	assert_true(sums_known(&sums, SUM_TEST));
	assert_int_equal(out.test_s.ns, 4 * NS_PER_S);
	assert_int_equal(out.cpu_s.ns, 3 * NS_PER_S);
	assert_int_equal(out.read_bytes, 14);
	assert_int_equal(out.write_bytes, REPORT_UNKNOWN);
}

/* A part of another node may have the sum, too. */
static void a_part_has_the_sum(void **state)
{
	static const char part[] = "{\"stint_record\": 1, \"identity\": {\"job_id\": 7, \"attempt\": 1, \"node\": \"n1\"},"
				   " \"totals\": {\"cpu_ns\": 1, \"test_ns\": 2, \"nobodys_ns\": 3}}";
	struct part_bounds bounds = part_form_begin(2);
	struct record_identity identity;
	struct error err;
	cleanup_record struct record *record =
		part_form_read(strdup(part), strlen(part), &bounds, "part", &identity, &err);
	cleanup_free char *text = NULL;
	size_t length;

	(void)state;
	assert_non_null(record);
	assert_int_equal(record->totals.test_ns, 2);
	text = record_write(record, &length);
	assert_non_null(strstr(text, "\"test_ns\""));
	assert_null(strstr(text, "nobodys_ns"));
}

static struct report *read_report(const char *json)
{
	struct error err = { "" };
	struct report *report = report_read(strdup(json), strlen(json), &report_want_all, "report", &err);

	if (!report)
		fail_msg("%s", err.text);
	return report;
}

static void a_report_is_read_and_written_with_both(void **state)
{
	cleanup_report struct report *report = read_report("{\"job\": {\"id\": 1, \"test_count\": 7}, \"used\": {\"test_s\": 2.5},"
							   " \"tools\": [{\"name\": \"one\", \"test_s\": 1.5}, {}]}");
	cleanup_report struct report *again = NULL;
	cleanup_free char *text = NULL, *text_again = NULL;
	size_t length;

	(void)state;
	assert_int_equal(report->job.test_count, 7);
	assert_int_equal(report->used.test_s.ns, 2500000000);
	assert_int_equal(report->tools.items[0].test_s.ns, 1500000000);
	assert_int_equal(report->tools.items[1].test_s.ns, REPORT_UNKNOWN);
	text = report_write(report, &length);
	assert_non_null(strstr(text, "\"test_count\": 7"));
	assert_non_null(strstr(text, "\"test_s\": 2.5"));
	again = read_report(text);
	text_again = report_write(again, &length);
	assert_string_equal(text, text_again);
}

static void the_schema_has_both(void **state)
{
	cleanup_free char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	assert_non_null(out);
	report_schema_print(out);
	fclose(out);
	assert_non_null(strstr(text, "\"test_count\": {\"$ref\": \"#/$defs/count\", \"maximum\": 9, \"description\": \"" FIELD_TEXT "\"}"));
	assert_non_null(strstr(text, "\"test_s\": {\"$ref\": \"#/$defs/seconds\", \"description\": \"" SUM_TEXT "\"}"));
}

/* Returns what contrib/examples/fields.py makes of the schema. */
static char *printed_tables(void)
{
	const char *source = getenv("srcdir");
	char file[] = "/tmp/stint-tables.XXXXXX", command[512];
	struct error err = { "" };
	FILE *to;
	char *text;
	size_t length;

	close(mkstemp(file));
	snprintf(command, sizeof(command), "python3 '%s/contrib/examples/fields.py' >%s", source ? source : ".", file);
	to = popen(command, "w");
	assert_non_null(to);
	report_schema_print(to);
	assert_int_equal(pclose(to), 0);
	text = file_read(AT_FDCWD, file, PAGE_BYTES, &length, &err);
	unlink(file);
	if (!text)
		fail_msg("%s", err.text);
	return text;
}

static void the_tables_have_both(void **state)
{
	cleanup_free char *text = printed_tables();

	(void)state;
	assert_non_null(strstr(text, "\n| `job.test_count` | whole number, 0 to 9 | | | " FIELD_TEXT " |\n"));
	assert_non_null(strstr(text, "\n| `used.test_s` | number | s | | " SUM_TEXT " |\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_has_the_sum),
		cmocka_unit_test(a_part_has_the_sum),
		cmocka_unit_test(a_report_is_read_and_written_with_both),
		cmocka_unit_test(the_schema_has_both),
		cmocka_unit_test(the_tables_have_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
