/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/culprit.h"

#include <signal.h>
#include <stddef.h>

#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/ending/ranks.h"
#include "reports/json/shells.h"

#define LOOKED_MAX 64 /* the most processes of other nodes to check; each check searches the timeline, and users decide how many
		       * there are */
#define DEPTH_MAX 16 /* the most nested shells to follow, because a forged report could contain a cycle */

/* Returns true if @entry may be a task of srun. Does not look at parents, because srun is not the parent of its tasks. */
static bool is_task(const struct report_entry *entry)
{
	return !report_text_is(entry->step, "batch") && !report_text_is(entry->step, "extern") && !entry->slurm;
}

/*
 * Returns true if @entry is a task of the same step as @task. Tasks on one node have the same parent, slurmstepd.
 * slurmstepd is not a process of the job. So on another node, an entry is a task only if its parent is not in the
 * timeline.
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
 * Returns the first task that failed by itself before @ended, a task that srun ended. Returns @ended if there is
 * none. When one task has failed, srun ends all others (--kill-on-bad-exit, MPI). It then passes on the highest code,
 * which is that of the signal, and not the code of the task that failed first.
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
 * Returns when the image of @entry began. Its process may have run another image before. Returns INT64_MIN if not
 * known.
 * @end_ns: when @entry ended
 */
static int64_t begin_of(const struct report_entry *entry, int64_t end_ns)
{
	int64_t wall_ns = entry->wall_s.ns;

	return wall_ns >= 0 && wall_ns <= end_ns ? end_ns - wall_ns : INT64_MIN;
}

typedef bool is_wanted(const struct report_entry *entry, int64_t code);

/*
 * Returns a child of @parent for which @wanted returns true. If @parent is srun or NULL, looks at the tasks instead
 * of the children. If several processes match, returns the last one that ended if @last is true, otherwise the first
 * one. Returns NULL if there is none.
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
		if (end_ns > parent_ns || end_ns < begin_ns) /* skip it, because only a child that ended during the life of the
							      * parent's image can have ended that image */
			continue;
		if (found && (last ? end_ns <= found_ns : end_ns >= found_ns))
			continue;
		found = entry;
		found_ns = end_ns;
	}
	return found;
}

/*
 * Returns the last child of @parent that ended with @code. If @parent is srun or NULL, returns the first task that
 * ended with @code. If @code is that of a signal that srun sent to this task, returns the task that had failed
 * before. Returns NULL if there is none.
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
 * Returns the child of @parent, or the task of srun, that failed; NULL if there is none. If several failed below an
 * engine, returns the last one that ended, because an engine tries things out when it begins. Below any other
 * program, returns the first one, because a launcher ends all tasks when one has failed.
 */
static const struct report_entry *failed_below(const struct report *report, const struct report_entry *parent)
{
	return find_below(report, parent, has_failed, 0, programs_is_engine(parent->tool));
}

/*
 * Returns the first rank that ended with the exit code of the launcher @at. There may be none, for example because
 * the launcher combines several codes. In that case, returns the first rank that failed with any code, and sets
 * @engine to @at. Returns NULL if no rank is known to have failed.
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

/*
 * Never names a fork of a shell that ran no program, because such a fork is part of the script. A shell makes one if,
 * for example, a command does not exist.
 */
const struct report_entry *culprit_below(const struct report *report, const struct report_entry *entry,
					 const struct report_entry **engine)
{
	const struct report_entry *at = entry, *below;

	for (int depth = 0; at && depth < DEPTH_MAX; depth++) {
		below = ranks_starts(at) ? rank_below(report, at, engine) : NULL;
		/* skip this below an engine, because a child of an engine may have the engine's code by chance */
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
 * Returns true if @entry is a fork that failed. Does not count a fork that ended at once with an exit code such as
 * 255. It may have found no program to execute, and its parent may have expected that.
 */
static bool is_failed_fork(const struct report_entry *entry, int64_t any)
{
	int64_t code = ends_code(entry);

	(void)any;
	if (!entry->forked || code <= 0 || code == SIGNAL_CODE + SIGPIPE || !ends_with(entry, code))
		return false;
	return entry->signal > 0 || report_s(entry->wall_s) > EXEC_TRY_S;
}

/* Skips shells, because a shell forks for its own commands, and a failure of such a fork may be an answer. */
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
 * Returns the entry of the job script's last image, if that image ended with @code. Skips images that another exec
 * replaced, because they have no end of their own.
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

/* Skips images that another exec replaced, because they have no exit code. */
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

/*
 * Returns the last command of @script, if it began after the child that ended with @code had ended. @code is the
 * script's own code. Returns NULL if there is no such command.
 */
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

/*
 * Returns the process that made @script fail. If that process may only have answered a question, returns @script.
 */
static const struct report_entry *failed_within(const struct report *report, const struct report_entry *script)
{
	const struct report_entry *below = culprit_below(report, script, NULL);

	return ends_failed(below) ? below : script;
}

/*
 * Returns true if @entry failed. Also returns true if it ended with a code because the reader of its output had ended
 * before, because such a process makes a pipe fail ("set -o pipefail").
 */
static bool has_failed_before(const struct report_entry *entry)
{
	return ends_failed(entry) || (entry->unread && ends_code(entry) > 0);
}

/*
 * Returns the process that failed right before @shell ended with a code of its own, as in "solve || exit 3". This is
 * the last process below @shell that ended. It may be a child of the shell's forks, or of another script. Returns
 * NULL if that process did not fail, or if it is not known.
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
 * Returns true if @entry may only have answered a question, because the script ran another command after it.
 * @went_on: the last such command; NULL if there is none
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
