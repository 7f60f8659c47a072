/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that every ending of a job has its sentence, also in a table. Without advice, it says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/verdict/silence.h"
#include "tests/unit/reports/outcome_case.h"

static void each_state_has_its_sentence(void **state)
{
	static const struct ending endings[] = {
		{ NULL, "COMPLETED in 1 min 40 s on 1 node" },
		{ "{'allocated': {'nodes': 2}, 'job': {'elapsed_s': 7500}}", "COMPLETED in 2 h 5 min on 2 nodes" },
		{ "{'allocated': {'nodes': null}, 'job': {'elapsed_s': null}}", "COMPLETED" },
		{ "{'job': {'state': null}}", "State not known after 1 min 40 s" },
		{ "{'job': {'state': 'RUNNING'}, 'so_far': true, 'complete': false}", "RUNNING for 1 min 40 s on 1 node" },
		{ "{'job': {'state': 'NODE_FAIL'}}",
		  "NODE_FAIL after 1 min 40 s: Slurm lost one of its nodes, which is not the job's fault" },
		{ "{'job': {'state': 'REQUEUED'}}",
		  "REQUEUED after 1 min 40 s: this attempt is over, and Slurm starts the job again" },
		{ "{'job': {'state': 'PREEMPTED'}}", "PREEMPTED after 1 min 40 s: Slurm gave its nodes to another job" },
		{ "{'job': {'state': 'SUSPENDED'}}", "SUSPENDED after 1 min 40 s" },
	};

	(void)state;
	CHECK(endings);
}

/* Slurm ends the step by SIGTERM, and the job continues, or ends because of that with its own exit code. */
static void a_step_that_reached_its_own_time_limit_is_named(void **state)
{
	static const struct ending endings[] = {
		{ "{'steps': [{'id': 'batch', 'elapsed_s': 100}, {'id': '0', 'elapsed_s': 5, 'signal': 15}, {'id': '1', 'elapsed_s': 89,"
		  " 'signal': 15, 'timed_out': true}]}",
		  "COMPLETED in 1 min 40 s on 1 node, but step 1 reached its own time limit after 1 min 29 s" },
		{ "{'steps': [{'id': '0', 'elapsed_s': 75, 'timed_out': true}, {'id': '1', 'elapsed_s': 89, 'timed_out': true}],"
		  " 'job': {'std_out': '/home/u/slurm-7.out'}}",
		  "COMPLETED in 1 min 40 s on 1 node, but 2 steps reached their own time limits; step 0 was the first, after 1 min 15 s."
		  " Its output: /home/u/slurm-7.out" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 3}, 'steps': [{'id': '0', 'timed_out': true}]}",
		  "FAILED: the job ended with exit code 3; step 0 reached its own time limit" },
	};

	(void)state;
	CHECK(endings);
}

static void who_was_ended_from_outside_was_busy_or_not(void **state)
{
	static const struct ending endings[] = {
		{ "{'job': {'state': 'TIMEOUT'}, 'used': {'cores_busy': 4}}",
		  "TIMEOUT after 1 min 40 s: it was working (on average 4.0 of 4 cores). Next time: #SBATCH --time=00:10:00 or more" },
		{ "{'job': {'state': 'CANCELLED', 'signal': 15}}",
		  "CANCELLED by signal 15 SIGTERM after 1 min 40 s: it was working (on average 4.0 of 4 cores)" },
		/* two hardware threads a core: up to as many threads as cores, and more of them */
		{ "{'job': {'state': 'CANCELLED'}, 'allocated': {'cpus': 8}, 'states': {'on_cpu_s': 404.9}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 4.0 of 4 cores)" },
		{ "{'job': {'state': 'CANCELLED'}, 'allocated': {'cpus': 8}, 'states': {'on_cpu_s': 405.1}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 4.1 of 8 CPUs)" },
		{ "{'job': {'state': 'CANCELLED'}, 'allocated': {'cpus': 8}, 'states': {'on_cpu_s': 790}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 7.9 of 8 CPUs)" },
		{ "{'job': {'state': 'TIMEOUT', 'elapsed_s': 3600}, 'progress': {'idle_tail_s': 2400}}",
		  "TIMEOUT after 1 h: it had done nothing for 40 min" },
		{ "{'job': {'state': 'TIMEOUT', 'elapsed_s': 3600}, 'progress': {'idle_head_s': 3600}}",
		  "TIMEOUT after 1 h: it had done nothing at all" },
		{ "{'job': {'state': 'CANCELLED'}, 'complete': false}", "CANCELLED after 1 min 40 s" },
		{ "{'job': {'state': 'TIMEOUT'}, 'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'sleep_s': 99,"
		  " 'some': {'sleep_s': 99}, 'bound': {'sleep_s': 99}}}",
		  "TIMEOUT after 1 min 40 s: it was idle for 99 % of the time" },
		/* its threads may have waited for GPUs at work */
		{ "{'allocated': {'gpus': 2}, 'job': {'state': 'TIMEOUT', 'elapsed_s': 3600}, 'progress': {'idle_tail_s': 2400}}",
		  "TIMEOUT after 1 h: what its GPUs did is not known. Next time: #SBATCH --time=00:10:00 or more" },
		{ "{'allocated': {'gpus': 1}, 'job': {'state': 'CANCELLED'}, 'progress': {'idle_head_s': 100}}",
		  "CANCELLED after 1 min 40 s: what its GPU did is not known" },
		{ "{'allocated': {'gpus': 1}, 'job': {'state': 'CANCELLED'}, 'used': {'cores_busy': 4}}",
		  "CANCELLED after 1 min 40 s: it was working (on average 4.0 of 4 cores)" },
		{ "{'allocated': {'gpus': 0}, 'job': {'state': 'CANCELLED'}, 'progress': {'idle_head_s': 100}}",
		  "CANCELLED after 1 min 40 s: it had done nothing at all" },
	};

	(void)state;
	CHECK(endings);
}

