/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a store line is small, has nothing private, and makes the report that its record makes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/sum_list.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"
#include "reports/store/store_line_internal.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/case.h"
#include "tests/unit/reports/fixture.h"

#define TYPICAL_MAX 5120 /* for the fixtures' records, which have some of everything: most jobs have half of it */

static char *make_of(const struct record *record, const struct record_slurm_job *slurm, bool scripts, size_t *len)
{
	struct error err = { "" };
	char *text = store_line_make(record, slurm, scripts, len, &err);

	if (!text)
		fail_msg("%s", err.text);
	assert_int_equal(strlen(text), *len);
	assert_int_equal(text[*len - 1], '\n');
	assert_ptr_equal(strchr(text, '\n'), text + *len - 1);
	return text;
}

static char *make(struct json_object *json, struct json_object *slurm, bool scripts, size_t *len)
{
	cleanup_record struct record *record = record_of(json);
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);

	return make_of(record, slurm_answer_job(answer), scripts, len);
}

static struct store_line read_back(const char *text)
{
	struct error err = { "" };
	struct store_line line;

	if (store_line_read(text, strlen(text), "batch:1", &line, &err) < 0)
		fail_msg("%s", err.text);
	return line;
}

/* Returns the report made from the lines of @count records. Only the first has Slurm's answer. */
static struct json_object *report_of_lines(struct json_object **records, size_t count, struct json_object *slurm)
{
	const struct record *from_lines[RECORDS_MAX];
	struct store_line lines[RECORDS_MAX];
	struct json_object *report;
	size_t len;

	for (size_t i = 0; i < count; i++) {
		cleanup_free char *text = make(records[i], i ? NULL : slurm, true, &len);

		lines[i] = read_back(text);
		from_lines[i] = lines[i].record;
	}
	report = report_into_objects(build_records(from_lines, count, slurm ? &from_lines[0]->slurm_job : NULL));
	for (size_t i = 0; i < count; i++)
		store_line_free(&lines[i]);
	return report;
}

static void assert_same(struct json_object *report, struct json_object *stored, const char *name)
{
	struct json_object *one = field_find(report, name), *other = field_find(stored, name);

	if (!json_object_equal(one, other))
		fail_msg("%s is\n%s\nby the records, and by the lines\n%s", name, json_object_to_json_string(one),
			 json_object_to_json_string(other));
}

static void forget(struct json_object *report)
{
	struct json_object *nodes = field_find(report, "nodes"), *lost = field_find(report, "lost");

	json_object_object_del(field_find(report, "job"), "work_dir");
	json_object_object_del(field_find(report, "job"), "std_out");
	json_object_object_del(field_find(report, "job"), "has_output");
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		json_object_object_del(field_find(node, "allocated"), "cores");
		json_object_object_del(node, "gaps");
	}
	for (const char *const *name = (const char *const[]){ "files", "oom_records", NULL }; *name; name++)
		if (json_object_get_int64(field_find(lost, *name)) == 0)
			json_object_object_del(lost, *name);
}

static void assert_same_tools(struct json_object *report, struct json_object *stored)
{
	static const char *const kept[] = { "name", "interpreter", "slurm", "runs", "forks", "failures", "signals", "dismissed", "wall_s",
					    "peak_bytes", "used_peak_bytes", "threads_peak", "openmp_processes", "blas_processes", "cpu_s",
					    "read_bytes", "states.on_cpu_s", "states.file_io_s", "states.lock_s" };
	struct json_object *tools = field_find(report, "tools"), *others = field_find(stored, "tools");

	assert_int_equal(field_length(tools), field_length(others));
	for (size_t i = 0; i < field_length(tools); i++)
		for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
			assert_same(json_object_array_get_idx(tools, i), json_object_array_get_idx(others, i), kept[k]);
}

static void assert_same_report(struct json_object *report, struct json_object *stored)
{
	static const char *const kept[] = { "complete", "lost", "mode", "job", "requested", "allocated", "used", "states", "verdict",
					    "findings", "advice", "oom", "progress", "nodes" };

	forget(report);
	forget(stored);
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		assert_same(report, stored, kept[i]);
	assert_same_tools(report, stored);
}

static void check_records(struct json_object **records, size_t count, struct json_object *slurm)
{
	cleanup_json struct json_object *report = build(records, count, slurm), *stored = report_of_lines(records, count, slurm);

	assert_same_report(report, stored);
}

