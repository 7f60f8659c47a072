/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests where the spool has a record, when its delivery is tried, and in which order records are given up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/record/spool.h"
#include "common/file.h"
#include "common/frame.h"
#include "common/spool/waiting.h"

#define NOW 1800000000 /* the usual time of the passes */
#define HOUR 3600

static char base[64];
static struct conf conf;
static struct spool spool;
static int run_fd;

/* Names of records, after the cluster's name, by their user. */
#define OF_7 ".n1.5.1.100.u7.record"
#define OF_8 ".n1.5.1.100.u8.record"
#define OF_9 ".n1.5.1.100.u9.record"

/* The result of the next tries, and how often each record was tried. */
static enum spool_try answer;
static char tried[1024];

static enum spool_try try_one(const char *name, const char *path, void *data)
{
	(void)data;
	assert_int_equal(access(path, F_OK), 0);
	strcat(tried, name);
	strcat(tried, " ");
	return answer;
}

static bool is_busy(const char *name, void *data)
{
	return data && strcmp(name, data) == 0;
}

static struct waiting look(void)
{
	struct waiting_seen seen = {};
	struct waiting waiting;

	assert_int_equal(waiting_look(&waiting, &seen, &conf), 0);
	spool_note(&spool, waiting.records.count - waiting.reserve.count, waiting.records.bytes - waiting.reserve.bytes);
	return waiting;
}

static const char *pass_at(int64_t now_s, enum spool_try with)
{
	answer = with;
	tried[0] = '\0';
	spool_pass(&spool, now_s, is_busy, try_one, NULL);
	spool.last_pass_s = now_s;
	return tried;
}

static void open_it(void)
{
	struct error err;

	assert_int_equal(spool_open(&spool, &conf, run_fd, &err), 0);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(base, "/tmp/stint-spool-XXXXXX");
	if (!mkdtemp(base))
		return -1;
	conf_defaults(&conf);
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s/run", base);
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s/disk/spool", base);
	mkdir(conf.run_dir, 0700);
	run_fd = open(conf.run_dir, O_RDONLY | O_DIRECTORY);
	return 0;
}

