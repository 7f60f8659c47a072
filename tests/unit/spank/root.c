/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that work is done as root even if another thread makes the process its job's user. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spank/root.h"

#define USER 65534
#define CHANGES 30
#define STAY_US 200

static char directory[64];
static atomic_int changes;

static int set_up(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/stint-test-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return rmdir(directory);
}

/* In two steps, so that the other thread can come between them. */
static int make_and_remove(void *data)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/entry", directory);
	(*(int *)data)++;
	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return -1;
	usleep(1);
	return rmdir(path);
}

static void *become_user_again_and_again(void *data)
{
	(void)data;
	for (changes = 0; changes < CHANGES; changes++) {
		usleep(50 * STAY_US);
		if (seteuid(USER) < 0)
			abort();
		usleep(STAY_US);
		if (seteuid(0) < 0)
			abort();
	}
	return NULL;
}

static void skip_unless_root(void)
{
	if (getuid() == 0)
		return;
	print_message("root alone can become another user\n");
	skip();
}

static void it_is_done_as_root(void **state)
{
	int calls = 0;

	(void)state;
	skip_unless_root();
	assert_int_equal(root_do(make_and_remove, &calls), 0);
	assert_int_equal(calls, 1);
	assert_int_equal(seteuid(USER), 0);
	assert_int_equal(make_and_remove(&calls), -1);
	assert_int_equal(root_do(make_and_remove, &calls), 0);
	assert_int_equal(geteuid(), USER);
	assert_int_equal(seteuid(0), 0);
}

static void it_is_done_whenever_the_user_changes(void **state)
{
	int calls = 0, turns = 0, failed = 0;
	pthread_t thread;

	(void)state;
	skip_unless_root();
	changes = 0;
	assert_int_equal(pthread_create(&thread, NULL, become_user_again_and_again, NULL), 0);
	for (; changes < CHANGES; turns++)
		failed += root_do(make_and_remove, &calls) < 0;
	pthread_join(thread, NULL);
	assert_int_equal(geteuid(), 0);
	assert_int_equal(failed, 0);
	assert_true(calls > turns);
}

static int fail_with(void *data)
{
	errno = *(int *)data;
	return -1;
}

static void what_fails_for_another_reason_is_not_tried_again(void **state)
{
	int why = EDQUOT;

	(void)state;
	assert_int_equal(root_do(fail_with, &why), -1);
	assert_int_equal(errno, EDQUOT);
	why = EACCES;
	assert_int_equal(root_do(fail_with, &why), -1);
	assert_int_equal(errno, EACCES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_is_done_as_root, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_is_done_whenever_the_user_changes, set_up, tear_down),
		cmocka_unit_test(what_fails_for_another_reason_is_not_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
