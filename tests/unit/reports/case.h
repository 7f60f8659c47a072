/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports for the tests of verdict, findings and advice. Include this after cmocka.h.
 * JSON has ' in place of ", which is easier to read.
 */
#ifndef STINT_CASE_H
#define STINT_CASE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/rules/sentence.h"
#include "tests/unit/reports/report_case.h"

#define CASE_GIB "1073741824"

/*
 * A job about which there is nothing to say: four threads computed for 100 s on four cores of one node.
 * It has as much memory and time as it needs.
 */
#define CASE_SOUND                                                                                                   \
	"{'complete': true, 'gaps': [], 'job': {'state': 'COMPLETED', 'elapsed_s': 100, 'std_out': '/dev/null'},"    \
	" 'requested': {'cpus': 4, 'nodes': 1, 'tasks': 1, 'memory_bytes': 8589934592, 'memory_source': 'per node'," \
	"  'time_limit_s': 300},"                                                                                    \
	" 'allocated': {'cpus': 4, 'cores': 4, 'nodes': 1},"                                                         \
	" 'used': {'cpu_s': 400, 'cpu_efficiency': 1, 'cpu_wasted_core_hours': 0, 'memory_wasted_gib_hours': 0.05,"  \
	"  'memory_used_peak_bytes': 6442450944, 'memory_swap_peak_bytes': 0, 'oom_kills': 0, 'processes': 3,"       \
	"  'major_faults': 0, 'reclaims': 0, 'reclaim_s': 0, 'sync_wait_s': 0, 'sync_waits': 0, 'syscall_reads': 900, 'syscall_read_bytes': 9000000,"   \
	"  'syscall_writes': 900, 'syscall_write_bytes': 9000000, 'async_read_bytes': 0, 'async_write_bytes': 0,"    \
	"  'socket_rx_bytes': 0, 'socket_tx_bytes': 0,"                                                              \
	"  'network': {'tcp': {'rx_ops': 0, 'tx_ops': 0, 'tx_bytes': 0, 'retransmits': 0},"                          \
	"   'udp': {'rx_ops': 0, 'tx_ops': 0}}, 'file_systems': []},"                                                \
	" 'states': {'on_cpu_s': 400, 'runnable_s': 0.1, 'lifetime_s': 500.1,"                                       \
	"  'memory_stall_s': 0, 'fault_io_s': 0, 'file_io_s': 0, 'gpu_s': 0, 'network_s': 0, 'pipe_s': 0, 'lock_s': 0,"          \
	"  'condition_s': 0, 'turns_s': 0, 'throttled_s': 0,"                                                        \
	"  'child_s': 100, 'event_s': 0, 'sleep_s': 0, 'other_s': 0,"                                                \
	"  'active_s': 100, 'parallel_s': 100, 'busy_peak': 4,"                                                      \
	"  'some': {'memory_stall_s': 0, 'fault_io_s': 0, 'file_io_s': 0, 'gpu_s': 0, 'network_s': 0, 'pipe_s': 0,"              \
	"   'lock_s': 0, 'condition_s': 0, 'child_s': 100, 'event_s': 0, 'sleep_s': 0, 'other_s': 0},"               \
	"  'bound': {'memory_stall_s': 0, 'fault_io_s': 0, 'file_io_s': 0, 'gpu_s': 0, 'network_s': 0, 'pipe_s': 0,"             \
	"   'lock_s': 0, 'condition_s': 0, 'child_s': 0, 'event_s': 0, 'sleep_s': 0, 'other_s': 0},"                 \
	"  'waits': {'memory_stall': 0, 'fault_io': 0, 'file_io': 0, 'gpu': 0, 'network': 0, 'pipe': 0,"                       \
	"   'lock': 0, 'condition': 0, 'child': 1, 'event': 0, 'sleep': 0, 'other': 0}},"                            \
	" 'oom': [],"                                                                                                \
	" 'progress': {'idle_head_s': 0.2, 'idle_tail_s': 0.1, 'stalls': [], 'steps_without_processes': [],"         \
	"  'cores_unused': [], 'cores_used': 4, 'cores_bound': 4},"                                                  \
	" 'tools': [{'name': 'run.sh', 'slurm': false, 'runs': 1, 'forks': 0, 'failures': 0, 'signals': 0,"          \
	"  'wall_s': 100, 'threads_peak': 1}, {'name': 'solve', 'slurm': false, 'runs': 1, 'forks': 0,"              \
	"  'failures': 0, 'signals': 0, 'wall_s': 99, 'threads_peak': 4},"                                           \
	"  {'name': 'slurmstepd', 'slurm': true, 'runs': 9, 'failures': 1, 'signals': 1, 'wall_s': 0.1}],"           \
	" 'steps': [{'id': 'batch', 'elapsed_s': 100}],"                                                             \
	" 'series': [{'node': 'n1', 'interval_s': 50, 'end_offsets_s': [50, 100], 'columns': {'cpu_s': [200, 200]}}]," \
	" 'nodes': [{'name': 'n1', 'complete': true, 'allocated': {'cpus': 4, 'memory_limit_bytes': 8589934592},"    \
	"  'used': {'cpu_s': 400, 'memory_used_peak_bytes': 6442450944}}]}"