static int set_up_disk(void **state)
{
	char path[80];

	if (set_up(state) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/disk", base);
	mkdir(path, 0700);
	open_it();
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static int tear_down(void **state)
{
	(void)state;
	for (int i = 0; i < SPOOL_PLACES; i++)
		if (spool.places[i].fd >= 0)
			close(spool.places[i].fd);
	close(run_fd);
	return nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *name, const char *text)
{
	struct error err;

	assert_int_equal(spool_put(&spool, name, text, strlen(text), &err), 0);
}

/* A record made at @made_s, in spool_dir. */
static void put_at(const char *name, const char *text, int64_t made_s)
{
	const struct timespec times[2] = { { .tv_sec = made_s }, { .tv_sec = made_s } };

	put(name, text);
	assert_int_equal(utimensat(spool.places[0].fd, name, times, 0), 0);
}

static bool is_there(const char *name)
{
	char path[PATH_MAX];

	return spool_find(&spool, name, path);
}

static bool is_aside(const char *name)
{
	char path[NAME_MAX + 16];

	snprintf(path, sizeof(path), SPOOL_DAMAGED "/%s", name);
	return faccessat(spool.places[0].fd, path, F_OK, 0) == 0;
}

static void what_is_put_is_found_framed_and_roots_alone(void **state)
{
	char path[PATH_MAX];
	struct error err;
	struct stat st;
	size_t size, length;
	char *data;

	(void)state;
	put("a.record", "{}");
	assert_true(spool_find(&spool, "a.record", path));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	data = file_read(AT_FDCWD, path, 1000, &size, &err);
	assert_memory_equal(frame_content(data, size, FRAME_RECORD, path, &length, &err), "{}", length);
	assert_int_equal(length, 2);
	free(data);
	spool_remove(&spool, "a.record");
	assert_false(is_there("a.record"));
}

static void a_delivered_record_is_gone_and_a_later_one_stays(void **state)
{
	(void)state;
	put_at("a.record", "{}", NOW - 10);
	assert_string_equal(pass_at(NOW, SPOOL_LATER), "a.record ");
	assert_true(is_there("a.record"));
	spool.last_pass_s = 0;
	assert_string_equal(pass_at(NOW, SPOOL_DELIVERED), "a.record ");
	assert_false(is_there("a.record"));
}

static void the_oldest_is_tried_first_and_other_files_never(void **state)
{
	struct error err;

	(void)state;
	put_at("b.record", "{}", NOW - 30);
	put_at("a.record", "{}", NOW - 20);
	put_at("c.record", "{}", NOW - 10);
	assert_int_equal(file_write(spool.places[0].fd, "note", 0600, "x", 1, &err), 0);
	assert_int_equal(symlinkat("/etc/passwd", spool.places[0].fd, "link.record"), 0);
	assert_string_equal(pass_at(NOW, SPOOL_LATER), "b.record a.record c.record ");
}

static void one_in_other_hands_is_left_alone(void **state)
{
	(void)state;
	put_at("a.record", "{}", NOW);
	put_at("b.record", "{}", NOW);
	tried[0] = '\0';
	answer = SPOOL_DELIVERED;
	spool_pass(&spool, NOW, is_busy, try_one, (void *)"a.record");
	assert_string_equal(tried, "b.record ");
	assert_true(is_there("a.record"));
}

/* After 1, 2, 4, 8, 16 and 32 minutes, then each hour. The looks come once a minute, a little late. */
static void tries_become_rarer(void **state)
{
	static const int minutes[] = { 1, 2, 4, 8, 16, 32, 60, 120, 180, 240 };
#define COUNT (sizeof(minutes) / sizeof(minutes[0]))
	size_t next = 0;

	(void)state;
	put_at("a.record", "{}", NOW);
	pass_at(NOW, SPOOL_LATER);
	for (int minute = 1; minute <= 240; minute++) {
		int64_t now_s = NOW + minute * 60 + 1;
		bool due = spool_due(&spool, now_s);

		assert_int_equal(due, next < COUNT && minute == minutes[next]);
		assert_string_equal(pass_at(now_s, SPOOL_LATER), due ? "a.record " : "");
		next += due;
	}
	assert_int_equal(next, COUNT);
#undef COUNT
}

static void a_clock_that_is_set_back_does_not_hold_it_up(void **state)
{
	(void)state;
	put_at("a.record", "{}", NOW);
	pass_at(NOW, SPOOL_LATER);
	pass_at(NOW - HOUR, SPOOL_LATER); /* the times are in the future now */
	assert_true(spool_due(&spool, NOW - HOUR + 60));
	assert_true(spool_due(&spool, NOW + 60));
}

static void a_restart_tries_all(void **state)
{
	(void)state;
	put_at("a.record", "{}", NOW);
	pass_at(NOW, SPOOL_LATER);
	assert_false(spool_due(&spool, NOW + 10));
	spool.last_pass_s = 0;
	assert_true(spool_due(&spool, NOW + 10));
}

static void an_empty_spool_has_nothing_due(void **state)
{
	(void)state;
	assert_false(spool_due(&spool, NOW));
}

static void what_is_too_old_is_given_up_after_a_last_try(void **state)
{
	(void)state;
	conf.spool_max_age_h = 2;
	open_it();
	put_at("edge.record", "{}", NOW - 2 * HOUR);
	put_at("over.record", "{}", NOW - 2 * HOUR - 1);
	assert_string_equal(pass_at(NOW, SPOOL_LATER), "over.record edge.record ");
	assert_true(is_there("edge.record"));
	assert_false(is_there("over.record"));
	assert_int_equal(spool.counts->given_up, 1);
	put_at("over.record", "{}", NOW - 2 * HOUR - 1);
	spool.last_pass_s = 0;
	assert_string_equal(pass_at(NOW, SPOOL_DELIVERED), "over.record edge.record ");
	assert_int_equal(spool.counts->given_up, 1);
}

static void beyond_its_size_the_oldest_are_given_up(void **state)
{
	static char text[400 << 10];
	char name[32];

	(void)state;
	memset(text, ' ', sizeof(text) - 1);
	conf.spool_max_mb = 1;
	open_it();
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "%d.record", i);
		put_at(name, text, NOW - 100 + i);
	}
	pass_at(NOW, SPOOL_LATER);
	assert_int_equal(spool.counts->given_up, 0); /* 800 KiB */
	put_at("2.record", text, NOW);
	pass_at(NOW, SPOOL_LATER);
	assert_int_equal(spool.counts->given_up, 1);
	assert_false(is_there("0.record"));
	assert_true(is_there("1.record"));
	assert_true(is_there("2.record"));
}

