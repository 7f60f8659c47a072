/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that the next stintd knows the last closed jobs. A damaged list, or one of an unknown version, is not read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/journal/journal.h"
#include "common/file.h"
#include "common/frame.h"
#include "tests/unit/collector/journal_fixture.h"

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
	assert_int_equal(journal_write_closed(run_fd, &before, NULL), 0);
	assert_int_equal(journal_read_closed(run_fd, &after, NULL), 0);
	assert_true(jobs__was_closed(&after, &message));
	message.sent_ns++; /* the same number again, later */
	assert_false(jobs__was_closed(&after, &message));
	message.job_id = 102; /* too long ago */
	message.sent_ns = 1002;
	assert_false(jobs__was_closed(&after, &message));
	message.job_id = 103;
	message.sent_ns = 1003;
	assert_true(jobs__was_closed(&after, &message));
	message.job_id = 1;
	message.sent_ns = 5000;
	jobs__note_closed(&after, &message);
	message.job_id = 103;
	message.sent_ns = 1003;
	assert_false(jobs__was_closed(&after, &message));
}

static off_t size_of_closed(void)
{
	struct stat st;

	return fstatat(run_fd, "closed", &st, 0) == 0 ? st.st_size : -1;
}

/* The list is written at the end of each job. */
static void a_list_of_closed_jobs_takes_no_room_for_what_is_not_in_it(void **state)
{
	static struct jobs before, after;
	struct control_message message = open_of(12, 0, 1000);

	(void)state;
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	memset(message.node, 'n', sizeof(message.node) - 1);
	message.node[sizeof(message.node) - 1] = '\0';
	jobs__note_closed(&before, &message);
	assert_int_equal(journal_write_closed(run_fd, &before, NULL), 0);
	assert_true(size_of_closed() < 512);
	assert_int_equal(journal_read_closed(run_fd, &after, NULL), 0);
	assert_true(jobs__was_closed(&after, &message));
	strcpy(message.node, "node1");
	for (int i = 0; i < JOBS_CLOSED_MAX; i++)
		jobs__note_closed(&before, &message);
	assert_int_equal(journal_write_closed(run_fd, &before, NULL), 0);
	assert_true(size_of_closed() < JOBS_CLOSED_MAX * 32);
}

static void a_list_of_closed_jobs_of_an_earlier_version_is_read_and_a_wrong_one_is_not(void **state)
{
	static struct jobs before, after;
	struct control_message message = open_of(12, 0, 1000);
	struct error err;
	size_t size;
	char *frame;

	(void)state;
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	jobs__note_closed(&before, &message);
	frame = frame_make(FRAME_CLOSED, before.closed, sizeof(before.closed), &size);
	assert_int_equal(file_write(run_fd, "closed", 0600, frame, size, NULL), 0);
	free(frame);
	assert_int_equal(journal_read_closed(run_fd, &after, NULL), 0);
	assert_true(jobs__was_closed(&after, &message));
	frame = frame_make(FRAME_CLOSED, "CLOSD2\0\0 a job without a name", 30, &size);
	assert_int_equal(file_write(run_fd, "closed", 0600, frame, size, NULL), 0);
	free(frame);
	memset(&after, 0, sizeof(after));
	assert_int_equal(journal_read_closed(run_fd, &after, &err), -1);
	assert_string_equal(err.text, "closed: another version of stint wrote it");
	assert_false(jobs__was_closed(&after, &message));
}

static void a_damaged_list_of_closed_jobs_is_not_read(void **state)
{
	static struct jobs before, after;
	struct control_message message = open_of(12, 0, 1000);
	struct error err;

	(void)state;
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	jobs__note_closed(&before, &message);
	assert_int_equal(journal_read_closed(run_fd, &after, NULL), 0);
	journal_write_closed(run_fd, &before, NULL);
	{
		int fd = openat(run_fd, "closed", O_WRONLY);

		assert_int_equal(pwrite(fd, "x", 1, 50), 1);
		close(fd);
	}
	assert_int_equal(journal_read_closed(run_fd, &after, &err), -1);
	assert_string_equal(err.text, "closed: damaged: its checksum is wrong");
	assert_false(jobs__was_closed(&after, &message));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_next_stintd_knows_what_was_closed),
		TEST(a_list_of_closed_jobs_takes_no_room_for_what_is_not_in_it),
		TEST(a_list_of_closed_jobs_of_an_earlier_version_is_read_and_a_wrong_one_is_not),
		TEST(a_damaged_list_of_closed_jobs_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
