/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds time without activity, and tools that failed or were killed. */
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/ending/culprit.h"
#include "reports/ending/ended_with_step.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/launch.h"
#include "reports/ending/left_behind.h"
#include "reports/ending/not_found.h"
#include "reports/ending/parts.h"
#include "reports/json/shells.h"
#include "reports/json/units.h"
#include "reports/rules/evidence.h"
#include "reports/rules/failing_tools.h"
#include "reports/verdict/findings_internal.h"

#define S_PER_H 3600.0
#define CPU_LIMIT_MIN_S 0.5 /* the least limit is 1 s; the kernel counts clock ticks on a CPU, so the used CPU time can be less */
#define PASSED_MAX 16 /* failed runs of a tool to look at; each look searches the timeline */

/* Threads may have waited for GPUs at work. */
static bool idle_edge(const struct facts *facts, struct evidence *evidence, const char *name, struct report_seconds edge)
{
	double idle_s = report_s(edge) - facts->suspended_s;

	evidence_seconds(evidence, name, idle_s);
	if (!(idle_s >= facts->elapsed_s)) /* else both numbers are the same */
		evidence_seconds(evidence, "elapsed_s", facts->elapsed_s);
	evidence_number(evidence, "idle_core_hours", idle_s * facts->cores / S_PER_H, "core-hours");
	return !facts_gpus_may_work(facts) && idle_s > 0 && idle_s >= fact_rule(facts, RULE_IDLE_EDGE) &&
	       idle_s >= fact_rule(facts, RULE_IDLE_EDGE_SHARE) * facts->elapsed_s;
}

/* @took_s: time in which only Slurm and its plugins worked. */
static bool is_slow_launch(const struct facts *facts, double took_s)
{
	return took_s >= fact_rule(facts, RULE_LAUNCH_MIN) &&
	       took_s >= fact_rule(facts, RULE_LAUNCH_SHARE) * facts->elapsed_s;
}

bool findings_slow_launch(const struct facts *facts, struct evidence *evidence)
{
	struct launch launch;

	launch_longest(facts->report, &launch);
	evidence_seconds(evidence, "launch_s", launch.took_s);
	evidence_seconds(evidence, "elapsed_s", facts->elapsed_s);
	evidence_text(evidence, "step", launch.step);
	if (launch.tool) {
		evidence_text(evidence, "tool", launch.tool->name);
		evidence_seconds(evidence, "cpu_s", report_s(launch.tool->cpu_s));
		evidence_bytes(evidence, "peak_bytes", report_number(launch.tool->peak_bytes));
	}
	return is_slow_launch(facts, launch.took_s);
}

/* During a slow launch, Slurm and its plugins worked, so this time was not idle. */
bool findings_idle_head(const struct facts *facts, struct evidence *evidence)
{
	struct report_seconds head = facts->report->progress.idle_head_s;
	double launch_s = launch_of_first(facts->report), rest_s = report_s(head) - launch_s;

	return idle_edge(facts, evidence, "idle_head_s", head) &&
	       (!is_slow_launch(facts, launch_s) || rest_s >= fact_rule(facts, RULE_IDLE_EDGE));
}

bool findings_idle_tail(const struct facts *facts, struct evidence *evidence)
{
	return idle_edge(facts, evidence, "idle_tail_s", facts->report->progress.idle_tail_s);
}

/*
 * A quiet process is no finding by itself: shells wait for children, daemons for requests.
 * The whole job must have been quiet.
 */
bool findings_stalled(const struct facts *facts, struct evidence *evidence)
{
	const struct report_stall_list *list = &facts->report->progress.stalls;
	const struct report_stall *longest = NULL;
	double quiet_s = NAN, count = 0;

	for (size_t i = 0; i < list->count; i++) {
		double stall_s = report_s(list->items[i].quiet_s);

		if (!(stall_s > 0) ||
		    !(facts->time_s - facts->active_s >= fact_rule(facts, RULE_STALL_QUIET) * stall_s))
			continue;
		count++;
		if (!(stall_s <= quiet_s)) {
			quiet_s = stall_s;
			longest = &list->items[i];
		}
	}
	if (!longest)
		return false;
	evidence_count(evidence, "stalls", count);
	evidence_text(evidence, "tool", longest->tool);
	evidence_text(evidence, "node", longest->node);
	evidence_text(evidence, "step", longest->step);
	evidence_count(evidence, "pid", report_number(longest->pid));
	evidence_text(evidence, "start", longest->start);
	evidence_seconds(evidence, "quiet_s", quiet_s);
	return !facts_gpus_may_work(facts);
}