static void check_one(const char *record_name, const char *slurm_name)
{
	cleanup_json struct json_object *record = load(record_name), *slurm = slurm_name ? load(slurm_name) : NULL;

	check_records(&record, 1, slurm);
}

static void check_two(void)
{
	cleanup_json struct json_object *first = load("record-two-n1.json"), *second = load("record-two-n2.json"),
					*slurm = load("slurm-two.json");

	check_records((struct json_object *[]){ first, second }, 2, slurm);
	/* programs with runtimes that start threads */
	put_count(json_object_array_get_idx(field_find(first, "tools"), 0), "openmp_processes", 2);
	put_count(json_object_array_get_idx(field_find(second, "tools"), 0), "blas_processes", 3);
	check_records((struct json_object *[]){ first, second }, 2, slurm);
	/* whole nodes, with all that they have */
	put_flag(slurm, "exclusive", true);
	put_count(slurm, "memory_per_node_bytes", 0);
	json_object_object_del(slurm, "memory_per_cpu_bytes");
	check_records((struct json_object *[]){ first, second }, 2, slurm);
}

static void lines_make_the_report_that_their_records_make(void **state)
{
	(void)state;
	check_one("record-one.json", "slurm-one.json");
	check_one("record-one.json", NULL);
	check_one("record-poor.json", NULL);
	check_one("record-poor.json", "slurm-one.json");
	check_one("record-old.json", "slurm-one.json");
	check_two();
}

/* A step of srun with @limit bytes of memory, in which the job waited for pages. */
static void add_step(struct json_object *record, int64_t limit)
{
	struct json_object *step = json_object_new_object(), *totals = put_object(step, "totals"), *job = field_find(record, "totals");

	put_text(step, "id", "0");
	put_count(step, "step_id", 0);
	put_count(step, "nodes", 1);
	put_count(step, "task_count", 1);
	put_count(totals, "processes", 1);
	put_count(totals, "memory_limit_bytes", limit);
	put_count(totals, "memory_used_sampled_peak_bytes", limit - 10);
	put_count(totals, "memory_charged_peak_bytes", limit);
	put_count(totals, "fault_io_ns", INT64_C(90000000000));
	put_count(totals, "memory_stall_ns", INT64_C(1000000000));
	json_object_array_add(field_find(record, "steps"), step);
	put_count(job, "fault_io_ns", INT64_C(91200000000));
	put_count(field_find(record, "pressure.waits.fault_io"), "some_ns", INT64_C(90000000000));
	put_count(field_find(record, "pressure.waits.fault_io"), "bound_ns", INT64_C(60000000000));
}

static void a_step_with_a_memory_limit_of_its_own_has_the_same_verdict(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *stored = NULL;

	(void)state;
	add_step(record, 104857600);
	check_records(&record, 1, slurm);
	stored = report_of_lines(&record, 1, slurm);
	assert_text(stored, "verdict.bound", "memory");
	assert_non_null(strstr(field_text(stored, "verdict.text"), "in step 0, at its own limit of 100.0 MiB"));
}

/* ---- what the verdict reads of the timeline, the series and the cores ---- */

static struct json_object *parse(const char *text)
{
	struct json_object *json = json_tokener_parse(text);

	assert_non_null(json);
	return json;
}

static struct json_object *failing_record(void)
{
	struct json_object *record = load("record-one.json");

	json_object_object_add(
		record, "timeline",
		parse("[{\"tool\": 5, \"step\": \"batch\", \"count\": 1, \"pid\": 4242, \"ppid\": 9, \"start_unix_ns\": 1763678100300000000,"
		      " \"end_unix_ns\": 1763678112500000000, \"exit_status\": 256},"
		      "{\"tool\": 4, \"step\": \"batch\", \"count\": 1, \"pid\": 4300, \"ppid\": 4242, \"start_unix_ns\": 1763678101000000000,"
		      " \"end_unix_ns\": 1763678110000000000, \"exit_status\": 256},"
		      "{\"tool\": 1, \"step\": \"batch\", \"count\": 1, \"pid\": 4301, \"ppid\": 4242, \"start_unix_ns\": 1763678101000000000,"
		      " \"end_unix_ns\": 1763678112400000000, \"exit_status\": 256},"
		      "{\"tool\": 0, \"step\": \"batch\", \"count\": 1, \"pid\": 4302, \"ppid\": 4301, \"start_unix_ns\": 1763678101000000000,"
		      " \"end_unix_ns\": 1763678111000000000, \"exit_status\": 256}]"));
	put_count(json_object_array_get_idx(field_find(record, "steps"), 0), "exit_status", 256);
	return record;
}

