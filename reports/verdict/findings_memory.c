/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "common/utf8.h"
#include "reports/ending/oom_kills.h"
#include "reports/json/units.h"
#include "reports/rules/evidence.h"
#include "reports/rules/unheld_memory.h"
#include "reports/verdict/advice.h"
#include "reports/verdict/findings_internal.h"
#include "reports/verdict/silence.h"
#include "reports/verdict/step_limit.h"

#define MOSTLY_CACHE 0.5 /* a share of the limit; if programs used less, most of the limit was page cache */

/* @along: number of processes that were killed along with @victim. One of them may be larger. */
static void put_victim(const struct report_oom_kill *victim, double along, struct evidence *evidence)
{
	if (along > 0) {
		evidence_text(evidence, "chosen", victim->tool ? victim->tool : victim->comm);
		evidence_count(evidence, "killed_along", along);
	} else {
		evidence_text(evidence, "tool", victim->tool);
		evidence_text(evidence, "comm", victim->comm);
	}
	evidence_text(evidence, "node", victim->node);
	evidence_text(evidence, "step", victim->step);
	evidence_count(evidence, "pid", report_number(victim->pid));
	evidence_bytes(evidence, "rss_bytes", report_number(victim->rss_bytes));
}

bool findings_oom_kill(const struct facts *facts, struct evidence *evidence)
{
	const struct report_oom_kill *victim = oom_kills_largest(facts->report);
	double of_node = oom_kills_of_node(facts->report), along = oom_kills_along(facts->report);

	if (!(facts->oom_kills > 0))
		return false;
	evidence_count(evidence, "oom_kills", facts->oom_kills);
	if (!victim)
		return true;
	put_victim(victim, along, evidence);
	if (of_node > 0) {
		evidence_count(evidence, "killed_by_node", of_node);
	} else if (!facts_oom_limits_differ(facts)) {
		evidence_bytes(evidence, "limit_bytes", report_number(victim->limit_bytes));
		evidence_bytes(evidence, "files_in_memory_bytes",
			       unheld_at_kill(unheld_bound(facts->report), oom_kills_first(facts->report)));
	}
	evidence_text(evidence, "kernel_memory", oom_kills_kernel_memory(victim));
	if (facts->oom_kills > 1 && oom_kills_of_slurm(facts->report) > 0)
		evidence_count(evidence, "killed_of_slurm", oom_kills_of_slurm(facts->report));
	return true;
}

static void hint_whole_node(const struct facts *facts, char text[SENTENCE_TEXT])
{
	if (facts->memory_whole)
		utf8_append(text, SENTENCE_TEXT, SILENCE_WHOLE_NODE ".");
}

void findings_hint_oom_kill(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	if (evidence_has(&evidence->list, "killed_by_node"))
		utf8_append(text, SENTENCE_TEXT, "The node ran out of memory, whichever job used it: ask for as much as this job "
						 "uses, so that Slurm gives that memory to no other job.");
	else if (evidence_has(&evidence->list, "files_in_memory_bytes"))
		utf8_append(text, SENTENCE_TEXT, "Files in /dev/shm and other tmpfs are in memory, also after the program that wrote them "
			    "ended: put them on a disk, delete them early, or ask for more memory.");
	else if (evidence_has(&evidence->list, "kernel_memory"))
		utf8_append(text, SENTENCE_TEXT, "The memory that the kernel keeps for a job counts against the job's limit: let the "
			    "kernel keep less, or ask for more memory.");
	else
		hint_whole_node(facts, text);
}

bool findings_memory_swapped(const struct facts *facts, struct evidence *evidence)
{
	evidence_bytes(evidence, "memory_swap_peak_bytes", facts->swap_bytes);
	evidence_count(evidence, "major_faults", report_number(facts->report->used.major_faults));
	return facts->swap_bytes >= fact_rule(facts, RULE_SWAP_MIN);
}

bool findings_memory_near_limit(const struct facts *facts, struct evidence *evidence)
{
	if (facts_above_request(facts) && !(facts->oom_kills > 0)) {
		evidence_bytes(evidence, "memory_used_peak_bytes", facts->memory_used);
		evidence_bytes(evidence, "memory_requested_bytes", facts->memory_requested);
		return true;
	}
	evidence_number(evidence, "memory_near_share", facts->memory_near, NULL);
	evidence_bytes(evidence, "memory_used_peak_bytes", facts->memory_near * facts->memory_limit);
	evidence_bytes(evidence, "memory_limit_bytes", facts->memory_limit);
	return facts_memory_tight(facts) && !(facts->oom_kills > 0);
}

/* Without an enforced limit, the kernel does not kill a job that uses more than it asked for. */
void findings_hint_memory_near_limit(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	hint_whole_node(facts, text);
	if (!*text && facts_above_request(facts))
		utf8_append(text, SENTENCE_TEXT, "Nothing held the job to that here, but Slurm may have given the rest to other jobs: "
			    "ask for as much as the job uses.");
}

