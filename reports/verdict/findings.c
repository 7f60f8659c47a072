/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/findings.h"

#include <string.h>

#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/json/plural.h"
#include "reports/verdict/findings_internal.h"
#include "reports/verdict/sentence.h"
#include "reports/verdict/silence.h"
#include "reports/verdict/tool_threads.h"

static finding_check *const checks[FINDING_COUNT] = {
	[FINDING_OOM_KILL] = findings_oom_kill,
	[FINDING_TIME_LIMIT_HIT] = findings_time_limit_hit,
	[FINDING_WORK_FAILED] = findings_work_failed,
	[FINDING_MEMORY_SWAPPED] = findings_memory_swapped,
	[FINDING_MEMORY_NEAR_LIMIT] = findings_memory_near_limit,
	[FINDING_MEMORY_RECLAIM] = findings_memory_reclaim,
	[FINDING_PAGE_WAITS] = findings_page_waits,
	[FINDING_CPUS_EXCEEDED] = findings_cpus_exceeded,
	[FINDING_OVERSUBSCRIBED] = findings_oversubscribed,
	[FINDING_CROWDED] = findings_crowded,
	[FINDING_CPU_THROTTLED] = findings_cpu_throttled,
	[FINDING_CPU_STARVED] = findings_cpu_starved,
	[FINDING_LOCK_CONTENTION] = findings_lock_contention,
	[FINDING_SERIAL] = findings_serial,
	[FINDING_CPU_EFFICIENCY] = findings_cpu_efficiency,
	[FINDING_CORES_UNUSED] = findings_cores_unused,
	[FINDING_NODE_IDLE] = findings_node_idle,
	[FINDING_MEMORY_OVER_ASKED] = findings_memory_over_asked,
	[FINDING_NETWORK_FS_WAITS] = findings_network_fs_waits,
	[FINDING_NETWORK_FS_OPENS] = findings_network_fs_opens,
	[FINDING_SMALL_READS] = findings_small_reads,
	[FINDING_SMALL_WRITES] = findings_small_writes,
	[FINDING_TCP_RETRANSMITS] = findings_tcp_retransmits,
	[FINDING_PROCESS_STORM] = findings_process_storm,
	[FINDING_STALLED] = findings_stalled,
	[FINDING_SLOW_LAUNCH] = findings_slow_launch,
	[FINDING_IDLE_HEAD] = findings_idle_head,
	[FINDING_IDLE_TAIL] = findings_idle_tail,
	[FINDING_TOOLS_KILLED] = findings_tools_killed,
	[FINDING_TIME_LIMIT_NEAR] = findings_time_limit_near,
	[FINDING_TIME_LIMIT_LONG] = findings_time_limit_long,
	[FINDING_EMPTY_STEPS] = findings_empty_steps,
	[FINDING_NOT_FOUND] = findings_not_found,
	[FINDING_TOOLS_FAILED] = findings_tools_failed,
	[FINDING_SYNC_WAITS] = findings_sync_waits,
};

static bool has_evidence(struct json_object *evidence, const char *wanted)
{
	for (size_t i = 0; i < field_length(evidence); i++) {
		const char *name = field_text(json_object_array_get_idx(evidence, i), "name");

		if (name && strcmp(name, wanted) == 0)
			return true;
	}
	return false;
}

/*
 * A job that was idle when its time ended would not have used more of it. And the output does not say why Slurm killed
 * what the script had left behind. Where nothing enforces a limit, no kernel kills a job that used more than it asked for.
 * Of a whole node, there is no more memory to ask for, and fewer CPUs cannot be had.
 */
static const char *hint_of(const struct facts *facts, const struct finding_rule *rule, struct json_object *evidence)
{
	if (rule == &finding_rules[FINDING_TIME_LIMIT_HIT] && facts_idle_at_end(facts))
		return "It was idle then: see what it waited for.";
	if (rule == &finding_rules[FINDING_TOOLS_KILLED] && has_evidence(evidence, "left_running"))
		return "Slurm ends what the script leaves behind: if the job needs it, let the script wait for it (wait).";
	if (rule == &finding_rules[FINDING_OOM_KILL] && has_evidence(evidence, "killed_by_node"))
		return "The node ran out, whoever used the memory: ask for as much as the job uses, so that nobody else gets it.";
	if (rule == &finding_rules[FINDING_OOM_KILL] && has_evidence(evidence, "kernel_memory"))
		return "What the kernel keeps for a job counts against its limit: let it keep less, or ask for more memory.";
	if (facts->memory_whole &&
	    (rule == &finding_rules[FINDING_OOM_KILL] || rule == &finding_rules[FINDING_MEMORY_NEAR_LIMIT]))
		return SILENCE_WHOLE_NODE ".";
	if (facts->exclusive && (rule == &finding_rules[FINDING_CPU_EFFICIENCY] || rule == &finding_rules[FINDING_SERIAL]))
		return "It had the node for itself: use the program's option for threads, or run several at once.";
	if (rule == &finding_rules[FINDING_MEMORY_NEAR_LIMIT] && facts_above_request(facts))
		return "Nothing held it to that here, but the rest may have been promised to other jobs: ask for as much as it uses.";
	return rule->hint;
}

