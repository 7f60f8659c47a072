/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the report's lists: files, points in time, stalls, victims, cores, steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_series.h"
#include "reports/files/report_file.h"
#include "reports/json/field.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/fixture.h"

#define GIB (INT64_C(1) << 30)

/* ---- series ---- */

static double sum_of(struct json_object *list)
{
	double sum = 0;

	for (size_t i = 0; i < field_length(list); i++)
		sum += json_object_get_double(json_object_array_get_idx(list, i));
	return sum;
}

static struct json_object *column(struct json_object *series, const char *name)
{
	return field_typed(field_find(series, "columns"), name, json_type_array);
}

static void series_of_two_nodes_stay_two(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *one = element(report, "series", 0), *other = element(report, "series", 1);

	(void)state;
	assert_int_equal(length(report, "series"), 2);
	assert_text(one, "node", "n1");
	assert_text(other, "node", "n2");
	assert_int_equal(length(one, "end_offsets_s"), 2);
	assert_int_equal(length(other, "end_offsets_s"), 3);
	assert_number(one, "interval_s", 5);
	assert_true(fabs(sum_of(column(one, "cpu_s")) - 20.05) < 1e-9);
	assert_true(fabs(sum_of(column(other, "cpu_s")) - 40) < 1e-9);
	assert_true(sum_of(column(other, "socket_rx_bytes")) == 2 * (4096 + 16));
	assert_int_equal(length(field_find(other, "columns"), "memory_used_bytes"), 3);
}

static void every_column_of_the_record_is_in_the_report(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = build(&record, 1, NULL);
	struct json_object *series = element(report, "series", 0);
	int64_t ns;

	(void)state;
	assert_int_equal(json_object_object_length(field_find(series, "columns")), 25);
	assert_number(series, "interval_s", 10);
	assert_text(series, "start", field_text(element(report, "steps", 0), "start"));
	assert_int_equal(length(series, "end_offsets_s"), 13);
	assert_true(fabs(json_object_get_double(json_object_array_get_idx(field_find(series, "end_offsets_s"), 12)) -
			 129.6) < 1e-9);
	assert_true(field_count(record, "totals.lock_ns", &ns));
	assert_true(fabs(sum_of(column(series, "lock_s")) - (double)ns / NS_PER_S) < 1e-6);
	/* the one level that was not known */
	assert_null(json_object_array_get_idx(column(series, "memory_cache_bytes"), 4));
	assert_non_null(json_object_array_get_idx(column(series, "memory_cache_bytes"), 5));
}

static void a_damaged_column_is_named_and_left_out(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	json_object_array_del_idx(column(field_find(record, "series"), "pipe_ns"), 0, 1);
	report = build(&record, 1, NULL);
	assert_null(column(element(report, "series", 0), "pipe_s"));
	assert_string_equal(gap_reason(report, "series"), "n1: the column pipe_s is damaged");
	assert_non_null(column(element(report, "series", 0), "lock_s"));
}

static void a_summary_has_no_series_and_that_is_no_gap(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	json_object_object_del(record, "series");
	report = build(&record, 1, NULL);
	assert_true(gaps_have(field_find(report, "gaps"), "series"));
	json_object_put(report);
	put_text(record, "mode", "summary");
	report = build(&record, 1, NULL);
	assert_int_equal(length(report, "series"), 0);
	assert_false(gaps_have(field_find(report, "gaps"), "series"));
}

static int64_t whole_sum(const struct report_counts *list)
{
	int64_t sum = 0;

	for (size_t i = 0; i < list->count; i++)
		sum += list->items[i] > 0 ? list->items[i] : 0;
	return sum;
}

static void a_trimmed_series_keeps_exact_sums_and_highest_levels(void **state)
{
	cleanup_json struct json_object *json = load("record-one.json");
	cleanup_record struct record *record = record_of(json), *before = record_of(json);
	const struct report_object *columns = record_table_columns();
	struct record_series *series = &record->series, *old = &before->series;

	(void)state;
	series_trim(record, 13);
	assert_int_equal(series->end_offsets_ns.count, 13);
	series_trim(record, 12);
	assert_int_equal(series->end_offsets_ns.count, 7);
	assert_int_equal(series->interval_ns, 20 * NS_PER_S);
	for (size_t i = 0; i < columns->count; i++) {
		const char *name = columns->fields[i].name;
		struct report_counts *list = report_member(&columns->fields[i], &series->columns);

		assert_int_equal(list->count, 7);
		if (strstr(name, "_ns") || strstr(name, "read_bytes") || strstr(name, "socket"))
			assert_int_equal(whole_sum(list), whole_sum(report_member(&columns->fields[i], &old->columns)));
	}
	assert_int_equal(series->end_offsets_ns.items[0], 20 * NS_PER_S);
	assert_int_equal(series->end_offsets_ns.items[6], old->end_offsets_ns.items[12]);
	assert_int_equal(series->columns.threads.items[5], 26);
	assert_int_equal(series->columns.processes.items[5], 16);
	/* the known one of a known and an unknown level */
	assert_int_equal(series->columns.memory_cache_bytes.items[2], old->columns.memory_cache_bytes.items[5]);
}

