/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The next stintd finds what the one before kept of the open jobs; damaged files are removed and reported. */
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
#include <sys/stat.h>
#include <unistd.h>

#include "collector/journal/journal.h"
#include "collector/journal/journal_file.h"
#include "common/file.h"
#include "common/frame.h"
#include "common/pack.h"
#include "tests/unit/within.h"

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
	return journal_prepare(run_fd, NULL);
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	close(run_fd);
	snprintf(command, sizeof(command), "rm -r %s", run_dir);
	return system(command);
}

static char bad_why[256];

static void bad(const char *name, const char *why, void *data)
{
	(void)data;
	assert_memory_equal(why, name, strlen(name));
	snprintf(bad_why, sizeof(bad_why), "%s", why + strlen(name));
	bad_count++;
}

static void take(const struct journal_message *kept, void *data)
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
	struct journal_message kept = { .message = open_of(job, step, sent_ns) };

	assert_int_equal(journal_write(run_fd, &kept, NULL), 0);
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
	keep_step(11, 7, 300); /* its number begins with the other's */
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

#define IN_FRAME 8 /* the version and the layout stand before the message, which is packed since version 3 */

/* @length: of the frame's content, if it were not packed */
static char *make_kept(const void *content, size_t length, size_t *size)
{
	size_t head = length < IN_FRAME ? length : IN_FRAME, packed = length;
	char *in_frame = calloc(1, IN_FRAME + pack_room(length)), *frame;
	uint32_t version;

	memcpy(&version, content, sizeof(version));
	memcpy(in_frame, content, length);
	if (version >= 3)
		packed = head + pack((const char *)content + head, length - head, in_frame + head);
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

/* A kept message, as it is in its frame. */
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

/* One bad message: this text reports it, and then it is gone. */
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
	is_thrown_away("shorter");
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
	memset(content.kept.message.work_dir, 'x',
	       sizeof(content.kept.message.work_dir)); /* a text that does not end */
	write_kept("jobs/endless", &content, sizeof(content));
	is_thrown_away("no message");
	read_content();
	content.kept.message.version++;
	write_kept("jobs/newer", &content, sizeof(content));
	is_thrown_away("of another version");
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
	content.head[0] = 2; /* before it was packed */
	write_kept("jobs/before", &content, sizeof(content));
	message_alone("jobs/before");
	/* before there were frames */
	write_file("jobs/old", &content.kept, sizeof(content.kept));
	message_alone("jobs/old");
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

static void a_note_of_another_length_is_damaged(void **state)
{
	struct journal_message kept = { .message = open_of(1, 5, 0) };

	(void)state;
	write_file("notes/1.5.open.99", &kept, sizeof(kept.message) + 1);
	journal_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 0);
	assert_int_equal(bad_count, 1);
}

/* Leaves a note as the plugin does: up to the last byte that is not zero, and a checksum. */
static void a_note_without_its_zeros_is_whole(void **state)
{
	struct control_message message = open_of(1, 5, 0);
	char note[sizeof(message) + sizeof(uint32_t)];
	size_t length = offsetof(struct control_message, node) + 2;
	uint32_t checksum = control_note_checksum(&message, length);

	(void)state;
	memcpy(note, &message, length);
	memcpy(note + length, &checksum, sizeof(checksum));
	write_file("notes/1.5.open.99", note, length + sizeof(checksum));
	journal_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 5);
	for (size_t cut = 0; cut < length + sizeof(checksum); cut++) {
		write_file("notes/1.5.open.99", note, cut);
		journal_take_notes(run_fd, take_note, bad, NULL);
	}
	assert_int_equal(seen_count, 1);
	assert_int_equal(bad_count, length + sizeof(checksum));
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
	/* the oldest gives way to the next one */
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

/* It is written at the end of each job. */
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
	assert_string_equal(err.text, "closed: of another version of stint");
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
	assert_int_equal(journal_read_closed(run_fd, &after, NULL), 0); /* there is none yet */
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

static void a_note_is_taken_once_and_half_written_ones_are_left(void **state)
{
	struct control_message message = open_of(1, 5, 0);

	(void)state;
	write_file("notes/1.5.open.99", &message, sizeof(message));
	write_file("notes/.1.6.open.99", &message, 10);
	journal_take_notes(run_fd, take_note, bad, NULL);
	journal_take_notes(run_fd, take_note, bad, NULL);
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

/* ---- tasks, and bounds ---- */

#define SEEN_TASKS_MAX 16384

static uint32_t seen_ranks[SEEN_TASKS_MAX];
static int32_t seen_pids[SEEN_TASKS_MAX];
static unsigned int seen_tasks;
static int32_t seen_status;

static void take_tasks(const struct journal_message *kept, void *data)
{
	const struct control_message *message = &kept->message;

	(void)data;
	assert_true(control_message_valid(message, sizeof(*message)));
	assert_string_equal(message->node, "n1");
	seen_count++;
	if (message->kind == CONTROL_TASK) {
		assert_true(seen_tasks < SEEN_TASKS_MAX);
		seen_ranks[seen_tasks] = message->task_rank;
		seen_pids[seen_tasks++] = message->task_pid;
	}
	if (message->kind == CONTROL_STEP_CLOSE)
		seen_status = message->exit_status;
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
	message.task_rank = value;
	message.task_pid = 1000 + value;
	message.exit_status = value;
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
	keep_step(1, 0, 100); /* the begin is kept again, as the next stintd knows more: the tasks stay */
	read_tasks();
	assert_int_equal(seen_tasks, 3);
	assert_int_equal(append(1, 7, 100, CONTROL_TASK, 1), -1); /* for a step that is not in the journal */
	assert_int_equal(errno, ENOENT);
	journal_forget(run_fd, 1, "n1", 150);
	read_tasks();
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_tasks, 0);
}

static off_t size_of(const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(run_fd, name, &st, 0), 0);
	return st.st_size;
}

/* Wherever a kill cuts an append, the entries that were whole are there, and so is what comes next. */
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

/* A write that another's damage has reached: nothing behind it is believed. */
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

/* The space that the files below run_dir take, at least a page each as in a tmpfs. */
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

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_steps_tasks_and_its_end_come_back_behind_its_begin),
		TEST(a_note_without_its_zeros_is_whole),
		TEST(a_kill_at_any_byte_of_a_task_loses_that_task_alone),
		TEST(a_turned_bit_in_a_task_is_damage),
		TEST(ten_thousand_tasks_take_a_quarter_of_a_megabyte),
		TEST(a_full_step_is_read_back),
		TEST(what_is_kept_is_bounded_and_one_job_leaves_others_room),
		TEST(kept_messages_come_back_in_the_order_of_their_sending),
		TEST(forgetting_a_job_leaves_the_others),
		TEST(forgetting_an_attempt_leaves_the_next_one),
		TEST(damaged_messages_are_thrown_away_and_told),
		TEST(of_what_another_version_kept_the_message_alone_is_taken),
		TEST(the_name_tells_whose_begin_it_was),
		TEST(a_note_of_another_length_is_damaged),
		TEST(the_next_stintd_knows_what_was_closed),
		TEST(a_list_of_closed_jobs_takes_no_room_for_what_is_not_in_it),
		TEST(a_list_of_closed_jobs_of_an_earlier_version_is_read_and_a_wrong_one_is_not),
		TEST(a_damaged_list_of_closed_jobs_is_not_read),
		TEST(what_another_boot_left_is_gone_and_what_this_one_did_stays),
		TEST(what_a_kill_left_half_written_is_gone),
		TEST(a_note_is_taken_once_and_half_written_ones_are_left),
		TEST(a_message_is_believed_only_when_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
