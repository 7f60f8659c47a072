/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's fields: one list for each of its objects. The structs (report.h) and the tables of reader and writer
 * (report_tables.c) are made from these lists. reports/report.schema.json says what each field means, and a test compares
 * it with these lists.
 *
 * To add a field, add a line here, at its place in the JSON, a line in the schema, and the code that fills it, in
 * reports/builder/ or reports/verdict/. Add a sum only in common/sum_list.h and in the schema.
 *
 * A list has FIELD(TYPE, name) for each field, OBJECT(name, of) for an object of the list @of, and LIST(name, of) for a
 * list of such objects. GROUP(name, list) has the fields of @list, which several objects have; in C they are also the
 * member @name, a struct report_@name. Define these four macros before you use a list. The name is the same in C and in JSON.
 * Types:
 *
 *  COUNT       a whole number, also bytes
 *  LIMIT       the same; null says that there is none
 *  SECONDS     a time; nanoseconds in C
 *  RATIO       any other number: shares of 1, hours
 *  TEXT        a text
 *  WORD        a text of a known set; a newer stint may know more of them
 *  TIME        a moment: RFC 3339 (common/time_text.h)
 *  MARK        true, or absent
 *  FLAG        true or false
 *  VALUE       a number or a text
 *  COUNT_LIST, SECONDS_LIST, TEXT_LIST    a list of plain values
 *  COUNT_MAP, RATIO_MAP                   an object whose members' names are data
 *
 * Only the lists of the node record (reports/records/record_fields.h) have these:
 *
 *  SUM         a count that is left out if it is 0, and null if it is not known
 *  REST        the first field of an object with SUMs or OBJECTs: how many of them its writer knows. If that is another number
 *              than ours, what is left out is not known
 *  OFFSET      a whole number of either sign; 0 if it is not known
 */
#ifndef STINT_REPORT_FIELDS_H
#define STINT_REPORT_FIELDS_H

#include "common/sum_list.h"

/* ---- the sums of common/sum_list.h, by the part of the report that has them ---- */

#define REPORT_USES_IN_USED(type, name) FIELD(type, name)
#define REPORT_USES_IN_STATES(type, name)
#define REPORT_USES_IN_TCP(type, name)
#define REPORT_USES_IN_UDP(type, name)
#define REPORT_USES_IN_UNIX(type, name)
#define REPORT_USES_NOWHERE(type, name)
#define REPORT_USES_SUM(sum, in_record, place, type, name) REPORT_USES_##place(type, name)
#define REPORT_USES SUM_LIST(REPORT_USES_SUM)

#define REPORT_STATES_IN_USED(type, name)
#define REPORT_STATES_IN_STATES(type, name) FIELD(type, name)
#define REPORT_STATES_IN_TCP(type, name)
#define REPORT_STATES_IN_UDP(type, name)
#define REPORT_STATES_IN_UNIX(type, name)
#define REPORT_STATES_NOWHERE(type, name)
#define REPORT_STATES_SUM(sum, in_record, place, type, name) REPORT_STATES_##place(type, name)
#define REPORT_STATES SUM_LIST(REPORT_STATES_SUM)

/* The other protocols have the same fields, except retransmits. */
#define REPORT_TRAFFIC_IN_USED(type, name)
#define REPORT_TRAFFIC_IN_STATES(type, name)
#define REPORT_TRAFFIC_IN_TCP(type, name) FIELD(type, name)
#define REPORT_TRAFFIC_IN_UDP(type, name)
#define REPORT_TRAFFIC_IN_UNIX(type, name)
#define REPORT_TRAFFIC_NOWHERE(type, name)
#define REPORT_TRAFFIC_SUM(sum, in_record, place, type, name) REPORT_TRAFFIC_##place(type, name)
#define REPORT_TRAFFIC SUM_LIST(REPORT_TRAFFIC_SUM)

/* ---- the head ---- */

#define REPORT_GAP \
	FIELD(TEXT, name) \
	FIELD(TEXT, reason)

#define REPORT_WORKFLOW \
	FIELD(WORD, engine) \
	FIELD(TEXT, process) \
	FIELD(TEXT, tag) \
	FIELD(TEXT, rule) \
	FIELD(TEXT, group) \
	FIELD(TEXT, wildcards)

