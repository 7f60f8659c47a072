/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the outcome: state, elapsed time, what to ask for next time, and the output's file. */
#include "reports/verdict/outcome.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/ending/not_found.h"
#include "reports/ending/parts.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/verdict/outcome_internal.h"

#define NOT_STARTED ": Slurm could not start "
#define SCRIPT_KILLED ": the kernel killed the job script"
#define DID_NOT_NOTICE "did not notice"
#define HAS_NOT_NOTICED "has not noticed"
/* Slurm's number for a task that it could not start, mostly because the output's directory is missing; no signal */
#define NOT_LAUNCHED 53
#define MIB (1024 * 1024.0)
#define PATH_SHOWN 256 /* bytes; a longer path is left out, because a part of a path is useless */

static void append_after(const struct facts *facts, const char *word, char text[OUTCOME_TEXT])
{
	char elapsed[DURATION_TEXT];

	if (!isnan(facts->elapsed_s))
		append(text, " %s %s", word, worded_duration_text(facts->elapsed_s, elapsed));
}

static void append_nodes(const struct facts *facts, char text[OUTCOME_TEXT])
{
	double nodes = report_number(facts->report->allocated.nodes);

	if (nodes > 0)
		append(text, " on %.0f node%s", nodes, plural(nodes));
}

/* "3.9 of 4 cores"; "7.9 of 8 CPUs" if two threads shared a core */
static void append_cores(const struct facts *facts, char text[OUTCOME_TEXT])
{
	bool beyond = busy_beyond_cores(facts->shares.cores_busy, facts->cores, facts->cpus);
	double count = beyond ? facts->cpus : facts->cores;

	append(text, "%.1f of %.0f %s%s", facts->shares.cores_busy, count, beyond ? "CPU" : "core", plural(count));
}

static void append_busy(const struct facts *facts, char text[OUTCOME_TEXT])
{
	double head_s = report_s(facts->report->progress.idle_head_s), tail_s = report_s(facts->report->progress.idle_tail_s);
	char quiet[DURATION_TEXT], percent[PERCENT_TEXT], gpus[GPU_FACTS_TEXT];

	if (!facts->complete || !(facts->elapsed_s >= fact_rule(facts, RULE_LIVE_MIN)))
		return;
	if (facts_waited_for_gpus(facts))
		append(text, ": %s", gpu_facts_text(&facts->gpu, gpus));
	else if (head_s >= facts->elapsed_s)
		append(text, ": it had done nothing at all");
	else if (tail_s >= fact_rule(facts, RULE_IDLE_EDGE))
		append(text, ": it had done nothing for %s", worded_duration_text(tail_s, quiet));
	else if (facts->shares.cause[CAUSE_IDLE] >= fact_rule(facts, RULE_IDLE_SHARE))
		append(text, ": it was idle for %s of the time", percent_text(facts->shares.cause[CAUSE_IDLE], percent));
	else if (!isnan(facts->shares.cores_busy) && facts->cores > 0) {
		append(text, ": it was working (on average ");
		append_cores(facts, text);
		append(text, ")");
	}
}

/*
 * After a limit was reached, it is not known how much the job needs.
 * A step that gets all memory of its job cannot get more.
 */
static bool may_need_more(const struct facts *facts, const char *line, double value)
{
	return strncmp(line, "srun ", strlen("srun ")) != 0 || value + MIB < facts->memory_limit;
}

enum asked { ASKED_MEMORY, ASKED_TIME };

static void append_advice(const struct facts *facts, enum asked asked, char text[OUTCOME_TEXT])
{
	const struct report_advice_list *list = &facts->report->advice;

	for (size_t i = 0; i < list->count; i++) {
		const struct report_advice *advice = &list->items[i];
		int64_t value = asked == ASKED_TIME ? advice->time_limit_s : advice->memory_bytes;

		if (!advice->line || value < 0)
			continue;
		append(text, ". Next time: %s%s", advice->line, may_need_more(facts, advice->line, (double)value) ? " or more" : "");
		return;
	}
}

