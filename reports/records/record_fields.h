/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the fields of the node record (docs/record.md), and of Slurm's answer about a job, which stint-slurm-job
 * prints. There is one list for each object. The structs (record.h) and the tables of the reader and the writer
 * (record_tables.c) are made from these lists. The report's structs and tables are made in the same way from
 * reports/model/report_fields.h, which explains FIELD, OBJECT, LIST, GROUP and the types. Two more macros declare
 * members that are in the C structs, but not in the JSON: HIDDEN(TYPE, name) and HIDDEN_OBJECT(name, of).
 *
 * To add a field, add a line here and in docs/record.md, and the code that writes it (collector/record/) and uses it
 * (reports/builder/). Add a sum only in common/sum_list.h.
 */
#ifndef STINT_RECORD_FIELDS_H
#define STINT_RECORD_FIELDS_H

#include "common/sum_list.h"
#include "reports/model/report_fields.h"

#define RECORD_SUM(sum, name, ...) FIELD(SUM, name)
#define RECORD_USE SUM_LIST(RECORD_SUM)
#define RECORD_ENTRY_USE SUM_LIST_OF_ENTRY(RECORD_SUM) /* the first sums of common/sum_list.h */

/* ---- the head ---- */

#define RECORD_COLLECTOR \
	FIELD(TEXT, version) \
	FIELD(COUNT, booted_unix_ns) \
	FIELD(COUNT, since_unix_ns) \
	FIELD(COUNT, closed_unix_ns)

#define RECORD_ORIGIN \
	FIELD(TEXT, cluster) \
	FIELD(COUNT, job_id) \
	FIELD(COUNT, array_job_id) \
	FIELD(COUNT, array_task_id) \
	FIELD(COUNT, attempt) \
	FIELD(TEXT, node) \
	FIELD(TEXT, boot_id)

#define RECORD_USER \
	FIELD(COUNT, uid) \
	FIELD(COUNT, gid) \
	FIELD(TEXT, name) \
	FIELD(COUNT, umask)

#define RECORD_GAP \
	FIELD(TEXT, name) \
	FIELD(TEXT, reason)

#define RECORD_MOVED_OUT \
	FIELD(COUNT, processes) \
	FIELD(COUNT, first_unix_ns)

/* ---- what the job was given ---- */

#define RECORD_CORE \
	FIELD(COUNT, core) \
	FIELD(COUNT, package) \
	FIELD(COUNT_LIST, pus) \
	FIELD(COUNT, cpu_ns)

/* A record that was made from a store line has these counts instead of its cores. */
#define RECORD_COUNTED_CORES \
	FIELD(COUNT, count) \
	FIELD(COUNT, used) \
	FIELD(COUNT, loaded) \
	LIST(unused, core)

#define RECORD_ALLOCATED \
	FIELD(COUNT, cpus) \
	FIELD(TEXT, cpu_list) \
	LIST(cores, core) \
	FIELD(COUNT, memory_bytes) \
	FIELD(COUNT_LIST, gpu_indexes) \
	HIDDEN_OBJECT(counted_cores, counted_cores)

/* ---- what the job used ---- */

#define RECORD_TOTALS \
	FIELD(REST, rest) \
	GROUP(use, RECORD_USE) \
	FIELD(COUNT, processes) \
	FIELD(COUNT, cpu_before_ns) \
	FIELD(COUNT, threads_peak) \
	FIELD(COUNT, oom_kills) \
	FIELD(COUNT, memory_used_sampled_peak_bytes) \
	FIELD(COUNT, memory_process_peak_bytes) \
	FIELD(COUNT, memory_charged_peak_bytes) \
	FIELD(COUNT, memory_swap_sampled_peak_bytes) \
	FIELD(COUNT, memory_limit_bytes)

#define RECORD_TASK \
	FIELD(COUNT, rank) \
	FIELD(COUNT, pid)

#define RECORD_STEP \
	FIELD(TEXT, id) \
	FIELD(COUNT, step_id) \
	FIELD(COUNT, stepd_start_unix_ns) \
	FIELD(COUNT, start_unix_ns) \
	FIELD(COUNT, end_unix_ns) \
	FIELD(COUNT, exit_status) \
	FIELD(COUNT, nodes) \
	FIELD(COUNT, task_count) \
	LIST(tasks, task) \
	OBJECT(totals, totals)

