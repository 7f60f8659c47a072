/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/ended_with_step.h"

#include <signal.h>
#include <stdint.h>

#include "common/time_text.h"
#include "reports/ending/culprit.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/shells.h"

#define STEPS_MAX 16 /* steps to check: each searches the timeline, and users decide how many steps fail */
#define NS_PER_US INT64_C(1000)
#define SOON_NS (60 * NS_PER_S) /* KillWait of slurm.conf is 30 s; twice that for a busy node */

/* end_ns: when the first process failed; for a cancelled step, when the last process ended. */
struct failed_step {
	const char *id;
	int64_t end_ns;
};

static bool is_slurms_signal(int64_t code)
{
	return code == SIGNAL_CODE + SIGTERM || code == SIGNAL_CODE + SIGKILL;
}

/*
 * Returns true if @entry failed by itself and so ended @step.
 * srun passes on the highest code: that of @entry, or that of the signal which ended the step's other tasks.
 */
static bool has_failed(const struct report_step *step, const struct report_entry *entry)
{
	int64_t code = ends_code(entry), of_step = ends_code_of_step(step);

	if (!report_text_is(entry->step, step->id) || code <= 0 || is_slurms_signal(code))
		return false;
	return (code == of_step || is_slurms_signal(of_step)) && !entry->slurm && !entry->dismissed && !entry->forked &&
	       (shells_is(entry->tool, entry->interpreter) || !programs_is_asked(entry->tool));
}

/* A process that was killed for memory ends by SIGKILL, so has_failed() does not find it. */
static void find_victim(const struct report *report, struct failed_step *failed)
{
	int64_t end_us, end_ns;

	for (size_t i = 0; i < report->oom.count; i++) {
		const struct report_oom_kill *victim = &report->oom.items[i];

		if (report_text_is(victim->step, failed->id) && time_parse(victim->time, &end_us) &&
		    !__builtin_mul_overflow(end_us, NS_PER_US, &end_ns) && end_ns < failed->end_ns)
			failed->end_ns = end_ns;
	}
}

static bool find_failure(const struct report *report, const struct report_step *step, struct failed_step *failed)
{
	int64_t end_ns;

	*failed = (struct failed_step){ step->id, INT64_MAX };
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (has_failed(step, entry) && parts_end(entry, &end_ns) && end_ns < failed->end_ns)
			failed->end_ns = end_ns;
	}
	find_victim(report, failed);
	return failed->end_ns < INT64_MAX;
}

static size_t find_failures(const struct report *report, struct failed_step failed[STEPS_MAX])
{
	size_t count = 0, looked = 0;

	for (size_t i = 0; i < report->steps.count && looked < STEPS_MAX; i++) {
		const struct report_step *step = &report->steps.items[i];

		if (!parts_is_of_srun(step) || ends_code_of_step(step) <= 0)
			continue;
		looked++;
		count += find_failure(report, step, &failed[count]);
	}
	return count;
}

static bool ended_with(const struct report_entry *entry, const struct failed_step *failed, size_t count)
{
	int64_t end_ns;

	for (size_t i = 0; i < count; i++)
		if (report_text_is(entry->step, failed[i].id))
			return parts_end(entry, &end_ns) && end_ns > failed[i].end_ns && end_ns - failed[i].end_ns <= SOON_NS;
	return false;
}

/* Finds when the last process ended by the signal of @step. Returns false if no process ended by this signal. */
static bool find_cancelled(const struct report *report, const struct report_step *step, struct failed_step *cancelled)
{
	int64_t code = ends_code_of_step(step), end_ns;

	*cancelled = (struct failed_step){ step->id, INT64_MIN };
	for (size_t i = 0; is_slurms_signal(code) && i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (report_text_is(entry->step, cancelled->id) && entry->dismissed && ends_code(entry) == code &&
		    parts_end(entry, &end_ns) && end_ns > cancelled->end_ns)
			cancelled->end_ns = end_ns;
	}
	return cancelled->end_ns > INT64_MIN;
}

/* A step that outlives the script is left behind, and not cancelled. */
static size_t find_all_cancelled(const struct report *report, struct failed_step cancelled[STEPS_MAX])
{
	size_t count = 0, looked = 0;
	int64_t script_ns;

	if (!culprit_script_end(report, &script_ns))
		return 0;
	for (size_t i = 0; i < report->steps.count && looked < STEPS_MAX; i++) {
		const struct report_step *step = &report->steps.items[i];

		if (!parts_is_of_srun(step) || ends_code_of_step(step) <= 0)
			continue;
		looked++;
		if (find_cancelled(report, step, &cancelled[count]) && cancelled[count].end_ns <= script_ns)
			count++;
	}
	return count;
}

/*
 * Slurm sends SIGTERM to the tasks, and later SIGKILL to all other processes.
 * So @entry may end before or after the tasks.
 */
static bool ended_around(const struct report_entry *entry, const struct failed_step *cancelled, size_t count)
{
	int64_t end_ns;

	for (size_t i = 0; i < count; i++)
		if (report_text_is(entry->step, cancelled[i].id))
			return parts_end(entry, &end_ns) && end_ns - cancelled[i].end_ns <= SOON_NS &&
			       cancelled[i].end_ns - end_ns <= SOON_NS;
	return false;
}

typedef bool is_of_step(const struct report_entry *entry, const struct failed_step *steps, size_t count);

/*
 * Returns true if a signal ended some runs of @name, and if two conditions are true for each of these runs:
 *  - The signal was one that Slurm sends.
 *  - @of returns true for the run.
 */
static bool all_ended(const struct report *report, const char *name, is_of_step *of, const struct failed_step *steps, size_t count)
{
	bool any = false;

	for (size_t i = 0; count > 0 && i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (!report_text_is(entry->tool, name) || entry->signal <= 0 || entry->slurm || entry->dismissed || entry->forked)
			continue;
		if (!is_slurms_signal(ends_code(entry)) || !of(entry, steps, count))
			return false;
		any = true;
	}
	return any;
}

bool ended_with_step(const struct report *report, const char *name)
{
	struct failed_step steps[STEPS_MAX];
	size_t count = name ? find_failures(report, steps) : 0;

	return all_ended(report, name, ended_with, steps, count);
}

bool ended_with_cancelled_step(const struct report *report, const char *name)
{
	struct failed_step steps[STEPS_MAX];
	size_t count = name ? find_all_cancelled(report, steps) : 0;

	return all_ended(report, name, ended_around, steps, count);
}
