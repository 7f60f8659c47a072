/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/outcome.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/ending/culprit.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/not_found.h"
#include "reports/ending/parts.h"
#include "reports/ending/time_up.h"
#include "reports/ending/workers.h"
#include "reports/json/field.h"
#include "reports/json/oom_kills.h"
#include "reports/json/plural.h"
#include "reports/json/shells.h"
#include "reports/json/units.h"
#include "reports/rules/failing_tools.h"
#include "reports/rules/sentence.h"

#define NOT_STARTED ": Slurm could not start "
#define NOT_LAUNCHED 53 /* no signal: Slurm says so that a task was not started, mostly as its output has no directory */
#define MIB (1024 * 1024.0)
#define PATH_SHOWN 256 /* bytes; of a longer path, a part is of no use */

#define append(text, ...) utf8_append(text, OUTCOME_TEXT, __VA_ARGS__)

static void append_name(char text[OUTCOME_TEXT], const char *name)
{
	utf8_append_cut(text, OUTCOME_TEXT, NAME_SHOWN, name);
}

/* ---- what several endings say ---- */

static void append_after(const struct facts *facts, const char *word, char text[OUTCOME_TEXT])
{
	char elapsed[DURATION_TEXT];

	if (!isnan(facts->elapsed_s))
		append(text, " %s %s", word, worded_duration_text(facts->elapsed_s, elapsed));
}

static void append_nodes(const struct facts *facts, char text[OUTCOME_TEXT])
{
	double nodes = fact_number(facts->report, "allocated.nodes");

	if (nodes > 0)
		append(text, " on %.0f node%s", nodes, plural(nodes));
}

/* Appends "3.9 of 4 cores"; "7.9 of 8 CPUs" where two threads of the job shared a core. */
static void append_cores(const struct facts *facts, char text[OUTCOME_TEXT])
{
	bool beyond = busy_beyond_cores(facts->shares.cores_busy, facts->cores, facts->cpus);
	double count = beyond ? facts->cpus : facts->cores;

	append(text, "%.1f of %.0f %s%s", facts->shares.cores_busy, count, beyond ? "CPU" : "core", plural(count));
}

/* For a job that was ended from outside: whether it was worth waiting for. */
static void append_busy(const struct facts *facts, char text[OUTCOME_TEXT])
{
	double head_s = fact_number(facts->report, "progress.idle_head_s");
	double tail_s = fact_number(facts->report, "progress.idle_tail_s");
	char quiet[DURATION_TEXT], percent[PERCENT_TEXT];

	if (!facts->complete || !(facts->elapsed_s >= fact_rule(facts, RULE_LIVE_MIN)))
		return;
	if (facts_waited_for_gpus(facts))
		append(text, ": what its GPU%s did is not known", plural(facts->gpus));
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
 * Appends " at 00:00:12", since the job's start: Slurm's is in whole seconds, rounded down, and nothing ended after the
 * job.
 */
static void append_moment(const struct facts *facts, const char *time, char text[OUTCOME_TEXT])
{
	int64_t start_us, end_us;
	char moment[DURATION_TEXT];

	if (time_parse(field_text(facts->report, "job.start"), &start_us) &&
	    time_parse(time, &end_us) && end_us >= start_us)
		append(text, " at %s", duration_text(fmin((double)((end_us - start_us) / US_PER_S), facts->elapsed_s), moment));
}

/*
 * Whether more than @value may be needed, as after a limit was reached: how much more is not known. A step cannot have more than its job.
 */
static bool may_need_more(const struct facts *facts, const char *line, double value)
{
	return strncmp(line, "srun ", strlen("srun ")) != 0 || value + MIB < facts->memory_limit;
}

/* Appends the line to paste that asks for the number @name, if there is one: the job reached a limit. */
static void append_advice(const struct facts *facts, const char *name, char text[OUTCOME_TEXT])
{
	struct json_object *list = field_typed(facts->report, "advice", json_type_array);
	int64_t value;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *advice = json_object_array_get_idx(list, i);
		const char *line = field_text(advice, "line");

		if (!line || !field_count(advice, name, &value))
			continue;
		append(text, ". Next time: %s%s", line, may_need_more(facts, line, (double)value) ? " or more" : "");
		return;
	}
}