#define RECORD_WAIT \
	FIELD(COUNT, some_ns) \
	FIELD(COUNT, full_ns) \
	FIELD(COUNT, bound_ns) \
	FIELD(COUNT, waits)

#define RECORD_WAIT_KIND(kind) OBJECT(kind, wait)
#define RECORD_WAIT_KINDS REPORT_WAIT_KINDS(RECORD_WAIT_KIND)

#define RECORD_WAITS \
	FIELD(REST, rest) \
	RECORD_WAIT_KINDS

#define RECORD_PRESSURE \
	FIELD(COUNT, active_ns) \
	FIELD(COUNT, parallel_ns) \
	FIELD(COUNT, busy_peak) \
	OBJECT(waits, waits)

#define RECORD_FILE_SYSTEM \
	FIELD(TEXT, type) \
	FIELD(COUNT, magic) \
	FIELD(COUNT, wait_ns) \
	FIELD(COUNT, waits) \
	FIELD(COUNT, reads) \
	FIELD(COUNT, writes) \
	FIELD(COUNT, read_bytes) \
	FIELD(COUNT, write_bytes) \
	FIELD(COUNT, opens)

#define RECORD_FILE \
	FIELD(TEXT, path) \
	FIELD(TEXT, type) \
	FIELD(COUNT, opens) \
	FIELD(COUNT, reads) \
	FIELD(COUNT, writes) \
	FIELD(COUNT, read_bytes) \
	FIELD(COUNT, write_bytes)

/* ---- what happened ---- */

#define RECORD_OOM_KILL \
	FIELD(COUNT, time_unix_ns) \
	FIELD(COUNT, tool) \
	FIELD(TEXT, comm) \
	FIELD(COUNT, pid) \
	FIELD(TEXT, step) \
	FIELD(COUNT, rss_bytes) \
	FIELD(COUNT, used_bytes) \
	FIELD(COUNT, limit_bytes) \
	FIELD(COUNT, kernel_bytes) \
	FIELD(COUNT, slab_bytes) \
	FIELD(COUNT, names_bytes) \
	FIELD(COUNT, page_table_bytes) \
	FIELD(MARK, node_ran_out) \
	FIELD(MARK, along)

/* The share is busy_ns / known_ns. */
#define RECORD_GPU_SHARE \
	FIELD(COUNT, busy_ns) \
	FIELD(COUNT, known_ns) \
	FIELD(COUNT, covered_ns) \
	FIELD(COUNT, counted_ns)

#define RECORD_GPU_XID \
	FIELD(COUNT, xid) \
	FIELD(COUNT, count)

#define RECORD_GPU_PROCESS \
	FIELD(COUNT, pid) \
	FIELD(COUNT, tool) \
	FIELD(COUNT, first_unix_ns) \
	FIELD(COUNT, last_unix_ns) \
	FIELD(COUNT, memory_peak_bytes)

#define RECORD_GPU_OPENER \
	FIELD(COUNT, tool) \
	FIELD(COUNT, opens) \
	FIELD(COUNT, held_ns)

/* opens is absent if it was not counted. found: first_unix_ns is when a look found the device open. */
#define RECORD_GPU_FILE \
	FIELD(TEXT, device) \
	FIELD(COUNT, minor) \
	FIELD(COUNT, opens) \
	FIELD(COUNT, held_ns) \
	FIELD(COUNT, first_unix_ns) \
	FIELD(COUNT, last_unix_ns) \
	FIELD(MARK, found) \
	LIST(tools, gpu_opener)

#define RECORD_GPU \
	FIELD(TEXT, vendor) \
	FIELD(TEXT, model) \
	FIELD(TEXT, uuid) \
	FIELD(TEXT, pci) \
	FIELD(COUNT, minor) \
	FIELD(MARK, slice) \
	FIELD(COUNT, gpu_instance) \
	FIELD(MARK, used) \
	FIELD(COUNT, first_unix_ns) \
	FIELD(COUNT, last_unix_ns) \
	FIELD(COUNT, readings) \
	FIELD(COUNT, idle_tail_ns) \
	OBJECT(busy, gpu_share) \
	OBJECT(sm, gpu_share) \
	OBJECT(tensor, gpu_share) \
	OBJECT(bandwidth, gpu_share) \
	FIELD(COUNT, memory_total_bytes) \
	FIELD(COUNT, memory_peak_bytes) \
	FIELD(COUNT, job_memory_peak_bytes) \
	FIELD(COUNT, energy_mj) \
	FIELD(COUNT, energy_known_ns) \
	FIELD(COUNT, xid_errors) \
	LIST(xids, gpu_xid) \
	FIELD(COUNT, throttled_known_ns) \
	FIELD(COUNT, throttled_heat_ns) \
	FIELD(COUNT, throttled_power_ns) \
	LIST(processes, gpu_process) \
	FIELD(COUNT, processes_lost) \
	FIELD(COUNT, junk) \
	LIST(absent, gap)

