/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that everything slurmctld knows about a job is passed on, without its guesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "spank/slurm_job/job_json.h"
#include "tests/unit/within.h"

#define GIB (1024ll * 1024 * 1024)

static job_info_t sample(void)
{
	job_info_t job;

	memset(&job, 0, sizeof(job));
	job.job_id = 12;
	job.array_task_id = NO_VAL;
	job.user_id = 0;
	job.job_state = JOB_TIMEOUT | JOB_COMPLETING;
	job.state_reason = FAIL_TIMEOUT;
	job.exit_code = 15;
	job.derived_ec = NO_VAL;
	job.submit_time = 1000;
	job.start_time = 1001;
	job.end_time = 1061;
	job.time_limit = 1;
	job.num_nodes = 2;
	job.nodes = "n[1-2]";
	job.num_cpus = 4;
	job.num_tasks = NO_VAL;
	job.pn_min_memory = 1024;
	job.tres_alloc_str = "cpu=4,mem=2G,node=2";
	job.name = "a\xff";
	job.comment = "rule_align";
	return job;
}

static int has(struct json_object *object, const char *name)
{
	return json_object_object_get_ex(object, name, NULL);
}

static int64_t number(struct json_object *object, const char *name)
{
	assert_true(has(object, name));
	return json_object_get_int64(json_object_object_get(object, name));
}

static void text_is(struct json_object *object, const char *name, const char *expected)
{
	assert_true(has(object, name));
	assert_string_equal(json_object_get_string(json_object_object_get(object, name)), expected);
}

/* Ran 10 s, was suspended, continued at 1041 and ended 20 s later: 30 of its 60 s. */
static void time_in_which_a_job_was_suspended_is_told(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.pre_sus_time = 10;
	job.suspend_time = 1041;
	object = job_json(&job);
	assert_int_equal(number(object, "suspended_s"), 30);
	assert_false(has(object, "ended_suspended"));
	json_object_put(object);
	job.end_time = job.suspend_time = 1031; /* cancelled while it was suspended */
	object = job_json(&job);
	assert_int_equal(number(object, "suspended_s"), 20);
	assert_int_equal(number(object, "ended_suspended"), 1);
	json_object_put(object);
	job.suspend_time = 0;
	object = job_json(&job);
	assert_false(has(object, "suspended_s"));
	assert_false(has(object, "ended_suspended"));
	json_object_put(object);
}

/* While nodes of a job end one after another, Slurm's counts shrink, but not what was allocated. */
static void a_job_half_gone_is_told_as_it_was(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.num_nodes = 1;
	job.num_cpus = 2;
	job.tres_req_str = "cpu=3,mem=2G,node=2";
	object = job_json(&job);
	assert_int_equal(number(object, "nodes"), 2);
	assert_int_equal(number(object, "cpus"), 4);
	assert_int_equal(number(object, "requested_cpus"), 3);
	json_object_put(object);
	job.tres_alloc_str = job.tres_req_str = NULL;
	object = job_json(&job);
	assert_int_equal(number(object, "nodes"), 1);
	assert_int_equal(number(object, "cpus"), 2);
	assert_false(has(object, "requested_cpus"));
	json_object_put(object);
}

/*
 * Slurm accepts some 350 KB of a script's arguments, and a control character is six bytes of JSON.
 * The readers accept 1 MiB, and would otherwise know neither state nor account of the job.
 */
static void no_text_of_a_user_makes_the_answer_too_long(void **state)
{
	static char arguments[400000], umlauts[10001];
	job_info_t job = sample();
	struct json_object *object;
	size_t length;

	(void)state;
	memset(arguments, '\1', sizeof(arguments) - 1);
	memcpy(arguments, "/home/me/job.sh ", 16);
	for (size_t i = 0; i < sizeof(umlauts) / 2; i++)
		memcpy(umlauts + 2 * i, "\303\244", 2);
	job.command = job.name = arguments;
	job.comment = umlauts + 1;
	object = job_json(&job);
	json_object_to_json_string_length(object, JSON_C_TO_STRING_PLAIN, &length);
	assert_within(length, 1, 128 * 1024);
	text_is(object, "state", "TIMEOUT");
	assert_memory_equal(json_object_get_string(json_object_object_get(object, "command")), "/home/me/job.sh \1", 17);
	assert_string_equal(json_object_get_string(json_object_object_get(object, "comment")) +
			    json_object_get_string_len(json_object_object_get(object, "comment")) - 2, "\303\244");
	json_object_put(object);
}