/* Appends @before and the name of the node of @entry, if the job had several nodes. */
static void append_node_of(const struct facts *facts, struct json_object *entry, const char *before, char text[OUTCOME_TEXT])
{
	const char *node = field_text(entry, "node");

	if (!node || !(fact_number(facts->report, "allocated.nodes") > 1))
		return;
	append(text, "%s", before);
	append_name(text, node);
}

/* ---- out of memory ---- */

static bool was_killed_for_memory(const struct facts *facts)
{
	return facts->oom_kills > 0;
}

/* Returns how many processes a victim's tool had, where all @kills were of it; NAN: there were others, or that is not known. */
static double processes_of_victims(const struct facts *facts, const char *name, double kills)
{
	struct json_object *tool = parts_tool(facts->report, name);

	return parts_victims(facts->report, name) == kills ? fact_number(tool, "runs") + fact_number(tool, "forks") : NAN;
}

/*
 * Appends "python3 and 2 more were", or "2 of 9 processes of python3 were" where it was not all of it. @chosen: how many the kernel
 * chose; the others it killed along with them.
 */
static void append_victim_names(const struct facts *facts, struct json_object *first, double chosen, char text[OUTCOME_TEXT])
{
	const char *tool = field_text(first, "tool"), *name = tool ? tool : field_text(first, "comm");
	double processes = tool && chosen == facts->oom_kills ? processes_of_victims(facts, tool, chosen) : NAN;

	if (processes > chosen)
		append(text, "%.0f of %.0f processes of ", chosen, processes);
	if (name)
		append_name(text, name);
	else
		append(text, "a process");
	if (field_true(first, "slurm"))
		append(text, " (which Slurm or a plugin of it ran)");
	if (!(processes > chosen) && chosen > 1)
		append(text, " and %.0f more", chosen - 1);
	append(text, chosen > 1 ? " were" : " was");
}

/* Appends " killed at the limit of 150.0 MiB". */
static void append_limit(const struct facts *facts, struct json_object *first, char text[OUTCOME_TEXT])
{
	double limit = fact_number(first, "limit_bytes");
	char size[SIZE_TEXT];

	if (!(facts->oom_of_job > 0))
		append(text, " killed because the node ran out of memory");
	else if (facts->oom_of_job < facts->oom_kills)
		append(text, " killed, %.0f of them because the node ran out of memory", facts->oom_kills - facts->oom_of_job);
	else if (facts_oom_limits_differ(facts))
		append(text, " killed, each at a limit of its own");
	else
		append(text, " killed at the limit of %s", isnan(limit) ? "the job" : size_text(limit, size));
}

/* Appends that, and when it was, and what reached the limit. */
static void append_victims(const struct facts *facts, char text[OUTCOME_TEXT])
{
	struct json_object *first = oom_kills_first(facts->report);
	const char *kernel = oom_kills_kernel_memory(first);
	double along = oom_kills_along(facts->report), chosen = facts->oom_kills - along;

	append_victim_names(facts, first, chosen, text);
	append_limit(facts, first, text);
	if (chosen == 1)
		append_moment(facts, field_text(first, "time"), text);
	if (chosen == 1 && facts->oom_of_job > 0) /* else the sentence speaks of the node already */
		append_node_of(facts, first, " on ", text);
	if (along > 0)
		append(text, ", and %.0f other%s along with %s", along, plural(along), chosen > 1 ? "them" : "it");
	if (kernel)
		append(text, ": the kernel's memory for it (%s) reached the limit", kernel);
}

/* Whether the job script went on without what was killed, and ended with 0. */
static bool script_ended_well(const struct facts *facts)
{
	struct json_object *step = parts_batch_step(facts->report);

	return step && ends_code(step) == 0;
}

/*
 * Appends "; python3 was killed at the limit of 8.0 GiB at 00:00:03" to a sentence that says how the job ended otherwise, and what to ask
 * for: it may have waited for what it had lost. Returns false if nothing was killed.
 */
