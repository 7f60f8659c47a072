/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a note is the message, byte for byte, and is left only in a directory of root's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spank/message.h"
#include "spank/note.h"
#include "tests/unit/within.h"

static char run_dir[64];
static char notes[128];

static int set_up(void **state)
{
	(void)state;
	/* Thousands of files take a disk's file system seconds. */
	snprintf(run_dir, sizeof(run_dir), "%s/stint-test-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (!mkdtemp(run_dir))
		return -1;
	snprintf(notes, sizeof(notes), "%s/" CONTROL_NOTES, run_dir);
	return mkdir(notes, 0700);
}

static int tear_down(void **state)
{
	/* A test may leave a link instead of the directory: keep the files behind it. */
	int fd = open(notes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	(void)state;
	while (directory && (entry = readdir(directory)))
		unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory)
		closedir(directory);
	unlink(notes);
	rmdir(notes);
	return rmdir(run_dir);
}

static void make_message(struct control_message *message)
{
	message_init(message, CONTROL_OPEN, CONTROL_MODE_SUMMARY);
	message->job_id = 12;
	message->step_id = 3;
	message_text(message->open.work_dir, sizeof(message->open.work_dir), "/home/u");
}

static void a_note_is_the_messages_bytes_without_the_zeros_behind_them(void **state)
{
	struct control_message message;
	struct control_message read_back;
	uint32_t checksum;
	struct error err;
	struct stat st;
	size_t length;
	char path[256];
	int fd;

	(void)state;
	make_message(&message);
	assert_int_equal(note_leave(run_dir, &message, &err), 0);
	snprintf(path, sizeof(path), "%s/12.3.open.%" PRIu64, notes, message.sent_ns);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	length = offsetof(struct control_message, open.work_dir) + strlen("/home/u");
	assert_int_equal(st.st_size, length + sizeof(checksum));
	assert_int_equal(st.st_mode & 0777, 0600);
	memset(&read_back, 0, sizeof(read_back));
	assert_int_equal(read(fd, &read_back, length), length);
	assert_memory_equal(&message, &read_back, sizeof(message));
	assert_int_equal(read(fd, &checksum, sizeof(checksum)), sizeof(checksum));
	assert_int_equal(checksum, control_note_checksum(&message, length));
	close(fd);
	snprintf(path, sizeof(path), "%s/.12.3.open.%" PRIu64, notes, message.sent_ns);
	assert_int_equal(access(path, F_OK), -1);
}

static void no_directory_no_note(void **state)
{
	struct control_message message;
	struct error err;

	(void)state;
	make_message(&message);
	rmdir(notes);
	assert_int_equal(note_leave(run_dir, &message, &err), -1);
	assert_int_equal(errno, ENOENT);
}

static void no_note_where_others_can_write(void **state)
{
	struct control_message message;
	struct error err;

	(void)state;
	make_message(&message);
	assert_int_equal(chmod(notes, 0770), 0);
	assert_int_equal(note_leave(run_dir, &message, &err), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(chmod(notes, 0707), 0);
	assert_int_equal(note_leave(run_dir, &message, &err), -1);
	assert_int_equal(errno, EPERM);
}

static void no_note_in_a_directory_of_another(void **state)
{
	struct control_message message;
	struct error err;

	(void)state;
	if (geteuid() != 0) {
		print_message("# only root can give a directory away\n");
		skip();
	}
	make_message(&message);
	assert_int_equal(chown(notes, 65534, 65534), 0);
	assert_int_equal(note_leave(run_dir, &message, &err), -1);
	assert_int_equal(errno, EPERM);
}

static void no_note_through_a_link(void **state)
{
	struct control_message message;
	struct error err;

	(void)state;
	make_message(&message);
	rmdir(notes);
	assert_int_equal(symlink(".", notes), 0);
	assert_int_equal(note_leave(run_dir, &message, &err), -1);
}

static void a_link_laid_for_the_temporary_name_is_not_followed(void **state)
{
	struct control_message message;
	char victim[160];
	char path[256];
	struct error err;

	(void)state;
	make_message(&message);
	snprintf(victim, sizeof(victim), "%s/victim", notes);
	snprintf(path, sizeof(path), "%s/.12.3.open.%" PRIu64, notes, message.sent_ns);
	assert_int_equal(symlink(victim, path), 0);
	assert_int_equal(note_leave(run_dir, &message, &err), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(access(victim, F_OK), -1);
}

static void notes_do_not_grow_without_bound(void **state)
{
	struct control_message message;
	struct error err;

	(void)state;
	make_message(&message);
	for (unsigned int i = 0; i < NOTE_MAX; i++) {
		char path[160];
		int fd;

		snprintf(path, sizeof(path), "%s/%u", notes, i);
		fd = open(path, O_WRONLY | O_CREAT, 0600);
		assert_true(fd >= 0);
		close(fd);
	}
	assert_int_equal(note_leave(run_dir, &message, &err), -1);
	assert_int_equal(errno, EDQUOT);
}

/* Leaves notes like a job that starts steps and tasks while stintd is down. Returns how many. */
static unsigned int leave_all(struct control_message *message, unsigned int tries)
{
	struct error err;
	unsigned int left = 0;

	for (unsigned int i = 0; i < tries; i++) {
		message->sent_ns++;
		left += note_leave(run_dir, message, &err) == 0;
	}
	return left;
}

/*
 * Puts @count notes there, with the names and groups of note_leave().
 * note_leave() looks at all others before each, which would take minutes for thousands.
 */
static void plant(struct control_message *message, unsigned int count)
{
	int directory = open(notes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (unsigned int i = 0; i < count; i++) {
		char name[CONTROL_NOTE_NAME_MAX];
		int fd;

		message->sent_ns++;
		control_note_name(message, name);
		fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		if (fchown(fd, -1, message->uid) < 0)
			assert_int_not_equal(geteuid(), 0);
		close(fd);
	}
	close(directory);
}

static void has_room_for(struct control_message *message, unsigned int room)
{
	plant(message, room - 2);
	assert_int_equal(leave_all(message, 5), 2);
}

static void one_job_leaves_others_room(void **state)
{
	struct control_message message;
	struct stat st;
	char path[256];

	(void)state;
	make_message(&message);
	memset(&message.open, 0, sizeof(message.open));
	message.kind = CONTROL_TASK;
	has_room_for(&message, NOTE_JOB_MAX / 4 * 3);
	snprintf(path, sizeof(path), "%s/12.3.task.%" PRIu64, notes, message.sent_ns - 5 + 1);
	assert_int_equal(stat(path, &st), 0);
	assert_within(st.st_size, 1, 1024);
	message.kind = CONTROL_STEP_CLOSE;
	has_room_for(&message, NOTE_JOB_MAX / 4);
	message.kind = CONTROL_JOB_CLOSE;
	assert_int_equal(leave_all(&message, 1), 1);
	message.kind = CONTROL_OPEN;
	for (message.job_id = 100; message.job_id < 106; message.job_id++)
		has_room_for(&message, NOTE_JOB_MAX);
	has_room_for(&message, NOTE_MAX / 2 - 7 * NOTE_JOB_MAX - 1);
	/* half of the room is used: each job gets few, and the last entries are for jobs that have none */
	message.job_id = 200;
	has_room_for(&message, NOTE_JOB_FEW);
	message.job_id = 201;
	has_room_for(&message, NOTE_JOB_FEW);
}

static void one_user_of_many_jobs_leaves_others_room(void **state)
{
	struct control_message message;

	(void)state;
	if (geteuid() != 0) /* only root can give a file any group */
		skip();
	make_message(&message);
	message.kind = CONTROL_JOB_CLOSE;
	message.uid = 1000;
	for (message.job_id = 1; message.job_id <= NOTE_MAX / 4 * 3 - 2; message.job_id++)
		plant(&message, 1);
	for (unsigned int i = 0; i < 5; i++, message.job_id++)
		assert_int_equal(leave_all(&message, 1), i < 2);
	message.uid = 1001;
	plant(&message, NOTE_MAX / 8 - 2);
	assert_int_equal(leave_all(&message, 2), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_job_leaves_others_room, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_user_of_many_jobs_leaves_others_room, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_note_is_the_messages_bytes_without_the_zeros_behind_them, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_directory_no_note, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_note_where_others_can_write, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_note_in_a_directory_of_another, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_note_through_a_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_link_laid_for_the_temporary_name_is_not_followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(notes_do_not_grow_without_bound, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("spank note", tests, NULL, NULL);
}