static void the_process_that_failed_is_named(void **state)
{
	cleanup_json struct json_object *record = failing_record(), *slurm = load("slurm-one.json"), *stored = NULL;

	(void)state;
	put_text(slurm, "state", "FAILED");
	put_count(slurm, "exit_status", 256);
	json_object_object_del(slurm, "std_out"); /* the sentence would end with it: the store has no paths */
	check_records(&record, 1, slurm);
	stored = report_of_lines(&record, 1, slurm);
	assert_text(stored, "verdict.outcome", "FAILED: bwa (pid 4302) ended with exit code 1 at 00:00:11, and the job script ended 2 s later");
}

/* "bwa | head" under "set -o pipefail": SIGPIPE is no failure elsewhere. */
static void a_producer_that_lost_its_reader_is_named(void **state)
{
	cleanup_json struct json_object *record = failing_record(), *slurm = load("slurm-one.json"), *stored = NULL;
	const int exit_141 = 141 << 8;

	(void)state;
	json_object_object_add(
		record, "timeline",
		parse("[{\"tool\": 5, \"step\": \"batch\", \"count\": 1, \"pid\": 4242, \"ppid\": 9, \"start_unix_ns\": 1763678100300000000,"
		      " \"end_unix_ns\": 1763678112500000000, \"exit_status\": 36096},"
		      "{\"tool\": 0, \"step\": \"batch\", \"count\": 1, \"pid\": 4300, \"ppid\": 4242, \"start_unix_ns\": 1763678101000000000,"
		      " \"end_unix_ns\": 1763678112400000000, \"exit_status\": 13, \"dismissed\": true},"
		      "{\"tool\": 1, \"step\": \"batch\", \"count\": 1, \"pid\": 4301, \"ppid\": 4242, \"start_unix_ns\": 1763678101000000000,"
		      " \"end_unix_ns\": 1763678112300000000, \"exit_status\": 0}]"));
	put_count(json_object_array_get_idx(field_find(record, "steps"), 0), "exit_status", exit_141);
	put_text(slurm, "state", "FAILED");
	put_count(slurm, "exit_status", exit_141);
	json_object_object_del(slurm, "std_out");
	check_records(&record, 1, slurm);
	stored = report_of_lines(&record, 1, slurm);
	assert_text(stored, "verdict.outcome", "FAILED: bwa (pid 4300) was killed by signal 13 SIGPIPE at 00:00:12 (nothing read its output any"
						" more), and the job script with it ('set -o pipefail')");
}

static void add_tools(struct json_object *record, int count)
{
	struct json_object *tools = field_find(record, "tools");

	for (int i = 0; i < count; i++) {
		struct json_object *tool = json_object_new_object();
		char name[32];

		snprintf(name, sizeof(name), "tool-%d", i);
		put_text(tool, "name", name);
		put_flag(tool, "slurm", i % 10 == 9);
		put_count(tool, "runs", 1);
		put_count(tool, "wall_ns", 1000);
		put_count(tool, "cpu_ns", 1000);
		json_object_array_add(tools, tool);
	}
}

static bool has_finding(struct json_object *report, const char *code)
{
	return case_find(report, "findings", "code", code);
}

/* The outcome says how the script ended, so no finding repeats it. No path in a line shows the script. */
static void how_the_script_ended_is_no_finding_of_the_store(void **state)
{
	cleanup_json struct json_object *record = failing_record(), *slurm = load("slurm-one.json"), *stored = NULL;
	struct json_object *tools = field_find(record, "tools"), *script = json_object_array_get_idx(tools, 5);

	(void)state;
	for (size_t i = 0; i < field_length(tools); i++) {
		put_count(json_object_array_get_idx(tools, i), "failures", 0);
		put_count(json_object_array_get_idx(tools, i), "signals", 0);
	}
	put_text(script, "path", "/var/spool/slurmd/job4160740/slurm_script");
	put_count(script, "failures", 1);
	put_text(slurm, "state", "FAILED");
	put_count(slurm, "exit_status", 256);
	add_tools(record, 100);
	stored = report_of_lines(&record, 1, slurm);
	assert_false(has_finding(stored, "tools-failed"));
	json_object_put(stored);
	put_text(slurm, "state", "COMPLETED");
	stored = report_of_lines(&record, 1, slurm);
	assert_true(has_finding(stored, "tools-failed"));
}

