/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the report adds up over nodes exactly, and only what every node has measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "reports/builder/report_file_systems.h"
#include "reports/json/field.h"
#include "reports/records/report_totals.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/case.h"
#include "tests/unit/reports/case.h"
#include "tests/unit/reports/fixture.h"

#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)

static const char *const states[] = {
	"on_cpu_s",  "runnable_s", "memory_stall_s", "fault_io_s", "file_io_s", "gpu_s",    "network_s",
	"pipe_s",    "lock_s",     "condition_s",    "child_s",    "event_s",   "sleep_s",   "other_s",
};

#define STATES (sizeof(states) / sizeof(states[0]))

static struct json_object *build_changed(void (*change)(struct json_object *record))
{
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	struct json_object *report;

	change(records[1]);
	report = build(records, 2, NULL);
	json_object_put(records[0]);
	json_object_put(records[1]);
	return report;
}

static void what_adds_up_is_added_over_nodes(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	assert_count(report, "used.syscall_read_bytes", 3000);
	assert_count(report, "used.syscall_write_bytes", 900);
	assert_count(report, "used.syscall_reads", 30);
	assert_count(report, "used.syscall_writes", 9);
	assert_count(report, "used.async_read_bytes", 0);
	assert_count(report, "used.socket_rx_bytes", 3 * (4096 + 16));
	assert_count(report, "used.socket_tx_bytes", 3 * (2048 + 8));
	assert_count(report, "used.minor_faults", 3 * 700 + 50);
	assert_count(report, "used.major_faults", 21);
	assert_count(report, "used.reclaims", 1);
	assert_number(report, "used.reclaim_s", 0.5);
	assert_count(report, "used.voluntary_switches", 129);
	assert_count(report, "used.involuntary_switches", 13);
	assert_count(report, "used.oom_kills", 1);
	assert_count(report, "used.network.tcp.rx_bytes", 3 * 4096);
	assert_count(report, "used.network.tcp.retransmits", 1);
	assert_count(report, "used.network.unix.tx_ops", 3);
	assert_count(report, "used.network.udp.rx_bytes", 0);
	assert_absent(report, "used.network.udp.retransmits");
}

static void a_peak_is_of_one_node(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	assert_count(report, "used.memory_swap_peak_bytes", 8192);
	assert_count(report, "states.busy_peak", 6);
	assert_count(element(report, "nodes", 0), "used.memory_swap_peak_bytes", 4096);
	assert_count(element(report, "nodes", 0), "states.busy_peak", 3);
}

static void seconds_are_told_to_the_nanosecond(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} times[] = {
		{ 0, "0.0" },
		{ 1, "0.000000001" },
		{ 999999999, "0.999999999" },
		{ 1000000000, "1.0" },
		{ 10500000000, "10.5" },
		{ 253361000001, "253.361000001" },
		{ INT64_MAX, "9223372036.854775807" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		cleanup_json struct json_object *seconds = json_new_seconds(times[i].ns);

		assert_string_equal(json_object_to_json_string(seconds), times[i].text);
	}
}

static double sum_of_states(struct json_object *json, const char *prefix)
{
	double sum = 0, value;
	char name[64];

	for (size_t i = 0; i < STATES; i++) {
		snprintf(name, sizeof(name), "%s%s", prefix, states[i]);
		if (!field_number(json, name, &value))
			fail_msg("%s is not there", name);
		sum += value;
	}
	return sum;
}

static void states_sum_up_to_the_threads_lifetime(void **state)
{
	static const char *const records[] = { "record-one.json", "record-two-n1.json", "record-two-n2.json" };

	(void)state;
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		cleanup_json struct json_object *report = build_one(records[i], NULL);
		double lifetime;

		assert_true(field_number(report, "states.lifetime_s", &lifetime));
		assert_true(fabs(sum_of_states(report, "states.") - lifetime) < 1e-6);
		for (size_t t = 0; t < length(report, "tools"); t++) {
			assert_true(field_number(element(report, "tools", t), "states.lifetime_s", &lifetime));
			assert_true(fabs(sum_of_states(element(report, "tools", t), "states.") - lifetime) < 1e-6);
		}
	}
}

