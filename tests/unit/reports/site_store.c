/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the store's tables and statements keep what databases have: keys, and the numbers of words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/database/database_sql.h"
#include "reports/facts/fact.h"
#include "reports/facts/line_rows.h"
#include "reports/facts/node_list.h"
#include "reports/facts/site_tables.h"
#include "reports/groups/job_conditions.h"
#include "reports/ingest/node_ledger.h"
#include "reports/site_cmd/watch_retry.h"
#include "tests/unit/within.h"

/* ---- statements ---- */

static bool is_shared(const struct database_table *table)
{
	return table == &table_cluster;
}

static void check_statement(const struct database_table *table, const char *sql, enum sql_engine engine,
			    enum sql_what what, size_t columns)
{
	static const char *const never[] = { "REFERENCES", "SERIAL",        " serial", " bigserial",
					     "nextval",    "AUTOINCREMENT", "DEFAULT", "'" };

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (strstr(sql, never[i]))
			fail_msg("%s: %s", never[i], sql);
	if (what == SQL_CREATE && !is_shared(table) && !strstr(strstr(sql, "PRIMARY KEY ("), "cluster"))
		fail_msg("the cluster is not in the key: %s", sql);
	if (what == SQL_INDEX && !strstr(sql, "(cluster, "))
		fail_msg("the cluster is not in the index: %s", sql);
	if ((what == SQL_FIND || what == SQL_ERASE) && columns && !is_shared(table) &&
	    !strstr(sql, engine == SQL_POSTGRES ? "t.cluster = k.cluster" : "cluster = ?"))
		fail_msg("no cluster is asked for: %s", sql);
	if ((what == SQL_SPAN || what == SQL_SPAN_OWN) && !strstr(sql, engine == SQL_POSTGRES ? "cluster = $1::bigint" : "cluster = ?"))
		fail_msg("no cluster is asked for: %s", sql);
}

static void every_statement_can_be_routed_by_the_cluster(void **state)
{
	size_t checked = 0;

	(void)state;
	for (const struct database_table *const *table = site_tables; *table; table++)
		for (enum sql_engine engine = SQL_SQLITE; engine <= SQL_POSTGRES; engine++)
			for (enum sql_what what = 0; what < SQL_WHATS; what++)
				for (size_t columns = 0; columns <= (*table)->key; columns++) {
					cleanup_free char *sql = sql_make(engine, what, *table, 202611, columns);

					if (!sql) {
						assert_true(what == SQL_INDEX || what == SQL_SPAN || what == SQL_SPAN_OWN ||
							    (engine == SQL_SQLITE && (what == SQL_ACCESS || what == SQL_LET_READ ||
										      what == SQL_HIDDEN)));
						continue;
					}
					check_statement(*table, sql, engine, what, columns);
					checked++;
				}
	assert_true(checked > 300);
}

static void a_table_says_all_that_its_key_needs(void **state)
{
	(void)state;
	for (const struct database_table *const *table = site_tables; *table; table++) {
		assert_true((*table)->key >= 1 && (*table)->key <= (*table)->column_count);
		if (!is_shared(*table))
			assert_string_equal((*table)->columns[0].name, "cluster");
		for (size_t i = 0; i < (*table)->column_count; i++)
			for (size_t k = 0; k < i; k++)
				assert_string_not_equal((*table)->columns[i].name, (*table)->columns[k].name);
	}
}

/* ---- numbers ---- */