const char *outcome_path(const struct report *report, const char *path)
{
	const char *directory = report->job.work_dir;
	size_t length = directory ? strlen(directory) : 0;

	return length && strncmp(path, directory, length) == 0 && path[length] == '/' && path[length + 1] ? path + length + 1 : path;
}

#define ITS_OUTPUT ". Its output: "

static void append_output(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const char *path = facts->report->job.std_out;

	if (path && *path && strcmp(path, "/dev/null") != 0 && strlen(path) <= PATH_SHOWN)
		append(text, ITS_OUTPUT "%s", outcome_path(facts->report, path));
}

size_t outcome_before_output(const struct report *report, const char *outcome)
{
	const char *path = report->job.std_out, *shown = path ? outcome_path(report, path) : "";
	size_t length = strlen(outcome), last = strlen(ITS_OUTPUT) + strlen(shown), before = length - last;

	if (!path || length < last || strncmp(outcome + before, ITS_OUTPUT, strlen(ITS_OUTPUT)) != 0)
		return length;
	return strcmp(outcome + length - strlen(shown), shown) == 0 ? before : length;
}

/* Slurm 24.11 gives no reason, only the signal NOT_LAUNCHED. No process of the job ran. */
static bool was_not_launched(const struct facts *facts, const char *reason, int64_t signal)
{
	if (signal != NOT_LAUNCHED)
		return false;
	return reason ? strcmp(reason, "JobLaunchFailure") == 0 : facts->report->used.processes == 0;
}

/*
 * Appends @before and "step 0 reached its own time limit after 1 min 29 s".
 * If several steps reached their limits, appends how many. Returns false if no step did.
 */
static bool append_timed_out_steps(const struct facts *facts, const char *before, char text[OUTCOME_TEXT])
{
	const struct report_step_list *steps = &facts->report->steps;
	const struct report_step *first = NULL;
	char elapsed[DURATION_TEXT];
	double count = 0, elapsed_s;

	for (size_t i = 0; i < steps->count; i++) {
		if (!steps->items[i].timed_out)
			continue;
		first = first ? first : &steps->items[i];
		count++;
	}
	if (!first)
		return false;
	elapsed_s = report_s(first->elapsed_s);
	append(text, "%s", before);
	if (count > 1)
		append(text, "%.0f steps reached their own time limits; ", count);
	append(text, "step %s %s", first->id, count > 1 ? "was the first" : "reached its own time limit");
	if (!isnan(elapsed_s))
		append(text, "%s after %s", count > 1 ? "," : "", worded_duration_text(elapsed_s, elapsed));
	return true;
}

static bool was_killed_for_memory(const struct facts *facts)
{
	return facts->oom_kills > 0;
}

static bool script_ended_well(const struct facts *facts)
{
	const struct report_step *step = parts_batch_step(facts->report);

	return step && step->signal <= 0 && step->exit_code == 0;
}

/*
 * Appends "; python3 was killed at the limit of 8.0 GiB at 00:00:03", and what to ask for.
 * Says this even if something else ended the job: the job may have waited in vain for the killed process.
 * Returns false if nothing was killed.
 */
static bool append_lost_for_memory(const struct facts *facts, char text[OUTCOME_TEXT])
{
	if (!was_killed_for_memory(facts))
		return false;
	append(text, "; ");
	outcome_victims(facts, text);
	append_advice(facts, ASKED_MEMORY, text);
	return true;
}

/*
 * Appends ": the kernel killed the job script at 00:00:03, and Slurm did not notice".
 * @slurm: what Slurm did: "did not notice".
 * Returns false if there was no such kill.
 */
static bool append_unnoticed(const struct facts *facts, const char *slurm, char text[OUTCOME_TEXT])
{
	if (!facts->unnoticed)
		return false;
	append(text, SCRIPT_KILLED);
	outcome_moment(facts, facts->unnoticed->time, text);
	append(text, ", and Slurm %s", slurm);
	return true;
}