static void silence_is_explained(void **state)
{
#define SLEPT "'states': {'on_cpu_s': 0.1, 'active_s': 0.1, 'parallel_s': 0, 'bound': {'sleep_s': 99.9}}"
	static const struct ending silences[] = {
		{ NULL, "Nothing to change" },
		{ "{'used': {'syscall_reads': 200000, 'cpu_s': 2}}", "Nothing to change in what it asks for; see the findings" },
		{ "{'tools': [{'slurm': false, 'runs': 1, 'failures': 1}]}", "Nothing to change" },
		{ "{'job': {'elapsed_s': 41}}", "It ran only 41 s; stint gives advice from 60 s" },
		{ "{'job': {'elapsed_s': 0.363}}", "It ran only 0.363 s; stint gives advice from 60 s" },
		{ "{'job': {'state': 'FAILED', 'exit_code': 1}}", "It failed, so there is no advice to ask for less" },
		{ "{'job': {'state': 'CANCELLED'}}", "It was cancelled, so there is no advice to ask for less" },
		{ "{'job': {'state': 'NODE_FAIL'}}", "It did not complete, so there is no advice to ask for less" },
#define SAMTOOLS(by_shell) "{'tools': [{'name': 'samtools', 'slurm': false, 'runs': 3, 'failures': 3}], 'used': {'memory_used_peak_bytes': 1000}," \
		" 'timeline': [{'tool': 'samtools', " by_shell "'exit_code': 1}]}"
		{ SAMTOOLS("'by_shell': true, "), "Some of its work failed, so there is no advice to ask for less" },
		{ "{'job': {'state': null}}", "How it ended is not known, so there is no advice to ask for less" },
		{ "{'complete': false}", "Not all of it was counted, so there is no advice to ask for less" },
		{ "{'so_far': true, 'job': {'state': 'RUNNING'}}", "It is still running: advice comes at its end" },
		{ "{" SLEPT "}", "It did nothing, so it does not show what to ask for" },
		{ "{'job': {'state': 'TIMEOUT'}, " SLEPT "}", "It was idle when its time ended: look first at what it waited for" },
		{ "{'job': {'state': 'TIMEOUT'}, 'progress': {'idle_tail_s': 60}}",
		  "It was idle when its time ended: look first at what it waited for" },
#define ALL_MEMORY "'requested': {'memory_source': 'all of the node'}"
		{ "{'used': {'oom_kills': 1}, 'job': {'state': 'OUT_OF_MEMORY'}, " ALL_MEMORY "}",
		  "It had all of the node's memory: take nodes with more, or spread it over more of them" },
		{ "{" ALL_MEMORY ", 'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 7730941133}, 'allocated':"
		  " {'memory_limit_bytes': 8589934592}}]}",
		  "It had all of the node's memory: take nodes with more, or spread it over more of them" },
		{ "{" ALL_MEMORY ", 'nodes': [{'complete': true, 'used': {'memory_used_peak_bytes': 7730941132}, 'allocated':"
		  " {'memory_limit_bytes': 8589934592}}]}", "Nothing to change" },
		{ "{'allocated': {'gpus': 1}, " SLEPT "}",
		  "It hardly used its CPUs, and what its GPU did is not known, so there is no advice to ask for less" },
		{ "{'allocated': {'gpus': 0}, " SLEPT "}", "It did nothing, so it does not show what to ask for" },
		{ "{'allocated': {'gpus': 1}, 'job': {'state': 'TIMEOUT'}, " SLEPT "}", "" },
		{ "{'job': {'state': 'TIMEOUT'}, 'progress': {'idle_tail_s': 59}}", "" },
		{ "{'used': {'oom_kills': 1}}", "" },
		{ "{'used': {'oom_kills': 1}, 'oom': [{'limit_bytes': 8589934592}]}", "" },
		{ "{'used': {'oom_kills': 1}, 'oom': [{'limit_bytes': 8589934592, 'node_ran_out': true}]}",
		  "The node ran out of memory, and the job reached no limit of its own: more memory may not help" },
		{ "{'used': {'oom_kills': 2}, 'oom': [{'limit_bytes': 8589934592, 'node_ran_out': true}, {'limit_bytes': 8589934592}]}", "" },
		{ "{'used': {'memory_used_peak_bytes': null, 'memory_used_peak_upper_bytes': null}}",
		  "Its memory use is not known, so there is no advice on memory" },
		{ "{'requested': {'memory_bytes': null}, 'used': {'memory_used_peak_bytes': null, 'memory_used_peak_upper_bytes': null}}",
		  "Nothing to change" },
		/* 3.3 MiB in each sample, but as much as the limit may have been used in between */
		{ "{'used': {'memory_used_peak_bytes': 3460301, 'memory_used_peak_upper_bytes': 8589934592}}",
		  "Its programs used 3.3 MiB of memory or more: what they need is not known, because file cache took the rest" },
		/* nearly the limit; and less, so that no cache had to stop growing there */
		{ "{'used': {'memory_used_peak_bytes': 3460301, 'memory_used_peak_upper_bytes': 7730941133}}",
		  "Its programs used 3.3 MiB of memory or more: what they need is not known, because file cache took the rest" },
		{ "{'used': {'memory_used_peak_bytes': 3460301, 'memory_used_peak_upper_bytes': 7516192768}}",
		  "Its programs used 3.3 MiB to 7.0 GiB of memory: how much of that was file cache is not known, so there is no advice to ask "
		  "for less" },
		{ "{'used': {'memory_used_peak_bytes': 6442450944, 'memory_used_peak_upper_bytes': 8589934592}}", "Nothing to change" },
		{ SAMTOOLS(""), "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(silences) / sizeof(silences[0]); i++) {
		cleanup_json struct json_object *report = case_report(silences[i].patch);
		cleanup_report struct report *older = NULL;
		const char *silence, *old;
		char made[SILENCE_TEXT];

		judge(report, NULL);
		silence = field_text(report, "verdict.no_advice");
		assert_string_equal(silence ? silence : "", silences[i].text);
		json_object_object_del(field_find(report, "verdict"), "no_advice");
		older = report_of(report);
		old = silence_of_report(older, made);
		assert_string_equal(old ? old : "", silences[i].text);
	}
}

static void a_table_says_it_in_a_few_words(void **state)
{
	static const struct {
		const char *sentence;
		int code, signal;
		const char *words;
	} jobs[] = {
		{ "FAILED: Slurm could not start it: see whether the directory of its output exists, and is writable", 0, 53, "not started" },
		{ "FAILED: Slurm could not start the job script: no such file (exit code 2): see the interpreter in its first line", 2, 0, "not started" },
		{ "FAILED: the job was killed by signal 53", 0, 53, "signal 53" },
		{ "FAILED: run.sh (pid 1) ended with exit code 127 (the shell did not find the command)", 127, 0, "command not found" },
		{ "FAILED: run.sh (pid 1) ended with exit code 127 (the shell did not find the command, or the interpreter in its first line)",
		  127, 0, "command not found" },
		{ "FAILED: the job script ended with exit code 127", 127, 0, "exit 127" },
		{ NULL, 3, 0, "exit 3" },
	};
	char text[OUTCOME_SHORT];

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		assert_string_equal(outcome_short("FAILED", jobs[i].sentence, jobs[i].code, jobs[i].signal, text), jobs[i].words);
}

/* Nothing else in a list says that a running job is dead. */
static void a_table_says_that_a_job_is_dead(void **state)
{
	static const struct {
		const char *state, *patch, *words;
	} jobs[] = {
		{ "RUNNING", SCRIPT_KILLED("RUNNING", "", SCRIPT_PID), "job script killed, and Slurm has not noticed" },
		{ "TIMEOUT", SCRIPT_KILLED("TIMEOUT", "", SCRIPT_PID), "job script killed, and Slurm did not notice" },
		{ "CANCELLED", SCRIPT_KILLED("CANCELLED", "", SCRIPT_PID), "job script killed, and Slurm did not notice" },
		{ "TIMEOUT", SCRIPT_KILLED("TIMEOUT", ", 'exit_code': 0, 'signal': 9", SCRIPT_PID), NULL },
		{ "RUNNING", "{'job': {'state': 'RUNNING'}}", NULL },
	};
	char text[OUTCOME_SHORT];

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		cleanup_json struct json_object *report = case_report(jobs[i].patch);
		const char *words;

		judge(report, NULL);
		words = outcome_short(jobs[i].state, field_text(report, "verdict.outcome"), -1, -1, text);
		if (!words || !jobs[i].words)
			assert_true(words == jobs[i].words);
		else
			assert_string_equal(words, jobs[i].words);
	}
}

