/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes which process was killed or failed, how and when, and how that affected the job. */
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/ending/culprit.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/not_found.h"
#include "reports/ending/oom_kills.h"
#include "reports/ending/parts.h"
#include "reports/ending/time_up.h"
#include "reports/ending/workers.h"
#include "reports/json/plural.h"
#include "reports/json/shells.h"
#include "reports/json/units.h"
#include "reports/model/report_tables.h"
#include "reports/rules/failing_tools.h"
#include "reports/rules/sentence.h"
#include "reports/rules/unheld_memory.h"
#include "reports/verdict/outcome_internal.h"

void outcome_name(char text[OUTCOME_TEXT], const char *name)
{
	utf8_append_cut(text, OUTCOME_TEXT, NAME_SHOWN, name ? name : "a program");
}

/* Slurm rounds the job's start down, so a process can seem to end after the job. Shows at most the elapsed time. */
void outcome_moment(const struct facts *facts, const char *time, char text[OUTCOME_TEXT])
{
	int64_t start_us, end_us;
	char moment[DURATION_TEXT];

	if (time_parse(facts->report->job.start, &start_us) &&
	    time_parse(time, &end_us) && end_us >= start_us)
		append(text, " at %s", duration_text(fmin((double)((end_us - start_us) / US_PER_S), facts->elapsed_s), moment));
}

static void append_node(const struct facts *facts, const char *node, const char *before, char text[OUTCOME_TEXT])
{
	if (!node || !(report_number(facts->report->allocated.nodes) > 1))
		return;
	append(text, "%s", before);
	outcome_name(text, node);
}

static double processes_of_victims(const struct facts *facts, const char *name, double kills)
{
	const struct report_tool *tool = parts_tool(facts->report, name);

	return tool && parts_victims(facts->report, name) == kills ? report_number(tool->runs) + report_number(tool->forks) : NAN;
}

/*
 * Appends "python3 and 2 more were", or "2 of 9 processes of python3 were" if others survived.
 * @chosen: victims that the kernel chose. All other victims were killed along with a chosen victim.
 */
static void append_victim_names(const struct facts *facts, const struct report_oom_kill *first, double chosen, char text[OUTCOME_TEXT])
{
	const char *tool = first->tool, *name = tool ? tool : first->comm;
	double processes = tool && chosen == facts->oom_kills ? processes_of_victims(facts, tool, chosen) : NAN;
	double slurms = oom_kills_of_slurm(facts->report);

	if (processes > chosen)
		append(text, "%.0f of %.0f processes of ", chosen, processes);
	if (name)
		outcome_name(text, name);
	else
		append(text, "a process");
	if (first->slurm)
		append(text, " (which Slurm or a plugin of it ran)");
	if (!(processes > chosen) && chosen > 1)
		append(text, " and %.0f more", chosen - 1);
	if (!(processes > chosen) && chosen > 1 && slurms > 0 && !first->slurm)
		append(text, " (%.0f of them Slurm's own)", slurms);
	append(text, chosen > 1 ? " were" : " was");
}

static void append_limit(const struct facts *facts, const struct report_oom_kill *first, char text[OUTCOME_TEXT])
{
	double limit = report_number(first->limit_bytes);
	char size[SIZE_TEXT];

	if (!(facts->oom_of_job > 0))
		append(text, " killed because the node ran out of memory");
	else if (facts->oom_of_job < facts->oom_kills)
		append(text, " killed, %.0f of them because the node ran out of memory", facts->oom_kills - facts->oom_of_job);
	else if (facts_oom_limits_differ(facts))
		append(text, " killed, not all at the same limit");
	else
		append(text, " killed at the limit of %s", isnan(limit) ? "the job" : size_text(limit, size));
}

/* Says if files in memory filled the limit: the killed processes may have used little memory. */
static void append_files_in_memory(const struct facts *facts, const struct report_oom_kill *first, char text[OUTCOME_TEXT])
{
	double bytes = unheld_at_kill(unheld_bound(facts->report), first);
	char size[SIZE_TEXT];

	if (!isnan(bytes) && facts->oom_of_job == facts->oom_kills && !facts_oom_limits_differ(facts))
		append(text, ": files in memory (/dev/shm and other tmpfs) took about %s of that", size_text(bytes, size));
}