static bool append_lost_for_memory(const struct facts *facts, char text[OUTCOME_TEXT])
{
	if (!was_killed_for_memory(facts))
		return false;
	append(text, "; ");
	append_victims(facts, text);
	append_advice(facts, "memory_bytes", text);
	return true;
}

static void write_out_of_memory(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "OUT OF MEMORY: ");
	if (was_killed_for_memory(facts))
		append_victims(facts, text);
	else
		append(text, "Slurm says so, and no process was seen to be killed for it");
	if (was_killed_for_memory(facts) && script_ended_well(facts))
		append(text, "; the job script ended with 0 all the same");
	append_advice(facts, "memory_bytes", text);
}

/* ---- failed ---- */

#define WAS_KILLED "was killed by "

/* Appends "exit code 1", or "signal 9 SIGKILL". */
static void append_ending(int64_t code, int64_t signal, char text[OUTCOME_TEXT])
{
	char name[SIGNAL_TEXT];

	if (signal > 0)
		append(text, WAS_KILLED "%s", signal_text(signal, name));
	else
		append(text, "ended with exit code %lld", (long long)code);
}

#define SHELL_FOUND_NOTHING " (the shell did not find the command"
#define OR_INTERPRETER ", or the interpreter in its first line)"
#define SHELL_COULD_NOT_RUN " (the shell could not run the command)"

/* What shells say by their own exit codes, if these come from a command; other programs have other meanings for these. */
static const char *shells_reason(const struct facts *facts, struct json_object *shell, int64_t code)
{
	if ((code != EXIT_NOT_FOUND && code != EXIT_CANNOT_RUN) || !not_found_by(facts->report, shell))
		return "";
	return code == EXIT_NOT_FOUND ? SHELL_FOUND_NOTHING OR_INTERPRETER : SHELL_COULD_NOT_RUN;
}

/* Returns what the kernel says by @signal, which few users know by its name; NULL: nothing. */
static const char *limit_reason(int64_t signal)
{
	switch (signal) {
	case SIGXFSZ:
		return "a file grew beyond the limit: ulimit -f";
	case SIGXCPU:
		return "it reached the limit of CPU time: ulimit -t";
	case SIGSYS:
		return "a filter forbids a system call: seccomp";
	case SIGBUS: /* filemap_fault(), shmem_fault(): beyond the file's end, or no room */
		return "it crashed: a bug, or a mapped file cut short or without room, as in a full /dev/shm";
	default:
		return NULL;
	}
}

/* Appends what a process says by how it ended. */
static void append_reason(const struct facts *facts, struct json_object *entry, int64_t code, int64_t signal, char text[OUTCOME_TEXT])
{
	const char *limit = limit_reason(signal);

	if (limit)
		append(text, " (%s)", limit);
	else if (signal == SIGPIPE)
		append(text, " (nothing read its output any more)");
	else if (signal == SIGSEGV || signal == SIGILL || signal == SIGFPE)
		append(text, " (it crashed: a bug or bad input)");
	else if (signal == SIGABRT)
		append(text, " (it gave up by itself: abort)");
	else if (field_true(entry, "unread"))
		append(text, " (what read its output had ended before)");
	else if (signal <= 0 && shells_is(entry))
		append(text, "%s", shells_reason(facts, entry, code));
}

/* Appends what failed because of the process of @culprit, and when the job ended, if that was later. */
static void append_consequence(const struct facts *facts, const struct culprit *culprit, bool pipe_failed,
			       char text[OUTCOME_TEXT])
{
	const char *engine = field_text(culprit->engine, "tool"), *job = culprit->batch ? "the job script" : "the job";
	int64_t script_ns = facts->left.script_ns, end_ns;
	char later[DURATION_TEXT + sizeof(" later")] = "", duration[DURATION_TEXT];

	if (engine) {
		append(text, "; ");
		append_name(text, engine);
		append(text, " failed because of it");
	}
	if (culprit->batch && facts->left.known && parts_end(culprit->entry, &end_ns) && script_ns - end_ns >= NS_PER_S)
		snprintf(later, sizeof(later), "%s later", worded_duration_text(round((double)(script_ns - end_ns) / NS_PER_S), duration));
	if (culprit->went_on) {
		append(text, "; the job script went on to ");
		append_name(text, culprit->went_on);
		append(text, ", and ended with the same exit code%s%s", *later ? " " : "", later);
	} else if (*later) {
		append(text, ", and %s ended %s", job, later);
	} else {
		append(text, ", and %s with it", job);
	}
	if (pipe_failed)
		append(text, " ('set -o pipefail')");
}