static void write_out_of_memory(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "OUT OF MEMORY: ");
	if (was_killed_for_memory(facts))
		outcome_victims(facts, text);
	else
		append(text, "Slurm says so, but stint saw no process killed");
	if (was_killed_for_memory(facts) && script_ended_well(facts))
		append(text, "; the job script still ended with 0");
	append_advice(facts, ASKED_MEMORY, text);
}

static void write_failed(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const struct report_job *job = &facts->report->job;
	int64_t code = count_or_0(job->exit_code), signal = count_or_0(job->signal);
	const char *reason = job->reason, *unexecuted = signal ? NULL : not_started_reason(facts->report, "batch", code);

	append(text, "FAILED");
	if (was_killed_for_memory(facts)) {
		append(text, ": ");
		outcome_victims(facts, text);
		append_advice(facts, ASKED_MEMORY, text);
	} else if (was_not_launched(facts, reason, signal)) {
		append(text, NOT_STARTED "it: see whether the directory of its output exists, and is writable");
		append_output(facts, text);
	} else if (unexecuted) {
		append(text, NOT_STARTED "the job script: %s (exit code %lld): see the interpreter in its first line",
		       unexecuted, (long long)code);
		append_output(facts, text);
	} else if (code || signal) {
		append(text, ": ");
		outcome_culprit(facts, code, signal, text);
		append_timed_out_steps(facts, "; ", text);
		append_output(facts, text);
	} else {
		append_after(facts, "after", text);
		append(text, "%s%s", reason ? ": Slurm's reason is " : "", reason ? reason : "");
	}
}

static void write_completed(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "COMPLETED");
	append_after(facts, "in", text);
	append_nodes(facts, text);
	if (was_killed_for_memory(facts)) {
		append(text, ", but ");
		outcome_victims(facts, text);
		append_advice(facts, ASKED_MEMORY, text);
	} else if (facts->work.found) {
		append(text, ", but ");
		outcome_failed_work(facts, text);
		append_timed_out_steps(facts, "; ", text);
		append_output(facts, text);
	} else if (facts->left.steps > 0) {
		append(text, ", but ");
		outcome_left_behind(&facts->left, text);
		append_timed_out_steps(facts, "; ", text);
	} else if (append_timed_out_steps(facts, ", but ", text)) {
		append_output(facts, text);
	} else {
		outcome_killed(facts, text);
	}
}

static void write_timeout(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "TIMEOUT");
	append_after(facts, "after", text);
	if (!append_unnoticed(facts, DID_NOT_NOTICE, text))
		append_busy(facts, text);
	if (!append_lost_for_memory(facts, text))
		append_advice(facts, ASKED_TIME, text);
}

static void write_cancelled(const struct facts *facts, char text[OUTCOME_TEXT])
{
	int64_t signal = facts->report->job.signal;
	char name[SIGNAL_TEXT];

	append(text, "CANCELLED");
	if (signal > 0)
		append(text, " by %s", signal_text(signal, name));
	append_after(facts, "after", text);
	if (!append_unnoticed(facts, DID_NOT_NOTICE, text))
		append_busy(facts, text);
	append_lost_for_memory(facts, text);
}

static void write_running(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "RUNNING");
	append_after(facts, "for", text);
	append_nodes(facts, text);
	append_unnoticed(facts, HAS_NOT_NOTICED ": scancel ends the job", text);
	append_lost_for_memory(facts, text);
}

