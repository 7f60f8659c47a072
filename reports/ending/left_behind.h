/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what still ran when the job script ended without waiting for it: Slurm ends such processes. */
#ifndef STINT_LEFT_BEHIND_H
#define STINT_LEFT_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"

#define LEFT_STEPS_MAX 32

/* When the script ended, and the steps of srun that were still at work, so that their results are lost. */
struct left_behind {
	bool known;        /* when the script ended */
	int64_t script_ns; /* since 1970 UTC */
	const struct report_step_list *all_steps; /* the report's, borrowed, as is the timeline */
	const struct report_entry_list *timeline;
	size_t steps;      /* LEFT_STEPS_MAX: this many or more */
	const char *step;  /* the first to start, borrowed from the report; NULL: there is none */
};

/*
 * Returns true if the process of @entry did hardly anything but sleep and wait for what others send, like a monitor or a server beside
 * the work. Returns false if that is not known.
 */
bool left_behind_is_quiet(const struct report_entry *entry);

/* Finds when the script of @report ended. Finds no steps yet. */
void left_behind_begin(struct left_behind *left, const struct report *report);

/* Returns true if @entry is a run that left_behind_orphans() counts. */
bool left_behind_is_orphan(const struct left_behind *left, const struct report_entry *entry);

/* Finds the steps. An incomplete report has none, and neither has a job without a script. */
void left_behind_find(struct left_behind *left, const struct report *report);

/*
 * Counts the runs of the user's tool @name that slurmstepd ended after the script's end. The record says that a process above them
 * ended them. In the script's own step, these are the runs whose parents had ended long before, as in "(solve &)". In a step of
 * srun, these are the tasks that SIGTERM or SIGKILL ended. A process that its parent killed, as timeout does, does not count: it
 * may need longer to end than its parent and the script.
 */
double left_behind_orphans(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if all killed runs of the user's tool @name in the timeline were left behind. Slurm kills what is left in the
 * script's own step, and asks steps of srun to end first. A report of an earlier stint has only milliseconds: it does not tell the
 * order of two ends in one millisecond, and what the script waited for ends right before it. @name may be NULL.
 */
bool left_behind_tool(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if left_behind_tool() does, and these runs and their forks did hardly anything but sleep and wait for what others
 * send, like a monitor or a server beside the work. Launchers count as quiet: they wait for tasks, which are checked themselves.
 * What a GPU did for the runs is not known.
 */
bool left_behind_tool_was_quiet(const struct left_behind *left, const struct report *report, const char *name);

#endif
