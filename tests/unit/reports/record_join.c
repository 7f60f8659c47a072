/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two records of a job on one node become one: what both counted, and what neither knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/record_name.h"
#include "common/sum_list.h"
#include "reports/build/record_join.h"
#include "reports/deliver/spooled_record.h"
#include "tests/unit/reports/asserts.h"

#define HOUR_NS (3600 * NS_PER_S)

/* The record that goes on where record-one.json ends: the same once more, an hour later. */
static struct json_object *load_later(void)
{
	struct json_object *later = load("record-one.json"), *series = field_find(later, "series");
	int64_t value;

	put_flag(later, "continues", true);
	assert_true(field_count(series, "start_unix_ns", &value));
	put_count(series, "start_unix_ns", value + HOUR_NS);
	assert_true(field_count(later, "opened_unix_ns", &value));
	put_count(later, "opened_unix_ns", value + HOUR_NS);
	assert_true(field_count(later, "collector.closed_unix_ns", &value));
	put_count(field_find(later, "collector"), "closed_unix_ns", value + HOUR_NS);
	return later;
}

static void join(struct json_object *former, struct json_object *later)
{
	struct error err = { "" };

	if (record_join(former, later, &err) < 0)
		fail_msg("%s", err.text);
}

static int64_t count_of(struct json_object *json, const char *name)
{
	int64_t value = -1;

	if (!field_count(json, name, &value))
		fail_msg("%s is not there", name);
	return value;
}

static void sums_are_added_and_peaks_are_not(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *former = load("record-one.json"), *later = load_later();

	(void)state;
	join(former, later);
	json_object_object_foreach(field_find(one, "totals"), name, value)
	{
		int64_t before = json_object_get_int64(value);
		bool stays = strstr(name, "peak") || strcmp(name, "memory_limit_bytes") == 0 || strcmp(name, SUM_REST) == 0;

		assert_count(field_find(later, "totals"), name, stays ? before : 2 * before);
	}
	assert_count(later, "pressure.active_ns", 2 * count_of(one, "pressure.active_ns"));
	assert_count(later, "pressure.waits.child.some_ns", 2 * count_of(one, "pressure.waits.child.some_ns"));
	assert_count(later, "pressure.busy_peak", count_of(one, "pressure.busy_peak"));
	assert_count(later, "opened_unix_ns", count_of(one, "opened_unix_ns"));
	assert_count(later, "collector.closed_unix_ns", count_of(one, "collector.closed_unix_ns") + HOUR_NS);
	assert_absent(later, "continues");
}

static void tools_of_both_are_one_and_the_timeline_names_them(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *former = load("record-one.json"), *later = load_later();
	size_t tools = length(one, "tools"), entries = length(one, "timeline");

	(void)state;
	/* The first tool is another one there, and the order is another. */
	put_text(element(later, "tools", 0), "path", "/another/path");
	join(former, later);
	assert_int_equal(length(later, "tools"), tools + 1);
	assert_int_equal(length(later, "timeline"), 2 * entries);
	assert_int_equal(length(later, "steps"), 2 * length(one, "steps"));
	assert_count(element(later, "tools", 1), "runs", 2 * count_of(element(one, "tools", 1), "runs"));
	assert_count(element(later, "tools", 0), "runs", count_of(element(one, "tools", 0), "runs"));
	assert_text(element(later, "tools", tools), "path", "/another/path");
	for (size_t i = 0; i < entries; i++) {
		int64_t tool = count_of(element(one, "timeline", i), "tool");

		assert_count(element(later, "timeline", i), "tool", tool);
		assert_count(element(later, "timeline", entries + i), "tool", tool == 0 ? (int64_t)tools : tool);
	}
}

static void the_report_of_both_has_what_both_used_on_one_node(void **state)
{
	cleanup_json struct json_object *before = build_one("record-one.json", NULL);
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later(), *report = NULL;
	double cpu, wait;

	(void)state;
	join(former, later);
	report = build(&later, 1, NULL);
	assert_true(field_number(before, "used.cpu_s", &cpu) && field_number(before, "states.some.child_s", &wait));
	assert_number(report, "used.cpu_s", 2 * cpu);
	assert_number(report, "states.some.child_s", 2 * wait);
	assert_int_equal(length(report, "nodes"), 1);
	assert_int_equal(length(report, "tools"), length(before, "tools"));
	assert_count(report, "allocated.cpus", count_of(before, "allocated.cpus"));
	assert_true(json_object_get_boolean(field_find(report, "complete")) == json_object_get_boolean(field_find(before, "complete")));
}