bool findings_empty_steps(const struct facts *facts, struct evidence *evidence)
{
	const struct report_texts *list = &facts->report->progress.steps_without_processes;
	const char *first = NULL;
	double count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const char *id = list->items[i];

		/* The extern step is Slurm's own, and has no program of the user. */
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

/* Returns true if the failed runs of @tool only passed on the answer "no" of other tools. */
static bool only_passed_answers(const struct facts *facts, const struct report_tool *tool)
{
	const struct report_entry_list *timeline = &facts->report->timeline;
	size_t looked = 0;

	for (size_t i = 0; tool->name && i < timeline->count; i++) {
		const struct report_entry *entry = &timeline->items[i];

		if (!failing_is_run(entry, tool->name) || !(ends_code(entry) > 0))
			continue;
		if (looked++ == PASSED_MAX || !work_failed_has_only_answers(facts->report, entry))
			return false;
	}
	return looked > 0;
}

/*
 * Leaves out killed runs, which failing_killed_in_all() counts.
 * Leaves out runs that failed because the reader of their output had ended.
 */
static double failed_in_all(const struct facts *facts, const struct report_tool *tool)
{
	double failures = report_number(tool->failures);

	if (!(failures > 0) || failing_is_outcomes(facts, tool) || failing_was_unread(facts, tool) || only_passed_answers(facts, tool))
		return 0;
	return failures - fmax(0, report_number(tool->signals));
}

static double failed(const struct facts *facts, const struct report_tool *tool)
{
	return failing_is_works(facts, tool) ? 0 : failed_in_all(facts, tool);
}

/*
 * Puts into @evidence how many tools failed, and the numbers of the worst tool.
 * Returns this tool; NULL if there is none.
 * @name: name in @evidence for the worst tool's result of @count_of.
 * @count_of: counts the failed runs of a tool.
 * @in_all: counts like @count_of, and also counts runs that the finding work-failed names.
 */
static const struct report_tool *put_failing(const struct facts *facts, struct evidence *evidence, const char *name,
					     failing_count_of *count_of, failing_count_of *in_all)
{
	const struct report_tool *worst;

	if (!(failing_count(facts, count_of, &worst) > 0) || !worst)
		return NULL;
	evidence_count(evidence, "tools", failing_count(facts, in_all, NULL));
	evidence_text(evidence, "tool", worst->name);
	evidence_count(evidence, name, count_of(facts, worst));
	evidence_count(evidence, "runs", report_number(worst->runs));
	return worst;
}

bool findings_tools_killed(const struct facts *facts, struct evidence *evidence)
{
	const struct report_tool *worst = put_failing(facts, evidence, "signals", failing_killed, failing_killed_in_all);
	char name[SIGNAL_TEXT];
	double signal;

	if (!worst)
		return false;
	signal = failing_ending(facts, worst, "signal");
	if (signal > 0)
		evidence_text(evidence, "signal", signal_text((int64_t)fact_at_most(signal, INT_MAX), name));
	if (left_behind_tool(&facts->left, facts->report, worst->name))
		evidence_count(evidence, "left_running", failing_killed(facts, worst));
	return true;
}

/* Returns NULL if a user may have sent @signal. */
static const char *hint_of_signal(int signal)
{
	switch (signal) {
	case SIGABRT: /* abort(): an assertion, an uncaught exception, or a limit of a runtime */
		return "It gave up by itself (abort): its own output says why.";
	case SIGBUS:
		return "It crashed: a bug, or a mapped file that was cut short or found no room: see whether /dev/shm or its disk was "
		       "full.";
	case SIGFPE:
	case SIGILL:
	case SIGSEGV:
		return "It crashed: a bug or bad input. The job's output may say more.";
	case SIGSYS:
		return "A filter (seccomp) forbids a system call that it made: ask the people who set up its container.";
	case SIGXFSZ:
		return "A file grew beyond the limit: raise that (ulimit -f), or write smaller files.";
	case SIGXCPU:
		return "It reached the limit of CPU time: raise that (ulimit -t), or do less in one process.";
	default:
		return NULL;
	}
}

/* Says that Slurm killed processes that the script left behind. The job's output does not say so. */
void findings_hint_tools_killed(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	const struct report_tool *worst = NULL;
	const char *hint;
	double signal;

	if (evidence_has(&evidence->list, "left_running")) {
		const struct report_entry *script = culprit_script(facts->report);
		bool well = script && ends_code(script) == 0;

		utf8_append(text, SENTENCE_TEXT, "Slurm ends what the script leaves behind: %s",
			    well ? "if the job needs it, let the script wait for it (wait)." : "see first why the script failed.");
		return;
	}
	failing_count(facts, failing_killed, &worst);
	if (!worst)
		return;
	signal = failing_ending(facts, worst, "signal");
	hint = signal > 0 ? hint_of_signal((int)fact_at_most(signal, INT_MAX)) : NULL;
	/* The kernel sends SIGKILL at the hard limit of CPU time (check_process_timers()). */
	if (signal == SIGKILL && !(facts->oom_kills > 0) && report_s(worst->cpu_s) >= CPU_LIMIT_MIN_S)
		hint = "If you did not end it, it may have reached its limit of CPU time (ulimit -t): the kernel killed nothing for memory.";
	utf8_append(text, SENTENCE_TEXT, "%s", hint ? hint : "");
}

/*
 * Returns how many runs of @tool failed if no failure was noticed; else 0.
 * The job must have completed. The shell must have started another process before each of these runs ended.
 */
static double unnoticed(const struct facts *facts, const struct report_tool *tool)
{
	const struct report_entry_list *timeline = &facts->report->timeline;
	double count = 0;

	if (!facts->completed || !tool->name || programs_is_asked(tool->name))
		return 0;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct report_entry *entry = &timeline->items[i];

		if (!failing_is_run(entry, tool->name) || !(ends_code(entry) > 0))
			continue;
		if (!entry->unawaited)
			return 0;
		count++;
	}
	return count;
}

