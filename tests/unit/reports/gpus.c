/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what a report says about GPUs: of all nodes, and nothing that the records do not know. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/json_writer.h"
#include "reports/builder/report_job.h"
#include "reports/records/record.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/fixture.h"

/* A GPU whose share is @busy_ns of 1000 ns, all by counters. */
static struct json_object *add_gpu(struct json_object *record, const char *uuid, bool used, int64_t busy_ns)
{
	struct json_object *gpu = json_object_new_object(), *list = field_find(record, "gpus"), *busy;

	if (!list)
		list = put_array(record, "gpus");
	put_text(gpu, "vendor", "nvidia");
	put_text(gpu, "uuid", uuid);
	if (used)
		put_flag(gpu, "used", true);
	busy = put_object(gpu, "busy");
	put_count(busy, "busy_ns", busy_ns);
	put_count(busy, "known_ns", 1000);
	put_count(busy, "covered_ns", 1000);
	put_count(busy, "counted_ns", 1000);
	put_array(gpu, "absent");
	json_object_array_add(list, gpu);
	return gpu;
}

static struct json_object *add_file(struct json_object *record, const char *device, int64_t minor)
{
	struct json_object *file = json_object_new_object(), *list = field_find(record, "gpu_files"), *tool;

	if (!list)
		list = put_array(record, "gpu_files");
	put_text(file, "device", device);
	put_count(file, "minor", minor);
	put_count(file, "opens", 3);
	put_count(file, "held_ns", 2500000000);
	put_count(file, "first_unix_ns", 1700000000250000000);
	put_count(file, "last_unix_ns", 1700000003000000000);
	tool = json_object_new_object();
	put_count(tool, "tool", 0);
	put_count(tool, "opens", 3);
	put_count(tool, "held_ns", 2500000000);
	json_object_array_add(put_array(file, "tools"), tool);
	json_object_array_add(list, file);
	return file;
}

static struct json_object *opened_at(struct json_object *report, size_t index)
{
	return json_object_array_get_idx(field_find(report, "gpus_opened"), index);
}

static struct json_object *gpu_at(struct json_object *report, size_t index)
{
	return json_object_array_get_idx(field_find(report, "gpus"), index);
}

