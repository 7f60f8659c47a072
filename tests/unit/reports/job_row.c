/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests a report's row: the waste by cause, computed by hand, sums up to the whole. What is not known stays so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/json/field.h"
#include "reports/site/job_row.h"
#include "tests/unit/reports/report_case.h"

#define WAITS(more)                                                                                                    \
	"\"memory_stall_s\":0,\"fault_io_s\":0,\"gpu_s\":0,\"network_s\":0,\"pipe_s\":0,\"lock_s\":0,\"condition_s\":0,"          \
	"\"child_s\":0,\"event_s\":0,\"other_s\":0," more

/*
 * 100 s on 4 CPUs of a node, 120 s of CPU time, and 1 GiB of 4 GiB:
 * busy for 60 s, 30 s of them with several threads; 20 s of waits for files; 10 s for a timer; 10 s without a thread.
 */
#define STATES                                                                                                         \
	"\"states\":{\"on_cpu_s\":120,\"runnable_s\":5,\"lifetime_s\":500," WAITS("\"file_io_s\":22,\"sleep_s\":10,")   \
	"\"some\":{" WAITS("\"file_io_s\":22,\"sleep_s\":10") "},"                                                     \
	"\"bound\":{" WAITS("\"file_io_s\":20,\"sleep_s\":10") "},\"active_s\":60,\"parallel_s\":30},"
#define REPORT(complete, state, states) REPORT_ON("4", complete, state, states)
#define REPORT_ON(cores, complete, state, states)                                                                      \
	"{\"schema\":\"stint-report/1\",\"complete\":" complete ",\"job\":{\"id\":7,\"user\":\"ada\",\"state\":\"" state  \
	"\",\"submit\":\"2026-11-20T10:00:00Z\",\"start\":\"2026-11-20T10:00:30Z\",\"end\":\"2026-11-20T10:02:10Z\","  \
	"\"elapsed_s\":100},\"requested\":{\"cpus\":4,\"nodes\":1,\"memory_bytes\":4294967296,\"time_limit_s\":600},"  \
	"\"allocated\":{\"cpus\":4,\"cores\":" cores ",\"nodes\":1},\"used\":{\"cpu_s\":120,\"oom_kills\":0,"                  \
	"\"memory_used_peak_bytes\":1073741824}," states                                                               \
	"\"verdict\":{\"bound\":\"serial\"},\"findings\":[{\"code\":\"oom-kill\"},{\"code\":\"of a later stint\"},"   \
	"{\"code\":\"tools-failed\"}],\"tools\":[],\"nodes\":[{\"name\":\"n1\",\"complete\":true,"                    \
	"\"allocated\":{\"cpus\":4},\"used\":{\"cpu_s\":120,\"memory_used_peak_bytes\":1073741824}}]}"

static void read_text(struct job_row *row, const char *text)
{
	struct error err;
	cleanup_report struct report *report = report_read(strdup(text), strlen(text), &report_want_all, "a report", &err);

	if (!report)
		fail_msg("%s", err.text);
	assert_int_equal(job_row_from_report(report, row, &err), 0);
}

static void assert_measures(const struct job_row *row, enum job_measure first, const int64_t *expected, size_t count)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (row->measure[first + i] != expected[i])
			fail_msg("%s is %lld, not %lld", job_measure_names[first + i],
				 (long long)row->measure[first + i], (long long)expected[i]);
		sum += expected[i];
	}
	assert_int_equal(sum, row->measure[first - 1]);
}

static void waste_has_its_causes(void **state)
{
	/*
	 * failed, timeout; 20 s x 4 for files and 2 s beside; waits; (10 + 10) s x 4; 30 s x 3; 5 s; the rest; unclear
	 */
	static const int64_t cpu[] = { 0, 0, 82000, 0, 80000, 90000, 5000, 23000, 0 };
	/* failed, timeout, a fifth of 1 GiB x 100 s, the rest of 3 GiB x 100 s */
	static const int64_t memory[] = { 0, 0, 20480, 286720 };
	struct job_row row;

	(void)state;
	read_text(&row, REPORT("true", "COMPLETED", STATES));
	assert_int_equal(row.measure[JOB_CPU_GIVEN], 400000);
	assert_int_equal(row.measure[JOB_CPU_USED], 120000);
	assert_int_equal(row.measure[JOB_CPU_LOST], 0);
	assert_measures(&row, JOB_CPU_FAILED, cpu, 9);
	assert_int_equal(row.measure[JOB_MEM_GIVEN], 409600);
	assert_int_equal(row.measure[JOB_MEM_USED], 102400);
	assert_measures(&row, JOB_MEM_FAILED, memory, 4);
	assert_int_equal(row.cpu_efficiency_ppm, 300000);
	assert_int_equal(row.memory_efficiency_ppm, 250000);
	assert_int_equal(row.measure[JOB_QUEUED], 30000);
	assert_int_equal(row.measure[JOB_LIMIT], 600000);
	assert_int_equal(row.measure[JOB_LIMIT_USED], 100000);
	assert_int_equal(row.measure[JOB_NODE_GIVEN], 100000);
	assert_int_equal(row.measure[JOB_NODE_WASTED], 0);
	assert_int_equal(row.verdict, BOUND_SERIAL);
	assert_true(row.findings == ((UINT64_C(1) << FINDING_OOM_KILL) | (UINT64_C(1) << FINDING_TOOLS_FAILED)));
	assert_int_equal(row.end_us, INT64_C(1795168930000000));
	assert_string_equal(row.user, "ada");
	assert_null(row.account);
	job_row_free(&row);
}