static void what_the_job_waited_for_is_added_over_nodes(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	assert_number(report, "states.on_cpu_s", 60.05);
	assert_number(report, "states.user_s", 60.05 * 45.0375 / 60.05);
	assert_number(report, "states.some.network_s", 9);
	assert_number(report, "states.full.network_s", 3);
	assert_number(report, "states.full.file_io_s", 1.5);
	assert_number(report, "states.bound.file_io_s", 0.75);
	assert_number(report, "states.some.pipe_s", 0);
	assert_count(report, "states.waits.file_io", 18);
	assert_number(report, "states.active_s", 15);
	assert_number(report, "states.parallel_s", 6);
	assert_number(element(report, "nodes", 1), "states.some.network_s", 6);
}

static void forget_sockets(struct json_object *record)
{
	struct json_object *totals = field_find(record, "totals");

	json_object_object_del(totals, "socket_rx_bytes");
	json_object_object_del(totals, "lock_ns");
	json_object_object_del(totals, "udp_rx_ops");
	json_object_object_del(totals, "memory_swap_sampled_peak_bytes");
}

static void what_one_node_does_not_know_is_not_known_of_the_job(void **state)
{
	cleanup_json struct json_object *report = build_changed(forget_sockets);

	(void)state;
	assert_gap(report, "used.socket_rx_bytes");
	assert_gap(report, "used.memory_swap_peak_bytes");
	assert_gap(report, "used.network.udp.rx_ops");
	assert_gap(report, "states.lock_s");
	assert_string_equal(gap_reason(report, "used.socket_rx_bytes"), "n2: the node record does not have it");
	assert_count(report, "used.socket_tx_bytes", 3 * (2048 + 8));
	assert_count(report, "used.network.udp.tx_ops", 0);
	assert_number(report, "states.file_io_s", 3);
	/* the node that knows reports its bytes; the second node has a gap */
	assert_count(element(report, "nodes", 0), "used.socket_rx_bytes", 4096 + 16);
	assert_gap(element(report, "nodes", 1), "used.socket_rx_bytes");
	assert_false(gaps_have(field_find(element(report, "nodes", 0), "gaps"), "used.socket_rx_bytes"));
}

static void forget_pressure(struct json_object *record)
{
	json_object_object_del(record, "pressure");
	gaps_add(field_find(record, "gaps"), "states.some", "the program was turned off");
}

static void pressure_that_one_node_did_not_follow_is_not_known(void **state)
{
	static const char *const names[] = { "some", "full", "bound", "waits", "active_s", "parallel_s", "busy_peak" };
	cleanup_json struct json_object *report = build_changed(forget_pressure);

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_absent(field_find(report, "states"), names[i]);
	assert_string_equal(gap_reason(report, "states.some"), "n2: the program was turned off");
	assert_number(report, "states.network_s", 9);
}

static void forget_totals(struct json_object *record)
{
	json_object_object_del(record, "totals");
}

static void a_node_without_totals_leaves_no_half_sums(void **state)
{
	cleanup_json struct json_object *report = build_changed(forget_totals);

	(void)state;
	assert_gap(report, "used.cpu_s");
	assert_gap(report, "used.network");
	assert_gap(report, "used.oom_kills");
	assert_true(gaps_have(field_find(report, "gaps"), "states"));
	for (size_t i = 0; i < STATES; i++)
		assert_absent(field_find(report, "states"), states[i]);
}

static void threads_that_waited_for_work_or_took_turns_or_were_throttled_are_told_apart(void **state)
{
	cleanup_json struct json_object *report = build_one("record-one.json", NULL);
	struct json_object *java = element(report, "tools", 4), *samtools = element(report, "tools", 1);

	(void)state;
	assert_number(report, "states.lock_s", 75.25);
	assert_number(report, "states.condition_s", 12);
	assert_number(report, "states.some.condition_s", 12);
	assert_number(report, "states.full.condition_s", 0.5);
	assert_number(report, "states.bound.condition_s", 0);
	assert_count(report, "states.waits.condition", 40);
	assert_number(report, "states.turns_s", 2);
	assert_number(report, "states.throttled_s", 0.25);
	assert_count(report, "used.cancelled_write_bytes", 12288);
	assert_number(java, "states.turns_s", 2);
	assert_number(java, "states.throttled_s", 0.25);
	assert_count(java, "cancelled_write_bytes", 12288);
	assert_count(java, "dismissed", 0);
	assert_count(java, "used_peak_bytes", 471859200);
	assert_count(samtools, "dismissed", 1);
}

