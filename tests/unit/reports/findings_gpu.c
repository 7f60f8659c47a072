/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is found about GPUs: nothing that is not known, and each idle GPU once. rules.c tests the thresholds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/findings_case.h"

/* A job of 1000 s, with four busy threads. */
#define JOB(gpus, list, more) "{'job': {'elapsed_s': 1000}, 'requested': {'time_limit_s': 3000}, 'used': {'cpu_s': 4000}, 'states':" \
	" {'on_cpu_s': 4000, 'active_s': 1000, 'parallel_s': 1000}, 'allocated': {'gpus': " gpus "}, 'gpus': [" list "]" more "}"
#define READ(covered, source, busy, more) "{'node': 'n1', 'vendor': 'nvidia', 'busy_known_s': 1000, 'busy_covered_s': " covered \
	", 'busy_source': '" source "', 'busy_share': " busy more "}"
#define GPU(busy, more) READ("1000", "counters", busy, more)
#define OF_80(used) ", 'memory_total_bytes': 85899345920, 'job_memory_peak_bytes': " used
#define LISTED ", 'gpus_listed_s': 1000"
/* One thread is busy. */
#define ONE_THREAD ", 'tools': [{'name': 'python', 'slurm': false, 'threads_peak': 1, 'wall_s': 1000, 'states': {'on_cpu_s': 990}}]," \
	" 'states': {'on_cpu_s': 990, 'active_s': 990, 'parallel_s': 10}"

static const char *const codes[] = { "gpu-errors", "gpus-unused", "gpus-idle", "gpus-used-at-start", "gpus-idle-tail", "gpus-waited",
				     "gpu-memory-near-limit", "gpu-memory-unused" };

#define CODES (sizeof(codes) / sizeof(codes[0]))