static void words_keep_their_numbers(void **state)
{
	(void)state;
	for (enum finding f = 0; f < FINDING_COUNT; f++) {
		assert_within(finding_number(f), 0, 62);
		assert_int_equal(finding_of_number(finding_number(f)), f);
	}
	for (enum bound b = 0; b <= BOUND_UNKNOWN; b++) {
		assert_within(verdict_number(b), 0, 63);
		assert_int_equal(verdict_of_number(verdict_number(b)), b);
	}
	for (enum job_end e = 0; e < JOB_END_COUNT; e++) {
		assert_within(end_number(e), 0, JOB_END_COUNT - 1);
		assert_int_equal(end_of_number(end_number(e)), e);
	}
	assert_int_equal(finding_number(FINDING_OOM_KILL), 0);
	assert_int_equal(finding_number(FINDING_CROWDED), 7);
	assert_int_equal(finding_number(FINDING_NODE_IDLE), 14);
	assert_int_equal(finding_number(FINDING_STALLED), 22);
	assert_int_equal(finding_number(FINDING_TOOLS_FAILED), 29);
	assert_int_equal(finding_number(FINDING_NOT_FOUND), 33);
	assert_int_equal(finding_number(FINDING_SLOW_LAUNCH), 34);
	assert_int_equal(verdict_number(BOUND_CPU), 4);
	assert_int_equal(verdict_number(BOUND_UNKNOWN), 11);
	assert_int_equal(end_number(JOB_END_NODE_FAIL), 5);
	assert_int_equal(finding_of_number(63), FINDING_COUNT);
	assert_int_equal(finding_of_number(-1), FINDING_COUNT);
	assert_int_equal(findings_of_numbers(findings_to_numbers(0x2a5a5a5a)), 0x2a5a5a5a);
}

/* ---- lists of nodes ---- */

static void check_list(const char *list, const char *expected)
{
	char joined[512] = "";
	size_t count;
	char **names = node_list_expand(list, &count);

	if (!expected) {
		assert_null(names);
		return;
	}
	assert_non_null(names);
	for (size_t i = 0; i < count; i++)
		snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s%s", i ? " " : "", names[i]);
	assert_string_equal(joined, expected);
	node_list_free(names, count);
}

static void a_list_of_nodes_is_read_as_slurm_writes_it(void **state)
{
	(void)state;
	check_list("n1", "n1");
	check_list("n[1-3],gpu7", "n1 n2 n3 gpu7");
	check_list("n[08-11,20]-ib", "n08-ib n09-ib n10-ib n11-ib n20-ib");
	check_list("r[1-2]n[0-1]", "r1n0 r1n1 r2n0 r2n1");
	check_list("", NULL);
	check_list("n[", NULL);
	check_list("n[1-", NULL);
	check_list("n[3-1]", NULL);
	check_list("n1,,n2", NULL);
	check_list("n1,", NULL);
	check_list("n[1-99999999]", NULL);
	check_list("a[1-9999]b[1-9999]c[1-9999]", NULL);
}

/* ---- databases ---- */

struct place {
	char directory[64], database[96];
};

static struct database *open_in(struct place *place)
{
	struct error err;
	struct database *db;

	if (!place->directory[0]) {
		strcpy(place->directory, "/tmp/site-store-XXXXXX");
		assert_non_null(mkdtemp(place->directory));
		snprintf(place->database, sizeof(place->database), "%s/db.sqlite", place->directory);
	}
	db = database_open(place->database, site_tables, false, &err);
	if (!db)
		fail_msg("%s", err.text);
	return db;
}

static void remove_place(const struct place *place)
{
	static const char *const ends[] = { "", "-wal", "-shm", ".lock" };
	char name[128];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", place->database, ends[i]);
		unlink(name);
	}
	assert_int_equal(rmdir(place->directory), 0);
}

static struct database_value text_of(const char *text)
{
	return (struct database_value){ .kind = VALUE_TEXT, .data = text, .size = strlen(text) };
}

