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

/* When the job script ended, and which steps of srun still worked then. The results of these steps are lost. */
struct left_behind {
	bool known;        /* true if the end of the script is known */
	int64_t script_ns; /* since 1970 UTC */
	const struct report_step_list *all_steps; /* the report's steps; these and the timeline are borrowed from the report */
	const struct report_entry_list *timeline;
	size_t steps;      /* how many steps still worked; LEFT_STEPS_MAX means this many or more */
	const char *step;  /* id of the first of these steps to start, borrowed from the report; NULL if there is none */
};

/*
 * Returns true if the process of @entry did hardly anything but sleep, and wait for input from others. Monitors and
 * servers that run beside the work behave like this. Returns false if that is not known.
 */
bool left_behind_is_quiet(const struct report_entry *entry);

/* Finds when the script of @report ended. Does not look for steps; left_behind_find() does. */
void left_behind_begin(struct left_behind *left, const struct report *report);

/* Returns true if @entry is a run that left_behind_orphans() counts. */
bool left_behind_is_orphan(const struct left_behind *left, const struct report_entry *entry);

/*
 * Finds the steps that still worked when the script ended. Call left_behind_begin() first. Finds none if the report
 * is incomplete, or if the job has no script.
 */
void left_behind_find(struct left_behind *left, const struct report *report);

/*
 * Counts the runs of the user's tool @name that slurmstepd ended after the job script had ended.
 *
 * In the script's own step, these are runs whose parents had ended long before, as in "(solve &)". The node record
 * says that a process above them ended them. In a step of srun, these are the tasks that SIGTERM or SIGKILL ended.
 *
 * Does not count a child that its own parent killed, as timeout does. Such a child may need longer to end than its
 * parent and the script.
 */
double left_behind_orphans(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if all killed runs of the user's tool @name in the timeline were left behind. Slurm sends SIGKILL to
 * processes that are left in the script's own step. In steps of srun, Slurm first asks processes to end.
 *
 * A process that the script waited for ends right before the script. Reports of earlier versions of stint have times
 * only in milliseconds, so two ends in the same millisecond have no known order. @name may be NULL.
 */
bool left_behind_tool(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if left_behind_tool() returns true, and if these runs and their forks did hardly anything but sleep,
 * and wait for input from others. Monitors and servers that run beside the work behave like this. Launchers count as
 * quiet, because they wait for tasks, and the tasks are checked themselves. What a GPU did for the runs is not known.
 */
bool left_behind_tool_was_quiet(const struct left_behind *left, const struct report *report, const char *name);

#endif
