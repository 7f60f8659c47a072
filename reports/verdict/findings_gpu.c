/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings about GPUs. Each needs numbers that are known for gpu_covered_share of the job's time (gpu_facts.h).
 * Each unused or idle GPU is in one finding only.
 */
#include <math.h>

#include "common/utf8.h"
#include "reports/rules/evidence.h"
#include "reports/verdict/bound.h"
#include "reports/verdict/findings_gpu.h"
#include "reports/verdict/findings_internal.h"

#define S_PER_H 3600.0

static void put_sampled(const struct facts *facts, struct evidence *evidence)
{
	if (facts->gpu.sampled)
		evidence_count(evidence, "sampled", 1);
}

static bool long_enough(const struct facts *facts)
{
	return facts->elapsed_s >= fact_rule(facts, RULE_GPU_ELAPSED);
}

static const struct report_gpu_xid *most_of(const struct report_gpu *gpu)
{
	const struct report_gpu_xid *most = NULL;

	for (size_t i = 0; i < gpu->xids.count; i++)
		if (!most || gpu->xids.items[i].count > most->count)
			most = &gpu->xids.items[i];
	return most;
}

/* Names the GPU with most errors. */
bool findings_gpu_errors(const struct facts *facts, struct evidence *evidence)
{
	const struct report_gpu_list *list = &facts->report->gpus;
	const struct report_gpu *worst = NULL;
	const struct report_gpu_xid *xid;
	double all = 0, failed = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!(list->items[i].xid_errors > 0))
			continue;
		all += (double)list->items[i].xid_errors;
		failed++;
		if (!worst || list->items[i].xid_errors > worst->xid_errors)
			worst = &list->items[i];
	}
	if (!worst || !(facts->gpus > 0))
		return false;
	xid = most_of(worst);
	evidence_count(evidence, "gpus", facts->gpus);
	evidence_count(evidence, "xid_errors", report_number(worst->xid_errors));
	evidence_count(evidence, "xid", xid ? report_number(xid->xid) : NAN);
	evidence_count(evidence, "xid_kinds", xid ? (double)worst->xids.count : NAN);
	if (failed > 1) {
		evidence_count(evidence, "gpus_failed", failed);
		evidence_count(evidence, "all_errors", all);
	}
	evidence_text(evidence, "node", worst->node);
	return true;
}

bool findings_gpus_unused(const struct facts *facts, struct evidence *evidence)
{
	evidence_count(evidence, "gpus", facts->gpu.count);
	evidence_count(evidence, "gpus_unused", facts->gpu.unused);
	evidence_number(evidence, "unused_gpu_hours", facts->gpu.unused * facts->elapsed_s / S_PER_H, "GPU-hours");
	return facts->gpu.unused > 0 && long_enough(facts);
}

/* Returns how long the GPUs were idle at the end, if some of them were busy before; NAN if unknown, or if none was. */
static double idle_tail_s(const struct facts *facts)
{
	return facts->gpu.busiest > 0 ? facts->gpu.idle_tail_s : NAN;
}

/* The end of a long job's work is no waste. */
static bool has_idle_tail(const struct facts *facts)
{
	return idle_tail_s(facts) >= fact_rule(facts, RULE_GPU_TAIL) &&
	       idle_tail_s(facts) >= fact_rule(facts, RULE_IDLE_EDGE_SHARE) * facts->elapsed_s;
}

static bool all_idle(const struct facts *facts)
{
	return facts->gpu.idle >= facts->gpu.used;
}

static bool used_at_start(const struct facts *facts)
{
	double used_s = facts->elapsed_s - idle_tail_s(facts);

	return used_s <= fact_rule(facts, RULE_GPU_START) * facts->elapsed_s && long_enough(facts);
}

bool findings_gpus_idle(const struct facts *facts, struct evidence *evidence)
{
	const struct gpu_facts *use = &facts->gpu;

	evidence_count(evidence, "gpus", fmax(use->count, use->used));
	evidence_count(evidence, "gpus_idle", use->idle);
	evidence_against(evidence, "busy_share", use->busy_idle, NULL, fact_rule(facts, RULE_GPU_IDLE));
	if (use->idle < use->used)
		evidence_number(evidence, "busiest_share", use->busiest, NULL);
	put_sampled(facts, evidence);
	return use->idle > 0 && long_enough(facts) && !(all_idle(facts) && used_at_start(facts));
}

bool findings_gpu_start(const struct facts *facts, struct evidence *evidence)
{
	evidence_count(evidence, "gpus", facts->gpu.used);
	evidence_seconds(evidence, "used_s", fmax(1, facts->elapsed_s - idle_tail_s(facts)));
	evidence_seconds(evidence, "elapsed_s", facts->elapsed_s);
	put_sampled(facts, evidence);
	return used_at_start(facts);
}

bool findings_gpu_tail(const struct facts *facts, struct evidence *evidence)
{
	evidence_count(evidence, "gpus", facts->gpu.used);
	evidence_seconds(evidence, "idle_tail_s", idle_tail_s(facts));
	evidence_seconds(evidence, "elapsed_s", facts->elapsed_s);
	put_sampled(facts, evidence);
	return has_idle_tail(facts) && !used_at_start(facts) && !all_idle(facts);
}

/* ---- GPUs that waited for their program ---- */

static double on_cpu_s(const struct report_tool *tool)
{
	return report_s(tool->states.on_cpu_s);
}

static double files_s(const struct report_tool *tool)
{
	return report_s(tool->states.file_io_s) + fmax(0, report_s(tool->states.fault_io_s));
}

