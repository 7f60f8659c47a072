/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that two records of a job on one node become one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/record_name.h"
#include "common/sum_list.h"
#include "reports/builder/record_join.h"
#include "reports/deliver/spooled_record.h"
#include "tests/unit/reports/asserts.h"

#define HOUR_NS (3600 * NS_PER_S)

/* The record that continues where record-one.json ends: the same once more, an hour later. */
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

static struct json_object *objects_of(const struct record *record)
{
	size_t length;
	cleanup_free char *text = record_write(record, &length);
	struct json_object *json = field_parse(text, length, "record", json_type_object, NULL);

	assert_non_null(json);
	return json;
}

static void join_records(struct record *former, struct record *later)
{
	struct error err = { "" };

	if (record_join(former, later, &err) < 0)
		fail_msg("%s", err.text);
}

static void join(struct json_object *former, struct json_object **later)
{
	cleanup_record struct record *one = record_of(former), *other = record_of(*later);

	join_records(one, other);
	json_object_put(*later);
	*later = objects_of(other);
}

static int64_t count_of(struct json_object *json, const char *name)
{
	int64_t value = -1;

	if (!field_count(json, name, &value))
		fail_msg("%s is not there", name);
	return value;
}

/* Zeros may be left out. Nulls may not be there. */
static void assert_count_or_zero(struct json_object *json, const char *name, int64_t expected)
{
	struct json_object *value = NULL;

	if (expected || json_object_object_get_ex(json, name, &value))
		assert_count(json, name, expected);
}

