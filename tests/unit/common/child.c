/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which files and signals a program starts with, and how to wait for one that may hang. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/process/child.h"

#define PATIENCE_MS 120000 /* for events that come sooner or later on a busy machine */

static const struct child_files keeps_all = { CHILD_KEEPS, CHILD_KEEPS, CHILD_KEEPS };

static pid_t shell(const char *script, char *const environment[], const struct child_files *files)
{
	const char *const arguments[] = { "sh", "-c", script, NULL };

	return child_start(arguments, environment, files);
}

static int status_of(pid_t pid)
{
	int status;

	assert_true(pid > 0);
	assert_true(child_wait(pid, PATIENCE_MS, &status));
	return status;
}

static void it_has_the_files_that_are_named(void **state)
{
	int in = memfd_create("in", MFD_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
	char text[100] = "";

	(void)state;
	assert_int_equal(write(in, "asked", 5), 5);
	lseek(in, 0, SEEK_SET);
	assert_int_equal(status_of(shell("cat; echo said >&2", NULL, &(struct child_files){ in, out, CHILD_NULL })), 0);
	assert_int_equal(pread(out, text, sizeof(text) - 1, 0), 5);
	assert_string_equal(text, "asked");
	assert_int_equal(status_of(shell("read -r line && exit 1; exit 7", NULL,
					 &(struct child_files){ CHILD_NULL, CHILD_KEEPS, CHILD_KEEPS })), 7 << 8);
	close(in);
	close(out);
}

static void it_has_the_environment_that_is_named(void **state)
{
	char *const environment[] = { (char *)"STINT_TEST=mine", NULL };

	(void)state;
	assert_int_equal(status_of(shell("test \"$STINT_TEST\" = mine && test -z \"$HOME\"", environment, &keeps_all)), 0);
	setenv("STINT_TEST", "ours", 1);
	assert_int_equal(status_of(shell("test \"$STINT_TEST\" = ours", NULL, &keeps_all)), 0);
}

/* SigBlk of proc(5), and SIGPIPE's bit of SigIgn. Other signals were ignored before the test. */
static void it_inherits_no_blocked_signal_and_no_ignored_sigpipe(void **state)
{
	sigset_t all, before;
	pid_t pid;

	(void)state;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	signal(SIGPIPE, SIG_IGN);
	pid = shell("while read -r key value; do case $key in SigBlk:) [ $((0x$value)) = 0 ] || exit 1 ;; "
		    "SigIgn:) [ $((0x$value & 0x1000)) = 0 ] || exit 2 ;; esac; done </proc/self/status",
		    NULL, &keeps_all);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_int_equal(status_of(pid), 0);
}

static void a_program_that_is_not_there_is_told(void **state)
{
	const char *const arguments[] = { "/there/is/none", NULL };

	(void)state;
	assert_int_equal(child_start(arguments, NULL, &keeps_all), -1);
	assert_int_equal(errno, ENOENT);
}

static void one_that_takes_too_long_is_not_waited_for_but_can_be_ended(void **state)
{
	pid_t pid = shell("trap '' TERM; while :; do sleep 100; done", NULL, &keeps_all);
	int status = 42;

	(void)state;
	assert_false(child_wait(pid, 20, &status));
	assert_int_equal(kill(pid, 0), 0);
	status = child_end(pid, PATIENCE_MS);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(kill(pid, 0), -1);
}

static void one_that_had_ended_has_its_own_status(void **state)
{
	pid_t pid = shell("exit 3", NULL, &keeps_all);
	siginfo_t ended;

	(void)state;
	assert_int_equal(waitid(P_PID, pid, &ended, WEXITED | WNOWAIT), 0);
	assert_int_equal(child_end(pid, 0), 3 << 8);
}

static void nothing(int signal)
{
	(void)signal;
}

/* Signals come all the while; each interrupts a system call. */
static void a_signal_is_no_reason_to_wait_less(void **state)
{
	const struct sigaction action = { .sa_handler = nothing };
	struct sigaction before;
	char script[100];
	pid_t pid, other;

	(void)state;
	sigaction(SIGUSR1, &action, &before);
	snprintf(script, sizeof(script), "while kill -USR1 %d; do :; done", getpid());
	other = shell(script, NULL, &keeps_all);
	pid = shell("sleep 0.2; exit 5", NULL, &keeps_all);
	assert_int_equal(status_of(pid), 5 << 8);
	child_end(other, PATIENCE_MS);
	sigaction(SIGUSR1, &before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_the_files_that_are_named),
		cmocka_unit_test(it_has_the_environment_that_is_named),
		cmocka_unit_test(it_inherits_no_blocked_signal_and_no_ignored_sigpipe),
		cmocka_unit_test(a_program_that_is_not_there_is_told),
		cmocka_unit_test(one_that_takes_too_long_is_not_waited_for_but_can_be_ended),
		cmocka_unit_test(one_that_had_ended_has_its_own_status),
		cmocka_unit_test(a_signal_is_no_reason_to_wait_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
