/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/work_failed.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/ending/culprit.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/not_found.h"
#include "reports/ending/parts.h"
#include "reports/ending/workers.h"
#include "reports/json/shells.h"

/* Items to check: each searches the timeline, and users decide how many there are. */
#define TRIED_MAX 16 /* tools that failed */
#define STEPS_MAX 32 /* steps that failed */
#define NS_PER_US INT64_C(1000)
#define CODES 256 /* values of a step's code: exit code, or 128 + signal */

#define ATTEMPT_MAX_S 1.0 /* seconds; a program that only checks whether something exists ends sooner */
#define ATTEMPT_SHARE 0.02 /* the longest such check, as a share of the job's time */

static const struct work_failed nothing = { .failures = NAN, .runs = NAN, .steps = NAN, .steps_failed = NAN, .workers = NAN };

/* A user may end a process that is no longer needed, such as a server. */
static bool is_failing_code(int64_t code)
{
	return code > 0 && code != SIGNAL_CODE + SIGTERM && code != SIGNAL_CODE + SIGKILL && code != SIGNAL_CODE + SIGINT &&
	       code != SIGNAL_CODE + SIGHUP && code != SIGNAL_CODE + SIGPIPE;
}

static bool has_failed(const struct report_entry *entry)
{
	return is_failing_code(ends_code(entry)) && !entry->slurm && !entry->dismissed && !entry->forked && !entry->living;
}

static void put_end(struct work_failed *work, int64_t exit_code, int64_t signal)
{
	work->found = true;
	work->exit_code = exit_code > 0 ? exit_code : 0;
	work->signal = signal > 0 ? signal : 0;
}

/* @crashes: count only runs that a signal ended. */
static void name_entry(struct work_failed *work, const struct report *report, const struct report_entry *entry, bool crashes)
{
	const struct report_tool *tool = parts_tool(report, entry->tool);

	put_end(work, entry->exit_code, entry->signal);
	work->entry = entry;
	work->tool = entry->tool;
	work->failures = tool ? report_number(crashes ? tool->signals : tool->failures) : NAN;
	work->runs = tool ? report_number(tool->runs) : NAN;
}

static bool failed_each_time(const struct report *report, const char *name)
{
	const struct report_tool *tool = parts_tool(report, name);

	return tool && tool->runs > 0 && tool->failures == tool->runs;
}

struct tried {
	const char *names[TRIED_MAX];
	size_t count;
};

static bool was_tried(const struct tried *tried, const char *name)
{
	for (size_t i = 0; i < tried->count; i++)
		if (strcmp(tried->names[i], name) == 0)
			return true;
	return false;
}

bool work_failed_has_only_answers(const struct report *report, const struct report_entry *engine)
{
	bool any = false;

	if (!programs_counts_failures(engine->tool, ends_code(engine)))
		return false;
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (!parts_is_child(entry, engine) || !(ends_code(entry) > 0) || entry->forked)
			continue;
		if (shells_is(entry->tool, entry->interpreter) || !programs_is_asked(entry->tool))
			return false;
		any = true;
	}
	return any;
}

static const struct report_entry *worth_naming(const struct report *report, const struct report_entry *entry)
{
	const struct report_entry *engine = NULL, *last;

	entry = culprit_below(report, entry, &engine);
	if (work_failed_has_only_answers(report, entry))
		return NULL;
	if (!programs_is_asked(entry->tool))
		return entry;
	if (!shells_is(entry->tool, entry->interpreter) || !engine)
		return NULL;
	/* This shell is a command of an engine. One of the shell's own commands may have failed. */
	last = culprit_last_command(report, entry);
	return last ? last : engine;
}

static bool wrote_nothing(const struct report_entry *entry)
{
	return entry->write_bytes == 0 || entry->syscall_write_bytes == 0;
}

/*
 * Returns true if the script may have expected the failure of @entry, as in "a 2>/dev/null || b".
 * This is a guess, because the records of "a || b" and "a; b" are the same.
 *
 * A failure counts as expected if the tool ran once, for a short time, and wrote to no file.
 * An unexpected failure leaves a message in the job's output, which is a file.
 * If no process of the script wrote to a file, no failure counts as expected: the file system may not count writes.
 *
 * @culprit: the process that made @entry fail. If @entry only passes on codes, @culprit must also have written nothing.
 */
