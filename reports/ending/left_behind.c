/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/left_behind.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/ending/culprit.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/json/fact_number.h"
#include "reports/json/field.h"

/* Beyond any of these, something was at work. */
#define QUIET_CPU 0.05 /* of its lifetime; one of many threads may be busy */
#define QUIET_WAITS 0.9 /* of the time of its threads */
#define TASKS_MAX 256 /* of a step: each entry may be looked for among them */
#define QUIET_BYTES_PER_S 4096.0 /* written and exchanged: a transfer waits for the other end most of the time */

/* Whether @entry was killed after @script_ns, as Slurm does it: steps of srun get SIGTERM first. */
static bool was_left(struct json_object *entry, int64_t script_ns)
{
	double signal = fact_number(entry, "signal");
	bool slurms = signal == SIGKILL || (signal == SIGTERM && !field_is(entry, "step", "batch"));
	int64_t end_ns;

	return slurms && !field_is(entry, "step", "extern") && parts_end(entry, &end_ns) && end_ns > script_ns;
}

static bool is_among(struct json_object *tasks, struct json_object *entry)
{
	double pid = fact_number(entry, "pid");
	size_t count = field_length(tasks) < TASKS_MAX ? field_length(tasks) : TASKS_MAX;

	for (size_t i = 0; i < count; i++) {
		struct json_object *task = json_object_array_get_idx(tasks, i);

		if (fact_number(task, "pid") == pid && field_is(task, "node", field_text(entry, "node") ?: ""))
			return true;
	}
	return false;
}

/* Whether srun had @entry started as a task. What a task has started itself may end with its step, after srun and the script. */
static bool is_task_of_srun(const struct left_behind *left, struct json_object *entry)
{
	const char *id = field_text(entry, "step");

	for (size_t i = 0; id && i < field_length(left->all_steps); i++) {
		struct json_object *step = json_object_array_get_idx(left->all_steps, i);

		if (field_is(step, "id", id))
			return parts_is_of_srun(step) && is_among(field_typed(step, "tasks", json_type_array), entry);
	}
	return false;
}

/*
 * Whether what had started @entry ended in the first half of its life: so it was not that which killed it. If it had ended before the
 * program began, init was the parent by then.
 */
static bool lost_its_parent(const struct left_behind *left, struct json_object *entry)
{
	int64_t start_us, end_ns, parent_ns;

	if (fact_number(entry, "ppid") == 1)
		return true;
	if (!time_parse(field_text(entry, "start"), &start_us) || !parts_end(entry, &end_ns))
		return false;
	for (size_t i = 0; i < field_length(left->timeline); i++) {
		struct json_object *parent = json_object_array_get_idx(left->timeline, i);

		if (parts_is_child(entry, parent) && parts_end(parent, &parent_ns) && parent_ns <= start_us * 500 + end_ns / 2)
			return true;
	}
	return false;
}

bool left_behind_is_orphan(const struct left_behind *left, struct json_object *entry)
{
	return left->known && field_true(entry, "dismissed") && !field_true(entry, "forked") && !field_true(entry, "slurm") &&
	       was_left(entry, left->script_ns) &&
	       (field_is(entry, "step", "batch") ? lost_its_parent(left, entry) : is_task_of_srun(left, entry));
}

static bool is_killed(const struct left_behind *left, struct json_object *entry)
{
	return fact_number(entry, "signal") > 0 && !field_true(entry, "slurm") &&
	       (!field_true(entry, "dismissed") || left_behind_is_orphan(left, entry));
}

/* Returns the time of all threads of @states, and of that what they waited in @waits. While others have the CPU, nothing is known. */
static double wait_seconds(struct json_object *states, double *waits)
{
	static const struct {
		const char *name;
		bool quiet;
	} all[] = {
		{ "on_cpu_s", false },	 { "memory_stall_s", false }, { "fault_io_s", false },
		{ "file_io_s", false },	 { "network_s", false },	  { "pipe_s", true },	       { "lock_s", false },
		{ "condition_s", false }, { "child_s", true },	  { "event_s", true },	       { "sleep_s", true },
		{ "other_s", false },
	};
	double sum = 0, value;

	*waits = 0;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!field_number(states, all[i].name, &value))
			continue;
		sum += value;
		*waits += all[i].quiet ? value : 0;
	}
	return sum;
}

/* Whether @of, an entry of the timeline or a tool, was quiet. What is not known was not. */
static bool is_quiet(struct json_object *of)
{
	double wall_s = fact_number(of, "wall_s"), waits, all = wait_seconds(field_typed(of, "states", json_type_object), &waits);
	double exchanged = fact_number(of, "socket_rx_bytes") + fact_number(of, "socket_tx_bytes");

	return all > 0 && waits >= QUIET_WAITS * all && fact_number(of, "cpu_s") <= QUIET_CPU * wall_s &&
	       fact_number(of, "syscall_write_bytes") + exchanged <= QUIET_BYTES_PER_S * wall_s;
}

void left_behind_begin(struct left_behind *left, struct json_object *report)
{
	*left = (struct left_behind){ .step = NULL };
	left->known = culprit_script_end(report, &left->script_ns);
	left->all_steps = field_typed(report, "steps", json_type_array);
	left->timeline = field_typed(report, "timeline", json_type_array);
}

double left_behind_orphans(const struct left_behind *left, struct json_object *report, const char *name)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	double count = 0;

	for (size_t i = 0; name && left->known && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		count += field_is(entry, "tool", name) && left_behind_is_orphan(left, entry);
	}
	return count;
}

bool left_behind_tool(const struct left_behind *left, struct json_object *report, const char *name)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	bool any = false;

	if (!name || !left->known)
		return false;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (!is_killed(left, entry) || field_true(entry, "forked") || !field_is(entry, "tool", name))
			continue;
		if (!was_left(entry, left->script_ns))
			return false;
		any = true;
	}
	return any;
}

/* The last run of a tool that a loop starts may have begun right before: then the tool as a whole says what it is like. */
bool left_behind_tool_was_quiet(const struct left_behind *left, struct json_object *report, const char *name)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);

	if (!left_behind_tool(left, report, name))
		return false;
	if (programs_is_launcher(name) || is_quiet(parts_tool(report, name)))
		return true;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (is_killed(left, entry) && field_is(entry, "tool", name) && !is_quiet(entry))
			return false;
	}
	return true;
}

/* ---- steps ---- */

static void add_step(struct left_behind *left, const char *names[LEFT_STEPS_MAX], const char *step)
{
	for (size_t i = 0; i < left->steps; i++)
		if (strcmp(names[i], step) == 0)
			return;
	if (left->steps < LEFT_STEPS_MAX)
		names[left->steps++] = step;
}

/* The timeline is by start, and so is the first step. */
void left_behind_find(struct left_behind *left, struct json_object *report)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	const char *names[LEFT_STEPS_MAX], *step;

	if (!field_true(report, "complete") || !left->known)
		return;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		step = field_text(entry, "step");
		if (step && !field_is(entry, "step", "batch") && is_killed(left, entry) && was_left(entry, left->script_ns) && !is_quiet(entry))
			add_step(left, names, step);
	}
	left->step = left->steps > 0 ? names[0] : NULL;
}