void outcome_victims(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const struct report_oom_kill *known = oom_kills_first(facts->report);
	double along = oom_kills_along(facts->report), chosen = facts->oom_kills - along;
	struct report_oom_kill first;
	const char *kernel;

	report_table_oom_kill()->forget(&first);
	if (known)
		first = *known;
	kernel = oom_kills_kernel_memory(&first);
	append_victim_names(facts, &first, chosen, text);
	append_limit(facts, &first, text);
	if (chosen == 1)
		outcome_moment(facts, first.time, text);
	if (chosen == 1 && facts->oom_of_job > 0) /* else the sentence already names the node */
		append_node(facts, first.node, " on ", text);
	if (along > 0)
		append(text, ", and %.0f other%s along with %s", along, plural(along), chosen > 1 ? "them" : "it");
	if (kernel)
		append(text, ": the kernel's memory for it (%s) reached the limit", kernel);
	else
		append_files_in_memory(facts, known, text);
}

static void append_ending(int64_t code, int64_t signal, char text[OUTCOME_TEXT])
{
	char name[SIGNAL_TEXT];

	if (signal > 0)
		append(text, WAS_KILLED "%s", signal_text(signal, name));
	else
		append(text, "ended with exit code %lld", (long long)code);
}

#define OR_INTERPRETER ", or the interpreter in its first line)"

/*
 * Returns what @code means if @shell could not find or run a command; else "".
 * In other programs, these codes mean something else.
 */
static const char *shells_reason(const struct facts *facts, const struct report_entry *shell, int64_t code)
{
	if ((code != EXIT_NOT_FOUND && code != EXIT_CANNOT_RUN) || !not_found_by(facts->report, shell))
		return "";
	return code == EXIT_NOT_FOUND ? SHELL_FOUND_NOTHING OR_INTERPRETER : SHELL_COULD_NOT_RUN;
}

/* Returns NULL for a signal with a well-known name. */
static const char *limit_reason(int64_t signal)
{
	switch (signal) {
	case SIGXFSZ:
		return "a file grew beyond the limit: ulimit -f";
	case SIGXCPU:
		return "it reached the limit of CPU time: ulimit -t";
	case SIGSYS:
		return "a filter forbids a system call: seccomp";
	case SIGBUS: /* filemap_fault(), shmem_fault(): beyond the end of a file, or no room for a page */
		return "it crashed: a bug, or a mapped file cut short or without room, as in a full /dev/shm";
	default:
		return NULL;
	}
}

static void append_reason(const struct facts *facts, const struct report_entry *entry, int64_t code, int64_t signal,
			  char text[OUTCOME_TEXT])
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
	else if (entry && entry->unread)
		append(text, " (what read its output had ended before)");
	else if (entry && signal <= 0 && shells_is(entry->tool, entry->interpreter))
		append(text, "%s", shells_reason(facts, entry, code));
}

static void append_consequence(const struct facts *facts, const struct culprit *culprit, bool pipe_failed,
			       char text[OUTCOME_TEXT])
{
	const char *engine = culprit->engine ? culprit->engine->tool : NULL, *job = culprit->batch ? "the job script" : "the job";
	int64_t script_ns = facts->left.script_ns, end_ns;
	char later[DURATION_TEXT + sizeof(" later")] = "", duration[DURATION_TEXT];

	if (engine) {
		append(text, "; ");
		outcome_name(text, engine);
		append(text, " failed because of it");
	}
	if (culprit->batch && facts->left.known && parts_end(culprit->entry, &end_ns) && script_ns - end_ns >= NS_PER_S)
		snprintf(later, sizeof(later), "%s later", worded_duration_text(round((double)(script_ns - end_ns) / NS_PER_S), duration));
	if (culprit->went_on) {
		append(text, "; the job script went on to ");
		outcome_name(text, culprit->went_on);
		append(text, ", and ended with the same exit code%s%s", *later ? " " : "", later);
	} else if (*later) {
		append(text, ", and %s ended %s", job, later);
	} else {
		append(text, ", and %s with it", job);
	}
	if (pipe_failed)
		append(text, " ('set -o pipefail')");
}

