/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what a verdict says, and with which evidence. Every odd report gets one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/reports/verdict_case.h"

static void a_sentence_has_the_numbers(void **state)
{
	static const struct {
		const char *patch, *text;
	} sentences[] = {
		{ NULL, "Bound by CPU: threads computed during 100 % of the core time." },
		{ "{'steps': [{'id': '0', 'task_count': 4}]}",
		  "Bound by CPU: threads computed during 100 % of the core time; tasks that spin while they wait "
		  "for each other count as computing." },
		{ "{'states': {'on_cpu_s': 300, 'runnable_s': 100, 'busy_peak': 4}}",
		  "Bound by CPU: threads computed during 75 % of the core time, and waited for a CPU during another "
		  "25 %." },
		{ "{'states': {'on_cpu_s': 40, 'runnable_s': 360}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 90 % of the time in which it could have run." },
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 80, 'parallel_s': 0, 'busy_peak': 1}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 80 % of the time in which it could have run. Only one of "
		  "its threads was ever busy, with 4 CPUs." },
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 680}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 95 % of the time in which it could have run. Its own "
		  "threads waited for each other, too: on average 7.0 of them wanted to run, on 4 CPUs." },
		{ "{'states': {'on_cpu_s': 20, 'runnable_s': 80, 'parallel_s': 0, 'busy_peak': 2}}",
		  "Slowed by other work on its CPUs: it waited for a CPU in 80 % of the time in which it could have run. It hardly "
		  "ever had more than one busy thread, with 4 CPUs." },
		{ "{'states': {'on_cpu_s': 70, 'runnable_s': 30, 'parallel_s': 0}}",
		  "Serial: for 100 % of the time, exactly one thread was busy on 4 cores (0.7 used on average). Besides, other work "
		  "took 30 % of the CPU time that it could have had." },
		/* of 400 s that 16 threads could have had, others took 300; they took 1,200 s from each other */
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 1500}}",
		  "Oversubscribed: on average 16.0 threads wanted to run on 4 CPUs; each waited for a CPU 94 % of the time in which "
		  "it could have run. Besides, other work took 75 % of the CPU time that all of them could have had." },
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300, 'throttled_s': 297}}",
		  "Throttled by a CPU quota: it waited for a CPU in 75 % of the time in which it could have run, 99 % of that "
		  "because of the quota." },
		{ "{'states': {'on_cpu_s': 101, 'parallel_s': 1, 'turns_s': 76}}",
		  "Bound by locks: threads took turns: for 99 % of the time, exactly one was busy, on 4 cores, and 75 % of the CPU "
		  "time was used while others waited for their turn." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'lock_s': 99, 'bound': {'lock_s': 99},"
		  " 'waits': {'lock': 1}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for locks that were held for long." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'lock_s': 99, 'condition_s': 50, 'bound': {'lock_s': 99},"
		  " 'waits': {'lock': 1}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for locks that were held for long or another "
		  "thread (or a timer)." },
		/* in the table's words, without little shares, and without what the table leaves out */
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'condition_s': 198, 'sleep_s': 2, 'child_s': 99,"
		  " 'bound': {'condition_s': 99}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for another thread (or a timer)." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'condition_s': 50, 'sleep_s': 50, 'event_s': 99, 'pipe_s': 20,"
		  " 'bound': {'event_s': 99}}, 'tools': [{'name': 'srun', 'slurm': false, 'states': {'event_s': 98}}]}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for a pipe or terminal, another thread (or a timer) or "
		  "timers (sleep)." },
		/* a pipeline waits at its pipes while it works: the sleep stopped all of the job */
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'pipe_s': 80, 'sleep_s': 99, 'full': {'pipe_s': 0.5, 'sleep_s': 99},"
		  " 'bound': {'pipe_s': 0.5, 'sleep_s': 98.5}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for timers (sleep)." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'pipe_s': 80, 'sleep_s': 99, 'full': {'pipe_s': 5, 'sleep_s': 99},"
		  " 'bound': {'pipe_s': 5, 'sleep_s': 94}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for a pipe or terminal or timers (sleep)." },
		{ "{'states': {'on_cpu_s': 30, 'active_s': 29, 'parallel_s': 0, 'bound': {'file_io_s': 71},"
		  " 'file_io_s': 71}, 'used': {'file_systems': [{'type': 'nfs4', 'class': 'network', 'wait_s': 70},"
		  " {'type': 'ext4', 'class': 'local', 'wait_s': 1}]}}",
		  "Bound by file I/O on the network file system nfs4: 71 % of the time no thread ran, and threads waited for files." },
		{ "{'states': {'on_cpu_s': 30, 'active_s': 29, 'parallel_s': 0, 'bound': {'file_io_s': 71},"
		  " 'file_io_s': 71}, 'used': {'file_systems': [{'type': '', 'class': 'unknown', 'wait_s': 70},"
		  " {'type': 'ext4', 'class': 'local', 'wait_s': 1}]}}",
		  "Bound by file I/O: 71 % of the time no thread ran, and threads waited for files." },
		{ "{'states': {'on_cpu_s': 160, 'active_s': 87, 'parallel_s': 52, 'file_io_s': 240,"
		  " 'some': {'file_io_s': 98}, 'bound': {'file_io_s': 13}},"
		  " 'used': {'file_systems': [{'type': 'ext4', 'class': 'local', 'wait_s': 240}]}}",
		  "Bound by file I/O on ext4: 60 % of the core time was left unused by threads that waited for "
		  "files." },
		{ "{'states': {'on_cpu_s': 105, 'parallel_s': 6, 'lock_s': 294, 'some': {'lock_s': 100},"
		  " 'waits': {'lock': 294000}}}",
		  "Bound by locks: 98 % of the cores but one were left unused by threads that waited for each "
		  "other, 1 ms at a time." },
		{ "{'states': {'on_cpu_s': 110, 'parallel_s': 7}}",
		  "Serial: for 93 % of the time, exactly one thread was busy on 4 cores (1.1 used on average)." },
		{ "{'states': {'runnable_s': 400}}",
		  "Oversubscribed: on average 8.0 threads wanted to run on 4 CPUs; each waited for a CPU 50 % of the "
		  "time in which it could have run." },
		{ "{'states': {'on_cpu_s': 100, 'runnable_s': 300}, 'progress': {'cores_unused': [1, 2, 3]}}",
		  "Oversubscribed: on average 4.0 threads wanted to run on 1 of 4 cores, while the others were "
		  "never used; each waited for a CPU 75 % of the time in which it could have run." },
		/* the shell started on another core */