#define REPORT_JOB \
	FIELD(COUNT, id) \
	FIELD(LIMIT, array_job_id) \
	FIELD(LIMIT, array_task_id) \
	FIELD(COUNT, het_job_id) \
	FIELD(COUNT, het_job_offset) \
	FIELD(TEXT, cluster) \
	FIELD(TEXT, name) \
	FIELD(TEXT, user) \
	FIELD(COUNT, uid) \
	FIELD(TEXT, group) \
	FIELD(COUNT, gid) \
	FIELD(TEXT, account) \
	FIELD(TEXT, partition) \
	FIELD(TEXT, qos) \
	FIELD(TEXT, work_dir) \
	FIELD(TEXT, std_out) \
	FIELD(TEXT, std_err) \
	OBJECT(workflow, workflow) \
	FIELD(TEXT, state) \
	FIELD(TEXT, reason) \
	FIELD(COUNT, exit_code) \
	FIELD(COUNT, signal) \
	FIELD(TIME, submit) \
	FIELD(TIME, start) \
	FIELD(TIME, end) \
	FIELD(SECONDS, suspended_s) \
	FIELD(SECONDS, elapsed_s) \
	FIELD(COUNT, attempt)

#define REPORT_REQUESTED \
	FIELD(COUNT, cpus) \
	FIELD(COUNT, nodes) \
	FIELD(COUNT, tasks) \
	FIELD(COUNT, memory_bytes) \
	FIELD(WORD, memory_source) \
	FIELD(COUNT, memory_per_cpu_bytes) \
	FIELD(MARK, memory_by_default) \
	FIELD(LIMIT, time_limit_s)

#define REPORT_ALLOCATED \
	FIELD(COUNT, cpus) \
	FIELD(COUNT, cores) \
	FIELD(COUNT, memory_bytes) \
	FIELD(COUNT, gpus) \
	FIELD(COUNT, nodes) \
	FIELD(TEXT, node_list) \
	FIELD(MARK, exclusive)

/* ---- what was used ---- */

#define REPORT_NETWORK \
	OBJECT(tcp, traffic) \
	OBJECT(udp, traffic) \
	OBJECT(unix, traffic)

#define REPORT_FILE_SYSTEM \
	FIELD(TEXT, type) \
	FIELD(WORD, class) \
	FIELD(TEXT, served_by) \
	FIELD(SECONDS, server_cpu_s) \
	FIELD(SECONDS, wait_s) \
	FIELD(COUNT, waits) \
	FIELD(COUNT, reads) \
	FIELD(COUNT, writes) \
	FIELD(COUNT, read_bytes) \
	FIELD(COUNT, write_bytes) \
	FIELD(COUNT, opens) \
	FIELD(COUNT, mean_read_bytes) \
	FIELD(COUNT, mean_write_bytes)

/* What the job used, and what each node did. */
#define REPORT_TOTALS \
	GROUP(uses, REPORT_USES) \
	FIELD(SECONDS, user_s) \
	FIELD(SECONDS, system_s) \
	FIELD(SECONDS, cpu_before_s) \
	FIELD(WORD, cpu_split) \
	FIELD(COUNT, memory_used_peak_bytes) \
	FIELD(COUNT, memory_used_peak_upper_bytes) \
	FIELD(COUNT, memory_charged_peak_bytes) \
	FIELD(COUNT, memory_swap_peak_bytes) \
	FIELD(COUNT, processes) \
	FIELD(COUNT, oom_kills) \
	FIELD(COUNT, threads_peak)

#define REPORT_NODE_USED \
	GROUP(totals, REPORT_TOTALS) \
	OBJECT(network, network) \
	LIST(file_systems, file_system) \
	FIELD(COUNT, memory_mapped_peak_bytes)

#define REPORT_USED \
	GROUP(totals, REPORT_TOTALS) \
	OBJECT(network, network) \
	FIELD(RATIO, cpu_efficiency) \
	FIELD(RATIO, cpu_wasted_core_hours) \
	FIELD(RATIO, cores_busy) \
	FIELD(COUNT, cores_bound) \
	FIELD(RATIO, memory_efficiency) \
	FIELD(RATIO, memory_wasted_gib_hours) \
	FIELD(TEXT, memory_scope) \
	FIELD(TEXT, memory_charged_scope) \
	FIELD(TEXT, threads_scope) \
	LIST(file_systems, file_system) \
	FIELD(COUNT, memory_mapped_peak_bytes)