/* Slurm's answers about all other jobs lack GPUs, and an end during a suspension. */
static void gpus_and_a_suspended_end_are_in_the_line(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *stored = NULL;
	int64_t start = 0;

	(void)state;
	field_count(slurm, "start_unix_s", &start);
	put_text(slurm, "state", "CANCELLED");
	put_count(slurm, "end_unix_s", start + 120);
	put_count(slurm, "gpus", 2);
	put_flag(slurm, "ended_suspended", true);
	check_records(&record, 1, slurm);
	stored = report_of_lines(&record, 1, slurm);
	assert_count(stored, "allocated.gpus", 2);
	assert_number(stored, "job.suspended_s", 10);
}

static void add_used_gpu(struct json_object *list, bool slice)
{
	struct json_object *gpu = json_object_new_object();

	put_text(gpu, "vendor", "nvidia");
	put_flag(gpu, "used", true);
	if (slice)
		put_flag(gpu, "slice", true);
	put_array(gpu, "absent");
	json_object_array_add(list, gpu);
}

static void a_slice_without_a_number_is_a_slice(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *stored = NULL;
	struct json_object *list;

	(void)state;
	list = put_array(record, "gpus");
	add_used_gpu(list, true);
	add_used_gpu(list, false);
	stored = report_of_lines(&record, 1, slurm);
	assert_true(field_true(json_object_array_get_idx(field_find(stored, "gpus"), 0), "slice"));
	assert_false(field_true(json_object_array_get_idx(field_find(stored, "gpus"), 1), "slice"));
}

static void a_cut_list_of_gpus_does_not_say_which_were_unused(void **state)
{
	(void)state;
	for (size_t gpus = STORE_GPUS; gpus <= STORE_GPUS + 1; gpus++) {
		cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *stored = NULL;
		struct json_object *list = put_array(record, "gpus");

		put_count(record, "gpus_listed_ns", 5000000000);
		for (size_t i = 0; i < gpus; i++)
			add_used_gpu(list, false);
		stored = report_of_lines(&record, 1, slurm);
		assert_int_equal(field_length(field_find(stored, "gpus")), STORE_GPUS);
		assert_true(!field_find(stored, "gpus_listed_s") == (gpus > STORE_GPUS));
	}
}

static void waits_for_a_cpu_are_known_without_the_series(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *report = NULL;

	(void)state;
	/* half of the time more threads than CPUs, by turns, and a busiest point */
	json_object_object_add(
		record, "series",
		parse("{\"start_unix_ns\": 1763678100000000000, \"interval_ns\": 20000000000,"
		      " \"end_offsets_ns\": [20000000000, 40000000000, 60000000000, 80000000000, 100000000000, 120000000000, 130000000000],"
		      " \"columns\": {\"cpu_ns\": [20000000000, 75000000000, 20000000000, 79000000000, 20000000000, 30000000000, 9361000000],"
		      " \"on_cpu_ns\": [20000000000, 75000000000, 20000000000, 79000000000, 20000000000, 30000000000, 9251000000],"
		      " \"runnable_ns\": [0, 60000000000, 0, 90000000000, 0, null, 0]}}"));
	put_count(field_find(record, "totals"), "runnable_ns", 150000000000);
	check_records(&record, 1, slurm);
	report = build(&record, 1, slurm);
	assert_non_null(field_find(report, "verdict.outcome"));
}

static void unused_cores_are_counted(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *stored = NULL;
	struct json_object *cores = field_find(record, "allocated.cores");

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct json_object *core = json_object_new_object();

		put_count(core, "core", i % 100 + 10);
		put_count(core, "package", i / 100);
		put_count(core, "cpu_ns", i % 3 == 0);
		json_object_array_add(cores, core);
	}
	put_count(field_find(record, "allocated"), "cpus", 204);
	put_count(slurm, "cpus", 204);
	stored = report_of_lines(&record, 1, slurm);
	assert_int_equal(field_length(field_find(stored, "progress.cores_unused")), 1 + 133);
	assert_count(stored, "progress.cores_used", 70);
	/* cores with a nanosecond are nothing beside the three that computed */
	assert_count(json_object_array_get_idx(field_find(stored, "nodes"), 0), "allocated.cores_loaded", 3);
}

/* ---- bounds ---- */

