/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up parts of a report by name: a step, a tool, or the killed processes. Also finds when a process ended. */
#ifndef STINT_PARTS_H
#define STINT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

#define EXIT_CANNOT_RUN 126 /* exit code of a shell's child for a command that was found but could not be run */
#define EXIT_NOT_FOUND 127  /* exit code of a shell's child for a command that was not found */
#define EXEC_TRY_S 1.0 /* in seconds; a child that ends sooner may only have tried to execute a program */
#define SIGNAL_MAX 64 /* the highest signal number of Linux */
#define SIGNAL_CODE 128 /* shells add this to a signal's number to make an exit code */

/*
 * Returns the step of the job script; borrowed. Returns NULL if the job has no script, or if the report does not have
 * the step.
 */
const struct report_step *parts_batch_step(const struct report *report);

/* Returns the pid of the job script, which is the task of the batch step; -1 if not known. */
int64_t parts_script_pid(const struct report *report);

/*
 * Returns the user's tool called @name; borrowed. Returns NULL if there is none. Skips Slurm's own tools, because
 * they may have the same name, such as sleep. @name may be NULL.
 */
const struct report_tool *parts_tool(const struct report *report, const char *name);

/* Returns how many processes of the tool called @name the kernel killed for memory. @name may be NULL. */
int64_t parts_victims(const struct report *report, const char *name);

/*
 * Returns true if srun started @step. The id of such a step is a number. The ids of Slurm's own steps (batch, extern,
 * interactive) are words.
 */
bool parts_is_of_srun(const struct report_step *step);

/*
 * Returns true if @parent is the parent of @entry. Both must be entries of the timeline, and of the same step. If
 * they name their nodes, the nodes must be the same, too.
 */
bool parts_is_child(const struct report_entry *entry, const struct report_entry *parent);

/*
 * Returns the next parent of @entry in @timeline after @last; borrowed. If @last is NULL, returns the first parent.
 * Returns NULL if there is none. An entry may have several parents, because an exec gives the same process another
 * entry.
 */
const struct report_entry *parts_parent(const struct report_entry_list *timeline, const struct report_entry *entry,
					const struct report_entry *last);

/* Returns the exit code that a shell sees in $? after a process ended with the wait status @status. */
int64_t parts_shell_code(int64_t status);

/*
 * Finds when @entry of the timeline ended, in nanoseconds since 1970. The time is in whole milliseconds if the
 * process ended well, or if an earlier version of stint made the report.
 *
 * Returns false, with @end_ns unchanged, if the report does not have the time. @entry may be NULL.
 */
bool parts_end(const struct report_entry *entry, int64_t *end_ns);

#endif