static void assert_waste(const char *report, const int64_t waste[9])
{
	struct job_row row;

	read_text(&row, report);
	assert_measures(&row, JOB_CPU_FAILED, waste, 9);
	job_row_free(&row);
}

/*
 * If a core is two CPUs, one busy thread leaves a CPU idle.
 * That CPU is spare: users can only ask for a whole core.
 */
static void the_other_hardware_threads_of_a_busy_core_are_spare(void **state)
{
	/* two cores: 30 s x 2 for the second core, 30 s for the busy thread's own, and the rest as before */
	static const int64_t two[] = { 0, 0, 82000, 0, 80000, 60000, 5000, 53000, 0 };
	/* one core, which no thread left idle alone */
	static const int64_t one[] = { 0, 0, 82000, 0, 80000, 0, 5000, 113000, 0 };
	/* a node that binds no jobs to cores has more of them than the job has CPUs */
	static const int64_t four[] = { 0, 0, 82000, 0, 80000, 90000, 5000, 23000, 0 };

	(void)state;
	assert_waste(REPORT_ON("2", "true", "COMPLETED", STATES), two);
	assert_waste(REPORT_ON("1", "true", "COMPLETED", STATES), one);
	assert_waste(REPORT_ON("64", "true", "COMPLETED", STATES), four);
	assert_waste(REPORT_ON("null", "true", "COMPLETED", STATES), four);
}

/* 100 s with @allocated GPUs, of which @gpus were seen */
static void read_gpus(struct job_row *row, const char *allocated, const char *gpus)
{
	cleanup_json struct json_object *json = json_tokener_parse(REPORT("true", "COMPLETED", STATES));
	struct json_object *more = json_tokener_parse(allocated);

	json_object_object_foreach (more, name, value)
		json_object_object_add(field_find(json, "allocated"), name, json_object_get(value));
	json_object_put(more);
	if (gpus)
		json_object_object_add(json, "gpus", json_tokener_parse(gpus));
	read_text(row, json_object_to_json_string(json));
}

#define SEEN(node, share, known) \
	"{\"node\":\"" node "\",\"vendor\":\"nvidia\",\"model\":\"NVIDIA H100\",\"busy_share\":" share \
	",\"busy_source\":\"counters\",\"busy_known_s\":" known ",\"busy_covered_s\":" known ",\"processes\":[],\"absent\":[]}"
#define UNREAD_GPU "{\"node\":\"n1\",\"vendor\":\"nvidia\",\"model\":\"NVIDIA H100\",\"processes\":[],\"absent\":[]}"
#define KIND(kind) "\"gpus_allocated\":[{\"kind\":\"" kind "\",\"type\":\"h100\",\"count\":2}]"

/* The GPU is read on, and the job's 100 s do not include the suspension. */
static void a_suspension_is_no_gpu_time(void **state)
{
	static const struct {
		const char *gpu;
		int64_t busy, wasted, unknown;
	} jobs[] = {
		{ SEEN("n1", "0.5", "150"), 75000, 25000, 0 },
		{ SEEN("n1", "0", "150"), 0, 100000, 0 },
		{ SEEN("n1", "0.5", "90"), 45000, 0, 55000 }, /* the suspension may have been within these 90 s */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		cleanup_json struct json_object *json = json_tokener_parse(REPORT("true", "COMPLETED", STATES));
		struct json_object *list = put_array(json, "gpus");
		struct job_row row;

		put_count(field_find(json, "job"), "suspended_s", 50);
		put_count(field_find(json, "allocated"), "gpus", 1);
		json_object_array_add(list, json_tokener_parse(jobs[i].gpu));
		read_text(&row, json_object_to_json_string(json));
		assert_int_equal(row.measure[JOB_GPU_BUSY], jobs[i].busy);
		assert_int_equal(row.measure[JOB_GPU_WASTED], jobs[i].wasted);
		assert_int_equal(row.measure[JOB_GPU_UNTOLD], jobs[i].unknown);
		job_row_free(&row);
	}
}

