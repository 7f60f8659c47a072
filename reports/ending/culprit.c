/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/culprit.h"

#include <signal.h>
#include <stddef.h>

#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/ending/ranks.h"
#include "reports/json/shells.h"

#define LOOKED_MAX 64 /* processes of other nodes to check: each searches the timeline, and users decide how many there are */
#define DEPTH_MAX 16 /* nested shells to follow: a forged report could have a cycle */

/* Does not look at parents, because srun is not the parent of its tasks. */
static bool is_task(const struct report_entry *entry)
{
	return !report_text_is(entry->step, "batch") && !report_text_is(entry->step, "extern") && !entry->slurm;
}

/*
 * Returns true if @entry is a task of the same step as @task.
 * On a node, all tasks have the parent slurmstepd, which is not in the timeline.
 * So an entry of another node is a task if its parent is not in the timeline.
 */
static bool is_task_beside(const struct report *report, const struct report_entry *entry, const struct report_entry *task, int *looked)
{
	if (!report_text_is(entry->step, task->step))
		return false;
	if (report_text_is(entry->node, task->node))
		return entry->ppid >= 0 && entry->ppid == task->ppid;
	return is_task(entry) && (*looked)++ < LOOKED_MAX && !parts_parent(&report->timeline, entry, NULL);
}

/*
 * Returns the first task that failed by itself before the task @ended; @ended if there is no such task.
 * When a task fails, srun ends all other tasks, such as @ended (--kill-on-bad-exit, MPI).
 * srun then passes on the highest code, which is the code of the signal.
 */
static const struct report_entry *first_to_fail(const struct report *report, const struct report_entry *ended)
{
	const struct report_entry *first = ended;
	int64_t first_ns, end_ns;
	int looked = 0;

	if (!parts_end(ended, &first_ns))
		return ended;
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];
		int64_t code = ends_code(entry);

		if (code <= 0 || code == SIGNAL_CODE + SIGTERM || code == SIGNAL_CODE + SIGKILL || !ends_with(entry, code) ||
		    !parts_end(entry, &end_ns) || end_ns >= first_ns || !is_task_beside(report, entry, ended, &looked))
			continue;
		first = entry;
		first_ns = end_ns;
	}
	return first;
}

/*
 * Returns when the program of @entry began, in nanoseconds since 1970; INT64_MIN if unknown.
 * Before an exec, the same process may have run another program.
 * @end_ns: when @entry ended.
 */
static int64_t begin_of(const struct report_entry *entry, int64_t end_ns)
{
	int64_t wall_ns = entry->wall_s.ns;

	return wall_ns >= 0 && wall_ns <= end_ns ? end_ns - wall_ns : INT64_MIN;
}

typedef bool is_wanted(const struct report_entry *entry, int64_t code);

/*
 * Returns a child of @parent for which @wanted is true; NULL if there is none.
 * If @parent is srun or NULL, searches the tasks of the step.
 * @last: returns the child that ended last; otherwise, the child that ended first.
 */
static const struct report_entry *find_below(const struct report *report, const struct report_entry *parent, is_wanted *wanted,
					     int64_t code, bool last)
{
	bool tasks = !parent || report_text_is(parent->tool, "srun");
	int64_t found_ns = 0, end_ns, parent_ns = INT64_MAX, begin_ns = INT64_MIN;
	const struct report_entry *found = NULL;

	if (!tasks && parts_end(parent, &parent_ns))
		begin_ns = begin_of(parent, parent_ns);
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (entry == parent || !wanted(entry, code) || !(tasks ? is_task(entry) : parts_is_child(entry, parent)) ||
		    !parts_end(entry, &end_ns))
			continue;
		/* the child did not end while the parent's program ran */
		if (end_ns > parent_ns || end_ns < begin_ns)
			continue;
		if (found && (last ? end_ns <= found_ns : end_ns >= found_ns))
			continue;
		found = entry;
		found_ns = end_ns;
	}
	return found;
}

/*
 * Returns the last child of @parent that ended with @code; NULL if there is none.
 * If @parent is srun or NULL, returns the first task.
 * If srun ended this task by a signal, returns the task that failed before it.
 */
static const struct report_entry *next_below(const struct report *report, const struct report_entry *parent, int64_t code)
{
	bool tasks = !parent || report_text_is(parent->tool, "srun");
	const struct report_entry *found = find_below(report, parent, ends_with, code, !tasks);

	if (found && tasks && (code == SIGNAL_CODE + SIGTERM || code == SIGNAL_CODE + SIGKILL))
		return first_to_fail(report, found);
	return found;
}