static bool may_be_expected(const struct report *report, const struct report_entry *entry, const struct report_entry *culprit)
{
	const struct report_tool *tool = parts_tool(report, entry->tool);
	const struct report_step *batch = parts_batch_step(report);
	double wall_s = report_s(entry->wall_s);

	if (culprit != entry && (shells_is(entry->tool, entry->interpreter) || programs_passes_on(entry->tool)) &&
	    !wrote_nothing(culprit))
		return false;
	return tool && tool->runs == 1 && ends_code(entry) < SIGNAL_CODE && wrote_nothing(entry) && wall_s <= ATTEMPT_MAX_S &&
	       wall_s <= ATTEMPT_SHARE * report_s(report->job.elapsed_s) && batch && batch->write_bytes > 0;
}

static bool was_out_of_memory(const struct report *report, const struct report_entry *entry)
{
	return ends_code(entry) == SIGNAL_CODE + SIGKILL && parts_victims(report, entry->tool) > 0;
}

/*
 * The timeline is sorted by start, so the first tool found started first.
 * @crashes: look for tools that crashed in some runs, else for tools that failed in each run.
 */
static void find_tool(struct work_failed *work, const struct report *report, bool crashes)
{
	struct tried tried = { .count = 0 };

	for (size_t i = 0; i < report->timeline.count && tried.count < TRIED_MAX; i++) {
		const struct report_entry *entry = &report->timeline.items[i], *culprit;
		const char *name = entry->tool;

		if (!name || !entry->by_shell || !has_failed(entry) || entry->unread || was_tried(&tried, name) ||
		    (crashes && !workers_crashed(entry)))
			continue;
		tried.names[tried.count++] = name;
		culprit = crashes || failed_each_time(report, name) ? worth_naming(report, entry) : NULL;
		if (!culprit || was_out_of_memory(report, culprit) || may_be_expected(report, entry, culprit))
			continue;
		name_entry(work, report, culprit, crashes);
		work->unawaited = entry->unawaited;
		return;
	}
}

/*
 * Returns true if @entry ended with @code.
 * @wanted: a process above @entry must have ended it, as slurmstepd does for srun --wait.
 */
static bool ended_as(const struct report_entry *entry, int64_t code, bool wanted)
{
	return wanted ? entry->dismissed && code > SIGNAL_CODE && ends_code(entry) == code : ends_with(entry, code);
}

static const struct report_entry *first_of_step(const struct report *report, const struct report_step *step, bool wanted)
{
	const struct report_entry *found = NULL;
	int64_t code = ends_code_of_step(step), found_ns = 0, end_ns;

	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (!report_text_is(entry->step, step->id) || !ended_as(entry, code, wanted) || entry->slurm || entry->forked ||
		    !parts_end(entry, &end_ns) || (found && end_ns >= found_ns))
			continue;
		found = entry;
		found_ns = end_ns;
	}
	return found;
}

/* Returns true if @last succeeded, and began after all other steps had failed: the script tried until a step worked. */
static bool was_tried_again(const struct report *report, const struct report_step *last)
{
	int64_t start_us, end_us;

	if (ends_code_of_step(last) != 0 || !time_parse(last->start, &start_us))
		return false;
	for (size_t i = 0; i < report->steps.count; i++) {
		const struct report_step *step = &report->steps.items[i];

		if (step == last || !parts_is_of_srun(step))
			continue;
		if (ends_code_of_step(step) <= 0 || !time_parse(step->end, &end_us) || end_us > start_us)
			return false;
	}
	return true;
}

/*
 * Returns true if someone may have wanted a SIGKILL to end a step:
 *  - srun was ended, and may have sent SIGKILL;
 *  - the job had a program that ends processes or steps;
 *  - the kernel killed something for memory, which other findings report.
 */
static bool kills_are_wanted(const struct report *report)
{
	const struct report_tool *srun = parts_tool(report, "srun");

	return workers_may_be_ended(report) || (srun && (srun->dismissed > 0 || srun->signals > 0)) || report->oom.count > 0;
}

/*
 * A SIGKILL that ended a step counts as a failure until the returned time, in microseconds since 1970.
 * This is the script's end, because Slurm then ends all steps that still run.
 * Returns INT64_MIN if each SIGKILL may have been wanted.
 */
