/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/findings.h"

#include <string.h>

#include "reports/model/report_make.h"
#include "reports/rules/sentence.h"
#include "reports/verdict/findings_internal.h"

static const struct {
	finding_check *check;
	finding_hint *hint; /* NULL: the rule's own hint is always right */
} functions[FINDING_COUNT] = {
	[FINDING_OOM_KILL] = { findings_oom_kill, findings_hint_oom_kill },
	[FINDING_TIME_LIMIT_HIT] = { findings_time_limit_hit, findings_hint_time_limit_hit },
	[FINDING_WORK_FAILED] = { findings_work_failed, findings_hint_work_failed },
	[FINDING_MEMORY_SWAPPED] = { findings_memory_swapped, NULL },
	[FINDING_MEMORY_NEAR_LIMIT] = { findings_memory_near_limit, findings_hint_memory_near_limit },
	[FINDING_MEMORY_RECLAIM] = { findings_memory_reclaim, findings_hint_memory_reclaim },
	[FINDING_PAGE_WAITS] = { findings_page_waits, NULL },
	[FINDING_CPUS_EXCEEDED] = { findings_cpus_exceeded, NULL },
	[FINDING_OVERSUBSCRIBED] = { findings_oversubscribed, findings_hint_oversubscribed },
	[FINDING_CROWDED] = { findings_crowded, NULL },
	[FINDING_CPU_THROTTLED] = { findings_cpu_throttled, NULL },
	[FINDING_CPU_STARVED] = { findings_cpu_starved, NULL },
	[FINDING_LOCK_CONTENTION] = { findings_lock_contention, NULL },
	[FINDING_SERIAL] = { findings_serial, findings_hint_serial },
	[FINDING_CPU_EFFICIENCY] = { findings_cpu_efficiency, findings_hint_cpu_efficiency },
	[FINDING_CORES_UNUSED] = { findings_cores_unused, NULL },
	[FINDING_NODE_IDLE] = { findings_node_idle, findings_hint_node_idle },
	[FINDING_MEMORY_OVER_ASKED] = { findings_memory_over_asked, findings_hint_memory_over_asked },
	[FINDING_NETWORK_FS_WAITS] = { findings_network_fs_waits, NULL },
	[FINDING_NETWORK_FS_OPENS] = { findings_network_fs_opens, NULL },
	[FINDING_SMALL_READS] = { findings_small_reads, findings_hint_small_reads },
	[FINDING_SMALL_WRITES] = { findings_small_writes, findings_hint_small_writes },
	[FINDING_TCP_RETRANSMITS] = { findings_tcp_retransmits, NULL },
	[FINDING_PROCESS_STORM] = { findings_process_storm, NULL },
	[FINDING_STALLED] = { findings_stalled, NULL },
	[FINDING_SLOW_LAUNCH] = { findings_slow_launch, NULL },
	[FINDING_IDLE_HEAD] = { findings_idle_head, NULL },
	[FINDING_IDLE_TAIL] = { findings_idle_tail, NULL },
	[FINDING_TOOLS_KILLED] = { findings_tools_killed, findings_hint_tools_killed },
	[FINDING_TIME_LIMIT_NEAR] = { findings_time_limit_near, NULL },
	[FINDING_TIME_LIMIT_LONG] = { findings_time_limit_long, NULL },
	[FINDING_EMPTY_STEPS] = { findings_empty_steps, NULL },
	[FINDING_NOT_FOUND] = { findings_not_found, NULL },
	[FINDING_TOOLS_FAILED] = { findings_tools_failed, NULL },
	[FINDING_GPU_ERRORS] = { findings_gpu_errors, NULL },
	[FINDING_GPUS_UNUSED] = { findings_gpus_unused, NULL },
	[FINDING_GPUS_IDLE] = { findings_gpus_idle, NULL },
	[FINDING_GPU_START] = { findings_gpu_start, NULL },
	[FINDING_GPU_TAIL] = { findings_gpu_tail, NULL },
	[FINDING_GPU_WAITED] = { findings_gpu_waited, findings_hint_gpu_waited },
	[FINDING_GPU_MEMORY_NEAR] = { findings_gpu_memory_near, NULL },
	[FINDING_GPU_MEMORY_FEW] = { findings_gpu_memory_few, NULL },
	[FINDING_SYNC_WAITS] = { findings_sync_waits, findings_hint_sync_waits },
};

static const char *hint_of(const struct facts *facts, enum finding i, struct evidence *evidence)
{
	char text[SENTENCE_TEXT] = "";

	if (functions[i].hint)
		functions[i].hint(facts, evidence, text);
	return *text ? report_copy(evidence->report, text) : finding_rules[i].hint;
}

static void put_finding(const struct facts *facts, enum finding i, struct evidence *evidence)
{
	struct report *report = evidence->report;
	const struct finding_rule *rule = &finding_rules[i];
	struct report_finding *finding = REPORT_ADD(report, &report->findings, finding);
	char text[SENTENCE_TEXT];

	finding->code = rule->code;
	finding->severity = rule->severity;
	if (sentence_write(rule->sentence, &evidence->list, text))
		finding->text = report_copy(report, text);
	finding->evidence = evidence->list;
	finding->threshold.known = true;
	for (unsigned int r = 0; r < rule->rule_count; r++)
		report_add_ratio(report, &finding->threshold, rules_name(rule->rules[r]), fact_rule(facts, rule->rules[r]));
	finding->hint = hint_of(facts, i, evidence);
}

/* Shares of time mean nothing for a job that only started and ended. */
static bool too_short(const struct facts *facts, const struct finding_rule *rule)
{
	for (unsigned int i = 0; i < rule->rule_count; i++)
		if (rule->rules[i] == RULE_LIVE_MIN)
			return !(facts->time_s >= fact_rule(facts, RULE_LIVE_MIN));
	return false;
}

/*
 * Nobody knows what a dead job (facts.unnoticed) would have used. So its unused resources are no finding.
 * @evidence: gets the numbers; may be NULL.
 */
static bool applies(const struct facts *facts, enum finding i, struct evidence *evidence)
{
	if ((facts->uncounted || facts->unnoticed) && finding_rules[i].of_unused)
		return false;
	return !too_short(facts, &finding_rules[i]) && functions[i].check(facts, evidence);
}

static void put_of_severity(const struct facts *facts, const char *severity, struct report *report)
{
	for (enum finding i = 0; i < FINDING_COUNT; i++) {
		struct evidence evidence = { .list.known = true, .report = report };

		if (strcmp(finding_rules[i].severity, severity) == 0 && applies(facts, i, &evidence))
			put_finding(facts, i, &evidence);
	}
}

void findings_put(const struct facts *facts, struct report *report)
{
	static const char *const worst_first[] = { "critical", "warning", "info" };

	for (size_t i = 0; i < sizeof(worst_first) / sizeof(worst_first[0]); i++)
		put_of_severity(facts, worst_first[i], report);
}

void findings_put_codes(const struct facts *facts, struct report *report)
{
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (applies(facts, i, NULL))
			REPORT_ADD(report, &report->findings, finding)->code = finding_rules[i].code;
}