/* Returns the user's tool with the most of what @seconds returns, if it has most of it; else NULL. */
static const char *tool_with_most(const struct facts *facts, double (*seconds)(const struct report_tool *tool))
{
	const struct report_tool_list *list = &facts->report->tools;
	const struct report_tool *most = NULL;
	double all_s = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct report_tool *tool = &list->items[i];

		if (tool->slurm.value || !(seconds(tool) > 0))
			continue;
		all_s += seconds(tool);
		if (!most || seconds(tool) > seconds(most))
			most = tool;
	}
	return most && seconds(most) > all_s / 2 ? most->name : NULL;
}

static double one_thread_share(const struct facts *facts)
{
	return fact_ratio(facts->active_s - facts->parallel_s, facts->time_s);
}

static bool waited_for_files(const struct facts *facts)
{
	return facts->shares.cause[CAUSE_FILE_IO] >= fact_rule(facts, RULE_FILE_IO_SHARE);
}

bool findings_gpu_cpus_full(const struct facts *facts)
{
	return facts->shares.cpu >= fact_rule(facts, RULE_GPU_FEEDER);
}

/* Puts what the GPUs waited for. Returns false if that is not known. */
static bool put_cause(const struct facts *facts, struct evidence *evidence)
{
	const char *tool = tool_with_most(facts, waited_for_files(facts) ? files_s : on_cpu_s);

	evidence_text(evidence, "tool", tool ? tool : "its processes");
	if (waited_for_files(facts))
		evidence_number(evidence, facts->shares.whole[CAUSE_FILE_IO] ? "file_share" : "file_core_share",
				facts->shares.cause[CAUSE_FILE_IO], NULL);
	else if (findings_gpu_cpus_full(facts))
		evidence_number(evidence, "cpu_share", facts->shares.cpu, NULL);
	else if (one_thread_share(facts) >= fact_rule(facts, RULE_GPU_FEEDER))
		evidence_number(evidence, "one_thread_share", fact_share(one_thread_share(facts)), NULL);
	else
		return false;
	return true;
}

bool findings_gpu_half_idle(const struct facts *facts)
{
	return facts->gpu.busy_used < fact_rule(facts, RULE_GPU_HALF) && !(facts->gpu.idle > 0) && long_enough(facts) &&
	       !used_at_start(facts) && !has_idle_tail(facts);
}

bool findings_gpu_waited(const struct facts *facts, struct evidence *evidence)
{
	evidence_count(evidence, "gpus", facts->gpu.used);
	evidence_against(evidence, "busy_share", facts->gpu.busy_used, NULL, fact_rule(facts, RULE_GPU_HALF));
	put_sampled(facts, evidence);
	return put_cause(facts, evidence) && findings_gpu_half_idle(facts);
}

void findings_hint_gpu_waited(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	if (waited_for_files(facts))
		utf8_append(text, SENTENCE_TEXT,
			    "Copy the files to the node's own disk ($TMPDIR) first, keep many small ones in one "
			    "archive, or read ahead in several processes or threads (a data loader's workers).");
}

/* ---- memory ---- */

static double memory_share(const struct report_gpu *gpu)
{
	return fact_ratio(gpu_facts_memory(gpu), report_number(gpu->memory_total_bytes));
}

static void put_memory(struct evidence *evidence, const struct report_gpu *gpu, double threshold)
{
	evidence_bytes(evidence, "gpu_memory_peak_bytes", gpu_facts_memory(gpu));
	evidence_bytes(evidence, "gpu_memory_bytes", report_number(gpu->memory_total_bytes));
	evidence_against(evidence, "memory_share", memory_share(gpu), NULL, threshold);
}

static const struct report_gpu *fullest(const struct facts *facts)
{
	const struct report_gpu_list *list = &facts->report->gpus;
	const struct report_gpu *most = NULL;

	for (size_t i = 0; i < list->count; i++)
		if (memory_share(&list->items[i]) >= 0 && (!most || memory_share(&list->items[i]) > memory_share(most)))
			most = &list->items[i];
	return most;
}

bool findings_gpu_memory_near(const struct facts *facts, struct evidence *evidence)
{
	const struct report_gpu *most = fullest(facts);

	if (!most || !(facts->gpus > 0))
		return false;
	put_memory(evidence, most, fact_rule(facts, RULE_GPU_MEMORY_NEAR));
	return memory_share(most) >= fact_rule(facts, RULE_GPU_MEMORY_NEAR);
}

/* Returns true if a smaller GPU may do the same: it has few of its processors busy, and much more memory than was used. */
static bool is_too_large(const struct facts *facts, const struct report_gpu *gpu)
{
	return !gpu->slice && report_number(gpu->memory_total_bytes) >= fact_rule(facts, RULE_GPU_LARGE) &&
	       memory_share(gpu) < fact_rule(facts, RULE_GPU_MEMORY_FEW) &&
	       gpu->sm_share < fact_rule(facts, RULE_GPU_SMS) &&
	       report_s(gpu->busy_covered_s) >= fact_rule(facts, RULE_GPU_COVERED) * facts->elapsed_s;
}

bool findings_gpu_memory_few(const struct facts *facts, struct evidence *evidence)
{
	const struct report_gpu_list *list = &facts->report->gpus;
	const struct report_gpu *most = fullest(facts);

	if (!most || !(facts->gpus > 0) || all_idle(facts))
		return false;
	for (size_t i = 0; i < list->count; i++)
		if (!is_too_large(facts, &list->items[i]))
			return false;
	evidence_count(evidence, "gpus", facts->gpu.used);
	put_memory(evidence, most, fact_rule(facts, RULE_GPU_MEMORY_FEW));
	return long_enough(facts);
}