static void put_missing(struct database *db, int month, int64_t job_id)
{
	struct database_value row[MISSING_COLUMNS];
	struct error err;

	for (size_t i = 0; i < MISSING_COLUMNS; i++)
		row[i] = database_int(1);
	row[1] = database_int(job_id);
	row[MISSING_AT_NAME] = text_of("sim");
	assert_int_equal(database_begin(db, &err), 0);
	if (database_insert(db, &table_missing, month, row, 1, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(database_commit(db, &err), 0);
}

static void who_gets_the_lock_knows_the_months_that_another_one_made(void **state)
{
	struct place place = { 0 };
	struct database *one = open_in(&place), *other = open_in(&place);
	struct error err;

	(void)state;
	assert_int_equal(database_lock(one, &err), 1);
	assert_int_equal(database_lock(other, &err), 0);
	put_missing(one, 202611, 1);
	database_close(one);
	assert_int_equal(database_months(other, &table_missing)[0], 0);
	assert_int_equal(database_lock(other, &err), 1);
	assert_int_equal(database_months(other, &table_missing)[0], 202611);
	put_missing(other, 202611, 2);
	database_close(other);
	remove_place(&place);
}

static int note_text(void *context, const char *text, size_t length, struct error *err)
{
	char *found = context;

	(void)err;
	memcpy(found + strlen(found), text, length + 1);
	return 0;
}

/* The keys differ only in the cluster, or only in the month. */
static void lines_of_two_clusters_or_months_share_no_row_though_their_jobs_have_one_key(void **state)
{
	static const struct line_owner owner = { 1000, 1, 1763678225 };
	char *const texts[] = { "{\"stint_store\":1,\"a\":1}", "{\"stint_store\":1,\"b\":2}", "{\"stint_store\":1,\"c\":3}" };
	struct job_line lines[3] = { 0 }, *const list[] = { &lines[0], &lines[1], &lines[2] };
	struct line_rows_job jobs[] = {
		{ 202611, 1, 5, 6, owner, &list[0], 1 },
		{ 202611, 2, 5, 6, owner, &list[1], 1 },
		{ 202612, 2, 5, 6, owner, &list[2], 1 },
	};
	struct line_packer *packer = line_packer_new();
	struct place place = { 0 };
	struct database *db = open_in(&place);
	struct error err = { "" };

	(void)state;
	for (size_t i = 0; i < 3; i++)
		lines[i] = (struct job_line){ .text = texts[i], .length = strlen(texts[i]) };
	assert_int_equal(database_begin(db, &err), 0);
	if (line_rows_write(db, packer, jobs, 3, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(database_commit(db, &err), 0);
	for (size_t i = 0; i < 3; i++) {
		const struct line_rows_key key = { i < 2 ? 202611 : 202612, i ? 2 : 1, owner };
		char found[128] = "";

		assert_int_equal(line_rows_find(db, packer, &key, note_text, found, &err), 0);
		assert_string_equal(found, texts[i]);
		free((void *)lines[i].split);
	}
	database_close(db);
	line_packer_free(packer);
	remove_place(&place);
}

static void put_batch(struct database *db, const char *name, const char *sealed, int dropped)
{
	const struct database_value row[] = { database_int(1),	   text_of(name),    text_of("n1"), text_of(sealed),
					      text_of("0123456789"), database_int(1), database_int(dropped), database_int(1) };
	struct error err;

	if (database_insert(db, &table_batch, 0, row, 1, &err) < 0)
		fail_msg("%s", err.text);
}

/* 2026-11-01 12:00 is 1793534400 (date -u -d '2026-11-01 12:00' +%s). */
static void lines_that_were_dropped_long_after_a_job_are_not_its_own(void **state)
{
	const int64_t noon_us = INT64_C(1793534400000000), day_us = INT64_C(86400000000);
	struct place place = { 0 };
	struct database *db = open_in(&place);
	struct node_ledger ledger = { 0 };
	struct error err;

	(void)state;
	put_batch(db, "n1.a.0000000001.ndjson", "2026-11-01T11:00:00.000+00:00", 0);
	put_batch(db, "n1.a.0000000002.ndjson", "2026-11-01T13:00:00.000+00:00", 0);
	put_batch(db, "n1.a.0000000003.ndjson", "2026-11-20T12:00:00.000+00:00", 5);
	assert_int_equal(node_ledger_read(&ledger, db, 1, &err), 0);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us), MISSING_UNKNOWN);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 11 * day_us), MISSING_UNKNOWN);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 13 * day_us), MISSING_DROPPED);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 20 * day_us), MISSING_NOT_YET);
	assert_int_equal(node_ledger_reason(&ledger, "n2", noon_us), MISSING_NO_STINT);
	node_ledger_free(&ledger);
	database_close(db);
	remove_place(&place);
}

