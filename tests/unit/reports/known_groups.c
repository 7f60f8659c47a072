/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that groups that one process looks up are known to later children of its parent, but to no user's process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/files/known_groups.h"

#define USER 1000, 100, "anna"

static int begin(void **state)
{
	(void)state;
	known_groups_begin();
	return 0;
}

static int end(void **state)
{
	(void)state;
	known_groups_end();
	return 0;
}

/* Runs @work in a process of its own. Returns what it returns, below 256. */
static int in_child(int (*work)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(work());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int keep_three(void)
{
	const gid_t groups[] = { 100, 7, 9 };

	known_groups_keep(USER, groups, 3);
	return 0;
}

static int find_three(void)
{
	gid_t groups[KNOWN_GROUPS_MAX];

	return known_groups_find(USER, groups) == 3 && groups[0] == 100 && groups[1] == 7 && groups[2] == 9;
}

static int find_none(void)
{
	gid_t groups[KNOWN_GROUPS_MAX];

	return known_groups_find(USER, groups) == -1;
}

static void a_later_process_knows_them(void **state)
{
	(void)state;
	assert_int_equal(in_child(find_none), 1);
	in_child(keep_three);
	assert_int_equal(in_child(find_three), 1);
}

static void they_are_of_that_user_with_that_group_alone(void **state)
{
	gid_t groups[KNOWN_GROUPS_MAX];

	(void)state;
	keep_three();
	assert_int_equal(known_groups_find(1001, 100, "anna", groups), -1);
	assert_int_equal(known_groups_find(1000, 101, "anna", groups), -1);
	assert_int_equal(known_groups_find(1000, 100, "ann", groups), -1);
	assert_int_equal(known_groups_find(1000, 100, "anna", groups), 3);
}

static int end_and_find(void)
{
	known_groups_end();
	keep_three();
	return find_none();
}

static void a_process_that_ended_it_knows_nothing_and_the_others_do(void **state)
{
	(void)state;
	keep_three();
	assert_int_equal(in_child(end_and_find), 1);
	assert_int_equal(in_child(find_three), 1);
}

static void as_many_groups_as_there_is_room_for_are_kept_and_one_more_is_not(void **state)
{
	gid_t groups[KNOWN_GROUPS_MAX + 1] = { 0 }, found[KNOWN_GROUPS_MAX];

	(void)state;
	known_groups_keep(1, 1, "many", groups, KNOWN_GROUPS_MAX + 1);
	assert_int_equal(known_groups_find(1, 1, "many", found), -1);
	known_groups_keep(1, 1, "many", groups, KNOWN_GROUPS_MAX);
	assert_int_equal(known_groups_find(1, 1, "many", found), KNOWN_GROUPS_MAX);
}

static void of_more_users_than_there_is_room_for_the_first_are_known(void **state)
{
	const gid_t group = 5;
	gid_t found[KNOWN_GROUPS_MAX];
	char name[16];

	(void)state;
	for (uid_t uid = 1; uid <= 1000; uid++) {
		snprintf(name, sizeof(name), "u%u", uid);
		known_groups_keep(uid, 5, name, &group, 1);
	}
	assert_int_equal(known_groups_find(1, 5, "u1", found), 1);
	assert_int_equal(known_groups_find(1000, 5, "u1000", found), -1);
}

static void a_name_that_is_too_long_is_not_kept(void **state)
{
	const gid_t group = 5;
	gid_t found[KNOWN_GROUPS_MAX];
	char name[300];

	(void)state;
	for (size_t i = 0; i < sizeof(name); i++)
		name[i] = i + 1 < sizeof(name) ? 'n' : '\0';
	known_groups_keep(1, 5, name, &group, 1);
	assert_int_equal(known_groups_find(1, 5, name, found), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_later_process_knows_them, begin, end),
		cmocka_unit_test_setup_teardown(they_are_of_that_user_with_that_group_alone, begin, end),
		cmocka_unit_test_setup_teardown(a_process_that_ended_it_knows_nothing_and_the_others_do, begin, end),
		cmocka_unit_test_setup_teardown(as_many_groups_as_there_is_room_for_are_kept_and_one_more_is_not, begin, end),
		cmocka_unit_test_setup_teardown(of_more_users_than_there_is_room_for_the_first_are_known, begin, end),
		cmocka_unit_test_setup_teardown(a_name_that_is_too_long_is_not_kept, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
