/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that the next stintd finds the tasks of each step, and its end.
 * A kill or damage takes only that task. The tasks take little room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/journal/journal.h"
#include "collector/journal/journal_file.h"
#include "tests/unit/collector/journal_fixture.h"
#include "tests/unit/within.h"

#define SEEN_TASKS_MAX 16384

static uint32_t seen_ranks[SEEN_TASKS_MAX];
static int32_t seen_pids[SEEN_TASKS_MAX];
static unsigned int seen_tasks;
static int32_t seen_status;
static uint32_t seen_mode;

static void take_tasks(const struct journal_message *kept, void *data)
{
	const struct control_message *message = &kept->message;

	(void)data;
	assert_true(control_message_valid(message, sizeof(*message)));
	assert_string_equal(message->node, "n1");
	seen_count++;
	if (message->kind == CONTROL_TASK) {
		assert_true(seen_tasks < SEEN_TASKS_MAX);
		seen_ranks[seen_tasks] = message->task.rank;
		seen_pids[seen_tasks++] = message->task.pid;
	}
	if (message->kind == CONTROL_STEP_CLOSE) {
		seen_status = message->step_close.exit_status;
		seen_mode = message->mode;
	}
}

static void read_tasks(void)
{
	seen_count = bad_count = 0;
	seen_tasks = 0;
	seen_status = -1;
	journal_read(run_fd, take_tasks, bad, NULL);
	assert_int_equal(bad_count, 0);
}

static int append(uint32_t job, uint32_t step, uint64_t begin_ns, enum control_kind kind, int32_t value)
{
	struct control_message message = open_of(job, step, begin_ns + 1);

	message.kind = kind;
	if (kind == CONTROL_TASK)
		message.task = (struct control_task){ 0, 1000 + value, value };
	else
		message.step_close.exit_status = value;
	return journal_append(run_fd, &message, begin_ns, NULL);
}

static void a_steps_tasks_and_its_end_come_back_behind_its_begin(void **state)
{
	(void)state;
	keep_step(1, 0, 100);
	keep_step(1, 1, 200);
	for (int i = 1; i < 4; i++)
		assert_int_equal(append(1, 0, 100, CONTROL_TASK, i), 0);
	assert_int_equal(append(1, 0, 100, CONTROL_STEP_CLOSE, 9), 0);
	read_tasks();
	assert_int_equal(seen_count, 6);
	assert_int_equal(seen_tasks, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(seen_ranks[i], i + 1);
		assert_int_equal(seen_pids[i], 1001 + i);
	}
	assert_int_equal(seen_status, 9);
	keep_step(1, 0, 100); /* the begin is saved again with more in it: the tasks stay */
	read_tasks();
	assert_int_equal(seen_tasks, 3);
	assert_int_equal(append(1, 7, 100, CONTROL_TASK, 1), -1);
	assert_int_equal(errno, ENOENT);
	journal_forget(run_fd, 1, "n1", 150);
	read_tasks();
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_tasks, 0);
}

/* An extern step says at its end that stint was turned off meanwhile. */
static void a_steps_end_comes_back_with_its_mode(void **state)
{
	struct control_message message = open_of(1, STEP_EXTERN, 101);

	(void)state;
	keep_step(1, STEP_EXTERN, 100);
	message.kind = CONTROL_STEP_CLOSE;
	message.mode = CONTROL_MODE_OFF;
	assert_int_equal(journal_append(run_fd, &message, 100, NULL), 0);
	read_tasks();
	assert_int_equal(seen_mode, CONTROL_MODE_OFF);
}

static off_t size_of(const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(run_fd, name, &st, 0), 0);
	return st.st_size;
}