#define RECORD_COLUMN(sum, name, ...) FIELD(COUNT_LIST, name)
#define RECORD_COLUMNS \
	SUM_LIST_OF_ENTRY(RECORD_COLUMN) \
	FIELD(COUNT_LIST, memory_used_bytes) \
	FIELD(COUNT_LIST, memory_cache_bytes) \
	FIELD(COUNT_LIST, processes) \
	FIELD(COUNT_LIST, threads)

#define RECORD_SERIES \
	FIELD(COUNT, start_unix_ns) \
	FIELD(COUNT, interval_ns) \
	FIELD(COUNT_LIST, end_offsets_ns) \
	OBJECT(columns, columns)

#define RECORD_STALL \
	FIELD(COUNT, tool) \
	FIELD(COUNT, pid) \
	FIELD(TEXT, step) \
	FIELD(COUNT, start_unix_ns) \
	FIELD(COUNT, quiet_ns)

#define RECORD_PROGRESS \
	FIELD(COUNT, first_activity_unix_ns) \
	FIELD(COUNT, last_activity_unix_ns) \
	LIST(stalls, stall)

#define RECORD_CONTAINER \
	FIELD(TEXT, runtime) \
	FIELD(TEXT, image) \
	FIELD(TEXT, root) \
	FIELD(MARK, loop) \
	FIELD(COUNT, count) \
	FIELD(COUNT, pid) \
	FIELD(TEXT, step) \
	FIELD(COUNT, runtime_start_unix_ns) \
	FIELD(COUNT, start_unix_ns) \
	FIELD(COUNT, end_unix_ns) \
	FIELD(COUNT, exit_status) \
	FIELD(COUNT, runs) \
	FIELD(COUNT, failures) \
	FIELD(COUNT, cpu_ns)

/* HIDDEN(MARK, job_script): only a store line says this, because it has no path. */
#define RECORD_TOOL \
	FIELD(REST, rest) \
	FIELD(TEXT, name) \
	FIELD(TEXT, interpreter) \
	FIELD(TEXT, path) \
	FIELD(TEXT, interpreter_path) \
	FIELD(TEXT, image) \
	FIELD(MARK, runtime) \
	FIELD(COUNT, container) \
	FIELD(MARK, slurm) \
	HIDDEN(MARK, job_script) \
	FIELD(COUNT, runs) \
	FIELD(COUNT, forks) \
	FIELD(COUNT, failures) \
	FIELD(COUNT, signals) \
	FIELD(COUNT, dismissed) \
	FIELD(COUNT, living) \
	FIELD(COUNT, wall_ns) \
	FIELD(COUNT, peak_bytes) \
	FIELD(COUNT, used_peak_bytes) \
	GROUP(use, RECORD_USE) \
	FIELD(COUNT, threads_peak) \
	FIELD(COUNT, openmp_processes) \
	FIELD(COUNT, blas_processes) \
	FIELD(COUNT, moved_out) \
	FIELD(COUNT, first_start_unix_ns) \
	FIELD(COUNT, last_end_unix_ns)

/*
 * HIDDEN(MARK, judged): the verdict looks at this entry (kept.h). The other hidden marks are those of the report's
 * entry: a store line has them, because it lacks the other processes that would show them.
 */
#define RECORD_ENTRY \
	FIELD(REST, rest) \
	FIELD(COUNT, tool) \
	FIELD(TEXT, step) \
	FIELD(COUNT, container) \
	FIELD(COUNT, count) \
	FIELD(COUNT, failures) \
	FIELD(COUNT, pid) \
	FIELD(COUNT, ppid) \
	FIELD(MARK, forked) \
	FIELD(MARK, dismissed) \
	FIELD(MARK, living) \
	HIDDEN(MARK, judged) \
	HIDDEN(MARK, by_shell) \
	HIDDEN(MARK, unawaited) \
	HIDDEN(MARK, unread) \
	HIDDEN(MARK, no_pipe) \
	FIELD(COUNT, start_unix_ns) \
	FIELD(COUNT, end_unix_ns) \
	FIELD(COUNT, wall_ns) \
	FIELD(COUNT, peak_bytes) \
	GROUP(entry_use, RECORD_ENTRY_USE) \
	FIELD(COUNT, exit_status)