/* Records of user 7 are made large. A new record gets room at once, and costs no other user one. */
static void beyond_its_size_who_has_most_gives_way_at_once(void **state)
{
	static char text[100 << 10];
	struct waiting seen;
	char name[32];

	(void)state;
	memset(text, ' ', sizeof(text) - 1);
	conf.spool_max_mb = 1;
	open_it();
	put_at("first" OF_8, "{}", NOW - 1000);
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "%02d" OF_7, i);
		put_at(name, text, NOW - 100 + i);
		seen = look();
		assert_true(seen.records.bytes <= 1 << 20);
	}
	put_at("other" OF_9, text, NOW);
	assert_true(is_there("first" OF_8));
	assert_true(is_there("other" OF_9));
	assert_true(is_there("29" OF_7));
	assert_false(is_there("20" OF_7));
	assert_true(is_there("21" OF_7));
	assert_int_equal(spool.counts->given_up, 21);
}

static void beyond_their_number_who_has_most_gives_way(void **state)
{
	struct waiting seen;
	char name[32];

	(void)state;
	open_it();
	spool.max_records = 128;
	put_at("first" OF_8, "{}", NOW - 1000);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "%03d" OF_7, i);
		put_at(name, "{}", NOW - 500 + i);
		seen = look();
		assert_true(seen.records.count <= 128);
		assert_true(i < 127 || seen.records.count >= 120);
	}
	put_at("other" OF_9, "{}", NOW);
	assert_true(is_there("first" OF_8));
	assert_true(is_there("other" OF_9));
	assert_true(is_there("299" OF_7));
	assert_false(is_there("150" OF_7));
}

static void the_user_stands_in_the_name(void **state)
{
	(void)state;
	assert_int_equal(spool_user("c.n1.5.0.1800000000.u1000.record"), 1000);
	assert_int_equal(spool_user("c.u5.5.0.1800000000.u0.record"), 0);
	assert_int_equal(spool_user("c.n1.5.0.1800000000.record"), SPOOL_NO_USER);
	assert_int_equal(spool_user("c.n1.5.1.1800000000.c.u1000.record"), 1000);
	assert_int_equal(spool_user("c.u5.record.5.record"), SPOOL_NO_USER);
	assert_int_equal(spool_user("c.u5.record"), SPOOL_NO_USER);
	assert_int_equal(spool_user(".u.record"), SPOOL_NO_USER);
}

