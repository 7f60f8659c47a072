/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the report says what given records have, and never more than is known. */
#include <math.h>
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
#include "reports/builder/report_job.h"
#include "reports/json/field.h"
#include "reports/records/record.h"
#include "reports/rules/facts.h"
#include "reports/records/record_parts.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/fixture.h"

#define GIB (INT64_C(1) << 30)

static void one_node_tells_all(void **state)
{
	cleanup_json struct json_object *report = build_one("record-one.json", "slurm-one.json");

	(void)state;
	assert_text(report, "schema", "stint-report/1");
	assert_true(field_true(report, "complete"));
	assert_int_equal(field_length(field_find(report, "gaps")), 0);
	assert_count(report, "lost.process_records", 0);
	assert_count(report, "job.id", 4160740);
	assert_count(report, "job.array_job_id", 4160739);
	assert_count(report, "job.array_task_id", 0);
	assert_text(report, "job.name", "align");
	assert_text(report, "job.group", "jgroup");
	assert_text(report, "job.state", "COMPLETED");
	assert_number(report, "job.elapsed_s", 130);
	assert_count(report, "requested.memory_bytes", 8 * GIB);
	assert_text(report, "requested.memory_source", "per node");
	assert_count(report, "requested.time_limit_s", 3600);
	assert_count(report, "used.cores_bound", 4);
	assert_count(report, "used.memory_charged_peak_bytes", 6871947673);
	assert_number(report, "used.cpu_s", 253.361);
	assert_number(report, "used.cpu_efficiency", 253.361 / (130 * 4));
	assert_number(report, "used.cores_busy", 253.361 / 130);
	assert_number(report, "used.cpu_wasted_core_hours", (130 * 4 - 253.361) / 3600);
}

static void user_and_system_add_up_to_the_exact_total(void **state)
{
	cleanup_json struct json_object *report = build_one("record-one.json", "slurm-one.json");
	double cpu, user, system;

	(void)state;
	assert_true(field_number(report, "used.cpu_s", &cpu));
	assert_true(field_number(report, "used.user_s", &user));
	assert_true(field_number(report, "used.system_s", &system));
	assert_true(fabs(user + system - cpu) < 1e-9);
	assert_number(report, "used.user_s", 253.361 * 230 / 252);
	assert_text(report, "used.cpu_split", "sampled");
}

static void a_job_too_short_for_a_tick_has_no_split(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(field_find(record, "totals"), "user_ns", 0);
	put_count(field_find(record, "totals"), "system_ns", 0);
	report = build(&record, 1, NULL);
	assert_number(report, "used.cpu_s", 253.361);
	assert_gap(report, "used.user_s");
	assert_gap(report, "used.system_s");
}

static void used_memory_is_never_above_charged(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	struct json_object *totals = field_find(record, "totals");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(totals, "memory_process_peak_bytes", 9 * GIB);
	put_count(totals, "memory_charged_peak_bytes", 4 * GIB);
	report = build(&record, 1, NULL);
	assert_count(report, "used.memory_used_peak_bytes", 4 * GIB);
}

static void a_process_between_two_samples_counts_as_used(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	struct json_object *totals = field_find(record, "totals");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(totals, "memory_used_sampled_peak_bytes", GIB);
	put_count(totals, "memory_process_peak_bytes", 2 * GIB);
	report = build(&record, 1, NULL);
	assert_count(report, "used.memory_used_peak_bytes", 2 * GIB);
}

static void two_nodes_add_up_but_their_peaks_do_not(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	assert_true(field_true(report, "complete"));
	assert_number(report, "used.cpu_s", 60.05);
	assert_count(report, "used.read_bytes", 300);
	assert_count(report, "used.processes", 7);
	assert_count(report, "used.threads_peak", 4);
	assert_count(report, "used.memory_used_peak_bytes", 2 * GIB);
	assert_text(report, "used.memory_scope", "node with the highest peak: n2");
	assert_number(report, "used.memory_efficiency", 0.5);
	assert_number(report, "used.memory_wasted_gib_hours", (3 + 2) * 13 / 3600.0);
	assert_count(report, "requested.memory_bytes", 8 * GIB);
	assert_text(report, "requested.memory_source", "per cpu");
	assert_int_equal(field_length(field_find(report, "nodes")), 2);
	assert_count(element(report, "nodes", 0), "used.memory_used_peak_bytes", GIB);
}