/* ---- Slurm's answer about a job: an answer of stint-slurm-job, or an element of one ---- */

/*
 * Only a store line has this object, because it does not keep all that reports/builder/workflow.h needs to find the
 * workflow.
 */
#define RECORD_WORKFLOW \
	FIELD(TEXT, engine) \
	FIELD(TEXT, process) \
	FIELD(TEXT, rule) \
	FIELD(TEXT, group)

/* spank/slurm_job/gpus.h explains these fields. */
#define RECORD_GPU_GIVEN \
	FIELD(TEXT, node) \
	FIELD(TEXT, kind) \
	FIELD(TEXT, type) \
	FIELD(COUNT, count) \
	FIELD(COUNT_LIST, indexes) \
	FIELD(COUNT_LIST, shares) \
	FIELD(COUNT_LIST, shares_of)

/* has_output: only a store line has this field. It says that std_out was known. */
/* left_out: how many more jobs did not fit into a list of jobs. Only the last item of the list has this field. */
#define RECORD_SLURM_JOB \
	FIELD(COUNT, job_id) \
	FIELD(LIMIT, array_job_id) \
	FIELD(LIMIT, array_task_id) \
	FIELD(LIMIT, het_job_id) \
	FIELD(LIMIT, het_job_offset) \
	FIELD(TEXT, array_tasks) \
	FIELD(TEXT, cluster) \
	FIELD(TEXT, name) \
	FIELD(COUNT, user_id) \
	FIELD(TEXT, user) \
	FIELD(COUNT, group_id) \
	FIELD(TEXT, account) \
	FIELD(TEXT, partition) \
	FIELD(TEXT, qos) \
	FIELD(TEXT, comment) \
	FIELD(TEXT, admin_comment) \
	FIELD(TEXT, state) \
	FIELD(MARK, completing) \
	FIELD(MARK, requeued) \
	FIELD(TEXT, reason) \
	FIELD(TEXT, waits_for) \
	FIELD(COUNT, exit_status) \
	FIELD(COUNT, derived_exit_status) \
	FIELD(COUNT, restarts) \
	FIELD(COUNT, submit_unix_s) \
	FIELD(COUNT, start_unix_s) \
	FIELD(COUNT, end_unix_s) \
	FIELD(COUNT, elapsed_s) \
	FIELD(COUNT, suspended_s) \
	FIELD(MARK, ended_suspended) \
	FIELD(LIMIT, time_limit_s) \
	FIELD(COUNT, nodes) \
	FIELD(TEXT, node_list) \
	FIELD(TEXT_LIST, node_names) \
	FIELD(TEXT, batch_host) \
	FIELD(COUNT, cpus) \
	FIELD(COUNT, requested_cpus) \
	FIELD(COUNT, tasks) \
	FIELD(MARK, exclusive) \
	FIELD(COUNT, gpus) \
	LIST(gpus_allocated, gpu_given) \
	FIELD(COUNT, memory_per_cpu_bytes) \
	FIELD(MARK, memory_by_default) \
	FIELD(COUNT, memory_per_node_bytes) \
	FIELD(COUNT, allocated_memory_bytes) \
	FIELD(TEXT, work_dir) \
	FIELD(TEXT, command) \
	FIELD(TEXT, std_out) \
	FIELD(TEXT, std_err) \
	FIELD(COUNT_LIST, steps_timed_out) \
	FIELD(COUNT, left_out) \
	HIDDEN(MARK, has_output) \
	HIDDEN_OBJECT(workflow, workflow)

/* ---- the whole ---- */

/*
 * slurm_job: Slurm's answer to the node that wrote a part (reports/files/part_set.h). In JSON, only a part has this
 * object.
 *
 * HIDDEN(MARK, chosen): kept_choose() has chosen the entries that are judged; otherwise all entries are judged.
 * HIDDEN(MARK, marked): the entries have the report's marks already.
 * HIDDEN(MARK, of_line): it was made from a store line, so its timeline has only the entries that are judged.
 */
