/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How runs of a job's tools failed, or were killed. A tool is one of the report's, borrowed. */
#ifndef STINT_FAILING_TOOLS_H
#define STINT_FAILING_TOOLS_H

#include <stdbool.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/* Returns true if @tool is the user's, and not one of Slurm's own. */
bool failing_is_users(const struct report_tool *tool);

/* Returns true if @tool is the script of a job whose outcome says how that script ended, or what made it fail. */
bool failing_is_outcomes(const struct facts *facts, const struct report_tool *tool);

/* Returns true if the finding work-failed says how @tool failed. */
bool failing_is_works(const struct facts *facts, const struct report_tool *tool);

/* Returns true if @entry, of the timeline, is a run of the user's tool @name that may have failed. (Slurm has its own sleep.) */
bool failing_is_run(const struct report_entry *entry, const char *name);

/*
 * Returns the exit code or signal, as @name says, that all failed runs of @tool in the timeline have in common; NAN if they differ,
 * or none is known.
 */
double failing_ending(const struct facts *facts, const struct report_tool *tool, const char *name);

/*
 * Returns true if all runs of @tool in the timeline that failed with an exit code had lost the reader of their output before. That
 * is no failure.
 */
bool failing_was_unread(const struct facts *facts, const struct report_tool *tool);

/* Returns how many runs of @tool ended themselves by a signal as part of their work. The finding tools-killed does not count these. */
double failing_ended_itself(const struct facts *facts, const struct report_tool *tool);

/* Returns how many runs of @tool a signal ended, without those that Slurm, the kernel for memory, or the tool itself ended. */
double failing_killed_in_all(const struct facts *facts, const struct report_tool *tool);

/* Returns the same for the finding tools-killed: 0, if work-failed says how @tool failed. */
double failing_killed(const struct facts *facts, const struct report_tool *tool);

/* Returns how many of the user's tools have a @count_of above 0. @worst: set to the tool to name (NULL: none), unless it is NULL. */
typedef double failing_count_of(const struct facts *facts, const struct report_tool *tool);
double failing_count(const struct facts *facts, failing_count_of *count_of, const struct report_tool **worst);

/*
 * Returns true if failing_killed() counts a run of one of the user's tools: what that run would have needed is not known. A tool
 * that only answers questions counts only if all its runs were killed. facts_read() calls this function for facts.cut_off.
 */
bool failing_any_killed(const struct facts *facts);

#endif