#define ON_TWO(...) "{'allocated': {'nodes': 2}, 'job': {'state': " __VA_ARGS__
#define ON_N2 "'node': 'n2', 'tool': 'solve'"

/* One node need not be named. */
static void of_several_nodes_the_one_is_named_on_which_it_failed(void **state)
{
	static const struct ending endings[] = {
		{ ON_TWO("'FAILED', 'exit_code': 2}, 'steps': [{'id': '0', 'elapsed_s': 100}], 'timeline': [{" ON_N2 ", 'step': '0', 'pid': 201,"
			 " 'ppid': 200, 'end': '2026-11-21T08:00:11.000+00:00', 'exit_code': 2}]}"),
		  "FAILED: solve (pid 201 on n2) ended with exit code 2, and the job with it" },
		{ ON_TWO("'OUT_OF_MEMORY'}, 'used': {'oom_kills': 1}, 'oom': [{" ON_N2 ", 'limit_bytes': 8589934592}]}"),
		  "OUT OF MEMORY: solve was killed at the limit of 8.0 GiB on n2. Next time: #SBATCH --mem=16G or more" },
		{ ON_TWO("'OUT_OF_MEMORY'}, 'used': {'oom_kills': 2}, 'oom': [{" ON_N2 ", 'limit_bytes': 8589934592}, {'node': 'n1', 'tool':"
			 " 'solve', 'limit_bytes': 8589934592}]}"),
		  "OUT OF MEMORY: solve and 1 more were killed at the limit of 8.0 GiB. Next time: #SBATCH --mem=16G or more" },
		{ ON_TWO("'COMPLETED'}, 'steps': [{'id': 'batch'}, {'id': '0', 'exit_code': 2, 'signal': 0}], 'timeline': [{" ON_N2
			 ", 'step': '0', 'end': '2026-11-21T08:00:11.000+00:00', 'exit_code': 2}]}"),
		  "COMPLETED in 1 min 40 s on 2 nodes, but solve failed on n2 (exit code 2)" },
		{ ON_TWO("'COMPLETED'}, 'timeline': [{" ON_N2 ", 'step': '0', 'pid': 7, 'ppid': 1, 'end': '2026-11-21T08:00:11.000+00:00',"
			 " 'exit_code': 0, 'signal': 0}, {" ON_N2 ", 'step': '0', 'pid': 8, 'ppid': 7, 'forked': true, 'end':"
			 " '2026-11-21T08:00:10.000+00:00', 'exit_code': 0, 'signal': 9}]}"),
		  "COMPLETED in 1 min 40 s on 2 nodes, but a process that solve had forked (pid 8 on n2) was killed by signal 9 SIGKILL" },
	};

	(void)state;
	CHECK(endings);
}

