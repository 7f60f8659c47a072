/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what the event loop calls, and when. The signals and children are real; there is no clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/host/loop.h"

/* The loop only passes a pointer to it on. */
struct collector {
	struct loop *loop;
	char said[64]; /* a letter for each call */
	int fd;
	int child, other_child, status;
	int last_round; /* the round in which the loop is told to end */
};

static void say(struct collector *c, char what)
{
	size_t length = strlen(c->said);

	assert_true(length + 1 < sizeof(c->said));
	c->said[length] = what;
}

static void each_second(struct collector *c)
{
	say(c, 's');
}

static void each_hour(struct collector *c)
{
	say(c, 'h');
}

static void hurry(struct collector *c)
{
	say(c, '!');
}

static void reaped(struct collector *c)
{
	say(c, 'r');
}

static void ready(struct collector *c)
{
	uint64_t count;

	assert_int_equal(read(c->fd, &count, sizeof(count)), sizeof(count));
	say(c, 'f');
}

static void round_ends(struct collector *c)
{
	say(c, '.');
	if (--c->last_round == 0)
		raise(SIGTERM);
}

static bool is_child(struct collector *c, int pid, int status)
{
	if (pid != c->child)
		return false;
	c->status = status;
	say(c, 'c');
	return true;
}

static bool is_any(struct collector *c, int pid, int status)
{
	(void)status;
	assert_int_equal(pid, c->other_child);
	say(c, 'o');
	return true;
}

static void start(struct collector *c)
{
	struct error err;

	c->fd = eventfd(0, EFD_CLOEXEC);
	c->last_round = 1;
	c->loop = loop_open(c, &err);
	assert_non_null(c->loop);
	assert_int_equal(loop_watch(c->loop, c->fd, LOOP_URGENT, ready, &err), 0);
	loop_children(c->loop, is_child);
	loop_children(c->loop, is_any);
	loop_at(c->loop, LOOP_HURRY, hurry);
	loop_at(c->loop, LOOP_REAPED, reaped);
	loop_at(c->loop, LOOP_ROUND, round_ends);
}

static void plan(struct collector *c)
{
	loop_every(c->loop, 1, each_second);
	loop_every(c->loop, 3600, each_hour);
}

static void end(struct collector *c)
{
	loop_close(c->loop);
	close(c->fd);
}

static int dead_child(int code)
{
	siginfo_t info;
	int pid = fork();

	if (pid == 0)
		_exit(code);
	assert_int_equal(waitid(P_PID, pid, &info, WEXITED | WNOWAIT), 0);
	return pid;
}

static void a_descriptor_is_called_for(void **state)
{
	struct collector c = {};

	(void)state;
	start(&c);
	eventfd_write(c.fd, 1);
	loop_run(c.loop);
	assert_string_equal(c.said, "f..");
	end(&c);
}

static void each_second_has_its_work(void **state)
{
	struct collector c = {};

	(void)state;
	start(&c);
	plan(&c);
	loop_run(c.loop); /* the first round is that of the timer */
	assert_string_equal(c.said, "s..");
	end(&c);
}

static void a_hurry_makes_all_work_due(void **state)
{
	struct collector c = {};

	(void)state;
	start(&c);
	plan(&c);
	raise(SIGUSR1);
	loop_run(c.loop);
	assert_non_null(strstr(c.said, "!sh.."));
	end(&c);
}

static void children_are_told_apart(void **state)
{
	struct collector c = {};

	(void)state;
	start(&c);
	c.child = dead_child(7);
	c.other_child = dead_child(0);
	loop_run(c.loop);
	assert_true(!strcmp(c.said, "cor..") || !strcmp(c.said, "ocr.."));
	assert_true(WIFEXITED(c.status) && WEXITSTATUS(c.status) == 7);
	end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_descriptor_is_called_for),
		cmocka_unit_test(each_second_has_its_work),
		cmocka_unit_test(a_hurry_makes_all_work_due),
		cmocka_unit_test(children_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
