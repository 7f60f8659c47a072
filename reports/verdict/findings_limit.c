/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings about the time limit. */
#include <math.h>

#include "common/utf8.h"
#include "reports/rules/evidence.h"
#include "reports/verdict/bound.h"
#include "reports/verdict/findings_internal.h"

#define MAINLY 0.5 /* of the threads' time */
#define ONE_THREAD 1.5 /* most mean threads of a process that counts as single-threaded: helper threads may live for a while */
#define NEARLY_ALL 0.9
#define TIME_LEAST_S 0.001 /* reports have whole milliseconds */

static void put_limit(const struct facts *facts, struct evidence *evidence)
{
	evidence_seconds(evidence, "elapsed_s", facts->elapsed_s);
	evidence_seconds(evidence, "time_limit_s", facts->limit_s);
}

/*
 * Returns @s as a share of the time of all threads of @tool.
 * Returns NAN if the time of all threads is less than the lifetime of the processes: some time is then missing.
 */
static double share_of(const struct at_limit_tool *tool, double s)
{
	double all = 0;

	for (size_t i = 0; i < AT_LIMIT_STATE_COUNT; i++)
		all += tool->state_s[i];
	return all >= NEARLY_ALL * tool->wall_s ? fact_ratio(s, all) : NAN;
}

/*
 * Only with one thread do waits show what a process waited for.
 * In a pool of threads, most threads wait for work.
 */
static bool has_one_thread(const struct at_limit_tool *tool)
{
	return share_of(tool, tool->wall_s) >= 1 / ONE_THREAD;
}

static const char *waited_file_system(const struct facts *facts)
{
	const struct report_file_system_list *list = &facts->report->used.file_systems;
	const struct report_file_system *most = bound_file_system(facts);
	double all_s = 0;

	for (size_t i = 0; i < list->count; i++)
		all_s += fmax(0, report_s(list->items[i].wait_s));
	return most && report_s(most->wait_s) >= NEARLY_ALL * all_s ? most->type : NULL;
}

static void write_mainly(const struct facts *facts, const struct at_limit_tool *tool, char text[SENTENCE_TEXT])
{
	static const struct {
		enum at_limit_state state;
		bool of_one_thread; /* other threads may work during this wait */
		const char *words;
	} all[] = {
		{ AT_LIMIT_ON_CPU, false, "computed" },
		{ AT_LIMIT_RUNNABLE, false, "waited for a CPU" },
		{ AT_LIMIT_MEMORY_STALL, false, "waited for memory" },
		{ AT_LIMIT_FAULT_IO, false, "waited for pages to be read" },
		{ AT_LIMIT_FILE_IO, false, "waited for files" },
		{ AT_LIMIT_NETWORK, false, "waited for the network" },
		{ AT_LIMIT_LOCK, false, "waited for locks" },
		{ AT_LIMIT_PIPE, true, "waited for a pipe or terminal" },
		{ AT_LIMIT_CONDITION, true, "waited for another thread (or a timer)" },
		{ AT_LIMIT_EVENT, true, "waited for events (poll)" },
		{ AT_LIMIT_SLEEP, true, "slept" },
	};
	const char *type = waited_file_system(facts);

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!(share_of(tool, tool->state_s[all[i].state]) > MAINLY) || (all[i].of_one_thread && !has_one_thread(tool)))
			continue;
		if (all[i].state == AT_LIMIT_FILE_IO && type)
			utf8_append(text, SENTENCE_TEXT, "waited for the file system %s", type);
		else
			utf8_append(text, SENTENCE_TEXT, "%s", all[i].words);
	}
}

static void put_at_limit(const struct facts *facts, struct evidence *evidence)
{
	const struct at_limit *at = &facts->at_limit;
	const struct at_limit_tool *first = &at->named[0], *other = &at->named[1];
	char mainly[SENTENCE_TEXT] = "";

	if (at->tools == 0)
		return;
	evidence_count(evidence, "tools", (double)at->tools);
	evidence_text(evidence, "tool", first->name);
	evidence_seconds(evidence, "running_s", fmax(first->running_s, TIME_LEAST_S));
	if (at->tools == 1) {
		write_mainly(facts, first, mainly);
		evidence_text(evidence, "mainly", *mainly ? mainly : NULL);
		return;
	}
	evidence_text(evidence, "other_tool", other->name);
	evidence_seconds(evidence, "other_running_s", fmax(other->running_s, TIME_LEAST_S));
	evidence_count(evidence, "more_tools", (double)at->tools - AT_LIMIT_NAMED);
}

bool findings_time_limit_hit(const struct facts *facts, struct evidence *evidence)
{
	put_limit(facts, evidence);
	if (facts->timed_out && !facts->unnoticed)
		put_at_limit(facts, evidence);
	return facts->timed_out;
}

/*
 * Writes a hint if more time may not help.
 * A dead job (facts.unnoticed) needs no hint. An idle job may have waited for something that never comes.
 */
void findings_hint_time_limit_hit(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	(void)evidence;
	if (facts->unnoticed)
		utf8_append(text, SENTENCE_TEXT, "The job script was dead by then: the kernel had killed it for memory, and Slurm did not "
			    "notice.");
	else if (facts_idle_at_end(facts))
		utf8_append(text, SENTENCE_TEXT, "The job was idle when its time ended. See what it waited for.");
}

bool findings_time_limit_near(const struct facts *facts, struct evidence *evidence)
{
	put_limit(facts, evidence);
	return !facts->timed_out && facts->elapsed_s > 0 &&
	       rules_time_near(facts->rules, facts->elapsed_s, facts->limit_s);
}

/*
 * Checks fewer conditions than facts_show_needs(), because Slurm knows the elapsed time of each job.
 * Leaves out jobs with steps that outlived the script. If the user lets the script wait for them, the job takes longer.
 */
bool findings_time_limit_long(const struct facts *facts, struct evidence *evidence)
{
	put_limit(facts, evidence);
	return facts->completed && facts->left.steps == 0 && facts_did_work(facts) &&
	       facts->elapsed_s >= fact_rule(facts, RULE_FINDING_ELAPSED) &&
	       rules_time_long(facts->rules, facts->elapsed_s, facts->limit_s);
}
