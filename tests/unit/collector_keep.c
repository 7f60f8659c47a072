/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a stintd kept of the open jobs, the next one finds; damage is thrown away and told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/keep.h"

static char run_dir[64];
static int run_fd;
static int bad_count;
static int seen_count;
static uint32_t seen_steps[16];

static int set_up(void **state)
{
	(void)state;
	strcpy(run_dir, "/tmp/stint-keep-XXXXXX");
	if (!mkdtemp(run_dir))
		return -1;
	run_fd = open(run_dir, O_RDONLY | O_DIRECTORY);
	bad_count = seen_count = 0;
	return keep_prepare(run_fd, NULL);
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	close(run_fd);
	snprintf(command, sizeof(command), "rm -r %s", run_dir);
	return system(command);
}

static void bad(const char *name, void *data)
{
	(void)name;
	(void)data;
	bad_count++;
}

static void take(const struct kept_message *kept, void *data)
{
	(void)data;
	seen_steps[seen_count++] = kept->message.step_id;
}

static void take_note(const struct control_message *message, void *data)
{
	(void)data;
	seen_steps[seen_count++] = message->step_id;
}

static struct control_message open_of(uint32_t job, uint32_t step, uint64_t sent_ns)
{
	struct control_message message = {
		.magic = CONTROL_MAGIC,
		.version = CONTROL_VERSION,
		.kind = CONTROL_OPEN,
		.size = sizeof(message),
		.sent_ns = sent_ns,
		.job_id = job,
		.step_id = step,
		.node = "n1",
	};

	return message;
}

static void keep_step(uint32_t job, uint32_t step, uint64_t sent_ns)
{
	struct kept_message kept = { .message = open_of(job, step, sent_ns) };

	assert_int_equal(keep_write(run_fd, &kept, NULL), 0);
}

static void kept_messages_come_back_in_the_order_of_their_sending(void **state)
{
	(void)state;
	keep_step(1, 2, 300);
	keep_step(1, 0, 100);
	keep_step(1, 1, 200);
	keep_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(seen_steps[i], i);
	assert_int_equal(bad_count, 0);
}

static void forgetting_a_job_leaves_the_others(void **state)
{
	(void)state;
	keep_step(1, 0, 100);
	keep_step(1, 1, 200);
	keep_step(11, 7, 300); /* its number begins with the other's */
	keep_forget(run_fd, 1, "n1", UINT64_MAX);
	keep_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 7);
}

static void forgetting_an_attempt_leaves_the_next_one(void **state)
{
	(void)state;
	keep_step(1, 0, 100);
	keep_step(1, 5, 200);
	keep_step(1, 0, 201); /* the same step of the next attempt */
	keep_forget(run_fd, 1, "n1", 200);
	keep_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 0);
}

static void write_file(const char *name, const void *data, size_t size)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", run_dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	fclose(file);
}

static void damaged_messages_are_thrown_away_and_told(void **state)
{
	struct kept_message kept = { .message = open_of(1, 0, 0) };

	(void)state;
	write_file("jobs/short", &kept, sizeof(kept.message) - 1);
	write_file("jobs/empty", "", 0);
	memset(kept.message.work_dir, 'x', sizeof(kept.message.work_dir)); /* a text that does not end */
	write_file("jobs/endless", &kept, sizeof(kept));
	kept.message = open_of(1, 0, 0);
	kept.message.version++;
	write_file("jobs/newer", &kept, sizeof(kept));
	keep_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 0);
	assert_int_equal(bad_count, 4);
	keep_read(run_fd, take, bad, NULL);
	assert_int_equal(bad_count, 4);
}

static struct kept_message last;

static void take_last(const struct kept_message *kept, void *data)
{
	(void)data;
	last = *kept;
	seen_count++;
}

static void of_what_another_version_kept_the_message_alone_is_taken(void **state)
{
	struct kept_message kept = { .message = open_of(1, 3, 0), .registered_ns = 5 };

	(void)state;
	kept.cgroup.job_id = 7;
	write_file("jobs/longer", &kept, sizeof(kept) - 8);
	keep_read(run_fd, take_last, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(bad_count, 0);
	assert_int_equal(last.message.step_id, 3);
	assert_int_equal(last.cgroup.job_id, 0);
	assert_int_equal(last.registered_ns, 0);
}

static void a_note_of_another_length_is_damaged(void **state)
{
	struct kept_message kept = { .message = open_of(1, 5, 0) };

	(void)state;
	write_file("notes/1.5.open.99", &kept, sizeof(kept.message) + 1);
	keep_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 0);
	assert_int_equal(bad_count, 1);
}