bool findings_memory_reclaim(const struct facts *facts, struct evidence *evidence)
{
	double reclaim_s = report_s(facts->report->used.reclaim_s);

	evidence_seconds(evidence, "reclaim_s", reclaim_s);
	evidence_count(evidence, "reclaims", report_number(facts->report->used.reclaims));
	evidence_seconds(evidence, "memory_stall_s", facts->wait[FACT_MEMORY_STALL].thread_s);
	evidence_seconds(evidence, "time_s", facts->time_s);
	return !(facts->oom_kills > 0) && reclaim_s > 0 && reclaim_s >= fact_rule(facts, RULE_RECLAIM_SHARE) * facts->time_s;
}

/* Memory that is added to the job does not reach a step with its own limit. */
static void hint_step_limit(const struct step_limit *at, char text[SENTENCE_TEXT])
{
	char limit[SIZE_TEXT];

	if (at->id)
		utf8_append(text, SENTENCE_TEXT, "Step %s has a limit of its own, %s: let srun give it more (--mem).", at->id,
			    size_text(at->limit, limit));
	else
		utf8_append(text, SENTENCE_TEXT, "Its steps have limits of their own: let srun give them more (--mem).");
}

/*
 * More memory may not help if file cache filled the limit.
 * The kernel drops earlier parts of a large file first, and the job may never read these parts again.
 */
void findings_hint_memory_reclaim(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	char used[SIZE_TEXT];
	struct step_limit at;

	(void)evidence;
	step_limit_find(facts, &at);
	if (at.steps > 0 && !(at.used < MOSTLY_CACHE))
		hint_step_limit(&at, text);
	else if (facts->memory_near < MOSTLY_CACHE && !(facts->memory_mapped > 0) && !(facts->swap_bytes > 0))
		utf8_append(text, SENTENCE_TEXT, "Its programs used %s, and file cache took the rest: more memory helps only if the "
			    "cache then holds data that is read again. Direct I/O or posix_fadvise keep large files out of the cache.",
			    size_text(facts->memory_near * facts->memory_limit, used));
}

bool findings_page_waits(const struct facts *facts, struct evidence *evidence)
{
	double fault_io_s = facts->wait[FACT_FAULT_IO].thread_s;

	evidence_seconds(evidence, "fault_io_s", fault_io_s);
	evidence_count(evidence, "major_faults", report_number(facts->report->used.major_faults));
	evidence_seconds(evidence, "time_s", facts->time_s);
	return fault_io_s > 0 && fault_io_s >= fact_rule(facts, RULE_FAULT_IO_SHARE) * facts->time_s &&
	       fault_io_s >= fact_rule(facts, RULE_FAULT_IO_MIN);
}

/*
 * A job that failed or was cut off gets no finding: it may have been about to use more.
 * With memory per CPU, the node with the largest used share decides.
 */
bool findings_memory_over_asked(const struct facts *facts, struct evidence *evidence)
{
	bool by_cpu = advice_memory_by_cpu(facts->report);
	double used = by_cpu ? facts->memory_fullest * facts->memory_requested : facts_memory_needed(facts);
	double enough = used * fact_rule(facts, RULE_ADVICE_FACTOR);

	evidence_bytes(evidence, "memory_used_peak_bytes", facts->memory_used);
	if (facts->memory_upper > facts->memory_used && !facts_needs_mapped(facts))
		evidence_bytes(evidence, "memory_used_peak_upper_bytes", facts->memory_upper);
	evidence_bytes(evidence, "memory_requested_bytes", facts->memory_requested);
	if (facts_needs_mapped(facts))
		evidence_bytes(evidence, "memory_mapped_peak_bytes", facts->memory_mapped);
	evidence_number(evidence, "memory_unused_share", 1 - facts_memory_needed(facts) / facts->memory_requested, NULL);
	evidence_number(evidence, "memory_wasted_gib_hours", report_ratio(facts->report->used.memory_wasted_gib_hours), "GiB-hours");
	return facts_show_needs(facts, RULE_FINDING_ELAPSED) && !facts->exclusive && !facts->memory_granted &&
	       facts->memory_requested >= enough * fact_rule(facts, RULE_MEMORY_OVER) &&
	       facts->memory_requested - enough >= fact_rule(facts, RULE_MEMORY_OVER_MIN);
}

/* A program that sizes itself by the available memory would only become smaller. So first suggests its own setting. */
void findings_hint_memory_over_asked(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	if (advice_held_by_tool(facts))
		utf8_append(text, SENTENCE_TEXT, "%s sizes itself by the available memory: set its memory (%s), and then ask for "
						 "less.",
			    facts->sized_tool, facts->sized_by);
}