#define ON_ONE(states) "{'states': {'busy_peak': 9, " states "}, 'nodes': [{'name': 'n1', 'allocated': {'cpus': 4, 'cores_bound': 4, 'cores_used': 4," \
		" 'cores_loaded': 1}, 'used': {'cpu_s': 100}}]}"
		{ ON_ONE("'on_cpu_s': 100, 'runnable_s': 100"),
		  "Oversubscribed: on average 2.0 threads wanted to run on 1 of 4 cores, while the others were "
		  "hardly used; each waited for a CPU 50 % of the time in which it could have run." },
		{ ON_ONE("'on_cpu_s': 100, 'runnable_s': 700"),
		  "Oversubscribed: on average 8.0 threads wanted to run on 4 CPUs, and ran on 1 of 4 cores; each waited for a CPU 88 % "
		  "of the time in which it could have run." },
		{ ON_ONE("'on_cpu_s': 50, 'runnable_s': 150"),
		  "Slowed by other work on its CPUs: it waited for a CPU in 50 % of the time in which it could have run. Its own threads "
		  "waited for each other, too: on average 2.0 of them wanted to run, on 1 of 4 cores." },
		{ ON_ONE("'on_cpu_s': 4.8, 'runnable_s': 4.8, 'active_s': 4.8, 'parallel_s': 4.8, 'bound': {'file_io_s': 3.2}"),
		  "Mixed: on average 0.6 of 4 cores were used, and no one kind of wait explains the rest (file I/O 40 %). On average 2.0 "
		  "threads wanted to run on 1 of 4 cores." },
		{ "{'job': {'elapsed_s': 1000}, 'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0,"
		  " 'bound': {'event_s': 9}}}",
		  "Idle: 99.9 % of the time there was nothing to do; 99 % it had no process at all." },
		{ "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'bound': {'event_s': 99}}}",
		  "Idle: 99 % of the time there was nothing to do; threads waited for another thread, events, timers, input "
		  "or children." },
		{ "{'allocated': {'gpus': 1}, 'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 0, 'bound': {'event_s': 99}}}",
		  "Idle: 99 % of the time there was nothing to do for its CPUs; threads waited for another thread, events, timers, input "
		  "or children; waits for a GPU look the same. What its GPU did is not known." },
		/* the average describes none of the nodes */
