/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the next stintd finds the open jobs, and that damaged files are removed and reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/journal/journal.h"
#include "common/file.h"
#include "common/frame.h"
#include "common/pack.h"
#include "tests/unit/collector/journal_fixture.h"

static void take(const struct journal_message *kept, void *data)
{
	(void)data;
	seen_steps[seen_count++] = kept->message.step_id;
}

static void kept_messages_come_back_in_the_order_of_their_sending(void **state)
{
	(void)state;
	keep_step(1, 2, 300);
	keep_step(1, 0, 100);
	keep_step(1, 1, 200);
	journal_read(run_fd, take, bad, NULL);
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
	keep_step(11, 7, 300); /* the number begins with step 1's */
	journal_forget(run_fd, 1, "n1", UINT64_MAX);
	journal_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 7);
}

static void forgetting_an_attempt_leaves_the_next_one(void **state)
{
	(void)state;
	keep_step(1, 0, 100);
	keep_step(1, 5, 200);
	keep_step(1, 0, 201); /* the same step of the next attempt */
	journal_forget(run_fd, 1, "n1", 200);
	journal_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 0);
}

#define IN_FRAME 8 /* the version and the layout come before the packed message */

/* @length: of the frame's content, unpacked */
static char *make_kept(const void *content, size_t length, size_t *size)
{
	char *in_frame = calloc(1, IN_FRAME + pack_room(length)), *frame;
	size_t packed;

	memcpy(in_frame, content, IN_FRAME);
	packed = IN_FRAME + pack((const char *)content + IN_FRAME, length - IN_FRAME, in_frame + IN_FRAME);
	frame = frame_make(FRAME_KEPT, in_frame, packed, size);
	free(in_frame);
	return frame;
}

static void write_kept(const char *name, const void *content, size_t length)
{
	size_t size;
	char *frame = make_kept(content, length, &size);

	write_file(name, frame, size);
	free(frame);
}

static struct kept {
	uint32_t head[IN_FRAME / 4];
	struct journal_message kept;
} content;

static void read_content(void)
{
	char *frame = NULL;
	size_t size, length;
	const char *data;
	char name[JOURNAL_NAME_MAX + 8];

	keep_step(1, 3, 77);
	snprintf(name, sizeof(name), "jobs/1.n1.3.%u.0.77", CONTROL_OPEN);
	frame = file_read(run_fd, name, 1 << 20, &size, NULL);
	assert_non_null(frame);
	data = frame_content(frame, size, FRAME_KEPT, name, &length, NULL);
	assert_non_null(data);
	memcpy(&content, data, IN_FRAME);
	assert_int_equal(unpack(data + IN_FRAME, length - IN_FRAME, &content.kept, sizeof(content.kept)),
			 sizeof(content.kept));
	free(frame);
	journal_forget(run_fd, 1, "n1", UINT64_MAX);
}

static void is_thrown_away(const char *why)
{
	bad_count = 0;
	journal_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 0);
	assert_int_equal(bad_count, 1);
	assert_non_null(strstr(bad_why, why));
	journal_read(run_fd, take, bad, NULL);
	assert_int_equal(bad_count, 1);
}

static void damaged_messages_are_thrown_away_and_told(void **state)
{
	char *frame;
	size_t size;

	(void)state;
	read_content();
	write_kept("jobs/short", &content, IN_FRAME + sizeof(content.kept.message) - 1);
	is_thrown_away("shorter");
	frame = frame_make(FRAME_KEPT, &content, 3, &size);
	write_file("jobs/shorter", frame, size);
	free(frame);
	is_thrown_away("shorter");
	write_file("jobs/empty", "", 0);
	is_thrown_away("not a message");
	write_file("jobs/old", &content.kept, sizeof(content.kept)); /* before there were frames */
	is_thrown_away("not a message");
	frame = make_kept(&content, sizeof(content), &size);
	write_file("jobs/cut", frame, size - 1);
	is_thrown_away("torn");
	for (size_t i = 0; i < size; i += i < 100 ? 1 : 1009) {
		frame[i] ^= 1 << i % 8;
		write_file("jobs/flipped", frame, size);
		is_thrown_away("");
		frame[i] ^= 1 << i % 8;
	}
	free(frame);
	memset(content.kept.message.open.work_dir, 'x',
	       sizeof(content.kept.message.open.work_dir)); /* a text that does not end */
	write_kept("jobs/endless", &content, sizeof(content));
	is_thrown_away("not a message");
	read_content();
	content.kept.message.version++;
	write_kept("jobs/newer", &content, sizeof(content));
	is_thrown_away("another version of stint wrote it");
}

static struct journal_message last;

static void take_last(const struct journal_message *kept, void *data)
{
	(void)data;
	last = *kept;
	seen_count++;
}

