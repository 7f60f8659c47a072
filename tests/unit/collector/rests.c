/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests how long the event loop occupies a processor with a long work, and when it stops sleeping.
 * It stops if somebody waits, if the ring of events fills, or after too long a time.
 * The clock is set. Urgent descriptors are real.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "collector/host/loop.h"
#include "tests/unit/set_clock.h"

#define US 1000ull
#define MS 1000000ull
#define HOLD_US 30   /* how long the loop may have a processor before it checks whether to sleep */
#define RESTS_MS 800 /* after this it no longer sleeps */

/* The loop only passes a pointer to it on. */
struct collector {
	struct loop *loop;
	int start_fd, urgent_fd;
	uint64_t piece_ns;      /* of a piece */
	unsigned int pieces;    /* pieces of the work that are left */
	unsigned int urgent_at; /* pieces left when somebody begins to wait; 0: nobody does */
	bool signals;           /* by a signal, such as that of a child's end */
	unsigned int full_at;   /* pieces left when the ring of events fills; 0: it does not */
	unsigned int rests;
	unsigned int rested_at[64]; /* pieces left at each sleep */
};

static bool fills(const void *data)
{
	struct collector *c = *(struct collector *const *)data;

	assert_true(c->rests < sizeof(c->rested_at) / sizeof(c->rested_at[0]));
	c->rested_at[c->rests++] = c->pieces;
	return c->full_at && c->pieces <= c->full_at;
}

static bool work_piece(struct collector *c)
{
	set_clock_add(c->piece_ns);
	if (--c->pieces == c->urgent_at && c->urgent_at) {
		if (c->signals)
			raise(SIGCHLD);
		else
			eventfd_write(c->urgent_fd, 1);
	}
	return c->pieces;
}

static void work(struct collector *c)
{
	uint64_t count;

	assert_int_equal(read(c->start_fd, &count, sizeof(count)), sizeof(count));
	loop_in_pieces(c->loop, work_piece);
	assert_int_equal(c->pieces, 0);
	raise(SIGTERM);
}

static void nobody_waits(struct collector *c)
{
	uint64_t count;

	assert_int_equal(read(c->urgent_fd, &count, sizeof(count)), sizeof(count));
}

static void run(struct collector *c, unsigned int pieces, uint64_t piece_ns)
{
	struct error err;

	c->pieces = pieces;
	c->piece_ns = piece_ns;
	c->rests = 0;
	c->start_fd = eventfd(0, EFD_CLOEXEC);
	c->urgent_fd = eventfd(0, EFD_CLOEXEC);
	c->loop = loop_open(c, &err);
	assert_non_null(c->loop);
	loop_empties(c->loop, fills, &c);
	assert_int_equal(loop_watch(c->loop, c->start_fd, LOOP_CAN_WAIT, work, &err), 0);
	assert_int_equal(loop_watch(c->loop, c->urgent_fd, LOOP_URGENT, nobody_waits, &err), 0);
	eventfd_write(c->start_fd, 1);
	loop_run(c->loop);
	loop_close(c->loop);
	close(c->start_fd);
	close(c->urgent_fd);
}

static void a_long_work_holds_no_processor_for_long(void **state)
{
	struct collector c = {};

	(void)state;
	run(&c, 5, HOLD_US * US);
	assert_int_equal(c.rests, 5); /* also after the last piece: more work comes after it */
	run(&c, 9, HOLD_US * US / 3);
	assert_int_equal(c.rests, 3);
	assert_int_equal(c.rested_at[0], 6);
	run(&c, 2, HOLD_US * US / 3);
	assert_int_equal(c.rests, 0);
}

static void no_rests_while_somebody_waits(void **state)
{
	struct collector c = { .urgent_at = 7 };

	(void)state;
	run(&c, 10, HOLD_US * US);
	assert_int_equal(c.rests, 2);
	assert_int_equal(c.rested_at[1], 8);
	c.signals = true;
	run(&c, 10, HOLD_US * US);
	assert_int_equal(c.rests, 2);
}

static void no_rests_once_the_ring_fills(void **state)
{
	struct collector c = { .full_at = 7 };

	(void)state;
	run(&c, 10, HOLD_US * US);
	assert_int_equal(c.rests, 3); /* the last sleep found the full ring */
	assert_int_equal(c.rested_at[2], 7);
}

static void no_rests_once_it_has_taken_too_long(void **state)
{
	struct collector c = {};

	(void)state;
	run(&c, 10, RESTS_MS * MS / 4 + 1);
	assert_int_equal(c.rests, 4); /* the fourth piece ends after RESTS_MS */
	run(&c, 3, HOLD_US * US); /* the next round sleeps again */
	assert_int_equal(c.rests, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_work_holds_no_processor_for_long),
		cmocka_unit_test(no_rests_while_somebody_waits),
		cmocka_unit_test(no_rests_once_the_ring_fills),
		cmocka_unit_test(no_rests_once_it_has_taken_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