static void a_report_keeps_its_sentence_and_an_older_one_gets_it(void **state)
{
	cleanup_report struct report *older = case_model("{'job': {'state': 'FAILED', 'exit_code': 3}}");
	cleanup_report struct report *of_its_own = case_model("{'verdict': {'outcome': 'FAILED: so'}}");
	char text[OUTCOME_TEXT];

	(void)state;
	assert_string_equal(outcome_of_report(older, text), "FAILED: the job script ended with exit code 3");
	assert_string_equal(outcome_of_report(of_its_own, text), "FAILED: so");
}

static void long_names_are_cut_at_whole_characters(void **state)
{
	char patch[1024] = "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'oom_kills': 1}, 'oom': [{'limit_bytes': 1024, 'tool': 'x";
	cleanup_json struct json_object *report = NULL;

	(void)state;
	for (int i = 0; i < 100; i++)
		strcat(patch, "\xc3\xa4");
	report = case_report(strcat(patch, "'}]}"));
	judge(report, NULL);
	assert_non_null(strstr(field_text(report, "verdict.outcome"), "\xc3\xa4... was killed at the limit of 1.0 KiB"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_state_has_its_sentence),
		cmocka_unit_test(a_step_that_reached_its_own_time_limit_is_named),
		cmocka_unit_test(who_was_ended_from_outside_was_busy_or_not),
		cmocka_unit_test(silence_is_explained),
		cmocka_unit_test(a_table_says_it_in_a_few_words),
		cmocka_unit_test(a_table_says_that_a_job_is_dead),
		cmocka_unit_test(of_several_nodes_the_one_is_named_on_which_it_failed),
		cmocka_unit_test(a_report_keeps_its_sentence_and_an_older_one_gets_it),
		cmocka_unit_test(long_names_are_cut_at_whole_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