static void gpus_of_all_nodes_are_listed_by_node(void **state)
{
	struct json_object *records[2] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *slurm = load("slurm-two.json"), *report = NULL;

	(void)state;
	add_gpu(records[0], "GPU-1", true, 250);
	add_gpu(records[1], "GPU-2", true, 750);
	add_gpu(records[1], "GPU-3", false, 1000);
	put_count(slurm, "gpus", 2);
	report = build(records, 2, slurm);
	assert_int_equal(field_length(field_find(report, "gpus")), 2);
	assert_text(gpu_at(report, 0), "uuid", "GPU-1");
	assert_text(gpu_at(report, 0), "busy_source", "counters");
	assert_number(gpu_at(report, 0), "busy_share", 0.25);
	assert_text(gpu_at(report, 1), "uuid", "GPU-2");
	assert_number(gpu_at(report, 1), "busy_share", 0.75);
	assert_true(strcmp(json_object_get_string(field_find(gpu_at(report, 0), "node")),
			   json_object_get_string(field_find(gpu_at(report, 1), "node"))) != 0);
	assert_false(gaps_have(field_find(report, "gaps"), "gpus"));
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static void gpus_that_were_not_seen_in_use_are_a_gap(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	add_gpu(record, "GPU-1", true, 250);
	put_count(slurm, "gpus", 4);
	report = build(&record, 1, slurm);
	assert_true(gaps_have(field_find(report, "gaps"), "gpus"));
	json_object_put(record);
}

/* The processes on the GPUs of each node must be known. */
static void unused_gpus_are_known_only_if_each_nodes_processes_are(void **state)
{
	static const int64_t listed_ns[][2] = { { 5000000000, 3000000000 }, { 5000000000, -1 } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct json_object *records[2] = { load("record-two-n1.json"), load("record-two-n2.json") };
		cleanup_json struct json_object *slurm = load("slurm-two.json"), *report = NULL;

		for (size_t n = 0; n < 2; n++) {
			put_array(records[n], "gpus");
			if (listed_ns[i][n] >= 0)
				put_count(records[n], "gpus_listed_ns", listed_ns[i][n]);
		}
		put_count(slurm, "gpus", 2);
		report = build(records, 2, slurm);
		if (i == 0)
			assert_number(report, "gpus_listed_s", 3);
		else
			assert_null(field_find(report, "gpus_listed_s"));
		json_object_put(records[0]);
		json_object_put(records[1]);
	}
}

/* Builds the report of two nodes, if the record of the second is missing. */
static struct json_object *build_without_n2(struct json_object *record, struct json_object *slurm)
{
	cleanup_record struct record *read = record_of(record);
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	const struct record *of = read;
	const struct build_missing missing = { "n2", "its record has not arrived" };
	const struct build_input input = {
		.records = &of,
		.record_count = 1,
		.missing = &missing,
		.missing_count = 1,
		.slurm = slurm_answer_job(answer),
		.now_unix_ns = NOW_NS,
	};

	return report_into_objects(build_report(&input));
}

/* Slurm counts the GPUs of all nodes. */
static void the_gpus_of_a_node_without_a_record_are_not_known(void **state)
{
	cleanup_json struct json_object *record = load("record-two-n1.json"), *slurm = load("slurm-two.json");
	cleanup_json struct json_object *report = NULL, *all_opened = NULL;

	(void)state;
	add_gpu(record, "GPU-1", true, 250);
	put_count(record, "gpus_listed_ns", 5000000000);
	add_file(record, "nvidia", 0);
	put_count(slurm, "gpus", 2);
	report = build_without_n2(record, slurm);
	assert_number(field_find(report, "allocated"), "gpus", 2);
	assert_null(field_find(report, "gpus_listed_s"));
	assert_int_equal(field_length(field_find(report, "gpus_opened")), 1);
	assert_null(field_find(field_find(report, "allocated"), "gpus_opened"));
	/* what is missing cannot matter */
	add_file(record, "nvidia", 1);
	all_opened = build_without_n2(record, slurm);
	assert_number(field_find(all_opened, "allocated"), "gpus_opened", 2);
}

static void the_idle_tail_of_a_gpu_is_that_of_the_record(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	put_count(add_gpu(record, "GPU-1", true, 250), "idle_tail_ns", 1500000000);
	add_gpu(record, "GPU-2", true, 250);
	report = build(&record, 1, slurm);
	assert_number(gpu_at(report, 0), "idle_tail_s", 1.5);
	assert_null(field_find(gpu_at(report, 1), "idle_tail_s"));
	json_object_put(record);
}

static void a_job_without_gpus_gets_no_gap_on_a_node_with_gpus(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	put_array(record, "gpus");
	put_text(record, "gpu_samples_missing", "the vendor's library did not answer");
	report = build(&record, 1, slurm);
	assert_false(gaps_have(field_find(report, "gaps"), "gpus"));
	json_object_put(record);
}

static void a_job_with_gpus_has_the_reason_why_they_were_not_read(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	put_array(record, "gpus");
	put_text(record, "gpu_samples_missing", "the vendor's library did not answer");
	put_count(slurm, "gpus", 1);
	report = build(&record, 1, slurm);
	assert_true(gaps_have(field_find(report, "gaps"), "gpus"));
	json_object_put(record);
}

static void gpus_that_a_site_does_not_read_are_a_gap_of_jobs_with_gpus(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *with = NULL, *without = NULL;

	(void)state;
	put_text(record, "gpu_samples_missing", "gpus = off in stint.conf");
	without = build(&record, 1, slurm);
	assert_false(gaps_have(field_find(without, "gaps"), "gpus"));
	put_count(slurm, "gpus", 1);
	with = build(&record, 1, slurm);
	assert_true(gaps_have(field_find(with, "gaps"), "gpus"));
	assert_null(field_find(with, "gpus"));
	json_object_put(record);
}

static void a_share_that_cannot_be_is_not_known(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	add_gpu(record, "GPU-1", true, 1001);
	add_gpu(record, "GPU-2", true, -5);
	report = build(&record, 1, slurm);
	for (size_t i = 0; i < 2; i++) {
		assert_null(field_find(gpu_at(report, i), "busy_share"));
		assert_null(field_find(gpu_at(report, i), "busy_source"));
		assert_null(field_find(gpu_at(report, i), "energy_j"));
		assert_null(field_find(gpu_at(report, i), "xid_errors"));
	}
	json_object_put(record);
}

static void opened_gpus_are_listed_and_counted_by_node(void **state)
{
	struct json_object *records[2] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *slurm = load("slurm-two.json"), *report = NULL;
	struct json_object *tool;

	(void)state;
	add_file(records[0], "nvidia", 0);
	add_file(records[0], "nvidiactl", 255);
	add_file(records[1], "nvidia", 0);
	add_file(records[1], "nvidia", 1);
	add_file(records[1], "drm", 128);
	put_count(slurm, "gpus", 4);
	report = build(records, 2, slurm);
	assert_int_equal(field_length(field_find(report, "gpus_opened")), 5);
	assert_text(opened_at(report, 0), "device", "nvidia");
	assert_number(opened_at(report, 0), "minor", 0);
	assert_number(opened_at(report, 0), "opens", 3);
	assert_number(opened_at(report, 0), "held_s", 2.5);
	assert_int_equal(strncmp(json_object_get_string(field_find(opened_at(report, 0), "first_open")), "2023-11-14T22:13:20.25", 22), 0);
	assert_int_equal(strncmp(json_object_get_string(field_find(opened_at(report, 0), "open_until")), "2023-11-14T22:13:23", 19), 0);
	assert_null(field_find(opened_at(report, 0), "opened_before"));
	tool = json_object_array_get_idx(field_find(opened_at(report, 0), "tools"), 0);
	assert_number(tool, "opens", 3);
	assert_non_null(field_find(tool, "name"));
	/* Three of NVIDIA's on both nodes. One of them also has a render node. */
	assert_number(field_find(report, "allocated"), "gpus_opened", 3);
	assert_number(field_find(report, "allocated"), "gpus", 4);
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static void no_gpu_opened_is_known(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	put_array(record, "gpu_files");
	put_count(slurm, "gpus", 2);
	report = build(&record, 1, slurm);
	assert_number(field_find(report, "allocated"), "gpus_opened", 0);
	assert_non_null(field_find(report, "gpus_opened"));
	assert_int_equal(field_length(field_find(report, "gpus_opened")), 0);
	json_object_put(record);
}

static void opens_that_are_not_known_on_each_node_are_not_counted(void **state)
{
	struct json_object *records[2] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *slurm = load("slurm-two.json"), *report = NULL;

	(void)state;
	add_file(records[0], "nvidia", 0);
	put_count(slurm, "gpus", 2);
	report = build(records, 2, slurm);
	assert_int_equal(field_length(field_find(report, "gpus_opened")), 1);
	assert_null(field_find(field_find(report, "allocated"), "gpus_opened"));
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static void slices_are_not_counted(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	add_file(record, "nvidia", 0);
	add_file(record, "nvidia-caps", 12);
	put_count(slurm, "gpus", 2);
	report = build(&record, 1, slurm);
	assert_null(field_find(field_find(report, "allocated"), "gpus_opened"));
	json_object_put(record);
}

static void a_gpu_that_was_not_allocated_is_listed(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	put_flag(add_file(record, "nvidia", 7), "found", true);
	add_file(record, "a driver of tomorrow", 0);
	report = build(&record, 1, slurm);
	assert_int_equal(field_length(field_find(report, "gpus_opened")), 1);
	assert_number(opened_at(report, 0), "minor", 7);
	assert_non_null(field_find(opened_at(report, 0), "opened_before"));
	assert_null(field_find(field_find(report, "allocated"), "gpus"));
	assert_number(field_find(report, "allocated"), "gpus_opened", 1);
	json_object_put(record);
}

static void opens_that_the_kernel_does_not_show_are_a_gap_of_jobs_with_gpus(void **state)
{
	struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json"), *with = NULL, *without = NULL;

	(void)state;
	put_array(record, "gpu_files");
	put_text(record, "gpu_opens_missing", "BPF cannot see opens");
	without = build(&record, 1, slurm);
	assert_false(gaps_have(field_find(without, "gaps"), "gpus_opened"));
	assert_null(field_find(without, "gpus_opened"));
	put_count(slurm, "gpus", 1);
	with = build(&record, 1, slurm);
	assert_true(gaps_have(field_find(with, "gaps"), "gpus_opened"));
	assert_null(field_find(field_find(with, "allocated"), "gpus_opened"));
	json_object_put(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gpus_of_all_nodes_are_listed_by_node),
		cmocka_unit_test(gpus_that_were_not_seen_in_use_are_a_gap),
		cmocka_unit_test(unused_gpus_are_known_only_if_each_nodes_processes_are),
		cmocka_unit_test(the_gpus_of_a_node_without_a_record_are_not_known),
		cmocka_unit_test(the_idle_tail_of_a_gpu_is_that_of_the_record),
		cmocka_unit_test(a_job_without_gpus_gets_no_gap_on_a_node_with_gpus),
		cmocka_unit_test(a_job_with_gpus_has_the_reason_why_they_were_not_read),
		cmocka_unit_test(gpus_that_a_site_does_not_read_are_a_gap_of_jobs_with_gpus),
		cmocka_unit_test(a_share_that_cannot_be_is_not_known),
		cmocka_unit_test(opened_gpus_are_listed_and_counted_by_node),
		cmocka_unit_test(no_gpu_opened_is_known),
		cmocka_unit_test(opens_that_are_not_known_on_each_node_are_not_counted),
		cmocka_unit_test(slices_are_not_counted),
		cmocka_unit_test(a_gpu_that_was_not_allocated_is_listed),
		cmocka_unit_test(opens_that_the_kernel_does_not_show_are_a_gap_of_jobs_with_gpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