/* Appends " (pid 102)", and " (pid 102 on n2)" of a job on several nodes. */
static void append_pid(const struct facts *facts, struct json_object *entry, char text[OUTCOME_TEXT])
{
	int64_t pid;

	if (!field_count(entry, "pid", &pid))
		return;
	append(text, " (pid %lld", (long long)pid);
	append_node_of(facts, entry, " on ", text);
	append(text, ")");
}

static const char *const had_ended[] = { "had been killed", "had ended" };

/* Appends " (pid 102) had been killed by signal 11 SIGSEGV at 00:00:03 (it crashed: a bug or bad input)". @verbs: for signals, and codes */
static void append_worker_end(const struct facts *facts, struct json_object *worker, const char *const verbs[2], char text[OUTCOME_TEXT])
{
	int64_t code = 0, signal = 0;
	char name[SIGNAL_TEXT];

	append_pid(facts, worker, text);
	field_count(worker, "exit_code", &code);
	if (field_count(worker, "signal", &signal) && signal > 0) /* not WAS_KILLED: signal_in() looks for the program's own */
		append(text, " %s by %s", verbs[0], signal_text(signal, name));
	else
		append(text, " %s with exit code %lld", verbs[1], (long long)code);
	append_moment(facts, field_text(worker, "end"), text);
	append_reason(facts, worker, code, signal, text);
}

/* Appends how a worker of the program ended that failed, which may be why it did. @entry: NULL: it is not known */
static void append_worker(const struct facts *facts, struct json_object *entry, char text[OUTCOME_TEXT])
{
	struct json_object *worker = culprit_fork(facts->report, entry);

	if (!worker)
		return;
	append(text, "; a process that it had forked");
	append_worker_end(facts, worker, had_ended, text);
}

/* Appends how the program ended after which a shell ended with a code of its own: "solve || exit 3". */
static void append_before(const struct facts *facts, const struct culprit *culprit, char text[OUTCOME_TEXT])
{
	if (!culprit->before)
		return;
	append(text, "; before that, ");
	append_name(text, field_text(culprit->before, "tool"));
	append_worker_end(facts, culprit->before, had_ended, text);
}

/* Appends "solve (pid 102) ended with exit code 1 at 00:00:12", or that timeout ended it. */
static void append_failure(const struct facts *facts, struct json_object *entry, char text[OUTCOME_TEXT])
{
	struct json_object *out_of_time = time_up_program(facts->report, entry);
	int64_t code = 0, signal = 0;

	append_name(text, field_text(out_of_time ? out_of_time : entry, "tool"));
	append_pid(facts, out_of_time ? out_of_time : entry, text);
	append(text, " ");
	field_count(entry, "exit_code", &code);
	field_count(entry, "signal", &signal);
	if (out_of_time)
		append(text, "was ended by timeout");
	else
		append_ending(code, signal, text);
	append_moment(facts, field_text(entry, "end"), text);
	if (out_of_time)
		append(text, " (its time was up: exit code %lld)", (long long)ends_code(entry));
	else
		append_reason(facts, entry, code, signal, text);
}

/* Appends that @code is that of a child that a process above it had ended: "kill $server; wait $server". Returns false if it is none. */
static bool append_awaited(const struct facts *facts, const struct culprit *culprit, int64_t code, char text[OUTCOME_TEXT])
{
	struct json_object *child = code > SIGNAL_CODE ? culprit_dismissed(facts->report, culprit->entry, code) : NULL;

	if (!child)
		return false;
	append(text, " (that of ");
	append_name(text, field_text(child, "tool"));
	append(text, ", which a process above it had ended: kill and wait)");
	return true;
}

