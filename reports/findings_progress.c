/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of time, and of what the job's tools did in it. */
#include <math.h>
#include <string.h>

#include "reports/evidence.h"
#include "reports/field.h"
#include "reports/findings_part.h"

#define S_PER_H 3600.0

/* ---- the time limit ---- */

static void put_limit(const struct facts *facts, struct json_object *evidence)
{
	evidence_seconds(evidence, "elapsed_s", facts->elapsed_s);
	evidence_seconds(evidence, "time_limit_s", facts->limit_s);
}

bool findings_time_limit_hit(const struct facts *facts, struct json_object *evidence)
{
	put_limit(facts, evidence);
	return facts->timed_out;
}

bool findings_time_limit_near(const struct facts *facts, struct json_object *evidence)
{
	put_limit(facts, evidence);
	return !facts->timed_out && facts->elapsed_s > 0 &&
	       facts->elapsed_s >= fact_rule(facts, RULE_TIME_NEAR) * facts->limit_s;
}

bool findings_time_limit_long(const struct facts *facts, struct json_object *evidence)
{
	put_limit(facts, evidence);
	return facts->completed && facts->limit_s >= fact_rule(facts, RULE_TIME_OVER_MIN) &&
	       facts->limit_s >= fact_rule(facts, RULE_TIME_OVER) * facts->elapsed_s;
}

/* ---- time in which nothing happened ---- */

static bool idle_edge(const struct facts *facts, struct json_object *evidence, const char *name)
{
	double idle_s = fact_number(facts->report, name) - facts->suspended_s;

	evidence_seconds(evidence, strchr(name, '.') + 1, idle_s);
	evidence_seconds(evidence, "elapsed_s", facts->elapsed_s);
	evidence_number(evidence, "idle_core_hours", idle_s * facts->cores / S_PER_H, "core-hours");
	return idle_s > 0 && idle_s >= fact_rule(facts, RULE_IDLE_EDGE) &&
	       idle_s >= fact_rule(facts, RULE_IDLE_EDGE_SHARE) * facts->elapsed_s;
}

bool findings_idle_head(const struct facts *facts, struct json_object *evidence)
{
	return idle_edge(facts, evidence, "progress.idle_head_s");
}

bool findings_idle_tail(const struct facts *facts, struct json_object *evidence)
{
	return idle_edge(facts, evidence, "progress.idle_tail_s");
}

/* A shell waits quietly for what it started, a daemon for whoever calls: it is told when the job was quiet, too. */
bool findings_stalled(const struct facts *facts, struct json_object *evidence)
{
	struct json_object *list = field_typed(facts->report, "progress.stalls", json_type_array), *longest = NULL;
	double quiet_s = NAN, count = 0;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *stall = json_object_array_get_idx(list, i);
		double stall_s = fact_number(stall, "quiet_s");

		if (!(stall_s > 0) ||
		    !(facts->time_s - facts->active_s >= fact_rule(facts, RULE_STALL_QUIET) * stall_s))
			continue;
		count++;
		if (!(stall_s <= quiet_s)) {
			quiet_s = stall_s;
			longest = stall;
		}
	}
	evidence_count(evidence, "stalls", count);
	evidence_text(evidence, "tool", field_text(longest, "tool"));
	evidence_text(evidence, "node", field_text(longest, "node"));
	evidence_text(evidence, "step", field_text(longest, "step"));
	evidence_count(evidence, "pid", fact_number(longest, "pid"));
	evidence_text(evidence, "start", field_text(longest, "start"));
	evidence_seconds(evidence, "quiet_s", quiet_s);
	return count > 0;
}

bool findings_empty_steps(const struct facts *facts, struct json_object *evidence)
{
	struct json_object *list = field_typed(facts->report, "progress.steps_without_processes", json_type_array);
	const char *first = NULL;
	double count = 0;

	for (size_t i = 0; i < field_length(list); i++) {
		const char *id = json_object_get_string(json_object_array_get_idx(list, i));

		/* The extern step is Slurm's; nothing is meant to run there. */
		if (!id || strcmp(id, "extern") == 0)
			continue;
		if (!first)
			first = id;
		count++;
	}
	evidence_count(evidence, "steps", count);
	evidence_text(evidence, "step", first);
	return count > 0;
}

/* ---- tools ---- */

static struct json_object *tool_at(const struct facts *facts, size_t i)
{
	return json_object_array_get_idx(field_typed(facts->report, "tools", json_type_array), i);
}

static size_t tool_count(const struct facts *facts)
{
	return field_length(field_typed(facts->report, "tools", json_type_array));
}

static bool is_users(struct json_object *tool)
{
	return field_typed(tool, "slurm", json_type_boolean) && !field_true(tool, "slurm");
}

/* The user's tools of which @name is above 0. Returns how many; @worst: that with most. */
static double count_tools(const struct facts *facts, const char *name, struct json_object **worst)
{
	double count = 0, highest = 0;

	*worst = NULL;
	for (size_t i = 0; i < tool_count(facts); i++) {
		struct json_object *tool = tool_at(facts, i);
		double value = fact_number(tool, name);

		if (!is_users(tool) || !(value > 0))
			continue;
		count++;
		if (value > highest) {
			highest = value;
			*worst = tool;
		}
	}
	return count;
}

static bool failing(const struct facts *facts, struct json_object *evidence, const char *name)
{
	struct json_object *worst;
	double count = count_tools(facts, name, &worst);

	evidence_count(evidence, "tools", count);
	evidence_text(evidence, "tool", field_text(worst, "name"));
	evidence_count(evidence, name, fact_number(worst, name));
	evidence_count(evidence, "runs", fact_number(worst, "runs"));
	return count > 0;
}

bool findings_tools_killed(const struct facts *facts, struct json_object *evidence)
{
	return failing(facts, evidence, "signals");
}

bool findings_tools_failed(const struct facts *facts, struct json_object *evidence)
{
	return failing(facts, evidence, "failures");
}

/* Only tools that are short themselves count: the shell that starts them lives as long as the job. */
bool findings_process_storm(const struct facts *facts, struct json_object *evidence)
{
	struct json_object *most = NULL;
	double processes = 0, life_s = 0, highest = 0;

	for (size_t i = 0; i < tool_count(facts); i++) {
		struct json_object *tool = tool_at(facts, i);
		double wall_s = fact_number(tool, "wall_s"), forks = fact_number(tool, "forks");
		double images = fact_number(tool, "runs") + (forks > 0 ? forks : 0);

		if (!is_users(tool) || !(wall_s < fact_rule(facts, RULE_STORM_LIFE) * images))
			continue;
		processes += images;
		life_s += wall_s;
		if (images > highest) {
			highest = images;
			most = tool;
		}
	}
	evidence_count(evidence, "processes", processes);
	evidence_number(evidence, "processes_per_s", processes / facts->time_s, "1/s");
	evidence_seconds(evidence, "life_mean_s", life_s / processes);
	evidence_text(evidence, "tool", field_text(most, "name"));
	evidence_count(evidence, "runs", highest);
	return processes > 0 && processes >= fact_rule(facts, RULE_STORM_MIN) &&
	       processes >= fact_rule(facts, RULE_STORM_RATE) * facts->time_s;
}
