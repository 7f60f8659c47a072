/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that everything that waits on a node is counted, with its age: records, store lines and batches. */
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

#include "common/spool/waiting.h"

#define OLD 1700000000

static struct conf conf;
static struct waiting_seen seen;
static struct waiting waiting;

static void make(const char *place, const char *name)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", place, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

/* A file of 10 bytes, written @age seconds after OLD. */
static void put(const char *place, const char *name, int age)
{
	char path[2 * PATH_MAX];
	const struct timespec times[] = { { OLD + age, 0 }, { OLD + age, 0 } };
	int fd;

	snprintf(path, sizeof(path), "%s/%s", place, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "0123456789", 10), 10);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

static int begin(void **state)
{
	char template[] = "/tmp/waiting.XXXXXX";

	assert_non_null(mkdtemp(template));
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s/spool", template);
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s/run", template);
	make(conf.spool_dir, "");
	make(conf.run_dir, "");
	make(conf.run_dir, "spool");
	make(conf.spool_dir, "damaged");
	make(conf.spool_dir, "store");
	make(conf.spool_dir, "store/lines");
	make(conf.spool_dir, "store/taken");
	make(conf.spool_dir, "store/batches");
	memset(&seen, 0, sizeof(seen));
	*state = strdup(template);
	return 0;
}

static int end(void **state)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	free(*state);
	return system(command);
}

static void look(void)
{
	assert_int_equal(waiting_look(&waiting, &seen, &conf), 0);
}

static void nothing_waits_in_an_empty_spool(void **state)
{
	(void)state;
	look();
	assert_int_equal(waiting.records.count + waiting.lines.count + waiting.batches.count + waiting.reserve.count, 0);
	assert_int_equal(waiting.records.oldest_unix_s, 0);
}

static void each_place_counts_and_the_oldest_is_known(void **state)
{
	(void)state;
	put(conf.spool_dir, "c.n1.5.0.1800000000.u1000.record", 50);
	put(conf.spool_dir, ".being-written.record", 1);
	put(conf.spool_dir, "damaged/c.n1.6.0.1800000000.u1000.record", 2);
	put(conf.run_dir, "spool/c.n1.7.0.1800000000.u1000.record", 20);
	put(conf.spool_dir, "store/lines/5.0.abc.u1000", 40);
	put(conf.spool_dir, "store/taken/6.0.abc.u1000", 30);
	put(conf.spool_dir, "store/batches/n1.b.0000000001.u1000.ndjson", 60);
	put(conf.spool_dir, "store/state", 3);
	look();
	assert_int_equal(waiting.records.count, 2);
	assert_int_equal(waiting.records.bytes, 20);
	assert_int_equal(waiting.records.oldest_unix_s, OLD + 20);
	assert_int_equal(waiting.reserve.count, 1);
	assert_int_equal(waiting.lines.count, 2);
	assert_int_equal(waiting.lines.oldest_unix_s, OLD + 30);
	assert_int_equal(waiting.batches.count, 1);
	assert_int_equal(waiting.batches.oldest_unix_s, OLD + 60);
}

/* Also in one tick of the clock: a directory's time then does not show the change. */
static void what_comes_and_goes_is_seen_at_once(void **state)
{
	char path[2 * PATH_MAX];

	(void)state;
	snprintf(path, sizeof(path), "%s/c.n1.5.0.1800000000.u1000.record", conf.spool_dir);
	for (int i = 0; i < 200; i++) {
		put(conf.spool_dir, "c.n1.5.0.1800000000.u1000.record", i);
		look();
		assert_int_equal(waiting.records.count, 1);
		unlink(path);
		look();
		assert_int_equal(waiting.records.count, 0);
	}
}

static void without_spool_dir_the_reserve_counts(void **state)
{
	struct conf away = conf;

	(void)state;
	strcpy(away.spool_dir, "/nonexistent/spool");
	put(conf.run_dir, "spool/c.n1.7.0.1800000000.u1000.record", 20);
	assert_int_equal(waiting_look(&waiting, &seen, &away), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(waiting.records.count, 1);
	assert_int_equal(waiting.reserve.count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_waits_in_an_empty_spool),
		TEST(each_place_counts_and_the_oldest_is_known),
		TEST(what_comes_and_goes_is_seen_at_once),
		TEST(without_spool_dir_the_reserve_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