static void append_culprit(const struct facts *facts, int64_t code, int64_t signal, char text[OUTCOME_TEXT])
{
	struct culprit culprit = culprit_find(facts->report, signal > 0 ? SIGNAL_CODE + signal : code);
	bool in_pipe = (fact_number(culprit.entry, "signal") == SIGPIPE && !field_true(culprit.entry, "no_pipe")) ||
		       field_true(culprit.entry, "unread");

	if (!field_text(culprit.entry, "tool") || culprit.script) {
		append(text, "the job%s ", culprit.batch ? " script" : "");
		append_ending(code, signal, text);
		if (culprit.entry)
			append_moment(facts, field_text(culprit.entry, "end"), text);
		if (!append_awaited(facts, &culprit, code, text))
			append_reason(facts, culprit.entry, code, signal, text);
		if (culprit.script && signal <= 0 && culprit_is_shells_own(facts->report, culprit.entry))
			append(text, "; none of its programs failed: a command of the shell itself did, or exit gave the code");
	} else {
		append_failure(facts, culprit.entry, text);
		append_consequence(facts, &culprit, in_pipe && signal <= 0, text);
	}
	append_worker(facts, culprit.entry, text);
	append_before(facts, &culprit, text);
}

const char *outcome_path(struct json_object *report, const char *path)
{
	const char *directory = field_text(report, "job.work_dir");
	size_t length = directory ? strlen(directory) : 0;

	return length && strncmp(path, directory, length) == 0 && path[length] == '/' && path[length + 1] ? path + length + 1 : path;
}

#define ITS_OUTPUT ". Its output: "

/* Appends where the job script wrote to. */
static void append_output(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const char *path = field_text(facts->report, "job.std_out");

	if (path && *path && strcmp(path, "/dev/null") != 0 && strlen(path) <= PATH_SHOWN)
		append(text, ITS_OUTPUT "%s", outcome_path(facts->report, path));
}

size_t outcome_before_output(struct json_object *report, const char *outcome)
{
	const char *path = field_text(report, "job.std_out"), *shown = path ? outcome_path(report, path) : "";
	size_t length = strlen(outcome), last = strlen(ITS_OUTPUT) + strlen(shown), before = length - last;

	if (!path || length < last || strncmp(outcome + before, ITS_OUTPUT, strlen(ITS_OUTPUT)) != 0)
		return length;
	return strcmp(outcome + length - strlen(shown), shown) == 0 ? before : length;
}

/* Slurm 24.11 gives no reason but that signal: then nothing of the job has run. */
static bool was_not_launched(const struct facts *facts, const char *reason, int64_t signal)
{
	if (signal != NOT_LAUNCHED)
		return false;
	return reason ? strcmp(reason, "JobLaunchFailure") == 0 : fact_number(facts->report, "used.processes") == 0;
}

/*
 * Appends @before and "step 0 reached its own time limit after 1 min 29 s", or of several steps how many did. Returns whether
 * any did.
 */
static bool append_timed_out_steps(const struct facts *facts, const char *before, char text[OUTCOME_TEXT])
{
	struct json_object *steps = field_typed(facts->report, "steps", json_type_array), *first = NULL;
	char elapsed[DURATION_TEXT];
	double count = 0, elapsed_s;

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!field_true(step, "timed_out"))
			continue;
		first = first ? first : step;
		count++;
	}
	if (!first)
		return false;
	elapsed_s = fact_number(first, "elapsed_s");
	append(text, "%s", before);
	if (count > 1)
		append(text, "%.0f steps reached their own time limits, first ", count);
	append(text, "step %s%s", field_text(first, "id"), count > 1 ? "" : " reached its own time limit");
	if (!isnan(elapsed_s))
		append(text, " after %s", worded_duration_text(elapsed_s, elapsed));
	return true;
}

