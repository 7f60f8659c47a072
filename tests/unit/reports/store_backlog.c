/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that lines for the store are sealed into batches, each line exactly once, wherever a process is killed. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/json/field.h"
#include "reports/store/store_backlog_internal.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/fixture.h"
#include "tests/unit/reports/killed.h"
#include "tests/unit/within.h"

static char spool[64], record_path[80], store_dir[80];
static struct store_backlog backlog;
static struct record *record;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void empty(void)
{
	store_backlog_close(&backlog);
	nftw(spool, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void begin(void)
{
	struct error err = { "" };
	FILE *file;

	assert_int_equal(mkdir(spool, 0700), 0);
	assert_int_equal(mkdir(store_dir, 0755), 0);
	file = fopen(record_path, "w");
	assert_non_null(file);
	fclose(file);
	if (store_backlog_open(&backlog, spool, &err) < 0 || store_backlog_resume(&backlog, &err) < 0)
		fail_msg("%s", err.text);
}

static int set_up(void **state)
{
	cleanup_json struct json_object *json = load("record-one.json");

	(void)state;
	strcpy(spool, "/tmp/stint-store-XXXXXX");
	if (!mkdtemp(spool))
		return -1;
	rmdir(spool);
	snprintf(record_path, sizeof(record_path), "%s/one.record", spool);
	snprintf(store_dir, sizeof(store_dir), "%s/place", spool);
	record = record_of(json);
	begin();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	empty();
	record_free(record);
	return 0;
}

static void set_job(int64_t id)
{
	record->identity.job_id = id;
}

static void set_user(int64_t uid)
{
	record->user.uid = uid;
}

static int put(const char *path)
{
	struct store_backlog_line line;
	struct error err = { "" };
	int result = store_backlog_make(&line, record, NULL, true, path, &err);

	if (result == 0)
		result = store_backlog_put(&backlog, &line, &err);
	free(line.text);
	if (result < 0)
		fail_msg("%s", err.text);
	return result;
}

static void put_jobs(int64_t first, int count)
{
	for (int i = 0; i < count; i++) {
		set_job(first + i);
		put(NULL);
	}
}

static void seal(bool all)
{
	struct error err = { "" };

	if (store_backlog_seal(&backlog, all, 3600, &err) < 0)
		fail_msg("%s", err.text);
}

static struct store_backlog_counts count(void)
{
	struct store_backlog_counts counts;

	store_backlog_count(&backlog, &counts);
	return counts;
}

/* ---- what batches have ---- */

static struct json_object *head_of(const char *text)
{
	cleanup_free char *line = strndup(text, strcspn(text, "\n"));

	return field_parse(line, strlen(line), "head", json_type_object, NULL);
}

static void take_batch(const char *name, const char *text, int *seen, size_t most)
{
	cleanup_json struct json_object *head = head_of(text);
	struct store_batch_head of_head = { .boot = field_text(head, "boot"), .node = field_text(head, "node") };
	char named[NAME_MAX + 1], file[NAME_MAX + 1];
	int64_t lines = 0, sequence = 0;

	assert_true(store_batch_is_name(name));
	assert_true(field_count(head, "lines", &lines) && field_count(head, "sequence", &sequence));
	assert_int_equal(store_batch_head_lines(text, strlen(text)), lines);
	of_head.sequence = (uint64_t)sequence;
	store_batch_name(&of_head, named);
	store_backlog_batch_name(name, file);
	assert_string_equal(named, file);
	for (text = strchr(text, '\n') + 1; *text; text = strchr(text, '\n') + 1, lines--) {
		cleanup_free char *one = strndup(text, strcspn(text, "\n"));
		struct error err = { "" };
		struct store_line line;

		if (store_line_read(one, strlen(one), name, &line, &err) < 0)
			fail_msg("%s", err.text);
		assert_within(line.identity.job_id, 1, most);
		seen[line.identity.job_id]++;
		store_line_free(&line);
	}
	assert_int_equal(lines, 0);
}

static void take_batches(int dirfd, int *seen, size_t most)
{
	cleanup_files struct store_files files = { 0 };
	struct error err;

	assert_int_equal(store_files_list(dirfd, "", &files, &err), 0);
	for (size_t i = 0; i < files.count; i++) {
		cleanup_free char *text = file_read(dirfd, files.files[i].name, STORE_BATCH_MAX, NULL, &err);

		assert_non_null(text);
		take_batch(files.files[i].name, text, seen, most);
	}
}

static void each_is_in_one_batch(int jobs)
{
	int seen[1024] = { 0 };

	take_batches(backlog.batches_fd, seen, 1023);
	for (int i = 1; i <= jobs; i++)
		assert_int_equal(seen[i], 1);
}

static void lines_are_sealed_in_batches_of_256(void **state)
{
	(void)state;
	put_jobs(1, 600);
	assert_int_equal(count().lines, 600);
	seal(false);
	assert_int_equal(count().lines, 600 - 512);
	assert_int_equal(count().batches, 2);
	seal(true);
	assert_int_equal(count().lines, 0);
	assert_int_equal(count().batches, 3);
	each_is_in_one_batch(600);
}

static void a_line_waits_no_longer_than_it_may(void **state)
{
	const struct timespec long_ago[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	const struct timespec to_come[2] = { { .tv_sec = 0x7fff0000 }, { .tv_sec = 0x7fff0000 } };
	cleanup_files struct store_files files = { 0 };

	(void)state;
	put_jobs(1, 2);
	seal(false);
	assert_int_equal(count().batches, 0);
	assert_int_equal(store_files_list(backlog.lines_fd, "", &files, NULL), 0);
	utimensat(backlog.lines_fd, files.files[0].name, long_ago, 0);
	seal(false);
	assert_int_equal(count().batches, 1);
	/* The clock was set back. */
	put_jobs(3, 1);
	store_files_free(&files);
	assert_int_equal(store_files_list(backlog.lines_fd, "", &files, NULL), 0);
	utimensat(backlog.lines_fd, files.files[0].name, to_come, 0);
	seal(false);
	assert_int_equal(count().batches, 2);
	each_is_in_one_batch(3);
}

static void a_later_line_of_the_same_record_replaces_the_earlier(void **state)
{
	int seen[8] = { 0 };

	(void)state;
	set_job(1);
	put(NULL);
	put(NULL);
	assert_int_equal(count().lines, 1);
	seal(true);
	take_batches(backlog.batches_fd, seen, 7);
	assert_int_equal(seen[1], 1);
}

/* slurmctld's state was lost, and job ids begin again. */
static void another_job_of_the_same_number_has_its_own_line(void **state)
{
	(void)state;
	set_job(1);
	put(NULL);
	assert_true(record->collector.closed_unix_ns > 0);
	record->collector.closed_unix_ns += 1000000000;
	put(NULL);
	assert_int_equal(count().lines, 2);
}

/* Some file systems have no extended attributes. */
static bool has_attributes(void)
{
	return setxattr(record_path, "user.stint.test", "1", 1, 0) == 0;
}

static void a_record_that_is_delivered_again_has_no_second_line(void **state)
{
	cleanup_json struct json_object *json = load("slurm-one.json");
	cleanup_answer struct slurm_answer *slurm = answer_of(json);
	struct store_backlog_line line;

	(void)state;
	if (!has_attributes())
		skip();
	set_job(1);
	put(record_path);
	seal(true);
	put(record_path);
	assert_int_equal(count().lines, 0);
	assert_int_equal(store_backlog_make(&line, record, slurm_answer_job(slurm), true, record_path, NULL), 0);
	assert_non_null(line.text);
	assert_int_equal(store_backlog_put(&backlog, &line, NULL), 0);
	free(line.text);
	assert_int_equal(count().lines, 1);
}

static void a_sequence_goes_on_and_a_lost_one_begins_anew_under_another_name(void **state)
{
	char first[NAME_MAX + 1], second[NAME_MAX + 1], boot[STORE_BATCH_BOOT];

	(void)state;
	put_jobs(1, 1);
	seal(true);
	strcpy(boot, backlog.state.boot);
	assert_int_equal(store_backlog_oldest(&backlog, first, NULL), 1);
	assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
	assert_string_equal(backlog.state.boot, boot);
	assert_int_equal(backlog.state.sequence, 1);
	assert_int_equal(store_backlog_remove(&backlog, first, NULL), 0);
	usleep(2000); /* the name has milliseconds */
	assert_int_equal(unlinkat(backlog.fd, "state", 0), 0);
	assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
	put_jobs(2, 1);
	seal(true);
	assert_int_equal(store_backlog_oldest(&backlog, second, NULL), 1);
	assert_string_not_equal(first, second);
	assert_int_equal(backlog.state.sequence, 1);
}

static void what_no_state_can_be_is_not_believed(void **state)
{
	static const char *const texts[] = {
		"", "store", "store 1 x y z\n", "store 2 000000000000-1 1 1 -\n.\n", "store 1 0123456789ab-1 99 99 -",
		"store 1 000000000000-1 5 5 -\n.\n", "store 1 000000000000111111111111111111111111111111111 5 5 -\n.\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(file_write(backlog.fd, "state", 0600, texts[i], strlen(texts[i]), NULL), 0);
		assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
		assert_int_equal(backlog.state.sequence, 0);
		assert_int_equal(backlog.state.dropped, 0);
		assert_non_null(strchr(backlog.state.boot, '-'));
	}
}

static void the_oldest_are_dropped_and_counted(void **state)
{
	struct error err = { "" };
	uint64_t bytes;

	(void)state;
	put_jobs(1, 3);
	seal(true);
	put_jobs(4, 2);
	seal(true);
	put_jobs(6, 4);
	bytes = count().bytes;
	assert_int_equal(store_backlog_bound(&backlog, bytes, NULL, &err), 0);
	assert_int_equal(count().dropped, 0);
	assert_int_equal(store_backlog_bound(&backlog, bytes - 1, NULL, &err), 0);
	assert_int_equal(count().dropped, 3);
	assert_int_equal(count().batches, 1);
	assert_int_equal(count().lines, 4);
	/* The next batch reports how many lines were dropped. */
	seal(true);
	assert_int_equal(store_backlog_resume(&backlog, &err), 0);
	assert_int_equal(count().dropped, 3);
	put_jobs(10, 2);
	assert_int_equal(store_backlog_bound(&backlog, 1, NULL, &err), 0);
	assert_int_equal(count().dropped, 3 + 2 + 4 + 2);
	assert_int_equal(count().bytes, 0);
	put_jobs(20, 1);
	seal(true);
	{
		cleanup_json struct json_object *head = NULL;
		char name[NAME_MAX + 1];
		cleanup_free char *text = NULL;
		int64_t dropped = 0;

		assert_int_equal(store_backlog_oldest(&backlog, name, &err), 1);
		text = file_read(backlog.batches_fd, name, STORE_BATCH_MAX, NULL, &err);
		head = head_of(text);
		assert_true(field_count(head, "dropped", &dropped));
		assert_int_equal(dropped, 11);
	}
}

/* ---- whose lines are dropped ---- */

enum { VICTIM = 1001, ATTACKER = 1002, ANOTHER = 1003 };

static void put_of(int64_t uid, int64_t first, int count)
{
	set_user(uid);
	put_jobs(first, count);
}

/* Drops all but @max_bytes. Returns the user whose lines were dropped last; 0: none were. */
static uint32_t bound(uint64_t max_bytes)
{
	struct error err = { "" };
	uint32_t uid = 0;

	if (store_backlog_bound(&backlog, max_bytes, &uid, &err) < 0)
		fail_msg("%s", err.text);
	return uid;
}

/* Returns how many lines of the jobs from @first on are left. All are sealed, so batches have them. */
static int still_there(int first, int count)
{
	int seen[1024] = { 0 }, found = 0;

	seal(true);
	take_batches(backlog.batches_fd, seen, 1023);
	for (int i = first; i < first + count; i++)
		found += seen[i];
	return found;
}

static size_t batches_of(uint32_t uid)
{
	cleanup_files struct store_files files = { 0 };
	size_t found = 0;

	assert_int_equal(store_files_list(backlog.batches_fd, STORE_BATCH_SUFFIX, &files, NULL), 0);
	for (size_t i = 0; i < files.count; i++)
		found += files.files[i].uid == uid;
	return found;
}

static void users_share_a_batch_only_where_no_other_waits(void **state)
{
	(void)state;
	put_of(VICTIM, 1, 2);
	put_of(ATTACKER, 11, 2);
	seal(true);
	assert_int_equal(count().batches, 1);
	assert_int_equal(batches_of(STORE_BACKLOG_NO_USER), 1);
	put_of(VICTIM, 3, 2);
	put_of(ATTACKER, 13, 300);
	seal(true);
	assert_int_equal(count().batches, 1 + 1 + 2);
	assert_int_equal(batches_of(VICTIM), 1);
	assert_int_equal(batches_of(ATTACKER), 2);
	assert_int_equal(still_there(1, 400), 306);
}

static void a_first_batch_of_many_is_shared_and_the_others_are_not(void **state)
{
	(void)state;
	for (int i = 0; i < 200; i++) {
		put_of(VICTIM, 1 + i, 1);
		put_of(ATTACKER, 301 + i, 1);
	}
	seal(true);
	assert_int_equal(count().batches, 3);
	assert_int_equal(batches_of(STORE_BACKLOG_NO_USER), 1);
	assert_int_equal(still_there(1, 600), 400);
}

static void who_has_most_loses_the_oldest_lines(void **state)
{
	uint64_t bytes;

	(void)state;
	put_of(VICTIM, 1, 5);
	put_of(ATTACKER, 11, 6);
	bytes = count().bytes;
	assert_int_equal(bound(bytes), 0);
	assert_int_equal(count().dropped, 0);
	assert_int_equal(bound(bytes - 1), ATTACKER);
	assert_int_equal(count().dropped, 1);
	assert_int_equal(still_there(11, 1), 0);
	assert_int_equal(still_there(1, 5), 5);
	assert_int_equal(still_there(12, 5), 5);
}

/* A user ends jobs by the hundred, again and again, while the store is unreachable. */
static void a_flood_drops_nothing_of_another_users(void **state)
{
	uint64_t most;
	uint32_t uid;

	(void)state;
	put_of(VICTIM, 1, 4);
	seal(true);
	put_of(ANOTHER, 11, 100);
	seal(true);
	most = 3 * count().bytes; /* neither user has a third of it */
	for (int round = 0; round < 6; round++) {
		put_of(ATTACKER, 201 + 130 * round, 130);
		put_of(VICTIM, 5 + round, 1);
		seal(round % 2);
		uid = bound(most);
		assert_true(uid == ATTACKER || uid == 0);
		assert_true(count().bytes <= most);
	}
	assert_int_equal(still_there(1, 10), 10);
	assert_int_equal(still_there(11, 100), 100);
	assert_true(count().dropped >= 500);
}

/* A line that an earlier version has left, and a batch. */
static void what_has_no_user_counts_as_one_users(void **state)
{
	struct store_files files = { 0 };
	char old[NAME_MAX + 1];

	(void)state;
	put_of(ATTACKER, 11, 3);
	assert_int_equal(store_files_list(backlog.lines_fd, "", &files, NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		snprintf(old, sizeof(old), "%.*s", (int)strcspn(files.files[i].name, "u") - 1, files.files[i].name);
		assert_int_equal(renameat(backlog.lines_fd, files.files[i].name, backlog.lines_fd, old), 0);
	}
	store_files_free(&files);
	put_of(VICTIM, 1, 1);
	assert_int_equal(bound(count().bytes - 1), STORE_BACKLOG_NO_USER);
	assert_int_equal(still_there(1, 1), 1);
	assert_int_equal(still_there(11, 3), 2);
}

static void a_batchs_name_in_the_store_has_no_user(void **state)
{
	static const char *const names[][2] = {
		{ "n.0123456789ab-1.0000000001.u7.ndjson", "n.0123456789ab-1.0000000001.ndjson" },
		{ "n.0123456789ab-1.0000000001.ndjson", "n.0123456789ab-1.0000000001.ndjson" },
		{ "n.u1.0123456789ab-1.0000000001.ndjson", "n.u1.0123456789ab-1.0000000001.ndjson" },
		{ "n.u1.0123456789ab-1.0000000001.u7.ndjson", "n.u1.0123456789ab-1.0000000001.ndjson" },
	};
	char name[NAME_MAX + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		store_backlog_batch_name(names[i][0], name);
		assert_string_equal(name, names[i][1]);
	}
}

static void a_batch_that_was_counted_as_dropped_is_not_counted_twice(void **state)
{
	struct error err = { "" };
	char name[NAME_MAX + 1];

	(void)state;
	put_jobs(1, 3);
	seal(true);
	assert_int_equal(store_backlog_oldest(&backlog, name, &err), 1);
	backlog.state.dropped = 3;
	strcpy(backlog.state.dropping, name);
	assert_int_equal(store_state_write(&backlog, &err), 0);
	assert_int_equal(store_backlog_resume(&backlog, &err), 0);
	assert_int_equal(count().batches, 0);
	assert_int_equal(count().dropped, 3);
}

static void a_damaged_line_is_left_out_and_counted(void **state)
{
	static const char *const texts[] = { "", "\n", "{\"stint_store\":1}",
					     "{\"stint_store\":1}\n{\"stint_store\":1}\n", "no line at all\n" };
	char name[16];

	(void)state;
	put_jobs(1, 1);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(name, sizeof(name), "%zu.1.0", i + 100);
		assert_int_equal(file_write(backlog.lines_fd, name, 0600, texts[i], strlen(texts[i]), NULL), 0);
	}
	seal(true);
	assert_int_equal(count().lines, 0);
	assert_int_equal(count().dropped, sizeof(texts) / sizeof(texts[0]));
	each_is_in_one_batch(1);
}

static void two_do_not_have_one_lock(void **state)
{
	struct error err = { "" };
	int first, second;

	(void)state;
	first = store_backlog_lock(&backlog, STORE_BACKLOG_LOCK, 0, &err);
	assert_true(first >= 0);
	second = store_backlog_lock(&backlog, STORE_BACKLOG_LOCK, 30, &err);
	assert_int_equal(second, -1);
	assert_int_equal(errno, EWOULDBLOCK);
	close(first);
	second = store_backlog_lock(&backlog, STORE_BACKLOG_LOCK, 0, &err);
	assert_true(second >= 0);
	close(second);
}

/* ---- kills ---- */

static void seal_work(void)
{
	if (store_backlog_resume(&backlog, NULL) < 0 || store_backlog_seal(&backlog, true, 0, NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_sealing_loses_and_doubles_no_line(void **state)
{
	bool ended = false;

	(void)state;
	for (int stop = 1; !ended; stop++) {
		empty();
		begin();
		put_jobs(1, 3);
		ended = killed_at(stop, seal_work);
		put_jobs(4, 1);
		assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
		seal(true);
		assert_int_equal(count().lines, 0);
		each_is_in_one_batch(4);
	}
}

static void put_work(void)
{
	struct store_backlog_line line;

	if (store_backlog_make(&line, record, NULL, true, record_path, NULL) < 0 || store_backlog_put(&backlog, &line, NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_putting_loses_and_doubles_no_line(void **state)
{
	bool ended = false;

	(void)state;
	if (!has_attributes())
		skip();
	set_job(1);
	for (int stop = 1; !ended; stop++) {
		empty();
		begin();
		ended = killed_at(stop, put_work);
		seal(true); /* what is there is sealed before the record is delivered again */
		put(record_path);
		seal(true);
		each_is_in_one_batch(1);
	}
}

static void bound_work(void)
{
	if (store_backlog_resume(&backlog, NULL) < 0 || store_backlog_bound(&backlog, 1, NULL, NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_dropping_counts_each_batch_once(void **state)
{
	bool ended = false;

	(void)state;
	for (int stop = 1; !ended; stop++) {
		empty();
		begin();
		put_jobs(1, 2);
		seal(true);
		put_jobs(3, 3);
		seal(true);
		ended = killed_at(stop, bound_work);
		assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
		assert_int_equal(store_backlog_bound(&backlog, 1, NULL, NULL), 0);
		assert_int_equal(count().batches, 0);
		assert_int_equal(count().dropped, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(lines_are_sealed_in_batches_of_256),
		TEST(a_line_waits_no_longer_than_it_may),
		TEST(a_later_line_of_the_same_record_replaces_the_earlier),
		TEST(another_job_of_the_same_number_has_its_own_line),
		TEST(a_record_that_is_delivered_again_has_no_second_line),
		TEST(a_sequence_goes_on_and_a_lost_one_begins_anew_under_another_name),
		TEST(what_no_state_can_be_is_not_believed),
		TEST(the_oldest_are_dropped_and_counted),
		TEST(users_share_a_batch_only_where_no_other_waits),
		TEST(a_first_batch_of_many_is_shared_and_the_others_are_not),
		TEST(who_has_most_loses_the_oldest_lines),
		TEST(a_flood_drops_nothing_of_another_users),
		TEST(what_has_no_user_counts_as_one_users),
		TEST(a_batchs_name_in_the_store_has_no_user),
		TEST(a_batch_that_was_counted_as_dropped_is_not_counted_twice),
		TEST(a_damaged_line_is_left_out_and_counted),
		TEST(two_do_not_have_one_lock),
		TEST(a_kill_in_the_middle_of_sealing_loses_and_doubles_no_line),
		TEST(a_kill_in_the_middle_of_putting_loses_and_doubles_no_line),
		TEST(a_kill_in_the_middle_of_dropping_counts_each_batch_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