static void message_alone(const char *name)
{
	seen_count = bad_count = 0;
	memset(&last, 0xff, sizeof(last));
	journal_read(run_fd, take_last, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(bad_count, 0);
	assert_int_equal(last.message.step_id, 3);
	assert_int_equal(last.cgroup.job_id, 0);
	assert_int_equal(last.registered_ns, 0);
	assert_int_equal(unlinkat(run_fd, name, 0), 0);
}

static void of_what_another_version_kept_the_message_alone_is_taken(void **state)
{
	(void)state;
	read_content();
	content.kept.registered_ns = 5;
	content.kept.cgroup.job_id = 7;
	write_kept("jobs/same", &content, sizeof(content));
	journal_read(run_fd, take_last, bad, NULL);
	assert_int_equal(last.registered_ns, 5);
	assert_int_equal(unlinkat(run_fd, "jobs/same", 0), 0);
	write_kept("jobs/shorter", &content, sizeof(content) - 8);
	message_alone("jobs/shorter");
	for (int i = 0; i < 2; i++) {
		content.head[i]++;
		write_kept("jobs/other", &content, sizeof(content));
		message_alone("jobs/other");
		content.head[i]--;
	}
}

static void the_name_tells_whose_begin_it_was(void **state)
{
	(void)state;
	assert_true(journal_is_open_of("12.n1.3.1.0.77", 12, "n1"));
	assert_true(journal_is_open_of("12.a.b.4294967291.1.0.77", 12, "a.b"));
	assert_true(journal_is_open_of("12.a_b.3.1.0.77", 12, "a/b"));
	assert_false(journal_is_open_of("12.n1.3.2.0.77", 12, "n1"));
	assert_false(journal_is_open_of("12.n1.3.1.0.77", 1, "n1"));
	assert_false(journal_is_open_of("12.n1.3.1.0.77", 12, "n"));
	assert_false(journal_is_open_of("", 12, "n1"));
	assert_false(journal_is_open_of("12.n1.", 12, "n1"));
}

static void what_another_boot_left_is_gone_and_what_this_one_did_stays(void **state)
{
	(void)state;
	keep_step(1, 0, 100);
	assert_int_equal(journal_prepare(run_fd, NULL), 0);
	journal_read(run_fd, take, bad, NULL);
	assert_int_equal(seen_count, 1);
	write_file("boot_id", "00000000-0000-0000-0000-000000000000\n", 37);
	write_file("notes/1.5.open.99", "x", 1);
	assert_int_equal(journal_prepare(run_fd, NULL), 0);
	journal_read(run_fd, take, bad, NULL);
	journal_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(bad_count, 0);
}

static void what_a_kill_left_half_written_is_gone(void **state)
{
	(void)state;
	write_file("jobs/.stint-0123456789abcdef.tmp", "x", 1);
	write_file(".stint-0123456789abcdef.tmp", "x", 1);
	assert_int_equal(journal_prepare(run_fd, NULL), 0);
	assert_int_equal(faccessat(run_fd, "jobs/.stint-0123456789abcdef.tmp", F_OK, 0), -1);
	assert_int_equal(faccessat(run_fd, ".stint-0123456789abcdef.tmp", F_OK, 0), -1);
	assert_int_equal(faccessat(run_fd, "boot_id", F_OK, 0), 0);
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
	m = good;
	memset(m.open.node_list, 'n', sizeof(m.open.node_list));
	assert_false(control_message_valid(&m, sizeof(m)));
	m.kind = CONTROL_TASK; /* a task has no texts of its own */
	assert_true(control_message_valid(&m, sizeof(m)));
	memset(&m.job_close, 0, sizeof(m.job_close));
	m.kind = CONTROL_JOB_CLOSE;
	assert_true(control_message_valid(&m, sizeof(m)));
	memset(m.job_close.user, 'u', sizeof(m.job_close.user));
	assert_false(control_message_valid(&m, sizeof(m)));
}

static void what_is_kept_is_bounded_and_one_job_leaves_others_room(void **state)
{
	struct journal_message kept = { .message = open_of(2, 0, 1) };
	struct error err;
	uint32_t kept_steps = 0;
	char name[64];

	(void)state;
	for (uint32_t i = 0; i < JOURNAL_FILES_MAX / 2; i++) {
		snprintf(name, sizeof(name), "jobs/1.n1.%u.1.0.1", i);
		write_file(name, "x", 1);
	}
	for (; kept_steps < 1000; kept_steps++) {
		kept.message.step_id = kept_steps;
		if (journal_write(run_fd, &kept, &err) < 0)
			break;
	}
	assert_int_equal(kept_steps, JOURNAL_FILES_FEW);
	assert_int_equal(errno, EDQUOT);
	kept.message.job_id = 3;
	assert_int_equal(journal_write(run_fd, &kept, &err), 0);
	for (uint32_t i = 0; i < JOURNAL_FILES_MAX / 2; i++) {
		snprintf(name, sizeof(name), "jobs/9.n1.%u.1.0.1", i);
		write_file(name, "x", 1);
	}
	kept.message.job_id = 4;
	assert_int_equal(journal_write(run_fd, &kept, &err), -1);
	kept.message.kind = CONTROL_JOB_CLOSE;
	assert_int_equal(journal_write(run_fd, &kept, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kept_messages_come_back_in_the_order_of_their_sending),
		TEST(forgetting_a_job_leaves_the_others),
		TEST(forgetting_an_attempt_leaves_the_next_one),
		TEST(damaged_messages_are_thrown_away_and_told),
		TEST(of_what_another_version_kept_the_message_alone_is_taken),
		TEST(the_name_tells_whose_begin_it_was),
		TEST(what_another_boot_left_is_gone_and_what_this_one_did_stays),
		TEST(what_a_kill_left_half_written_is_gone),
		TEST(a_message_is_believed_only_when_whole),
		TEST(what_is_kept_is_bounded_and_one_job_leaves_others_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
