/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a file is written whole or not at all, through no link, and read with a limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/file.h"

static char directory[64];
static int fd;
static bool disk_fails;
static bool disk_is_slow;
static int disk_writes; /* a slow disk is full after this many calls */

/* Replaces the C library's fsync(). */
int fsync(int file)
{
	errno = EIO;
	return disk_fails ? -1 : (int)syscall(SYS_fsync, file);
}

/* Replaces the C library's write(). A slow disk takes three bytes in a call. Signals interrupt every second call. */
ssize_t write(int file, const void *data, size_t length)
{
	if (!disk_is_slow)
		return syscall(SYS_write, file, data, length);
	errno = disk_writes ? EINTR : ENOSPC;
	if (!disk_writes || disk_writes-- % 2)
		return -1;
	return syscall(SYS_write, file, data, length < 3 ? length : 3);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/stint-file-XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	fd = open(directory, O_RDONLY | O_DIRECTORY);
	return fd < 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	close(fd);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

static void assert_content(const char *name, const char *expected)
{
	char *data = file_read(fd, name, 1000, NULL, NULL);

	assert_non_null(data);
	assert_string_equal(data, expected);
	free(data);
}

static int count_files(void)
{
	DIR *dir = opendir(directory);
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void a_file_is_replaced_whole(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(file_write(fd, "f", 0640, "one", 3, NULL), 0);
	assert_content("f", "one");
	assert_int_equal(file_write(fd, "f", 0640, "second", 6, NULL), 0);
	assert_content("f", "second");
	assert_int_equal(fstatat(fd, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(count_files(), 1);
}

static void what_outlives_no_reboot_is_replaced_whole_too(void **state)
{
	(void)state;
	assert_int_equal(file_write_volatile(fd, "f", 0600, "one", 3, NULL), 0);
	assert_int_equal(file_write_volatile(fd, "f", 0600, "second", 6, NULL), 0);
	assert_content("f", "second");
	assert_int_equal(count_files(), 1);
}

static void one_with_its_name_first_is_whole_or_not_there(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(file_write_checked(fd, "f", 0600, "one", 3, &err), 0);
	assert_content("f", "one");
	assert_int_equal(count_files(), 1);
	disk_fails = true;
	assert_int_equal(file_write_checked(fd, "g", 0600, "two", 3, &err), -1);
	assert_int_equal(errno, EIO);
	assert_string_equal(err.text, "g: Input/output error");
	disk_fails = false;
	assert_int_equal(count_files(), 1);
}

static void all_bytes_are_written_in_as_many_calls_as_it_takes(void **state)
{
	int file = openat(fd, "f", O_WRONLY | O_CREAT, 0600);

	(void)state;
	disk_is_slow = true;
	disk_writes = 7;
	assert_int_equal(file_write_all(file, "0123456", 7), 0);
	assert_int_equal(disk_writes, 1);
	disk_writes = 4;
	assert_int_equal(file_write_all(file, "789abcdef", 9), -1);
	assert_int_equal(errno, ENOSPC);
	disk_is_slow = false;
	close(file);
	assert_content("f", "0123456789abc");
}

static void a_link_in_the_way_is_replaced_and_not_followed(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(file_write(fd, "precious", 0600, "keep", 4, NULL), 0);
	assert_int_equal(symlinkat("precious", fd, "link"), 0);
	assert_int_equal(file_write(fd, "link", 0600, "new", 3, NULL), 0);
	assert_content("precious", "keep");
	assert_content("link", "new");
	assert_int_equal(fstatat(fd, "link", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(st.st_mode));
}

static void a_new_file_takes_no_others_place(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(file_write_new(fd, "new", 0600, "first", 5, &err), 0);
	assert_int_equal(file_write_new(fd, "new", 0600, "second", 6, &err), -1);
	assert_int_equal(errno, EEXIST);
	assert_content("new", "first");
	assert_int_equal(symlinkat("nowhere", fd, "link"), 0);
	assert_int_equal(file_write_new(fd, "link", 0600, "second", 6, &err), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(count_files(), 2);
}

static void a_link_is_opened_unless_it_is_not_to_be_followed(void **state)
{
	struct error err;
	int opened;

	(void)state;
	assert_int_equal(file_write(fd, "file", 0600, "text", 4, NULL), 0);
	assert_int_equal(symlinkat("file", fd, "link"), 0);
	opened = file_open_plain(fd, "link", 0, &err);
	assert_true(opened >= 0);
	close(opened);
	assert_int_equal(file_open_plain(fd, "link", O_NOFOLLOW, &err), -1);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(file_open_plain(fd, ".", 0, &err), -1);
	assert_int_equal(errno, EISDIR);
}

static void a_failed_write_leaves_the_old_file_and_no_other(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(mkdirat(fd, "d", 0700), 0);
	assert_int_equal(file_write(fd, "d", 0600, "x", 1, &err), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(memcmp(err.text, "d: ", 3), 0);
	assert_int_equal(count_files(), 1);
}

static void what_is_too_long_or_no_file_is_refused(void **state)
{
	char path[128];

	(void)state;
	assert_int_equal(file_write(fd, "f", 0600, "12345", 5, NULL), 0);
	assert_null(file_read(fd, "f", 4, NULL, NULL));
	assert_int_equal(errno, EFBIG);
	assert_content("f", "12345");
	assert_null(file_read(fd, ".", 100, NULL, NULL));
	assert_int_equal(errno, EISDIR);
	snprintf(path, sizeof(path), "%s/fifo", directory);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(file_read(fd, "fifo", 100, NULL, NULL));
	assert_int_equal(errno, EINVAL);
}

static void each_name_of_a_directory_is_told_once(void **state)
{
	struct file_names names = { .fd = fd }, none = { .fd = -1 };
	char name[64], seen[400] = { 0 };
	const char *told;
	int number;

	(void)state;
	assert_null(file_names_next(&none));
	for (int i = 0; i < 400; i++) {
		snprintf(name, sizeof(name), "a-name-that-takes-some-room-%d", i);
		assert_int_equal(file_write_volatile(fd, name, 0600, "", 0, NULL), 0);
	}
	while ((told = file_names_next(&names))) {
		assert_int_equal(sscanf(told, "a-name-that-takes-some-room-%d", &number), 1);
		seen[number]++;
	}
	assert_null(file_names_next(&names));
	for (int i = 0; i < 400; i++)
		assert_int_equal(seen[i], 1);
}

static void a_file_of_proc_is_read_to_its_end(void **state)
{
	size_t length;
	char *data = file_read(AT_FDCWD, "/proc/self/status", 100000, &length, NULL);

	(void)state;
	assert_non_null(data);
	assert_int_equal(strlen(data), length);
	assert_non_null(strstr(data, "nonvoluntary_ctxt_switches"));
	free(data);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_replaced_whole),
		TEST(what_outlives_no_reboot_is_replaced_whole_too),
		TEST(one_with_its_name_first_is_whole_or_not_there),
		TEST(all_bytes_are_written_in_as_many_calls_as_it_takes),
		TEST(a_link_in_the_way_is_replaced_and_not_followed),
		TEST(a_new_file_takes_no_others_place),
		TEST(a_link_is_opened_unless_it_is_not_to_be_followed),
		TEST(a_failed_write_leaves_the_old_file_and_no_other),
		TEST(what_is_too_long_or_no_file_is_refused),
		TEST(each_name_of_a_directory_is_told_once),
		TEST(a_file_of_proc_is_read_to_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