#define NODES_OF_TWO(states, first, second) "{'allocated': {'cpus': 8, 'cores': 8, 'nodes': 2}, 'states': {" states "}, 'nodes': [" \
		" {'name': 'n1', 'complete': true, 'allocated': {'cpus': 4}, 'used': {'cpu_s': " first "}}," \
		" {'name': 'n2', 'complete': true, 'allocated': {'cpus': 4}, 'used': {'cpu_s': " second "}}]}"
#define HALF_IDLE "'on_cpu_s': 79.9, 'active_s': 90, 'parallel_s': 80, 'bound': {'event_s': 12}"
		{ NODES_OF_TWO(HALF_IDLE, "79.9", "0"),
		  "Idle: 54 % of the time there was nothing to do on a node, on average; 48 % there was no process at all; threads waited "
		  "for another thread, events, timers, input or children." },
		{ NODES_OF_TWO(HALF_IDLE, "80", "0"),
		  "Idle: 54 % of the time there was nothing to do on a node, on average; 48 % there was no process at all; threads waited "
		  "for another thread, events, timers, input or children. Its nodes were not alike: n1 had work for 20 % of its CPUs, n2 "
		  "for 0 %." },
		{ NODES_OF_TWO("'on_cpu_s': 400, 'active_s': 200, 'parallel_s': 200", "100", "300"),
		  "Mixed: on average 4.0 of 8 cores were used, and no one kind of wait explains the rest: there were too few busy threads. "
		  "Its nodes were not alike: n2 had work for 75 % of its CPUs, n1 for 25 %." },
		{ NODES_OF_TWO("'on_cpu_s': 200, 'active_s': 200, 'parallel_s': 0", "100", "100"),
		  "Serial: for 100 % of the time, exactly one thread was busy on a node, on 8 cores (2.0 used on average)." },
		{ "{'states': {'on_cpu_s': 200}}",
		  "Mixed: on average 2.0 of 4 cores were used, and no one kind of wait explains the rest: there "
		  "were too few busy threads." },
		/* the page's share, of all of the job's time */
		{ "{'states': {'on_cpu_s': 200}, 'used': {'cores_busy': 1.8}}",
		  "Mixed: on average 1.8 of 4 cores were used, and no one kind of wait explains the rest: there "
		  "were too few busy threads." },
		{ "{'complete': false, 'states': {'on_cpu_s': 200}, 'used': {'cores_busy': 1.8}}",
		  "Mixed: on average 2.0 of 4 cores were used, and no one kind of wait explains the rest: there "
		  "were too few busy threads." },
		{ "{'states': {'on_cpu_s': 200, 'active_s': 60, 'parallel_s': 60, 'bound': {'sleep_s': 20,"
		  " 'file_io_s': 20}}}",
		  "Mixed: on average 2.0 of 4 cores were used, and no one kind of wait explains the rest (file I/O "
		  "20 %, idle 20 %)." },
		{ "{'allocated': {'cpus': 1, 'cores': 1}, 'progress': {'cores_used': 1, 'cores_bound': 1},"
		  " 'series': [], 'states': {'on_cpu_s': 5, 'runnable_s': 35, 'active_s': 40, 'parallel_s': 0,"
		  " 'bound': {'sleep_s': 36, 'file_io_s': 24}}}",
		  "Mixed: on average 0.1 of 1 core was used, and no one kind of wait explains the rest (waiting for a "
		  "CPU 35 %, file I/O 24 %, idle 36 %)." },
		{ "{'states': {'memory_stall_s': 200, 'some': {'memory_stall_s': 100}, 'on_cpu_s': 200}}",
		  "Bound by memory: 50 % of the time went into making room or waiting for pages, at a limit of 8.0 "
		  "GiB." },
		{ "{'states': null}", "Unknown: what its threads did was not counted." },
		{ "{'job': {'elapsed_s': 1}, 'states': {'active_s': 0.05, 'on_cpu_s': 0.05}}",
		  "Unknown: the job was too short to tell (0.050 s)." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		cleanup_json struct json_object *report = NULL;

		assert_string_equal(text_of(sentences[i].patch, &report), sentences[i].text);
	}
}