static void map_runtimes(struct json_object *record)
{
	put_count(element(record, "tools", 0), "openmp_processes", 3);
}

static void runtimes_are_told_if_one_node_saw_them(void **state)
{
	cleanup_json struct json_object *report = build_changed(map_runtimes);

	(void)state;
	assert_count(element(report, "tools", 0), "openmp_processes", 3);
	assert_absent(element(report, "tools", 0), "blas_processes");
}

static void dismiss(struct json_object *record)
{
	put_flag(element(record, "timeline", 0), "dismissed", true);
	json_object_object_del(element(record, "tools", 0), "dismissed");
	put_count(element(record, "tools", 0), "used_peak_bytes", 5 * GIB);
}

static void what_was_dismissed_is_told_where_each_node_tells_it(void **state)
{
	cleanup_json struct json_object *report = build_changed(dismiss);
	size_t dismissed = 0;

	(void)state;
	/* The step's peak is of used memory, so it is never above what its cgroup was charged with. */
	assert_count(element(report, "tools", 0), "used_peak_bytes", 4 * GIB);
	assert_absent(element(report, "tools", 0), "dismissed");
	for (size_t i = 0; i < length(report, "timeline"); i++)
		if (field_find(element(report, "timeline", i), "dismissed"))
			dismissed++;
	assert_int_equal(dismissed, 1);
}

/* What stintd writes for a node without a step of the job. */
static void use_nothing(struct json_object *record)
{
	static const char *const gone[] = {
		"opened_unix_ns", "pressure", "files", "files_count", "series", "progress", "tools", "timeline",
	};
	static const char *const unknown[] = {
		"memory_used_sampled_peak_bytes", "memory_process_peak_bytes", "memory_charged_peak_bytes",
		"memory_swap_sampled_peak_bytes",
	};
	struct json_object *totals = field_find(record, "totals");

	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		json_object_object_del(record, gone[i]);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		json_object_object_del(totals, unknown[i]);
	json_object_object_foreach(totals, name, value) {
		(void)value;
		put_count(totals, name, 0);
	}
	put_array(record, "steps");
	put_array(record, "oom");
	put_array(record, "file_systems");
}

static void a_node_on_which_no_step_ran_used_nothing(void **state)
{
	cleanup_json struct json_object *report = build_changed(use_nothing);
	struct json_object *gaps = field_find(report, "gaps");
	static const char *const known[] = { "states.some", "used.memory_used_peak_bytes", "series", "files", "oom",
					     "progress.stalls", "used.file_systems" };

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		assert_false(gaps_have(gaps, known[i]));
	assert_number(report, "used.cpu_s", 20.05);
	assert_number(report, "states.some.network_s", 3);
	assert_count(report, "used.memory_used_peak_bytes", GIB);
	assert_int_equal(length(report, "series"), 1);
	assert_int_equal(length(report, "files"), 2);
	assert_int_equal(length(report, "nodes"), 2);
	assert_number(element(report, "nodes", 1), "states.some.network_s", 0);
	assert_count(report, "progress.cores_bound", 4);
}

static void a_job_without_a_step_waited_for_nothing(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	use_nothing(record);
	report = build(&record, 1, slurm);
	assert_number(report, "used.cpu_s", 0);
	assert_number(report, "states.some.network_s", 0);
	assert_number(report, "progress.idle_head_s", 130);
	assert_int_equal(length(report, "oom"), 0);
	assert_non_null(field_find(report, "oom"));
	assert_false(gaps_have(field_find(report, "gaps"), "series"));
}

