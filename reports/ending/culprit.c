/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/culprit.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/ending/ends.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/parts.h"
#include "reports/ending/ranks.h"
#include "reports/json/field.h"
#include "reports/json/shells.h"

#define FORK_TRIES_S 1.0 /* a child that only tries to execute a program is over by then */
#define LOOKED_MAX 64 /* processes of other nodes: the timeline is looked through for each, and users decide how many failed */
#define DEPTH_MAX 16 /* shells in shells; a forged report could go round in a circle */

static bool same_text(struct json_object *one, struct json_object *other, const char *name)
{
	const char *text = field_text(one, name), *there = field_text(other, name);

	return text && there && strcmp(text, there) == 0;
}

/* srun's tasks are no children of its own. */
static bool is_task(struct json_object *entry)
{
	return !field_is(entry, "step", "batch") && !field_is(entry, "step", "extern") && !field_true(entry, "slurm");
}

static bool is_same_count(struct json_object *one, struct json_object *other, const char *name)
{
	int64_t value, there;

	return field_count(one, name, &value) && field_count(other, name, &there) && value == there;
}

/* Whether @entry is a task of srun's: its parent is slurmstepd, which is no process of the job, unlike that of all others. */
static bool has_no_parent(struct json_object *timeline, struct json_object *entry)
{
	for (size_t i = 0; i < field_length(timeline); i++)
		if (parts_is_child(entry, json_object_array_get_idx(timeline, i)))
			return false;
	return true;
}

/* Whether @entry is a task beside @task: those of a node have the same parent. */
static bool is_task_beside(struct json_object *timeline, struct json_object *entry, struct json_object *task, int *looked)
{
	if (!same_text(entry, task, "step"))
		return false;
	if (same_text(entry, task, "node"))
		return is_same_count(entry, task, "ppid");
	return is_task(entry) && (*looked)++ < LOOKED_MAX && has_no_parent(timeline, entry);
}

/*
 * srun ends all tasks when one has failed (--kill-on-bad-exit, MPI), and passes on the highest code, which is that of
 * the signal. Returns the task that failed by itself before the task @ended was ended so, else @ended.
 */
static struct json_object *first_to_fail(struct json_object *timeline, struct json_object *ended)
{
	struct json_object *first = ended;
	int64_t first_ns, end_ns;
	int looked = 0;

	if (!parts_end(ended, &first_ns))
		return ended;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);
		int64_t code = ends_code(entry);

		if (code <= 0 || code == SIGNAL_CODE + SIGTERM || code == SIGNAL_CODE + SIGKILL || !ends_with(entry, code) ||
		    !parts_end(entry, &end_ns) || end_ns >= first_ns || !is_task_beside(timeline, entry, ended, &looked))
			continue;
		first = entry;
		first_ns = end_ns;
	}
	return first;
}

/* Returns when the image of @entry, which ended at @end_ns, began: another one of its process may have been before. */
static int64_t begin_of(struct json_object *entry, int64_t end_ns)
{
	double wall_s;

	return field_number(entry, "wall_s", &wall_s) && wall_s >= 0 && wall_s * NS_PER_S <= (double)end_ns ?
		       end_ns - llround(wall_s * NS_PER_S) :
		       INT64_MIN;
}

typedef bool is_wanted(struct json_object *entry, int64_t code);

/*
 * Returns one that is @wanted among the children of @parent, or among the tasks where that is srun or NULL: the @last to end, or the
 * first. NULL: there is none.
 */
static struct json_object *find_below(struct json_object *timeline, struct json_object *parent, is_wanted *wanted, int64_t code, bool last)
{
	bool tasks = !parent || field_is(parent, "tool", "srun");
	int64_t found_ns = 0, end_ns, parent_ns = INT64_MAX, begin_ns = INT64_MIN;
	struct json_object *found = NULL;

	if (!tasks && parts_end(parent, &parent_ns))
		begin_ns = begin_of(parent, parent_ns);
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (entry == parent || !wanted(entry, code) || !(tasks ? is_task(entry) : parts_is_child(entry, parent)) ||
		    !parts_end(entry, &end_ns))
			continue;
		if (end_ns > parent_ns || end_ns < begin_ns) /* what lived on did not end its parent, nor did what ended before */
			continue;
		if (found && (last ? end_ns <= found_ns : end_ns >= found_ns))
			continue;
		found = entry;
		found_ns = end_ns;
	}
	return found;
}

/* Returns the next one below @parent, or the first task where that is NULL: it ended with the same code. NULL: there is none. */
static struct json_object *next_below(struct json_object *timeline, struct json_object *parent, int64_t code)
{
	bool tasks = !parent || field_is(parent, "tool", "srun");
	struct json_object *found = find_below(timeline, parent, ends_with, code, !tasks);

