/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/tool_threads.h"

#include <math.h>

#include "common/utf8.h"
#include "reports/ending/known_programs.h"
#include "reports/json/shells.h"

#define PIPE_SHARE 0.05 /* of the time that a tool was busy or waited at a pipe; a script that prints has less */
#define PILE_LIFE_S 1.0 /* mean time of short runs */
#define PIPE_PAIR 2     /* one tool may be twice in a pipeline: gzip -d | gzip -9 */

double tool_threads_cpus(const struct facts *facts)
{
	double per_task = facts_cpus_per_task(facts);

	return facts->tasks > 1 && per_task >= 1 ? fmin(per_task, facts->cpus_per_node) : facts->cpus_per_node;
}

static const char *interpreter_of(const struct report_tool *tool)
{
	return tool->interpreter ? tool->interpreter : tool->name;
}

/* A runtime starts threads without being asked. */
static bool has_threads_asked_for(const struct report_tool *tool)
{
	return !programs_has_own_threads(interpreter_of(tool));
}

/* A library with threads of its own computes without the interpreter's lock. */
const char *tool_threads_turns(const struct report_tool *tool)
{
	const char *interpreter = interpreter_of(tool);

	return programs_runs_threads_in_turns(interpreter) && !tool_threads_runtime(tool) ? interpreter : NULL;
}

static double wanted_s(const struct report_tool *tool)
{
	return report_s(tool->states.on_cpu_s) + report_s(tool->states.runnable_s);
}

/* The wall time covers only runs. Forks are assumed to live as long as runs. */
static double lived_s(const struct report_tool *tool)
{
	double runs = report_number(tool->runs), forks = report_number(tool->forks);

	return report_s(tool->wall_s) * (forks > 0 && runs > 0 ? 1 + forks / runs : 1);
}

static double busy_threads(const struct report_tool *tool)
{
	double wall_s = lived_s(tool);

	return wall_s > 0 ? wanted_s(tool) / wall_s : NAN;
}

/*
 * A thread that wants the interpreter's lock wakes up every few milliseconds.
 * On a loaded node, this thread waits for a CPU, and looks busy.
 */
bool tool_threads_in_turns(const struct facts *facts)
{
	double few = fact_rule(facts, RULE_CROWD_BUSY) * facts->cpus_used, beyond_s = 0;

	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];

		if (tool_threads_turns(tool) && lived_s(tool) > 0)
			beyond_s += fmax(0, wanted_s(tool) - lived_s(tool));
	}
	return beyond_s > 0 && facts->on_cpu_s + facts->runnable_s - beyond_s < few * facts->active_s;
}

bool tool_threads_piped(const struct report_tool *tool)
{
	double busy_s = wanted_s(tool), pipe_s = report_s(tool->states.pipe_s);

	return busy_s > 0 && pipe_s >= PIPE_SHARE * (busy_s + pipe_s);
}

/*
 * A shell runs short programs one after the other.
 * If other work has the CPU, these programs pile up and look busy at once.
 */
static bool piles_up(const struct facts *facts, const struct report_tool *tool)
{
	bool is_short = report_s(tool->wall_s) < PILE_LIFE_S * report_number(tool->runs);

	return facts->shares.kept >= fact_rule(facts, RULE_STARVED_WAIT) && (shells_is(tool->name, tool->interpreter) || is_short) &&
	       wanted_s(tool) <= fact_rule(facts, RULE_CROWD_BUSY) * facts->active_s;
}

bool tool_threads_of_pipeline(const struct facts *facts)
{
	double few = fact_rule(facts, RULE_CROWD_BUSY) * facts->cpus_used, all_s = facts->on_cpu_s + facts->runnable_s, piped_s = 0;

	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];
		double busy_s = wanted_s(tool);

		if (!tool_threads_piped(tool) && !piles_up(facts, tool))
			continue;
		if (busy_s > fmax(PIPE_PAIR, few) * facts->active_s)
			return false;
		piped_s += busy_s;
	}
	return piped_s > 0 && all_s - piped_s < few * facts->active_s;
}

const struct report_tool *tool_threads_crowding(const struct facts *facts)
{
	const struct report_tool *worst = NULL;
	double cpus = tool_threads_cpus(facts), most = fact_rule(facts, RULE_CROWD_BUSY) * cpus;

	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];
		double busy = busy_threads(tool);

		if (tool->slurm.value || !has_threads_asked_for(tool) || tool_threads_turns(tool) || !(busy > most) ||
		    !(report_number(tool->threads_peak) > cpus))
			continue;
		worst = tool;
		most = busy;
	}
	return worst;
}

/*
 * Returns true if idle threads of @tool are probably a library's helpers.
 * MPI's helpers wait for messages and timers. A pool's helpers watch forked processes.
 */
static bool has_helpers(const struct report_tool *tool)
{
	double waited_s = report_s(tool->states.lifetime_s) - wanted_s(tool);
	double helpers_s = report_s(tool->states.event_s) + report_s(tool->states.sleep_s);

	return report_number(tool->forks) > 0 || helpers_s > waited_s / 2;
}

const struct report_tool *tool_threads_idle(const struct facts *facts)
{
	const struct report_tool *first = NULL;
	double most_s = 0;

	for (size_t i = 0; i < facts->report->tools.count; i++) {
		const struct report_tool *tool = &facts->report->tools.items[i];
		double cpu_s = report_s(tool->cpu_s);

		if (tool->slurm.value || !(cpu_s > most_s))
			continue;
		first = tool;
		most_s = cpu_s;
	}
	return first && has_threads_asked_for(first) && report_number(first->threads_peak) > 1 && !has_helpers(first) ? first : NULL;
}

/* OpenBLAS, MKL and BLIS have their own variables, and read OMP_NUM_THREADS, too. */
const char *tool_threads_runtime(const struct report_tool *tool)
{
	if (report_number(tool->openmp_processes) > 0)
		return "an OpenMP runtime";
	return report_number(tool->blas_processes) > 0 ? "a BLAS library" : NULL;
}

void tool_threads_name(const struct report_tool *tool, char text[SENTENCE_TEXT])
{
	utf8_append_cut(text, SENTENCE_TEXT, NAME_SHOWN, tool->name ? tool->name : "A process");
	utf8_append(text, SENTENCE_TEXT, " had %.0f threads", report_number(tool->threads_peak));
}