static void a_record_of_the_old_form_has_gaps_and_no_zeros(void **state)
{
	static const char *const gone[] = {
		"used.syscall_read_bytes", "used.socket_rx_bytes", "used.minor_faults", "used.reclaim_s",
		"used.memory_swap_peak_bytes", "used.oom_kills", "used.network", "used.file_systems", "states.some", "used.cancelled_write_bytes",
		"oom", "series", "progress.idle_head_s", "progress.stalls", "progress.cores_unused",
	};
	cleanup_json struct json_object *report = build_one("record-old.json", "slurm-one.json");
	struct json_object *tool = element(report, "tools", 0), *entry = element(report, "timeline", 0);

	(void)state;
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		if (strcmp(gone[i], "series") != 0)
			assert_gap(report, gone[i]);
	assert_true(gaps_have(field_find(report, "gaps"), "states"));
	assert_true(gaps_have(field_find(report, "gaps"), "series"));
	assert_int_equal(length(report, "series"), 0);
	assert_number(report, "used.cpu_s", 253.361);
	assert_number(tool, "cpu_s", 201.4);
	assert_absent(tool, "states");
	assert_absent(tool, "syscall_read_bytes");
	assert_absent(entry, "states");
	assert_absent(entry, "socket_rx_bytes");
	assert_absent(element(report, "steps", 0), "states");
}

static void an_old_and_a_new_record_make_one_report(void **state)
{
	struct json_object *records[] = { load("record-one.json"), load("record-old.json") };
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_text(field_find(records[1], "identity"), "node", "n9");
	report = build(records, 2, NULL);
	assert_number(report, "used.cpu_s", 2 * 253.361);
	assert_gap(report, "used.syscall_read_bytes");
	assert_string_equal(gap_reason(report, "states"), "n9: the node record does not have it");
	assert_absent(element(report, "tools", 0), "states");
	assert_number(element(report, "tools", 0), "cpu_s", 2 * 201.4);
	assert_int_equal(length(report, "series"), 1);
	json_object_put(records[0]);
	json_object_put(records[1]);
}

static void a_timelines_entry_tells_the_states_that_it_was_in(void **state)
{
	cleanup_json struct json_object *report = build_one("record-one.json", NULL);
	struct json_object *script = element(report, "timeline", 0), *python = element(report, "timeline", 3);

	(void)state;
	assert_text(script, "interpreter", "bash");
	assert_int_equal(json_object_object_length(field_find(script, "states")), 2);
	assert_number(script, "states.child_s", 129.4);
	assert_text(python, "tool", "align.py");
	assert_number(python, "states.network_s", 3.75);
	assert_count(python, "socket_rx_bytes", 8388608);
	assert_count(python, "syscall_read_bytes", 0);
	assert_absent(python, "states.lock_s");
}

static void an_entry_that_was_in_no_state_has_none_of_them(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(element(record, "timeline", 5), "on_cpu_ns", 0);
	put_count(element(record, "timeline", 5), "child_ns", 0);
	report = build(&record, 1, NULL);
	assert_int_equal(json_object_object_length(field_find(element(report, "timeline", 0), "states")), 0);
}

static void steps_and_tools_tell_what_they_used(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *step = element(report, "steps", 1), *tool = element(report, "tools", 0);

	(void)state;
	assert_number(step, "states.network_s", 9);
	assert_count(step, "socket_rx_bytes", 3 * (4096 + 16));
	assert_count(step, "oom_kills", 1);
	assert_absent(step, "network");
	assert_count(tool, "syscall_read_bytes", 3000);
	assert_count(tool, "major_faults", 21);
	assert_number(tool, "states.lock_s", 1.5);
	assert_number(tool, "states.on_cpu_s", 60);
}

static void a_step_of_which_nothing_is_known_is_named_once(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	json_object_object_del(element(record, "steps", 0), "totals");
	report = build(&record, 1, NULL);
	assert_true(gaps_have(field_find(report, "gaps"), "steps.batch"));
	assert_false(gaps_have(field_find(report, "gaps"), "steps.batch.cpu_s"));
	json_object_put(report);
	json_object_put(record);
	record = load("record-one.json");
	json_object_object_del(field_find(element(record, "steps", 0), "totals"), "lock_ns");
	report = build(&record, 1, NULL);
	assert_true(gaps_have(field_find(report, "gaps"), "steps.batch.states.lock_s"));
}

