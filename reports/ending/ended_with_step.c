/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/ended_with_step.h"

#include <signal.h>
#include <stdint.h>

#include "common/time_text.h"
#include "reports/ending/culprit.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"
#include "reports/json/shells.h"

#define STEPS_MAX 16 /* users decide how many steps fail, and the timeline is looked through for each of them */
#define NS_PER_US INT64_C(1000)
#define SOON_NS (60 * NS_PER_S) /* slurm.conf's KillWait, 30 s, and what a busy node adds */

/* When the first process of a step failed, or, of one that somebody ended, the last process that Slurm ended. */
struct failed_step {
	const char *id;
	int64_t end_ns;
};

static bool is_slurms_signal(int64_t code)
{
	return code == SIGNAL_CODE + SIGTERM || code == SIGNAL_CODE + SIGKILL;
}

/*
 * Whether @entry failed by itself and ended @step: it has the step's code, or srun passes on the higher one of what it ended. Which
 * processes are the tasks is not known while a report is made.
 */
static bool has_failed(struct json_object *step, struct json_object *entry)
{
	int64_t code = ends_code(entry), of_step = ends_code(step);
	const char *id = field_text(step, "id");

	if (!id || !field_is(entry, "step", id) || code <= 0 || is_slurms_signal(code))
		return false;
	return (code == of_step || is_slurms_signal(of_step)) && !field_true(entry, "slurm") && !field_true(entry, "dismissed") &&
	       !field_true(entry, "forked") && (shells_is(entry) || !programs_is_asked(field_text(entry, "tool")));
}

/* Notes when the kernel killed the first process of the step for memory: that ends by SIGKILL, too. A report of it has no nanoseconds. */
static void find_victim(struct json_object *report, struct failed_step *failed)
{
	struct json_object *list = field_typed(report, "oom", json_type_array);
	int64_t end_us;

	for (size_t i = 0; failed->id && i < field_length(list); i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);

		if (field_is(victim, "step", failed->id) && time_parse(field_text(victim, "time"), &end_us) &&
		    end_us * NS_PER_US < failed->end_ns)
			failed->end_ns = end_us * NS_PER_US;
	}
}

/* Finds when the first process of @step failed. Returns false if none did, as far as is known. */
static bool find_failure(struct json_object *report, struct json_object *step, struct failed_step *failed)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	int64_t end_ns;

	*failed = (struct failed_step){ field_text(step, "id"), INT64_MAX };
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (has_failed(step, entry) && parts_end(entry, &end_ns) && end_ns < failed->end_ns)
			failed->end_ns = end_ns;
	}
	find_victim(report, failed);
	return failed->end_ns < INT64_MAX;
}

static size_t find_failures(struct json_object *report, struct failed_step failed[STEPS_MAX])
{
	struct json_object *steps = field_typed(report, "steps", json_type_array);
	size_t count = 0, looked = 0;

	for (size_t i = 0; i < field_length(steps) && looked < STEPS_MAX; i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!parts_is_of_srun(step) || ends_code(step) <= 0)
			continue;
		looked++;
		count += find_failure(report, step, &failed[count]);
	}
	return count;
}

static bool ended_with(struct json_object *entry, const struct failed_step *failed, size_t count)
{
	int64_t end_ns;

	for (size_t i = 0; i < count; i++)
		if (field_is(entry, "step", failed[i].id))
			return parts_end(entry, &end_ns) && end_ns > failed[i].end_ns && end_ns - failed[i].end_ns <= SOON_NS;
	return false;
}

/* Finds when the last process of @step ended that Slurm had sent the signal with which the step ended. Returns false if there is none. */
static bool find_cancelled(struct json_object *report, struct json_object *step, struct failed_step *cancelled)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	int64_t code = ends_code(step), end_ns;

	*cancelled = (struct failed_step){ field_text(step, "id"), INT64_MIN };
	for (size_t i = 0; cancelled->id && is_slurms_signal(code) && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (field_is(entry, "step", cancelled->id) && field_true(entry, "dismissed") && ends_code(entry) == code &&
		    parts_end(entry, &end_ns) && end_ns > cancelled->end_ns)
			cancelled->end_ns = end_ns;
	}
	return cancelled->end_ns > INT64_MIN;
}

/* Finds the steps that were ended before the job script was: what outlives that is left behind. */
static size_t find_all_cancelled(struct json_object *report, struct failed_step cancelled[STEPS_MAX])
{
	struct json_object *steps = field_typed(report, "steps", json_type_array);
	size_t count = 0, looked = 0;
	int64_t script_ns;

	if (!culprit_script_end(report, &script_ns))
		return 0;
	for (size_t i = 0; i < field_length(steps) && looked < STEPS_MAX; i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!parts_is_of_srun(step) || ends_code(step) <= 0)
			continue;
		looked++;
		if (find_cancelled(report, step, &cancelled[count]) && cancelled[count].end_ns <= script_ns)
			count++;
	}
	return count;
}

/* The tasks get SIGTERM first, and whatever is left of the step SIGKILL. */
static bool ended_around(struct json_object *entry, const struct failed_step *cancelled, size_t count)
{
	int64_t end_ns;

	for (size_t i = 0; i < count; i++)
		if (field_is(entry, "step", cancelled[i].id))
			return parts_end(entry, &end_ns) && end_ns - cancelled[i].end_ns <= SOON_NS && cancelled[i].end_ns - end_ns <= SOON_NS;
	return false;
}

typedef bool is_of_step(struct json_object *entry, const struct failed_step *steps, size_t count);

/* Returns true if each killed run of the tool @name, one at least, ended by a signal of Slurm's and is @of one of @steps. */
static bool all_ended(struct json_object *report, const char *name, is_of_step *of, const struct failed_step *steps, size_t count)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	bool any = false;

	for (size_t i = 0; count > 0 && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (!field_is(entry, "tool", name) || !(fact_number(entry, "signal") > 0) || field_true(entry, "slurm") ||
		    field_true(entry, "dismissed") || field_true(entry, "forked"))
			continue;
		if (!is_slurms_signal(ends_code(entry)) || !of(entry, steps, count))
			return false;
		any = true;
	}
	return any;
}

bool ended_with_step(struct json_object *report, const char *name)
{
	struct failed_step steps[STEPS_MAX];
	size_t count = name ? find_failures(report, steps) : 0;

	return all_ended(report, name, ended_with, steps, count);
}

bool ended_with_cancelled_step(struct json_object *report, const char *name)
{
	struct failed_step steps[STEPS_MAX];
	size_t count = name ? find_all_cancelled(report, steps) : 0;

	return all_ended(report, name, ended_around, steps, count);
}