static const struct {
	const char *state;
	/* NULL: writes state, elapsed time and reason */
	void (*write)(const struct facts *facts, char text[OUTCOME_TEXT]);
	const char *reason; /* NULL: none */
} endings[] = {
	{ "COMPLETED", write_completed, NULL },
	{ "FAILED", write_failed, NULL },
	{ "OUT_OF_MEMORY", write_out_of_memory, NULL },
	{ "TIMEOUT", write_timeout, NULL },
	{ "CANCELLED", write_cancelled, NULL },
	{ "RUNNING", write_running, NULL },
	{ "DEADLINE", NULL, "Slurm ended it at its deadline" },
	{ "PREEMPTED", NULL, "Slurm gave its nodes to another job" },
	{ "NODE_FAIL", NULL, "Slurm lost one of its nodes, which is not the job's fault" },
	{ "BOOT_FAIL", NULL, "a node did not start" },
	{ "REQUEUED", NULL, "this attempt is over, and Slurm starts the job again" },
};

const char *outcome_text(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const char *state = facts->report->job.state, *reason = NULL;

	text[0] = '\0';
	for (size_t i = 0; state && i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (strcmp(state, endings[i].state) != 0)
			continue;
		if (endings[i].write) {
			endings[i].write(facts, text);
			return text;
		}
		reason = endings[i].reason;
	}
	if (state)
		outcome_name(text, state);
	else
		append(text, "State not known");
	append_after(facts, "after", text);
	append(text, "%s%s", reason ? ": " : "", reason ? reason : "");
	append_lost_for_memory(facts, text);
	return text;
}

const char *outcome_of_report(const struct report *report, char text[OUTCOME_TEXT])
{
	struct rules defaults;
	struct facts facts;

	if (report->verdict.outcome)
		return report->verdict.outcome;
	rules_defaults(&defaults);
	facts_read(&facts, report, &defaults);
	return outcome_text(&facts, text);
}

/* Returns 11 for "was killed by signal 11 SIGSEGV"; 0 if no signal is named. */
static int64_t signal_in(const char *sentence)
{
	const char *killed = sentence ? strstr(sentence, WAS_KILLED "signal ") : NULL;

	return killed ? strtoll(killed + strlen(WAS_KILLED "signal "), NULL, 10) : 0;
}

static bool says(const char *sentence, const char *words)
{
	return sentence && strstr(sentence, words);
}

bool outcome_not_started(const char *sentence)
{
	return says(sentence, NOT_STARTED "it") || says(sentence, NOT_STARTED "the job script");
}

static const char *unnoticed_in(const char *sentence)
{
	if (!says(sentence, SCRIPT_KILLED))
		return NULL;
	if (says(sentence, ", and Slurm " HAS_NOT_NOTICED))
		return HAS_NOT_NOTICED;
	return says(sentence, ", and Slurm " DID_NOT_NOTICE) ? DID_NOT_NOTICE : NULL;
}

const char *outcome_short(const char *state, const char *sentence, int64_t code, int64_t signal, char text[OUTCOME_SHORT])
{
	char name[SIGNAL_TEXT];
	const char *abbreviated, *slurm = unnoticed_in(sentence);

	if (slurm) {
		snprintf(text, OUTCOME_SHORT, "job script killed, and Slurm %s", slurm);
		return text;
	}
	if (!state || strcmp(state, "FAILED") != 0)
		return NULL;
	if (outcome_not_started(sentence)) {
		snprintf(text, OUTCOME_SHORT, "not started");
		return text;
	}
	if (signal <= 0 && code > SIGNAL_CODE)
		signal = signal_in(sentence); /* the shell passed the signal on as an exit code */
	abbreviated = signal > 0 ? strstr(signal_text(signal, name), "SIG") : NULL;
	if (signal > 0)
		snprintf(text, OUTCOME_SHORT, "%s", abbreviated ? abbreviated : name);
	else if (says(sentence, SHELL_FOUND_NOTHING))
		snprintf(text, OUTCOME_SHORT, "command not found");
	else if (says(sentence, SHELL_COULD_NOT_RUN))
		snprintf(text, OUTCOME_SHORT, "command not executable");
	else if (code > 0)
		snprintf(text, OUTCOME_SHORT, "exit %lld", (long long)code);
	else
		return NULL;
	return text;
}