bool findings_tools_failed(const struct facts *facts, struct evidence *evidence)
{
	const struct report_tool *worst = put_failing(facts, evidence, "failures", failed, failed_in_all);
	double code, itself, signal;
	char name[SIGNAL_TEXT];

	if (!worst)
		return false;
	code = failing_ending(facts, worst, "exit_code");
	itself = failing_ended_itself(facts, worst);
	signal = fact_at_most(failing_ending(facts, worst, "signal"), INT_MAX);
	evidence_count(evidence, "exit_code", code);
	evidence_count(evidence, "ended_itself", itself);
	if (itself > 0)
		evidence_text(evidence, "signal", signal_text((int64_t)signal, name));
	evidence_count(evidence, "unnoticed", unnoticed(facts, worst));
	evidence_text(evidence, "answer", programs_answer(worst->name, code));
	return true;
}

/* If the job itself ended with 126 or 127, the outcome says so. */
bool findings_not_found(const struct facts *facts, struct evidence *evidence)
{
	int64_t code = facts->report->job.exit_code;
	int commands = not_found_count(facts->report);

	if (code == EXIT_CANNOT_RUN || code == EXIT_NOT_FOUND || commands == 0)
		return false;
	evidence_count(evidence, "commands", commands);
	return true;
}

bool findings_work_failed(const struct facts *facts, struct evidence *evidence)
{
	const struct work_failed *work = &facts->work;
	char name[SIGNAL_TEXT];

	if (!work->found)
		return false;
	evidence_count(evidence, "steps_failed", work->steps_failed);
	evidence_count(evidence, "steps", work->steps);
	evidence_text(evidence, "step", work->step);
	evidence_count(evidence, "workers", work->workers);
	evidence_text(evidence, work->worker ? "forked_by" : "tool", work->tool ? work->tool : "its program");
	if (work->failures == work->runs && work->runs != 2) {
		evidence_count(evidence, "all_runs", work->runs);
	} else {
		evidence_count(evidence, "runs", work->runs);
		evidence_count(evidence, "failures", work->failures);
	}
	evidence_text(evidence, "not_started", work->not_started);
	evidence_count(evidence, "exit_code", work->signal || work->not_started ? NAN : (double)work->exit_code);
	if (work->signal)
		evidence_text(evidence, "signal", signal_text(work->signal, name));
	return true;
}