static void tools_beyond_the_bound_are_one(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *stored = NULL;
	struct json_object *tools, *rest;
	int64_t runs = 0;

	(void)state;
	add_tools(record, 2000);
	stored = report_of_lines(&record, 1, NULL);
	tools = field_find(stored, "tools");
	assert_int_equal(field_length(tools), STORE_LINE_TOOLS + 2 + 2);
	for (size_t i = 0; i < field_length(tools); i++) {
		rest = json_object_array_get_idx(tools, i);
		if (strcmp(field_text(rest, "name"), STORE_LINE_REST) == 0 && !field_true(rest, "slurm"))
			field_count(rest, "runs", &runs);
	}
	/* six of the 16 are the record's own */
	assert_int_equal(runs, 1800 - (STORE_LINE_TOOLS - 6));
}

static char *long_text(char of)
{
	char *text = malloc(65537);

	memset(text, of, 65536);
	text[65536] = '\0';
	return text;
}

static void replace_texts(const struct report_object *of, void *object, const char *by)
{
	for (size_t i = 0; i < of->count; i++) {
		const struct report_field *field = &of->fields[i];
		void *member = report_member(field, object);
		struct report_any_list list;

		if (field->type == REPORT_TYPE_TEXT && *(const char **)member)
			*(const char **)member = by;
		if (field->type == REPORT_TYPE_OBJECT)
			replace_texts(field->of(), member, by);
		if (field->type != REPORT_TYPE_LIST)
			continue;
		memcpy(&list, member, sizeof(list));
		for (size_t k = 0; k < list.count; k++)
			replace_texts(field->of(), (char *)list.items + k * field->of()->bytes, by);
	}
}

static void check_bound(char of)
{
	cleanup_json struct json_object *json = failing_record(), *slurm = load("slurm-one.json");
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	cleanup_record struct record *record = NULL;
	cleanup_free char *long_one = long_text(of), *line = NULL;
	struct json_object *lists[] = { field_find(json, "steps"), field_find(json, "oom"), field_find(json, "file_systems"),
					field_find(json, "progress.stalls"), field_find(json, "gaps") };
	struct json_object *entries[] = { NULL,
					  parse("{\"tool\": 3, \"comm\": \"x\", \"step\": \"batch\", \"pid\": 1, \"time_unix_ns\": 1}"),
					  NULL, parse("{\"tool\": 2, \"step\": \"batch\", \"pid\": 1, \"quiet_ns\": 9000000000}"),
					  parse("{\"name\": \"n\", \"reason\": \"r\"}") };
	struct store_line read;
	size_t len;

	add_tools(json, 2000);
	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++)
		for (int i = 0; i < 3000; i++)
			json_object_array_add(lists[l], json_object_get(entries[l] ? entries[l] : json_object_array_get_idx(lists[l], 0)));
	for (size_t l = 0; l < sizeof(entries) / sizeof(entries[0]); l++)
		json_object_put(entries[l]);
	record = record_of(json);
	replace_texts(record_whole(), record, long_one);
	replace_texts(record_table_slurm_job(), slurm_answer_job(answer), long_one);
	line = make_of(record, slurm_answer_job(answer), true, &len);
	assert_true(len <= STORE_LINE_MAX);
	read = read_back(line);
	store_line_free(&read);
}

/* A user may name a tool by control characters alone: JSON has six bytes for each. */
static void a_line_is_bounded_whatever_the_record_has(void **state)
{
	static const char all[] = { 'x', '"', '\\', '\1', '\n' };

	(void)state;
	for (size_t i = 0; i < sizeof(all); i++)
		check_bound(all[i]);
}

static void a_typical_line_is_small(void **state)
{
	static const char *const names[][2] = { { "record-one.json", "slurm-one.json" }, { "record-two-n1.json", "slurm-two.json" },
						{ "record-two-n2.json", NULL }, { "record-old.json", "slurm-one.json" } };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cleanup_json struct json_object *record = load(names[i][0]), *slurm = names[i][1] ? load(names[i][1]) : NULL;
		size_t len;
		cleanup_free char *line = make(record, slurm, true, &len);

		print_message("%s: %zu bytes\n", names[i][0], len);
		assert_true(len <= TYPICAL_MAX);
	}
}

/* ---- privacy ---- */

#define MARK "/M4RK/"

static void mark(struct json_object *object, const char *const *names)
{
	for (; object && *names; names++)
		json_object_object_add(object, *names, json_object_new_string(MARK "x.sh " MARK "y"));
}

static void mark_all(struct json_object *list, const char *const *names)
{
	for (size_t i = 0; i < field_length(list); i++)
		mark(json_object_array_get_idx(list, i), names);
}