static void evidence_has_number_and_threshold(void **state)
{
	cleanup_json struct json_object *report = case_report(NULL), *again = case_report(NULL);
	struct json_object *one;
	struct rules rules;
	struct error err;
	double number;

	(void)state;
	rules_defaults(&rules);
	judge(report, NULL);
	one = case_find(report, "verdict.evidence", "name", "cpu_share");
	assert_true(field_number(one, "value", &number) && fabs(number - 1) < 1e-6);
	assert_true(field_number(one, "threshold", &number) && fabs(number - 0.75) < 1e-6);
	one = case_find(report, "verdict.evidence", "name", "time_s");
	assert_true(field_number(one, "value", &number) && fabs(number - 100) < 1e-6);
	assert_string_equal(field_text(one, "unit"), "s");
	/* for pages, which do not know the site's rules */
	one = case_find(report, "verdict.evidence", "name", "elapsed_s");
	assert_true(field_number(one, "threshold", &number) && fabs(number - 60) < 1e-6);
	assert_int_equal(rules_set(&rules, "finding_elapsed_s", 7, &err), 0);
	judge(again, &rules);
	one = case_find(again, "verdict.evidence", "name", "elapsed_s");
	assert_true(field_number(one, "threshold", &number) && fabs(number - 7) < 1e-6);
	assert_null(case_find(report, "verdict.evidence", "name", "lock_wait_mean_s"));
}

static void what_was_not_counted_is_not_idle(void **state)
{
	cleanup_json struct json_object *late = NULL, *missing = NULL;

	(void)state;
	/* counted for the last 100 of 1000 s */
	text_of("{'complete': false, 'job': {'elapsed_s': 1000}, 'nodes': [{'complete': false, 'used': {}}]}", &late);
	assert_string_equal(field_text(late, "verdict.bound"), "cpu");
	text_of("{'complete': false, 'requested': {'nodes': 2}, 'nodes': [{'complete': true, 'used': {}},"
		" {'complete': false, 'gaps': []}]}", &missing);
	assert_string_equal(field_text(missing, "verdict.bound"), "cpu");
}

static void said_twice_it_is_the_same(void **state)
{
	cleanup_json struct json_object *report = case_report("{'states': {'parallel_s': 0, 'on_cpu_s': 100}}");
	cleanup_free char *once = NULL;

	(void)state;
	judge(report, NULL);
	once = strdup(json_object_to_json_string(report));
	judge(report, NULL);
	assert_string_equal(json_object_to_json_string(report), once);
}

/* ---- odd reports ---- */

/*
 * Goes through the values in @json, and those within lists. Replaces value number @which by @by.
 * @serial: counts the values
 */
static void replace(struct json_object *json, size_t which, size_t *serial, struct json_object *by)
{
	if (json_object_is_type(json, json_type_array)) {
		for (size_t i = 0; i < field_length(json); i++) {
			if ((*serial)++ == which) {
				json_object_array_put_idx(json, i, json_object_get(by));
				return;
			}
			replace(json_object_array_get_idx(json, i), which, serial, by);
		}
	} else if (json_object_is_type(json, json_type_object)) {
		json_object_object_foreach(json, name, value) {
			if ((*serial)++ == which) {
				json_object_object_add(json, name, json_object_get(by));
				return;
			}
			replace(value, which, serial, by);
		}
	}
}

static void check_form(struct json_object *report)
{
	cleanup_free char *text = strdup(json_object_to_json_string(report));
	cleanup_json struct json_object *again = NULL;
	struct error err = { "" };
	double share = 0;

	again = field_parse(text, strlen(text), "what was put", json_type_object, &err);
	if (!again)
		fail_msg("%s: %s", err.text, text);
	assert_non_null(field_text(again, "verdict.bound"));
	assert_non_null(field_text(again, "verdict.text"));
	assert_non_null(field_typed(again, "verdict.evidence", json_type_array));
	assert_non_null(field_typed(again, "findings", json_type_array));
	assert_non_null(field_typed(again, "advice", json_type_array));
	field_number(again, "verdict.share", &share);
	assert_true(share >= 0 && share <= 1);
	assert_true((strcmp(field_text(again, "verdict.bound"), "unknown") == 0) ==
		    !field_find(again, "verdict.share"));
}