static int64_t kills_count_until(const struct report *report)
{
	int64_t script_ns;

	return culprit_script_end(report, &script_ns) && !kills_are_wanted(report) ? script_ns / NS_PER_US : INT64_MIN;
}

/* @kills_until_us: from kills_count_until(). */
static bool step_has_failed(const struct report_step *step, int64_t kills_until_us)
{
	int64_t code = ends_code_of_step(step), end_us;

	return is_failing_code(code) || (code == SIGNAL_CODE + SIGKILL && !step->timed_out &&
					 time_parse(step->end, &end_us) && end_us <= kills_until_us);
}

/* What is known about the failed steps. If there are many, only some of them were checked. */
struct failing_steps {
	const struct report *report;
	size_t looked;
	double count, failed;
	bool not_started; /* a step's program was never executed, so steps that succeeded ran another program */
	bool died; /* the first step's program crashed in each run, so steps that succeeded ran another program */
	bool asked[CODES]; /* a step with this code may only have answered a question */
};

/*
 * Returns true if the process that failed in @step may only have answered a question.
 * A shell does not only answer questions: its code says how the step's work went. A missing program answers nothing.
 * If the timeline has no entry of @step, judges the step like an earlier step with the same code: a report keeps only
 * the first of many equal entries.
 * @entry: set to the failed process, if known.
 */
static bool step_was_asked(struct failing_steps *failing, const struct report_step *step, const struct report_entry **entry)
{
	int64_t code = ends_code_of_step(step);
	bool look = failing->looked++ < STEPS_MAX;
	const struct report_entry *first = look ? first_of_step(failing->report, step, false) : NULL;

	if (code < 0 || code >= CODES)
		return false;
	if (look && not_started_reason(failing->report, step->id, code)) {
		failing->not_started = true;
		return false;
	}
	if (!first && look)
		*entry = first_of_step(failing->report, step, true);
	if (!first)
		return failing->asked[code];
	*entry = culprit_below(failing->report, first, NULL);
	if ((shells_is((*entry)->tool, (*entry)->interpreter) || !programs_is_asked((*entry)->tool)) &&
	    !work_failed_has_only_answers(failing->report, *entry))
		return false;
	return failing->asked[code] = true;
}

/* Clears @work if no step counts as failed. @last: the last step of srun. */
static void put_steps(struct work_failed *work, const struct failing_steps *failing, const struct report_step *last)
{
	if (!(failing->failed > 0) || (!failing->not_started && !failing->died && was_tried_again(failing->report, last))) {
		*work = nothing;
		return;
	}
	work->steps_failed = failing->failed;
	work->steps = failing->count;
	work->failures = work->runs = NAN;
}

static void find_steps(struct work_failed *work, const struct report *report)
{
	const struct report_step *last = NULL;
	struct failing_steps failing = { .report = report };
	int64_t kills_until_us = kills_count_until(report);

	for (size_t i = 0; i < report->steps.count; i++) {
		const struct report_step *step = &report->steps.items[i];
		const struct report_entry *entry = NULL;

		if (!parts_is_of_srun(step))
			continue;
		failing.count++;
		last = step;
		if (!step_has_failed(step, kills_until_us) || step_was_asked(&failing, step, &entry) || failing.failed++ > 0)
			continue;
		if (entry)
			name_entry(work, report, entry, false);
		else
			put_end(work, step->exit_code, step->signal);
		work->step = step->id;
		failing.died = step->signal > 0 && failed_each_time(report, work->tool);
		work->not_started = not_started_reason(report, work->step, ends_code_of_step(step));
	}
	put_steps(work, &failing, last);
}

static void find_workers(struct work_failed *work, const struct report *report)
{
	struct lost_workers lost;

	workers_find(&lost, report);
	if (!lost.first)
		return;
	name_entry(work, report, lost.first, false);
	work->failures = work->runs = NAN;
	work->worker = true;
	work->workers = (double)lost.count;
}

/* Users who work in an allocation (salloc) see how each command ends, so jobs without a script do not count. */
void work_failed_find(struct work_failed *work, const struct report *report)
{
	*work = nothing;
	if (!report->complete.value || !parts_batch_step(report))
		return;
	find_steps(work, report);
	if (!work->found)
		find_tool(work, report, false);
	if (!work->found)
		find_tool(work, report, true);
	if (!work->found)
		find_workers(work, report);
}