static void no_path_and_no_argument_is_in_it(void **state)
{
	static const char *const of_record[] = { "work_dir", "output", "work_dir_hex", "output_hex", NULL };
	static const char *const of_tool[] = { "path", "interpreter_path", NULL }, *const of_file[] = { "path", NULL };
	static const char *const of_slurm[] = { "work_dir", "command", "std_out", "comment", NULL }, *const of_gap[] = { "reason", NULL };
	cleanup_json struct json_object *record = failing_record(), *slurm = load("slurm-one.json");
	cleanup_free char *line = NULL;
	size_t len;

	(void)state;
	json_object_array_add(field_find(record, "gaps"), parse("{\"name\": \"series\"}"));
	mark(record, of_record);
	mark_all(field_find(record, "tools"), of_tool);
	mark_all(field_find(record, "files"), of_file);
	mark_all(field_find(record, "gaps"), of_gap);
	mark(slurm, of_slurm);
	put_text(slurm, "name", MARK "job");
	put_text(json_object_array_get_idx(field_find(record, "tools"), 0), "name", MARK "bwa");
	line = make(record, slurm, true, &len);
	assert_null(strstr(line, "M4RK"));
	assert_non_null(strstr(line, "\"bwa\""));
}

static void a_site_can_turn_names_of_scripts_off(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json");
	cleanup_free char *on = NULL, *off = NULL;
	size_t len;

	(void)state;
	put_text(slurm, "command", "/home/juser/run/secret.sh --key");
	put_text(slurm, "name", "secret.sh");
	json_object_array_add(field_find(record, "oom"), parse("{\"tool\": 2, \"comm\": \"align.py\", \"step\": \"batch\", \"pid\": 1}"));
	on = make(record, slurm, true, &len);
	off = make(record, slurm, false, &len);
	assert_non_null(strstr(on, "align.py"));
	assert_non_null(strstr(on, "secret.sh"));
	assert_null(strstr(off, "align.py"));
	assert_null(strstr(off, "secret.sh"));
	assert_non_null(strstr(off, "\"python3\""));
	assert_non_null(strstr(off, "\"bwa\""));
}

/* The process or rule of a workflow is kept. The names and paths that showed it are not. */
static void a_workflow_is_known_without_its_paths(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *stored = NULL;

	(void)state;
	put_text(record, "work_dir", "/w/ab/0123456789abcdef0123456789abcd");
	put_text(slurm, "name", "nf-ALIGN_(sample7)");
	put_text(slurm, "command", "/w/ab/0123456789abcdef0123456789abcd/.command.run");
	stored = report_of_lines(&record, 1, slurm);
	assert_text(stored, "job.workflow.engine", "nextflow");
	assert_text(stored, "job.workflow.process", "ALIGN");
	assert_absent(stored, "job.workflow.tag");
}

/* ---- reading ---- */

static void the_fuller_line_has_the_higher_revision(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json"), *running = load("slurm-one.json");
	struct json_object *answers[] = { NULL, running, slurm };
	int64_t before = -1;
	size_t len;

	(void)state;
	put_text(running, "state", "RUNNING");
	for (int i = 0; i < 4; i++) {
		cleanup_free char *text = NULL;
		struct store_line line;

		if (i == 3)
			put_count(field_find(record, "collector"), "closed_unix_ns", INT64_C(1763678232000000000));
		text = make(record, i < 3 ? answers[i] : NULL, true, &len);
		line = read_back(text);
		assert_true(line.revision > before);
		before = line.revision;
		store_line_free(&line);
	}
}

static void assert_refused(const char *text, int error, const char *said)
{
	struct error err = { "" };
	struct store_line line;

	assert_int_equal(store_line_read(text, strlen(text), "b:7", &line, &err), -1);
	assert_int_equal(errno, error);
	if (!strstr(err.text, said))
		fail_msg("%s: said '%s'", text, err.text);
}

static void assert_refuses(const char *name, const char *value)
{
	cleanup_json struct json_object *record = failing_record(), *slurm = load("slurm-one.json"), *json = NULL;
	cleanup_free char *text = NULL;
	size_t len;

	put_text(slurm, "state", "FAILED");
	put_count(slurm, "exit_status", 256);
	text = make(record, slurm, true, &len);
	json = parse(text);
	store_put_at(json, name, json_tokener_parse(value));
	assert_refused(json_object_to_json_string(json), EBADMSG, "b:7");
}

static void assert_refuses_name(const char *name, char letter, size_t length)
{
	char value[512] = "\"";

	memset(value + 1, letter, length);
	strcpy(value + 1 + length, "\"");
	assert_refuses(name, value);
}

