/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/silence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/json/units.h"
#include "reports/rules/sentence.h"
#include "reports/verdict/advice.h"

/* A job that did not complete gets no advice: it might have used more later. */
static const char *ending_of(const char *state)
{
	static const struct {
		const char *state, *ending;
	} endings[] = {
		{ "FAILED", "It failed" },
		{ "OUT_OF_MEMORY", "It failed" },
		{ "TIMEOUT", "It was ended at its time limit" },
		{ "CANCELLED", "It was cancelled" },
	};

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(endings[i].state, state) == 0)
			return endings[i].ending;
	return "It did not complete";
}

static bool has_findings(const struct report *report)
{
	for (size_t i = 0; i < report->findings.count; i++) {
		const char *severity = report->findings.items[i].severity;

		if (severity && strcmp(severity, "info") != 0)
			return true;
	}
	return false;
}

/* No option asks for more than a whole node. */
static bool filled_its_node(const struct facts *facts)
{
	return facts->memory_whole && (facts->oom_kills > 0 || facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR));
}

static bool asked_for_more(const struct facts *facts)
{
	double enough = advice_memory(facts->rules, facts_memory_needed(facts));

	return !facts->exclusive && !facts->memory_granted && rules_saves(facts->rules, enough, facts->memory_requested);
}

/* Less memory may be enough, but it is not known how much of the used memory was page cache between two samples. */
static bool is_hidden_by_cache(const struct facts *facts)
{
	return !facts->exclusive && !facts->memory_granted && facts->memory_upper > facts->memory_used &&
	       rules_saves(facts->rules, advice_memory(facts->rules, facts->memory_used), facts->memory_requested);
}

/*
 * The page cache grows up to the limit. So at the limit, the page cache takes all memory that programs leave free.
 * Below the limit, a lower and an upper bound of the programs' memory are known.
 */
static const char *write_hidden(const struct facts *facts, char text[SILENCE_TEXT])
{
	char used[SIZE_TEXT], upper[SIZE_TEXT];

	size_text(facts->memory_used, used);
	if (facts->memory_upper >= fact_rule(facts, RULE_MEMORY_NEAR) * facts->memory_limit)
		snprintf(text, SILENCE_TEXT,
			 "Its programs used %s of memory or more: what they need is not known, because file cache took the rest",
			 used);
	else
		snprintf(text, SILENCE_TEXT,
			 "Its programs used %s to %s of memory: how much of that was file cache is not known, so there is no "
			 "advice to ask for less", used, size_text(facts->memory_upper, upper));
	return text;
}

/* Each condition of facts_show_needs() is a reason here. Change the functions together. */
static const char *write_silence(const struct facts *facts, char text[SILENCE_TEXT])
{
	const char *state = facts->report->job.state;
	double least_s = fact_rule(facts, RULE_ADVICE_ELAPSED);
	char elapsed[DURATION_TEXT], asked[SIZE_TEXT], requested[SIZE_TEXT], gpus[GPU_FACTS_TEXT];

	if (facts->so_far)
		return "It is still running: advice comes at its end";
	if (filled_its_node(facts))
		return SILENCE_WHOLE_NODE;
	if (facts->oom_kills > 0 && !(facts->oom_of_job > 0))
		return "The node ran out of memory, and the job reached no limit of its own: more memory may not help";
	if (!state)
		return "How it ended is not known, so there is no advice to ask for less";
	if (facts->timed_out && facts_idle_at_end(facts))
		return "It was idle when its time ended: look first at what it waited for";
	if (!facts->completed) {
		snprintf(text, SILENCE_TEXT, "%s, so there is no advice to ask for less", ending_of(state));
		return text;
	}
	if (!facts->complete)
		return "Not all of it was counted, so there is no advice to ask for less";
	if (facts->elapsed_s < least_s) {
		snprintf(text, SILENCE_TEXT, "It ran only %s; stint gives advice from %.0f s",
			 worded_duration_text(facts->elapsed_s, elapsed), least_s);
		return text;
	}
	if (!facts_did_work(facts) && facts_gpus_may_work(facts)) {
		snprintf(text, SILENCE_TEXT, "It hardly used its CPUs, and %s, so there is no advice to ask for less",
			 gpu_facts_text(&facts->gpu, gpus));
		return text;
	}
	if (!facts_did_work(facts))
		return "It did nothing, so it does not show what to ask for";
	if (facts->work.found)
		return "Some of its work failed, so there is no advice to ask for less";
	if (facts->left.steps > 0)
		return "Some of its steps still ran when the job script ended, so there is no advice to ask for less";
	if (facts->cut_off)
		return "Some of its work was killed, so there is no advice to ask for less";
	if (isnan(facts->memory_used) && facts->memory_requested > 0)
		return "Its memory use is not known, so there is no advice on memory";
	if (asked_for_more(facts) && advice_held_by_tool(facts)) { /* with less memory, the tool becomes smaller */
		snprintf(text, SILENCE_TEXT, "%.*s sizes itself by the available memory: set its memory (%s) before you ask for less",
			 (int)utf8_whole(facts->sized_tool, strnlen(facts->sized_tool, NAME_SHOWN)), facts->sized_tool,
			 facts->sized_by);
		return text;
	}
	if (is_hidden_by_cache(facts))
		return write_hidden(facts, text);
	if (asked_for_more(facts) && facts->steps_memory > 0) { /* with less memory, its steps cannot start */
		snprintf(text, SILENCE_TEXT, "Its steps asked for %s of its %s (%s): lower the memory of the steps first, then that "
					     "of the job",
			 size_text(facts->steps_memory, asked), size_text(facts->memory_requested, requested), advice_option_of_steps(facts));
		return text;
	}
	return has_findings(facts->report) ? "Nothing to change in what it asks for; see the findings" : "Nothing to change";
}

const char *silence_text(const struct facts *facts, char text[SILENCE_TEXT])
{
	return facts->report->advice.count > 0 ? NULL : write_silence(facts, text);
}

const char *silence_of_report(const struct report *report, char text[SILENCE_TEXT])
{
	struct rules defaults;
	struct facts facts;

	if (report->verdict.no_advice || report->advice.count > 0)
		return report->verdict.no_advice;
	rules_defaults(&defaults);
	facts_read(&facts, report, &defaults);
	return silence_text(&facts, text);
}

bool silence_means_none(const struct report *report)
{
	return report->complete.value && report->verdict.bound && strcmp(report->verdict.bound, "unknown") != 0;
}