static void write_failed(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const char *reason = field_text(facts->report, "job.reason"), *unexecuted;
	int64_t code = 0, signal = 0;

	field_count(facts->report, "job.exit_code", &code);
	field_count(facts->report, "job.signal", &signal);
	unexecuted = signal ? NULL : not_started_reason(facts->report, "batch", code);
	append(text, "FAILED");
	if (was_killed_for_memory(facts)) {
		append(text, ": ");
		append_victims(facts, text);
		append_advice(facts, "memory_bytes", text);
	} else if (was_not_launched(facts, reason, signal)) {
		append(text, NOT_STARTED "it: see whether the directory of its output exists, and is writable");
		append_output(facts, text);
	} else if (unexecuted) {
		append(text, NOT_STARTED "the job script: %s (exit code %lld): see the interpreter in its first line",
		       unexecuted, (long long)code);
		append_output(facts, text);
	} else if (code || signal) {
		append(text, ": ");
		append_culprit(facts, code, signal, text);
		append_timed_out_steps(facts, "; ", text);
		append_output(facts, text);
	} else {
		append_after(facts, "after", text);
		append(text, "%s%s", reason ? ": Slurm's reason is " : "", reason ? reason : "");
	}
}

/* ---- completed ---- */

/* Appends "samtools failed in all 3 runs (exit code 1)". */
static void append_failed_tool(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const struct work_failed *work = &facts->work;
	const char *limit = limit_reason(work->signal);
	char name[SIGNAL_TEXT];

	append_name(text, work->tool ? work->tool : "its program");
	if (work->not_started) {
		append(text, " failed to start (%s)", work->not_started);
		return;
	}
	append(text, "%s", work->signal ? " was killed" : " failed");
	if (work->failures == work->runs && work->runs > 2)
		append(text, " in all %.0f runs", work->runs);
	else if (work->runs > 1)
		append(text, " in %.0f of %.0f runs", work->failures, work->runs);
	if (!(work->failures > 1)) /* others may have failed on other nodes */
		append_node_of(facts, work->entry, " on ", text);
	if (work->signal)
		append(text, " (%s%s%s)", signal_text(work->signal, name), limit ? "; " : "", limit ? limit : "");
	else
		append(text, " (exit code %lld)", (long long)work->exit_code);
}

/* Appends "a process that pool.py had forked (pid 102) was killed by signal 11 SIGSEGV at 00:00:03 (it crashed: a bug or bad input)". */
static void append_lost_workers(const struct facts *facts, char text[OUTCOME_TEXT])
{
	static const char *const verbs[] = { "was killed", "ended" };
	bool several = facts->work.workers > 1;

	if (several)
		append(text, "%.0f processes that ", facts->work.workers);
	else
		append(text, "a process that ");
	append_name(text, facts->work.tool ? facts->work.tool : "a program");
	append(text, " had forked%s", several ? " failed: the first" : "");
	append_worker_end(facts, facts->work.entry, verbs, text);
}

/* Appends "2 of 6 steps failed: in step 1, samtools failed (exit code 1)". */
static void append_failed_work(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const struct work_failed *work = &facts->work;

	if (work->steps_failed > 0 && work->steps > 1)
		append(text, "%.0f of %.0f steps failed: in step %s, ", work->steps_failed, work->steps, work->step);
	append_failed_tool(facts, text);
}

/* Appends "step 0 still ran when the job script ended, and Slurm ended it". */
static void append_left_behind(const struct left_behind *left, char text[OUTCOME_TEXT])
{
	if (left->steps > 1)
		append(text, "%zu steps%s", left->steps, left->steps == LEFT_STEPS_MAX ? " or more" : "");
	else
		append(text, "step %s", left->step);
	append(text, " still ran when the job script ended, and Slurm ended %s", left->steps > 1 ? "them" : "it");
}

/*
 * Appends ", but solve was killed in 1 of 2 runs (signal 15 SIGTERM)", or that it still ran when the job script ended. What the script may have ended itself (pkill) is
 * not told, nor to who works in an allocation, and sees how each command ends.
 */