static void a_series_goes_on_and_is_bounded(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *later = load("record-one.json");
	size_t points = length(one, "series.end_offsets_ns");
	int64_t sum = 0, joined_sum = 0, last = 0, joins = 5000 / (int64_t)points + 2;

	(void)state;
	for (int64_t i = 0; i < joins; i++) {
		struct json_object *next = load_later();

		put_count(field_find(next, "series"), "start_unix_ns", count_of(one, "series.start_unix_ns") + (i + 1) * HOUR_NS);
		join(later, next);
		json_object_put(later);
		later = next;
	}
	assert_true(length(later, "series.end_offsets_ns") <= 4096 && length(later, "series.end_offsets_ns") > 1024);
	for (size_t i = 0; i < points; i++)
		sum += json_object_get_int64(element(one, "series.columns.cpu_ns", i));
	for (size_t i = 0; i < length(later, "series.end_offsets_ns"); i++) {
		int64_t end = json_object_get_int64(element(later, "series.end_offsets_ns", i));

		assert_true(end >= last);
		last = end;
		joined_sum += json_object_get_int64(element(later, "series.columns.cpu_ns", i));
	}
	assert_int_equal(joined_sum, sum * (joins + 1));
	assert_int_equal(length(later, "series.columns.threads"), length(later, "series.end_offsets_ns"));
}

static void what_one_does_not_know_neither_knows(void **state)
{
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();

	(void)state;
	put_null(field_find(former, "totals"), "read_bytes");
	json_object_object_del(former, "pressure");
	json_object_object_del(later, "progress");
	gaps_add(field_find(former, "gaps"), "used.read_bytes", "of the former");
	put_flag(former, "complete", false);
	join(former, later);
	assert_true(json_object_object_get_ex(field_find(later, "totals"), "read_bytes", NULL));
	assert_absent(later, "totals.read_bytes");
	assert_gap(later, "pressure");
	assert_gap(later, "progress");
	assert_string_equal(gap_reason(later, "used.read_bytes"), "of the former");
	assert_false(field_true(later, "complete"));
}

static void a_cgroup_that_remained_is_not_counted_twice(void **state)
{
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();
	int64_t counted = count_of(former, "totals.cpu_ns");

	(void)state;
	put_count(field_find(later, "totals"), "cpu_before_ns", counted + 5000000);
	put_count(field_find(later, "totals"), "cpu_ns", counted + 25000000);
	join(former, later);
	assert_count(later, "totals.cpu_ns", counted + 25000000);
}

static void another_versions_record_stays_apart(void **state)
{
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later(), *same = load_later();
	struct error err;

	(void)state;
	put_count(field_find(former, "totals"), SUM_REST, 7);
	put_count(field_find(later, "totals"), SUM_REST, 8);
	put_count(field_find(same, "totals"), SUM_REST, 8);
	assert_int_equal(record_join(former, later, &err), -1);
	assert_string_equal(json_object_to_json_string(later), json_object_to_json_string(same));
}

/* ---- in a spool ---- */

static char directory[] = "/tmp/stint-join-XXXXXX";
static int spool = -1;

static int set_up(void **state)
{
	(void)state;
	strcpy(strrchr(directory, '-'), "-XXXXXX"); /* for the next test */
	spool = mkdtemp(directory) ? open(directory, O_RDONLY | O_DIRECTORY) : -1;
	return spool < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
	struct file_names names = { .fd = spool };
	const char *name;

	(void)state;
	while ((name = file_names_next(&names)))
		unlinkat(spool, name, 0);
	close(spool);
	return rmdir(directory);
}

static void put(const char *name, struct json_object *record)
{
	const char *text = json_object_to_json_string(record);
	struct error err;

	assert_int_equal(file_write(spool, name, 0600, text, strlen(text), &err), 0);
}