/* Builds the report of two nodes, which were given 6 and 2 GiB, and used 1 and 2. */
static struct json_object *build_uneven(struct json_object *slurm)
{
	cleanup_json struct json_object *one = load("record-two-n1.json");
	cleanup_json struct json_object *two = load("record-two-n2.json");
	struct json_object *records[] = { one, two };

	put_count(field_find(one, "allocated"), "memory_bytes", 6 * GIB);
	put_count(field_find(two, "allocated"), "memory_bytes", 2 * GIB);
	return build(records, 2, slurm);
}

static void each_node_is_held_to_what_it_was_given(void **state)
{
	cleanup_json struct json_object *slurm = load("slurm-two.json");
	cleanup_json struct json_object *by_cpu = build_uneven(slurm), *by_node = NULL, *all = NULL;

	(void)state;
	assert_number(by_cpu, "used.memory_efficiency", 1);
	assert_number(by_cpu, "used.memory_wasted_gib_hours", (5 + 0) * 13 / 3600.0);
	assert_count(by_cpu, "requested.memory_per_cpu_bytes", 2 * GIB);
	put_count(slurm, "memory_per_node_bytes", 4 * GIB);
	by_node = build_uneven(slurm);
	assert_text(by_node, "requested.memory_source", "per node");
	assert_number(by_node, "used.memory_efficiency", 0.5);
	assert_number(by_node, "used.memory_wasted_gib_hours", (3 + 2) * 13 / 3600.0);
	assert_null(field_find(by_node, "requested.memory_per_cpu_bytes"));
	put_count(slurm, "memory_per_node_bytes", 0);
	json_object_object_del(slurm, "memory_per_cpu_bytes");
	all = build_uneven(slurm);
	assert_text(all, "requested.memory_source", "all of the node");
	assert_number(all, "used.memory_efficiency", 1);
}

static void whole_nodes_are_told_where_slurm_says_so(void **state)
{
	cleanup_json struct json_object *slurm = load("slurm-two.json");
	cleanup_json struct json_object *unknown = build_uneven(slurm), *whole = NULL;

	(void)state;
	assert_null(field_find(unknown, "allocated.exclusive"));
	put_flag(slurm, "exclusive", true);
	whole = build_uneven(slurm);
	assert_true(field_true(whole, "allocated.exclusive"));
}

static void tools_of_two_nodes_are_one_when_they_are_the_same(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *stress = element(report, "tools", 0);

	(void)state;
	assert_int_equal(field_length(field_find(report, "tools")), 2);
	assert_text(stress, "name", "stress");
	assert_count(stress, "runs", 5);
	assert_count(stress, "failures", 1);
	assert_number(stress, "cpu_s", 60);
	assert_count(stress, "peak_bytes", 2 * GIB);
	assert_text(stress, "first_start", field_text(element(report, "timeline", 0), "start"));
}

static void scripts_of_two_interpreters_stay_two(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;
	struct json_object *tools = field_find(record, "tools");

	(void)state;
	put_text(json_object_array_get_idx(tools, 0), "name", "align.py"); /* one without, one by python3 */
	report = build(&record, 1, NULL);
	assert_int_equal(field_length(field_find(report, "tools")), field_length(tools));
}

static void timelines_of_two_nodes_are_one_in_order(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	assert_int_equal(field_length(field_find(report, "timeline")), 2);
	assert_text(element(report, "timeline", 0), "node", "n1");
	assert_count(element(report, "timeline", 0), "signal", 0);
	assert_text(element(report, "timeline", 1), "node", "n2");
	assert_count(element(report, "timeline", 1), "signal", 9);
}