/* A job with many findings, so that there is much to spoil. */
static const char much[] =
	"{'states': {'on_cpu_s': 60, 'active_s': 55, 'parallel_s': 2, 'file_io_s': 45, 'lock_s': 75, 'busy_peak': 4,"
	" 'some': {'file_io_s': 45, 'lock_s': 75}, 'bound': {'file_io_s': 45}, 'waits': {'file_io': 100, 'lock': "
	"90000}},"
	" 'used': {'oom_kills': 1, 'memory_swap_peak_bytes': 99999999, 'syscall_reads': 1000000, 'reclaim_s': 9,"
	"  'cpu_efficiency': 0.15, 'cpu_wasted_core_hours': 1,"
	"  'network': {'tcp': {'tx_ops': 1000, 'retransmits': 200}},"
	"  'file_systems': [{'type': 'nfs4', 'class': 'network', 'wait_s': 40, 'waits': 100, 'opens': 20000}]},"
	" 'oom': [{'tool': 'hog', 'pid': 7, 'rss_bytes': 8000000000, 'limit_bytes': 8589934592}],"
	" 'steps': [{'id': '0', 'task_count': 2, 'elapsed_s': 90}],"
	" 'progress': {'idle_tail_s': 70, 'stalls': [{'tool': 'solve', 'pid': 3, 'quiet_s': 40}],"
	"  'steps_without_processes': ['extern', '1'], 'cores_unused': [{'core': 3}]},"
	" 'tools': [{'name': 'sed', 'slurm': false, 'runs': 5000, 'forks': 1, 'failures': 3, 'signals': 1, 'wall_s': "
	"20}]}";

/* Replaces every value in turn by every odd one, or removes it. @check: looks at the result */
static void spoil(const char *patch, void (*check)(struct json_object *report))
{
	static const char *const odd[] = {
		"{'by': null}", "{'by': -1}", "{'by': 0}", "{'by': 1e-300}", "{'by': 1e18}", "{'by': 1e308}",
		"{'by': 1e999}",
		"{'by': 18446744073709551615}", "{'by': 'text'}", "{'by': ''}", "{'by': []}", "{'by': [[], null, 1]}",
		"{'by': {}}", "{'by': true}",
	};

	for (size_t o = 0; o < sizeof(odd) / sizeof(odd[0]); o++) {
		cleanup_json struct json_object *by = case_json(odd[o]);
		size_t which = 0, serial;

		do {
			cleanup_json struct json_object *report = case_report(patch);

			serial = 0;
			replace(report, which, &serial, field_find(by, "by"));
			judge(report, NULL);
			check(report);
		} while (which++ < serial);
	}
}

static void no_report_is_too_odd(void **state)
{
	cleanup_json struct json_object *empty = json_object_new_object();

	(void)state;
	judge(empty, NULL);
	assert_string_equal(field_text(empty, "verdict.bound"), "unknown");
	assert_int_equal(field_length(field_find(empty, "findings")), 0);
	assert_int_equal(field_length(field_find(empty, "advice")), 0);
	check_form(empty);
	spoil(NULL, check_form);
	spoil(much, check_form);
}

static void check_nothing_is_found(struct json_object *report)
{
	const char *word = field_text(report, "verdict.bound");

	if (field_length(field_find(report, "findings")) > 0 || field_length(field_find(report, "advice")) > 0 ||
	    (strcmp(word, "unknown") != 0 && strcmp(word, "cpu") != 0))
		fail_msg("found on what is not known: %s", json_object_to_json_string(field_find(report, "findings")));
}

static void nothing_is_found_on_what_is_not_known(void **state)
{
	size_t which = 0, serial;

	(void)state;
	do {
		cleanup_json struct json_object *report = case_report(NULL);

		serial = 0;
		replace(report, which, &serial, NULL);
		judge(report, NULL);
		check_nothing_is_found(report);
	} while (which++ < serial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sentence_has_the_numbers),
		cmocka_unit_test(evidence_has_number_and_threshold),
		cmocka_unit_test(what_was_not_counted_is_not_idle),
		cmocka_unit_test(said_twice_it_is_the_same),
		cmocka_unit_test(no_report_is_too_odd),
		cmocka_unit_test(nothing_is_found_on_what_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