static void sums_are_added_and_peaks_are_not(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *former = load("record-one.json"), *later = load_later();

	(void)state;
	join(former, &later);
	json_object_object_foreach(field_find(one, "totals"), name, value)
	{
		int64_t before = json_object_get_int64(value);
		bool stays = strstr(name, "peak") || strcmp(name, "memory_limit_bytes") == 0 || strcmp(name, SUM_REST) == 0;

		assert_count_or_zero(field_find(later, "totals"), name, stays ? before : 2 * before);
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
	/* The first tool is another one there, in another order. */
	put_text(element(later, "tools", 0), "path", "/another/path");
	join(former, &later);
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

/* A container that began @start_ns after 2026-11-29T00:00:00Z, and whose runtime began a second before. */
static struct json_object *container_of(const char *image, int64_t start_ns, int64_t cpu_ns, int exit_status)
{
	const int64_t day_ns = 1795910400 * NS_PER_S;
	struct json_object *container = json_object_new_object();

	put_text(container, "runtime", "apptainer");
	put_text(container, "image", image);
	put_text(container, "root", "overlay");
	put_count(container, "count", 1);
	put_count(container, "pid", 4242);
	put_text(container, "step", "batch");
	put_count(container, "runtime_start_unix_ns", day_ns + start_ns - NS_PER_S);
	put_count(container, "start_unix_ns", day_ns + start_ns);
	put_count(container, "end_unix_ns", day_ns + start_ns + 5 * NS_PER_S);
	put_count(container, "exit_status", exit_status);
	put_count(container, "runs", 2);
	put_count(container, "failures", exit_status != 0);
	put_count(container, "cpu_ns", cpu_ns);
	return container;
}

/* @place: of the container of the first tool and the first entry */
static void add_containers(struct json_object *record, const char *first, const char *second, int place)
{
	struct json_object *list = json_object_new_array();

	json_object_array_add(list, container_of(first, NS_PER_S, NS_PER_S, 0));
	json_object_array_add(list, container_of(second, 2 * NS_PER_S, 3 * NS_PER_S, 3 << 8));
	json_object_object_add(record, "containers", list);
	put_count(element(record, "tools", 0), "container", place);
	put_count(element(record, "timeline", 0), "container", place);
}

static void containers_of_both_are_listed_and_those_of_one_image_are_one_line(void **state)
{
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();
	size_t entries = length(former, "timeline"), tools = length(former, "tools");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	add_containers(former, "a.sif", "b.sif", 0);
	add_containers(later, "c.sif", "a.sif", 1);
	join(former, &later);
	assert_int_equal(length(later, "containers"), 4);
	assert_count(element(later, "tools", 0), "container", 0);
	assert_count(element(later, "tools", tools), "container", 3);
	assert_count(element(later, "timeline", 0), "container", 0);
	assert_count(element(later, "timeline", entries), "container", 3);
	report = build(&later, 1, NULL);
	assert_int_equal(length(report, "containers"), 3);
	assert_text(element(report, "containers", 0), "image", "a.sif");
	assert_count(element(report, "containers", 0), "count", 2);
	assert_number(element(report, "containers", 0), "cpu_s", 4);
	assert_number(element(report, "containers", 0), "setup_s", 1);
	assert_text(element(report, "containers", 0), "start", "2026-11-29T00:00:01.000+00:00");
	assert_text(element(report, "containers", 0), "end", "2026-11-29T00:00:07.000+00:00");
	assert_null(field_find(element(report, "containers", 0), "exit_code"));
	assert_text(element(report, "containers", 1), "image", "c.sif");
	assert_count(element(report, "containers", 1), "exit_code", 0);
	assert_text(element(report, "containers", 2), "image", "b.sif");
	assert_count(element(report, "containers", 2), "exit_code", 3);
	/* The two tools of one name and image are one tool of the report. */
	assert_int_equal(length(report, "tools"), tools);
}

static void the_report_of_both_has_what_both_used_on_one_node(void **state)
{
	cleanup_json struct json_object *before = build_one("record-one.json", NULL);
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later(), *report = NULL;
	double cpu = 0, wait = 0;

	(void)state;
	join(former, &later);
	report = build(&later, 1, NULL);
	assert_true(field_number(before, "used.cpu_s", &cpu) && field_number(before, "states.some.child_s", &wait));
	assert_number(report, "used.cpu_s", 2 * cpu);
	assert_number(report, "states.some.child_s", 2 * wait);
	assert_int_equal(length(report, "nodes"), 1);
	assert_int_equal(length(report, "tools"), length(before, "tools"));
	assert_count(report, "allocated.cpus", count_of(before, "allocated.cpus"));
	assert_true(json_object_get_boolean(field_find(report, "complete")) == json_object_get_boolean(field_find(before, "complete")));
}

static void between_two_records_is_a_point_in_which_nothing_was_used(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *former = load("record-one.json"),
					*later = load_later();
	size_t points = length(one, "series.end_offsets_ns");

	(void)state;
	join(former, &later);
	assert_int_equal(length(later, "series.end_offsets_ns"), 2 * points + 1);
	assert_int_equal(json_object_get_int64(element(later, "series.end_offsets_ns", points)), HOUR_NS);
	json_object_object_foreach (field_find(one, "series.columns"), name, column) {
		struct json_object *both = field_find(field_find(later, "series.columns"), name);
		struct json_object *pause = json_object_array_get_idx(both, points);

		assert_int_equal(field_length(both), 2 * points + 1);
		assert_true(strstr(name, "_ns") ? pause && json_object_get_int64(pause) == 0 : true);
		for (size_t i = 0; i < points; i++)
			assert_true(json_object_equal(json_object_array_get_idx(both, points + 1 + i),
						      json_object_array_get_idx(column, i)));
	}
	assert_null(element(later, "series.columns.memory_used_bytes", points));
	assert_null(element(later, "series.columns.threads", points));
}

static void a_series_goes_on_and_is_bounded(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *next = load_later(), *later = NULL;
	size_t points = length(one, "series.end_offsets_ns");
	int64_t sum = 0, joined_sum = 0, last = 0, joins = 5000 / (int64_t)points + 2;
	struct record *record = record_of(one);

	(void)state;
	for (int64_t i = 0; i < joins; i++) {
		cleanup_record struct record *former = record, *both = record_of(next);

		both->series.start_unix_ns = former->series.start_unix_ns + (i + 1) * HOUR_NS;
		join_records(former, both);
		record = record_copy(both); /* a copy needs no memory of the former records */
		assert_non_null(record);
	}
	later = objects_of(record);
	record_free(record);
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
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later(), *report = NULL;

	(void)state;
	put_null(field_find(former, "totals"), "read_bytes");
	json_object_object_del(former, "pressure");
	json_object_object_del(later, "progress");
	gaps_add(field_find(former, "gaps"), "used.read_bytes", "of the former");
	put_flag(former, "complete", false);
	join(former, &later);
	assert_true(json_object_object_get_ex(field_find(later, "totals"), "read_bytes", NULL));
	assert_absent(later, "totals.read_bytes");
	assert_non_null(field_find(later, "pressure")); /* what is known stays, and a gap says that it is not all */
	assert_string_equal(gap_reason(later, "states.some"), "the value is not known for a part of the job's time on this node");
	assert_non_null(field_find(later, "progress"));
	assert_true(gaps_have(field_find(later, "gaps"), "progress"));
	assert_string_equal(gap_reason(later, "used.read_bytes"), "of the former");
	assert_false(field_true(later, "complete"));
	report = build(&later, 1, NULL);
	assert_true(gaps_have(field_find(report, "gaps"), "states.some") && field_find(report, "states.some"));
}

static void a_gap_has_the_reports_name(void **state)
{
	static const struct {
		const char *part, *gap;
	} parts[] = {
		{ "totals", "used" }, { "pressure", "states.some" }, { "progress", "progress" }, { "series", "series" }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();
		size_t gaps = length(later, "gaps");

		json_object_object_del(former, parts[i].part);
		join(former, &later);
		assert_int_equal(length(later, "gaps"), gaps + 1);
		assert_true(gaps_have(field_find(later, "gaps"), parts[i].gap));
	}
}

/*
 * @same: the second record's cgroup is the first one's; it had used @before_ns before it was counted, and 20 ms since
 */
static int64_t joined_cpu_ns(bool same, int64_t before_ns)
{
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();

	put_count(former, "cgroup_id", 77);
	put_count(later, "cgroup_id", same ? 77 : 78);
	put_count(field_find(later, "totals"), "cpu_before_ns", before_ns);
	put_count(field_find(later, "totals"), "cpu_ns", before_ns + 20000000);
	join(former, &later);
	return count_of(later, "totals.cpu_ns");
}

static void a_cgroup_that_remained_is_not_counted_twice(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json");
	int64_t counted = count_of(one, "totals.cpu_ns");

	(void)state;
	assert_int_equal(joined_cpu_ns(true, counted + 5000000), counted + 25000000);
	assert_int_equal(joined_cpu_ns(true, counted - 999), counted + 20000000); /* the cgroup counts in microseconds */
	assert_int_equal(joined_cpu_ns(false, 5000000), counted + 25000000);
}

static void cores_are_told_apart_by_each_of_their_numbers(void **state)
{
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();

	(void)state;
	json_object_object_add(field_find(former, "allocated"), "cores",
			       json_tokener_parse("[{\"core\": 1, \"package\": 12, \"pus\": [0], \"cpu_ns\": 5}, "
						  "{\"core\": 3, \"package\": 0, \"pus\": [1], \"cpu_ns\": 7}]"));
	json_object_object_add(field_find(later, "allocated"), "cores",
			       json_tokener_parse("[{\"core\": 11, \"package\": 2, \"pus\": [0], \"cpu_ns\": 6}, "
						  "{\"core\": 3, \"package\": 0, \"pus\": [1], \"cpu_ns\": 8}]"));
	join(former, &later);
	assert_int_equal(length(later, "allocated.cores"), 3);
	assert_count(element(later, "allocated.cores", 1), "cpu_ns", 15);
	assert_count(element(later, "allocated.cores", 1), "core", 3);
}

static void lists_beyond_what_a_record_has_are_cut_and_sums_are_not(void **state)
{
	cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();
	struct json_object *tools = field_find(later, "tools"), *steps = field_find(later, "steps");
	size_t tools_before = length(former, "tools"), steps_before = length(former, "steps");
	int64_t runs = 0, sum = 0;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct json_object *tool = json_object_new_object(), *step = json_object_new_object();
		char name[16];

		snprintf(name, sizeof(name), "tool%d", i);
		put_text(tool, "name", name);
		put_flag(tool, "slurm", false);
		put_count(tool, "runs", 1);
		json_object_array_add(tools, tool);
		put_text(step, "id", name);
		json_object_array_add(steps, step);
		json_object_array_add(steps, json_object_get(step));
	}
	for (size_t i = 0; i < tools_before; i++)
		runs += count_of(element(former, "tools", i), "runs");
	join(former, &later);
	assert_int_equal(length(later, "tools"), 2048);
	assert_text(element(later, "tools", 2047), "name", "(other tools)");
	for (size_t i = 0; i < 2048; i++)
		sum += count_of(element(later, "tools", i), "runs");
	assert_int_equal(sum, 2 * runs + 3000);
	assert_int_equal(length(later, "steps"), 4096);
	assert_text(element(later, "steps", steps_before), "id", field_text(element(later, "steps", 0), "id"));
	assert_true(gaps_have(field_find(later, "gaps"), "steps"));
}

static void what_a_record_lacks_ends_no_writer(void **state)
{
	static const char *const names[] = { "collector", "series", "allocated", "tools", "timeline", "totals", "steps", "gaps",
					     "lost", "oom", "files", "file_systems", "progress", "pressure" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (int which = 0; which < 3; which++) {
			cleanup_json struct json_object *former = load("record-one.json"), *later = load_later();

			if (which != 1)
				json_object_object_del(former, names[i]);
			if (which != 0)
				json_object_object_del(later, names[i]);
			if (i != 1)
				json_object_object_del(field_find(which ? former : later, "series"), "columns");
			join(former, &later);
		}
}

static void what_another_version_left_out_is_not_known_of_both(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *former = load("record-one.json"), *later = load_later();

	(void)state;
	put_count(field_find(former, "totals"), SUM_REST, 7);
	json_object_object_del(field_find(former, "totals"), "lock_ns");
	join(former, &later);
	assert_true(json_object_object_get_ex(field_find(later, "totals"), "lock_ns", NULL));
	assert_absent(later, "totals.lock_ns");
	assert_count(later, "totals.cpu_ns", 2 * count_of(one, "totals.cpu_ns"));
}

/* ---- in a spool ---- */

static char directory[] = "/tmp/stint-join-XXXXXX";
static int spool = -1;

static int set_up(void **state)
{
	(void)state;
	strcpy(strrchr(directory, '-'), "-XXXXXX");
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

/* @hours: before record-one.json */
static void put_former(const char *name, bool continues, int hours)
{
	cleanup_json struct json_object *record = load("record-one.json");

	if (continues)
		put_flag(record, "continues", true);
	put_count(record, "opened_unix_ns", count_of(record, "opened_unix_ns") - hours * HOUR_NS);
	put(name, record);
}

static bool is_there(const char *name)
{
	return faccessat(spool, name, F_OK, 0) == 0;
}

static struct json_object *joined(const char *name)
{
	cleanup_json struct json_object *later = load_later();
	cleanup_record struct record *record = record_of(later);
	char path[300];
	struct conf conf;
	struct error err;

	conf_defaults(&conf);
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s", directory);
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s/run", directory);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	put(name, later);
	assert_int_equal(spooled_record_join(record, path, &conf, &err), 0);
	assert_false(record->continues);
	return objects_of(record);
}

static void a_record_is_joined_with_those_from_which_it_goes_on(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *later = NULL;

	(void)state;
	put_former("_.n1.7.1.800.u5.record", false, 4);
	put_former("_.n1.7.1.1000.u5.record", false, 3);
	put_former("_.n1.7.1.2000.c.u5.record", true, 2);
	put_former("_.n1.7.1.9000.c.u5.record", true, -5);
	put_former("_.n1.7.1.1500.u6.record", false, 3);
	put_former("_.n1.71.1.1500.u5.record", false, 3);
	later = joined("_.n1.7.1.3000.c.u5.record");
	assert_count(later, "totals.processes", 3 * count_of(one, "totals.processes"));
	assert_int_equal(length(later, "gaps"), length(one, "gaps"));
	assert_false(is_there("_.n1.7.1.1000.u5.record") || is_there("_.n1.7.1.2000.c.u5.record"));
	assert_true(is_there("_.n1.7.1.800.u5.record") && is_there("_.n1.7.1.9000.c.u5.record") &&
		    is_there("_.n1.7.1.1500.u6.record") && is_there("_.n1.71.1.1500.u5.record"));
}

/* A joined record is in the spool, so that a killed writer loses nothing. */
static void a_record_that_was_joined_is_joined_once(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *first = NULL, *joined_again = NULL;
	cleanup_record struct record *read = NULL;
	struct record_identity identity;
	struct conf conf;
	struct error err;
	char path[300];

	(void)state;
	put_former("_.n1.7.1.1000.u5.record", false, 3);
	first = joined("_.n1.7.1.3000.c.u5.record");
	put_former("_.n1.7.1.1000.u5.record", false, 3); /* killed before the former record was removed */
	conf_defaults(&conf);
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s", directory);
	snprintf(path, sizeof(path), "%s/_.n1.7.1.3000.c.u5.record", directory);
	read = spooled_record_read(AT_FDCWD, path, &identity, &err);
	assert_non_null(read);
	assert_int_equal(spooled_record_join(read, path, &conf, &err), 0);
	joined_again = objects_of(read);
	assert_count(joined_again, "totals.processes", 2 * count_of(one, "totals.processes"));
	assert_int_equal(length(joined_again, "gaps"), length(one, "gaps"));
	assert_false(is_there("_.n1.7.1.1000.u5.record"));
}

/* There may be records that this one continues: it is not delivered without them. */
static void a_place_that_cannot_be_opened_is_an_error(void **state)
{
	cleanup_json struct json_object *later = load_later();
	cleanup_record struct record *record = record_of(later);
	struct rlimit all, few;
	struct conf conf;
	struct error err;
	char path[300];

	(void)state;
	put_former("_.n1.7.1.1000.u5.record", false, 3);
	put("_.n1.7.1.3000.c.u5.record", later);
	conf_defaults(&conf);
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s", directory);
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s/run", directory);
	snprintf(path, sizeof(path), "%s/_.n1.7.1.3000.c.u5.record", directory);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = (struct rlimit){ 0, all.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(spooled_record_join(record, path, &conf, &err), -1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
	assert_non_null(strstr(err.text, directory));
	assert_non_null(strstr(err.text, strerror(EMFILE)));
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s/_.n1.7.1.3000.c.u5.record", directory);
	assert_int_equal(spooled_record_join(record, path, &conf, &err), -1);
	assert_non_null(strstr(err.text, strerror(ENOTDIR)));
	assert_true(is_there("_.n1.7.1.1000.u5.record"));
	/* a missing place has no records */
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s/none", directory);
	assert_int_equal(spooled_record_join(record, path, &conf, &err), 0);
	assert_false(is_there("_.n1.7.1.1000.u5.record"));
}

static void a_record_whose_former_one_is_lost_or_damaged_says_so(void **state)
{
	cleanup_json struct json_object *one = load("record-one.json"), *alone = joined("_.n1.7.1.3000.c.u5.record"), *part = NULL;
	struct error err;

	(void)state;
	assert_count(alone, "totals.processes", count_of(one, "totals.processes"));
	assert_false(field_true(alone, "complete"));
	assert_non_null(strstr(gap_reason(alone, "job"), "is missing"));
	assert_int_equal(file_write(spool, "_.n1.7.1.1000.u5.record", 0600, "{", 1, &err), 0);
	put_former("_.n1.7.1.2000.c.u5.record", true, 2);
	part = joined("_.n1.7.1.3000.c.u5.record");
	assert_count(part, "totals.processes", 2 * count_of(one, "totals.processes"));
	assert_false(field_true(part, "complete"));
	assert_true(is_there("_.n1.7.1.1000.u5.record")); /* the damaged record stays, so that it can be set aside */
	assert_false(is_there("_.n1.7.1.2000.c.u5.record"));
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
	assert_true(record_name_follows("c.n1.5.1.10.c.u1.record", "c.n1.5.1.10.u1.record"));
	assert_true(record_name_order("c.n1.5.1.10.u1.record", "c.n1.5.1.10.c.u1.record") < 0);
	assert_true(record_name_order("c.n1.5.1.9.c.u1.record", "c.n1.5.1.10.u1.record") < 0);
	assert_false(record_name_follows("c.n1.5.1.20.c.u1.record", "c.n1.5.2.10.u1.record"));
	assert_false(record_name_follows("c.n1.5.1.20.c.u1.record", "c.n2.5.1.10.u1.record"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_added_and_peaks_are_not),
		cmocka_unit_test(tools_of_both_are_one_and_the_timeline_names_them),
		cmocka_unit_test(containers_of_both_are_listed_and_those_of_one_image_are_one_line),
		cmocka_unit_test(the_report_of_both_has_what_both_used_on_one_node),
		cmocka_unit_test(between_two_records_is_a_point_in_which_nothing_was_used),
		cmocka_unit_test(a_series_goes_on_and_is_bounded),
		cmocka_unit_test(what_one_does_not_know_neither_knows),
		cmocka_unit_test(a_gap_has_the_reports_name),
		cmocka_unit_test(a_cgroup_that_remained_is_not_counted_twice),
		cmocka_unit_test(what_another_version_left_out_is_not_known_of_both),
		cmocka_unit_test(cores_are_told_apart_by_each_of_their_numbers),
		cmocka_unit_test(lists_beyond_what_a_record_has_are_cut_and_sums_are_not),
		cmocka_unit_test(what_a_record_lacks_ends_no_writer),
		cmocka_unit_test_setup_teardown(a_record_is_joined_with_those_from_which_it_goes_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_that_was_joined_is_joined_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_place_that_cannot_be_opened_is_an_error, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_whose_former_one_is_lost_or_damaged_says_so, set_up, tear_down),
		cmocka_unit_test(a_name_says_from_which_it_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