/* ---- files ---- */

static void add_file(struct json_object *record, const char *path, const char *type, int64_t opens, int64_t bytes)
{
	struct json_object *file = json_object_new_object();

	put_text(file, "path", path);
	put_text(file, "type", type);
	put_count(file, "opens", opens);
	put_count(file, "reads", 1);
	put_count(file, "writes", 0);
	put_count(file, "read_bytes", bytes);
	put_count(file, "write_bytes", 0);
	json_object_array_add(field_find(record, "files"), file);
}

static void a_shared_file_is_one_and_a_local_one_its_nodes(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *shared = element(report, "files", 0);

	(void)state;
	assert_int_equal(length(report, "files"), 3);
	assert_text(shared, "path", "/home/juser/run/in");
	assert_absent(shared, "node");
	assert_count(shared, "opens", 3);
	assert_count(shared, "read_bytes", 2100);
	assert_text(element(report, "files", 1), "path", "/tmp/scratch");
	assert_text(element(report, "files", 1), "node", "n2");
	assert_text(element(report, "files", 2), "node", "n1");
	assert_count(report, "files_count", 3);
}

static void the_files_told_are_those_with_most_bytes_and_most_opens(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;
	bool opened = false, small = false;
	char path[64];

	(void)state;
	json_object_object_add(record, "files", json_object_new_array());
	for (int i = 0; i < 200; i++) { /* the first 100 opened often, the last 100 with many bytes */
		snprintf(path, sizeof(path), "/data/%d", i);
		add_file(record, path, "ext4", i < 100 ? 1000 - i : 1, i < 100 ? 0 : i);
	}
	put_count(record, "files_count", 9000);
	report = build(&record, 1, NULL);
	assert_int_equal(length(report, "files"), 100);
	assert_count(report, "files_count", 9000);
	assert_text(element(report, "files", 0), "path", "/data/199");
	assert_text(element(report, "files", 49), "path", "/data/150");
	assert_text(element(report, "files", 50), "path", "/data/0");
	for (size_t i = 0; i < 100; i++) {
		opened |= strcmp(field_text(element(report, "files", i), "path"), "/data/49") == 0;
		small |= strcmp(field_text(element(report, "files", i), "path"), "/data/50") == 0;
	}
	assert_true(opened);
	assert_false(small);
}