/* Parses @text. The test fails if it is not JSON. To be put. */
static inline struct json_object *case_json(const char *text)
{
	cleanup_free char *copy = strdup(text);
	struct json_object *json;
	struct error err = { "" };

	for (char *at = copy; *at; at++)
		if (*at == '\'')
			*at = '"';
	json = field_parse(copy, strlen(copy), "the case", json_type_object, &err);
	if (!json)
		fail_msg("%s in: %s", err.text, text);
	return json;
}

/* Merges @patch into @json: objects are merged, null removes a member, any other value replaces it. */
static inline void case_merge(struct json_object *json, struct json_object *patch)
{
	json_object_object_foreach(patch, name, value) {
		struct json_object *there = field_typed(json, name, json_type_object);

		if (!value)
			json_object_object_del(json, name);
		else if (there && json_object_is_type(value, json_type_object))
			case_merge(there, value);
		else
			json_object_object_add(json, name, json_object_get(value));
	}
}

/* Returns the sound job's report with @patch merged into it, to be put. @patch: may be NULL */
static inline struct json_object *case_report(const char *patch)
{
	struct json_object *report = case_json(CASE_SOUND);

	if (patch) {
		cleanup_json struct json_object *over = case_json(patch);

		case_merge(report, over);
	}
	return report;
}

/* Returns the sound job's report with @patch merged into it, for report_free(). */
static inline struct report *case_model(const char *patch)
{
	cleanup_json struct json_object *report = case_report(patch);

	return report_of(report);
}

/* Sets the number at the dotted @path. A number in the path is an array's index. */
static inline void case_set(struct json_object *json, const char *path, double value)
{
	cleanup_free char *copy = strdup(path);
	char *rest = copy, *name, *dot;

	while ((dot = strchr(rest, '.'))) {
		*dot = '\0';
		json = json_object_is_type(json, json_type_array) ? json_object_array_get_idx(json, atoi(rest)) :
								    field_find(json, rest);
		if (!json)
			fail_msg("%s is not there", path);
		rest = dot + 1;
	}
	name = rest;
	if (json_object_is_type(json, json_type_array))
		json_object_array_put_idx(json, atoi(name), json_object_new_double(value));
	else if (value == floor(value))
		json_object_object_add(json, name, json_object_new_int64((int64_t)value));
	else
		json_object_object_add(json, name, json_object_new_double(value));
}

static inline struct json_object *case_find(struct json_object *report, const char *list, const char *key,
					    const char *text)
{
	struct json_object *array = field_typed(report, list, json_type_array);

	for (size_t i = 0; i < field_length(array); i++) {
		struct json_object *one = json_object_array_get_idx(array, i);
		const char *there = field_text(one, key);

		if (there && strcmp(there, text) == 0)
			return one;
	}
	return NULL;
}

static inline const char *case_sentence(struct json_object *finding, char text[SENTENCE_TEXT])
{
	cleanup_json struct json_object *json = json_object_new_object();
	cleanup_report struct report *report = NULL;
	char made[SENTENCE_TEXT];

	json_object_array_add(put_array(json, "findings"), json_object_get(finding));
	report = report_of(json);
	snprintf(text, SENTENCE_TEXT, "%s", sentence_of_finding(&report->findings.items[0], made));
	return text;
}

/* Returns whether the report says @what: "verdict WORD", "finding CODE" or "advice LINE". */
static inline bool case_says(struct json_object *report, const char *what)
{
	const char *text = strchr(what, ' ') + 1;

	if (strncmp(what, "verdict ", 8) == 0)
		return strcmp(field_text(report, "verdict.bound"), text) == 0;
	if (strncmp(what, "finding ", 8) == 0)
		return case_find(report, "findings", "code", text);
	if (strncmp(what, "advice ", 7) == 0)
		return case_find(report, "advice", "line", text);
	fail_msg("what is '%s'?", what);
	return false;
}

#endif