static bool has_failed(const struct report_entry *entry, int64_t any)
{
	(void)any;
	return ends_failed(entry);
}

/*
 * Returns the failed child of @parent, or the failed task of srun; NULL if there is none.
 * An engine such as make tries things out at its begin, so the last failed child counts.
 * A launcher ends all other tasks when a task fails, so the first failed task counts.
 */
static const struct report_entry *failed_below(const struct report *report, const struct report_entry *parent)
{
	return find_below(report, parent, has_failed, 0, programs_is_engine(parent->tool));
}

/*
 * Returns the first rank that ended with the exit code of the launcher @at.
 * If there is no such rank, returns the first failed rank, and sets @engine to @at: a launcher may combine codes.
 * Returns NULL if no rank failed.
 */
static const struct report_entry *rank_below(const struct report *report, const struct report_entry *at,
					     const struct report_entry **engine)
{
	const struct report_entry *rank = ends_code(at) > 0 ? ranks_first(&report->timeline, at, ends_code(at)) : NULL;

	if (rank)
		return rank;
	rank = ranks_first(&report->timeline, at, 0);
	if (rank && engine)
		*engine = at;
	return rank;
}

/* A shell's fork that ran no program is a part of the script. Looks below such a fork, but never returns it. */
const struct report_entry *culprit_below(const struct report *report, const struct report_entry *entry,
					 const struct report_entry **engine)
{
	const struct report_entry *at = entry, *below;

	for (int depth = 0; at && depth < DEPTH_MAX; depth++) {
		below = ranks_starts(at) ? rank_below(report, at, engine) : NULL;
		/* A child of an engine may have the engine's code by chance. */
		if (!below && !programs_is_engine(at->tool))
			below = next_below(report, at, ends_code(at));
		if (!below && programs_passes_on(at->tool)) {
			below = failed_below(report, at);
			if (below && engine)
				*engine = at;
		}
		if (below && !(below->forked && report_text_is(below->tool, at->tool)))
			entry = below;
		at = below;
	}
	return entry;
}

static bool is_command(const struct report_entry *entry, int64_t any)
{
	(void)any;
	return !entry->forked && !entry->living && ends_code(entry) >= 0;
}

const struct report_entry *culprit_last_command(const struct report *report, const struct report_entry *shell)
{
	const struct report_entry *last = find_below(report, shell, is_command, 0, true);

	return last && !shells_is(last->tool, last->interpreter) && ends_failed(last) ? last : NULL;
}

/*
 * A fork that ended at once with an exit code may have tried to execute a program that does not exist.
 * Its parent may expect this, so such a fork does not count.
 */
static bool is_failed_fork(const struct report_entry *entry, int64_t any)
{
	int64_t code = ends_code(entry);

	(void)any;
	if (!entry->forked || code <= 0 || code == SIGNAL_CODE + SIGPIPE || !ends_with(entry, code))
		return false;
	return entry->signal > 0 || report_s(entry->wall_s) > EXEC_TRY_S;
}

/* A shell forks for its own commands, whose failure may be an answer. */
const struct report_entry *culprit_fork(const struct report *report, const struct report_entry *entry)
{
	return entry && !shells_is(entry->tool, entry->interpreter) && !report_text_is(entry->tool, "srun") ?
		       find_below(report, entry, is_failed_fork, 0, true) :
		       NULL;
}

const struct report_entry *culprit_dismissed(const struct report *report, const struct report_entry *parent, int64_t code)
{
	for (size_t i = 0; parent && i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (entry->dismissed && !entry->forked && ends_code(entry) == code && parts_is_child(entry, parent))
			return entry;
	}
	return NULL;
}

bool culprit_is_shells_own(const struct report *report, const struct report_entry *script)
{
	int64_t code = ends_code(script);

	if (!report->complete.value || code <= 0 || code >= SIGNAL_CODE || !shells_is(script->tool, script->interpreter))
		return false;
	for (size_t i = 0; i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (entry != script && ends_code(entry) > 0 && !entry->slurm)
			return false;
	}
	return true;
}

/*
 * Returns the last entry of the script's process if this entry ended with @code.
 * After an exec, earlier entries have no end.
 */
static const struct report_entry *find_script(const struct report *report, int64_t code)
{
	int64_t pid = parts_script_pid(report);

	for (size_t i = 0; pid >= 0 && i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (entry->pid == pid && report_text_is(entry->step, "batch") && ends_with(entry, code))
			return entry;
	}
	return NULL;
}