static void an_ended_job_is_told_in_full(void **state)
{
	job_info_t job = sample();
	struct json_object *object = job_json(&job);

	(void)state;
	text_is(object, "state", "TIMEOUT");
	text_is(object, "reason", "TimeLimit");
	text_is(object, "name", "a\xef\xbf\xbd");
	text_is(object, "comment", "rule_align");
	text_is(object, "user", "root");
	text_is(object, "node_names", "[ \"n1\", \"n2\" ]");
	assert_int_equal(number(object, "completing"), 1);
	assert_int_equal(number(object, "requeued"), 0);
	assert_int_equal(number(object, "exit_status"), 15);
	assert_int_equal(number(object, "start_unix_s"), 1001);
	assert_int_equal(number(object, "end_unix_s"), 1061);
	assert_int_equal(number(object, "time_limit_s"), 60);
	assert_true(number(object, "memory_per_node_bytes") == GIB);
	assert_true(number(object, "allocated_memory_bytes") == 2 * GIB);
	json_object_put(object);
}

static void gpus_are_told_of_a_job_that_has_some(void **state)
{
	job_info_t job = sample();
	struct json_object *object = job_json(&job);

	(void)state;
	assert_false(has(object, "gpus"));
	json_object_put(object);
	job.gres_total = "license:3,gpu:a100:2,gpu:v100:1";
	object = job_json(&job);
	assert_int_equal(number(object, "gpus"), 3);
	json_object_put(object);
	job.tres_alloc_str = "cpu=4,mem=2G,node=2,gres/gpu=4,gres/gpu:a100=4";
	object = job_json(&job);
	assert_int_equal(number(object, "gpus"), 4);
	json_object_put(object);
}

static void gives(job_info_t *job, const char *expected)
{
	struct json_object *object = job_json(job), *list = json_object_object_get(object, "gpus_allocated");

	assert_string_equal(list ? json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN) : "none", expected);
	json_object_put(object);
}

static void which_gpus_each_node_gave_is_told_while_the_job_runs(void **state)
{
	char *details[] = { "gpu:a100:2(IDX:0,3),nic:1(IDX:0)", "gpu:a100:1(IDX:1)" };
	job_info_t job = sample();

	(void)state;
	job.gres_total = "gpu:a100:3";
	gives(&job, "[{\"kind\":\"gpu\",\"type\":\"a100\",\"count\":3}]");
	job.gres_detail_str = details;
	job.gres_detail_cnt = 2;
	gives(&job, "[{\"node\":\"n1\",\"kind\":\"gpu\",\"type\":\"a100\",\"count\":2,\"indexes\":[0,3]},"
		    "{\"node\":\"n2\",\"kind\":\"gpu\",\"type\":\"a100\",\"count\":1,\"indexes\":[1]}]");
	/* a form that nobody knows yet, or the details of another list of nodes */
	details[1] = "gpu:a100:1[1]";
	gives(&job, "[{\"kind\":\"gpu\",\"type\":\"a100\",\"count\":3}]");
	details[1] = "gpu:a100:1(IDX:1)";
	job.nodes = "n[1-3]";
	gives(&job, "[{\"kind\":\"gpu\",\"type\":\"a100\",\"count\":3}]");
	job.gres_total = NULL;
	gives(&job, "none");
}

static void what_is_not_known_is_absent(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.name = NULL;
	job.tres_alloc_str = NULL;
	job.pn_min_memory = NO_VAL64;
	object = job_json(&job);
	assert_false(has(object, "derived_exit_status"));
	assert_false(has(object, "tasks"));
	assert_false(has(object, "name"));
	assert_false(has(object, "account"));
	assert_false(has(object, "memory_per_node_bytes"));
	assert_false(has(object, "memory_per_cpu_bytes"));
	assert_false(has(object, "allocated_memory_bytes"));
	json_object_put(object);
}

static void a_time_that_is_only_expected_is_absent(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.job_state = JOB_RUNNING;
	object = job_json(&job);
	assert_true(has(object, "start_unix_s"));
	assert_false(has(object, "end_unix_s"));
	json_object_put(object);
	job.job_state = JOB_PENDING | JOB_COMPLETING;
	object = job_json(&job);
	assert_false(has(object, "start_unix_s"));
	assert_int_equal(number(object, "requeued"), 1);
	json_object_put(object);
}