/* ---- what the threads did ---- */

#define REPORT_WAIT_KINDS(WAIT) \
	WAIT(memory_stall) \
	WAIT(fault_io) \
	WAIT(file_io) \
	WAIT(network) \
	WAIT(pipe) \
	WAIT(lock) \
	WAIT(condition) \
	WAIT(child) \
	WAIT(event) \
	WAIT(sleep) \
	WAIT(other)

#define REPORT_WAIT_TIME(kind) FIELD(SECONDS, kind##_s)
#define REPORT_WAIT_TIMES REPORT_WAIT_KINDS(REPORT_WAIT_TIME)
#define REPORT_WAIT_COUNT(kind) FIELD(COUNT, kind)
#define REPORT_WAIT_COUNTS REPORT_WAIT_KINDS(REPORT_WAIT_COUNT)

#define REPORT_JOB_STATES \
	GROUP(state_times, REPORT_STATES) \
	FIELD(SECONDS, user_s) \
	FIELD(SECONDS, system_s) \
	OBJECT(some, wait_times) \
	OBJECT(full, wait_times) \
	OBJECT(bound, wait_times) \
	OBJECT(waits, wait_counts) \
	FIELD(SECONDS, active_s) \
	FIELD(SECONDS, parallel_s) \
	FIELD(COUNT, busy_peak)

/* ---- what follows from it ---- */

#define REPORT_EVIDENCE \
	FIELD(TEXT, name) \
	FIELD(VALUE, value) \
	FIELD(TEXT, unit) \
	FIELD(RATIO, threshold)

#define REPORT_VERDICT \
	FIELD(WORD, bound) \
	FIELD(RATIO, share) \
	FIELD(TEXT, file_system) \
	FIELD(WORD, file_system_class) \
	LIST(evidence, evidence) \
	FIELD(TEXT, text) \
	FIELD(TEXT, outcome) \
	FIELD(TEXT, no_advice)

#define REPORT_FINDING \
	FIELD(TEXT, code) \
	FIELD(WORD, severity) \
	FIELD(TEXT, text) \
	LIST(evidence, evidence) \
	FIELD(RATIO_MAP, threshold) \
	FIELD(TEXT, hint)

#define REPORT_ADVICE \
	FIELD(TEXT, line) \
	FIELD(TEXT, reason) \
	FIELD(COUNT, memory_bytes) \
	FIELD(COUNT, memory_per_cpu_bytes) \
	FIELD(COUNT, cpus_per_task) \
	FIELD(COUNT, nodes) \
	FIELD(COUNT, time_limit_s)

/* ---- what happened ---- */

#define REPORT_OOM_KILL \
	FIELD(TIME, time) \
	FIELD(TEXT, tool) \
	FIELD(TEXT, comm) \
	FIELD(COUNT, pid) \
	FIELD(TEXT, node) \
	FIELD(TEXT, step) \
	FIELD(COUNT, rss_bytes) \
	FIELD(COUNT, used_bytes) \
	FIELD(COUNT, limit_bytes) \
	FIELD(COUNT, kernel_bytes) \
	FIELD(COUNT, slab_bytes) \
	FIELD(COUNT, names_bytes) \
	FIELD(COUNT, page_table_bytes) \
	FIELD(MARK, node_ran_out) \
	FIELD(MARK, along) \
	FIELD(MARK, slurm)

#define REPORT_STALL \
	FIELD(TEXT, tool) \
	FIELD(TEXT, node) \
	FIELD(COUNT, pid) \
	FIELD(TEXT, step) \
	FIELD(TIME, start) \
	FIELD(SECONDS, quiet_s)

#define REPORT_UNUSED_CORE \
	FIELD(TEXT, node) \
	FIELD(COUNT, core) \
	FIELD(COUNT, package)

#define REPORT_PROGRESS \
	FIELD(SECONDS, idle_head_s) \
	FIELD(SECONDS, idle_tail_s) \
	LIST(stalls, stall) \
	LIST(cores_unused, unused_core) \
	FIELD(COUNT, cores_used) \
	FIELD(COUNT, cores_bound) \
	FIELD(TEXT_LIST, steps_without_processes)

