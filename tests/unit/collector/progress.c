/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what counts as activity and as a stall, on both sides of each threshold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "collector/job/job_progress.h"

#define MS 1000000ull
#define SECOND (1000 * MS)

static const __u64 nothing[ABI_USES_SENT];

static bool active_by(enum use use, uint64_t value, uint64_t ns)
{
	__u64 after[ABI_USES_SENT] = { 0 };

	after[use] = value;
	return progress_is_active(nothing, after, ns);
}

static void more_than_a_hundredth_of_a_cpu_is_activity(void **state)
{
	(void)state;
	assert_false(active_by(USE_ON_CPU, 10 * MS, SECOND));
	assert_true(active_by(USE_ON_CPU, 10 * MS + 1, SECOND));
	assert_false(active_by(USE_ON_CPU, 10 * MS + 1, 2 * SECOND));
	/* Slurm's own processes are in this sum, too, and a wait is no activity */
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

static void assert_activity(const struct progress *progress, uint64_t first_ns, uint64_t last_ns)
{
	uint64_t first, last;

	assert_true(progress_activity(progress, &first, &last));
	assert_int_equal(first, first_ns);
	assert_int_equal(last, last_ns);
}

static void idle_heads_and_tails_are_what_surely_was_idle(void **state)
{
	struct progress progress = { 0 };
	__u64 use[4][ABI_USES_SENT] = { 0 };
	uint64_t first, last;

	(void)state;
	use[1][USE_ON_CPU] = MS;
	use[2][USE_ON_CPU] = use[3][USE_ON_CPU] = SECOND;
	progress_note(&progress, 10 * SECOND, 11 * SECOND, use[0], use[1]);
	assert_false(progress_activity(&progress, &first, &last));
	progress_note(&progress, 11 * SECOND, 12 * SECOND, use[1], use[2]);
	progress_note(&progress, 12 * SECOND, 13 * SECOND, use[2], use[3]);
	assert_activity(&progress, 11 * SECOND, 12 * SECOND);
	progress_note(&progress, 20 * SECOND, 20 * SECOND, use[0], use[3]);
	assert_activity(&progress, 11 * SECOND, 12 * SECOND);
}

/* A job's samples: how long each is, and the CPU time and bytes used in it. */
struct part {
	uint64_t ns, samples, cpu_ns, bytes;
};

#define BEGIN (100 * SECOND)

static struct progress after(const struct part *parts, size_t count)
{
	struct progress progress = { 0 };
	__u64 before[ABI_USES_SENT] = { 0 }, use[ABI_USES_SENT] = { 0 };
	uint64_t now = BEGIN;

	for (size_t i = 0; i < count; i++)
		for (uint64_t n = 0; n < parts[i].samples; n++) {
			memcpy(before, use, sizeof(before));
			use[USE_ON_CPU] += parts[i].cpu_ns;
			use[USE_SYSCALL_READ_BYTES] += parts[i].bytes;
			progress_note(&progress, now, now + parts[i].ns, before, use);
			now += parts[i].ns;
		}
	return progress;
}

#define AFTER(...) after((const struct part[]){ __VA_ARGS__ }, sizeof((const struct part[]){ __VA_ARGS__ }) / sizeof(struct part))
#define QUIET(seconds) { SECOND, (seconds), MS / 10, 0 }
#define BUSY(seconds) { SECOND, (seconds), SECOND, 0 }

static void what_a_script_takes_to_start_and_to_end_is_no_activity(void **state)
{
	struct progress progress;
	uint64_t first, last;

	(void)state;
	/* sleep 65; burn 2 */
	progress = AFTER({ 640 * MS, 1, 7 * MS, 100000 }, QUIET(64), BUSY(2));
	assert_activity(&progress, BEGIN + 64640 * MS, BEGIN + 66640 * MS);
	/* burn 2; sleep 65; the last look came shortly before the script's end */
	progress = AFTER(BUSY(2), QUIET(64), { 40 * MS, 1, 3 * MS, 5000 });
	assert_activity(&progress, BEGIN, BEGIN + 2 * SECOND);
	progress = AFTER({ 640 * MS, 1, 7 * MS, 100000 }, QUIET(30), BUSY(2), QUIET(30), { 40 * MS, 1, 3 * MS, 5000 });
	assert_activity(&progress, BEGIN + 30640 * MS, BEGIN + 32640 * MS);
	/* sleep 65 */
	progress = AFTER({ 640 * MS, 1, 7 * MS, 100000 }, QUIET(64));
	assert_false(progress_activity(&progress, &first, &last));
	progress = AFTER({ 640 * MS, 1, 7 * MS, 100000 }, QUIET(64), { 40 * MS, 1, 3 * MS, 5000 });
	assert_false(progress_activity(&progress, &first, &last));
	progress = AFTER(QUIET(65), { 40 * MS, 1, 3 * MS, 5000 });
	assert_false(progress_activity(&progress, &first, &last));
}

/* Samples continued after the job was over. */
static void what_a_script_takes_to_end_is_its_end_whenever_that_is_noticed(void **state)
{
	struct progress progress;

	(void)state;
	progress = AFTER(BUSY(2), QUIET(64), { SECOND, 1, 3 * MS, 5000 }, QUIET(240));
	progress_end(&progress, BEGIN + 66 * SECOND + 40 * MS);
	assert_activity(&progress, BEGIN, BEGIN + 2 * SECOND);
	progress = AFTER(QUIET(64), BUSY(2), QUIET(240));
	progress_end(&progress, BEGIN + 65 * SECOND + 40 * MS);
	assert_activity(&progress, BEGIN + 64 * SECOND, BEGIN + 65 * SECOND + 40 * MS);
}

static void a_sample_that_comes_late_makes_a_start_or_an_end_no_longer(void **state)
{
	struct progress progress;

	(void)state;
	progress = AFTER({ 5 * SECOND, 1, 7 * MS, 22000 }, QUIET(20), BUSY(2));
	assert_activity(&progress, BEGIN + 25 * SECOND, BEGIN + 27 * SECOND);
	progress = AFTER(BUSY(2), QUIET(20), { 5 * SECOND, 1, 7 * MS, 22000 });
	assert_activity(&progress, BEGIN, BEGIN + 2 * SECOND);
	/* many samples are activity */
	progress = AFTER({ 5 * SECOND, 2, 7 * MS, 22000 }, QUIET(20), BUSY(2));
	assert_activity(&progress, BEGIN, BEGIN + 32 * SECOND);
	progress = AFTER({ 5 * SECOND, 1, 201 * MS, 22000 }, QUIET(60), BUSY(2));
	assert_activity(&progress, BEGIN, BEGIN + 67 * SECOND);
}

static void what_is_more_than_a_start_or_an_end_is_activity(void **state)
{
	static const struct part most = { SECOND, 1, 200 * MS, 64 << 20 };
	struct progress progress;

	(void)state;
	progress = AFTER(most, QUIET(60), BUSY(1));
	assert_activity(&progress, BEGIN + 61 * SECOND, BEGIN + 62 * SECOND);
	progress = AFTER({ SECOND, 1, 200 * MS + 1, 64 << 20 }, QUIET(60), BUSY(1));
	assert_activity(&progress, BEGIN, BEGIN + 62 * SECOND);
	progress = AFTER({ SECOND, 1, 200 * MS, (64 << 20) + 1 }, QUIET(60), BUSY(1));
	assert_activity(&progress, BEGIN, BEGIN + 62 * SECOND);
	progress = AFTER(BUSY(1), QUIET(60), most);
	assert_activity(&progress, BEGIN, BEGIN + SECOND);
	progress = AFTER(BUSY(1), QUIET(60), { SECOND, 1, 200 * MS + 1, 64 << 20 });
	assert_activity(&progress, BEGIN, BEGIN + 62 * SECOND);
	progress = AFTER(BUSY(1), QUIET(60), { SECOND, 1, 200 * MS, (64 << 20) + 1 });
	assert_activity(&progress, BEGIN, BEGIN + 62 * SECOND);
	/* a hundredth of a CPU beside a short sample, and more */
	progress = AFTER(most, QUIET(20), BUSY(1));
	assert_activity(&progress, BEGIN, BEGIN + 22 * SECOND);
	progress = AFTER(BUSY(1), QUIET(20), most);
	assert_activity(&progress, BEGIN, BEGIN + 22 * SECOND);
	/* a sample that is not short */
	progress = AFTER({ SECOND, 6, 11 * MS, 5000 }, QUIET(60), BUSY(1));
	assert_activity(&progress, BEGIN, BEGIN + 67 * SECOND);
	progress = AFTER({ SECOND, 5, 11 * MS, 5000 }, QUIET(60), BUSY(1));
	assert_activity(&progress, BEGIN + 65 * SECOND, BEGIN + 66 * SECOND);
	progress = AFTER(BUSY(1), QUIET(60), { SECOND, 6, 11 * MS, 5000 });
	assert_activity(&progress, BEGIN, BEGIN + 67 * SECOND);
}

static void a_short_burst_in_the_middle_is_activity(void **state)
{
	struct progress progress;

	(void)state;
	/* a sample in the middle */
	progress = AFTER({ 640 * MS, 1, 7 * MS, 0 }, QUIET(30), { SECOND, 1, 20 * MS, 0 }, QUIET(30), BUSY(1));
	assert_activity(&progress, BEGIN + 30640 * MS, BEGIN + 62640 * MS);
	progress = AFTER(QUIET(3), { SECOND, 1, 20 * MS, 0 }, QUIET(30), BUSY(1), QUIET(3));
	assert_activity(&progress, BEGIN + 3 * SECOND, BEGIN + 35 * SECOND);
	progress = AFTER(BUSY(1), QUIET(30), { SECOND, 1, 20 * MS, 0 }, QUIET(30));
	assert_activity(&progress, BEGIN, BEGIN + 32 * SECOND);
	progress = AFTER({ 300 * MS, 1, 3 * MS + 1, 0 });
	assert_activity(&progress, BEGIN, BEGIN + 300 * MS);
	progress = AFTER({ SECOND, 9, 0, 5000 });
	assert_activity(&progress, BEGIN, BEGIN + 9 * SECOND);
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
	for (uint32_t i = 0; i < 1000; i++)
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
		cmocka_unit_test(what_a_script_takes_to_start_and_to_end_is_no_activity),
		cmocka_unit_test(what_a_script_takes_to_end_is_its_end_whenever_that_is_noticed),
		cmocka_unit_test(a_sample_that_comes_late_makes_a_start_or_an_end_no_longer),
		cmocka_unit_test(what_is_more_than_a_start_or_an_end_is_activity),
		cmocka_unit_test(a_short_burst_in_the_middle_is_activity),
		cmocka_unit_test(a_stall_is_as_long_as_stint_conf_says),
		cmocka_unit_test(the_longest_32_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
