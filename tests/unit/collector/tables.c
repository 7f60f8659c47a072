/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the numbers for the kernel programs with the record's names, and which job has which slot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/syscall.h>

#include "collector/job/use.h"
#include "collector/kernel/map_shares.h"
#include "collector/kernel/slots.h"
#include "collector/kernel/syscalls.h"

static void the_names_are_those_of_the_node_record(void **state)
{
	char text[32];

	(void)state;
	assert_string_equal(use_name(USE_CPU), "cpu_ns");
	assert_string_equal(use_name(USE_SLEEP), "sleep_ns");
	assert_string_equal(use_name(USE_INVOLUNTARY_SWITCHES), "involuntary_switches");
	assert_int_equal(ABI_USES_SENT, 21);
	for (int i = 0; i < USES; i++)
		for (int j = 0; j < i; j++)
			assert_string_not_equal(use_name(i), use_name(j));
	assert_string_equal(use_wait_name(WAIT_MEMORY_STALL, text), "memory_stall");
	assert_string_equal(use_wait_name(WAIT_FAULT_IO, text), "fault_io");
	assert_string_equal(use_wait_name(WAIT_FILE_IO, text), "file_io");
	assert_string_equal(use_wait_name(WAIT_GPU, text), "gpu");
	assert_string_equal(use_wait_name(WAIT_NETWORK, text), "network");
	assert_string_equal(use_wait_name(WAIT_LOCK, text), "lock");
	assert_string_equal(use_wait_name(WAIT_PIPE, text), "pipe");
	assert_string_equal(use_wait_name(WAIT_OTHER, text), "other");
	assert_string_equal(use_wait_name(WAIT_EVENT, text), "event");
	assert_string_equal(use_wait_name(WAIT_CHILD, text), "child");
	assert_string_equal(use_wait_name(WAIT_SLEEP, text), "sleep");
}

static void a_sum_is_told_as_it_is_and_never_below_nothing(void **state)
{
	__u64 use[USES] = { [USE_CPU] = 7, [USE_WRITE_BYTES] = (__u64)-4096, [USE_USER] = 1ull << 62 };
	struct json_object *object = json_object_new_object(), *value;
	bool uncounted[USES] = { false };

	(void)state;
	use_add(object, use, ABI_USES_SENT, uncounted);
	assert_int_equal(json_object_object_length(object), 2);
	assert_true(json_object_object_get_ex(object, "cpu_ns", &value) && json_object_get_int64(value) == 7);
	assert_true(json_object_object_get_ex(object, "rest", &value) && json_object_get_int64(value) == ABI_USES_SENT);
	json_object_put(object);
	object = json_object_new_object();
	use_add(object, use, USES, uncounted);
	assert_int_equal(json_object_object_length(object), 3);
	assert_true(json_object_object_get_ex(object, "user_ns", &value) && json_object_get_int64(value) == 1ll << 62);
	json_object_put(object);
}

static void a_sum_that_nothing_counts_is_not_told_as_zero(void **state)
{
	struct json_object *object = json_object_new_object(), *value;
	__u64 use[USES] = { 0 };
	bool uncounted[USES] = { false };

	(void)state;
	use_mark_uncounted("used.socket_tx_bytes", uncounted);
	use_mark_uncounted("files", uncounted);
	use_add(object, use, USES, uncounted);
	assert_true(json_object_object_get_ex(object, "socket_tx_bytes", &value) && !value);
	assert_true(json_object_object_get_ex(object, "tcp_tx_ops", &value) && !value);
	assert_true(json_object_object_get_ex(object, "unix_tx_bytes", &value) && !value);
	assert_false(json_object_object_get_ex(object, "socket_rx_bytes", NULL));
	assert_int_equal(json_object_object_length(object), 7 + 1);
	json_object_put(object);
}