/* Without samples, the record has only the step's largest process, which is not the peak of several. */
static void a_steps_peak_is_at_least_so_much_where_it_was_not_sampled(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	struct json_object *totals = field_find(element(record, "steps", 0), "totals"), *step;
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(totals, "memory_process_peak_bytes", GIB);
	put_count(totals, "memory_charged_peak_bytes", 3 * GIB);
	put_count(totals, "memory_used_sampled_peak_bytes", 2 * GIB);
	report = build(&record, 1, NULL);
	step = element(report, "steps", 0);
	assert_count(step, "memory_used_peak_bytes", 2 * GIB);
	assert_count(step, "memory_used_peak_upper_bytes", 3 * GIB);
	assert_absent(step, "memory_used_peak_at_least");
	json_object_object_del(totals, "memory_used_sampled_peak_bytes");
	json_object_put(report);
	report = build(&record, 1, NULL);
	step = element(report, "steps", 0);
	assert_count(step, "memory_used_peak_bytes", GIB);
	assert_true(field_true(step, "memory_used_peak_at_least"));
}

static void a_steps_limit_is_the_highest_of_those_that_its_nodes_have(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *report = NULL;
	struct json_object *totals = field_find(element(record, "steps", 0), "totals");

	(void)state;
	json_object_object_del(totals, "memory_limit_bytes");
	report = build(&record, 1, NULL);
	assert_absent(element(report, "steps", 0), "memory_limit_bytes");
	assert_false(gaps_have(field_find(report, "gaps"), "steps.batch.memory_limit_bytes"));
	put_count(totals, "memory_limit_bytes", 2 * GIB);
	json_object_put(report);
	report = build(&record, 1, NULL);
	assert_count(element(report, "steps", 0), "memory_limit_bytes", 2 * GIB);
}

/* ---- memory ---- */

static struct json_object *build_memory(int64_t sampled, int64_t process, int64_t charged)
{
	cleanup_json struct json_object *record = load("record-one.json");
	struct json_object *totals = field_find(record, "totals");

	put_count(totals, "memory_used_sampled_peak_bytes", sampled);
	put_count(totals, "memory_process_peak_bytes", process);
	put_count(totals, "memory_charged_peak_bytes", charged);
	return build(&record, 1, NULL);
}

