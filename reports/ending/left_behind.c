/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/left_behind.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/ending/culprit.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/ending/work_states.h"

#define TASKS_MAX 256 /* tasks of a step to look at: each entry is compared with all of these tasks */

/* A process within all three limits is quiet. */
#define QUIET_CPU 0.05 /* most CPU time, as a share of the lifetime: one of many threads may be busy */
#define QUIET_WAITS 0.9 /* least share of quiet waits in the time of all threads */
#define QUIET_BYTES_PER_S 4096.0 /* bytes written and exchanged: a transfer waits most of the time, too, but is not quiet */

/* Slurm sends SIGKILL to processes that are left. In steps of srun, Slurm sends SIGTERM first. */
static bool was_left(const struct report_entry *entry, int64_t script_ns)
{
	bool slurms = entry->signal == SIGKILL || (entry->signal == SIGTERM && !report_text_is(entry->step, "batch"));
	int64_t end_ns;

	return slurms && !report_text_is(entry->step, "extern") && parts_end(entry, &end_ns) && end_ns > script_ns;
}

static bool is_among(const struct report_task_list *tasks, const struct report_entry *entry)
{
	size_t count = tasks->count < TASKS_MAX ? tasks->count : TASKS_MAX;

	for (size_t i = 0; i < count; i++) {
		const struct report_task *task = &tasks->items[i];

		if (task->pid >= 0 && task->pid == entry->pid && report_text_is(task->node, entry->node ?: ""))
			return true;
	}
	return false;
}

/* Only tasks count: another process of a step may end together with the step, after srun and the script. */
static bool is_task_of_srun(const struct left_behind *left, const struct report_entry *entry)
{
	for (size_t i = 0; i < left->all_steps->count; i++) {
		const struct report_step *step = &left->all_steps->items[i];

		if (report_text_is(step->id, entry->step))
			return parts_is_of_srun(step) && is_among(&step->tasks, entry);
	}
	return false;
}

/*
 * Returns true if the parent ended in the first half of the life of @entry, and so cannot have killed it.
 * If init is the parent, the real parent had ended before.
 */
static bool lost_its_parent(const struct left_behind *left, const struct report_entry *entry)
{
	const struct report_entry *parent = NULL;
	int64_t start_us, end_ns, half_ns, parent_ns;

	if (entry->ppid == 1)
		return true;
	if (!time_parse(entry->start, &start_us) || !parts_end(entry, &end_ns) || __builtin_mul_overflow(start_us, 500, &half_ns) ||
	    __builtin_add_overflow(half_ns, end_ns / 2, &half_ns))
		return false;
	while ((parent = parts_parent(left->timeline, entry, parent)))
		if (parts_end(parent, &parent_ns) && parent_ns <= half_ns)
			return true;
	return false;
}

bool left_behind_is_orphan(const struct left_behind *left, const struct report_entry *entry)
{
	return left->known && entry->dismissed && !entry->forked && !entry->slurm && was_left(entry, left->script_ns) &&
	       (report_text_is(entry->step, "batch") ? lost_its_parent(left, entry) : is_task_of_srun(left, entry));
}

static bool is_killed(const struct left_behind *left, const struct report_entry *entry)
{
	return entry->signal > 0 && !entry->slurm && (!entry->dismissed || left_behind_is_orphan(left, entry));
}

/*
 * Returns the time of all threads. @waits: set to the quiet waits in this time.
 * The time in which other threads had the CPU does not count.
 */
/* Returns the threads' time. The wall time of one thread that waits for a GPU is left out: it says nothing. */
static double wait_seconds(const struct report_states *states, double wall_s, double *waits)
{
#define STATE(state, member, time) { states->member, time },
	const struct {
		struct report_seconds spent;
		enum thread_time time;
	} all[] = { THREAD_STATES(STATE) };
#undef STATE
	double sum = 0;

	*waits = 0;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].spent.ns < 0 || all[i].time == TIME_READY)
			continue;
		sum += all[i].time == TIME_FOR_A_GPU ? fmax(0, report_s(all[i].spent) - wall_s) : report_s(all[i].spent);
		*waits += all[i].time == TIME_QUIET ? report_s(all[i].spent) : 0;
	}
	return sum;
}

/* Returns false if unknown. @bytes: written and exchanged. */
static bool is_quiet(const struct report_states *states, double wall_s, double cpu_s, double bytes)
{
	double waits, all = wait_seconds(states, wall_s, &waits);

	return all > 0 && waits >= QUIET_WAITS * all && cpu_s <= QUIET_CPU * wall_s && bytes <= QUIET_BYTES_PER_S * wall_s;
}

bool left_behind_is_quiet(const struct report_entry *entry)
{
	return is_quiet(&entry->states, report_s(entry->wall_s), report_s(entry->cpu_s),
			report_number(entry->syscall_write_bytes) + report_number(entry->socket_rx_bytes) +
				report_number(entry->socket_tx_bytes));
}

static bool tool_is_quiet(const struct report_tool *tool)
{
	return tool && is_quiet(&tool->states, report_s(tool->wall_s), report_s(tool->cpu_s),
				report_number(tool->syscall_write_bytes) + report_number(tool->socket_rx_bytes) +
					report_number(tool->socket_tx_bytes));
}

void left_behind_begin(struct left_behind *left, const struct report *report)
{
	*left = (struct left_behind){ .step = NULL };
	left->known = culprit_script_end(report, &left->script_ns);
	left->all_steps = &report->steps;
	left->timeline = &report->timeline;
}

double left_behind_orphans(const struct left_behind *left, const struct report *report, const char *name)
{
	double count = 0;

	for (size_t i = 0; name && left->known && i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		count += report_text_is(entry->tool, name) && left_behind_is_orphan(left, entry);
	}
	return count;
}

bool left_behind_tool(const struct left_behind *left, const struct report *report, const char *name)
{
	bool any = false;

	if (!name || !left->known)
		return false;
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (!report_text_is(entry->tool, name) || entry->forked || !is_killed(left, entry))
			continue;
		if (!was_left(entry, left->script_ns))
			return false;
		any = true;
	}
	return any;
}

/* The last run of a tool in a loop may have begun right before the end, so the tool is judged as a whole, too. */
bool left_behind_tool_was_quiet(const struct left_behind *left, const struct report *report, const char *name)
{
	if (!left_behind_tool(left, report, name))
		return false;
	if (programs_is_launcher(name) || tool_is_quiet(parts_tool(report, name)))
		return true;
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (report_text_is(entry->tool, name) && is_killed(left, entry) && !left_behind_is_quiet(entry))
			return false;
	}
	return true;
}

static void add_step(struct left_behind *left, const char *names[LEFT_STEPS_MAX], const char *step)
{
	for (size_t i = 0; i < left->steps; i++)
		if (strcmp(names[i], step) == 0)
			return;
	if (left->steps < LEFT_STEPS_MAX)
		names[left->steps++] = step;
}

/* The timeline is sorted by start, so the first step found started first. */
void left_behind_find(struct left_behind *left, const struct report *report)
{
	const char *names[LEFT_STEPS_MAX];

	if (!report->complete.value || !left->known)
		return;
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (entry->step && strcmp(entry->step, "batch") != 0 && is_killed(left, entry) && was_left(entry, left->script_ns) &&
		    !left_behind_is_quiet(entry))
			add_step(left, names, entry->step);
	}
	left->step = left->steps > 0 ? names[0] : NULL;
}
