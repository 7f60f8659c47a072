/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds processes that still ran when the job script ended, because the script did not wait for them. Slurm ends such
 * processes.
 */
#ifndef STINT_LEFT_BEHIND_H
#define STINT_LEFT_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"

#define LEFT_STEPS_MAX 32

/* When the script ended, and which steps of srun were still at work. The results of these steps are lost. */
struct left_behind {
	bool known;        /* true if the end of the script is known */
	int64_t script_ns; /* since 1970 UTC */
	const struct report_step_list *all_steps; /* the report's steps, borrowed, as is the timeline */
	const struct report_entry_list *timeline;
	size_t steps;      /* the number of steps. LEFT_STEPS_MAX means this many or more */
	const char *step;  /* the id of the step that started first, borrowed from the report; NULL if there is none */
};

/*
 * Returns true if the process of @entry did hardly anything but sleep and wait for others to send something, like a
 * monitor or a server that runs beside the work. Returns false if that is not known.
 */
bool left_behind_is_quiet(const struct report_entry *entry);

/* Finds when the script of @report ended. Does not find the steps yet. */
void left_behind_begin(struct left_behind *left, const struct report *report);

/* Returns true if @entry is a run that left_behind_orphans() counts. */
bool left_behind_is_orphan(const struct left_behind *left, const struct report_entry *entry);

/* Finds the steps. Finds none if the report is incomplete, or if the job has no script. */
void left_behind_find(struct left_behind *left, const struct report *report);

/*
 * Counts the runs of the user's tool @name that slurmstepd ended after the script's end. For such runs, the record says
 * that a process above them ended them. In the script's own step, the parents of these runs had ended long before, as
 * in "(solve &)". In a step of srun, these runs are the tasks that SIGTERM or SIGKILL ended. If a parent killed its
 * child, as timeout does, the child does not count, because it may need longer to end than its parent and the script.
 */
double left_behind_orphans(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if all killed runs of the user's tool @name in the timeline were left behind. Slurm sends SIGKILL to
 * processes that are left in the script's own step, and first asks the processes in steps of srun to end. A report of
 * an earlier stint has only milliseconds. It does not tell the order of two ends in one millisecond, and a process that
 * the script waited for ends right before the script. @name may be NULL.
 */
bool left_behind_tool(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if left_behind_tool() returns true, and these runs and their forks did hardly anything but sleep and
 * wait for others to send something, like a monitor or a server that runs beside the work. Launchers count as quiet,
 * because they wait for tasks, which are checked themselves. It is not known what a GPU did for the runs.
 */
bool left_behind_tool_was_quiet(const struct left_behind *left, const struct report *report, const char *name);

#endif