/* The writer of a record that continues others joins these, and removes them. */
static void a_record_that_another_goes_on_from_waits_for_that(void **state)
{
	(void)state;
	put_at("_.n.7.1.100.u5.record", "{}", NOW - 100);
	put_at("_.n.7.1.200.c.u5.record", "{}", NOW - 90);
	put_at("_.n.7.1.300.c.u5.record", "{}", NOW - 80);
	put_at("_.n.7.2.250.u5.record", "{}", NOW - 70);
	assert_string_equal(pass_at(NOW, SPOOL_LATER), "_.n.7.1.300.c.u5.record _.n.7.2.250.u5.record ");
	assert_string_equal(pass_at(NOW + HOUR, SPOOL_DELIVERED), "_.n.7.1.300.c.u5.record _.n.7.2.250.u5.record ");
	/* Not joined: delivered by itself. */
	assert_string_equal(pass_at(NOW + 2 * HOUR, SPOOL_DELIVERED), "_.n.7.1.200.c.u5.record ");
	assert_string_equal(pass_at(NOW + 3 * HOUR, SPOOL_DELIVERED), "_.n.7.1.100.u5.record ");
}

static enum spool_try seven_hangs(const char *name, const char *path, void *data)
{
	try_one(name, path, data);
	return strcmp(name, "a" OF_7) == 0 ? SPOOL_HANGS : SPOOL_DELIVERED;
}

/* After a try that hangs, no other record of the user is tried in the pass. It is the last in the next pass. */
static void who_hangs_holds_up_himself_alone_and_once(void **state)
{
	(void)state;
	put_at("a" OF_7, "{}", NOW - 30);
	put_at("b" OF_7, "{}", NOW - 20);
	put_at("c" OF_8, "{}", NOW - 10);
	tried[0] = '\0';
	spool_pass(&spool, NOW, is_busy, seven_hangs, NULL);
	assert_string_equal(tried, "a" OF_7 " c" OF_8 " ");
	assert_false(is_there("c" OF_8));
	tried[0] = '\0';
	spool_pass(&spool, NOW, is_busy, seven_hangs, NULL);
	assert_string_equal(tried, "b" OF_7 " a" OF_7 " ");
	assert_true(is_there("a" OF_7));
	assert_false(is_there("b" OF_7));
}

static enum spool_try seven_fails(const char *name, const char *path, void *data)
{
	try_one(name, path, data);
	return strstr(name, ".u7") ? SPOOL_LATER : SPOOL_DELIVERED;
}

/* Others' records come between a user's records that fail. Records not yet tried come next. */
static void who_has_many_that_fail_holds_up_himself_alone(void **state)
{
	(void)state;
	open_it();
	put_at("a" OF_7, "{}", NOW - 60);
	put_at("b" OF_7, "{}", NOW - 50);
	put_at("c" OF_7, "{}", NOW - 40);
	put_at("d" OF_8, "{}", NOW - 30);
	put_at("e" OF_8, "{}", NOW - 20);
	tried[0] = '\0';
	spool_pass(&spool, NOW, is_busy, seven_fails, NULL);
	assert_string_equal(tried, "a" OF_7 " d" OF_8 " b" OF_7 " e" OF_8 " c" OF_7 " ");
	spool.user_ns = 1;
	put_at("d" OF_8, "{}", NOW - 30);
	put_at("z" OF_7, "{}", NOW - 10);
	tried[0] = '\0';
	spool_pass(&spool, NOW, is_busy, seven_fails, NULL);
	assert_string_equal(tried, "d" OF_8 " z" OF_7 " ");
}

/*
 * A user can stop the writer, and continue it just before stintd gives up: each delivery is slow.
 * The user's other records come in the next pass, beside others' new records.
 */
static void who_has_many_that_come_slowly_holds_up_himself_alone(void **state)
{
	(void)state;
	open_it();
	spool.user_ns = 1;
	put_at("a" OF_7, "{}", NOW - 50);
	put_at("b" OF_7, "{}", NOW - 40);
	put_at("d" OF_8, "{}", NOW - 30);
	assert_string_equal(pass_at(NOW, SPOOL_DELIVERED), "a" OF_7 " d" OF_8 " ");
	put_at("e" OF_8, "{}", NOW);
	assert_true(spool_due(&spool, NOW + 1));
	assert_string_equal(pass_at(NOW + 1, SPOOL_DELIVERED), "b" OF_7 " ");
	assert_false(spool_due(&spool, NOW + 2));
	assert_string_equal(pass_at(NOW + 60, SPOOL_DELIVERED), "e" OF_8 " ");
}

