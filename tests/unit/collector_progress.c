/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts as activity and as a stall, on both sides of each threshold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/progress.h"

#define MS 1000000ull
#define SECOND (1000 * MS)

static const __u64 nothing[RECORD_USES_TOLD];

static bool active_by(enum use use, uint64_t value, uint64_t ns)
{
	__u64 after[RECORD_USES_TOLD] = { 0 };

	after[use] = value;
	return progress_is_active(nothing, after, ns);
}

static void more_than_a_hundredth_of_a_cpu_is_activity(void **state)
{
	(void)state;
	assert_false(active_by(USE_ON_CPU, 10 * MS, SECOND));
	assert_true(active_by(USE_ON_CPU, 10 * MS + 1, SECOND));
	assert_false(active_by(USE_ON_CPU, 10 * MS + 1, 2 * SECOND));
	/* Slurm's own are in this one, too, and waiting is no activity */
	assert_false(active_by(USE_CPU, SECOND, SECOND));
	assert_false(active_by(USE_FILE_IO, SECOND, SECOND));
}

static void more_than_a_page_of_bytes_a_second_is_activity(void **state)
{
	static const enum use bytes[] = { USE_READ_BYTES,	   USE_WRITE_BYTES,	USE_SYSCALL_READ_BYTES,
					  USE_SYSCALL_WRITE_BYTES, USE_SOCKET_RX_BYTES, USE_SOCKET_TX_BYTES };

	(void)state;
	for (int i = 0; i < 6; i++) {
		assert_false(active_by(bytes[i], 4096, SECOND));
		assert_true(active_by(bytes[i], 4097, SECOND));
		assert_false(active_by(bytes[i], 8192, 2 * SECOND));
		assert_true(active_by(bytes[i], 8193, 2 * SECOND));
	}
}

static void idle_heads_and_tails_are_what_surely_was_idle(void **state)
{
	struct progress progress = { 0 };
	__u64 use[4][RECORD_USES_TOLD] = { 0 };

	(void)state;
	use[1][USE_ON_CPU] = MS;
	use[2][USE_ON_CPU] = use[3][USE_ON_CPU] = SECOND;
	progress_note(&progress, 10 * SECOND, 11 * SECOND, use[0], use[1]);
	assert_int_equal(progress.first_ns, 0);
	progress_note(&progress, 11 * SECOND, 12 * SECOND, use[1], use[2]);
	progress_note(&progress, 12 * SECOND, 13 * SECOND, use[2], use[3]);
	assert_int_equal(progress.first_ns, 11 * SECOND);
	assert_int_equal(progress.last_ns, 12 * SECOND);
	progress_note(&progress, 20 * SECOND, 20 * SECOND, use[0], use[3]); /* no time at all */
	assert_int_equal(progress.last_ns, 12 * SECOND);
}

static void end_image(struct progress *progress, uint32_t pid, uint64_t quiet_ns, uint32_t flags)
{
	struct event event = {
		.kind = EVENT_IMAGE,
		.flags = flags,
		.tool = 100 + pid,
		.step = 3,
		.pid = pid,
		.quiet_since_ns = pid * SECOND,
		.quiet_ns = quiet_ns,
	};

	progress_image_ended(progress, &event, 300 * SECOND);
}

static void a_stall_is_as_long_as_stint_conf_says(void **state)
{
	struct progress progress = { 0 };

	(void)state;
	end_image(&progress, 1, 300 * SECOND - 1, EVENT_EXECED);
	assert_int_equal(progress.stall_count, 0);
	end_image(&progress, 2, 300 * SECOND, EVENT_EXECED);
	end_image(&progress, 3, 400 * SECOND, EVENT_EXECED | EVENT_SLURM);
	end_image(&progress, 4, 301 * SECOND, 0);
	assert_int_equal(progress.stall_count, 2);
	assert_int_equal(progress.stalls[0].pid, 4);
	assert_int_equal(progress.stalls[1].pid, 2);
	assert_int_equal(progress.stalls[1].tool, 102);
	assert_int_equal(progress.stalls[1].step, 3);
	assert_int_equal(progress.stalls[1].start_ns, 2 * SECOND);
	assert_int_equal(progress.stalls[1].quiet_ns, 300 * SECOND);
	progress_free(&progress);
}

static void the_longest_32_are_kept(void **state)
{
	struct progress progress = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) /* each length once, in no order */
		end_image(&progress, i, (1000 + i * 7 % 1000) * SECOND, EVENT_EXECED);
	assert_int_equal(progress.stall_count, PROGRESS_STALLS_MAX);
	for (uint32_t i = 0; i < PROGRESS_STALLS_MAX; i++)
		assert_int_equal(progress.stalls[i].quiet_ns, (1999 - i) * SECOND);
	progress_free(&progress);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_than_a_hundredth_of_a_cpu_is_activity),
		cmocka_unit_test(more_than_a_page_of_bytes_a_second_is_activity),
		cmocka_unit_test(idle_heads_and_tails_are_what_surely_was_idle),
		cmocka_unit_test(a_stall_is_as_long_as_stint_conf_says),
		cmocka_unit_test(the_longest_32_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