#define REPORT_TOOL \
	FIELD(TEXT, name) \
	FIELD(TEXT, interpreter) \
	FIELD(TEXT, path) \
	FIELD(TEXT, interpreter_path) \
	FIELD(FLAG, slurm) \
	FIELD(COUNT, runs) \
	FIELD(COUNT, forks) \
	FIELD(COUNT, failures) \
	FIELD(COUNT, signals) \
	FIELD(COUNT, dismissed) \
	FIELD(COUNT, living) \
	FIELD(SECONDS, wall_s) \
	FIELD(COUNT, peak_bytes) \
	FIELD(COUNT, used_peak_bytes) \
	FIELD(COUNT, threads_peak) \
	FIELD(COUNT, openmp_processes) \
	FIELD(COUNT, blas_processes) \
	GROUP(uses, REPORT_USES) \
	OBJECT(states, states) \
	FIELD(TIME, first_start) \
	FIELD(TIME, last_end)

#define REPORT_ENTRY \
	FIELD(TEXT, tool) \
	FIELD(TEXT, interpreter) \
	FIELD(TEXT, node) \
	FIELD(TEXT, step) \
	FIELD(MARK, slurm) \
	FIELD(MARK, forked) \
	FIELD(MARK, dismissed) \
	FIELD(MARK, living) \
	FIELD(MARK, by_shell) \
	FIELD(MARK, unawaited) \
	FIELD(MARK, unread) \
	FIELD(MARK, no_pipe) \
	FIELD(TIME, start) \
	FIELD(TIME, end) \
	FIELD(COUNT, end_unix_ns) \
	FIELD(COUNT, count) \
	FIELD(COUNT, pid) \
	FIELD(COUNT, ppid) \
	FIELD(COUNT, peak_bytes) \
	FIELD(COUNT, failures) \
	FIELD(SECONDS, wall_s) \
	GROUP(uses, REPORT_USES) \
	OBJECT(states, states) \
	FIELD(COUNT, exit_code) \
	FIELD(COUNT, signal)

#define REPORT_TASK \
	FIELD(COUNT, rank) \
	FIELD(COUNT, pid) \
	FIELD(TEXT, node)

#define REPORT_STEP \
	FIELD(TEXT, id) \
	FIELD(TIME, start) \
	FIELD(TIME, end) \
	FIELD(SECONDS, elapsed_s) \
	FIELD(SECONDS, launch_s) \
	FIELD(COUNT, exit_code) \
	FIELD(COUNT, signal) \
	FIELD(COUNT, memory_used_peak_bytes) \
	FIELD(MARK, memory_used_peak_at_least) \
	FIELD(COUNT, memory_used_peak_upper_bytes) \
	FIELD(COUNT, memory_charged_peak_bytes) \
	FIELD(COUNT, memory_limit_bytes) \
	FIELD(COUNT, processes) \
	FIELD(COUNT, oom_kills) \
	FIELD(COUNT, threads_peak) \
	GROUP(uses, REPORT_USES) \
	OBJECT(states, states) \
	FIELD(COUNT, nodes) \
	FIELD(COUNT, task_count) \
	LIST(tasks, task) \
	FIELD(MARK, timed_out)

#define REPORT_CORE \
	FIELD(COUNT, core) \
	FIELD(COUNT, package) \
	FIELD(COUNT_LIST, pus) \
	FIELD(SECONDS, cpu_s)

#define REPORT_NODE_ALLOCATED \
	FIELD(COUNT, cpus) \
	FIELD(TEXT, cpu_list) \
	LIST(cores, core) \
	FIELD(COUNT, cores_bound) \
	FIELD(COUNT, cores_used) \
	FIELD(COUNT, cores_loaded) \
	FIELD(COUNT, memory_bytes) \
	FIELD(COUNT, memory_limit_bytes)

#define REPORT_NODE \
	FIELD(TEXT, name) \
	FIELD(FLAG, complete) \
	OBJECT(allocated, node_allocated) \
	OBJECT(used, node_used) \
	OBJECT(states, job_states) \
	LIST(gaps, gap) \
	FIELD(TEXT, collector_version)

