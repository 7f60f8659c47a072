/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that processes that outlive their writer count for their user, and that a user has a share of them.
 * A writer that does not end when it is killed loses its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/collector.h"
#include "collector/reply.h"
#include "collector/status.h"
#include "common/process/writer_process.h"

#define HIS (DELIVER_STRAYS / 4) /* one user's share */
#define GREEDY 4711
#define OTHER 4712

static struct collector c;
static pid_t children[HIS];
static pid_t writer; /* writer of the next delivery */
static int64_t later_s; /* by how much CLOCK_BOOTTIME is ahead here */
static int answer; /* the last answer; 1: none so far */
static char why[512]; /* the log's reason for the undelivered record */

/* These replace stintd's own. */
void status_refresh(struct collector *collector)
{
	(void)collector;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int status = (int)syscall(SYS_clock_gettime, clock, now);

	now->tv_sec += clock == CLOCK_BOOTTIME ? later_s : 0;
	return status;
}

bool spool_find(struct spool *spool, const char *name, char path[PATH_MAX])
{
	(void)spool;
	strcpy(path, name);
	return true;
}

bool spool_is_news(struct spool *spool, const char *name, const char *reason)
{
	(void)spool;
	(void)name;
	snprintf(why, sizeof(why), "%s", reason);
	return true;
}

int staying_call(struct staying *staying, const struct writer_program *program, const char *path, int why_fd)
{
	(void)staying;
	(void)program;
	(void)path;
	(void)why_fd;
	return writer;
}

void reply_send(int fd, uint16_t kind, int status, const char *text)
{
	(void)fd;
	(void)kind;
	(void)text;
	answer = status;
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

/* With slurmdbd away, each job that ends leaves a process for 25 seconds. */
static void who_has_left_many_behind_has_no_more_writers_and_others_have(void **state)
{
	(void)state;
	if (getuid())
		skip();
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

static void deliver(uint32_t uid, pid_t pid)
{
	writer = pid;
	answer = 1;
	why[0] = '\0';
	deliver_add(&c, "record", 1, uid, -1);
	deliver_start(&c);
	assert_int_equal(c.deliveries.running, 1);
}

static void tick_after(int seconds)
{
	later_s += seconds;
	deliver_tick(&c);
}

/* A process that nobody has waited for still exists, as one that its file system blocks. */
static void roots_writer_that_does_not_end_keeps_its_place_no_longer(void **state)
{
	pid_t pid = start(0);

	(void)state;
	deliver(0, pid);
	tick_after(59);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	tick_after(2);
	assert_int_equal(waitid(P_PID, pid, &(siginfo_t){}, WEXITED | WNOWAIT), 0);
	assert_int_equal(c.deliveries.running, 1);
	tick_after(3);
	assert_int_equal(c.deliveries.running, 0);
	assert_int_equal(answer, -1);
	assert_string_equal(why, "stint-epilog was killed, but its process does not end");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The record's user is @uid. @signal ends the writer after @seconds. Returns the log's text. */
static const char *ends_by(int signal, uint32_t uid, pid_t pid, int seconds)
{
	int status;

	deliver(uid, pid);
	tick_after(0);
	later_s += seconds;
	kill(pid, signal);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(deliver_ended(&c, pid, status));
	assert_int_equal(answer, -1);
	return why;
}

static void a_directory_does_not_answer_only_where_the_kernel_has_ended_the_users_writer(void **state)
{
	(void)state;
	if (getuid())
		skip();
	assert_string_equal(ends_by(SIGKILL, GREEDY, start(GREEDY), 20), WRITER_USER_HANGS);
	assert_string_equal(ends_by(SIGKILL, 0, start(0), 20), WRITER_USER_HANGS);
	assert_string_equal(ends_by(SIGKILL, GREEDY, start(GREEDY), 10), "stint-epilog was ended by signal 9");
	assert_string_equal(ends_by(SIGTERM, GREEDY, start(GREEDY), 20), "stint-epilog was ended by signal 15");
	/* It still did root's work, so the user's directory did not take the time. */
	assert_string_equal(ends_by(SIGKILL, GREEDY, start(0), 30), "stint-epilog was ended by signal 9");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_of_roots_counts_for_the_user_that_it_names),
		cmocka_unit_test(a_name_is_a_users_only_where_it_says_so),
		cmocka_unit_test(who_has_left_many_behind_has_no_more_writers_and_others_have),
		cmocka_unit_test(roots_writer_that_does_not_end_keeps_its_place_no_longer),
		cmocka_unit_test(a_directory_does_not_answer_only_where_the_kernel_has_ended_the_users_writer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