static void what_no_try_can_deliver_is_given_up_at_once(void **state)
{
	(void)state;
	put_at("a.record", "{}", NOW);
	pass_at(NOW, SPOOL_NEVER);
	assert_false(is_there("a.record"));
	assert_int_equal(spool.counts->given_up, 1);
}

static void a_removed_directory_has_an_hour_to_come_back(void **state)
{
	(void)state;
	put_at("a.record", "{}", NOW - SPOOL_GONE_S);
	put_at("b.record", "{}", NOW - SPOOL_GONE_S - 1);
	pass_at(NOW, SPOOL_GONE);
	assert_true(is_there("a.record"));
	assert_false(is_there("b.record"));
}

static void a_reason_is_news_once(void **state)
{
	(void)state;
	assert_true(spool_is_news(&spool, "a.record", "no space"));
	assert_false(spool_is_news(&spool, "a.record", "no space"));
	assert_true(spool_is_news(&spool, "b.record", "no space"));
	assert_true(spool_is_news(&spool, "a.record", "no right"));
	assert_false(spool_is_news(&spool, "b.record", "no space"));
}

static void a_damaged_one_is_set_aside_and_the_last_ones_are_kept(void **state)
{
	struct waiting seen;
	char name[32];

	(void)state;
	for (int i = 0; i < SPOOL_DAMAGED_MAX + 3; i++) {
		snprintf(name, sizeof(name), "%02d.record", i);
		put_at(name, "{}", NOW - 1000 + i);
	}
	pass_at(NOW, SPOOL_DAMAGE);
	seen = look();
	assert_int_equal(seen.records.count, 0);
	assert_int_equal(spool_damaged(&spool), SPOOL_DAMAGED_MAX);
	assert_int_equal(spool.counts->set_aside, SPOOL_DAMAGED_MAX + 3);
	assert_false(is_aside("02.record"));
	assert_true(is_aside("03.record"));
}

static void what_is_there_is_counted(void **state)
{
	struct waiting seen;

	(void)state;
	seen = look();
	assert_int_equal(seen.records.count, 0);
	assert_int_equal(seen.records.oldest_unix_s, 0);
	put_at("a.record", "{}", NOW - 5);
	put_at("b.record", "{ }", NOW);
	seen = look();
	assert_int_equal(seen.records.count, 2);
	assert_int_equal(seen.records.bytes, 2 * sizeof(struct frame_header) + 5);
	assert_int_equal(seen.records.oldest_unix_s, NOW - 5);
}

static void what_a_crash_left_half_written_goes_after_an_hour(void **state)
{
	static const char *const names[] = { ".stint-1.tmp", ".stint-2.tmp" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct timespec made[2] = { { .tv_sec = NOW - HOUR - i }, { .tv_sec = NOW - HOUR - i } };

		assert_int_equal(file_write(spool.places[0].fd, names[i], 0600, "x", 1, NULL), 0);
		utimensat(spool.places[0].fd, names[i], made, 0);
	}
	pass_at(NOW, SPOOL_LATER);
	assert_int_equal(faccessat(spool.places[0].fd, names[0], F_OK, 0), 0);
	assert_int_equal(faccessat(spool.places[0].fd, names[1], F_OK, 0), -1);
}