static void the_next_stintd_knows_what_was_closed(void **state)
{
	static struct jobs before, after;
	struct control_message message = open_of(12, 0, 0);

	(void)state;
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	for (int i = 0; i < JOBS_CLOSED_MAX + 3; i++) {
		message.job_id = 100 + i;
		message.sent_ns = 1000 + i;
		jobs__note_closed(&before, &message);
	}
	assert_int_equal(keep_write_closed(run_fd, &before, NULL), 0);
	keep_read_closed(run_fd, &after);
	assert_true(jobs__was_closed(&after, &message));
	message.sent_ns++; /* the same number again, later */
	assert_false(jobs__was_closed(&after, &message));
	message.job_id = 102; /* too long ago */
	message.sent_ns = 1002;
	assert_false(jobs__was_closed(&after, &message));
	message.job_id = 103;
	message.sent_ns = 1003;
	assert_true(jobs__was_closed(&after, &message));
	/* the oldest gives way to the next one */
	message.job_id = 1;
	message.sent_ns = 5000;
	jobs__note_closed(&after, &message);
	message.job_id = 103;
	message.sent_ns = 1003;
	assert_false(jobs__was_closed(&after, &message));
}

static void a_damaged_list_of_closed_jobs_is_not_read(void **state)
{
	static struct jobs before, after;
	struct control_message message = open_of(12, 0, 0);

	(void)state;
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	jobs__note_closed(&before, &message);
	keep_read_closed(run_fd, &after); /* there is none yet */
	keep_write_closed(run_fd, &before, NULL);
	{
		int fd = openat(run_fd, "closed", O_WRONLY);

		assert_int_equal(pwrite(fd, "x", 1, 100), 1);
		close(fd);
	}
	keep_read_closed(run_fd, &after);
	assert_false(jobs__was_closed(&after, &message));
}

static void what_another_boot_left_is_gone_and_what_this_one_did_stays(void **state)
{
	(void)state;
	keep_step(1, 0, 100);
	assert_int_equal(keep_prepare(run_fd, NULL), 0);
	keep_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 1);
	write_file("boot_id", "00000000-0000-0000-0000-000000000000\n", 37);
	write_file("notes/1.5.open.99", "x", 1);
	assert_int_equal(keep_prepare(run_fd, NULL), 0);
	keep_read(run_fd, take, bad, NULL);
	keep_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(bad_count, 0);
}

static void what_a_kill_left_half_written_is_gone(void **state)
{
	(void)state;
	write_file("jobs/.stint-0123456789abcdef.tmp", "x", 1);
	write_file(".stint-0123456789abcdef.tmp", "x", 1);
	assert_int_equal(keep_prepare(run_fd, NULL), 0);
	assert_int_equal(faccessat(run_fd, "jobs/.stint-0123456789abcdef.tmp", F_OK, 0), -1);
	assert_int_equal(faccessat(run_fd, ".stint-0123456789abcdef.tmp", F_OK, 0), -1);
	assert_int_equal(faccessat(run_fd, "boot_id", F_OK, 0), 0);
}

static void a_note_is_taken_once_and_half_written_ones_are_left(void **state)
{
	struct control_message message = open_of(1, 5, 0);

	(void)state;
	write_file("notes/1.5.open.99", &message, sizeof(message));
	write_file("notes/.1.6.open.99", &message, 10);
	keep_take_notes(run_fd, take_note, bad, NULL);
	keep_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 5);
	assert_int_equal(bad_count, 0);
}

static void a_message_is_believed_only_when_whole(void **state)
{
	struct control_message good = open_of(1, 0, 0), m;

	(void)state;
	assert_true(control_message_valid(&good, sizeof(good)));
	assert_false(control_message_valid(&good, sizeof(good) - 1));
	m = good;
	m.magic++;
	assert_false(control_message_valid(&m, sizeof(m)));
	m = good;
	m.kind = CONTROL_HELLO + 1;
	assert_false(control_message_valid(&m, sizeof(m)));
	m = good;
	m.mode = CONTROL_MODE_TIMELINE + 1;
	assert_false(control_message_valid(&m, sizeof(m)));
	m = good;
	m.node[0] = '\0';
	assert_false(control_message_valid(&m, sizeof(m)));
	m = good;
	memset(m.node, 'n', sizeof(m.node));
	assert_false(control_message_valid(&m, sizeof(m)));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kept_messages_come_back_in_the_order_of_their_sending),
		TEST(forgetting_a_job_leaves_the_others),
		TEST(forgetting_an_attempt_leaves_the_next_one),
		TEST(damaged_messages_are_thrown_away_and_told),
		TEST(of_what_another_version_kept_the_message_alone_is_taken),
		TEST(a_note_of_another_length_is_damaged),
		TEST(the_next_stintd_knows_what_was_closed),
		TEST(a_damaged_list_of_closed_jobs_is_not_read),
		TEST(what_another_boot_left_is_gone_and_what_this_one_did_stays),
		TEST(what_a_kill_left_half_written_is_gone),
		TEST(a_note_is_taken_once_and_half_written_ones_are_left),
		TEST(a_message_is_believed_only_when_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
