/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that processes killed for memory are reported, and no others, even if the kernel gives only the pid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "collector/job/job_oom.h"

#define SECOND 1000000000ull

static struct event chosen(uint32_t pid)
{
	struct event event = {
		.kind = EVENT_OOM,
		.job = 1,
		.step = 2,
		.tool = 3,
		.pid = pid,
		.end_ns = 10 * SECOND,
		.peak_bytes = 1 << 20,
		.limit_bytes = 1 << 21,
		.comm = "hog",
	};

	return event;
}

static struct event ended(uint32_t pid, uint64_t end_ns, uint32_t status, uint32_t flags)
{
	struct event event = {
		.kind = EVENT_IMAGE,
		.flags = flags,
		.job = 1,
		.step = 2,
		.tool = 3,
		.pid = pid,
		.start_ns = 5 * SECOND,
		.end_ns = end_ns,
		.status = status,
	};

	return event;
}

static void the_first_64_are_told_and_the_others_counted(void **state)
{
	struct ooms ooms = { 0 };

	(void)state;
	for (uint32_t pid = 1; pid <= 64; pid++) {
		struct event event = chosen(pid);

		oom_add(&ooms, &event);
	}
	assert_int_equal(ooms.count, 64);
	assert_int_equal(ooms.lost, 0);
	for (uint32_t pid = 65; pid <= 100; pid++) {
		struct event event = chosen(pid);

		oom_add(&ooms, &event);
	}
	assert_int_equal(ooms.count, 64);
	assert_int_equal(ooms.lost, 36);
	assert_int_equal(ooms.kills, 0); /* the kernel programs counted them */
	assert_int_equal(ooms.victims[63].pid, 64);
	assert_int_equal(ooms.victims[0].rss_bytes, 1 << 20);
	assert_int_equal(ooms.victims[0].limit_bytes, 1 << 21);
	assert_int_equal(ooms.victims[0].time_ns, 10 * SECOND);
	assert_int_equal(ooms.victims[0].tool, 3);
	assert_int_equal(ooms.victims[0].step, 2);
	assert_string_equal(ooms.victims[0].comm, "hog");
	oom_free(&ooms);
}

static void the_first_of_a_group_is_chosen_and_the_others_are_killed_along(void **state)
{
	static const uint64_t groups[] = { 70, 70, 0, 71, 70, 0 };
	static const bool along[] = { false, true, false, false, true, false };
	struct ooms ooms = { 0 };

	(void)state;
	for (uint32_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		struct event event = chosen(i + 1);

		event.oom = (struct oom_state){ .group = groups[i], .kernel_bytes = 5, .flags = OOM_NODE };
		oom_add(&ooms, &event);
		assert_int_equal(ooms.victims[i].along, along[i]);
		assert_int_equal(ooms.victims[i].state.kernel_bytes, 5);
		assert_int_equal(ooms.victims[i].state.flags, OOM_NODE);
	}
	oom_free(&ooms);
}

static void a_victim_that_is_gone_already_is_known_by_its_end(void **state)
{
	struct oom_waiting waiting = { 0 };
	struct event end = ended(77, 11 * SECOND, 9, EVENT_EXECED), told;
	struct ooms ooms = { 0 };

	(void)state;
	oom_wait(&waiting, 76, 10 * SECOND);
	oom_wait(&waiting, 77, 10 * SECOND);
	assert_true(oom_was_victim(&waiting, &end, &told));
	oom_add_uncounted(&ooms, &told);
	assert_int_equal(ooms.count, 1);
	assert_int_equal(ooms.kills, 1);
	assert_int_equal(ooms.victims[0].pid, 77);
	assert_int_equal(ooms.victims[0].time_ns, 10 * SECOND);
	assert_int_equal(ooms.victims[0].rss_bytes, 0);
	assert_false(oom_was_victim(&waiting, &end, &told));
	oom_free(&ooms);
}

static void nobody_else_is_taken_for_the_victim(void **state)
{
	struct oom_waiting waiting = { 0 };
	struct event told;
	struct event others[] = {
		ended(78, 11 * SECOND, 9, EVENT_EXECED),
		ended(77, 11 * SECOND, 15, EVENT_EXECED),
		ended(77, 11 * SECOND, 9 << 8, EVENT_EXECED),
		ended(77, 11 * SECOND, 9, EVENT_EXECED | EVENT_REPLACED),
		ended(77, 70 * SECOND + 1, 9, EVENT_EXECED), /* too late: the pid has another owner */
		ended(77, 40 * SECOND, 9, EVENT_EXECED),
		ended(0, 11 * SECOND, 9, EVENT_EXECED),
	};

	(void)state;
	others[5].start_ns = 10 * SECOND + 1; /* it began after the victim was chosen */
	oom_wait(&waiting, 77, 10 * SECOND);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(oom_was_victim(&waiting, &others[i], &told));
	others[4].end_ns--;
	assert_true(oom_was_victim(&waiting, &others[4], &told));
}

/* A large process takes seconds to end. Meanwhile others are killed and end. */
static void a_victim_waits_however_many_end_before_it(void **state)
{
	struct event large = ended(7, 20 * SECOND, 9, EVENT_EXECED), told;
	struct oom_waiting waiting = { 0 };

	(void)state;
	oom_wait(&waiting, 7, 10 * SECOND);
	for (uint32_t pid = 1000; pid < 3000; pid++) {
		struct event small = ended(pid, 11 * SECOND, 9, EVENT_EXECED);

		oom_wait(&waiting, pid, 10 * SECOND + pid);
		oom_wait(&waiting, pid, 10 * SECOND + pid + 1); /* marked again with its whole cgroup */
		if (pid % 10)
			assert_true(oom_was_victim(&waiting, &small, &told));
	}
	assert_true(oom_was_victim(&waiting, &large, &told));
	assert_int_equal(told.end_ns, 10 * SECOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_64_are_told_and_the_others_counted),
		cmocka_unit_test(the_first_of_a_group_is_chosen_and_the_others_are_killed_along),
		cmocka_unit_test(a_victim_that_is_gone_already_is_known_by_its_end),
		cmocka_unit_test(nobody_else_is_taken_for_the_victim),
		cmocka_unit_test(a_victim_waits_however_many_end_before_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