static void a_system_call_tells_what_is_waited_for(void **state)
{
	static const struct {
		int number;
		enum syscall_kind kind;
		enum syscall_bytes bytes;
	} expected[] = {
		{ SYS_read, SYSCALL_FD, SYSCALL_BYTES_READ },
		{ SYS_preadv2, SYSCALL_FD, SYSCALL_BYTES_READ },
		{ SYS_write, SYSCALL_FD, SYSCALL_BYTES_WRITE },
		{ SYS_pwrite64, SYSCALL_FD, SYSCALL_BYTES_WRITE },
		{ SYS_sendfile, SYSCALL_FD, SYSCALL_BYTES_COPY_OUT_IN },
		{ SYS_copy_file_range, SYSCALL_FD, SYSCALL_BYTES_COPY_IN_OUT },
		{ SYS_splice, SYSCALL_SPLICE, SYSCALL_BYTES_COPY_IN_OUT },
		{ SYS_fsync, SYSCALL_SYNC_FD, SYSCALL_BYTES_NONE },
		{ SYS_fdatasync, SYSCALL_SYNC_FD, SYSCALL_BYTES_NONE },
		{ SYS_msync, SYSCALL_SYNC, SYSCALL_BYTES_NONE },
		{ SYS_ioctl, SYSCALL_FD, SYSCALL_BYTES_NONE },
		{ SYS_openat, SYSCALL_OPEN, SYSCALL_BYTES_OPEN },
		{ SYS_openat2, SYSCALL_OPEN, SYSCALL_BYTES_OPEN },
		{ SYS_recvfrom, SYSCALL_SOCKET, SYSCALL_BYTES_NONE },
		{ SYS_accept4, SYSCALL_SOCKET, SYSCALL_BYTES_NONE },
		{ SYS_newfstatat, SYSCALL_PATH, SYSCALL_BYTES_NONE },
		{ SYS_close, SYSCALL_PATH, SYSCALL_BYTES_NONE },
		{ SYS_exit_group, SYSCALL_EXIT, SYSCALL_BYTES_NONE },
		{ SYS_io_getevents, SYSCALL_AIO, SYSCALL_BYTES_NONE },
		{ SYS_io_uring_enter, SYSCALL_URING, SYSCALL_BYTES_NONE },
		{ SYS_futex, SYSCALL_FUTEX, SYSCALL_BYTES_NONE },
		{ SYS_semop, SYSCALL_CONDITION, SYSCALL_BYTES_NONE },
		{ SYS_fcntl, SYSCALL_LOCK, SYSCALL_BYTES_NONE },
		{ SYS_mmap, SYSCALL_MEMORY, SYSCALL_BYTES_NONE },
		{ SYS_wait4, SYSCALL_CHILD, SYSCALL_BYTES_NONE },
		{ SYS_ppoll, SYSCALL_POLL, SYSCALL_BYTES_NONE },
		{ SYS_pselect6, SYSCALL_SELECT, SYSCALL_BYTES_NONE },
		{ SYS_epoll_pwait, SYSCALL_EVENT, SYSCALL_BYTES_NONE },
		{ SYS_clock_nanosleep, SYSCALL_SLEEP, SYSCALL_BYTES_NONE },
		{ SYS_msgrcv, SYSCALL_PIPE, SYSCALL_BYTES_NONE },
		{ SYS_getpid, SYSCALL_OTHER, SYSCALL_BYTES_NONE },
		{ 452, SYSCALL_PATH, SYSCALL_BYTES_NONE }, /* fchmodat2, on every architecture */
		{ 455, SYSCALL_CONDITION, SYSCALL_BYTES_NONE }, /* futex_wait */
	};
	struct syscalls table;

	(void)state;
	memset(&table, 0xff, sizeof(table));
	syscalls_fill(&table);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_int_equal(table.kind[expected[i].number], expected[i].kind);
		assert_int_equal(table.bytes[expected[i].number], expected[i].bytes);
	}
	assert_int_equal(table.kind[ABI_SYSCALLS - 1], SYSCALL_OTHER);
	/* bytes by file are counted only for calls classified by their first argument, and for open */
	for (int i = 0; i < ABI_SYSCALLS; i++)
		if (table.bytes[i] && table.kind[i] != SYSCALL_SPLICE)
			assert_int_equal(table.kind[i],
					 table.bytes[i] == SYSCALL_BYTES_OPEN ? SYSCALL_OPEN : SYSCALL_FD);
}

static void each_job_has_a_slot_of_its_own_until_there_is_none(void **state)
{
	static struct slots slots;

	(void)state;
	for (unsigned int i = 1; i < ABI_SLOTS; i++)
		assert_int_equal(slots_take(&slots, 1000 + i), i);
	assert_int_equal(slots_take(&slots, 5000), 0);
	assert_int_equal(slots_give(&slots, 5000), 0);
	assert_int_equal(slots_give(&slots, 1007), 7);
	assert_int_equal(slots_give(&slots, 1007), 0);
	assert_int_equal(slots_take(&slots, 5000), 7);
	assert_int_equal(slots_take(&slots, 5001), 0);
}