static const struct {
	const char *patch;
	const char *code; /* the only finding about GPUs; NULL: none */
	const char *text; /* NULL: any */
} jobs[] = {
	/* at work */
	{ JOB("1", GPU("0.9", ""), LISTED), NULL, NULL },
	{ JOB("4", GPU("0.5", "") "," GPU("0.6", "") "," GPU("0.5", "") "," GPU("0.9", ""), LISTED), NULL, NULL },
	{ JOB("1", GPU("0.9", ", 'idle_tail_s': 200, 'xid_errors': 0" OF_80("60000000000")),
	      LISTED), NULL, NULL },
	/* a thread that waits for a GPU may spin */
	{ JOB("1", GPU("0.9", ""), LISTED ONE_THREAD), NULL, NULL },

	/* never used */
	{ JOB("1", "", LISTED), "gpus-unused", "No process of it was seen on its GPU: 0.28 GPU-hours" },
	{ JOB("4", "", LISTED), "gpus-unused", "No process of it was seen on 4 of its 4 GPUs: 1.11 GPU-hours" },
	{ JOB("4", GPU("0.9", ""), LISTED), "gpus-unused", "No process of it was seen on 3 of its 4 GPUs: 0.83 GPU-hours" },
	{ JOB("1", "", ""), NULL, NULL },
	{ JOB("1", "", ", 'gpus_listed_s': 899"), NULL, NULL },
	{ JOB("4", GPU("0.9", ""), ""), NULL, NULL },
	{ JOB("null", "", LISTED), NULL, NULL },
	{ JOB("0", "", LISTED), NULL, NULL },
	{ JOB("1", GPU("0.9", "") "," GPU("0.9", ""), LISTED), NULL, NULL },
	{ "{'job': {'elapsed_s': 599}, 'allocated': {'gpus': 1}, 'gpus': [], 'gpus_listed_s': 599}", NULL, NULL },
	{ JOB("1", "", LISTED ", 'complete': false, 'gaps': [{'name': 'used', 'reason': 'docker'}]"), NULL, NULL },

	/* idle */
	{ JOB("1", GPU("0", ""), LISTED), "gpus-idle", "Its GPU was busy 0 % of the time" },
	{ JOB("2", GPU("0.04", "") "," GPU("0.02", ""), LISTED), "gpus-idle", "2 of its 2 GPUs were busy 3 % of the time" },
	{ JOB("4", GPU("0.9", "") "," GPU("0", "") "," GPU("0.01", "") "," GPU("0.02", ""), LISTED), "gpus-idle",
	  "3 of its 4 GPUs were busy 1 % of the time, while another was busy 90 %" },
	{ JOB("1", READ("900", "samples", "0.04", ""), LISTED), "gpus-idle", "Its GPU was busy 4 % of the time (sampled)" },
	{ JOB("1", READ("899", "samples", "0.04", ""), LISTED), NULL, NULL },
	{ JOB("2", GPU("0.04", "") "," "{'node': 'n1', 'vendor': 'nvidia'}", LISTED), NULL, NULL },
	/* the share is of a time that includes the suspension */
	{ JOB("1", GPU("0.04", ""), LISTED ", 'job': {'elapsed_s': 1000, 'suspended_s': 10}"), NULL, NULL },
	/* shares of GPUs (shards) */
	{ JOB("null", GPU("0.01", ", 'xid_errors': 3, 'memory_total_bytes': 100, 'memory_peak_bytes': 99"), ""), NULL, NULL },

	/* at the start, and before the end */
	{ JOB("1", GPU("0.6", ", 'idle_tail_s': 900"), LISTED), "gpus-used-at-start",
	  "Its GPU did nothing after the first 1 min 40 s, of 16 min 40 s in all" },
	{ JOB("1", READ("950", "samples", "0.6", ", 'idle_tail_s': 900"), LISTED), "gpus-used-at-start",
	  "Its GPU did nothing after the first 1 min 40 s, of 16 min 40 s in all (sampled)" },
	{ JOB("1", GPU("0.04", ", 'idle_tail_s': 950"), LISTED), "gpus-used-at-start",
	  "Its GPU did nothing after the first 50 s, of 16 min 40 s in all" },
	{ JOB("1", GPU("0.6", ", 'idle_tail_s': 899"), LISTED), NULL, NULL },
	{ JOB("2", GPU("0.6", ", 'idle_tail_s': 900") "," GPU("0.6", ", 'idle_tail_s': 100"), LISTED), NULL, NULL },
	{ JOB("2", GPU("0.6", ", 'idle_tail_s': 900") "," GPU("0.6", ""), LISTED), NULL, NULL },
	{ JOB("2", GPU("0.6", "") "," GPU("0.6", ", 'idle_tail_s': 900"), LISTED), NULL, NULL },

	/* waited for its program */
	{ JOB("1", GPU("0.39", ""), LISTED ONE_THREAD), "gpus-waited",
	  "Its GPU was busy only 39 % of the time: it waited for python, which kept one thread busy 98 % of the time" },
	{ JOB("1", GPU("0.5", ""), LISTED ONE_THREAD), NULL, NULL },
	{ JOB("2", GPU("0.39", "") "," GPU("0.3", ""), LISTED ", 'tools': [{'name': 'python', 'slurm': false, 'states': {'on_cpu_s': 90,"
	  " 'file_io_s': 710, 'fault_io_s': 0}}], 'states': {'on_cpu_s': 290, 'active_s': 290, 'parallel_s': 10, 'bound':"
	  " {'file_io_s': 710}}"),
	  "gpus-waited", "Its 2 GPUs were busy only 34 % of the time: they waited for python, which waited for files 71 % of the time" },
	{ JOB("1", GPU("0.39", ""), LISTED), "gpus-waited",
	  "Its GPU was busy only 39 % of the time: it waited for its processes, which kept its CPUs busy 100 % of the core time" },
	/* while some threads waited, others were busy */
	{ JOB("1", GPU("0.39", ""), LISTED ", 'tools': [{'name': 'python', 'slurm': false, 'states': {'on_cpu_s': 1600, 'file_io_s': 2400,"
	  " 'fault_io_s': 0}}], 'states': {'on_cpu_s': 1600, 'active_s': 870, 'parallel_s': 520, 'file_io_s': 2400, 'some': {'file_io_s':"
	  " 980}, 'bound': {'file_io_s': 130}}"), "gpus-waited",
	  "Its GPU was busy only 39 % of the time: it waited for python, whose waits for files left 60 % of the core time unused" },
	/* nothing explains it */
	{ JOB("1", GPU("0.39", ""), LISTED ", 'states': {'on_cpu_s': 500, 'active_s': 500, 'parallel_s': 10}"), NULL, NULL },

	/* memory */
	{ JOB("1", GPU("0.9", OF_80("83751862272")), LISTED), "gpu-memory-near-limit",
	  "Used 78.0 GiB of 80.0 GiB, 98 % of a GPU's memory" },
	{ JOB("1", GPU("0.9", ", 'memory_total_bytes': 85899345920, 'memory_peak_bytes': 83751862272, 'job_memory_peak_bytes': 42949672960"),
	      LISTED), NULL, NULL },
	{ JOB("1", GPU("0.9", ", 'memory_total_bytes': 85899345920"), LISTED), NULL, NULL },
	{ JOB("1", GPU("0.9", ", 'sm_share': 0.2" OF_80("1073741824")), LISTED),
	  "gpu-memory-unused", "Used at most 1.0 GiB of 80.0 GiB on its GPU" },
	/* its processors were busy, or it is not known; another GPU; a slice; a smaller card */
	{ JOB("1", GPU("0.9", ", 'sm_share': 0.5" OF_80("1073741824")), LISTED), NULL, NULL },
	{ JOB("1", GPU("0.9", OF_80("1073741824")), LISTED), NULL, NULL },
	{ JOB("2", GPU("0.9", ", 'sm_share': 0.2" OF_80("1073741824")) ","
	      GPU("0.9", ", 'sm_share': 0.2" OF_80("10737418240")), LISTED), NULL, NULL },
	{ JOB("1", GPU("0.9", ", 'slice': true, 'sm_share': 0.2, 'memory_total_bytes': 42949672960, 'job_memory_peak_bytes': 1073741824"),
	      LISTED), NULL, NULL },
	{ JOB("1", GPU("0.9", ", 'sm_share': 0.2, 'memory_total_bytes': 25769803776, 'job_memory_peak_bytes': 1073741824"),
	      LISTED), NULL, NULL },

	/* errors */
	{ JOB("1", GPU("0.9", ", 'xid_errors': 1, 'xids': [{'xid': 79, 'count': 1}]"), LISTED), "gpu-errors",
	  "Its GPU had 1 error (XID 79)" },
	{ JOB("2", GPU("0.9", ", 'xid_errors': 3, 'xids': [{'xid': 43, 'count': 1}, {'xid': 31, 'count': 2}]") ","
	      GPU("0.9", ", 'xid_errors': 1"), LISTED), "gpu-errors", "A GPU of it had 3 errors (most: XID 31); 2 GPUs had 4 in all" },
};