static void without_a_disk_records_wait_in_the_reserve_and_move_when_it_is_back(void **state)
{
	char path[PATH_MAX], disk[80];
	struct error err;
	struct stat st;

	(void)state;
	assert_int_equal(spool_open(&spool, &conf, run_fd, &err), 0);
	assert_true(err.text[0]);
	assert_int_equal(spool_put(&spool, "a.record", "{}", 2, &err), 0);
	assert_true(err.text[0]);
	assert_true(spool_find(&spool, "a.record", path));
	assert_memory_equal(path, conf.run_dir, strlen(conf.run_dir));
	stat(path, &st);

	snprintf(disk, sizeof(disk), "%s/disk", base);
	mkdir(disk, 0700);
	assert_string_equal(pass_at(st.st_mtime + 100, SPOOL_LATER), "a.record ");
	assert_true(spool_find(&spool, "a.record", path));
	assert_memory_equal(path, conf.spool_dir, strlen(conf.spool_dir));
	assert_int_equal(access(path, F_OK), 0);
	{
		struct stat moved;

		stat(path, &moved);
		assert_int_equal(moved.st_mtime, st.st_mtime);
	}
}

static void the_reserve_takes_no_more_than_its_part_of_memory(void **state)
{
	size_t most = SPOOL_RESERVE_MAX - sizeof(struct frame_header);
	char *text = calloc(1, most + 1);
	struct error err;

	(void)state;
	spool_open(&spool, &conf, run_fd, &err);
	assert_int_equal(spool_put(&spool, "a.record", text, most + 1, &err), -1);
	assert_int_equal(spool_put(&spool, "a.record", text, most, &err), 0);
	assert_int_equal(spool_put(&spool, "b.record", text, 1, &err), -1);
	free(text);
}

static void a_spool_that_others_can_write_is_refused(void **state)
{
	struct error err;

	(void)state;
	chmod(conf.spool_dir, 0777);
	assert_int_equal(spool_open(&spool, &conf, run_fd, &err), -1);
	assert_non_null(strstr(err.text, "must belong to root"));
}

int main(void)
{
#define ON_DISK(test) cmocka_unit_test_setup_teardown(test, set_up_disk, tear_down)
#define WITHOUT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		ON_DISK(what_is_put_is_found_framed_and_roots_alone),
		ON_DISK(a_delivered_record_is_gone_and_a_later_one_stays),
		ON_DISK(the_oldest_is_tried_first_and_other_files_never),
		ON_DISK(one_in_other_hands_is_left_alone),
		ON_DISK(tries_become_rarer),
		ON_DISK(a_clock_that_is_set_back_does_not_hold_it_up),
		ON_DISK(a_restart_tries_all),
		ON_DISK(an_empty_spool_has_nothing_due),
		ON_DISK(what_is_too_old_is_given_up_after_a_last_try),
		ON_DISK(beyond_its_size_the_oldest_are_given_up),
		ON_DISK(beyond_its_size_who_has_most_gives_way_at_once),
		ON_DISK(beyond_their_number_who_has_most_gives_way),
		ON_DISK(the_user_stands_in_the_name),
		ON_DISK(a_record_that_another_goes_on_from_waits_for_that),
		ON_DISK(who_hangs_holds_up_himself_alone_and_once),
		ON_DISK(who_has_many_that_fail_holds_up_himself_alone),
		ON_DISK(who_has_many_that_come_slowly_holds_up_himself_alone),
		ON_DISK(what_no_try_can_deliver_is_given_up_at_once),
		ON_DISK(a_removed_directory_has_an_hour_to_come_back),
		ON_DISK(a_reason_is_news_once),
		ON_DISK(a_damaged_one_is_set_aside_and_the_last_ones_are_kept),
		ON_DISK(what_is_there_is_counted),
		ON_DISK(what_a_crash_left_half_written_goes_after_an_hour),
		WITHOUT(without_a_disk_records_wait_in_the_reserve_and_move_when_it_is_back),
		WITHOUT(the_reserve_takes_no_more_than_its_part_of_memory),
		ON_DISK(a_spool_that_others_can_write_is_refused),
	};

	return cmocka_run_group_tests_name("spool", tests, NULL, NULL);
}