static void a_slot_rests_before_it_is_given_again(void **state)
{
	static struct slots slots;

	(void)state;
	assert_int_equal(slots_take(&slots, 10), 1);
	assert_int_equal(slots_give(&slots, 10), 1);
	assert_int_equal(slots_take(&slots, 11), 2);
}

static void slots_of_an_earlier_stintd_stay_taken(void **state)
{
	static struct slots slots;

	(void)state;
	slots_keep(&slots, 0, 9);
	slots_keep(&slots, 2, 10);
	slots_keep(&slots, ABI_SLOTS, 11);
	assert_int_equal(slots_take(&slots, 12), 1);
	assert_int_equal(slots_take(&slots, 13), 3);
	assert_int_equal(slots_give(&slots, 9), 0);
	assert_int_equal(slots_give(&slots, 10), 2);
}

static void there_can_be_fewer_slots(void **state)
{
	static struct slots slots = { .room = 3 };

	(void)state;
	assert_int_equal(slots_take(&slots, 10), 1);
	assert_int_equal(slots_take(&slots, 11), 2);
	assert_int_equal(slots_take(&slots, 12), 0);
	assert_int_equal(slots_give(&slots, 10), 1);
	assert_int_equal(slots_take(&slots, 12), 1);
}

#define ENTRIES 16384
#define MOST 1024

static void a_job_alone_may_have_all_that_one_may(void **state)
{
	(void)state;
	assert_int_equal(shares_of(ENTRIES, 0, 0, MOST), MOST);
	for (size_t jobs = 1; jobs <= 12; jobs++)
		assert_int_equal(shares_of(ENTRIES, 0, jobs, MOST), MOST);
	assert_int_equal(shares_of(ENTRIES, 0, 128, MOST), 96);
	assert_int_equal(shares_of(ENTRIES, ENTRIES, 128, MOST), SHARE_FEW);
	assert_int_equal(shares_of(ENTRIES, 2 * ENTRIES, 1, MOST), SHARE_FEW);
	assert_int_equal(shares_of(6, 0, 1, MOST), SHARE_FEW);
	assert_int_equal(shares_of(ENTRIES, 0, 100000, 8), 8);
}

static void jobs_that_take_all_they_may_leave_room(void **state)
{
	size_t used = 0;

	(void)state;
	for (size_t jobs = 1; jobs <= 64; jobs++)
		used += shares_of(ENTRIES, used, jobs, MOST);
	assert_true(ENTRIES - used >= 1024);
	assert_true(shares_of(ENTRIES, used, 65, MOST) >= SHARE_FEW);
	for (size_t before = 0; before <= ENTRIES; before += 512)
		for (size_t jobs = 1; jobs <= 128; jobs++) {
			size_t share = shares_of(ENTRIES, before, jobs, MOST);

			assert_true(share == SHARE_FEW || jobs * share <= 3 * (ENTRIES - before) / 4);
		}
}

/* Processes' entries are freed, so the share is computed again while all users take what they may. */
static void users_who_take_all_they_may_leave_room(void **state)
{
	(void)state;
	for (size_t users = 1; users <= 32; users++) {
		size_t taken[33] = { 0 }, used = 0, share;

		for (size_t user = 0; user <= users; user++) {
			/* one more user begins, and all others take what they then may */
			share = shares_of(4 * ENTRIES, used, user ? user : 1, 4 * ENTRIES);
			for (size_t other = 0; other < user; other++) {
				used += taken[other] < share ? share - taken[other] : 0;
				taken[other] = taken[other] < share ? share : taken[other];
			}
		}
		assert_true(used < 4 * ENTRIES);
		share = shares_of(4 * ENTRIES, used, users + 1, 4 * ENTRIES);
		assert_true(share >= SHARE_FEW && used + share <= 4 * ENTRIES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_alone_may_have_all_that_one_may),
		cmocka_unit_test(jobs_that_take_all_they_may_leave_room),
		cmocka_unit_test(users_who_take_all_they_may_leave_room),
		cmocka_unit_test(the_names_are_those_of_the_node_record),
		cmocka_unit_test(a_sum_is_told_as_it_is_and_never_below_nothing),
		cmocka_unit_test(a_sum_that_nothing_counts_is_not_told_as_zero),
		cmocka_unit_test(a_system_call_tells_what_is_waited_for),
		cmocka_unit_test(each_job_has_a_slot_of_its_own_until_there_is_none),
		cmocka_unit_test(a_slot_rests_before_it_is_given_again),
		cmocka_unit_test(slots_of_an_earlier_stintd_stay_taken),
		cmocka_unit_test(there_can_be_fewer_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