static void a_path_written_anew_is_one_line_and_several_files(void **state)
{
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *report = NULL;

	(void)state;
	add_file(records[0], "/home/juser/run/in", "nfs4", 1, 5);
	put_count(records[0], "files_count", 3);
	report = build(records, 2, NULL);
	assert_int_equal(length(report, "files"), 3);
	assert_count(report, "files_count", 4);
	json_object_put(report);
	/* a node saw more files than it names: it is not known which are the same */
	put_count(records[1], "files_count", 3);
	report = build(records, 2, NULL);
	assert_gap(report, "files_count");
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static void files_without_a_path_stay_apart(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (int i = 1; i <= 2; i++) {
		add_file(record, "", "nfs4", i, 7 * GIB);
		json_object_object_del(element(record, "files", 3 + i), "path");
	}
	report = build(&record, 1, NULL);
	assert_int_equal(length(report, "files"), 6);
	assert_absent(element(report, "files", 0), "path");
	assert_count(element(report, "files", 0), "opens", 2);
	assert_count(element(report, "files", 1), "opens", 1);
	assert_text(element(report, "files", 2), "path", "/scratch/out.bam");
}

static bool has_gap(const struct record *record, const char *name)
{
	for (size_t i = 0; i < record->gaps.count; i++)
		if (report_text_is(record->gaps.items[i].name, name))
			return true;
	return false;
}

static void trimmed_files_keep_the_top_and_say_so(void **state)
{
	cleanup_json struct json_object *json = load("record-one.json");
	cleanup_record struct record *record = record_of(json);

	(void)state;
	files_trim(record, 4);
	assert_int_equal(record->files.count, 4);
	assert_false(has_gap(record, "files"));
	files_trim(record, 1);
	assert_int_equal(record->files.count, 2);
	assert_string_equal(record->files.items[0].path, "/scratch/out.bam");
	assert_string_equal(record->files.items[1].path, "/tmp/list");
	assert_true(has_gap(record, "files"));
}

/* ---- victims and stalls ---- */

static void the_victim_is_told_with_its_tool(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *victim = element(report, "oom", 0);

	(void)state;
	assert_int_equal(length(report, "oom"), 1);
	assert_text(victim, "tool", "stress");
	assert_text(victim, "comm", "stress");
	assert_text(victim, "node", "n2");
	assert_text(victim, "step", "0");
	assert_count(victim, "pid", 202);
	assert_count(victim, "rss_bytes", 2 * GIB);
	assert_count(victim, "limit_bytes", 4 * GIB);
	assert_non_null(field_text(victim, "time"));
}

static void a_victim_of_no_known_tool_has_its_name(void **state)
{
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *report = NULL;

	(void)state;
	json_object_object_del(records[0], "oom");
	put_count(element(records[1], "oom", 0), "tool", 99);
	report = build(records, 2, NULL);
	assert_absent(element(report, "oom", 0), "tool");
	assert_text(element(report, "oom", 0), "comm", "stress");
	/* the report has what one node knew, and says that the other did not know */
	assert_string_equal(gap_reason(report, "oom"), "n1: the node record does not have it");
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static void stalls_are_told_the_longest_first(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *stalls = field_find(report, "progress.stalls");

	(void)state;
	assert_int_equal(field_length(stalls), 2);
	assert_text(json_object_array_get_idx(stalls, 0), "node", "n2");
	assert_text(json_object_array_get_idx(stalls, 0), "tool", "stress");
	assert_number(json_object_array_get_idx(stalls, 0), "quiet_s", 6);
	assert_count(json_object_array_get_idx(stalls, 1), "pid", 201);
}

/* ---- idle ---- */

static void idle_head_and_tail_are_of_the_whole_job(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	assert_number(report, "progress.idle_head_s", 2);
	assert_number(report, "progress.idle_tail_s", 2);
}

static void a_job_that_never_was_active_is_idle_all_the_time(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	json_object_object_del(field_find(record, "progress"), "first_activity_unix_ns");
	json_object_object_del(field_find(record, "progress"), "last_activity_unix_ns");
	report = build(&record, 1, slurm);
	assert_number(report, "progress.idle_head_s", 130);
	assert_number(report, "progress.idle_tail_s", 0);
}

static void activity_on_a_missing_node_is_not_known(void **state)
{
	cleanup_json struct json_object *json = load("record-two-n1.json"), *slurm = load("slurm-two.json");
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	cleanup_record struct record *read = record_of(json);
	const struct record *record = read;
	const struct build_missing missing = { "n2", "its record has not arrived" };
	const struct build_input input = {
		.records = &record,
		.record_count = 1,
		.missing = &missing,
		.missing_count = 1,
		.slurm = slurm_answer_job(answer),
		.now_unix_ns = NOW_NS,
	};
	cleanup_json struct json_object *report = report_into_objects(build_report(&input));

	(void)state;
	assert_gap(report, "progress.idle_head_s");
	assert_gap(report, "progress.idle_tail_s");
	assert_string_equal(gap_reason(report, "progress.idle_head_s"),
			    "n2: the node's record is missing, and the job may have been active there");
}

/* ---- what was not touched ---- */

static void cores_without_a_thread_are_named(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *unused = field_find(report, "progress.cores_unused");

	(void)state;
	assert_int_equal(field_length(unused), 2);
	assert_text(json_object_array_get_idx(unused, 0), "node", "n1");
	assert_count(json_object_array_get_idx(unused, 0), "core", 1);
	assert_count(report, "progress.cores_used", 2);
	assert_count(report, "progress.cores_bound", 4);
	assert_number(json_object_array_get_idx(field_find(element(report, "nodes", 1), "allocated.cores"), 0), "cpu_s",
		      40);
}

static void a_core_used_for_a_nanosecond_is_used(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;
	struct json_object *core = json_object_array_get_idx(field_find(record, "allocated.cores"), 3);

	(void)state;
	put_count(core, "cpu_ns", 1);
	report = build(&record, 1, NULL);
	assert_int_equal(field_length(field_find(report, "progress.cores_unused")), 0);
	assert_count(report, "progress.cores_used", 4);
	json_object_put(report);
	json_object_object_del(core, "cpu_ns");
	report = build(&record, 1, NULL);
	assert_gap(report, "progress.cores_unused");
	assert_absent(report, "progress.cores_used");
}

/* The start of a shell on a core does not count as use if another core computed. */
static void a_core_with_a_twentieth_of_the_busiest_ones_time_is_loaded(void **state)
{
	static const struct {
		int64_t cpu_ns[4], loaded;
	} nodes[] = {
		{ { 2000, 100, 99, 0 }, 2 }, { { 2000, 2000, 2000, 2000 }, 4 }, { { 0, 0, 8, 0 }, 1 },
		{ { 1, 0, 0, 0 }, 1 },	     { { 0, 0, 0, 0 }, 0 },		{ { 99, 100, 2000, 101 }, 3 },
	};
	cleanup_json struct json_object *record = load("record-one.json");
	struct json_object *cores = field_find(record, "allocated.cores");

	(void)state;
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		cleanup_json struct json_object *report = NULL;

		for (size_t c = 0; c < 4; c++)
			put_count(json_object_array_get_idx(cores, c), "cpu_ns", nodes[i].cpu_ns[c]);
		report = build(&record, 1, NULL);
		assert_count(element(report, "nodes", 0), "allocated.cores_loaded", nodes[i].loaded);
	}
}

static void steps_in_which_nothing_ran_are_named(void **state)
{
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	struct json_object *on_first = field_find(element(records[0], "steps", 1), "totals");
	struct json_object *on_second = field_find(element(records[1], "steps", 0), "totals");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(on_first, "processes", 0);
	report = build(records, 2, NULL); /* some idle time on the second node */
	assert_int_equal(field_length(field_find(report, "progress.steps_without_processes")), 0);
	json_object_put(report);
	put_count(on_second, "processes", 0);
	report = build(records, 2, NULL);
	assert_int_equal(field_length(field_find(report, "progress.steps_without_processes")), 1);
	assert_string_equal(json_object_get_string(json_object_array_get_idx(
				    field_find(report, "progress.steps_without_processes"), 0)), "0");
	json_object_put(report);
	report = build(records, 1, NULL); /* its second node did not know */
	assert_int_equal(field_length(field_find(report, "progress.steps_without_processes")), 0);
	put_text(element(records[0], "steps", 1), "id", "extern");
	put_count(element(records[0], "steps", 1), "nodes", 1);
	json_object_put(report);
	report = build(records, 1, NULL);
	assert_int_equal(field_length(field_find(report, "progress.steps_without_processes")), 0);
	json_object_put(records[0]);
	json_object_put(records[1]);
}

/* ---- size ---- */

static void a_large_record_is_one_report_without_loss(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	struct json_object *tools = json_object_new_array(), *timeline = json_object_new_array();
	cleanup_json struct json_object *report = NULL;
	double sum = 0;

	(void)state;
	for (int i = 0; i < 1024; i++) {
		struct json_object *tool = NULL;
		char name[32];

		json_object_deep_copy(element(record, "tools", 0), &tool, NULL);
		snprintf(name, sizeof(name), "tool%d", i);
		put_text(tool, "name", name);
		json_object_array_add(tools, tool);
	}
	for (int i = 0; i < 65536; i++) {
		struct json_object *entry = NULL;

		json_object_deep_copy(element(record, "timeline", 0), &entry, NULL);
		put_count(entry, "tool", i % 1024);
		json_object_array_add(timeline, entry);
	}
	json_object_object_add(record, "tools", tools);
	json_object_object_add(record, "timeline", timeline);
	report = build(&record, 1, NULL);
	assert_int_equal(length(report, "tools"), 1024);
	assert_int_equal(length(report, "timeline"), 65536);
	for (size_t i = 0; i < 65536; i++)
		sum += json_object_get_double(field_find(element(report, "timeline", i), "states.lock_s"));
	assert_true(fabs(sum - 65536 * 30.5) < 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series_of_two_nodes_stay_two),
		cmocka_unit_test(every_column_of_the_record_is_in_the_report),
		cmocka_unit_test(a_damaged_column_is_named_and_left_out),
		cmocka_unit_test(a_summary_has_no_series_and_that_is_no_gap),
		cmocka_unit_test(a_trimmed_series_keeps_exact_sums_and_highest_levels),
		cmocka_unit_test(a_shared_file_is_one_and_a_local_one_its_nodes),
		cmocka_unit_test(the_files_told_are_those_with_most_bytes_and_most_opens),
		cmocka_unit_test(a_path_written_anew_is_one_line_and_several_files),
		cmocka_unit_test(files_without_a_path_stay_apart),
		cmocka_unit_test(trimmed_files_keep_the_top_and_say_so),
		cmocka_unit_test(the_victim_is_told_with_its_tool),
		cmocka_unit_test(a_victim_of_no_known_tool_has_its_name),
		cmocka_unit_test(stalls_are_told_the_longest_first),
		cmocka_unit_test(idle_head_and_tail_are_of_the_whole_job),
		cmocka_unit_test(a_job_that_never_was_active_is_idle_all_the_time),
		cmocka_unit_test(activity_on_a_missing_node_is_not_known),
		cmocka_unit_test(cores_without_a_thread_are_named),
		cmocka_unit_test(a_core_used_for_a_nanosecond_is_used),
		cmocka_unit_test(a_core_with_a_twentieth_of_the_busiest_ones_time_is_loaded),
		cmocka_unit_test(steps_in_which_nothing_ran_are_named),
		cmocka_unit_test(a_large_record_is_one_report_without_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
