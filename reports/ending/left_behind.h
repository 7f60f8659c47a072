/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds processes that the job script did not wait for. Slurm ends these processes after the script. */
#ifndef STINT_LEFT_BEHIND_H
#define STINT_LEFT_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"

#define LEFT_STEPS_MAX 32

/* When the job script ended, and which steps of srun still worked. The results of these steps are lost. */
struct left_behind {
	bool known;        /* the end of the script is known */
	int64_t script_ns; /* nanoseconds since 1970 */
	const struct report_step_list *all_steps; /* all_steps and timeline are borrowed from the report */
	const struct report_entry_list *timeline;
	size_t steps;      /* steps that still worked; at most LEFT_STEPS_MAX */
	const char *step;  /* id of the first of these steps, borrowed; NULL if none */
};

/*
 * Returns true if the process mostly slept, or waited for input, as monitors and servers do.
 * Returns false if unknown.
 */
bool left_behind_is_quiet(const struct report_entry *entry);

/* Finds when the script ended. Call before left_behind_find(). */
void left_behind_begin(struct left_behind *left, const struct report *report);

/* Returns true if left_behind_orphans() counts @entry. */
bool left_behind_is_orphan(const struct left_behind *left, const struct report_entry *entry);

/*
 * Finds the steps that still worked when the script ended. Call left_behind_begin() first.
 * Finds none without a script, or in an incomplete report.
 */
void left_behind_find(struct left_behind *left, const struct report *report);

/*
 * Counts the runs of the user's tool @name that slurmstepd ended after the script.
 *
 * In the script's step, the parents of these runs had ended long before, as in "(solve &)".
 * In a step of srun, these runs are tasks that SIGTERM or SIGKILL ended.
 *
 * A child that its parent killed does not count. For example, a child of timeout may end after timeout and the script.
 */
double left_behind_orphans(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if all killed runs of the user's tool @name were left behind.
 * Slurm sends SIGKILL to processes that are left in the script's step. In steps of srun, Slurm sends SIGTERM first.
 *
 * A process that the script waited for ends right before the script.
 * Older reports have only milliseconds, so the order of two ends may not be known.
 *
 * @name may be NULL.
 */
bool left_behind_tool(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if left_behind_tool() returns true, and the tool mostly slept or waited for input.
 * Launchers count as quiet, because their tasks are checked themselves. What GPUs did is not known.
 */
bool left_behind_tool_was_quiet(const struct left_behind *left, const struct report *report, const char *name);

#endif