static void put_former(const char *name, bool continues)
{
	cleanup_json struct json_object *record = load("record-one.json");

	if (continues)
		put_flag(record, "continues", true);
	put(name, record);
}

static struct json_object *joined(const char *name)
{
	struct json_object *later = load_later();
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	put(name, later);
	spooled_record_join(later, path);
	assert_absent(later, "continues");
	return later;
}

static void a_record_is_joined_with_those_from_which_it_goes_on(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *later = NULL;

	(void)state;
	put_former("_.n1.7.1.800.u5.record", false); /* of the attempt before */
	put_former("_.n1.7.1.1000.u5.record", false);
	put_former("_.n1.7.1.2000.c.u5.record", true);
	put_former("_.n1.7.1.9000.c.u5.record", true); /* later */
	put_former("_.n1.7.1.1500.u6.record", false); /* of another user's */
	put_former("_.n1.71.1.1500.u5.record", false);
	later = joined("_.n1.7.1.3000.c.u5.record");
	assert_count(later, "totals.processes", 3 * count_of(one, "totals.processes"));
	assert_int_equal(length(later, "gaps"), length(one, "gaps"));
}

static void a_record_whose_former_one_is_lost_or_damaged_says_so(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *alone = joined("_.n1.7.1.3000.c.u5.record"), *part = NULL;
	struct error err;

	(void)state;
	assert_count(alone, "totals.processes", count_of(one, "totals.processes"));
	assert_false(field_true(alone, "complete"));
	assert_non_null(strstr(gap_reason(alone, "job"), "is not in here"));
	assert_int_equal(file_write(spool, "_.n1.7.1.1000.u5.record", 0600, "{", 1, &err), 0);
	put_former("_.n1.7.1.2000.c.u5.record", true);
	part = joined("_.n1.7.1.3000.c.u5.record");
	assert_count(part, "totals.processes", 2 * count_of(one, "totals.processes"));
	assert_false(field_true(part, "complete"));
}

/* ---- names ---- */

static void a_name_says_from_which_it_goes_on(void **state)
{
	struct record_name read;

	(void)state;
	assert_true(record_name_read("c.n1.5.2.1800000000.u1000.record", &read));
	assert_true(read.uid == 1000 && read.begin_s == 1800000000 && !read.continues && read.job_length == 8);
	assert_true(record_name_read("c.n1.5.2.1800000000.c.u1000.record", &read) && read.continues);
	assert_false(record_name_read("c.n1.5.2.1800000000.u1000.record~", &read));
	assert_false(record_name_read("c.n1.5.2.18e5.u1000.record", &read));
	assert_false(record_name_read("c.n1.5.2.99999999999999999999.u1000.record", &read));
	assert_false(record_name_read("c.n1.5.2.5.u4294967296.record", &read));
	assert_false(record_name_read("c.n1.5.record", &read));
	assert_false(record_name_read("", &read));
	assert_true(record_name_follows("c.n1.5.1.20.c.u1.record", "c.n1.5.1.10.u1.record"));
	assert_false(record_name_follows("c.n1.5.1.20.u1.record", "c.n1.5.1.10.u1.record"));
	assert_false(record_name_follows("c.n1.5.1.10.c.u1.record", "c.n1.5.1.10.c.u1.record"));
	assert_false(record_name_follows("c.n1.5.1.20.c.u1.record", "c.n1.5.2.10.u1.record"));
	assert_false(record_name_follows("c.n1.5.1.20.c.u1.record", "c.n2.5.1.10.u1.record"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_added_and_peaks_are_not),
		cmocka_unit_test(tools_of_both_are_one_and_the_timeline_names_them),
		cmocka_unit_test(the_report_of_both_has_what_both_used_on_one_node),
		cmocka_unit_test(a_series_goes_on_and_is_bounded),
		cmocka_unit_test(what_one_does_not_know_neither_knows),
		cmocka_unit_test(a_cgroup_that_remained_is_not_counted_twice),
		cmocka_unit_test(another_versions_record_stays_apart),
		cmocka_unit_test_setup_teardown(a_record_is_joined_with_those_from_which_it_goes_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_whose_former_one_is_lost_or_damaged_says_so, set_up, tear_down),
		cmocka_unit_test(a_name_says_from_which_it_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
