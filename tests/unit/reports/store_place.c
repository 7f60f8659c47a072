/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a batch is delivered to the store's directory like a mail to a maildir.
 * It gets a plain name, and passes through no link of another user.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/send/store_place.h"
#include "reports/send/store_trim.h"
#include "reports/store/store_backlog_internal.h"
#include "tests/unit/reports/killed.h"

static char directory[64], store_dir[80];

static int set_up(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/stint-store-XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	snprintf(store_dir, sizeof(store_dir), "%s/place", directory);
	return mkdir(store_dir, 0755);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static int tear_down(void **state)
{
	(void)state;
	return nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char batch_name[] = "n1.0123456789ab-1.0000000001.ndjson";
static const char batch_text[] = "{\"store_batch\":1}\n";

static int place(struct error *err)
{
	return store_place_put(store_dir, batch_name, batch_text, strlen(batch_text), err);
}

static const char *below(const char *name)
{
	static char path[400];

	snprintf(path, sizeof(path), "%s/%s", store_dir, name);
	return path;
}

static const char *placed(void)
{
	char name[300], folder[STORE_BATCH_PLACE];

	store_batch_place(batch_name, folder);
	snprintf(name, sizeof(name), "new/%s/%s", folder, batch_name);
	return below(name);
}

static const char *being_written(void)
{
	char name[300], folder[STORE_BATCH_PLACE];

	store_batch_place(batch_name, folder);
	snprintf(name, sizeof(name), "new/%s/.%s", folder, batch_name);
	return below(name);
}

static void is_placed(void)
{
	struct error err = { "" };
	size_t length;
	cleanup_free char *text = file_read(AT_FDCWD, placed(), 1000, &length, &err);
	struct stat st;

	if (!text)
		fail_msg("%s", err.text);
	assert_string_equal(text, batch_text);
	assert_int_equal(stat(placed(), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(unlink(being_written()), -1);
}

static void a_batch_is_placed_as_in_a_maildir(void **state)
{
	struct error err = { "" };

	(void)state;
	assert_int_equal(place(&err), 0);
	is_placed();
	/* The same batch again: its sender did not know that it was there. */
	assert_int_equal(place(&err), 0);
	is_placed();
}

static int fsync_of_directory; /* of fsync() of a directory; 0: success */

/* Replaces the C library's fsync(). */
int fsync(int fd)
{
	struct stat st;

	if (fsync_of_directory && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		errno = fsync_of_directory;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

/* Otherwise the node could count lines as dropped that the store has. */
static void a_batch_that_may_not_be_on_the_disk_is_not_in_its_place(void **state)
{
	struct error err = { "" };
	char wanted[256];

	(void)state;
	assert_int_equal(place(&err), 0);
	fsync_of_directory = EIO;
	assert_int_equal(place(&err), -1);
	snprintf(wanted, sizeof(wanted), "%s: the batch may not be on the disk: %s", store_dir, strerror(EIO));
	assert_string_equal(err.text, wanted);
	assert_int_equal(access(placed(), F_OK), -1);
	fsync_of_directory = EINVAL; /* a network file system that need not */
	assert_int_equal(place(&err), 0);
	fsync_of_directory = 0;
	assert_int_equal(place(&err), 0);
	is_placed();
}

static void place_work(void)
{
	if (place(NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_placing_leaves_no_half_batch(void **state)
{
	bool ended = false;

	(void)state;
	for (int stop = 1; !ended; stop++) {
		tear_down(NULL);
		set_up(NULL);
		ended = killed_at(stop, place_work);
		if (access(placed(), F_OK) == 0) {
			cleanup_free char *text = file_read(AT_FDCWD, placed(), 1000, NULL, NULL);

			assert_string_equal(text, batch_text);
		}
		assert_int_equal(place(NULL), 0);
		is_placed();
	}
}

static void no_link_is_followed(void **state)
{
	char elsewhere[100];
	struct error err = { "" };

	(void)state;
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", directory);
	assert_int_equal(mkdir(elsewhere, 0700), 0);
	assert_int_equal(symlink(elsewhere, below("new")), 0);
	assert_int_equal(place(&err), -1);
	assert_int_equal(unlink(below("new")), 0);
	assert_int_equal(rmdir(elsewhere), 0);
	assert_int_equal(place(&err), 0);
	is_placed();
}

static void a_link_with_the_batchs_name_is_replaced(void **state)
{
	struct error err = { "" };
	char victim[100];
	FILE *file;
	struct stat st;

	(void)state;
	snprintf(victim, sizeof(victim), "%s/victim", directory);
	file = fopen(victim, "w");
	fclose(file);
	assert_int_equal(place(&err), 0);
	assert_int_equal(unlink(placed()), 0);
	assert_int_equal(symlink(victim, placed()), 0);
	assert_int_equal(symlink(victim, being_written()), 0);
	assert_int_equal(place(&err), 0);
	is_placed();
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 0);
}

static void a_directory_that_others_can_write_is_not_used(void **state)
{
	static const mode_t modes[] = { 0777, 01777, 0702 };
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		err.text[0] = '\0';
		assert_int_equal(chmod(store_dir, modes[i]), 0);
		assert_int_equal(place(&err), -1);
		assert_non_null(strstr(err.text, "can write there"));
		assert_int_equal(access(below("new"), F_OK), -1);
	}
	assert_int_equal(chmod(store_dir, 0755), 0);
	assert_int_equal(mkdir(below("new"), 0700), 0);
	assert_int_equal(chmod(below("new"), 0777), 0);
	assert_int_equal(place(&err), -1);
	assert_non_null(strstr(err.text, "no one else may write there"));
	assert_int_equal(chmod(below("new"), 0700), 0);
	assert_int_equal(place(&err), 0);
}

static void a_directory_that_is_missing_is_not_made(void **state)
{
	struct error err = { "" };

	(void)state;
	assert_int_equal(rmdir(store_dir), 0);
	assert_int_equal(place(&err), -1);
	assert_non_null(strstr(err.text, "No such file"));
	assert_int_equal(access(store_dir, F_OK), -1);
	assert_int_equal(mkdir(store_dir, 0755), 0);
}

static void a_batchs_name_is_a_plain_one_whatever_the_node_is_called(void **state)
{
	static const char *const nodes[] = { "", "..", "../../etc/passwd", "n\n1", "n 1;rm", ".hidden", "\xc3\xa4", NULL };
	char name[NAME_MAX + 1], folder[STORE_BATCH_PLACE], longest[400];

	(void)state;
	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	for (size_t i = 0; i <= sizeof(nodes) / sizeof(nodes[0]); i++) {
		struct store_batch_head head = { .node = i == sizeof(nodes) / sizeof(nodes[0]) ? longest : nodes[i],
						 .boot = "0123456789ab-18c0ffee123",
						 .sequence = UINT64_MAX };

		store_batch_name(&head, name);
		assert_true(store_batch_is_name(name));
		assert_true(strlen(name) + strlen(STORE_SEALING) <= NAME_MAX);
		store_batch_place(name, folder);
		assert_int_equal(strspn(folder, "0123456789abcdef"), 2);
	}
	assert_false(store_batch_is_name(".x.ndjson"));
	assert_false(store_batch_is_name("a/b.ndjson"));
	assert_false(store_batch_is_name("x.ndjson.sealing"));
	assert_false(store_batch_is_name(".ndjson"));
}

static void a_head_is_no_longer_than_it_may_be(void **state)
{
	char *huge = calloc(1, STORE_BATCH_HEAD_MAX + 1);
	struct store_batch_head head = { .cluster = huge, .node = "n1", .boot = "b" };
	struct error err = { "" };
	size_t length;

	(void)state;
	memset(huge, 'x', STORE_BATCH_HEAD_MAX);
	assert_null(store_batch_head_make(&head, &length, &err));
	assert_non_null(strstr(err.text, "too long"));
	free(huge);
}

static void put_aged(const char *name, int age_s)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1000000 - age_s } };
	struct error err = { "" };
	char text[100], folder[STORE_BATCH_PLACE], path[256];

	memset(text, 'x', sizeof(text));
	if (store_place_put(store_dir, name, text, sizeof(text), &err) < 0)
		fail_msg("%s", err.text);
	store_batch_place(name, folder);
	snprintf(path, sizeof(path), "%s/new/%s/%s", store_dir, folder, name);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_kept(const char *name)
{
	char folder[STORE_BATCH_PLACE], path[256];

	store_batch_place(name, folder);
	snprintf(path, sizeof(path), "%s/new/%s/%s", store_dir, folder, name);
	return access(path, F_OK) == 0;
}

static void a_nodes_own_store_keeps_the_latest(void **state)
{
	struct error err = { "" };
	int at;

	(void)state;
	put_aged("n1.b.0000000001.ndjson", 10);
	put_aged("n1.b.0000000002.ndjson", 30);
	put_aged("n1.b.0000000003.ndjson", 20);
	at = store_place_open(store_dir, &err);
	assert_true(at >= 0);
	assert_int_equal(store_trim(at, 300), 0);
	assert_int_equal(store_trim(at, 299), 1);
	assert_false(is_kept("n1.b.0000000002.ndjson"));
	assert_int_equal(store_trim(at, 100), 1);
	assert_true(is_kept("n1.b.0000000001.ndjson"));
	assert_false(is_kept("n1.b.0000000003.ndjson"));
	close(at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(a_batch_is_placed_as_in_a_maildir),
		TEST(a_batch_that_may_not_be_on_the_disk_is_not_in_its_place),
		TEST(a_kill_in_the_middle_of_placing_leaves_no_half_batch),
		TEST(no_link_is_followed),
		TEST(a_link_with_the_batchs_name_is_replaced),
		TEST(a_directory_that_others_can_write_is_not_used),
		TEST(a_directory_that_is_missing_is_not_made),
		TEST(a_nodes_own_store_keeps_the_latest),
		TEST(a_batchs_name_is_a_plain_one_whatever_the_node_is_called),
		TEST(a_head_is_no_longer_than_it_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