static void steps_of_two_nodes_are_one(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *step = element(report, "steps", 1);

	(void)state;
	assert_int_equal(field_length(field_find(report, "steps")), 2);
	assert_text(element(report, "steps", 0), "id", "batch");
	assert_text(step, "id", "0");
	assert_count(step, "signal", 9);
	assert_count(step, "exit_code", 0);
	assert_int_equal(field_length(field_find(step, "tasks")), 2);
	assert_text(json_object_array_get_idx(field_find(step, "tasks"), 1), "node", "n2");
}

static void a_missing_node_makes_the_report_incomplete(void **state)
{
	cleanup_json struct json_object *record = load("record-two-n1.json");
	cleanup_json struct json_object *slurm = load("slurm-two.json");
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
	cleanup_json struct json_object *report = report_into_objects(build_report(&input));

	(void)state;
	assert_false(field_true(report, "complete"));
	assert_text(element(report, "gaps", 0), "name", "nodes");
	assert_text(element(report, "gaps", 0), "reason", "n2: its record has not arrived");
	assert_int_equal(field_length(field_find(report, "nodes")), 2);
	assert_count(report, "allocated.cpus", 2); /* of the node whose use is known */
	assert_number(report, "used.cpu_efficiency", 20.05 / (13 * 2));
}