static void append_killed(const struct facts *facts, char text[OUTCOME_TEXT])
{
	struct json_object *worst = NULL;
	double killed, runs, signal;
	const char *tool;
	char name[SIGNAL_TEXT];

	if (!facts->complete || !parts_batch_step(facts->report) || !(failing_count(facts, failing_killed, &worst) > 0))
		return;
	tool = field_text(worst, "name");
	if (programs_is_launcher(tool)) /* its tasks tell */
		return;
	killed = failing_killed(facts, worst);
	runs = fact_number(worst, "runs");
	signal = fact_at_most(failing_ending(facts, worst, "signal"), INT_MAX);
	if (left_behind_tool(&facts->left, facts->report, tool)) {
		append(text, ", but ");
		append_name(text, tool ? tool : "a program");
		append(text, " still ran when the job script ended, and Slurm ended it");
		return;
	}
	if (workers_may_be_ended(facts->report))
		return;
	append(text, ", but ");
	append_name(text, tool ? tool : "a program");
	append(text, " was killed");
	if (runs > 1)
		append(text, " in %.0f of %.0f runs", killed, runs);
	if (signal > 0)
		append(text, " (%s)", signal_text((int64_t)signal, name));
}

static void write_completed(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "COMPLETED");
	append_after(facts, "in", text);
	append_nodes(facts, text);
	if (was_killed_for_memory(facts)) {
		append(text, ", but ");
		append_victims(facts, text);
		append_advice(facts, "memory_bytes", text);
	} else if (facts->work.found) {
		append(text, ", but ");
		if (facts->work.worker)
			append_lost_workers(facts, text);
		else
			append_failed_work(facts, text);
		append_timed_out_steps(facts, "; ", text);
		append_output(facts, text);
	} else if (facts->left.steps > 0) {
		append(text, ", but ");
		append_left_behind(&facts->left, text);
		append_timed_out_steps(facts, "; ", text);
	} else if (append_timed_out_steps(facts, ", but ", text)) {
		append_output(facts, text);
	} else {
		append_killed(facts, text);
	}
}

/* ---- the other endings ---- */

static void write_timeout(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "TIMEOUT");
	append_after(facts, "after", text);
	append_busy(facts, text);
	if (!append_lost_for_memory(facts, text))
		append_advice(facts, "time_limit_s", text);
}

static void write_cancelled(const struct facts *facts, char text[OUTCOME_TEXT])
{
	char name[SIGNAL_TEXT];
	int64_t signal = 0;

	append(text, "CANCELLED");
	if (field_count(facts->report, "job.signal", &signal) && signal > 0)
		append(text, " by %s", signal_text(signal, name));
	append_after(facts, "after", text);
	append_busy(facts, text);
	append_lost_for_memory(facts, text);
}

static void write_running(const struct facts *facts, char text[OUTCOME_TEXT])
{
	append(text, "RUNNING");
	append_after(facts, "for", text);
	append_nodes(facts, text);
	append_lost_for_memory(facts, text);
}

static const struct {
	const char *state;
	/* NULL: the state, how long, and the reason */
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
	{ "NODE_FAIL", NULL, "Slurm lost one of its nodes, which is no fault of the job's" },
	{ "BOOT_FAIL", NULL, "a node did not start" },
	{ "REQUEUED", NULL, "this attempt is over, and Slurm starts the job again" },
};

const char *outcome_text(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const char *state = field_text(facts->report, "job.state"), *reason = NULL;

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
		append_name(text, state);
	else
		append(text, "State not known");
	append_after(facts, "after", text);
	append(text, "%s%s", reason ? ": " : "", reason ? reason : "");
	append_lost_for_memory(facts, text);
	return text;
}

const char *outcome_of_report(struct json_object *report, char text[OUTCOME_TEXT])
{
	const char *stored = field_text(report, "verdict.outcome");
	struct rules defaults;
	struct facts facts;

	if (stored)
		return stored;
	rules_defaults(&defaults);
	facts_read(&facts, report, &defaults);
	return outcome_text(&facts, text);
}

/* ---- in a few words ---- */

/* Finds the signal that the sentence names: "was killed by signal 11 SIGSEGV". */
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

const char *outcome_short(const char *state, const char *sentence, int64_t code, int64_t signal, char text[OUTCOME_SHORT])
{
	char name[SIGNAL_TEXT];
	const char *abbreviated;

	if (!state || strcmp(state, "FAILED") != 0)
		return NULL;
	if (outcome_not_started(sentence)) {
		snprintf(text, OUTCOME_SHORT, "not started");
		return text;
	}
	if (signal <= 0 && code > SIGNAL_CODE)
		signal = signal_in(sentence); /* which the shell passes on as an exit code */
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
