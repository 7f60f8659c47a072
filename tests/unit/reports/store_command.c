/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing that a command of the store has started runs longer than the command may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "reports/send/store_command.h"

#define LONG_MS 20000 /* more than the test takes on a slow machine */

/* Runs @command as stint-epilog does, in a child. Returns its result; sets @text to the error, "" if there is none. */
static int run(const char *command, int wait_ms, char text[200])
{
	int ends[2], status;
	ssize_t length;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		cleanup_close int batch = open("/dev/null", O_RDONLY | O_CLOEXEC);
		struct error err = { "" };
		int result = store_command_run(command, "n1.batch", batch, wait_ms, &err);

		dprintf(ends[1], "%s", err.text);
		_exit(result < 0);
	}
	close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	length = read(ends[0], text, 199);
	text[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status) ? -1 : 0;
}

/*
 * Returns whether a process that @command started is left. Each has the pipe's write end as its standard output, which
 * it gets from the descriptor file @path. The pipe ends when all of them have ended.
 */
static bool leaves_a_process(const char *command, int wait_ms, int expected, const char *reason)
{
	char text[200], whole[400], byte;
	int ends[2];
	bool left;

	assert_int_equal(pipe(ends), 0);
	snprintf(whole, sizeof(whole), "exec >/proc/%d/fd/%d; %s", getpid(), ends[1], command);
	assert_int_equal(run(whole, wait_ms, text), expected);
	assert_string_equal(text, reason);
	close(ends[1]);
	assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
	left = read(ends[0], &byte, 1) != 0;
	close(ends[0]);
	return left;
}

static void what_a_command_started_ends_with_it_in_whatever_session_it_is(void **state)
{
	static const char *const started[] = {
		"sleep 1000 &",
		"setsid sleep 1000 &",
		"setsid sh -c 'setsid sleep 1000 & sleep 1000' &",
		/* a daemon: its parent has ended */
		"(setsid sh -c '(setsid sleep 1000 &) ; setsid sleep 1000 &' &) ;",
		"trap '' TERM HUP INT; setsid sh -c 'trap \"\" TERM HUP INT; sleep 1000; sleep 1000' &",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(started) / sizeof(started[0]); i++) {
		char command[300];

		snprintf(command, sizeof(command), "%s sleep 0.2", started[i]);
		assert_false(leaves_a_process(command, LONG_MS, 0, ""));
		snprintf(command, sizeof(command), "%s sleep 1000", started[i]);
		assert_false(leaves_a_process(command, 1000, -1, "store_command took longer than store_wait_s = 1 s"));
	}
}

/* Each process of the chain starts the next one in a new session, and ends at once. */
static void a_chain_of_processes_that_start_each_other_is_ended(void **state)
{
	static const char chain[] = "next='setsid sh -c \"$next\" & sleep 0.01'; export next; setsid sh -c \"$next\" & sleep 1000";
	int64_t began_ms = clock_ms();

	(void)state;
	assert_false(leaves_a_process(chain, 1000, -1, "store_command took longer than store_wait_s = 1 s"));
	assert_true(clock_ms() - began_ms < LONG_MS);
}

static void a_command_says_why_it_failed(void **state)
{
	char text[200];

	(void)state;
	assert_int_equal(run("exit 0", LONG_MS, text), 0);
	assert_string_equal(text, "");
	assert_int_equal(run("exit 3", LONG_MS, text), -1);
	assert_string_equal(text, "store_command ended with exit code 3");
	assert_int_equal(run("kill -15 $$", LONG_MS, text), -1);
	assert_string_equal(text, "signal 15 ended store_command");
	assert_int_equal(run("echo $STINT_BATCH >&2; echo more >&2; exit 1", LONG_MS, text), -1);
	assert_string_equal(text, "store_command: n1.batch");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_command_started_ends_with_it_in_whatever_session_it_is),
		cmocka_unit_test(a_chain_of_processes_that_start_each_other_is_ended),
		cmocka_unit_test(a_command_says_why_it_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
