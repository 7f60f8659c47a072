/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the times that Slurm did not report are known to the second. If they are too many, none is forgotten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/site/untold.h"

static void assert_is(const struct untold *untold, const char *expected)
{
	struct untold again;
	char text[UNTOLD_TEXT];

	untold_write(untold, text);
	assert_string_equal(text, expected);
	untold_read(&again, text);
	untold_write(&again, text);
	assert_string_equal(text, expected);
}

static void times_are_joined_and_cut(void **state)
{
	struct untold untold = { 0 };

	(void)state;
	assert_is(&untold, "");
	untold_add(&untold, 160, 220);
	untold_add(&untold, 100, 160);
	untold_add(&untold, 400, 460);
	assert_is(&untold, "100-220 400-460");
	untold_cut(&untold, 120, 130);
	assert_is(&untold, "100-120 130-220 400-460");
	assert_int_equal(untold_within(&untold, 0, 1000), 170);
	assert_int_equal(untold_within(&untold, 110, 140), 20);
	assert_int_equal(untold_within(&untold, 220, 400), 0);
	untold_add(&untold, 90, 300);
	assert_is(&untold, "90-300 400-460");
	untold_cut(&untold, 300, 400);
	assert_is(&untold, "90-300 400-460");
	untold_cut(&untold, 0, 430);
	assert_is(&untold, "430-460");
}

static void of_many_none_is_forgotten(void **state)
{
	struct untold untold = { 0 }, again;
	char text[UNTOLD_TEXT];

	(void)state;
	for (int i = 0; i < 5 * UNTOLD_MOST; i++) {
		int64_t from_s = INT64_C(1762000000) + i * 7919 % (5 * UNTOLD_MOST) * 100;

		untold_add(&untold, from_s, from_s + 60);
		assert_true(untold.count <= UNTOLD_MOST);
	}
	for (int i = 0; i < 5 * UNTOLD_MOST; i++)
		assert_int_equal(untold_within(&untold, 1762000000 + i * 100, 1762000060 + i * 100), 60);
	untold_write(&untold, text);
	untold_read(&again, text);
	assert_int_equal(untold_within(&again, 0, INT64_MAX), untold_within(&untold, 0, INT64_MAX));
	for (int i = 0; i < 5 * UNTOLD_MOST; i++)
		untold_cut(&untold, 1762000010 + i * 100, 1762000011 + i * 100);
	assert_true(untold.count <= UNTOLD_MOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_joined_and_cut),
		cmocka_unit_test(of_many_none_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