static void a_kill_at_any_byte_of_a_task_loses_that_task_alone(void **state)
{
	static const char name[] = "jobs/1.n1.0.1.0.100";
	char path[128];
	off_t begin, whole;

	(void)state;
	snprintf(path, sizeof(path), "%s/%s", run_dir, name);
	keep_step(1, 0, 100);
	begin = size_of(name);
	assert_int_equal(append(1, 0, 100, CONTROL_TASK, 1), 0);
	assert_int_equal(append(1, 0, 100, CONTROL_TASK, 2), 0);
	whole = size_of(name);
	for (off_t size = whole; size >= begin; size--) {
		unsigned int left = (unsigned int)((size - begin) / (off_t)sizeof(struct journal_entry));

		assert_int_equal(truncate(path, size), 0);
		read_tasks();
		assert_int_equal(seen_tasks, left);
		assert_int_equal(append(1, 0, 100, CONTROL_TASK, 7), 0);
		read_tasks();
		assert_int_equal(seen_tasks, left + 1);
		assert_int_equal(seen_ranks[left], 7);
	}
}

static void a_turned_bit_in_a_task_is_damage(void **state)
{
	static const char name[] = "jobs/1.n1.0.1.0.100";
	struct journal_entry entry, turned;
	off_t begin;
	int fd;

	(void)state;
	keep_step(1, 0, 100);
	begin = size_of(name);
	for (size_t bit = 0; bit < 8 * sizeof(entry); bit++) {
		assert_int_equal(append(1, 0, 100, CONTROL_TASK, 1), 0);
		fd = openat(run_fd, name, O_RDWR);
		assert_int_equal(pread(fd, &entry, sizeof(entry), begin), sizeof(entry));
		turned = entry;
		((unsigned char *)&turned)[bit / 8] ^= 1 << bit % 8;
		assert_int_equal(pwrite(fd, &turned, sizeof(turned), begin), sizeof(turned));
		close(fd);
		read_tasks();
		assert_int_equal(seen_tasks, 0);
		assert_int_equal(size_of(name), begin);
	}
}

/* Space of the files below run_dir: at least a page each, as in a tmpfs. */
static long tree_bytes(void)
{
	char command[256];
	long bytes = -1;
	FILE *out;

	snprintf(
		command, sizeof(command),
		"find %s/jobs -type f -printf '%%s\\n' | awk '{ n += int(($1 + 4095) / 4096) * 4096 } END { print n + 0 }'",
		run_dir);
	out = popen(command, "r");
	assert_non_null(out);
	assert_int_equal(fscanf(out, "%ld", &bytes), 1);
	pclose(out);
	return bytes;
}

static void ten_thousand_tasks_take_a_quarter_of_a_megabyte(void **state)
{
	(void)state;
	for (uint32_t step = 0; step < 4; step++) {
		keep_step(1, step, 100 + step);
		for (int i = 0; i < 2500; i++)
			assert_int_equal(append(1, step, 100 + step, CONTROL_TASK, i), 0);
	}
	assert_within(tree_bytes(), 10000 * sizeof(struct journal_entry), 256 << 10);
	read_tasks();
	assert_int_equal(seen_count, 4 + 10000);
}

static void a_full_step_is_read_back(void **state)
{
	(void)state;
	keep_step(1, 0, 100);
	for (int i = 0; i < JOB_TASKS_MAX; i++)
		assert_int_equal(append(1, 0, 100, CONTROL_TASK, i), 0);
	assert_int_equal(append(1, 0, 100, CONTROL_STEP_CLOSE, 3), 0);
	read_tasks();
	assert_int_equal(seen_tasks, JOB_TASKS_MAX);
	assert_int_equal(seen_status, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_steps_tasks_and_its_end_come_back_behind_its_begin),
		TEST(a_steps_end_comes_back_with_its_mode),
		TEST(a_kill_at_any_byte_of_a_task_loses_that_task_alone),
		TEST(a_turned_bit_in_a_task_is_damage),
		TEST(ten_thousand_tasks_take_a_quarter_of_a_megabyte),
		TEST(a_full_step_is_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