/* An entry has no exit code if an exec replaced its program. */
const struct report_entry *culprit_script(const struct report *report)
{
	int64_t pid = parts_script_pid(report);

	for (size_t i = 0; pid >= 0 && i < report->timeline.count; i++) {
		const struct report_entry *entry = &report->timeline.items[i];

		if (entry->pid == pid && report_text_is(entry->step, "batch") && !entry->living && entry->exit_code >= 0)
			return entry;
	}
	return NULL;
}

bool culprit_script_end(const struct report *report, int64_t *end_ns)
{
	return parts_end(culprit_script(report), end_ns);
}

/* Returns the last command of @script if it began after the end of the child with @code; else NULL. */
static const char *last_after(const struct report *report, const struct report_entry *script, int64_t code)
{
	const struct report_entry *child = next_below(report, script, code);
	const struct report_entry *last = find_below(report, script, is_command, 0, true);
	int64_t child_ns, last_ns;

	return child && last && child != last && parts_end(child, &child_ns) && parts_end(last, &last_ns) &&
			       begin_of(last, last_ns) >= child_ns ?
		       last->tool :
		       NULL;
}

static bool is_child(const struct report_entry *entry, int64_t any)
{
	(void)any;
	return !entry->living && ends_code(entry) >= 0;
}

static const struct report_entry *failed_within(const struct report *report, const struct report_entry *script)
{
	const struct report_entry *below = culprit_below(report, script, NULL);

	return ends_failed(below) ? below : script;
}

/* If a process failed because the reader of its output had ended, its pipe fails, too ("set -o pipefail"). */
static bool has_failed_before(const struct report_entry *entry)
{
	return ends_failed(entry) || (entry->unread && ends_code(entry) > 0);
}

/*
 * Returns the process that failed right before @shell ended with a code of its own, as in "solve || exit 3".
 * Looks only at the process below @shell that ended last.
 * Returns NULL if this process did not fail, or if its end is not known.
 */
static const struct report_entry *failed_before(const struct report *report, const struct report_entry *shell)
{
	const struct report_entry *last = NULL;

	if (shell && shells_is(shell->tool, shell->interpreter) && ends_code(shell) < SIGNAL_CODE)
		last = shell;
	for (int depth = 0; last && depth < DEPTH_MAX; depth++) {
		last = find_below(report, last, is_child, 0, true);
		if (!last || !has_failed_before(last))
			return NULL;
		if (!last->forked)
			return shells_is(last->tool, last->interpreter) ? failed_within(report, last) : last;
		if (!shells_is(last->tool, last->interpreter))
			return NULL;
	}
	return NULL;
}

/*
 * Returns true if @entry may only have answered a question, because the script went on.
 * @went_on: the script's last command; NULL if there is none.
 */
static bool was_asked(const struct report_entry *entry, const char *went_on)
{
	return went_on && !shells_is(entry->tool, entry->interpreter) && programs_is_asked(entry->tool);
}

struct culprit culprit_find(const struct report *report, int64_t code)
{
	const struct report_entry *top;
	struct culprit culprit = { .batch = parts_batch_step(report) };

	top = culprit.batch ? find_script(report, code) : next_below(report, NULL, code);
	culprit.entry = culprit_below(report, top, &culprit.engine);
	if (culprit.batch && top && culprit.entry != top)
		culprit.went_on = last_after(report, top, code);
	if (was_asked(culprit.entry, culprit.went_on)) {
		culprit.entry = top;
		culprit.engine = NULL;
		culprit.went_on = NULL;
	}
	culprit.script = culprit.batch && culprit.entry == top;
	culprit.before = failed_before(report, culprit.entry);
	return culprit;
}

const char *culprit_tool(const struct report *report)
{
	int64_t code = ends_code_of(report->job.exit_code, report->job.signal);
	const struct report_entry *entry = NULL;

	if (code > 0 && report_text_is(report->job.state, "FAILED"))
		entry = culprit_find(report, code).entry;
	return entry ? entry->tool : NULL;
}

enum culprit_rank culprit_rank(const struct report_tool *tool, const char *of_job)
{
	const char *name = tool->name;

	if (report_text_is(name, of_job))
		return CULPRIT_OF_JOB;
	if (programs_is_launcher(name))
		return CULPRIT_LAUNCHER;
	if (shells_is(name, tool->interpreter) || programs_passes_on(name))
		return CULPRIT_PASSES_ON;
	return programs_is_asked(name) ? CULPRIT_ASKED : CULPRIT_BY_ITSELF;
}
