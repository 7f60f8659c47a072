/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests when stintd has a serving stint-epilog, and that it works without one that does not answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/writer/staying.h"
#include "common/process/writer_process.h"

#define PID 4711 /* of a writer, by the program below */
#define HOW "STINT_TEST_HOW" /* what that program should do */

static struct staying here;
static struct staying *const staying = &here;
static char directory[PATH_MAX], file[PATH_MAX + 32];
static const struct writer_program program = { .libexec_dir = directory };

/* ---- this program as stint-epilog ---- */

static void answer(int pid)
{
	const struct writer_answer answer = { .pid = pid };

	send(STDIN_FILENO, &answer, sizeof(answer), MSG_NOSIGNAL);
}

static int be_epilog(void)
{
	const char *how = getenv(HOW);
	struct writer_call call;

	if (strcmp(how, "knows no --serve") == 0)
		return 2;
	recv(STDIN_FILENO, &call, sizeof(call), 0);
	answer(0);
	while (recv(STDIN_FILENO, &call, sizeof(call), 0) > 0) {
		if (strcmp(how, "hangs") == 0)
			pause();
		answer(strcmp(how, "has no memory") == 0 ? -1 : call.first && strcmp(call.record, "/record") == 0 ? PID : 1);
	}
	return 0;
}

/* ---- as stintd ---- */

static void copy_program(void)
{
	char command[4 * PATH_MAX];

	snprintf(command, sizeof(command), "cp /proc/%d/exe %s.new && mv %s.new %s", getpid(), file, file, file);
	assert_int_equal(system(command), 0);
}

static int begin(void **state)
{
	(void)state;
	memset(staying, 0, sizeof(*staying));
	strcpy(directory, "/tmp/stint-staying.XXXXXX");
	assert_non_null(mkdtemp(directory));
	writer_path(&program, file);
	copy_program();
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (staying->pid) {
		kill(staying->pid, SIGKILL);
		waitpid(staying->pid, NULL, 0);
	}
	unlink(file);
	rmdir(directory);
	return 0;
}

static int call(void)
{
	int why = open("/dev/null", O_WRONLY | O_CLOEXEC), pid = staying_call(staying, &program, "/record", why);

	close(why);
	return pid;
}

static void start(const char *how)
{
	struct pollfd ready;

	setenv(HOW, how, 1);
	assert_int_equal(call(), -1);
	assert_int_equal(staying->pid, 0);
	assert_int_equal(call(), -1); /* nobody waits for it to be ready */
	assert_true(staying->pid > 0);
	assert_int_equal(send(staying->fd, "", 1, MSG_NOSIGNAL), 1);
	ready = (struct pollfd){ staying->fd, POLLIN, 0 };
	assert_int_equal(poll(&ready, 1, 60000), 1);
}

static void reap(void)
{
	int pid = staying->pid;

	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(staying_ended(staying, pid));
	assert_int_equal(staying->pid, 0);
	assert_false(staying_ended(staying, pid));
}

static void it_comes_with_the_second_record_and_forks_for_the_third(void **state)
{
	(void)state;
	start("answers");
	assert_int_equal(call(), PID);
	assert_int_equal(call(), PID);
}

static void one_record_in_a_long_time_has_none(void **state)
{
	(void)state;
	setenv(HOW, "answers", 1);
	assert_int_equal(call(), -1);
	staying->standby.wanted_ns -= 11000000000ull;
	assert_int_equal(call(), -1);
	assert_int_equal(staying->pid, 0);
}

static void one_that_hangs_is_ended_and_not_started_again_soon(void **state)
{
	(void)state;
	start("hangs");
	assert_int_equal(call(), -1);
	reap();
	assert_int_equal(call(), -1);
	assert_int_equal(staying->pid, 0);
	staying->standby.after_ns = 0;
	assert_int_equal(call(), -1);
	assert_true(staying->pid > 0);
}

static void one_without_memory_is_ended(void **state)
{
	(void)state;
	start("has no memory");
	assert_int_equal(call(), -1);
	reap();
}

static void one_that_knows_no_option_is_not_started_again_soon(void **state)
{
	(void)state;
	setenv(HOW, "knows no --serve", 1);
	assert_int_equal(call(), -1);
	assert_int_equal(call(), -1);
	reap();
	assert_int_equal(call(), -1);
	assert_int_equal(staying->pid, 0);
}

static void one_that_has_ended_by_itself_has_a_successor(void **state)
{
	(void)state;
	start("answers");
	assert_int_equal(call(), PID);
	kill(staying->pid, SIGTERM);
	assert_int_equal(waitid(P_PID, staying->pid, &(siginfo_t){}, WEXITED | WNOWAIT), 0);
	assert_int_equal(call(), -1);
	reap();
	assert_int_equal(call(), -1);
	assert_true(staying->pid > 0);
}

static void another_program_in_its_place_is_used(void **state)
{
	int former;

	(void)state;
	start("answers");
	assert_int_equal(call(), PID);
	former = staying->pid;
	copy_program();
	assert_int_equal(call(), -1);
	reap();
	assert_int_equal(call(), -1);
	assert_true(staying->pid > 0 && staying->pid != former);
}

static void a_path_that_is_too_long_is_no_call(void **state)
{
	char path[2 * PATH_MAX];

	(void)state;
	start("answers");
	assert_int_equal(call(), PID);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(staying_call(staying, &program, path, STDERR_FILENO), -1);
}

int main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_comes_with_the_second_record_and_forks_for_the_third, begin, end),
		cmocka_unit_test_setup_teardown(one_record_in_a_long_time_has_none, begin, end),
		cmocka_unit_test_setup_teardown(one_that_hangs_is_ended_and_not_started_again_soon, begin, end),
		cmocka_unit_test_setup_teardown(one_without_memory_is_ended, begin, end),
		cmocka_unit_test_setup_teardown(one_that_knows_no_option_is_not_started_again_soon, begin, end),
		cmocka_unit_test_setup_teardown(one_that_has_ended_by_itself_has_a_successor, begin, end),
		cmocka_unit_test_setup_teardown(another_program_in_its_place_is_used, begin, end),
		cmocka_unit_test_setup_teardown(a_path_that_is_too_long_is_no_call, begin, end),
	};

	if (argc > 1 && strcmp(argv[argc - 1], "--serve") == 0)
		return be_epilog();
	sched_setscheduler(0, SCHED_RR, &(struct sched_param){ .sched_priority = 1 }); /* answers are waited for 100 ms */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