static void append_pid(const struct facts *facts, const struct report_entry *entry, char text[OUTCOME_TEXT])
{
	if (entry->pid < 0)
		return;
	append(text, " (pid %lld", (long long)entry->pid);
	append_node(facts, entry->node, " on ", text);
	append(text, ")");
}

static const char *const had_ended[] = { "had been killed", "had ended" };

/*
 * Appends " (pid 102) had been killed by signal 11 SIGSEGV at 00:00:03 (it crashed: a bug or bad input)".
 * @verbs: the words before a signal, and the words before an exit code.
 */
static void append_worker_end(const struct facts *facts, const struct report_entry *worker, const char *const verbs[2],
			      char text[OUTCOME_TEXT])
{
	int64_t code = count_or_0(worker->exit_code), signal = worker->signal;
	char name[SIGNAL_TEXT];

	append_pid(facts, worker, text);
	if (signal > 0) /* not WAS_KILLED: outcome_short() searches for the program's own signal */
		append(text, " %s by %s", verbs[0], signal_text(signal, name));
	else
		append(text, " %s with exit code %lld", verbs[1], (long long)code);
	outcome_moment(facts, worker->end, text);
	append_reason(facts, worker, code, signal, text);
}

/*
 * Appends how a forked process failed, which may be why the program failed.
 * @entry: the program; NULL if unknown.
 */
static void append_worker(const struct facts *facts, const struct report_entry *entry, char text[OUTCOME_TEXT])
{
	const struct report_entry *worker = culprit_fork(facts->report, entry);

	if (!worker)
		return;
	append(text, "; a process that it had forked");
	append_worker_end(facts, worker, had_ended, text);
}

/* If a shell ended with a code of its own, appends how its last program had ended, as in "solve || exit 3". */
static void append_before(const struct facts *facts, const struct culprit *culprit, char text[OUTCOME_TEXT])
{
	if (!culprit->before)
		return;
	append(text, "; before that, ");
	outcome_name(text, culprit->before->tool);
	append_worker_end(facts, culprit->before, had_ended, text);
}

/* Appends "solve (pid 102) ended with exit code 1 at 00:00:12". If timeout(1) ended solve, says this instead. */
static void append_failure(const struct facts *facts, const struct report_entry *entry, char text[OUTCOME_TEXT])
{
	const struct report_entry *out_of_time = time_up_program(facts->report, entry), *named = out_of_time ? out_of_time : entry;
	int64_t code = count_or_0(entry->exit_code), signal = entry->signal;

	outcome_name(text, named->tool);
	append_pid(facts, named, text);
	append(text, " ");
	if (out_of_time)
		append(text, "was ended by timeout");
	else
		append_ending(code, signal, text);
	outcome_moment(facts, entry->end, text);
	if (out_of_time)
		append(text, " (its time was up: exit code %lld)", (long long)ends_code(entry));
	else
		append_reason(facts, entry, code, signal, text);
}

/*
 * Appends a note if the process itself had killed its child, as in "kill $server; wait $server".
 * @code: the child's exit code.
 * Returns false without a note.
 */
static bool append_awaited(const struct facts *facts, const struct culprit *culprit, int64_t code, char text[OUTCOME_TEXT])
{
	const struct report_entry *child = NULL;

	if (culprit->entry && code > SIGNAL_CODE)
		child = culprit_dismissed(facts->report, culprit->entry, code);
	if (!child)
		return false;
	append(text, " (that of ");
	outcome_name(text, child->tool);
	append(text, ", which a process above it had ended: kill and wait)");
	return true;
}

