/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a step, a tool or killed processes in a report by name, and when a process ended. */
#ifndef STINT_PARTS_H
#define STINT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

#define EXIT_CANNOT_RUN 126 /* exit code of a shell's child whose command could not be run */
#define EXIT_NOT_FOUND 127  /* exit code of a shell's child whose command was not found */
#define EXEC_TRY_S 1.0 /* seconds; a shorter child may only have tried to execute a program */
#define SIGNAL_MAX 64 /* highest signal of Linux */
#define SIGNAL_CODE 128 /* shells add a signal to this */

/* Returns the step of the job script, borrowed; NULL if there is none. */
const struct report_step *parts_batch_step(const struct report *report);

/* Returns the pid of the job script; -1 if unknown. */
int64_t parts_script_pid(const struct report *report);

/*
 * Returns the user's tool @name, borrowed; NULL if there is none.
 * Slurm's own tools can have the same name (sleep). @name may be NULL.
 */
const struct report_tool *parts_tool(const struct report *report, const char *name);

/* Returns how many processes of the tool @name were killed for memory. @name may be NULL. */
int64_t parts_victims(const struct report *report, const char *name);

/* Returns true if srun started @step, so its id is a number. Slurm's own steps are batch, extern and interactive. */
bool parts_is_of_srun(const struct report_step *step);

/* Returns true if @parent is the parent of @entry, in the same step, and on the same node if the nodes are known. */
bool parts_is_child(const struct report_entry *entry, const struct report_entry *parent);

/*
 * Returns the next parent of @entry after @last, borrowed; NULL if there is none. @last: NULL for the first parent.
 * An exec gives a process another entry, so there can be several parents.
 */
const struct report_entry *parts_parent(const struct report_entry_list *timeline, const struct report_entry *entry,
					const struct report_entry *last);

/* Returns the exit code that a shell sees in $? for a wait status. */
int64_t parts_shell_code(int64_t status);

/*
 * Finds when @entry ended, in nanoseconds since 1970.
 * The time is in whole milliseconds if the process ended well, and in older reports.
 * Returns false, with @end_ns unchanged, if unknown. @entry may be NULL.
 */
bool parts_end(const struct report_entry *entry, int64_t *end_ns);

#endif
