/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/failing_tools.h"

#include <math.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/ending/culprit.h"
#include "reports/ending/ended_with_step.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/ending/time_up.h"

bool failing_is_users(const struct report_tool *tool)
{
	return tool->slurm.known && !tool->slurm.value;
}

/*
 * Returns true if Slurm ended the job, and @tool lived until then.
 * Slurm rounds the job's end down to whole seconds, and processes die shortly after this end.
 */
static bool slurm_ended(const struct facts *facts, const struct report_tool *tool)
{
	int64_t job_us, tool_us;

	return facts->stopped && time_parse(facts->report->job.end, &job_us) && time_parse(tool->last_end, &tool_us) &&
	       tool_us >= job_us;
}

bool failing_is_outcomes(const struct facts *facts, const struct report_tool *tool)
{
	const char *state = facts->report->job.state;

	return report_is_script(tool) && (report_text_is(state, "FAILED") || report_text_is(state, "OUT_OF_MEMORY"));
}

bool failing_is_works(const struct facts *facts, const struct report_tool *tool)
{
	return facts->work.found && !facts->work.worker && report_text_is(facts->work.tool, tool->name);
}

static double killed_for_memory(const struct facts *facts, const struct report_tool *tool)
{
	return (double)parts_victims(facts->report, tool->name);
}

bool failing_is_run(const struct report_entry *entry, const char *name)
{
	return report_text_is(entry->tool, name) && !entry->slurm && !entry->dismissed && !entry->forked && !entry->unread;
}

double failing_ending(const struct facts *facts, const struct report_tool *tool, const char *name)
{
	bool is_signal = strcmp(name, "signal") == 0;
	double ending = NAN;

	for (size_t i = 0; i < facts->report->timeline.count; i++) {
		const struct report_entry *entry = &facts->report->timeline.items[i];
		double value = report_number(is_signal ? entry->signal : entry->exit_code);

		if (!(value > 0) || (!failing_is_run(entry, tool->name) &&
				     !(report_text_is(entry->tool, tool->name) && left_behind_is_orphan(&facts->left, entry))))
			continue;
		if (ending > 0 && ending != value)
			return NAN;
		ending = value;
	}
	return ending;
}

static bool has_unread(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->unread_count; i++)
		if (report_text_is(facts->unread[i], name))
			return true;
	return false;
}

static bool has_failed_run(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->report->timeline.count; i++) {
		const struct report_entry *entry = &facts->report->timeline.items[i];

		if (failing_is_run(entry, name) && report_number(entry->exit_code) > 0)
			return true;
	}
	return false;
}

bool failing_was_unread(const struct facts *facts, const struct report_tool *tool)
{
	return has_unread(facts, tool->name) && !has_failed_run(facts, tool->name);
}

double failing_ended_itself(const struct facts *facts, const struct report_tool *tool)
{
	double signals = report_number(tool->signals);

	return signals > 0 && programs_ends_itself(tool->name, failing_ending(facts, tool, "signal")) ? signals : 0;
}

/*
 * Returns true if @tool only watched or served the work, until Slurm ended @tool with the job.
 * The script could not wait for a tool that never ends by itself.
 */
static bool is_beside(const struct facts *facts, const struct report_tool *tool)
{
	return !facts_gpus_may_work(facts) && left_behind_tool_was_quiet(&facts->left, facts->report, tool->name);
}

double failing_killed_in_all(const struct facts *facts, const struct report_tool *tool)
{
	double orphans = tool->dismissed > 0 ? left_behind_orphans(&facts->left, facts->report, tool->name) : 0;
	double signals = fmax(0, report_number(tool->signals)) + orphans;

	if (!(signals > 0) || slurm_ended(facts, tool) || failing_is_outcomes(facts, tool) || failing_ended_itself(facts, tool) > 0 ||
	    time_up_passed_on(facts->report, tool->name) || is_beside(facts, tool) || ended_with_step(facts->report, tool->name) ||
	    ended_with_cancelled_step(facts->report, tool->name))
		return 0;
	return signals - killed_for_memory(facts, tool);
}

double failing_killed(const struct facts *facts, const struct report_tool *tool)
{
	return failing_is_works(facts, tool) ? 0 : failing_killed_in_all(facts, tool);
}

bool failing_any_killed(const struct facts *facts)
{
	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];
		double killed = failing_is_users(tool) ? failing_killed(facts, tool) : 0;

		if (killed > 0 && (!programs_is_asked(tool->name) || killed >= report_number(tool->runs)))
			return true;
	}
	return false;
}

/* A tool that failed or was killed, and the facts that decide whether a finding names it. */
struct failing {
	const struct report_tool *tool; /* NULL if none */
	enum culprit_rank rank;
	double count, runs;
};

/* If two tools have the same rank and count, names the tool with fewer runs. */
static bool is_worse(const struct failing *one, const struct failing *other)
{
	if (!other->tool || one->rank != other->rank)
		return !other->tool || one->rank > other->rank;
	return one->count > other->count || (one->count == other->count && one->runs < other->runs);
}

double failing_count(const struct facts *facts, failing_count_of *count_of, const struct report_tool **worst)
{
	const char *of_job = culprit_tool(facts->report);
	struct failing found = { .tool = NULL };
	double count = 0;

	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];
		struct failing failing = { .tool = tool, .runs = report_number(tool->runs) };

		if (!failing_is_users(tool) || !((failing.count = count_of(facts, tool)) > 0))
			continue;
		count++;
		failing.rank = culprit_rank(tool, of_job);
		if (is_worse(&failing, &found))
			found = failing;
	}
	if (worst)
		*worst = found.tool;
	return count;
}
