/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the list of an array's waiting tasks, as Slurm writes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/json/task_list.h"

static void all_forms_are_counted(void **state)
{
	static const struct {
		const char *tasks;
		int64_t count;
	} lists[] = {
		{ "7", 1 },	   { "0-9", 10 },	 { "1,3,5", 3 }, { "0-9%2", 10 },  { "0-8:2", 5 },
		{ "0-9:3%1", 4 },  { "1,4-6,9-11%2", 7 }, { "", 0 },	 { "1-3,8...", 4 }, { "9-1", 0 },
		{ "0-99999999999999999999", INT64_C(2147483648) },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		assert_int_equal(task_list_count(lists[i].tasks), lists[i].count);
}

static void a_task_is_found_where_it_is(void **state)
{
	(void)state;
	assert_true(task_list_has("1,4-8:2%3", 1));
	assert_true(task_list_has("1,4-8:2%3", 8));
	assert_false(task_list_has("1,4-8:2%3", 5));
	assert_false(task_list_has("1,4-8:2%3", 3));
	assert_false(task_list_has("", 0));
	/* a list that Slurm cut may contain any task */
	assert_true(task_list_has("1-3,8...", 70));
	assert_false(task_list_has("1-3,8", 70));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_forms_are_counted),
		cmocka_unit_test(a_task_is_found_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