void outcome_culprit(const struct facts *facts, int64_t code, int64_t signal, char text[OUTCOME_TEXT])
{
	struct culprit culprit = culprit_find(facts->report, signal > 0 ? SIGNAL_CODE + signal : code);
	const struct report_entry *entry = culprit.entry;

	if (!entry || !entry->tool || culprit.script) {
		append(text, "the job%s ", culprit.batch ? " script" : "");
		append_ending(code, signal, text);
		if (entry)
			outcome_moment(facts, entry->end, text);
		if (!append_awaited(facts, &culprit, code, text))
			append_reason(facts, entry, code, signal, text);
		if (entry && culprit.script && signal <= 0 && culprit_is_shells_own(facts->report, entry))
			append(text, "; none of its programs failed, so a command of the shell itself did, or exit gave the code");
	} else {
		bool in_pipe = (entry->signal == SIGPIPE && !entry->no_pipe) || entry->unread;

		append_failure(facts, entry, text);
		append_consequence(facts, &culprit, in_pipe && signal <= 0, text);
	}
	append_worker(facts, entry, text);
	append_before(facts, &culprit, text);
}

static void append_failed_tool(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const struct work_failed *work = &facts->work;
	const char *limit = limit_reason(work->signal);
	char name[SIGNAL_TEXT];

	outcome_name(text, work->tool ? work->tool : "its program");
	if (work->not_started) {
		append(text, " failed to start (%s)", work->not_started);
		return;
	}
	append(text, "%s", work->signal ? " was killed" : " failed");
	if (work->failures == work->runs && work->runs > 2)
		append(text, " in all %.0f runs", work->runs);
	else if (work->runs > 1)
		append(text, " in %.0f of %.0f runs", work->failures, work->runs);
	if (!(work->failures > 1)) /* else other runs may have failed on other nodes */
		append_node(facts, work->entry ? work->entry->node : NULL, " on ", text);
	if (work->signal)
		append(text, " (%s%s%s)", signal_text(work->signal, name), limit ? "; " : "", limit ? limit : "");
	else
		append(text, " (exit code %lld)", (long long)work->exit_code);
}

/* Appends "a process that pool.py had forked (pid 102) was killed by signal 11 SIGSEGV at 00:00:03". */
static void append_lost_workers(const struct facts *facts, char text[OUTCOME_TEXT])
{
	static const char *const verbs[] = { "was killed", "ended" };
	bool several = facts->work.workers > 1;

	if (several)
		append(text, "%.0f processes that ", facts->work.workers);
	else
		append(text, "a process that ");
	outcome_name(text, facts->work.tool);
	append(text, " had forked%s", several ? " failed: the first" : "");
	append_worker_end(facts, facts->work.entry, verbs, text);
}

void outcome_failed_work(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const struct work_failed *work = &facts->work;

	if (work->worker) {
		append_lost_workers(facts, text);
		return;
	}
	if (work->steps_failed > 0 && work->steps > 1)
		append(text, "%.0f of %.0f steps failed: in step %s, ", work->steps_failed, work->steps, work->step);
	append_failed_tool(facts, text);
}

void outcome_left_behind(const struct left_behind *left, char text[OUTCOME_TEXT])
{
	if (left->steps > 1)
		append(text, "%zu steps%s", left->steps, left->steps == LEFT_STEPS_MAX ? " or more" : "");
	else
		append(text, "step %s", left->step);
	append(text, " still ran when the job script ended, and Slurm ended %s", left->steps > 1 ? "them" : "it");
}

void outcome_killed(const struct facts *facts, char text[OUTCOME_TEXT])
{
	const struct report_tool *worst = NULL;
	double killed, runs, signal;
	char name[SIGNAL_TEXT];

	if (!facts->complete || !parts_batch_step(facts->report) || !(failing_count(facts, failing_killed, &worst) > 0) || !worst)
		return;
	if (programs_is_launcher(worst->name)) /* the tasks of a launcher say why it failed */
		return;
	killed = failing_killed(facts, worst);
	runs = report_number(worst->runs);
	signal = fact_at_most(failing_ending(facts, worst, "signal"), INT_MAX);
	if (left_behind_tool(&facts->left, facts->report, worst->name)) {
		append(text, ", but ");
		outcome_name(text, worst->name);
		append(text, " still ran when the job script ended, and Slurm ended it");
		return;
	}
	if (workers_may_be_ended(facts->report))
		return;
	append(text, ", but ");
	outcome_name(text, worst->name);
	append(text, " was killed");
	if (runs > 1)
		append(text, " in %.0f of %.0f runs", killed, runs);
	if (signal > 0)
		append(text, " (%s)", signal_text((int64_t)signal, name));
}