/* With "set -e", a shell ends when a program that it waits for fails. In a pipe, only the last program counts. */
void findings_hint_work_failed(const struct facts *facts, struct evidence *evidence, char text[SENTENCE_TEXT])
{
	const char *of_signal = hint_of_signal((int)facts->work.signal);

	(void)evidence;
	if (of_signal)
		utf8_append(text, SENTENCE_TEXT, "%s ", of_signal);
	if (facts->work.worker)
		utf8_append(text, SENTENCE_TEXT, "The program that had forked it went on and ended with 0: see whether this process's "
			    "part of the results is missing.");
	else if (facts->work.unawaited)
		utf8_append(text, SENTENCE_TEXT, "set -e sees such a failure in a pipe after set -o pipefail, and in the background "
			    "if the script waits for the process ID.");
	else if (of_signal)
		utf8_append(text, SENTENCE_TEXT, "If the script does not expect such a failure, let it end with a code other than 0. "
			    "set -e does that, but not for $(...) within another command, and not if an EXIT trap exits with 0.");
}

struct storm {
	double images, life_s; /* of all tools with short runs; images are their runs and forks */
	double forks;          /* processes that never ran a program of their own */
	double runs, runs_s;   /* of tools with more runs than forks */
	double highest;        /* images of @most */
	const struct report_tool *most;
};

/* Leaves out tools with long runs, such as the shell that starts all other programs and lives as long as the job. */
static void storm_add(struct storm *storm, const struct report_tool *tool, double life_max_s)
{
	double wall_s = report_s(tool->wall_s), forks = fmax(report_number(tool->forks), 0);
	double runs = report_number(tool->runs), count = runs + forks;

	if (!failing_is_users(tool) || !(wall_s < life_max_s * count))
		return;
	storm->images += count;
	storm->life_s += wall_s;
	storm->forks += forks;
	if (forks < runs) {
		storm->runs += runs;
		storm->runs_s += wall_s;
	}
	if (count > storm->highest) {
		storm->highest = count;
		storm->most = tool;
	}
}

/* Puts the mean life of a process. With forks, puts the mean time of a run: the life of a fork is not known. */
static void put_storm_life(const struct storm *storm, double processes, struct evidence *evidence)
{
	if (storm->forks == 0)
		evidence_seconds(evidence, "life_mean_s", storm->life_s / processes);
	else if (storm->runs > 0)
		evidence_seconds(evidence, "run_mean_s", storm->runs_s / storm->runs);
}

static void put_storm_most(const struct storm *storm, struct evidence *evidence)
{
	const struct report_tool *most = storm->most;
	double runs = report_number(most->runs), forks = report_number(most->forks);

	if (!(forks > runs)) {
		evidence_text(evidence, "tool", most->name);
		evidence_count(evidence, "runs", runs);
		return;
	}
	evidence_text(evidence, shells_is(most->name, most->interpreter) ? "shell" : "forking", most->name);
	evidence_count(evidence, "forks", forks);
}

bool findings_process_storm(const struct facts *facts, struct evidence *evidence)
{
	const struct report_tool_list *tools = &facts->report->tools;
	struct storm storm = { .most = NULL };
	double processes;

	for (size_t i = 0; i < tools->count; i++)
		storm_add(&storm, &tools->items[i], fact_rule(facts, RULE_STORM_LIFE));
	if (!storm.most)
		return false;
	/* A process that runs two programs is counted twice in images, but was started once. */
	processes = fmin(storm.images, report_number(facts->report->used.processes));
	evidence_count(evidence, "processes", processes);
	evidence_number(evidence, "processes_per_s", processes / facts->time_s, "1/s");
	put_storm_life(&storm, processes, evidence);
	put_storm_most(&storm, evidence);
	return processes > 0 && processes >= fact_rule(facts, RULE_STORM_MIN) &&
	       processes >= fact_rule(facts, RULE_STORM_RATE) * facts->time_s;
}