/* Batches have numbers: if one is missing between two that came, the record may be in it. */
static void a_batch_that_has_not_come_is_a_reason(void **state)
{
	const int64_t noon_us = INT64_C(1793534400000000), hour_us = INT64_C(3600000000);
	struct place place = { 0 };
	struct database *db = open_in(&place);
	struct node_ledger ledger = { 0 };
	struct error err;

	(void)state;
	put_batch(db, "n1.a.0000000008.ndjson", "2026-11-01T11:00:00.000+00:00", 0);
	put_batch(db, "n1.a.0000000010.ndjson", "2026-11-01T13:00:00.000+00:00", 0);
	put_batch(db, "n1.a.0000000011.ndjson", "2026-11-01T15:00:00.000+00:00", 0);
	put_batch(db, "n1.b.0000000005.ndjson", "2026-11-01T17:00:00.000+00:00", 0); /* after a boot, numbers begin again */
	assert_int_equal(node_ledger_read(&ledger, db, 1, &err), 0);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us), MISSING_NOT_YET);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 2 * hour_us), MISSING_UNKNOWN);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 4 * hour_us), MISSING_UNKNOWN);
	node_ledger_free(&ledger);
	database_close(db);
	remove_place(&place);
}

static void pauses_grow_to_a_minute_and_start_anew_after_a_success(void **state)
{
	static const int pauses[] = { 1, 2, 4, 8, 16, 32, 60, 60 };
	struct watch_retry retry = { 0 };
	struct error reason;

	(void)state;
	error_set(&reason, "the server is away");
	for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++)
		assert_int_equal(watch_retry_failed(&retry, "test", &reason), pauses[i]);
	watch_retry_worked(&retry, "test");
	assert_int_equal(watch_retry_failed(&retry, "test", &reason), 1);
}

/* Each size is two conditions. A condition less would count other jobs, too. */
static void a_question_with_more_conditions_than_there_is_room_for_fails(void **state)
{
	struct job_filter filters[JOB_CONDITIONS_MAX];
	struct words words = { { 0 } };
	struct job_conditions all = { .words = &words };
	struct error err = { "" };

	(void)state;
	for (size_t i = 0; i < JOB_CONDITIONS_MAX; i++)
		filters[i] = (struct job_filter){ .key = JOB_KEY_SIZE, .value = "2-8" };
	assert_int_equal(job_conditions_make(&all, filters, JOB_FILTERS_MAX, &err), 0);
	assert_int_equal(all.count, 3 + 2 * JOB_FILTERS_MAX);
	assert_int_equal(job_conditions_make(&all, filters, JOB_CONDITIONS_MAX, &err), -1);
	words_free(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_statement_can_be_routed_by_the_cluster),
		cmocka_unit_test(a_table_says_all_that_its_key_needs),
		cmocka_unit_test(words_keep_their_numbers),
		cmocka_unit_test(a_list_of_nodes_is_read_as_slurm_writes_it),
		cmocka_unit_test(lines_of_two_clusters_or_months_share_no_row_though_their_jobs_have_one_key),
		cmocka_unit_test(who_gets_the_lock_knows_the_months_that_another_one_made),
		cmocka_unit_test(lines_that_were_dropped_long_after_a_job_are_not_its_own),
		cmocka_unit_test(a_batch_that_has_not_come_is_a_reason),
		cmocka_unit_test(pauses_grow_to_a_minute_and_start_anew_after_a_success),
		cmocka_unit_test(a_question_with_more_conditions_than_there_is_room_for_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
