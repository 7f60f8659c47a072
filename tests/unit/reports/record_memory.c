/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a record is read, copied or joined whole, or with an error, whichever allocation fails. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>

#include "common/memory/memory_limit.h"
#include "reports/builder/record_join.h"
#include "reports/deliver/spooled_record.h"
#include "reports/store/store_line.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/failing_memory.h"

#ifdef MEMORY_SANITIZED
int main(void)
{
	puts("1..0 # SKIP a sanitizer has an allocator of its own");
	return 0;
}
#else
static void fail_at(unsigned long at)
{
	failing_memory_count = 0;
	failing_memory_at = at;
}

/* Returns whether the allocation @at failed. If so, a later one may fail, too. Lets none fail from now on. */
static bool has_failed(unsigned long at)
{
	failing_memory_at = 0;
	return failing_memory_count >= at;
}

static char *text_of(const struct record *record)
{
	size_t length;
	char *text = record_write(record, &length);

	assert_non_null(text);
	return text;
}

static struct record *read_file(const char *name)
{
	cleanup_json struct json_object *json = load(name);

	return record_of(json);
}

/* ---- reading ---- */

static void reads(const char *name)
{
	cleanup_record struct record *whole = read_file(name);
	cleanup_free char *text = text_of(whole);
	struct record_identity identity;
	struct error err;
	bool more = true;

	for (unsigned long at = 1; more; at++) {
		struct record *record;

		fail_at(at);
		errno = 0;
		record = record_parse(text, strlen(text), "r", &identity, &err);
		more = has_failed(at);
		if (more && (record || errno != ENOMEM))
			fail_msg("%s: allocation %lu failed, and errno is %d", name, at, errno);
		assert_true(more || record);
		record_free(record);
	}
}

static void a_record_that_there_is_no_memory_for_is_not_damaged(void **state)
{
	(void)state;
	reads("record-one.json");
	reads("record-two-n2.json");
}

static void nor_is_an_answer(void **state)
{
	cleanup_json struct json_object *json = load("slurm-two.json");
	const char *text = json_object_to_json_string(json);
	struct error err;
	bool more = true;

	(void)state;
	for (unsigned long at = 1; more; at++) {
		struct slurm_answer *answer;
		char *copy = strdup(text);

		fail_at(at);
		errno = 0;
		answer = slurm_answer_read(copy, strlen(text), "s", &err);
		more = has_failed(at);
		if (more && (answer || errno != ENOMEM))
			fail_msg("allocation %lu failed, and errno is %d", at, errno);
		assert_true(more || answer);
		slurm_answer_free(answer);
	}
}

static void nor_is_a_store_line(void **state)
{
	cleanup_record struct record *record = read_file("record-one.json");
	size_t length;
	struct error err;
	cleanup_free char *text = store_line_make(record, NULL, true, &length, &err);
	bool more = true;

	(void)state;
	assert_non_null(text);
	for (unsigned long at = 1; more; at++) {
		struct store_line line;
		int result;

		fail_at(at);
		errno = 0;
		result = store_line_read(text, length, "l", &line, &err);
		more = has_failed(at);
		if (more && (result == 0 || errno != ENOMEM))
			fail_msg("allocation %lu failed, and errno is %d", at, errno);
		assert_true(more || result == 0);
		store_line_free(&line);
	}
}

/* ---- copying ---- */

static void a_record_is_copied_whole_or_not_at_all(void **state)
{
	cleanup_record struct record *record = read_file("record-one.json");
	cleanup_free char *whole = text_of(record);
	bool more = true;

	(void)state;
	for (unsigned long at = 1; more; at++) {
		cleanup_record struct record *copy = NULL;
		cleanup_free char *text = NULL;

		fail_at(at);
		copy = record_copy(record);
		more = has_failed(at);
		assert_true(more || copy);
		text = copy ? text_of(copy) : NULL;
		if (text && strcmp(text, whole) != 0)
			fail_msg("allocation %lu failed, and the copy lacks something", at);
	}
}

/* ---- joining ---- */

/*
 * Joins record-one.json to the same an hour later, while the allocation @at fails. Returns what record_join()
 * returns.
 */