static void check_text(struct json_object *finding, const char *expected)
{
	char text[SENTENCE_TEXT];

	assert_string_equal(case_sentence(finding, text), expected);
}

static void each_job_has_the_finding_that_its_numbers_show(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		cleanup_json struct json_object *report = NULL;
		struct json_object *found_one = found(&report, jobs[i].patch, jobs[i].code ? jobs[i].code : "");

		for (size_t c = 0; c < CODES; c++) {
			bool expected = jobs[i].code && strcmp(jobs[i].code, codes[c]) == 0;

			if (!case_find(report, "findings", "code", codes[c]) == expected)
				fail_msg("%s: %s in %s", expected ? "no finding" : "a finding", codes[c], jobs[i].patch);
		}
		if (jobs[i].text)
			check_text(found_one, jobs[i].text);
	}
}

static void a_gpu_that_was_idle_for_the_last_half_hour_is_found(void **state)
{
#define HOURS(tail) "{'job': {'elapsed_s': 7200}, 'allocated': {'gpus': 1}, 'gpus_listed_s': 7200, 'gpus': [{'node': 'n1', 'vendor':" \
		" 'nvidia', 'busy_known_s': 7190, 'busy_covered_s': 7190, 'busy_source': 'counters', 'busy_share': 0.6, 'idle_tail_s': " tail "}]}"
#define LONG(tail, more) "{'job': {'elapsed_s': 20000" more "}, 'allocated': {'gpus': 1}, 'gpus_listed_s': 20000, 'gpus': [{'node': 'n1'," \
		" 'vendor': 'nvidia', 'busy_known_s': 20000, 'busy_covered_s': 20000, 'busy_source': 'counters', 'busy_share': 0.6, 'idle_tail_s': " \
		tail "}]}"
	cleanup_json struct json_object *report = NULL;

	(void)state;
	assert_false(is_found(HOURS("1799"), "gpus-idle-tail"));
	assert_false(is_found(HOURS("6480"), "gpus-idle-tail"));
	assert_true(is_found(HOURS("6480"), "gpus-used-at-start"));
	check_text(found(&report, HOURS("1800"), "gpus-idle-tail"), "Its GPU did nothing for its last 30 min, of 2 h in all");
	/* the end of a long job */
	assert_false(is_found(LONG("1999", ""), "gpus-idle-tail"));
	assert_true(is_found(LONG("2000", ""), "gpus-idle-tail"));
	/* the GPUs' time includes suspensions, and the job's does not */
	assert_false(is_found(LONG("2000", ", 'suspended_s': 1"), "gpus-idle-tail"));
}

