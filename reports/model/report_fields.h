/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's fields: one list for each of its objects. All that knows a field is made from these lists: the structs (report.h),
 * the tables of reader and writer (report_tables.c), the schema (report_schema.c, reports/report.schema.json) and docs/report.md.
 *
 * To add a field:
 *  - a line here, at its place in the JSON (a sum has its line in common/sum_list.h only);
 *  - the code that fills it, in reports/builder/ or reports/verdict/;
 *  - "make update-examples", which renews the schema and docs/report.md;
 *  - for a column of tables as CSV and JSON: a member of struct summary, its value in reports/read/summary.c, and a line in
 *    reports/text/summary_table_data.c. Rows do not keep their reports, and some have none (Slurm's answer, a whole array).
 * tests/unit/reports/new_field adds a field and a sum in this way.
 *
 * A list has FIELD(TYPE, name, "Sentence.") for each field, OBJECT(name, of) for an object of the list @of, and LIST(name, of) for
 * a list of such objects. GROUP(name, list) has the fields of @list, which several objects have; in C they are also the
 * member @name, a struct report_@name. Define these four macros before you use a list, with "..." for what follows the name: only
 * the schema reads it. The name is the same in C and in JSON.
 *
 * The sentence tells users what the field means. It does not repeat the unit, which is in the name. Objects have theirs in
 * REPORT_OBJECTS below; an OBJECT or LIST may have another one, for what holds only at this place. Behind the sentence, there
 * can be, for the schema (struct property in report_schema.c):
 *
 *  .required = true    every report has the field, if it has the object
 *  .words = "a|b"      the set of a WORD; the names that a map always has
 *  .least, .most       bounds of a number, other than 0 and none; of a TEXT's length
 *  .pattern            a regular expression for a TEXT
 *  .nulls = true       items of the list can be null: not known
 *
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
 * Only the lists of the node record (reports/records/record_fields.h) have these; their fields have no sentences:
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

#define REPORT_USES_IN_USED(type, name, text) FIELD(type, name, text)
#define REPORT_USES_IN_STATES(type, name, text)
#define REPORT_USES_IN_TCP(type, name, text)
#define REPORT_USES_IN_UDP(type, name, text)
#define REPORT_USES_IN_UNIX(type, name, text)
#define REPORT_USES_NOWHERE(type, name, text)
#define REPORT_USES_SUM(sum, in_record, place, type, name, text) REPORT_USES_##place(type, name, text)
#define REPORT_USES SUM_LIST(REPORT_USES_SUM)

#define REPORT_STATES_IN_USED(type, name, text)
#define REPORT_STATES_IN_STATES(type, name, text) FIELD(type, name, text)
#define REPORT_STATES_IN_TCP(type, name, text)
#define REPORT_STATES_IN_UDP(type, name, text)
#define REPORT_STATES_IN_UNIX(type, name, text)
#define REPORT_STATES_NOWHERE(type, name, text)
#define REPORT_STATES_SUM(sum, in_record, place, type, name, text) REPORT_STATES_##place(type, name, text)
#define REPORT_STATES SUM_LIST(REPORT_STATES_SUM)

/* The other protocols have the same fields, except retransmits. */
#define REPORT_TRAFFIC_IN_USED(type, name, text)
#define REPORT_TRAFFIC_IN_STATES(type, name, text)
#define REPORT_TRAFFIC_IN_TCP(type, name, text) FIELD(type, name, text)
#define REPORT_TRAFFIC_IN_UDP(type, name, text)
#define REPORT_TRAFFIC_IN_UNIX(type, name, text)
#define REPORT_TRAFFIC_NOWHERE(type, name, text)
#define REPORT_TRAFFIC_SUM(sum, in_record, place, type, name, text) REPORT_TRAFFIC_##place(type, name, text)
#define REPORT_TRAFFIC SUM_LIST(REPORT_TRAFFIC_SUM)

/* ---- the head ---- */

#define REPORT_GAP \
	FIELD(TEXT, name, \
	      "The dotted name of the value, as in this report, or of the object that it is in.", .least = 1, .required = true) \
	FIELD(TEXT, reason, "Why the value is not known, in one line.", .least = 1, .required = true)

#define REPORT_MOVED_OUT \
	FIELD(COUNT, processes, "How many: one that leaves twice counts twice.", .required = true) \
	FIELD(TIME, first, "When the first of them left.")

#define REPORT_WORKFLOW \
	FIELD(WORD, engine, "The workflow engine.", .words = "nextflow|snakemake", .required = true) \
	FIELD(TEXT, process, "Nextflow's process with its scopes; '_' stands for each ':'.") \
	FIELD(TEXT, tag, "The task's tag (often the sample) or, without a tag, its number.") \
	FIELD(TEXT, rule, "Snakemake's rule.") \
	FIELD(TEXT, group, "Snakemake's group of rules that this job runs together.") \
	FIELD(TEXT, wildcards, "The values of the rule's wildcards, in the order in which they appear in the rule's output pattern, " \
			       "joined by '_'.")

#define REPORT_JOB \
	FIELD(COUNT, id, "Slurm's number of the job.", .least = 1, .required = true) \
	FIELD(LIMIT, array_job_id, "The array's number. null: the job is no task of an array.", .required = true) \
	FIELD(LIMIT, array_task_id, "The task's number in its array. null: the job is no task of an array.", .required = true) \
	FIELD(COUNT, het_job_id, \
	      "In a component of a heterogeneous job: the number of the first component. Absent: the job is not a component, or" \
	      " Slurm did not say.", \
	      .least = 1) \
	FIELD(COUNT, het_job_offset, "Which component of a heterogeneous job this job is; 0 is the first.") \
	FIELD(TEXT, cluster, "The cluster's name.") \
	FIELD(TEXT, name, "The job's name.") \
	FIELD(TEXT, user, "The user's name.") \
	FIELD(COUNT, uid, "The user's number.") \
	FIELD(TEXT, group, "The name of the job's group.") \
	FIELD(COUNT, gid, "The number of the job's group.") \
	FIELD(TEXT, account, "The Slurm account that the job is charged to.") \
	FIELD(TEXT, partition, "The Slurm partition that the job ran in.") \
	FIELD(TEXT, qos, "Slurm's quality of service.") \
	FIELD(TEXT, work_dir, "The directory that the job started in.") \
	FIELD(TEXT, std_out, "The file that the job script wrote its output to. Absent: the job had none, or Slurm did not say.") \
	FIELD(MARK, has_output, \
	      "The job script wrote its output to a file. Only reports that were made from the store have this: the store keeps" \
	      " no paths.") \
	FIELD(TEXT, std_err, \
	      "The file that the job script wrote its errors to. Absent: errors went to the same file as the output.") \
	OBJECT(workflow, workflow) \
	FIELD(TEXT, state, \
	      "The job's Slurm state when the epilog ran: COMPLETED, FAILED, CANCELLED, TIMEOUT, OUT_OF_MEMORY, REQUEUED and" \
	      " others.") \
	FIELD(TEXT, reason, "Slurm's reason for the end, if any.") \
	FIELD(COUNT, exit_code, "The job's exit code; 0 if it died by a signal.", .most = 255) \
	FIELD(COUNT, signal, \
	      "The signal that the job died by; 0: none. It comes from the wait status that Slurm has of the job. If that has no " \
	      "signal (cancelled, out of memory), it comes from the batch script's wait status.", .most = 127) \
	FIELD(TIME, submit, "When the job was submitted.") \
	FIELD(TIME, start, \
	      "When the job started: Slurm's time, in whole seconds. If a node's clock was set during the job, this is the" \
	      " first step's start by the new clock.") \
	FIELD(TIME, end, \
	      "When the job ended: Slurm's time, in whole seconds. If the job ended while suspended, this is the start of the" \
	      " suspension. If a node's clock was set during the job, this is the last step's end by the new clock.") \
	FIELD(SECONDS, suspended_s, \
	      "How long Slurm suspended the job (scontrol suspend, gang scheduling). At most the time in which no thread was" \
	      " busy, because Slurm reports a suspension two seconds before it stops the threads. If the job ended while" \
	      " suspended, this includes the time until its processes were killed. During a suspension, threads are in the" \
	      " state other, or in the state in which they were stopped. Absent: the job was not suspended.") \
	FIELD(SECONDS, elapsed_s, \
	      "end - start, minus the suspension before the end. If the nodes saw a longer time from the first step's start to" \
	      " the last process's end, that longer time counts instead of end - start.") \
	FIELD(COUNT, attempt, "1 is the first attempt. A requeue makes the next one.", .least = 1, .required = true)

#define REPORT_REQUESTED \
	FIELD(COUNT, cpus, "CPUs, on all nodes together.") \
	FIELD(COUNT, nodes, "Nodes.", .required = true) \
	FIELD(COUNT, tasks, "Tasks, on all nodes together.") \
	FIELD(COUNT, memory_bytes, "Memory, on all nodes together.") \
	FIELD(WORD, memory_source, \
	      "Where memory_bytes comes from: a request per node, per CPU, or for all that a node has (--mem=0, or no request" \
	      " at a site without a default); or what was allocated, if the request is not known.", \
	      .words = "per node|per cpu|all of the node|allocated by Slurm|allocated on the nodes") \
	FIELD(COUNT, memory_per_cpu_bytes, "Memory for each CPU, if memory_source is per cpu.") \
	FIELD(MARK, memory_by_default, \
	      "The memory is what the site's DefMemPerCPU grants for each CPU, so the job need not have asked for it.") \
	FIELD(LIMIT, time_limit_s, "The job's time limit. null: the job has none.")

#define REPORT_GPU_ALLOCATED \
	FIELD(TEXT, node, "The node. Absent: count is for all nodes of the job, because Slurm did not say which node has which.") \
	FIELD(WORD, kind, "What was allocated: whole GPUs (or MIG slices), or shares of GPUs (Slurm's shard and mps).", \
	      .words = "gpu|shard|mps", .required = true) \
	FIELD(TEXT, type, "The type in gres.conf, such as a100. Absent: the site has no types, or Slurm did not say it.") \
	FIELD(COUNT, count, "How many GPUs, or shares.") \
	FIELD(COUNT_LIST, indexes, \
	      "Slurm's numbers of the GPUs on the node, in the order of gres.conf from 0. The driver may number them in another way, " \
	      "so these are no minor numbers. Absent: not known.") \
	FIELD(COUNT_LIST, shares, "For each of indexes: how many shares of this GPU. Absent: whole GPUs.") \
	FIELD(COUNT_LIST, shares_of, "For each of indexes: how many shares this GPU has.")

#define REPORT_ALLOCATED \
	FIELD(COUNT, cpus, "CPUs that Slurm allocated.") \
	FIELD(COUNT, cores, "Physical cores that the job was bound to, as hwloc counts them.") \
	FIELD(COUNT, memory_bytes, "Memory.") \
	FIELD(COUNT, gpus, \
	      "The number of GPUs that Slurm allocated, on all nodes together. Absent: Slurm knows of none. What they did is in the " \
	      "list gpus.") \
	FIELD(COUNT, gpus_opened, \
	      "How many GPUs the job opened, on all nodes together. Below gpus: the others were never opened. Above gpus: the job " \
	      "opened GPUs that Slurm did not allocate. Absent: not known (gaps), or slices or shares were allocated.") \
	FIELD(RATIO, gpu_hours, "gpus, times job.elapsed_s. Absent: gpus is absent, or the time is not known.") \
	LIST(gpus_allocated, gpu_allocated, \
	     "Which GPUs Slurm allocated. Absent: Slurm knows of none.") \
	FIELD(COUNT, nodes, "Nodes.", .required = true) \
	FIELD(TEXT, node_list, "The nodes' names, as Slurm writes them.") \
	FIELD(MARK, exclusive, "No other job could use the job's nodes. Absent: other jobs could, or this is not known.")

/* ---- what was used ---- */

#define REPORT_NETWORK \
	OBJECT(tcp, traffic) \
	OBJECT(udp, traffic) \
	OBJECT(unix, traffic, "Between processes of the same node.")

#define REPORT_FILE_SYSTEM \
	FIELD(TEXT, type, \
	      "The file systems' type, as the kernel calls it. Empty: paths that were not opened yet, and asynchronous I/O.", \
	      .required = true) \
	FIELD(WORD, class, \
	      "memory: no storage is behind the file system. FUSE is local if the job itself served local images or other" \
	      " directories of the node, and unknown if others may have served some of" \
	      " it.", .words = "local|network|memory|unknown", .required = true) \
	FIELD(TEXT, served_by, \
	      "For FUSE: the job's tool that served a local image, such as squashfuse; if several did, the one with the most" \
	      " CPU time.") \
	FIELD(SECONDS, server_cpu_s, "CPU time of all such tools: what the images cost. It is part of used.cpu_s.") \
	FIELD(SECONDS, wait_s, "The time that threads waited for these file systems, which is part of states.file_io_s.") \
	FIELD(COUNT, waits, "The number of waits that wait_s adds up.") \
	FIELD(COUNT, reads, "System calls that read. This and all fields below exist only if the site counts files.") \
	FIELD(COUNT, writes, "System calls that wrote.") \
	FIELD(COUNT, read_bytes, "Read by system calls.") \
	FIELD(COUNT, write_bytes, "Written by system calls.") \
	FIELD(COUNT, opens, "How often files were opened.") \
	FIELD(COUNT, mean_read_bytes, "What one call read on average, rounded. Absent: no call was made.") \
	FIELD(COUNT, mean_write_bytes, "What one call wrote on average, rounded. Absent: no call was made.")

/* What the job used, and what each node did. */
#define REPORT_TOTALS \
	GROUP(uses, REPORT_USES) \
	FIELD(SECONDS, user_s, "The part of cpu_s that programs themselves took.") \
	FIELD(SECONDS, system_s, "The part of cpu_s that the kernel took on their behalf.") \
	FIELD(SECONDS, cpu_before_s, \
	      "The part of cpu_s that the job's cgroup had used before stint counted its processes, mostly for Slurm's own. No tool " \
	      "and no step includes it. Absent: there was none.") \
	FIELD(WORD, cpu_split, \
	      "How cpu_s was split: the kernel's clock tick sampled user_s and system_s, and they add up to the exact cpu_s.", \
	      .words = "sampled") \
	FIELD(COUNT, memory_used_peak_bytes, \
	      "The peak of the memory that must fit into the limit: anonymous, shared and kernel memory, on the node with the " \
	      "highest peak. The value is the larger of the highest sample and the largest process, and never above the charged " \
	      "peak. If several processes peaked together between two samples, the real peak was higher.") \
	FIELD(COUNT, memory_used_peak_upper_bytes, \
	      "The upper bound of the used peak: the charged peak. Absent unless the charged peak is more than 2 % and 16 MiB" \
	      " above the used peak.") \
	FIELD(COUNT, memory_charged_peak_bytes, \
	      "The peak of the memory that the limit applies to: the cgroup's own figure, page cache included, on the node with the " \
	      "highest peak.") \
	FIELD(COUNT, memory_swap_peak_bytes, "The peak of swapped-out memory, as sampled, on the node with the highest peak.") \
	FIELD(COUNT, processes, "The number of the user's processes. Slurm's own are not counted.") \
	FIELD(COUNT, oom_kills, "Processes that the kernel killed because memory ran out.") \
	FIELD(COUNT, threads_peak, "The most threads that were alive at one moment on one node.")

#define REPORT_MAPPED_PEAK \
	FIELD(COUNT, memory_mapped_peak_bytes, \
	      "Pages of mapped files (programs, libraries, databases) that were in memory, at least: those of the process that had " \
	      "the most. memory_used_peak_bytes does not include these pages, because the kernel can read them again. A job that " \
	      "uses them all the time needs room for them.")

#define REPORT_NODE_USED \
	GROUP(totals, REPORT_TOTALS) \
	OBJECT(network, network) \
	LIST(file_systems, file_system, "Sorted by wait_s, the longest first.") \
	REPORT_MAPPED_PEAK

#define REPORT_USED \
	GROUP(totals, REPORT_TOTALS) \
	OBJECT(network, network) \
	FIELD(RATIO, cpu_efficiency, "cpu_s / (job.elapsed_s x allocated.cpus), at most 1.", .most = 1) \
	FIELD(RATIO, cpu_wasted_core_hours, "Core-hours that were allocated and not used.") \
	FIELD(RATIO, cores_busy, "cpu_s / job.elapsed_s.") \
	FIELD(COUNT, cores_bound, "The same as allocated.cores.") \
	FIELD(RATIO, memory_efficiency, "memory_used_peak_bytes / the memory that the node with this peak was given.") \
	FIELD(RATIO, memory_wasted_gib_hours, "GiB-hours that were requested and never used, each node by its own peak.") \
	FIELD(TEXT, memory_scope, "If the job had several nodes: the node with memory_used_peak_bytes.") \
	FIELD(TEXT, memory_charged_scope, "If the job had several nodes: the node with memory_charged_peak_bytes.") \
	FIELD(TEXT, threads_scope, "If the job had several nodes: the node with threads_peak.") \
	LIST(file_systems, file_system, "Sorted by wait_s, the longest first.") \
	REPORT_MAPPED_PEAK

/* ---- what the threads did ---- */

#define REPORT_WAIT_KINDS(WAIT) \
	WAIT(memory_stall) \
	WAIT(fault_io) \
	WAIT(file_io) \
	WAIT(gpu) \
	WAIT(network) \
	WAIT(pipe) \
	WAIT(lock) \
	WAIT(condition) \
	WAIT(child) \
	WAIT(event) \
	WAIT(sleep) \
	WAIT(other)

#define REPORT_WAIT_TIME(kind) FIELD(SECONDS, kind##_s, "Time in the wait that states." #kind "_s describes.")
#define REPORT_WAIT_TIMES REPORT_WAIT_KINDS(REPORT_WAIT_TIME)
#define REPORT_WAIT_COUNT(kind) FIELD(COUNT, kind, "The number of waits that states." #kind "_s describes.")
#define REPORT_WAIT_COUNTS REPORT_WAIT_KINDS(REPORT_WAIT_COUNT)

#define REPORT_JOB_STATES \
	GROUP(state_times, REPORT_STATES) \
	FIELD(SECONDS, user_s, \
	      "The part of on_cpu_s that programs themselves took. The kernel's clock tick sampled user_s and system_s, and" \
	      " they add up to the exact on_cpu_s.") \
	FIELD(SECONDS, system_s, "The part of on_cpu_s that the kernel took on their behalf.") \
	OBJECT(some, wait_times, "The time in which at least one thread was in this wait.") \
	OBJECT(full, wait_times, \
	       "The time in which at least one thread was in this wait, and no thread of the job was busy on that node. The rest of " \
	       "some is the time in which another thread made progress.") \
	OBJECT(bound, wait_times, \
	       "The part of full that is counted for this wait alone. active_s and all fields of bound add up to the time in which " \
	       "the job had a thread.") \
	OBJECT(waits, wait_counts) \
	FIELD(SECONDS, active_s, "The time in which at least one thread was busy, added up over the nodes.") \
	FIELD(SECONDS, parallel_s, "The time in which two or more threads were busy on one node, added up over the nodes.") \
	FIELD(COUNT, busy_peak, "The most threads that were busy at one moment on one node.")

/* ---- what follows from it ---- */

#define REPORT_EVIDENCE \
	FIELD(TEXT, name, "What the number is.", .required = true) \
	FIELD(VALUE, value, "The number, or a text.", .required = true) \
	FIELD(TEXT, unit, "The number's unit.") \
	FIELD(RATIO, threshold, "What the number was compared with. Only the verdict's evidence has it.")

#define REPORT_VERDICT \
	FIELD(WORD, bound, "What limited the job.", \
	      .words = "cpu|memory|file-io|gpu|network|lock|serial|oversubscribed|starved|throttled|idle|mixed|unknown", .required = true) \
	FIELD(RATIO, share, "The share of the job's time or core time. Absent: bound is unknown.", .most = 1) \
	FIELD(TEXT, file_system, "The type of the file system, if bound is file-io and the file system is known.") \
	FIELD(WORD, file_system_class, "The class of that file system.", .words = "local|network|memory|unknown") \
	LIST(evidence, evidence, "", .required = true) \
	FIELD(TEXT, text, "The verdict in one sentence.", .least = 1, .required = true) \
	FIELD(TEXT, outcome, "How the job ended, in one sentence. Reports of stint before 0.2 do not have it.", .least = 1) \
	FIELD(TEXT, no_advice, \
	      "Why there is no advice, in one sentence without a full stop. Absent: there is advice, or stint was older than" \
	      " 0.2.", \
	      .least = 1)

#define REPORT_FINDING \
	FIELD(TEXT, code, "The finding's name, as docs/verdict.md has it.", .pattern = "^[a-z0-9-]+$", .required = true) \
	FIELD(WORD, severity, "How bad it is.", .words = "info|warning|critical", .required = true) \
	FIELD(TEXT, text, \
	      "What was found, in one sentence without a full stop. Absent: a number that the sentence needs is not known, or" \
	      " stint was older than 0.2.", .least = 1) \
	LIST(evidence, evidence, "", .required = true) \
	FIELD(RATIO_MAP, threshold, "The thresholds, by the names of the rules in stint.conf.", .required = true) \
	FIELD(TEXT, hint, "What to do about it.", .least = 1, .required = true)

#define REPORT_ADVICE \
	FIELD(TEXT, line, \
	      "A line to paste into the job script. One without #SBATCH is for salloc or srun, which started a job that has no" \
	      " script.", .least = 1, .required = true) \
	FIELD(TEXT, reason, "Why.", .least = 1, .required = true) \
	FIELD(COUNT, memory_bytes, \
	      "The memory that the line asks for on a node. If the line asks for memory by CPU, this is the memory on the node with " \
	      "the highest peak.") \
	FIELD(COUNT, memory_per_cpu_bytes, "The memory that the line asks for, for each CPU.") \
	FIELD(COUNT, cpus_per_task, "The CPUs that the line asks for, for each task.", .least = 1) \
	FIELD(COUNT, nodes, "The nodes that the line asks for.", .least = 1) \
	FIELD(COUNT, gpus, "The GPUs that the line asks for.", .least = 1) \
	FIELD(COUNT, time_limit_s, "The time limit that the line asks for.")

/* ---- what happened ---- */

#define REPORT_GPU_XID \
	FIELD(COUNT, xid, "NVIDIA's number of the error.", .required = true) \
	FIELD(COUNT, count, "How often it happened.", .required = true)

#define REPORT_GPU_PROCESS \
	FIELD(COUNT, pid, "The process's number.", .required = true) \
	FIELD(TEXT, tool, "The tool that the process ran.") \
	FIELD(COUNT, memory_peak_bytes, "The highest reading of its memory on the GPU.")

#define REPORT_GPU \
	FIELD(TEXT, node, "The GPU's node.", .required = true) \
	FIELD(WORD, vendor, "Whose GPU it is.", .words = "nvidia|amd", .required = true) \
	FIELD(TEXT, model, "The vendor's name of the GPU, or of the slice.") \
	FIELD(TEXT, uuid, "The vendor's number of the GPU, or of the slice.") \
	FIELD(TEXT, pci, "The address of the card on the PCI bus.") \
	FIELD(COUNT, minor, "The number in the name of the device: /dev/nvidiaN, or /dev/dri/renderDN.") \
	FIELD(MARK, slice, "It is a slice of a card (MIG).") \
	FIELD(COUNT, gpu_instance, "The number of the slice on its card.") \
	FIELD(RATIO, busy_share, "The share of the time in which something ran on the GPU.", .most = 1) \
	FIELD(WORD, busy_source, \
	      "counters: counters of the GPU covered all of the time. samples: the driver's samples, at least for a part of it.", \
	      .words = "counters|samples") \
	FIELD(SECONDS, busy_known_s, "The time for which busy_share stands.") \
	FIELD(SECONDS, busy_covered_s, "The part of busy_known_s that counters or samples covered.") \
	FIELD(SECONDS, idle_tail_s, \
	      "The time before the job's end in which nothing ran on the GPU. Absent: something ran at the end, or it is not known.") \
	FIELD(RATIO, sm_share, "The share of the GPU's processors that were busy, averaged over the time.", .most = 1) \
	FIELD(RATIO, tensor_share, "The share of the time in which the tensor units worked.", .most = 1) \
	FIELD(RATIO, bandwidth_share, "The share of the memory bandwidth that was used.", .most = 1) \
	FIELD(COUNT, memory_total_bytes, "The GPU's memory.") \
	FIELD(COUNT, memory_peak_bytes, "The highest reading of the memory that all processes on the GPU used.") \
	FIELD(COUNT, job_memory_peak_bytes, "The highest reading of the memory that the job's processes used.") \
	FIELD(RATIO, energy_j, "What the whole card used between the first and the last reading.") \
	FIELD(COUNT, xid_errors, "Errors of the GPU that the driver reported.") \
	LIST(xids, gpu_xid, "The errors, by number.") \
	FIELD(SECONDS, throttled_heat_s, "The time in which heat or a fault made the GPU slower, by one look a second.") \
	FIELD(SECONDS, throttled_power_s, "The time in which the limit of power made the GPU slower, by one look a second.") \
	LIST(processes, gpu_process, "The job's processes on the GPU, at most 32.") \
	LIST(absent, gap, "The fields of this object that are not known, and why.")

#define REPORT_GPU_OPENER \
	FIELD(TEXT, name, "The tool's name.", .required = true) \
	FIELD(COUNT, opens, "How often the tool opened it. 0: it only inherited an open descriptor.") \
	FIELD(SECONDS, held_s, "The time for which one of the tool's processes had it open.")

#define REPORT_GPU_OPENED \
	FIELD(TEXT, node, "The node.", .required = true) \
	FIELD(WORD, device, \
	      "The driver's name of the device. A GPU is nvidia (/dev/nvidiaN), drm (/dev/dri/renderDN) or accel; the others are files " \
	      "by which a program talks to the driver.", \
	      .words = "nvidia|nvidiactl|nvidia-modeset|nvidia-uvm|nvidia-caps|kfd|drm|accel", .required = true) \
	FIELD(COUNT, minor, "Its minor number: for nvidia and drm the number in its name. Slurm's index can be another number.", \
	      .required = true) \
	FIELD(COUNT, opens, "How often it was opened. Absent: not counted; gaps says why.") \
	FIELD(TIME, first_open, "The first open.") \
	FIELD(MARK, opened_before, \
	      "It was open before first_open: a look, once a second and when a process ends, found it open.") \
	FIELD(TIME, open_until, \
	      "When it was last known to be open. That is exact if a process that had it open ended. If it was closed by a process that " \
	      "lived on, this is the last look before, one second at most.") \
	FIELD(SECONDS, held_s, "The time for which at least one process of the job had it open.") \
	LIST(tools, gpu_opener, "The tools whose processes opened or held it.")

#define REPORT_OOM_KILL \
	FIELD(TIME, time, "When the kernel chose the process.") \
	FIELD(TEXT, tool, "The tool that the process ran.") \
	FIELD(TEXT, comm, "The kernel's name of the process, 15 bytes at most.") \
	FIELD(COUNT, pid, "The process's number.") \
	FIELD(TEXT, node, "The node that the process ran on.", .required = true) \
	FIELD(TEXT, step, "The step that the process belonged to.") \
	FIELD(COUNT, rss_bytes, "The process's resident set at that moment.") \
	FIELD(COUNT, used_bytes, "The process's memory without pages of mapped files, which need not count for the job's limit.") \
	FIELD(COUNT, limit_bytes, "The limit that was reached: the job's on that node, or its step's or its task's.") \
	FIELD(COUNT, kernel_bytes, \
	      "What the kernel kept at that moment for all processes below that limit: page tables, names of files, stacks," \
	      " sockets.", ) \
	FIELD(COUNT, slab_bytes, "The part of kernel_bytes in slabs: the kernel's small objects.") \
	FIELD(COUNT, names_bytes, "The part of slab_bytes in reclaimable slabs: names of files, and most inodes.") \
	FIELD(COUNT, page_table_bytes, "The page tables of this process.") \
	FIELD(MARK, node_ran_out, \
	      "No limit of the job was reached: the node ran out of memory, or its jobs together reached the limit for all of" \
	      " them.") \
	FIELD(MARK, along, \
	      "The kernel chose another process of the step, and killed this one with it (memory.oom.group, Slurm's" \
	      " OOMKillStep).") \
	FIELD(MARK, slurm, "Slurm or a plugin of Slurm ran the process, not the user.")

#define REPORT_STALL \
	FIELD(TEXT, tool, "The tool that the process ran.") \
	FIELD(TEXT, node, "The node that the process ran on.", .required = true) \
	FIELD(COUNT, pid, "The process's number.") \
	FIELD(TEXT, step, "The step that the process belonged to.") \
	FIELD(TIME, start, "When the process started.") \
	FIELD(SECONDS, quiet_s, "How long the process used nothing.", .required = true)

#define REPORT_UNUSED_CORE \
	FIELD(TEXT, node, "The core's node.", .required = true) \
	FIELD(COUNT, core, "The core's number on its node, by hwloc.") \
	FIELD(COUNT, package, "The number of the package that the core is in, by hwloc.")

#define REPORT_PROGRESS \
	FIELD(SECONDS, idle_head_s, \
	      "The time from the job's start to the first activity on any node. The time that a script takes to start does not " \
	      "count as activity. A job that was never active is idle all the time, and has no tail.") \
	FIELD(SECONDS, idle_tail_s, \
	      "The time from the last activity on any node to the job's end. The time that a script takes to end does not count as " \
	      "activity.") \
	LIST(stalls, stall, "The longest first.") \
	LIST(cores_unused, unused_core) \
	FIELD(COUNT, cores_used, "Cores on which any of the job's threads ever ran.") \
	FIELD(COUNT, cores_bound, "Cores that the job was bound to.") \
	FIELD(TEXT_LIST, steps_without_processes, "The ids of the steps in which no process of the user ran on any node.")

#define REPORT_TOOL \
	FIELD(TEXT, name, \
	      "The script, or the program as it was invoked. For the batch script, it is the script's own name if Slurm says" \
	      " it, and not the name of the copy that slurmd runs.", .required = true) \
	FIELD(TEXT, interpreter, "For a script: the interpreter that runs it, as it was invoked.") \
	FIELD(TEXT, path, "The path of the script, or of the program file.") \
	FIELD(TEXT, interpreter_path, "The path of the interpreter's program file.") \
	FIELD(TEXT, image, "For the runtime of a container: the image that it was given, as it was written.") \
	FIELD(MARK, runtime, \
	      "The tool makes containers, or helps to: apptainer, podman, squashfuse and others. What such tools used outside of " \
	      "containers is what the containers cost.") \
	FIELD(COUNT, container, \
	      "The container that the tool ran in: its place in containers, from 0. Absent: the tool ran outside of all" \
	      " containers.") \
	FIELD(FLAG, slurm, "True: the tool is Slurm's own, not the user's.") \
	FIELD(MARK, job_script, "The tool is the batch script.") \
	FIELD(COUNT, runs, "Images that exec started.", .required = true) \
	FIELD(COUNT, forks, "Processes that ran this image after a fork, without an exec of their own.") \
	FIELD(COUNT, failures, \
	      "Runs that ended with a non-zero exit code or by a signal, except the dismissed ones, and forks that the kernel " \
	      "killed because memory ran out.", .required = true) \
	FIELD(COUNT, signals, "The part of the failures that ended by a signal.") \
	FIELD(COUNT, dismissed, \
	      "Runs that ended as they should, so that they are no failures: a signal of their parent ended them, they failed after " \
	      "such a signal, or SIGPIPE ended them.") \
	FIELD(COUNT, living, \
	      "With so_far: the processes that run the tool now. All sums include what these processes have used. Peaks cover only " \
	      "processes that have ended.", ) \
	FIELD(SECONDS, wall_s, \
	      "The sum over all runs. Absent, like all sums of the tool, if only living processes ran it so far and what they use " \
	      "is not known.") \
	FIELD(COUNT, peak_bytes, \
	      "The largest resident set of one process, pages of mapped files included. Absent: no process was seen to its end.") \
	FIELD(COUNT, used_peak_bytes, \
	      "The most memory that one process had, without pages of mapped files. It is counted like the job's " \
	      "memory_used_peak_bytes, and never above that.") \
	FIELD(COUNT, threads_peak, "The most threads that one process had.") \
	FIELD(COUNT, openmp_processes, \
	      "Processes that had several threads, and had the runtime library of OpenMP mapped at their end. Absent: no such " \
	      "process was seen.") \
	FIELD(COUNT, blas_processes, "Like openmp_processes, for a BLAS library that starts threads (OpenBLAS, MKL, BLIS).") \
	FIELD(COUNT, moved_out, "Processes that left the job's cgroup. Absent: none did.") \
	GROUP(uses, REPORT_USES) \
	OBJECT(states, states) \
	FIELD(TIME, first_start, "When the first of its processes started.") \
	FIELD(TIME, last_end, "When the last of its processes ended.")

#define REPORT_CONTAINER \
	FIELD(TEXT, runtime, \
	      "The program that made the containers. Absent: not known, because it does not belong to the job, or is no runtime" \
	      " that stint knows.") \
	FIELD(TEXT, image, "The image that the runtime was given: a file or a reference, as it was written.") \
	FIELD(TEXT, root, \
	      "The type of the root's file system, as the kernel calls it; with FUSE also its server's name, such as" \
	      " fuse.squashfuse.") \
	FIELD(MARK, loop, "The root's file system is in a file, which the kernel mounted as a loop device.") \
	FIELD(COUNT, count, "How many containers these are: all with this runtime, image and kind of root.", .least = 1, .required = true) \
	FIELD(COUNT, nodes, "The number of nodes that they ran on.", .least = 1, .required = true) \
	FIELD(TEXT, node, "The node, if it is one.") \
	FIELD(TEXT, step, "The step, if it is one container.") \
	FIELD(COUNT, pid, "The number of the container's first process, as the node sees it, if it is one container.") \
	FIELD(TIME, start, "When the first program in any of them was started.") \
	FIELD(TIME, end, \
	      "When the first process of the last one had ended. Absent: one of them has not ended, or this is not known.") \
	FIELD(COUNT, exit_code, "The exit code of the container's first process, if it is one container.", .most = 255) \
	FIELD(COUNT, signal, "The signal that this process died by; 0: none.", .most = 127) \
	FIELD(SECONDS, setup_s, \
	      "The time from the runtime's start to the start of the first program in the container, which includes unpacking and " \
	      "mounting the image: the longest of them.") \
	FIELD(COUNT, runs, "Images that exec started in them, and that have ended.") \
	FIELD(COUNT, failures, "Counted as for a tool.") \
	FIELD(SECONDS, cpu_s, "CPU time of the processes in them that have ended, or that began another image.")

#define REPORT_ENTRY \
	FIELD(TEXT, tool, "The tool's name.", .required = true) \
	FIELD(TEXT, interpreter, "For a script: the interpreter that ran it.") \
	FIELD(TEXT, node, "The node that the run was on.", .required = true) \
	FIELD(TEXT, step, "The step that the run belonged to.") \
	FIELD(COUNT, container, \
	      "The container that the run was in: its place in containers, from 0; of a burst, that of the first run.") \
	FIELD(MARK, slurm, "The run is Slurm's own, not the user's.") \
	FIELD(MARK, forked, "The process ran its parent's program, without an exec of its own.") \
	FIELD(MARK, dismissed, \
	      "The run ended as its parent wanted, or by SIGPIPE. It is no failure, whatever exit_code and signal are.") \
	FIELD(MARK, living, "With so_far: the run has not ended, and has no end time. wall_s and the other sums are those so far.") \
	FIELD(MARK, by_shell, \
	      "The run failed, and a shell or a shell script had started it. Shells go on after a command that failed.") \
	FIELD(MARK, unawaited, \
	      "by_shell is true, and the shell started another process before the run ended. So the run was in a pipe and not its " \
	      "last command, or in the background. set -e does not end a script there.") \
	FIELD(MARK, unread, \
	      "unawaited is true, the run has an exit code, and the reader of its output had ended well within the ten seconds " \
	      "before. The reader is the next process, which the shell had started at once. The reader waited at a pipe most of its " \
	      "time, and its program may stop reading, as head, awk or a shell does. This may be why the run failed (EPIPE).") \
	FIELD(MARK, no_pipe, \
	      "SIGPIPE ended the run, and it wrote to no process that its parent had started after it. A shell starts the processes " \
	      "of a pipe in that order.", ) \
	FIELD(TIME, start, "When it started.", .required = true) \
	FIELD(TIME, end, "When it ended.") \
	FIELD(COUNT, end_unix_ns, \
	      "When the run ended, in nanoseconds since 1970: this shows which of two runs ended first. Only the job script, and " \
	      "entries that did not end with exit code 0, have it.") \
	FIELD(COUNT, count, "Above 1: the entry is a burst of this many runs.", .least = 1) \
	FIELD(COUNT, pid, "The process's number.") \
	FIELD(COUNT, ppid, "The number of the process's parent.") \
	FIELD(COUNT, peak_bytes, "The largest resident set, pages of mapped files included.") \
	FIELD(COUNT, failures, "Counted as for a tool: 0 for forks, and for dismissed runs.") \
	FIELD(SECONDS, wall_s, "The sum over the runs of a burst.") \
	GROUP(uses, REPORT_USES) \
	OBJECT(states, states, "Thread time in each state. Absent: the states were not counted.") \
	FIELD(COUNT, exit_code, "Absent for a burst, and for an image that another one replaced.", .most = 255) \
	FIELD(COUNT, signal, "The signal that the run died by.", .most = 127)

#define REPORT_TASK \
	FIELD(COUNT, rank, "The task's number in its step.", .required = true) \
	FIELD(COUNT, pid, "The number of the task's process.", .required = true) \
	FIELD(TEXT, node, "The node that the task ran on.", .required = true)

#define REPORT_STEP \
	FIELD(TEXT, id, "batch, extern, interactive, or a number.", .required = true) \
	FIELD(TIME, start, "When the first task was about to begin.") \
	FIELD(TIME, end, "When the last process had ended. If a process lives on, this is when the step's daemon had ended.") \
	FIELD(SECONDS, elapsed_s, "The time from start to end.") \
	FIELD(SECONDS, launch_s, \
	      "The time that Slurm and its plugins took from the start of the step's slurmstepd until the first task was about to " \
	      "begin, on the node that took longest. The start is known to a clock tick (10 ms). Absent: not known.") \
	FIELD(COUNT, exit_code, "The exit code of the first task that failed; else 0.", .most = 255) \
	FIELD(COUNT, signal, "The signal that this task died by; 0: none.", .most = 127) \
	FIELD(COUNT, memory_used_peak_bytes, "As used.memory_used_peak_bytes.") \
	FIELD(MARK, memory_used_peak_at_least, \
	      "On at least one node, the step's processes were not sampled together, so memory_used_peak_bytes is what the largest " \
	      "process used.") \
	FIELD(COUNT, memory_used_peak_upper_bytes, "As used.memory_used_peak_upper_bytes.") \
	FIELD(COUNT, memory_charged_peak_bytes, "As used.memory_charged_peak_bytes.") \
	FIELD(COUNT, memory_limit_bytes, \
	      "The highest limit of the step's cgroups on the nodes: what srun asked for (--mem), or otherwise the job's limit. " \
	      "Absent: no cgroup has a limit.") \
	FIELD(COUNT, processes, "The number of the user's processes. Slurm's own are not counted.") \
	FIELD(COUNT, oom_kills, "Processes that the kernel killed because memory ran out.") \
	FIELD(COUNT, threads_peak, "The most threads that were alive at one moment on one node.") \
	GROUP(uses, REPORT_USES) \
	OBJECT(states, states) \
	FIELD(COUNT, nodes, "Nodes of the step.") \
	FIELD(COUNT, task_count, "Tasks of the step.") \
	LIST(tasks, task, "", .required = true) \
	FIELD(MARK, timed_out, \
	      "Slurm ended the step at the step's own time limit (srun --time=), as slurmdbd knows. slurmdbd is asked only" \
	      " about a step that failed after a minute or more.")

#define REPORT_CORE \
	FIELD(COUNT, core, "The core's number on its node, by hwloc.") \
	FIELD(COUNT, package, "The number of the package that the core is in, by hwloc.") \
	FIELD(COUNT_LIST, pus, "The numbers of the core's hardware threads, as Linux counts CPUs.") \
	FIELD(SECONDS, cpu_s, "CPU time of the user's threads on the core.")

#define REPORT_NODE_ALLOCATED \
	FIELD(COUNT, cpus, "Hardware threads that the job was bound to.") \
	FIELD(TEXT, cpu_list, "The numbers of the bound hardware threads, as Linux writes such lists.") \
	LIST(cores, core) \
	FIELD(COUNT, cores_bound, "Cores that the job was bound to on this node.") \
	FIELD(COUNT, cores_used, "Bound cores on which any of the job's threads ever ran.") \
	FIELD(COUNT, cores_loaded, "Bound cores that had at least a twentieth of the busiest core's CPU time.") \
	FIELD(COUNT, memory_bytes, "Memory.") \
	FIELD(COUNT, memory_limit_bytes, "The limit of the job's cgroup.")

#define REPORT_NODE \
	FIELD(TEXT, name, "The node's name.", .required = true) \
	FIELD(FLAG, complete, "True: the job was counted on this node from its begin to its end.", .required = true) \
	OBJECT(allocated, node_allocated) \
	OBJECT(used, node_used) \
	OBJECT(states, job_states) \
	LIST(gaps, gap, "", .required = true) \
	FIELD(TEXT, collector_version, "The version of stintd on the node.")

#define REPORT_FILE \
	FIELD(TEXT, path, "The file's path. Absent: it was too long to be kept whole.") \
	FIELD(TEXT, type, "The type of the file's file system, as the kernel calls it. Empty: not known.", .required = true) \
	FIELD(TEXT, node, \
	      "If the job had several nodes: the node that has the file. Absent for a file of a network file system, which" \
	      " belongs to every node.") \
	FIELD(COUNT, opens, "How often the file was opened.", .required = true) \
	FIELD(COUNT, reads, "System calls that read it.", .required = true) \
	FIELD(COUNT, writes, "System calls that wrote it.", .required = true) \
	FIELD(COUNT, read_bytes, "Read by system calls.", .required = true) \
	FIELD(COUNT, write_bytes, "Written by system calls.", .required = true)

#define REPORT_COLUMN(sum, in_record, place, type, name, text) FIELD(type##_LIST, name, text, .nulls = true)
#define REPORT_COLUMNS \
	SUM_LIST_OF_ENTRY(REPORT_COLUMN) \
	FIELD(COUNT_LIST, memory_used_bytes, "Memory used at the end of the point.", .nulls = true) \
	FIELD(COUNT_LIST, memory_cache_bytes, "Page cache at the end of the point.", .nulls = true) \
	FIELD(COUNT_LIST, processes, "Processes at the end of the point.", .nulls = true) \
	FIELD(COUNT_LIST, threads, "Threads at the end of the point.", .nulls = true)

#define REPORT_SERIES \
	FIELD(TEXT, node, "The node.", .required = true) \
	FIELD(TIME, start, "When the first point begins.") \
	FIELD(SECONDS, interval_s, "How long a point lasts. The last point can be shorter.") \
	FIELD(SECONDS_LIST, end_offsets_s, "When each point ends, counted from the start.", .required = true) \
	OBJECT(columns, columns, "", .required = true)

/* ---- the whole ---- */

#define REPORT_WHOLE \
	FIELD(WORD, schema, "The version of this form.", .words = "stint-report/1", .required = true) \
	FIELD(TEXT, stint_version, "The version of stint that made the report.", .required = true) \
	FIELD(FLAG, complete, \
	      "True: every node of the job was counted from the job's begin to the job's end. False: gaps says why, and sums" \
	      " cover only what was counted.", .required = true) \
	FIELD(MARK, so_far, "The job is still running; its node answered a query. Sums cover the job so far.") \
	LIST(gaps, gap, \
	     "Values that are not known, and why. A gap of the job also applies to its steps, tools and" \
	     " timeline.", .required = true) \
	FIELD(COUNT_MAP, lost, \
	      "For each kind of object: how many were seen but not kept.", \
	      .words = "process_records|tools|tasks", .required = true) \
	FIELD(WORD, mode, \
	      "summary: the user or the site wanted no timeline, so it is empty.", .words = "summary|timeline", .required = true) \
	OBJECT(moved_out, moved_out, \
	       "Processes of the job that somebody moved out of its cgroup. What they used afterwards is not known, so the report is " \
	       "not complete. tools has the tools. Absent: none left, or a store made the report.") \
	OBJECT(job, job, "", .required = true) \
	OBJECT(requested, requested, "", .required = true) \
	OBJECT(allocated, allocated, "", .required = true) \
	OBJECT(used, used, "", .required = true) \
	OBJECT(states, job_states, "", .required = true) \
	OBJECT(verdict, verdict, "", .required = true) \
	LIST(findings, finding, "The worst first.", .required = true) \
	LIST(advice, advice, "", .required = true) \
	LIST(oom, oom_kill, "Sorted by time. used.oom_kills counts all kills.") \
	FIELD(SECONDS, gpus_listed_s, \
	      "The time for which it is known which processes were on the GPUs of each node; that of the node where it is shortest. In " \
	      "this time, no process of the job was on an allocated GPU that gpus does not list. Absent: not known.") \
	LIST(gpus, gpu, \
	     "The GPUs on which processes of the job were seen, by node. Absent: no node of the job has GPUs that stint reads.") \
	LIST(gpus_opened, gpu_opened, \
	     "The devices of GPUs that the job's processes had open, by node. Empty: none was. Absent: stint looked on no node, or the " \
	     "job has no GPU and opened none.") \
	OBJECT(progress, progress, "", .required = true) \
	LIST(tools, tool, "Sorted by CPU time, the most first.", .required = true) \
	LIST(containers, container, \
	     "Sorted by start time. A container has another root directory than the job's tasks, or a PID namespace of its own. Absent: " \
	     "there was none.") \
	LIST(timeline, entry, "Sorted by start time.", .required = true) \
	LIST(steps, step, "Sorted by start time.", .required = true) \
	LIST(nodes, node, "", .required = true) \
	LIST(files, file, \
	     "The 50 files that carried most bytes and the 50 that were opened most often, sorted by bytes. Absent: the site" \
	     " does not count files.") \
	FIELD(COUNT, files_count, "How many distinct files were seen.") \
	LIST(series, series, "One for each node that was sampled; none if mode is summary.", .required = true)

/* All groups. A group that is in another one comes before it. */
#define REPORT_GROUPS(EACH) \
	EACH(uses, REPORT_USES, "What adds up over threads, tools, steps and nodes.") \
	EACH(state_times, REPORT_STATES, \
	     "Thread time in each state, of the user's threads. A thread is in one state at a time, and all add up to" \
	     " lifetime_s, except turns_s and throttled_s, which are parts of others.") \
	EACH(totals, REPORT_TOTALS, "The job's sums and peaks.")

#define REPORT_STATES_ALONE GROUP(state_times, REPORT_STATES)

/* All objects within the report and their lists. An object that is in another one comes before it. */
#define REPORT_OBJECTS(EACH) \
	EACH(gap, REPORT_GAP, "What is not known, and why.") \
	EACH(moved_out, REPORT_MOVED_OUT, "Processes that left the job's cgroup.") \
	EACH(workflow, REPORT_WORKFLOW, \
	     "The job's role in its workflow, read from the names that the engine gives to jobs and directories. The object, and " \
	     "each field of it, is absent if it is not certain.") \
	EACH(job, REPORT_JOB, "What Slurm knows of the job.") \
	EACH(requested, REPORT_REQUESTED, "What the job asked for.") \
	EACH(gpu_allocated, REPORT_GPU_ALLOCATED, "GPUs of one type that Slurm allocated.") \
	EACH(allocated, REPORT_ALLOCATED, \
	     "What the job was given. If a node's record is missing, cpus, cores and memory_bytes cover only the nodes that" \
	     " have a record.") \
	EACH(traffic, REPORT_TRAFFIC, "Payload of one protocol.") \
	EACH(network, REPORT_NETWORK, "Payload by protocol.") \
	EACH(file_system, REPORT_FILE_SYSTEM, "All file systems of one type together.") \
	EACH(used, REPORT_USED, "What the job used.") \
	EACH(node_used, REPORT_NODE_USED, "What the job used on one node.") \
	EACH(states, REPORT_STATES_ALONE, "Thread time in each state.") \
	EACH(wait_times, REPORT_WAIT_TIMES, "Time of the job by wait, added up over its nodes.") \
	EACH(wait_counts, REPORT_WAIT_COUNTS, "How many waits there were.") \
	EACH(job_states, REPORT_JOB_STATES, \
	     "Where the threads' time went, and what the job waited for as a whole. stint's kernel programs follow the waits at " \
	     "every context switch. A thread is busy if it is on a CPU or waits for one. If the waits of the job were not followed, " \
	     "gaps names states.some, and all of these fields are absent.") \
	EACH(evidence, REPORT_EVIDENCE, "A number that the verdict or a finding follows from.") \
	EACH(verdict, REPORT_VERDICT, "What limited the job, in one word that a person can act on. docs/verdict.md has the rules.") \
	EACH(finding, REPORT_FINDING, "Something that somebody should look at.") \
	EACH(advice, REPORT_ADVICE, "What to ask Slurm for next time.") \
	EACH(oom_kill, REPORT_OOM_KILL, \
	     "A process that the kernel's out-of-memory killer chose. Another process may have asked for the memory.") \
	EACH(gpu_xid, REPORT_GPU_XID, "Errors of one number.") \
	EACH(gpu_process, REPORT_GPU_PROCESS, "A process of the job on a GPU.") \
	EACH(gpu, REPORT_GPU, \
	     "What a GPU did while the job ran, by the vendor's library. If several jobs share it, the shares, the energy and the errors" \
	     " are those of all.") \
	EACH(gpu_opener, REPORT_GPU_OPENER, "A tool that had the device of a GPU open.") \
	EACH(gpu_opened, REPORT_GPU_OPENED, "A device of a GPU that the job had open.") \
	EACH(stall, REPORT_STALL, "A process that lived on and used nothing.") \
	EACH(unused_core, REPORT_UNUSED_CORE, "A core that the job was bound to and on which none of its threads ever ran.") \
	EACH(progress, REPORT_PROGRESS, "When the job did nothing, and what it never used.") \
	EACH(tool, REPORT_TOOL, \
	     "What the processes of one tool did. A run is a program image within a process, from exec to the next exec or" \
	     " exit.") \
	EACH(container, REPORT_CONTAINER, "Containers of one image that ran in the job.") \
	EACH(entry, REPORT_ENTRY, "One run of a tool, or a burst: many short runs together, with exact sums.") \
	EACH(task, REPORT_TASK, "A process that Slurm started.") \
	EACH(step, REPORT_STEP, "What one step did.") \
	EACH(core, REPORT_CORE, "A core that the job was bound to.") \
	EACH(node_allocated, REPORT_NODE_ALLOCATED, "What the job was given on the node.") \
	EACH(node, REPORT_NODE, "What the job did on one node.") \
	EACH(file, REPORT_FILE, "What the job did with one file.") \
	EACH(columns, REPORT_COLUMNS, \
	     "Each list has as many values as end_offsets_s. memory_used_bytes, memory_cache_bytes, processes and threads are" \
	     " the values at the point's end; all others are sums over the point. null: not known.") \
	EACH(series, REPORT_SERIES, "What was used over time on one node.")

#endif