static void what_is_not_known_is_absent_and_named(void **state)
{
	static const char *const names[] = {
		"job.name", "job.state", "job.exit_code", "job.signal", "job.start", "job.end", "job.elapsed_s",
		"requested.cpus", "requested.memory_bytes", "requested.time_limit_s", "allocated.cpus", "used.cpu_s",
		"used.user_s", "used.cpu_efficiency", "used.memory_used_peak_bytes", "used.memory_charged_peak_bytes",
		"used.memory_efficiency", "used.read_bytes", "used.write_bytes", "used.threads_peak",
	};
	cleanup_json struct json_object *report = build_one("record-poor.json", NULL);

	(void)state;
	assert_false(field_true(report, "complete"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_gap(report, names[i]);
	/* the node's own reason is kept, and no other one is added */
	assert_text(element(report, "gaps", 0), "reason", "the collector was started after the job");
	for (size_t i = 1; i < field_length(field_find(report, "gaps")); i++)
		assert_string_not_equal(field_text(element(report, "gaps", i), "name"), "used.cpu_s");
	assert_int_equal(field_length(field_find(report, "timeline")), 0);
}

static void a_time_limit_of_none_is_null(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	assert_true(json_object_object_get_ex(field_find(report, "requested"), "time_limit_s", NULL));
	assert_null(field_find(report, "requested.time_limit_s"));
	assert_false(gaps_have(field_find(report, "gaps"), "requested.time_limit_s"));
	assert_true(json_object_object_get_ex(field_find(report, "job"), "array_job_id", NULL));
	assert_null(field_find(report, "job.array_job_id"));
}

static void gpus_are_what_slurm_says(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = build(&record, 1, slurm);

	(void)state;
	assert_null(field_find(report, "allocated.gpus"));
	json_object_put(report);
	put_count(slurm, "gpus", 2);
	report = build(&record, 1, slurm);
	assert_count(report, "allocated.gpus", 2);
}

/* Containers on two nodes: image i has a root overlay or squashfs, and no runtime if i is a multiple of 5. */
static void add_containers(struct json_object *record, int first, int count)
{
	struct json_object *list = put_array(record, "containers");
	struct json_object *tool = json_object_array_get_idx(field_find(record, "tools"), 0);

	for (int i = first; i < first + count; i++) {
		struct json_object *one = json_object_new_object();
		char image[32];

		snprintf(image, sizeof(image), "/images/%d.sif", i / 2);
		if (i / 2 % 5)
			put_text(one, "runtime", "apptainer");
		put_text(one, "image", image);
		put_text(one, "root", i % 2 ? "overlay" : "squashfs");
		put_count(one, "start_unix_ns", INT64_C(1700000000000000000) + i);
		put_count(one, "count", 1);
		json_object_array_add(list, one);
	}
	put_count(tool, "container", count - 1);
}

static void containers_are_one_by_runtime_image_and_root(void **state)
{
	struct json_object *records[2] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *slurm = load("slurm-two.json"), *report = NULL;
	struct json_object *containers, *tools;
	size_t checked = 0;

	(void)state;
	add_containers(records[0], 0, 300);
	add_containers(records[1], 200, 300);
	report = build(records, 2, slurm);
	containers = field_find(report, "containers");
	assert_int_equal(field_length(containers), 500);
	for (int i = 0; i < 500; i++) {
		struct json_object *one = json_object_array_get_idx(containers, (size_t)i);
		char image[32];

		snprintf(image, sizeof(image), "/images/%d.sif", i / 2);
		assert_text(one, "image", image);
		assert_text(one, "root", i % 2 ? "overlay" : "squashfs");
		assert_true(i / 2 % 5 ? field_text(one, "runtime") != NULL : !field_text(one, "runtime"));
		assert_count(one, "count", i >= 200 && i < 300 ? 2 : 1);
		assert_count(one, "nodes", i >= 200 && i < 300 ? 2 : 1);
	}
	tools = field_find(report, "tools");
	for (size_t i = 0; i < field_length(tools); i++) {
		int64_t place;

		if (!field_count(json_object_array_get_idx(tools, i), "container", &place))
			continue;
		assert_true(place == 299 || place == 499);
		checked++;
	}
	assert_true(checked > 0);
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static struct json_object *given(const char *slurm_gpus, const char *const indexes[2])
{
	cleanup_json struct json_object *slurm = load("slurm-two.json");
	struct json_object *records[2], *report;

	for (int i = 0; i < 2; i++) {
		records[i] = load(i ? "record-two-n2.json" : "record-two-n1.json");
		if (indexes[i])
			json_object_object_add(field_find(records[i], "allocated"), "gpu_indexes", json_tokener_parse(indexes[i]));
	}
	if (slurm_gpus)
		json_object_object_add(slurm, "gpus_allocated", json_tokener_parse(slurm_gpus));
	report = build(records, 2, slurm);
	for (int i = 0; i < 2; i++)
		json_object_put(records[i]);
	return report;
}

#define GPU "\"kind\":\"gpu\","
#define A100 GPU "\"type\":\"a100\","

static void which_gpus_the_job_had_is_known_by_node_and_index(void **state)
{
	static const struct {
		const char *slurm, *indexes[2], *expected;
	} cases[] = {
		{ NULL, { NULL, NULL }, "null" },
		/* from Slurm, while the job runs */
		{ "[{\"node\":\"n1\"," A100 "\"count\":2,\"indexes\":[0,3]}]", { NULL, NULL },
		  "[{\"node\":\"n1\"," A100 "\"count\":2,\"indexes\":[0,3]}]" },
		{ "[{\"node\":\"n1\",\"kind\":\"shard\",\"count\":4,\"indexes\":[0,1],\"shares\":[3,1],\"shares_of\":[8,8]}]", { NULL, NULL },
		  "[{\"node\":\"n1\",\"kind\":\"shard\",\"count\":4,\"indexes\":[0,1],\"shares\":[3,1],\"shares_of\":[8,8]}]" },
		/* from the epilogs */
		{ "[{" A100 "\"count\":3}]", { "[0,3]", "[1]" },
		  "[{\"node\":\"n1\"," A100 "\"count\":2,\"indexes\":[0,3]},{\"node\":\"n2\"," A100 "\"count\":1,\"indexes\":[1]}]" },
		{ NULL, { "[0,3]", NULL }, "[{\"node\":\"n1\"," GPU "\"count\":2,\"indexes\":[0,3]}]" },
		/* the other node's GPUs have no device files */
		{ "[{" A100 "\"count\":3}]", { "[0]", NULL },
		  "[{\"node\":\"n1\"," A100 "\"count\":1,\"indexes\":[0]},{" A100 "\"count\":2}]" },
		/* which index is of which type is not known */
		{ "[{" A100 "\"count\":1},{" GPU "\"type\":\"v100\",\"count\":1}]", { "[0]", "[1]" },
		  "[{" A100 "\"count\":1},{" GPU "\"type\":\"v100\",\"count\":1}]" },
		{ "[{\"kind\":\"shard\",\"count\":4}]", { "[0]", "[1]" },
		  "[{\"node\":\"n1\",\"kind\":\"shard\",\"indexes\":[0]},{\"node\":\"n2\",\"kind\":\"shard\",\"indexes\":[1]},"
		  "{\"kind\":\"shard\",\"count\":4}]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_json struct json_object *report = given(cases[i].slurm, cases[i].indexes);

		assert_string_equal(json_object_to_json_string_ext(field_find(report, "allocated.gpus_allocated"), JSON_C_TO_STRING_PLAIN),
				    cases[i].expected);
	}
}

static void processes_that_left_are_added_up_over_nodes_and_tools(void **state)
{
	cleanup_json struct json_object *slurm = load("slurm-two.json");
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct json_object *left = put_object(records[i], "moved_out");

		put_count(left, "processes", 1 + i);
		put_count(left, "first_unix_ns", (2000000010ll - i) * 1000000000);
		put_count(element(records[i], "tools", 0), "moved_out", 1 + i);
		put_flag(records[i], "complete", false);
		gaps_add(field_find(records[i], "gaps"), "used", "1 process (a) left the job's cgroup, 2 s after the start; what it used "
								 "afterwards is unknown");
	}
	report = build(records, 2, slurm); /* the report and the row of the store agree about the verdict and the advice, too */
	assert_count(report, "moved_out.processes", 3);
	assert_string_not_equal(field_text(report, "verdict.bound"), "idle");
	assert_non_null(strstr(field_text(report, "moved_out.first"), ":29"));
	assert_false(json_object_get_boolean(field_find(report, "complete")));
	for (int i = 0; i < 2; i++)
		json_object_put(records[i]);
}

static void assert_script_name(const char *command, const char *job_name, const char *expected)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	put_text(slurm, "command", command);
	put_text(slurm, "name", job_name);
	report = build(&record, 1, slurm);
	assert_text(element(report, "timeline", 0), "tool", expected);
	assert_text(element(report, "tools", 6), "name", expected);
	assert_text(element(report, "tools", 6), "interpreter", "bash");
}

static void the_batch_script_has_its_authors_name(void **state)
{
	(void)state;
	assert_script_name("/home/juser/run.sh", "align", "run.sh");
	assert_script_name("run.sh", "align", "run.sh");
	assert_script_name("/home/juser/my scripts/run.sh input.fa", "run.sh", "run.sh");
	/* where the path ends is not known: a wrong name would be worse than the copy's */
	assert_script_name("/home/juser/my scripts/run.sh input.fa", "align", "job script");
	assert_script_name("/home/juser/prerun.sh x", "run.sh", "job script");
}

/* Nodes had threads for different times: the summary's row and the page judge them alike. */
static void a_row_has_the_reports_time(void **state)
{
	cleanup_json struct json_object *one = load("record-two-n1.json"), *two = load("record-two-n2.json");
	cleanup_json struct json_object *slurm = load("slurm-two.json");
	cleanup_report struct report *report = NULL, *of_row = NULL;
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	cleanup_record struct record *read_one = NULL, *read_two = NULL;
	struct json_object *records[] = { one, two };
	const struct record *of[2];
	struct facts facts, for_row;
	struct build_input input = { .records = of, .record_count = 2, .slurm = slurm_answer_job(answer), .for_row = &for_row,
				     .now_unix_ns = INT64_C(1800000000) * NS_PER_S };
	struct rules rules;

	(void)state;
	rules_defaults(&rules);
	input.rules = &rules;
	put_count(field_find(two, "pressure"), "active_ns", 1000000);
	of[0] = read_one = record_of(one);
	of[1] = read_two = record_of(two);
	report = build_model(records, 2, slurm);
	facts_read(&facts, report, &rules);
	of_row = build_report(&input);
	assert_true(facts.time_s > facts.live_s);
	assert_float_equal(facts.time_s, for_row.time_s, 1e-9);
	assert_float_equal(facts.shares.cores_busy, for_row.shares.cores_busy, 1e-9);
}

static void a_summary_has_no_timeline(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_text(record, "mode", "summary");
	report = build(&record, 1, NULL);
	assert_int_equal(field_length(field_typed(report, "timeline", json_type_array)), 0);
	assert_non_null(field_typed(report, "timeline", json_type_array));
}

static void numbers_of_a_made_up_record_do_not_overflow(void **state)
{
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		put_count(field_find(records[i], "totals"), "cpu_ns", INT64_MAX);
		put_count(field_find(records[i], "totals"), "read_bytes", INT64_MAX);
		put_count(field_find(records[i], "totals"), "write_bytes", -1);
		put_count(element(records[i], "tools", 0), "cpu_ns", INT64_MAX);
		put_count(element(records[i], "timeline", 0), "tool", 1000);
	}
	report = build(records, 2, NULL);
	assert_count(report, "used.read_bytes", INT64_MAX);
	assert_gap(report, "used.write_bytes");
	assert_int_equal(field_length(field_find(report, "timeline")), 0);
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static void nor_do_its_times(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *report = NULL;
	struct record_slurm_job job;

	(void)state;
	slurm_job_forget(&job);
	job.start_unix_s = 1;
	assert_false(job_is_later(&job, INT64_MAX));
	job.start_unix_s = INT64_MAX;
	assert_true(job_is_later(&job, INT64_MAX));
	json_object_object_del(record, "opened_unix_ns");
	put_count(field_find(record, "collector"), "booted_unix_ns", 0);
	put_count(field_find(record, "collector"), "since_unix_ns", INT64_MAX);
	put_count(slurm, "start_unix_s", INT64_MAX / NS_PER_S);
	report = build(&record, 1, slurm);
	assert_true(field_true(report, "complete"));
}

static void a_trimmed_timeline_keeps_the_longest_in_order(void **state)
{
	cleanup_json struct json_object *json = load("record-one.json");
	cleanup_record struct record *record = record_of(json);

	(void)state;
	record_trim_timeline(record, 6);
	assert_int_equal(record->timeline.count, 6);
	assert_int_equal(record->gaps.count, 0);
	record_trim_timeline(record, 2);
	assert_int_equal(record->timeline.count, 2);
	assert_int_equal(record->timeline.items[0].pid, 4300); /* samtools, 65 s */
	assert_int_equal(record->timeline.items[1].pid, 4242); /* the script, 129.5 s */
	assert_int_equal(record->gaps.count, 1);
	assert_string_equal(record->gaps.items[0].name, "timeline");
	assert_string_equal(record->gaps.items[0].reason,
			    "the report keeps the longest 2 of 6 entries: it keeps no more of one node");
}

static void a_process_of_a_tool_without_a_name_is_not_in_the_timeline(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *whole = build(&record, 1, NULL), *report = NULL;
	struct json_object *tools = field_find(record, "tools"), *timeline;
	size_t left_out = 0;
	int64_t tool;

	(void)state;
	json_object_object_del(json_object_array_get_idx(tools, 1), "name");
	for (size_t i = 0; i < field_length(field_find(record, "timeline")); i++)
		left_out += field_count(json_object_array_get_idx(field_find(record, "timeline"), i), "tool", &tool) && tool == 1;
	report = build(&record, 1, NULL);
	timeline = field_find(report, "timeline");
	assert_true(left_out > 0);
	assert_int_equal(field_length(timeline) + left_out, field_length(field_find(whole, "timeline")));
	for (size_t i = 0; i < field_length(timeline); i++)
		assert_non_null(field_text(json_object_array_get_idx(timeline, i), "tool"));
}

static void damaged_records_are_refused_with_the_place(void **state)
{
	static const struct {
		const char *text, *expected;
	} bad[] = {
		{ "", "r: damaged JSON at byte 1: it ends too soon" },
		{ "{\n  \"stint_record\": 1,\n  oops", "r: damaged JSON at byte 26: an unexpected character" },
		{ "{} {}", "r: damaged JSON at byte 4: more text follows" },
		{ "[]", "r: not a JSON object" },
		{ "{\"a\": [\"01\\\"01\", 0, -0.5e-1, 10,\n  -01]}", "r: damaged JSON at byte 39:" },
		{ "{'a\"b': NaN, \"x\": 1}", "r: damaged JSON at byte 2:" },
		{ "{\"a\": NaN}", "r: damaged JSON at byte 7: an unexpected" },
		{ "{\"a\": -Infinity}", "r: damaged JSON at byte 8: an unexpected" },
		{ "{\"a\": 1.}", "r: damaged JSON at byte 9: an unexpected" },
		{ "{\"a\": -.5}", "r: damaged JSON at byte 8: an unexpected" },
		{ "{}", "r: not a node record" },
		{ "{\"stint_record\": 2}", "r: a node record of version 2" },
		{ "{\"stint_record\": 1, \"identity\": {\"job_id\": -1}}", "without identity.job_id" },
		{ "{\"stint_record\": 1, \"identity\": {\"job_id\": 1, \"attempt\": 1, \"node\": \"../x\"}}",
		  "without identity.node" },
		{ "{\"stint_record\": \"\xff\"}", "damaged JSON" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct record_identity identity;
		struct error err = { "" };

		assert_null(record_parse(bad[i].text, strlen(bad[i].text), "r", &identity, &err));
		if (!strstr(err.text, bad[i].expected))
			fail_msg("'%s' is not in '%s'", bad[i].expected, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_node_tells_all),
		cmocka_unit_test(user_and_system_add_up_to_the_exact_total),
		cmocka_unit_test(a_job_too_short_for_a_tick_has_no_split),
		cmocka_unit_test(used_memory_is_never_above_charged),
		cmocka_unit_test(a_process_between_two_samples_counts_as_used),
		cmocka_unit_test(two_nodes_add_up_but_their_peaks_do_not),
		cmocka_unit_test(each_node_is_held_to_what_it_was_given),
		cmocka_unit_test(whole_nodes_are_told_where_slurm_says_so),
		cmocka_unit_test(tools_of_two_nodes_are_one_when_they_are_the_same),
		cmocka_unit_test(scripts_of_two_interpreters_stay_two),
		cmocka_unit_test(timelines_of_two_nodes_are_one_in_order),
		cmocka_unit_test(steps_of_two_nodes_are_one),
		cmocka_unit_test(a_missing_node_makes_the_report_incomplete),
		cmocka_unit_test(what_is_not_known_is_absent_and_named),
		cmocka_unit_test(a_time_limit_of_none_is_null),
		cmocka_unit_test(gpus_are_what_slurm_says),
		cmocka_unit_test(containers_are_one_by_runtime_image_and_root),
		cmocka_unit_test(which_gpus_the_job_had_is_known_by_node_and_index),
		cmocka_unit_test(processes_that_left_are_added_up_over_nodes_and_tools),
		cmocka_unit_test(the_batch_script_has_its_authors_name),
		cmocka_unit_test(a_row_has_the_reports_time),
		cmocka_unit_test(a_summary_has_no_timeline),
		cmocka_unit_test(numbers_of_a_made_up_record_do_not_overflow),
		cmocka_unit_test(nor_do_its_times),
		cmocka_unit_test(a_trimmed_timeline_keeps_the_longest_in_order),
		cmocka_unit_test(a_process_of_a_tool_without_a_name_is_not_in_the_timeline),
		cmocka_unit_test(damaged_records_are_refused_with_the_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