static void no_array_and_no_limit_are_null(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.time_limit = INFINITE;
	object = job_json(&job);
	assert_true(has(object, "array_job_id") && !json_object_object_get(object, "array_job_id"));
	assert_true(has(object, "array_task_id") && !json_object_object_get(object, "array_task_id"));
	assert_true(has(object, "het_job_id") && !json_object_object_get(object, "het_job_id"));
	assert_true(has(object, "time_limit_s") && !json_object_object_get(object, "time_limit_s"));
	json_object_put(object);
}

static void an_array_task_and_memory_per_cpu_are_told(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.array_job_id = 10;
	job.array_task_id = 0;
	job.pn_min_memory = 1024 | MEM_PER_CPU;
	object = job_json(&job);
	assert_int_equal(number(object, "array_job_id"), 10);
	assert_int_equal(number(object, "array_task_id"), 0);
	assert_true(number(object, "memory_per_cpu_bytes") == GIB);
	assert_false(has(object, "memory_per_node_bytes"));
	json_object_put(object);
}

static void a_request_for_all_that_a_node_has_is_told(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.pn_min_memory = 0;
	object = job_json(&job);
	assert_int_equal(number(object, "memory_per_node_bytes"), 0);
	assert_false(has(object, "memory_per_cpu_bytes"));
	json_object_put(object);
	job.mem_per_tres = "gres/gpu:4096";
	object = job_json(&job);
	assert_false(has(object, "memory_per_node_bytes"));
	json_object_put(object);
}

static void whole_nodes_are_told_where_slurm_says_so(void **state)
{
	const uint16_t others[] = { JOB_SHARED_OK, JOB_SHARED_USER, JOB_SHARED_MCS, NO_VAL16 };
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.shared = JOB_SHARED_NONE;
	object = job_json(&job);
	assert_int_equal(number(object, "exclusive"), 1);
	json_object_put(object);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		job.shared = others[i];
		object = job_json(&job);
		assert_false(has(object, "exclusive"));
		json_object_put(object);
	}
}

static void a_component_and_what_a_job_waits_for_are_told(void **state)
{
	job_info_t job = sample();
	struct json_object *object;

	(void)state;
	job.het_job_id = 10;
	job.het_job_offset = 0;
	job.state_reason = WAIT_HELD_USER;
	object = job_json(&job);
	assert_int_equal(number(object, "het_job_id"), 10);
	assert_int_equal(number(object, "het_job_offset"), 0);
	assert_false(has(object, "waits_for"));
	json_object_put(object);
	job.job_state = JOB_PENDING;
	object = job_json(&job);
	assert_string_equal(json_object_get_string(json_object_object_get(object, "waits_for")), "JobHeldUser");
	json_object_put(object);
	job.state_reason = UINT16_MAX;
	object = job_json(&job);
	assert_false(has(object, "waits_for"));
	json_object_put(object);
}

static void a_row_of_accounting_has_the_same_members(void **state)
{
	slurmdb_job_rec_t row = {
		.jobid = 12, .array_job_id = 10, .array_task_id = 3, .het_job_offset = NO_VAL, .jobname = "a\xff", .uid = 0,
		.state = JOB_FAILED, .exitcode = 256, .derived_ec = NO_VAL, .submit = 1000, .start = 1001, .end = 1061,
		.elapsed = 60, .timelimit = 1, .alloc_nodes = 1, .nodes = "n[1-2]", .req_cpus = 3,
		.tres_alloc_str = "cpu=4,mem=2G,node=2,gres/gpu=3", .work_dir = "/home/a", .cluster = "c",
	};
	struct json_object *object = job_json_row(&row);

	(void)state;
	assert_int_equal(number(object, "array_job_id"), 10);
	assert_int_equal(number(object, "array_task_id"), 3);
	text_is(object, "name", "a\xef\xbf\xbd");
	text_is(object, "user", "root");
	text_is(object, "state", "FAILED");
	text_is(object, "cluster", "c");
	text_is(object, "work_dir", "/home/a");
	assert_int_equal(number(object, "exit_status"), 256);
	assert_false(has(object, "derived_exit_status"));
	assert_int_equal(number(object, "end_unix_s"), 1061);
	assert_int_equal(number(object, "elapsed_s"), 60);
	assert_int_equal(number(object, "time_limit_s"), 60);
	assert_int_equal(number(object, "nodes"), 2);
	assert_int_equal(number(object, "cpus"), 4);
	assert_true(number(object, "allocated_memory_bytes") == 2 * GIB);
	assert_int_equal(number(object, "gpus"), 3);
	json_object_put(object);
}