	if (found && tasks && (code == SIGNAL_CODE + SIGTERM || code == SIGNAL_CODE + SIGKILL))
		return first_to_fail(timeline, found);
	return found;
}

static bool has_failed(struct json_object *entry, int64_t any)
{
	(void)any;
	return ends_failed(entry);
}

/*
 * Returns the child of @parent, or the task of srun, that failed; NULL: there is none. Where several did: an engine tries things out
 * when it begins, so the last to end; a launcher ends all when one has failed, so the first.
 */
static struct json_object *failed_below(struct json_object *timeline, struct json_object *parent)
{
	return find_below(timeline, parent, has_failed, 0, programs_is_engine(field_text(parent, "tool")));
}

/*
 * Returns the rank by which the launcher @at failed. If none ended with its code, as where that is made of several, it is the first that
 * failed, and @engine gets @at. NULL: none is known to have failed.
 */
static struct json_object *rank_below(struct json_object *timeline, struct json_object *at, struct json_object **engine)
{
	struct json_object *rank = ends_code(at) > 0 ? ranks_first(timeline, at, ends_code(at)) : NULL;

	if (rank)
		return rank;
	rank = ranks_first(timeline, at, 0);
	if (rank && engine)
		*engine = at;
	return rank;
}

/* A shell's fork that ran no program, as for a command that is not there, is a part of the script, and none below it. */
struct json_object *culprit_below(struct json_object *report, struct json_object *entry, struct json_object **engine)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array), *at = entry, *below;

	for (int depth = 0; at && depth < DEPTH_MAX; depth++) {
		const char *tool = field_text(at, "tool");

		below = ranks_starts(at) ? rank_below(timeline, at, engine) : NULL;
		/* of an engine's children, one that ended with the engine's code may do so by chance */
		if (!below && !programs_is_engine(tool))
			below = next_below(timeline, at, ends_code(at));
		if (!below && programs_passes_on(tool)) {
			below = failed_below(timeline, at);
			if (below && engine)
				*engine = at;
		}
		if (below && !(field_true(below, "forked") && same_text(below, at, "tool")))
			entry = below;
		at = below;
	}
	return entry;
}

static bool is_command(struct json_object *entry, int64_t any)
{
	(void)any;
	return !field_true(entry, "forked") && !field_true(entry, "living") && ends_code(entry) >= 0;
}

struct json_object *culprit_last_command(struct json_object *report, struct json_object *shell)
{
	struct json_object *last = find_below(field_typed(report, "timeline", json_type_array), shell, is_command, 0, true);

	return last && !shells_is(last) && ends_failed(last) ? last : NULL;
}

/* A child that finds no program to execute ends at once, too, with a code such as 255: its parent may have expected that. */
static bool is_failed_fork(struct json_object *entry, int64_t any)
{
	int64_t code = ends_code(entry), signal = 0;
	double wall_s = 0;

	(void)any;
	if (!field_true(entry, "forked") || code <= 0 || code == SIGNAL_CODE + SIGPIPE || !ends_with(entry, code))
		return false;
	return (field_count(entry, "signal", &signal) && signal > 0) ||
	       (field_number(entry, "wall_s", &wall_s) && wall_s > FORK_TRIES_S);
}

/* A shell forks for its own commands, and those fail as an answer. */
struct json_object *culprit_fork(struct json_object *report, struct json_object *entry)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);

	return entry && !shells_is(entry) && !field_is(entry, "tool", "srun") ?
		       find_below(timeline, entry, is_failed_fork, 0, true) :
		       NULL;
}

struct json_object *culprit_dismissed(struct json_object *report, struct json_object *parent, int64_t code)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);

	for (size_t i = 0; parent && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (field_true(entry, "dismissed") && !field_true(entry, "forked") && ends_code(entry) == code && parts_is_child(entry, parent))
			return entry;
	}
	return NULL;
}

bool culprit_is_shells_own(struct json_object *report, struct json_object *script)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	int64_t code = ends_code(script);

	if (!field_true(report, "complete") || !shells_is(script) || code <= 0 || code >= SIGNAL_CODE)
		return false;
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (entry != script && ends_code(entry) > 0 && !field_true(entry, "slurm"))
			return false;
	}
	return true;
}

/* Returns the job script's last image: one that another replaced by exec has no end of its own. */
static struct json_object *find_script(struct json_object *timeline, int64_t pid, int64_t code)
{
	int64_t of_entry;

	for (size_t i = 0; pid >= 0 && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (field_is(entry, "step", "batch") && field_count(entry, "pid", &of_entry) && of_entry == pid &&
		    ends_with(entry, code))
			return entry;
	}
	return NULL;
}