/* Whoever used the program's option for threads is not told to use it. */
static void write_idle_threads(const struct facts *facts, struct json_object *tool, char text[SENTENCE_TEXT])
{
	tool_threads_name(tool, text);
	utf8_append(text, SENTENCE_TEXT, ", but they did not keep the CPUs busy: see what they waited for, or %s.",
		    facts->exclusive ? "run several at once" : "ask for fewer CPUs");
}

static void write_crowding_threads(const struct facts *facts, struct json_object *tool, char text[SENTENCE_TEXT])
{
	double cpus = tool_threads_cpus(facts);

	tool_threads_name(tool, text);
	utf8_append(text, SENTENCE_TEXT, " for %.0f CPU%s: %suse its option for threads to start fewer.", cpus, plural(cpus),
		    tool_threads_runtime(tool) ? "set OMP_NUM_THREADS, or " : "");
}

/* Whether the finding's hint would tell to start threads. */
static bool hints_at_threads(const struct facts *facts, const struct finding_rule *rule)
{
	return rule == &finding_rules[FINDING_SERIAL] || (facts->exclusive && rule == &finding_rules[FINDING_CPU_EFFICIENCY]);
}

/*
 * Writes the hint that names a tool; leaves @text empty if there is none. A program that makes itself as large as its memory would
 * only become smaller with less.
 */
static void write_tools_hint(const struct facts *facts, const struct finding_rule *rule, char text[SENTENCE_TEXT])
{
	struct json_object *tool;

	if (rule == &finding_rules[FINDING_MEMORY_OVER_ASKED] && facts->sized_tool)
		utf8_append(text, SENTENCE_TEXT, "%s takes its size from the memory there is: set it (%s), and then ask for less.",
			    facts->sized_tool, facts->sized_by);
	else if (hints_at_threads(facts, rule) && (tool = tool_threads_idle(facts)))
		write_idle_threads(facts, tool, text);
	else if (rule == &finding_rules[FINDING_OVERSUBSCRIBED] && (tool = tool_threads_crowding(facts)))
		write_crowding_threads(facts, tool, text);
}

static void put_hint(const struct facts *facts, const struct finding_rule *rule, struct json_object *evidence,
		     struct json_object *out)
{
	char text[SENTENCE_TEXT] = "";

	write_tools_hint(facts, rule, text);
	put_text(out, "hint", *text ? text : hint_of(facts, rule, evidence));
}

static struct json_object *finding_object(const struct facts *facts, const struct finding_rule *rule,
					  struct json_object *evidence)
{
	struct json_object *out = json_object_new_object(), *threshold;
	char text[SENTENCE_TEXT];

	put_text(out, "code", rule->code);
	put_text(out, "severity", rule->severity);
	if (sentence_write(rule->sentence, evidence, text))
		put_text(out, "text", text);
	put_copy(out, "evidence", evidence);
	threshold = put_object(out, "threshold");
	for (unsigned int i = 0; i < rule->rule_count; i++)
		put_ratio(threshold, rules_name(rule->rules[i]), fact_rule(facts, rule->rules[i]));
	put_hint(facts, rule, evidence, out);
	return out;
}

/*
 * Returns true for a job too short for a verdict: starting and ending is all that happens in it, so no share of its
 * time means anything.
 */
static bool too_short(const struct facts *facts, const struct finding_rule *rule)
{
	for (unsigned int i = 0; i < rule->rule_count; i++)
		if (rule->rules[i] == RULE_LIVE_MIN)
			return !(facts->time_s >= fact_rule(facts, RULE_LIVE_MIN));
	return false;
}

/* Whether the finding says that something was not used. Processes that were not counted may have used it. */
static bool is_of_unused(enum finding i)
{
	static const enum finding unused[] = { FINDING_SERIAL,	  FINDING_CPU_EFFICIENCY, FINDING_CORES_UNUSED, FINDING_NODE_IDLE,
					       FINDING_MEMORY_OVER_ASKED, FINDING_STALLED, FINDING_IDLE_HEAD, FINDING_IDLE_TAIL };

	for (size_t u = 0; u < sizeof(unused) / sizeof(unused[0]); u++)
		if (unused[u] == i)
			return true;
	return false;
}

/* @evidence: gets the numbers, or NULL */
static bool applies(const struct facts *facts, enum finding i, struct json_object *evidence)
{
	if (facts->uncounted && is_of_unused(i))
		return false;
	return !too_short(facts, &finding_rules[i]) && checks[i](facts, evidence);
}

static void put_of_severity(const struct facts *facts, const char *severity, struct json_object *list)
{
	for (enum finding i = 0; i < FINDING_COUNT; i++) {
		const struct finding_rule *rule = &finding_rules[i];
		cleanup_json struct json_object *evidence = json_object_new_array();

		if (strcmp(rule->severity, severity) == 0 && applies(facts, i, evidence))
			json_object_array_add(list, finding_object(facts, rule, evidence));
	}
}

void findings_put(const struct facts *facts, struct json_object *list)
{
	static const char *const worst_first[] = { "critical", "warning", "info" };

	for (size_t i = 0; i < sizeof(worst_first) / sizeof(worst_first[0]); i++)
		put_of_severity(facts, worst_first[i], list);
}

void findings_put_codes(const struct facts *facts, struct json_object *list)
{
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (applies(facts, i, NULL)) {
			struct json_object *out = json_object_new_object();

			put_text(out, "code", finding_rules[i].code);
			json_object_array_add(list, out);
		}
}