static void the_upper_bound_is_told_beyond_both_thresholds(void **state)
{
	static const struct {
		int64_t used, charged;
		bool told;
	} peaks[] = {
		{ 100 * MIB, 116 * MIB, false },     /* 16 MiB, and 16 % */
		{ 100 * MIB, 116 * MIB + 1, true },
		{ 100 * GIB, 102 * GIB, false },     /* 2 GiB, and 2 % */
		{ 100 * GIB, 102 * GIB + 1, true },
		{ 800 * MIB, 816 * MIB, false },
		{ 800 * MIB, 816 * MIB + 1, true },
		{ 1 * GIB, 1 * GIB, false },
		{ 1 * GIB, GIB / 2, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(peaks) / sizeof(peaks[0]); i++) {
		cleanup_json struct json_object *report = build_memory(MIB, peaks[i].used, peaks[i].charged);

		if (peaks[i].told)
			assert_count(report, "used.memory_used_peak_upper_bytes", peaks[i].charged);
		else
			assert_absent(report, "used.memory_used_peak_upper_bytes");
		assert_false(gaps_have(field_find(report, "gaps"), "used.memory_used_peak_upper_bytes"));
	}
}

static void without_a_charged_peak_the_upper_bound_is_a_gap(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	json_object_object_del(field_find(record, "totals"), "memory_charged_peak_bytes");
	report = build(&record, 1, NULL);
	assert_gap(report, "used.memory_used_peak_upper_bytes");
	assert_gap(report, "used.memory_charged_peak_bytes");
}

/* The node with the highest sampled peak may not be the one that can have used the most. */
static void the_upper_bound_is_of_the_node_that_was_charged_most(void **state)
{
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(field_find(records[0], "totals"), "memory_charged_peak_bytes", 6 * GIB);
	put_count(field_find(records[1], "totals"), "memory_charged_peak_bytes", 2 * GIB);
	report = build(records, 2, NULL);
	assert_count(report, "used.memory_used_peak_bytes", 2 * GIB);
	assert_count(report, "used.memory_used_peak_upper_bytes", 6 * GIB);
	json_object_put(records[0]);
	json_object_put(records[1]);
}

/* ---- file systems ---- */

static void each_type_has_its_class(void **state)
{
	static const struct {
		const char *type, *class;
	} types[] = {
		{ "nfs", "network" }, { "nfs4", "network" }, { "lustre", "network" },
		{ "ceph", "network" }, { "cifs", "network" }, { "smb3", "network" },
		{ "beegfs", "network" }, { "gpfs", "network" }, { "fuse", "network" },
		{ "fuse.sshfs", "network" }, { "fuseblk", "local" }, { "fusectl", "memory" },
		{ "afs", "network" }, { "9p", "network" }, { "virtiofs", "network" },
		{ "panfs", "network" }, { "wekafs", "network" }, { "pvfs2", "network" },
		{ "tmpfs", "memory" }, { "ramfs", "memory" }, { "hugetlbfs", "memory" },
		{ "devtmpfs", "memory" }, { "proc", "memory" }, { "ext4", "local" },
		{ "xfs", "local" }, { "btrfs", "local" }, { "overlay", "local" },
		{ "nfsx", "local" }, { "", "unknown" },
		{ NULL, "unknown" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		assert_string_equal(file_systems_class(types[i].type), types[i].class);
}

static void file_systems_of_one_type_are_one_by_wait(void **state)
{
	cleanup_json struct json_object *report = build_two();
	struct json_object *list = field_find(report, "used.file_systems");
	struct json_object *nfs = json_object_array_get_idx(list, 0), *xfs = json_object_array_get_idx(list, 1);

	(void)state;
	assert_int_equal(field_length(list), 2);
	assert_text(nfs, "type", "nfs4");
	assert_text(nfs, "class", "network");
	assert_number(nfs, "wait_s", 2.25);
	assert_count(nfs, "waits", 12);
	assert_count(nfs, "reads", 6);
	assert_count(nfs, "mean_read_bytes", 350);
	assert_count(nfs, "mean_write_bytes", 150);
	assert_text(xfs, "type", "xfs");
	assert_count(xfs, "mean_read_bytes", 38);
	assert_absent(xfs, "mean_write_bytes");
}

/* Puts a wait for FUSE into the record, and replaces its tools by @tools (a list in single quotes). */
static void serve(struct json_object *record, const char *tools)
{
	cleanup_json struct json_object *object = NULL;
	char text[512];

	snprintf(text, sizeof(text), "{'tools': %s}", tools);
	object = case_json(text);
	json_object_array_add(field_find(record, "file_systems"), case_json("{'type': 'fuse', 'wait_ns': 9000000000, 'waits': 3}"));
	json_object_object_add(record, "tools", json_object_get(field_find(object, "tools")));
}

static void what_the_job_serves_from_a_local_image_is_local(void **state)
{
#define SERVER(name, forks, ended, reads, cpu) "{'name': '" name "', 'runs': 1, 'forks': " forks ", " ended ", 'syscall_reads': " reads \
		", 'cpu_ns': " cpu "}"
#define WELL "'failures': 0, 'signals': 0"
	static const struct {
		const char *tools, *class, *server;
		double cpu_s;
	} jobs[] = {
		{ "[" SERVER("squashfuse", "1", WELL, "2", "2000000000") ", " SERVER("fuse-overlayfs", "0", WELL, "1", "500000000") "]",
		  "local", "squashfuse", 2.5 },
		/* the server was killed when the job ended */
		{ "[" SERVER("squashfuse_ll", "0", "'failures': 1, 'signals': 1", "3", "1000000000") "]", "local", "squashfuse_ll", 1 },
		/* three waits cannot all be for two requests */
		{ "[" SERVER("squashfuse_ll", "0", WELL, "2", "1000000000") "]", "unknown", "squashfuse_ll", 1 },
		/* the server could not mount anything */
		{ "[" SERVER("squashfuse", "0", "'failures': 1, 'signals': 0", "9", "1000000") "]", "network", NULL, 0 },
		/* the waits for two servers are in one sum */
		{ "[" SERVER("squashfuse", "1", WELL, "9", "2000000000") ", " SERVER("sshfs", "1", WELL, "9", "7") "]", "unknown",
		  "squashfuse", 2 },
		{ "[" SERVER("sshfs", "1", WELL, "9", "7") "]", "network", NULL, 0 },
		{ "[" SERVER("cat", "0", WELL, "9", "7") "]", "network", NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		cleanup_json struct json_object *record = load("record-one.json"), *report = NULL;
		struct json_object *fuse;

		serve(record, jobs[i].tools);
		report = build(&record, 1, NULL);
		fuse = case_find(report, "used.file_systems", "type", "fuse");
		assert_text(fuse, "class", jobs[i].class);
		if (!jobs[i].server) {
			assert_absent(fuse, "served_by");
			assert_absent(fuse, "server_cpu_s");
			continue;
		}
		assert_text(fuse, "served_by", jobs[i].server);
		assert_number(fuse, "server_cpu_s", jobs[i].cpu_s);
	}
}

static void turn_files_off(struct json_object *record)
{
	struct json_object *list = field_find(record, "file_systems");

	json_object_object_del(record, "files");
	json_object_object_del(record, "files_count");
	for (size_t i = 0; i < field_length(list); i++) {
		json_object_object_del(json_object_array_get_idx(list, i), "reads");
		json_object_object_del(json_object_array_get_idx(list, i), "read_bytes");
	}
}

static void where_one_node_did_not_count_files_none_are_told(void **state)
{
	cleanup_json struct json_object *report = build_changed(turn_files_off);
	struct json_object *nfs = json_object_array_get_idx(field_find(report, "used.file_systems"), 0);

	(void)state;
	assert_number(nfs, "wait_s", 2.25);
	assert_absent(nfs, "reads");
	assert_absent(nfs, "opens");
	assert_true(gaps_have(field_find(report, "gaps"), "used.file_systems"));
	assert_gap(report, "files");
	assert_absent(report, "files_count");
}

static void files_that_a_site_does_not_count_are_no_gap(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	turn_files_off(record);
	report = build(&record, 1, NULL);
	assert_absent(report, "files");
	assert_false(gaps_have(field_find(report, "gaps"), "files"));
	assert_false(gaps_have(field_find(report, "gaps"), "used.file_systems"));
	assert_absent(json_object_array_get_idx(field_find(report, "used.file_systems"), 0), "reads");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_adds_up_is_added_over_nodes),
		cmocka_unit_test(a_peak_is_of_one_node),
		cmocka_unit_test(seconds_are_told_to_the_nanosecond),
		cmocka_unit_test(states_sum_up_to_the_threads_lifetime),
		cmocka_unit_test(what_the_job_waited_for_is_added_over_nodes),
		cmocka_unit_test(threads_that_waited_for_work_or_took_turns_or_were_throttled_are_told_apart),
		cmocka_unit_test(what_was_dismissed_is_told_where_each_node_tells_it),
		cmocka_unit_test(runtimes_are_told_if_one_node_saw_them),
		cmocka_unit_test(what_one_node_does_not_know_is_not_known_of_the_job),
		cmocka_unit_test(pressure_that_one_node_did_not_follow_is_not_known),
		cmocka_unit_test(a_node_without_totals_leaves_no_half_sums),
		cmocka_unit_test(a_node_on_which_no_step_ran_used_nothing),
		cmocka_unit_test(a_job_without_a_step_waited_for_nothing),
		cmocka_unit_test(a_record_of_the_old_form_has_gaps_and_no_zeros),
		cmocka_unit_test(an_old_and_a_new_record_make_one_report),
		cmocka_unit_test(a_timelines_entry_tells_the_states_that_it_was_in),
		cmocka_unit_test(an_entry_that_was_in_no_state_has_none_of_them),
		cmocka_unit_test(steps_and_tools_tell_what_they_used),
		cmocka_unit_test(a_steps_peak_is_at_least_so_much_where_it_was_not_sampled),
		cmocka_unit_test(a_steps_limit_is_the_highest_of_those_that_its_nodes_have),
		cmocka_unit_test(a_step_of_which_nothing_is_known_is_named_once),
		cmocka_unit_test(the_upper_bound_is_told_beyond_both_thresholds),
		cmocka_unit_test(without_a_charged_peak_the_upper_bound_is_a_gap),
		cmocka_unit_test(the_upper_bound_is_of_the_node_that_was_charged_most),
		cmocka_unit_test(each_type_has_its_class),
		cmocka_unit_test(what_the_job_serves_from_a_local_image_is_local),
		cmocka_unit_test(file_systems_of_one_type_are_one_by_wait),
		cmocka_unit_test(where_one_node_did_not_count_files_none_are_told),
		cmocka_unit_test(files_that_a_site_does_not_count_are_no_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