/* Images that exec replaced have no exit code. */
struct json_object *culprit_script(struct json_object *report)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	int64_t pid = parts_script_pid(report), of_entry, code;

	for (size_t i = 0; pid >= 0 && i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (field_is(entry, "step", "batch") && field_count(entry, "pid", &of_entry) && of_entry == pid &&
		    !field_true(entry, "living") && field_count(entry, "exit_code", &code))
			return entry;
	}
	return NULL;
}

bool culprit_script_end(struct json_object *report, int64_t *end_ns)
{
	struct json_object *script = culprit_script(report);

	return script && parts_end(script, end_ns);
}

/* Returns the last command that @script ran after its child that ended with its own @code had ended; NULL: none. */
static const char *last_after(struct json_object *timeline, struct json_object *script, int64_t code)
{
	struct json_object *child = next_below(timeline, script, code), *last = find_below(timeline, script, is_command, 0, true);
	int64_t child_ns, last_ns;

	return child && last && child != last && parts_end(child, &child_ns) && parts_end(last, &last_ns) &&
			       begin_of(last, last_ns) >= child_ns ?
		       field_text(last, "tool") :
		       NULL;
}

static bool is_child(struct json_object *entry, int64_t any)
{
	(void)any;
	return !field_true(entry, "living") && ends_code(entry) >= 0;
}

/* Returns what failed within @script, which failed: itself, if that may have answered a question only. */
static struct json_object *failed_within(struct json_object *report, struct json_object *script)
{
	struct json_object *below = culprit_below(report, script, NULL);

	return ends_failed(below) ? below : script;
}

/* Whether @entry failed; that its reader had ended makes a pipe fail, too ("set -o pipefail"). */
static bool has_failed_before(struct json_object *entry)
{
	return ends_failed(entry) || (field_true(entry, "unread") && ends_code(entry) > 0);
}

/*
 * Returns what failed right before @shell ended with a code of its own, as in "solve || exit 3": the last process below it to end, within
 * the shell's forks, and below another script, too. NULL: that did not fail, or it is not known.
 */
static struct json_object *failed_before(struct json_object *report, struct json_object *shell)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	struct json_object *last = shells_is(shell) && ends_code(shell) < SIGNAL_CODE ? shell : NULL;

	for (int depth = 0; last && depth < DEPTH_MAX; depth++) {
		last = find_below(timeline, last, is_child, 0, true);
		if (!last || !has_failed_before(last))
			return NULL;
		if (!field_true(last, "forked"))
			return shells_is(last) ? failed_within(report, last) : last;
		if (!shells_is(last))
			return NULL;
	}
	return NULL;
}

/* Whether the script ran on after @entry, which may have answered a question only, and then ended with the same code. */
static bool was_asked(struct json_object *entry, const char *went_on)
{
	return went_on && !shells_is(entry) && programs_is_asked(field_text(entry, "tool"));
}

struct culprit culprit_find(struct json_object *report, int64_t code)
{
	struct json_object *timeline = field_typed(report, "timeline", json_type_array), *top;
	struct culprit culprit = { .batch = parts_batch_step(report) };

	top = culprit.batch ? find_script(timeline, parts_script_pid(report), code) : next_below(timeline, NULL, code);
	culprit.entry = culprit_below(report, top, &culprit.engine);
	if (culprit.batch && top && culprit.entry != top)
		culprit.went_on = last_after(timeline, top, code);
	if (was_asked(culprit.entry, culprit.went_on)) {
		culprit.entry = top;
		culprit.engine = NULL;
		culprit.went_on = NULL;
	}
	culprit.script = culprit.batch && culprit.entry == top;
	culprit.before = failed_before(report, culprit.entry);
	return culprit;
}

const char *culprit_tool(struct json_object *report)
{
	const char *state = field_text(report, "job.state");
	int64_t code = 0, signal = 0;

	if (!state || strcmp(state, "FAILED") != 0)
		return NULL;
	field_count(report, "job.exit_code", &code);
	field_count(report, "job.signal", &signal);
	if (signal > 0)
		code = SIGNAL_CODE + signal;
	return code > 0 ? field_text(culprit_find(report, code).entry, "tool") : NULL;
}

enum culprit_rank culprit_rank(struct json_object *tool, const char *of_job)
{
	const char *name = field_text(tool, "name");

	if (name && of_job && strcmp(name, of_job) == 0)
		return CULPRIT_OF_JOB;
	if (programs_is_launcher(name))
		return CULPRIT_LAUNCHER;
	if (shells_is(tool) || programs_passes_on(name))
		return CULPRIT_PASSES_ON;
	return programs_is_asked(name) ? CULPRIT_ASKED : CULPRIT_BY_ITSELF;
}
