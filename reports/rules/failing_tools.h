/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how runs of tools failed or were killed. All tools are borrowed from the report. */
#ifndef STINT_FAILING_TOOLS_H
#define STINT_FAILING_TOOLS_H

#include <stdbool.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/* Returns true if @tool is not one of Slurm's own tools. */
bool failing_is_users(const struct report_tool *tool);

/* Returns true if @tool is the job script, and the outcome says how the script ended or why it failed. */
bool failing_is_outcomes(const struct facts *facts, const struct report_tool *tool);

/* Returns true if the finding work-failed says how @tool failed. */
bool failing_is_works(const struct facts *facts, const struct report_tool *tool);

/*
 * Returns true if @entry of the timeline is a run of the user's tool @name that may have failed.
 * Slurm's own tools can have the same name (sleep), and do not count.
 */
bool failing_is_run(const struct report_entry *entry, const char *name);

/*
 * Returns the signal or exit code that all failed runs of @tool have in common.
 * Returns NAN if the runs ended differently, or if their end is not known.
 * @name: "signal" for the signal; any other word for the exit code.
 */
double failing_ending(const struct facts *facts, const struct report_tool *tool, const char *name);

/*
 * Returns true if all failed runs of @tool had lost the reader of their output.
 * These runs do not count as failures.
 */
bool failing_was_unread(const struct facts *facts, const struct report_tool *tool);

/* Returns how many runs of @tool ended themselves by a signal as part of their work. */
double failing_ended_itself(const struct facts *facts, const struct report_tool *tool);

/*
 * Returns how many runs of @tool ended by a signal.
 * Leaves out runs that Slurm ended, that the kernel killed for memory, or that ended themselves.
 */
double failing_killed_in_all(const struct facts *facts, const struct report_tool *tool);

/* Returns failing_killed_in_all(), or 0 if the finding work-failed says how @tool failed. */
double failing_killed(const struct facts *facts, const struct report_tool *tool);

/*
 * Returns the number of the user's tools with @count_of > 0.
 * @worst: receives the tool that a finding names; NULL if there is no such tool. @worst itself may be NULL.
 */
typedef double failing_count_of(const struct facts *facts, const struct report_tool *tool);
double failing_count(const struct facts *facts, failing_count_of *count_of, const struct report_tool **worst);

/*
 * Returns true if a run was killed, and this run may have needed more (facts.cut_off).
 * If a tool only answers questions, all its runs must have been killed.
 */
bool failing_any_killed(const struct facts *facts);

#endif
