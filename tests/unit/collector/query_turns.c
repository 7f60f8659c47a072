/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that users who call without a pause leave others a turn, and that nobody waits for a user who has gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/query_turns.h"

#define MS 1000000ull
#define LOOP 1000 /* the user who calls each millisecond */
#define ROOT 0

static uint64_t now_ns = 5000 * MS;

/* Returns whether @uid is answered now, if the next sample may be taken at @sample_ns. */
static bool call(struct query_turns *turns, uid_t uid, uint64_t sample_ns)
{
	if (query_turn_is_too_early(turns, uid, now_ns))
		return false;
	if (query_turn_is_next(turns, uid, now_ns) && now_ns >= sample_ns) {
		query_turn_taken(turns, uid, now_ns);
		return true;
	}
	query_turn_waits(turns, uid, now_ns);
	return false;
}

/*
 * Root asks like stint, every 100 ms, beside users who call every millisecond.
 * The node takes a sample every @pause_ns. Returns the longest time without an answer.
 */
static uint64_t longest_of_root(unsigned int loops, uint64_t pause_ns)
{
	struct query_turns turns = {};
	uint64_t sample_ns = now_ns, answered_ns = now_ns, longest = 0;

	for (int ms = 0; ms < 20000; ms++, now_ns += MS) {
		for (unsigned int i = 0; i < loops; i++)
			if (call(&turns, LOOP + i, sample_ns))
				sample_ns = now_ns + pause_ns;
		if (ms % 100 != 0 || !call(&turns, ROOT, sample_ns))
			continue;
		sample_ns = now_ns + pause_ns;
		longest = now_ns - answered_ns > longest ? now_ns - answered_ns : longest;
		answered_ns = now_ns;
	}
	return now_ns - answered_ns > longest ? now_ns - answered_ns : longest;
}

static void one_in_a_loop_has_no_more_than_every_second_turn(void **state)
{
	(void)state;
	/* also with a pause that is longer than a user's own */
	assert_true(longest_of_root(1, 100 * MS) <= 700 * MS);
	assert_true(longest_of_root(1, 600 * MS) <= 1400 * MS);
	assert_true(longest_of_root(1, 2000 * MS) <= 4200 * MS);
}

static void each_of_many_has_a_turn(void **state)
{
	(void)state;
	assert_true(longest_of_root(5, 600 * MS) <= 6 * 600 * MS + 300 * MS);
}

static void alone_nobody_waits_for_more_than_the_pause(void **state)
{
	(void)state;
	assert_true(longest_of_root(0, 100 * MS) <= 500 * MS);
	assert_true(longest_of_root(0, 900 * MS) <= 900 * MS);
}

static void who_calls_no_more_keeps_nobody_waiting(void **state)
{
	struct query_turns turns = {};

	(void)state;
	assert_true(call(&turns, LOOP, now_ns));
	assert_false(call(&turns, ROOT, now_ns + 1));
	now_ns += 500 * MS;
	assert_true(call(&turns, LOOP, now_ns));
}

/* A user calls only while no sample can be taken. */
static void who_calls_only_too_early_keeps_nobody_for_long(void **state)
{
	struct query_turns turns = {};

	(void)state;
	assert_true(call(&turns, LOOP, now_ns));
	now_ns += 600 * MS;
	assert_false(call(&turns, ROOT, now_ns + 1));
	assert_false(call(&turns, LOOP, now_ns));
	now_ns += 300 * MS;
	assert_true(call(&turns, LOOP, now_ns));
}

static void of_more_users_than_there_is_room_for_the_quietest_is_forgotten(void **state)
{
	struct query_turns turns = {};

	(void)state;
	for (uid_t uid = 0; uid < 3 * QUERY_CALLERS_MAX; uid++) {
		now_ns += MS;
		assert_true(call(&turns, uid, now_ns));
	}
	assert_int_equal(turns.count, QUERY_CALLERS_MAX);
	for (uid_t uid = 2 * QUERY_CALLERS_MAX; uid < 3 * QUERY_CALLERS_MAX; uid++)
		assert_true(query_turn_is_too_early(&turns, uid, now_ns));
	assert_false(query_turn_is_too_early(&turns, 0, now_ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_in_a_loop_has_no_more_than_every_second_turn),
		cmocka_unit_test(each_of_many_has_a_turn),
		cmocka_unit_test(alone_nobody_waits_for_more_than_the_pause),
		cmocka_unit_test(who_calls_no_more_keeps_nobody_waiting),
		cmocka_unit_test(who_calls_only_too_early_keeps_nobody_for_long),
		cmocka_unit_test(of_more_users_than_there_is_room_for_the_quietest_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
