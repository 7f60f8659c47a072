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
#include "reports/json/field.h"

bool failing_is_users(struct json_object *tool)
{
	return field_typed(tool, "slurm", json_type_boolean) && !field_true(tool, "slurm");
}

/*
 * Whether Slurm ended the job before its own end, and @tool lived until then: Slurm's signals ended it, and the job's
 * state says why. Slurm's end of a job is in whole seconds, rounded down, and processes die within moments of it.
 */
static bool slurm_ended(const struct facts *facts, struct json_object *tool)
{
	int64_t job_us, tool_us;

	return facts->stopped && time_parse(field_text(facts->report, "job.end"), &job_us) &&
	       time_parse(field_text(tool, "last_end"), &tool_us) && tool_us >= job_us;
}

bool failing_is_outcomes(const struct facts *facts, struct json_object *tool)
{
	const char *path = field_text(tool, "path"), *slash = path ? strrchr(path, '/') : NULL;

	return slash && strcmp(slash, "/slurm_script") == 0 &&
	       (field_is(facts->report, "job.state", "FAILED") || field_is(facts->report, "job.state", "OUT_OF_MEMORY"));
}

bool failing_is_works(const struct facts *facts, struct json_object *tool)
{
	const char *name = field_text(tool, "name");

	return facts->work.found && !facts->work.worker && facts->work.tool && name && strcmp(facts->work.tool, name) == 0;
}

/* Counts the processes of @tool that the kernel killed for memory: the finding oom-kill is about these. */
static double killed_for_memory(const struct facts *facts, struct json_object *tool)
{
	return (double)parts_victims(facts->report, field_text(tool, "name"));
}

bool failing_is_run(struct json_object *entry, const char *name)
{
	const char *of = field_text(entry, "tool");

	return of && strcmp(of, name) == 0 && !field_true(entry, "slurm") && !field_true(entry, "dismissed") &&
	       !field_true(entry, "forked") && !field_true(entry, "unread");
}

double failing_ending(const struct facts *facts, struct json_object *tool, const char *name)
{
	struct json_object *timeline = field_typed(facts->report, "timeline", json_type_array);
	const char *tool_name = field_text(tool, "name");
	double ending = NAN;

	for (size_t i = 0; tool_name && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);
		double value = fact_number(entry, name);

		if (!(value > 0) || (!failing_is_run(entry, tool_name) &&
				     !(field_is(entry, "tool", tool_name) && left_behind_is_orphan(&facts->left, entry))))
			continue;
		if (ending > 0 && ending != value)
			return NAN;
		ending = value;
	}
	return ending;
}

static bool has_unread(const struct facts *facts, const char *name)
{
	for (size_t i = 0; name && i < facts->unread_count; i++)
		if (strcmp(facts->unread[i], name) == 0)
			return true;
	return false;
}

static bool has_failed_run(const struct facts *facts, const char *name)
{
	struct json_object *timeline = field_typed(facts->report, "timeline", json_type_array);

	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (failing_is_run(entry, name) && fact_number(entry, "exit_code") > 0)
			return true;
	}
	return false;
}

bool failing_was_unread(const struct facts *facts, struct json_object *tool)
{
	return has_unread(facts, field_text(tool, "name")) && !has_failed_run(facts, field_text(tool, "name"));
}

double failing_ended_itself(const struct facts *facts, struct json_object *tool)
{
	double signals = fact_number(tool, "signals");

	return signals > 0 && programs_ends_itself(field_text(tool, "name"), failing_ending(facts, tool, "signal")) ? signals : 0;
}

/* Whether @tool only watched or served the job's work until Slurm ended it with the job: to wait for it would never end. */
static bool is_beside(const struct facts *facts, struct json_object *tool)
{
	return !(facts->gpus > 0) && left_behind_tool_was_quiet(&facts->left, facts->report, field_text(tool, "name"));
}

double failing_killed_in_all(const struct facts *facts, struct json_object *tool)
{
	const char *name = field_text(tool, "name");
	double dismissed = fact_number(tool, "dismissed");
	double orphans = dismissed > 0 ? left_behind_orphans(&facts->left, facts->report, name) : 0;
	double signals = fmax(0, fact_number(tool, "signals")) + orphans;

	if (!(signals > 0) || slurm_ended(facts, tool) || failing_is_outcomes(facts, tool) || failing_ended_itself(facts, tool) > 0 ||
	    time_up_passed_on(facts->report, name) || is_beside(facts, tool) || ended_with_step(facts->report, name) ||
	    ended_with_cancelled_step(facts->report, name))
		return 0;
	return signals - killed_for_memory(facts, tool);
}

double failing_killed(const struct facts *facts, struct json_object *tool)
{
	return failing_is_works(facts, tool) ? 0 : failing_killed_in_all(facts, tool);
}

bool failing_any_killed(const struct facts *facts)
{
	struct json_object *tools = field_typed(facts->report, "tools", json_type_array);

	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		double killed = failing_is_users(tool) ? failing_killed(facts, tool) : 0;

		if (killed > 0 && (!programs_is_asked(field_text(tool, "name")) || killed >= fact_number(tool, "runs")))
			return true;
	}
	return false;
}

/* A tool that failed, or was killed, and how much that says. */
struct failing {
	struct json_object *tool; /* NULL: there is none */
	enum culprit_rank rank;
	double count, runs;
};

/* Of one rank, the tool with the highest count is the one to name; of these, that with the fewest runs. */
static bool is_worse(const struct failing *one, const struct failing *other)
{
	if (!other->tool || one->rank != other->rank)
		return !other->tool || one->rank > other->rank;
	return one->count > other->count || (one->count == other->count && one->runs < other->runs);
}

double failing_count(const struct facts *facts, failing_count_of *count_of, struct json_object **worst)
{
	struct json_object *tools = field_typed(facts->report, "tools", json_type_array);
	const char *of_job = culprit_tool(facts->report);
	struct failing found = { .tool = NULL };
	double count = 0;

	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		struct failing failing = { tool, culprit_rank(tool, of_job), count_of(facts, tool), fact_number(tool, "runs") };

		if (!(failing.count > 0) || !failing_is_users(tool))
			continue;
		count++;
		if (is_worse(&failing, &found))
			found = failing;
	}
	if (worst)
		*worst = found.tool;
	return count;
}
