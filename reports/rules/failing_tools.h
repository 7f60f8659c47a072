/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how runs of a job's tools failed, or were killed. All tools here are borrowed from the report. */
#ifndef STINT_FAILING_TOOLS_H
#define STINT_FAILING_TOOLS_H

#include <stdbool.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/* Returns true if @tool is the user's, and not one of Slurm's own. */
bool failing_is_users(const struct report_tool *tool);

/* Returns true if @tool is the job script, and the job's outcome says how the script ended, or what made it fail. */
bool failing_is_outcomes(const struct facts *facts, const struct report_tool *tool);

/* Returns true if the finding work-failed says how @tool failed. */
bool failing_is_works(const struct facts *facts, const struct report_tool *tool);

/*
 * Returns true if @entry, which is from the timeline, is a run of the user's tool @name that may have failed. A run of
 * Slurm's own tool of the same name, such as sleep, is not one.
 */
bool failing_is_run(const struct report_entry *entry, const char *name);

/*
 * Returns the signal (if @name is "signal") or the exit code (if not) that all failed runs of @tool in the timeline
 * have in common. Returns NAN if the runs differ, or if none is known.
 */
double failing_ending(const struct facts *facts, const struct report_tool *tool, const char *name);

/*
 * Returns true if each run of @tool in the timeline that failed with an exit code had lost the reader of its output
 * before it failed. Such runs are not failures.
 */
bool failing_was_unread(const struct facts *facts, const struct report_tool *tool);

/* Returns how many runs of @tool ended themselves by a signal as part of their work. The finding tools-killed does not count these. */
double failing_ended_itself(const struct facts *facts, const struct report_tool *tool);

/*
 * Returns how many runs of @tool ended by a signal. Leaves out the runs that Slurm ended, the runs that the kernel
 * ended for memory, and the runs that ended themselves.
 */
double failing_killed_in_all(const struct facts *facts, const struct report_tool *tool);

/*
 * Like failing_killed_in_all(), for the finding tools-killed. Returns 0 if the finding work-failed says how @tool
 * failed.
 */
double failing_killed(const struct facts *facts, const struct report_tool *tool);

/*
 * Returns the number of the user's tools for which @count_of returns more than 0.
 *
 * @worst: set to the tool that a finding should name, or to NULL if there is none. May be NULL
 */
typedef double failing_count_of(const struct facts *facts, const struct report_tool *tool);
double failing_count(const struct facts *facts, failing_count_of *count_of, const struct report_tool **worst);

/*
 * Returns true if failing_killed() counts a run of one of the user's tools, because it is not known how much that run
 * would have needed. If a tool only answers questions, its runs count only if all of them were killed. facts_read()
 * calls this function to set facts.cut_off.
 */
bool failing_any_killed(const struct facts *facts);

#endif