static void what_is_no_line_is_refused(void **state)
{
	(void)state;
	assert_refused("", EBADMSG, "b:7");
	assert_refused("{\"stint_store\":1", EBADMSG, "b:7");
	assert_refused("{}", EBADMSG, "not a store line");
	assert_refused("[1]", EBADMSG, "b:7");
	assert_refused("{\"stint_store\":2}", EPROTONOSUPPORT, "version 2");
	assert_refused("{\"stint_store\":1,\"revision\":1}", EBADMSG, "identity");
	assert_refuses("revision", "-1");
	assert_refuses("identity.job_id", "\"4\"");
	assert_refuses("identity.node", "7");
	assert_refuses_name("identity.node", 'n', STORE_LINE_NAME + 1);
	assert_refuses_name("identity.cluster", 'c', STORE_LINE_NAME + 1);
	/* Unicode 15, table 3-7: a surrogate, an overlong form, a code beyond the last, a torn character */
	assert_refused("{\"stint_store\":1,\"x\":\"\xed\xa0\x80\"}", EBADMSG, "not UTF-8");
	assert_refused("{\"stint_store\":1,\"x\":\"\xc0\x80\"}", EBADMSG, "not UTF-8");
	assert_refused("{\"stint_store\":1,\"x\":\"\xf4\x90\x80\x80\"}", EBADMSG, "not UTF-8");
	assert_refused("{\"stint_store\":1,\"x\":\"\xe2\x82\"}", EBADMSG, "not UTF-8");
	assert_refuses("totals", "{}");
	assert_refuses("totals", "[1, -2]");
	assert_refuses("totals", "[1, 2.5]");
	assert_refuses("steps", "[{}]");
	assert_refuses("steps", "[[7]]");
	assert_refuses("tools", "[[\"a\", null, \"x\"]]");
	assert_refuses("tools", "[[\"a\", null, 0, \"x\"]]");
	assert_refuses("pressure.waits", "[[1, \"x\"]]");
	assert_refuses("failed", "[[-1, \"batch\"]]");
	assert_refuses("ends", "[[-1, \"batch\"]]");
	assert_refuses("slurm.steps_timed_out", "[\"0\"]");
	assert_refuses("slurm.has_output", "1");
	assert_refuses("series", "{\"interval_ns\": 1, \"points\": [[1],[1],[1],[1]]}");
	assert_refuses("series", "[]");
	assert_refuses("allocated.cores", "{\"count\": 100000}");
	assert_refuses("allocated.cores", "{\"count\": 4, \"used\": 1, \"unused\": [[0, 0, 2147483647]]}");
	assert_refuses("allocated.cores", "{\"count\": 4, \"used\": 1, \"unused\": [[0, 0, 2]]}");
	assert_refuses("slurm", "[]");
	assert_refuses("slurm.state", "7");
	assert_refuses("slurm.workflow", "\"x\"");
	assert_refuses("gaps", "[[\"a\"]]");
	assert_refuses("lost", "{\"tools\": \"many\"}");
}

static void a_later_line_with_more_members_is_read(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *json = NULL;
	cleanup_free char *text = NULL;
	struct store_line line;
	size_t len;

	(void)state;
	text = make(record, NULL, true, &len);
	json = parse(text);
	put_text(json, "run", "r7");
	json_object_array_add(field_find(json, "totals"), json_object_new_int(7));
	line = read_back(json_object_to_json_string(json));
	assert_false(line.record->slurm_job.known);
	assert_int_equal(line.identity.job_id, 4160740);
	store_line_free(&line);
}

/* The line has "failed", whose entries have fewer numbers, and does not mark the script. */
static void a_line_of_an_earlier_version_is_read(void **state)
{
	cleanup_json struct json_object *record = failing_record(), *slurm = load("slurm-one.json"), *json = NULL, *stored = NULL;
	struct json_object *ends, *tools;
	cleanup_free char *text = NULL;
	struct store_line line;
	size_t len;

	(void)state;
	put_text(slurm, "state", "FAILED");
	put_count(slurm, "exit_status", 256);
	text = make(record, slurm, true, &len);
	json = parse(text);
	ends = json_object_get(field_find(json, "ends"));
	tools = field_find(json, "tools");
	for (size_t i = 0; i < field_length(ends); i++) {
		struct json_object *entry = json_object_array_get_idx(ends, i);

		if (field_length(entry) > 7)
			json_object_array_del_idx(entry, 7, field_length(entry) - 7);
	}
	for (size_t i = 0; i < field_length(tools); i++)
		if (json_object_get_int64(json_object_array_get_idx(json_object_array_get_idx(tools, i), 2)) == STORE_SCRIPT)
			json_object_array_put_idx(json_object_array_get_idx(tools, i), 2, json_object_new_int(STORE_USERS));
	json_object_object_del(json, "ends");
	json_object_object_add(json, "failed", ends);
	line = read_back(json_object_to_json_string(json));
	assert_false(line.record->marked);
	stored = report_into_objects(build_report(&(struct build_input){
		.records = (const struct record *[]){ line.record }, .record_count = 1, .slurm = &line.record->slurm_job, .now_unix_ns = NOW_NS }));
	assert_text(stored, "verdict.outcome", "FAILED: bwa (pid 4302) ended with exit code 1 at 00:00:11, and the job script ended 2 s later");
	store_line_free(&line);
}