static int join(unsigned long at, struct record **later)
{
	cleanup_record struct record *former = read_file("record-one.json");
	struct error err;
	int result;

	*later = read_file("record-one.json");
	(*later)->opened_unix_ns += 3600 * NS_PER_S;
	(*later)->series.start_unix_ns += 3600 * NS_PER_S;
	fail_at(at);
	result = record_join(former, *later, &err);
	if (result < 0)
		assert_int_equal(errno, ENOMEM);
	return result;
}

static char *joined(void)
{
	cleanup_record struct record *record = NULL;

	assert_int_equal(join(0, &record), 0);
	return text_of(record);
}

/* If a record does not know that it lacks something, it would be written in place of the two. */
static void records_are_joined_whole_or_the_record_knows_what_it_lacks(void **state)
{
	cleanup_free char *whole = joined();
	unsigned long failures = 0;
	bool more = true;

	(void)state;
	for (unsigned long at = 1; more; at++) {
		cleanup_record struct record *record = NULL;
		cleanup_free char *text = NULL;
		int result = join(at, &record);

		more = has_failed(at);
		if (result < 0)
			assert_true(report_lacks_memory(record_memory(record)));
		failures += result < 0;
		text = text_of(record);
		if (result == 0 && strcmp(text, whole) != 0)
			fail_msg("allocation %lu failed, and the record of both lacks something", at);
	}
	assert_true(failures > 10);
}

/* ---- the spool ---- */

#define LAST "_.n1.7.1.3000.c.u5.record"

static char spool[] = "/tmp/stint-memory-XXXXXX";

/* Puts record-one.json into the spool, @hours later. */
static void put_record(const char *name, int hours)
{
	cleanup_record struct record *record = read_file("record-one.json");
	cleanup_free char *text = NULL;
	char path[128];
	FILE *file;

	record->opened_unix_ns += hours * 3600 * NS_PER_S;
	record->continues = hours > 0;
	text = text_of(record);
	snprintf(path, sizeof(path), "%s/%s", spool, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void fill_spool(void)
{
	put_record("_.n1.7.1.1000.u5.record", 0);
	put_record("_.n1.7.1.2000.c.u5.record", 1);
	put_record(LAST, 2);
}

/*
 * Joins the spool's last record to all others while the allocation @at fails.
 * Returns what is delivered; NULL: a retry follows.
 */
static char *join_spooled(unsigned long at)
{
	cleanup_record struct record *record = NULL;
	struct record_identity identity;
	struct conf conf = { 0 };
	struct error err;
	char path[128];
	int result = -1;

	snprintf(path, sizeof(path), "%s/" LAST, spool);
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s", spool);
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s/none", spool);
	fail_at(at);
	record = spooled_record_read(AT_FDCWD, path, &identity, &err);
	if (record)
		result = spooled_record_join(record, path, &conf, &err);
	else
		assert_true(errno != EBADMSG && errno != EPROTONOSUPPORT);
	failing_memory_at = 0;
	return result == 0 ? text_of(record) : NULL;
}

static void a_record_is_delivered_with_all_that_it_continues_or_tried_again(void **state)
{
	cleanup_free char *whole = NULL;
	unsigned long refused = 0;
	char command[64];
	bool more = true;

	(void)state;
	assert_non_null(mkdtemp(spool));
	fill_spool();
	whole = join_spooled(0);
	assert_non_null(whole);
	for (unsigned long at = 1; more; at++) {
		cleanup_free char *text = NULL;

		fill_spool();
		text = join_spooled(at);
		more = failing_memory_count >= at;
		refused += !text;
		if (!text)
			text = join_spooled(0);
		if (!text || strcmp(text, whole) != 0)
			fail_msg("allocation %lu failed, and the record lacks something", at);
	}
	assert_true(refused > 10);
	snprintf(command, sizeof(command), "rm -r %s", spool);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_that_there_is_no_memory_for_is_not_damaged),
		cmocka_unit_test(nor_is_an_answer),
		cmocka_unit_test(nor_is_a_store_line),
		cmocka_unit_test(a_record_is_copied_whole_or_not_at_all),
		cmocka_unit_test(records_are_joined_whole_or_the_record_knows_what_it_lacks),
		cmocka_unit_test(a_record_is_delivered_with_all_that_it_continues_or_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