#define REPORT_FILE \
	FIELD(TEXT, path) \
	FIELD(TEXT, type) \
	FIELD(TEXT, node) \
	FIELD(COUNT, opens) \
	FIELD(COUNT, reads) \
	FIELD(COUNT, writes) \
	FIELD(COUNT, read_bytes) \
	FIELD(COUNT, write_bytes)

#define REPORT_COLUMN(sum, in_record, place, type, name) FIELD(type##_LIST, name)
#define REPORT_COLUMNS \
	SUM_LIST_OF_ENTRY(REPORT_COLUMN) \
	FIELD(COUNT_LIST, memory_used_bytes) \
	FIELD(COUNT_LIST, memory_cache_bytes) \
	FIELD(COUNT_LIST, processes) \
	FIELD(COUNT_LIST, threads)

#define REPORT_SERIES \
	FIELD(TEXT, node) \
	FIELD(TIME, start) \
	FIELD(SECONDS, interval_s) \
	FIELD(SECONDS_LIST, end_offsets_s) \
	OBJECT(columns, columns)

/* ---- the whole ---- */

#define REPORT_WHOLE \
	FIELD(WORD, schema) \
	FIELD(TEXT, stint_version) \
	FIELD(FLAG, complete) \
	FIELD(MARK, so_far) \
	LIST(gaps, gap) \
	FIELD(COUNT_MAP, lost) \
	FIELD(WORD, mode) \
	OBJECT(job, job) \
	OBJECT(requested, requested) \
	OBJECT(allocated, allocated) \
	OBJECT(used, used) \
	OBJECT(states, job_states) \
	OBJECT(verdict, verdict) \
	LIST(findings, finding) \
	LIST(advice, advice) \
	LIST(oom, oom_kill) \
	OBJECT(progress, progress) \
	LIST(tools, tool) \
	LIST(timeline, entry) \
	LIST(steps, step) \
	LIST(nodes, node) \
	LIST(files, file) \
	FIELD(COUNT, files_count) \
	LIST(series, series)

/* All groups. A group that is in another one comes before it. */
#define REPORT_GROUPS(EACH) \
	EACH(uses, REPORT_USES) \
	EACH(state_times, REPORT_STATES) \
	EACH(totals, REPORT_TOTALS)

#define REPORT_STATES_ALONE GROUP(state_times, REPORT_STATES)

/* All objects within the report and their lists. An object that is in another one comes before it. */
#define REPORT_OBJECTS(EACH) \
	EACH(gap, REPORT_GAP) \
	EACH(workflow, REPORT_WORKFLOW) \
	EACH(job, REPORT_JOB) \
	EACH(requested, REPORT_REQUESTED) \
	EACH(allocated, REPORT_ALLOCATED) \
	EACH(traffic, REPORT_TRAFFIC) \
	EACH(network, REPORT_NETWORK) \
	EACH(file_system, REPORT_FILE_SYSTEM) \
	EACH(used, REPORT_USED) \
	EACH(node_used, REPORT_NODE_USED) \
	EACH(states, REPORT_STATES_ALONE) \
	EACH(wait_times, REPORT_WAIT_TIMES) \
	EACH(wait_counts, REPORT_WAIT_COUNTS) \
	EACH(job_states, REPORT_JOB_STATES) \
	EACH(evidence, REPORT_EVIDENCE) \
	EACH(verdict, REPORT_VERDICT) \
	EACH(finding, REPORT_FINDING) \
	EACH(advice, REPORT_ADVICE) \
	EACH(oom_kill, REPORT_OOM_KILL) \
	EACH(stall, REPORT_STALL) \
	EACH(unused_core, REPORT_UNUSED_CORE) \
	EACH(progress, REPORT_PROGRESS) \
	EACH(tool, REPORT_TOOL) \
	EACH(entry, REPORT_ENTRY) \
	EACH(task, REPORT_TASK) \
	EACH(step, REPORT_STEP) \
	EACH(core, REPORT_CORE) \
	EACH(node_allocated, REPORT_NODE_ALLOCATED) \
	EACH(node, REPORT_NODE) \
	EACH(file, REPORT_FILE) \
	EACH(columns, REPORT_COLUMNS) \
	EACH(series, REPORT_SERIES)

#endif