#define RECORD_WHOLE \
	FIELD(COUNT, stint_record) \
	OBJECT(collector, collector) \
	OBJECT(identity, origin) \
	OBJECT(user, user) \
	FIELD(TEXT, work_dir_hex) \
	FIELD(TEXT, output_hex) \
	FIELD(TEXT, work_dir) \
	FIELD(TEXT, output) \
	FIELD(TEXT, mode) \
	FIELD(TEXT, partition) \
	FIELD(TEXT, node_list) \
	FIELD(COUNT, exit_status) \
	FIELD(COUNT, derived_exit_status) \
	FIELD(MARK, option_unknown) \
	FIELD(MARK, nodes_unknown) \
	FIELD(MARK, continues) \
	FIELD(COUNT, cgroup_id) \
	FIELD(COUNT, epilogs_restarts) \
	FIELD(COUNT, opened_unix_ns) \
	FIELD(OFFSET, clock_set_ns) \
	FIELD(MARK, complete) \
	LIST(gaps, gap) \
	FIELD(COUNT_MAP, lost) \
	OBJECT(moved_out, moved_out) \
	OBJECT(allocated, allocated) \
	OBJECT(totals, totals) \
	LIST(steps, step) \
	OBJECT(pressure, pressure) \
	LIST(file_systems, file_system) \
	LIST(files, file) \
	FIELD(COUNT, files_count) \
	LIST(oom, oom_kill) \
	LIST(gpus, gpu) \
	FIELD(MARK, gpus_shared) \
	FIELD(COUNT, gpus_listed_ns) \
	FIELD(TEXT, gpu_samples_missing) \
	LIST(gpu_files, gpu_file) \
	FIELD(TEXT, gpu_opens_missing) \
	OBJECT(series, series) \
	OBJECT(progress, progress) \
	LIST(tools, tool) \
	LIST(containers, container) \
	LIST(timeline, entry) \
	OBJECT(slurm_job, slurm_job) \
	HIDDEN(MARK, chosen) \
	HIDDEN(MARK, marked) \
	HIDDEN(MARK, of_line)

/* What the credential of a part seals (reports/files/proof.h). Its record is a whole one. */
#define RECORD_WORD \
	FIELD(COUNT, stint_part) \
	FIELD(TEXT, sha256) \
	OBJECT(record, record)

#define RECORD_GROUPS(EACH) \
	EACH(use, RECORD_USE) \
	EACH(entry_use, RECORD_ENTRY_USE)

/*
 * Lists all objects within the record, each with its list of fields. An object comes before the objects that contain
 * it.
 */
#define RECORD_OBJECTS(EACH) \
	EACH(collector, RECORD_COLLECTOR) \
	EACH(origin, RECORD_ORIGIN) \
	EACH(user, RECORD_USER) \
	EACH(gap, RECORD_GAP) \
	EACH(moved_out, RECORD_MOVED_OUT) \
	EACH(core, RECORD_CORE) \
	EACH(counted_cores, RECORD_COUNTED_CORES) \
	EACH(allocated, RECORD_ALLOCATED) \
	EACH(totals, RECORD_TOTALS) \
	EACH(task, RECORD_TASK) \
	EACH(step, RECORD_STEP) \
	EACH(wait, RECORD_WAIT) \
	EACH(waits, RECORD_WAITS) \
	EACH(pressure, RECORD_PRESSURE) \
	EACH(file_system, RECORD_FILE_SYSTEM) \
	EACH(file, RECORD_FILE) \
	EACH(oom_kill, RECORD_OOM_KILL) \
	EACH(gpu_share, RECORD_GPU_SHARE) \
	EACH(gpu_xid, RECORD_GPU_XID) \
	EACH(gpu_process, RECORD_GPU_PROCESS) \
	EACH(gpu, RECORD_GPU) \
	EACH(gpu_opener, RECORD_GPU_OPENER) \
	EACH(gpu_file, RECORD_GPU_FILE) \
	EACH(columns, RECORD_COLUMNS) \
	EACH(series, RECORD_SERIES) \
	EACH(stall, RECORD_STALL) \
	EACH(progress, RECORD_PROGRESS) \
	EACH(tool, RECORD_TOOL) \
	EACH(container, RECORD_CONTAINER) \
	EACH(entry, RECORD_ENTRY) \
	EACH(workflow, RECORD_WORKFLOW) \
	EACH(gpu_given, RECORD_GPU_GIVEN) \
	EACH(slurm_job, RECORD_SLURM_JOB)

#endif
