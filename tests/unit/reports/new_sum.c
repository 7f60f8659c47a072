/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sum that the list has and no other code names (tests/system/other-layout adds "test_ns"): the report has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/files/part_form.h"
#include "reports/records/sums.h"

static void test_sum(void **state)
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

/* A part of another node may have it, too. */
static void test_part(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
