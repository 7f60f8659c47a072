/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What still ran when the job script ended, without waiting for it: Slurm ends that. */
#ifndef STINT_LEFT_BEHIND_H
#define STINT_LEFT_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"

#define LEFT_STEPS_MAX 32

/* When the script ended, and the steps of srun that were at work then, so that their results are lost. */
struct left_behind {
	bool known;        /* when the script ended */
	int64_t script_ns; /* since 1970 UTC */
	const struct report_step_list *all_steps; /* the report's, borrowed, as is the timeline */
	const struct report_entry_list *timeline;
	size_t steps;      /* LEFT_STEPS_MAX: as many, or more */
	const char *step;  /* the first to start, borrowed from the report; NULL: there is none */
};

/* Finds when the script of @report ended; there is no step yet. */
void left_behind_begin(struct left_behind *left, const struct report *report);

/* Returns true if @entry is a run that left_behind_orphans() counts. */
bool left_behind_is_orphan(const struct left_behind *left, const struct report_entry *entry);

/* Finds the steps. A report of which not all is known has none, nor has a job without a script. */
void left_behind_find(struct left_behind *left, const struct report *report);

/*
 * Counts the runs of the user's tool @name that the record says a process above them ended, because slurmstepd did that after the
 * script's end: in the script's own step those whose parents had ended long before, as in "(solve &)"; in a step of srun the tasks
 * that SIGKILL ended. A process that its parent killed, as timeout does, may need longer to end than its parent and the script.
 */
double left_behind_orphans(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if all killed runs of the user's tool @name that the timeline knows were left behind: in the script's own step Slurm
 * kills what is left, and steps of srun are asked to end before. A report of an earlier stint has milliseconds: of two ends in one,
 * the order is not known, and what the script waited for ends right before it. @name may be NULL.
 */
bool left_behind_tool(const struct left_behind *left, const struct report *report, const char *name);

/*
 * Returns true if these, and the forks of theirs, did hardly anything but sleep and wait for what others send, like a monitor or a
 * server beside the work. Launchers wait for tasks, which are looked at themselves. What a GPU did for them is not known.
 */
bool left_behind_tool_was_quiet(const struct left_behind *left, const struct report *report, const char *name);

#endif