static void each_sum_of_the_record_is_kept(void **state)
{
	static const struct {
		const char *name;
		uint16_t column;
	} sums[] = {
#define SUM(id, in_record, ...) { #in_record, offsetof(struct record_totals, in_record) },
		SUM_LIST(SUM)
#undef SUM
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		const uint16_t *column = store_total_columns;

		while (*column != STORE_END && *column != sums[i].column)
			column++;
		if (*column == STORE_END)
			fail_msg("%s has no place in a store line: put it at the end of store_total_columns", sums[i].name);
	}
	/* The positions of old lines. */
	assert_int_equal(store_total_columns[9], offsetof(struct record_totals, cpu_ns));
	assert_int_equal(store_total_columns[57], offsetof(struct record_totals, async_write_bytes));
	assert_int_equal(store_tool_columns[9], offsetof(struct record_tool, cpu_ns));
	assert_int_equal(store_tool_columns[29], offsetof(struct record_tool, last_end_unix_ns));
	assert_int_equal(store_tool_columns[31], offsetof(struct record_tool, blas_processes));
	assert_int_equal(store_waits[10], offsetof(struct record_waits, sleep));
}

static void a_stored_report_says_what_it_lacks(void **state)
{
	cleanup_json struct json_object *record = failing_record(), *slurm = load("slurm-one.json"), *stored = NULL;
	cleanup_report struct report *report = NULL;

	(void)state;
	stored = report_of_lines(&record, 1, slurm);
	report = report_of(stored);
	json_object_put(stored);
	store_line_finish_report(report);
	stored = report_objects(report);
	assert_int_equal(field_length(field_find(stored, "timeline")), 0);
	assert_int_equal(field_length(field_find(stored, "series")), 0);
	assert_true(gaps_have(field_find(stored, "gaps"), "timeline"));
	assert_true(gaps_have(field_find(stored, "gaps"), "series"));
	assert_false(gaps_have(field_find(stored, "gaps"), "steps.batch.cpu_s"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_make_the_report_that_their_records_make),
		cmocka_unit_test(a_step_with_a_memory_limit_of_its_own_has_the_same_verdict),
		cmocka_unit_test(the_process_that_failed_is_named),
		cmocka_unit_test(a_producer_that_lost_its_reader_is_named),
		cmocka_unit_test(how_the_script_ended_is_no_finding_of_the_store),
		cmocka_unit_test(gpus_and_a_suspended_end_are_in_the_line),
		cmocka_unit_test(a_slice_without_a_number_is_a_slice),
		cmocka_unit_test(a_cut_list_of_gpus_does_not_say_which_were_unused),
		cmocka_unit_test(waits_for_a_cpu_are_known_without_the_series),
		cmocka_unit_test(unused_cores_are_counted),
		cmocka_unit_test(tools_beyond_the_bound_are_one),
		cmocka_unit_test(a_line_is_bounded_whatever_the_record_has),
		cmocka_unit_test(a_typical_line_is_small),
		cmocka_unit_test(no_path_and_no_argument_is_in_it),
		cmocka_unit_test(a_site_can_turn_names_of_scripts_off),
		cmocka_unit_test(a_workflow_is_known_without_its_paths),
		cmocka_unit_test(the_fuller_line_has_the_higher_revision),
		cmocka_unit_test(what_is_no_line_is_refused),
		cmocka_unit_test(a_later_line_with_more_members_is_read),
		cmocka_unit_test(a_line_of_an_earlier_version_is_read),
		cmocka_unit_test(each_sum_of_the_record_is_kept),
		cmocka_unit_test(a_stored_report_says_what_it_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