/* Slurm reports the ended jobs of a minute, some ten thousand, in one answer, which has a limit. */
static void a_user_cannot_make_the_row_of_an_ended_job_long(void **state)
{
	static char text[60000];
	slurmdb_job_rec_t row = { .jobid = 12, .array_task_id = NO_VAL, .state = JOB_CANCELLED, .jobname = text, .work_dir = text };
	struct json_object *object;
	size_t length;

	(void)state;
	memset(text, '\1', sizeof(text) - 1);
	object = job_json_ended(&row);
	json_object_to_json_string_length(object, JSON_C_TO_STRING_PLAIN, &length);
	assert_within(length, 1, 8 * 1024);
	text_is(object, "state", "CANCELLED");
	assert_false(has(object, "work_dir"));
	json_object_put(object);
}

static void a_row_of_a_job_that_never_started_has_no_nodes_and_no_start(void **state)
{
	slurmdb_job_rec_t row = {
		.jobid = 12, .array_task_id = NO_VAL, .array_task_str = "1-5", .het_job_offset = NO_VAL, .state = JOB_PENDING,
		.exitcode = 0, .submit = 1000, .timelimit = INFINITE, .nodes = "None assigned", .req_cpus = 3,
	};
	struct json_object *object = job_json_row(&row);

	(void)state;
	text_is(object, "array_tasks", "1-5");
	assert_false(has(object, "start_unix_s"));
	assert_false(has(object, "end_unix_s"));
	assert_false(has(object, "nodes"));
	assert_false(has(object, "node_list"));
	assert_false(has(object, "cpus"));
	assert_int_equal(number(object, "requested_cpus"), 3);
	assert_true(has(object, "time_limit_s") && !json_object_object_get(object, "time_limit_s"));
	json_object_put(object);
}

static void accounting_s_mask_of_waiting_tasks_is_told_as_squeue_tells_it(void **state)
{
	static const char *const masks[][2] = {
		{ "0x7E", "1-6" }, { "0x27e", "1-6,9" }, { "0x1", "0" }, { "0x00a", "1,3" }, { "0x", NULL }, { "0x0", NULL },
		{ "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		  "1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,..." },
		{ "1-5%2", "1-5%2" }, { "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		char mask[64];
		slurmdb_job_rec_t row = { .jobid = 12, .array_task_id = NO_VAL, .array_task_str = mask };
		struct json_object *object;

		strcpy(mask, masks[i][0]);
		object = job_json_row(&row);
		if (masks[i][1])
			text_is(object, "array_tasks", masks[i][1]);
		else
			assert_false(has(object, "array_tasks"));
		json_object_put(object);
	}
}

static void a_host_list_that_does_not_close_is_none(void **state)
{
	(void)state;
	assert_null(job_json_hosts(""));
	assert_null(job_json_hosts("n[1-"));
	assert_null(job_json_hosts("n]1["));
	assert_null(job_json_hosts("n[[1]]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_half_gone_is_told_as_it_was),
		cmocka_unit_test(time_in_which_a_job_was_suspended_is_told),
		cmocka_unit_test(no_text_of_a_user_makes_the_answer_too_long),
		cmocka_unit_test(an_ended_job_is_told_in_full),
		cmocka_unit_test(gpus_are_told_of_a_job_that_has_some),
		cmocka_unit_test(which_gpus_each_node_gave_is_told_while_the_job_runs),
		cmocka_unit_test(what_is_not_known_is_absent),
		cmocka_unit_test(a_time_that_is_only_expected_is_absent),
		cmocka_unit_test(no_array_and_no_limit_are_null),
		cmocka_unit_test(an_array_task_and_memory_per_cpu_are_told),
		cmocka_unit_test(a_request_for_all_that_a_node_has_is_told),
		cmocka_unit_test(whole_nodes_are_told_where_slurm_says_so),
		cmocka_unit_test(a_component_and_what_a_job_waits_for_are_told),
		cmocka_unit_test(a_row_of_accounting_has_the_same_members),
		cmocka_unit_test(a_row_of_a_job_that_never_started_has_no_nodes_and_no_start),
		cmocka_unit_test(a_user_cannot_make_the_row_of_an_ended_job_long),
		cmocka_unit_test(accounting_s_mask_of_waiting_tasks_is_told_as_squeue_tells_it),
		cmocka_unit_test(a_host_list_that_does_not_close_is_none),
	};

	return cmocka_run_group_tests_name("spank job json", tests, NULL, NULL);
}