/* The CPUs of a job whose GPUs work may be idle. */
#define IDLE(gpus, list, more) JOB(gpus, list, ", 'progress': {'idle_head_s': 0, 'idle_tail_s': 900}, 'states': {'on_cpu_s': 1," \
	" 'active_s': 1, 'parallel_s': 0, 'bound': {'event_s': 999}}" more)

static void a_verdict_says_what_is_known_of_the_gpus(void **state)
{
#define NOTHING "Idle: 99.9 % of the time there was nothing to do for its CPUs; threads waited for another thread, events, timers, input or" \
	" children"
	static const struct {
		const char *patch, *bound, *text;
		bool idle; /* finding idle-tail */
	} verdicts[] = {
		{ IDLE("1", GPU("0.87", ""), ""), "gpu",
		  "Bound by the GPU: its GPU was busy 87 % of the time, and for 99.9 % of the time there was nothing to do for its CPUs.", false },
		{ IDLE("2", GPU("0.5", "") "," GPU("0.48", ""), ""), "idle", NOTHING "; waits for a GPU look the same."
		  " Its 2 GPUs were busy 49 % of the time.", false },
		{ IDLE("1", GPU("0.01", ""), ""), "idle", NOTHING "; waits for a GPU look the same. Its GPU was busy 1 % of the time.", false },
		{ IDLE("1", READ("900", "samples", "0.0099", ""), ""), "idle", NOTHING ". Its GPU was busy 1.0 % of the time (sampled).", true },
		{ IDLE("1", READ("500", "counters", "0", ""), ""), "idle",
		  NOTHING "; waits for a GPU look the same. Its GPU was busy 0 % of the time that is known.", false },
		{ IDLE("4", "", LISTED), "idle", NOTHING ". No process of it was seen on its 4 GPUs.", true },
		{ IDLE("4", "", ""), "idle", NOTHING "; waits for a GPU look the same. What its GPUs did is not known.", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		cleanup_json struct json_object *report = case_report(verdicts[i].patch);

		judge(report, NULL);
		assert_string_equal(field_text(report, "verdict.bound"), verdicts[i].bound);
		assert_string_equal(field_text(report, "verdict.text"), verdicts[i].text);
		if (!case_find(report, "findings", "code", "idle-tail") == verdicts[i].idle)
			fail_msg("%s", verdicts[i].patch);
	}
}

static void an_end_says_what_is_known_of_the_gpus(void **state)
{
	cleanup_json struct json_object *busy = case_report(IDLE("1", GPU("0.87", ""), "")), *unused = case_report(IDLE("1", "", LISTED));
	cleanup_json struct json_object *done = case_report(IDLE("1", GPU("0.04", ""), ""));

	(void)state;
	put_text(field_find(busy, "job"), "state", "TIMEOUT");
	put_text(field_find(unused, "job"), "state", "TIMEOUT");
	judge(busy, NULL);
	judge(unused, NULL);
	judge(done, NULL);
	assert_string_equal(field_text(busy, "verdict.outcome"), "TIMEOUT after 16 min 40 s: its GPU was busy 87 % of the time. Next time:"
			    " #SBATCH --time=01:45:00 or more");
	assert_string_equal(field_text(unused, "verdict.outcome"), "TIMEOUT after 16 min 40 s: it had done nothing for 15 min");
	assert_string_equal(field_text(done, "verdict.no_advice"), "It hardly used its CPUs, and its GPU was busy 4 % of the time, so there"
			    " is no advice to ask for less");
}

static void lines_ask_for_the_gpus_that_were_used_and_for_cpus_that_keep_them_busy(void **state)
{
	static const struct {
		const char *patch, *line;
	} lines[] = {
		{ JOB("4", GPU("0.9", ""), LISTED), "#SBATCH --gpus=1" },
		{ JOB("4", GPU("0.9", "") "," GPU("0.9", ""), LISTED), "#SBATCH --gpus=2" },
		/* at work, not known, never used, failed, several tasks, whole nodes */
		{ JOB("2", GPU("0.9", "") "," GPU("0.01", ""), LISTED), NULL },
		{ JOB("4", GPU("0.9", ""), ""), NULL },
		{ JOB("4", "", LISTED), NULL },
		{ JOB("4", GPU("0.9", ""), LISTED ", 'job': {'elapsed_s': 1000, 'state': 'FAILED'}"), NULL },
		{ JOB("4", GPU("0.9", ""), LISTED ", 'steps': [{'id': 'batch'}, {'id': '0', 'task_count': 2, 'elapsed_s': 900}]"), NULL },
		{ JOB("4", GPU("0.9", ""), LISTED ", 'allocated': {'gpus': 4, 'exclusive': true}"), NULL },
		/* all CPUs were busy, and the GPU was not */
		{ JOB("1", GPU("0.39", ""), LISTED), "#SBATCH --cpus-per-task=8" },
		{ JOB("1", GPU("0.39", ""), LISTED ", 'states': {'on_cpu_s': 3500, 'active_s': 1000, 'parallel_s': 1000}"), NULL },
		{ JOB("1", GPU("0.39", ""), LISTED ", 'allocated': {'gpus': 1, 'cpus': 8, 'cores': 8}, 'requested': {'cpus': 8, 'time_limit_s':"
		      " 3000}, 'states': {'on_cpu_s': 8000, 'active_s': 1000, 'parallel_s': 1000, 'busy_peak': 8}, 'series': []"), NULL },
		{ JOB("1", GPU("0.39", ""), LISTED ", 'job': {'elapsed_s': 1000, 'state': 'FAILED'}"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		cleanup_json struct json_object *report = case_report(lines[i].patch), *list;

		judge(report, NULL);
		list = json_object_get(field_find(report, "advice"));
		if (field_length(list) != (lines[i].line ? 1 : 0))
			fail_msg("%s: %s", json_object_to_json_string(list), lines[i].patch);
		if (lines[i].line)
			assert_string_equal(field_text(json_object_array_get_idx(list, 0), "line"), lines[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_has_the_finding_that_its_numbers_show),
		cmocka_unit_test(a_gpu_that_was_idle_for_the_last_half_hour_is_found),
		cmocka_unit_test(a_verdict_says_what_is_known_of_the_gpus),
		cmocka_unit_test(lines_ask_for_the_gpus_that_were_used_and_for_cpus_that_keep_them_busy),
		cmocka_unit_test(an_end_says_what_is_known_of_the_gpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