static void gpu_time_that_is_not_known_is_not_wasted(void **state)
{
	static const struct {
		const char *allocated, *gpus, *model;
		int64_t given, busy, wasted, unknown;
	} jobs[] = {
		{ "{}", NULL, NULL, -1, -1, -1, -1 },
		{ "{}", "[" SEEN("n1", "0.5", "80") "]", NULL, -1, -1, -1, -1 }, /* no GPU was allocated */
		{ "{" KIND("gpu") "}", "[" SEEN("n1", "0.5", "80") "]", NULL, -1, -1, -1, -1 }, /* by the epilogs only */
		{ "{" KIND("shard") "}", NULL, "h100", -1, -1, -1, -1 },
		{ "{\"gpus\":2}", NULL, NULL, 200000, -1, -1, 200000 },
		{ "{\"gpus\":2}", "[]", NULL, 200000, -1, -1, 200000 },
		{ "{\"gpus\":2}", "[" UNREAD_GPU "]", "NVIDIA H100", 200000, -1, -1, 200000 },
		{ "{\"gpus\":2}", "[" SEEN("n1", "0.75", "80") "]", "NVIDIA H100", 200000, 60000, 20000, 120000 },
		{ "{\"gpus\":2," KIND("gpu") "}", "[" SEEN("n1", "0", "100") "," SEEN("n2", "1", "90") "]", "h100",
		  200000, 90000, 100000, 10000 },
		{ "{\"gpus\":1}", "[" SEEN("n1", "0.5", "102") "]", "NVIDIA H100", 100000, 50000, 50000, 0 }, /* read longer than it ran */
		{ "{\"gpus\":1}", "[" SEEN("n1", "0.5", "80") "," SEEN("n1", "0.5", "80") "]", "NVIDIA H100", 100000, -1, -1, 100000 },
		{ "{\"gpus\":1," KIND("shard") "}", "[" SEEN("n1", "0.5", "80") "]", "h100", 100000, -1, -1, 100000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct job_row row;

		print_message("%zu\n", i);
		read_gpus(&row, jobs[i].allocated, jobs[i].gpus);
		assert_int_equal(row.measure[JOB_GPU_GIVEN], jobs[i].given);
		assert_int_equal(row.measure[JOB_GPU_BUSY], jobs[i].busy);
		assert_int_equal(row.measure[JOB_GPU_WASTED], jobs[i].wasted);
		assert_int_equal(row.measure[JOB_GPU_UNTOLD], jobs[i].unknown);
		assert_true(jobs[i].model ? row.gpu_model && strcmp(row.gpu_model, jobs[i].model) == 0 : !row.gpu_model);
		job_row_free(&row);
	}
}

/* Nodes of 3 and 1 GiB, of the 4 GiB that were asked for by CPU, and then by node. */
static void each_node_has_the_memory_that_it_was_given(void **state)
{
	cleanup_json struct json_object *json = json_tokener_parse(REPORT("true", "COMPLETED", STATES));
	struct json_object *requested = field_find(json, "requested"), *nodes = field_find(json, "nodes");
	cleanup_report struct report *by_cpu = NULL, *by_node = NULL;
	struct job_row row;
	struct error err;

	(void)state;
	json_object_array_add(nodes, json_tokener_parse("{\"name\":\"n2\",\"allocated\":{\"cpus\":1,\"memory_bytes\":1073741824},"
							"\"used\":{\"cpu_s\":1,\"memory_used_peak_bytes\":2147483648}}"));
	put_count(field_find(json_object_array_get_idx(nodes, 0), "allocated"), "memory_bytes", 3221225472);
	put_count(requested, "nodes", 2);
	put_text(requested, "memory_source", "per cpu");
	by_cpu = report_of(json);
	assert_int_equal(job_row_from_report(by_cpu, &row, &err), 0);
	assert_int_equal(row.nodes[0].mem_given_mib_s, 307200);
	assert_int_equal(row.nodes[1].mem_given_mib_s, 102400);
	assert_int_equal(row.nodes[1].mem_used_mib_s, 102400);
	job_row_free(&row);
	put_text(requested, "memory_source", "per node");
	by_node = report_of(json);
	assert_int_equal(job_row_from_report(by_node, &row, &err), 0);
	assert_int_equal(row.nodes[0].mem_given_mib_s, 204800);
	assert_int_equal(row.nodes[1].mem_used_mib_s, 204800);
	job_row_free(&row);
}

/* What a job did before stint found it is not known. */
static void time_that_was_not_counted_is_unclear(void **state)
{
	static const int64_t cpu[] = { 0, 0, 82000, 0, 40000, 90000, 5000, 23000, 40000 };
	struct job_row row;

	(void)state;
	read_text(&row, REPORT("false", "COMPLETED", STATES));
	assert_measures(&row, JOB_CPU_FAILED, cpu, 9);
	job_row_free(&row);
}

static void what_failed_was_for_nothing(void **state)
{
	static const struct {
		const char *text;
		size_t place; /* of the cause in cpu[] or memory[] */
	} cases[] = {
		{ REPORT("true", "FAILED", STATES), 0 },	{ REPORT("true", "NODE_FAIL", STATES), 0 },
		{ REPORT("true", "CANCELLED", STATES), 0 },	{ REPORT("true", "OUT_OF_MEMORY", STATES), 0 },
		{ REPORT("true", "TIMEOUT", STATES), 1 },	{ REPORT("true", "PREEMPTED", STATES), 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t cpu[9] = { 0 }, memory[4] = { 0 };
		struct job_row row;

		read_text(&row, cases[i].text);
		cpu[cases[i].place] = 280000;
		memory[cases[i].place] = 307200;
		assert_measures(&row, JOB_CPU_FAILED, cpu, 9);
		assert_measures(&row, JOB_MEM_FAILED, memory, 4);
		assert_int_equal(row.measure[JOB_CPU_LOST], 120000);
		job_row_free(&row);
	}
}

static void without_states_the_cause_is_unclear(void **state)
{
	static const int64_t cpu[] = { 0, 0, 0, 0, 0, 0, 0, 0, 280000 };
	struct job_row row;

	(void)state;
	read_text(&row, REPORT("true", "COMPLETED", ""));
	assert_measures(&row, JOB_CPU_FAILED, cpu, 9);
	assert_int_equal(row.measure[JOB_ACTIVE], JOB_UNKNOWN);
	job_row_free(&row);
}

static void what_is_not_there_is_not_known(void **state)
{
	struct job_row row;

	(void)state;
	read_text(&row, "{\"job\":{\"id\":1,\"elapsed_s\":-3,\"state\":7},\"used\":[],\"nodes\":[1,{}],\"tools\":[{},{\"name\":\"a\"}],"
			"\"allocated\":{\"cpus\":1e300}}");
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		assert_int_equal(row.measure[i], JOB_UNKNOWN);
	assert_int_equal(row.how, JOB_END_UNKNOWN);
	assert_int_equal(row.verdict, BOUND_UNKNOWN);
	assert_int_equal(row.cpu_efficiency_ppm, JOB_UNKNOWN);
	assert_int_equal(row.nodes_present, 0);
	assert_int_equal(row.tool_count, 1);
	assert_int_equal(row.tools[0].cpu_ms, JOB_UNKNOWN);
	job_row_free(&row);
}

static void a_report_has_a_job(void **state)
{
	cleanup_report struct report *report = report_new(NULL);
	struct job_row row;
	struct error err;

	(void)state;
	assert_non_null(report);
	assert_int_equal(job_row_from_report(report, &row, &err), -1);
	job_row_free(&row);
}

/* The tools beyond the sixteenth become one, which includes what they did. */
static void many_tools_become_one(void **state)
{
	char text[4096] = "{\"job\":{\"id\":1},\"tools\":[{\"name\":\"slurmstepd\",\"slurm\":true,\"runs\":9,\"cpu_s\":99}";
	struct job_row row;
	int64_t cpu_ms = 0;

	(void)state;
	for (int i = 1; i <= 40; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 ",{\"name\":\"t%d\",\"runs\":1,\"failures\":0,\"cpu_s\":%d,\"wall_s\":1}", i, i);
	strcat(text, "]}");
	read_text(&row, text);
	assert_int_equal(row.tool_count, JOB_TOOLS + 1);
	assert_string_equal(row.tools[0].name, "t40");
	assert_null(row.tools[JOB_TOOLS].name);
	assert_int_equal(row.tools[JOB_TOOLS].runs, 24);
	for (size_t i = 0; i < row.tool_count; i++)
		cpu_ms += row.tools[i].cpu_ms;
	assert_int_equal(cpu_ms, 1000 * 40 * 41 / 2);
	job_row_free(&row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waste_has_its_causes),
		cmocka_unit_test(the_other_hardware_threads_of_a_busy_core_are_spare),
		cmocka_unit_test(a_suspension_is_no_gpu_time),
		cmocka_unit_test(gpu_time_that_is_not_known_is_not_wasted),
		cmocka_unit_test(each_node_has_the_memory_that_it_was_given),
		cmocka_unit_test(time_that_was_not_counted_is_unclear),
		cmocka_unit_test(what_failed_was_for_nothing),
		cmocka_unit_test(without_states_the_cause_is_unclear),
		cmocka_unit_test(what_is_not_there_is_not_known),
		cmocka_unit_test(a_report_has_a_job),
		cmocka_unit_test(many_tools_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
