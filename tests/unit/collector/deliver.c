/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that go on after their writer count for the user whom they work for, and a user has a share of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/collector.h"
#include "collector/status.h"
#include "common/writer_process.h"

#define HIS (DELIVER_STRAYS / 4) /* one user's share */
#define GREEDY 4711
#define OTHER 4712

static struct collector c;
static pid_t children[HIS];

/* Replaces stintd's own. */
void status_refresh(struct collector *collector)
{
	(void)collector;
}

/* Starts a child that works for the user @uid, and waits until it says so. */
static pid_t start(uint32_t uid)
{
	int ends[2];
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		if (uid)
			process_name_for(uid);
		close(ends[0]);
		close(ends[1]);
		pause();
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_process_of_roots_counts_for_the_user_that_it_names(void **state)
{
	pid_t named = start(GREEDY), unnamed = start(0);

	(void)state;
	assert_int_equal(deliver_user_of(named), getuid() ? getuid() : GREEDY);
	assert_int_equal(deliver_user_of(unnamed), getuid());
	end(named);
	end(unnamed);
}

static void a_name_is_a_users_only_where_it_says_so(void **state)
{
	(void)state;
	assert_int_equal(process_name_user("for 4294967294\n"), 4294967294u);
	assert_int_equal(process_name_user("stint-epilog\n"), 0);
	assert_int_equal(process_name_user("for\n"), 0);
	assert_int_equal(process_name_user("for all\n"), 0);
}

/* With slurmdbd away, each job that ends leaves a process for some 25 seconds. */
static void who_has_left_many_behind_has_no_more_writers_and_others_have(void **state)
{
	(void)state;
	if (getuid())
		skip(); /* all of them would be this user's */
	for (int i = 0; i < HIS; i++)
		children[i] = start(GREEDY);
	deliver_tick(&c);
	assert_int_equal(c.deliveries.all_strays, HIS);
	assert_true(deliver_is_held_up(&c, GREEDY));
	assert_false(deliver_is_held_up(&c, OTHER));
	for (int i = 0; i < HIS; i++)
		end(children[i]);
	deliver_tick(&c);
	assert_false(deliver_is_held_up(&c, GREEDY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_of_roots_counts_for_the_user_that_it_names),
		cmocka_unit_test(a_name_is_a_users_only_where_it_says_so),
		cmocka_unit_test(who_has_left_many_behind_has_no_more_writers_and_others_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
