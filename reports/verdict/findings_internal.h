/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of all findings, and hints of some. findings.c calls them. */
#ifndef STINT_FINDINGS_INTERNAL_H
#define STINT_FINDINGS_INTERNAL_H

#include <stdbool.h>

#include "reports/rules/evidence.h"
#include "reports/rules/facts.h"
#include "reports/rules/sentence.h"

/*
 * Returns true if the finding applies, with its numbers in @evidence. @evidence may be NULL.
 * The caller ignores @evidence if the result is false.
 */
typedef bool finding_check(const struct facts *facts, struct evidence *evidence);

/*
 * Writes the hint for this job. Leaves @text empty if the rule's own hint is right.
 * @evidence: the numbers of the finding.
 */
typedef void finding_hint(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT]);

/* findings_memory.c */
finding_check findings_oom_kill;
finding_check findings_memory_swapped;
finding_check findings_memory_near_limit;
finding_check findings_memory_reclaim;
finding_check findings_page_waits;
finding_check findings_memory_over_asked;
finding_hint findings_hint_oom_kill;
finding_hint findings_hint_memory_near_limit;
finding_hint findings_hint_memory_reclaim;
finding_hint findings_hint_memory_over_asked;

/* findings_cpu.c */
finding_check findings_cpus_exceeded;
finding_check findings_oversubscribed;
finding_check findings_crowded;
finding_check findings_cpu_throttled;
finding_check findings_cpu_starved;
finding_check findings_lock_contention;
finding_check findings_serial;
finding_check findings_cpu_efficiency;
finding_check findings_cores_unused;
finding_check findings_node_idle;
finding_hint findings_hint_oversubscribed;
finding_hint findings_hint_serial;
finding_hint findings_hint_node_idle;
finding_hint findings_hint_cpu_efficiency;

/* findings_io.c */
finding_check findings_network_fs_waits;
finding_check findings_network_fs_opens;
finding_check findings_small_reads;
finding_check findings_small_writes;
finding_check findings_sync_waits;
finding_check findings_tcp_retransmits;
finding_hint findings_hint_small_reads;
finding_hint findings_hint_small_writes;
finding_hint findings_hint_sync_waits;

/* findings_gpu.c */
finding_check findings_gpu_errors;
finding_check findings_gpus_unused;
finding_check findings_gpus_idle;
finding_check findings_gpu_start;
finding_check findings_gpu_tail;
finding_check findings_gpu_waited;
finding_check findings_gpu_memory_near;
finding_check findings_gpu_memory_few;
finding_hint findings_hint_gpu_waited;

/* findings_limit.c */
finding_check findings_time_limit_hit;
finding_check findings_time_limit_near;
finding_check findings_time_limit_long;
finding_hint findings_hint_time_limit_hit;

/* findings_progress.c */
finding_check findings_process_storm;
finding_check findings_stalled;
finding_check findings_slow_launch;
finding_check findings_idle_head;
finding_check findings_idle_tail;
finding_check findings_tools_killed;
finding_check findings_not_found;
finding_check findings_tools_failed;
finding_check findings_work_failed;
finding_check findings_empty_steps;
finding_hint findings_hint_tools_killed;
finding_hint findings_hint_work_failed;

#endif
