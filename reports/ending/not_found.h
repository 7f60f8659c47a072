/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds commands that the shell of a job script did not find, and programs that Slurm could not start. */
#ifndef STINT_NOT_FOUND_H
#define STINT_NOT_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns how many commands the shell of a report's job script could not find or could not run.
 *
 * If the shell does not find a command, the child that it forked calls no exec and exits with 127. If the shell finds
 * the command but cannot run it, the child exits with 126 (POSIX, Shell Command Language, 2.8.2 Exit Status for
 * Commands).
 *
 * Counts only processes that have an entry of their own in the timeline. Counts all commands within a subshell as
 * one, and only if the subshell itself ended with 126 or 127. Cannot count a command that dash finds in no directory
 * of PATH, because dash then forks no child. Does not count a program that itself returns 127, because its code has
 * another meaning. Does not count commands of other scripts, because a script such as configure tries what is
 * available.
 */
int not_found_count(const struct report *report);

/*
 * Returns true if @shell got its exit code from a command that it did not find or could not run. @shell is an entry
 * of the timeline. Returns true only if a fork of the shell ended with that code, or if the shell ran one command (sh
 * -c) and nothing else. Returns false if the code came from "exit 127", or from waiting for a child that does not
 * exist. @shell may be NULL.
 */
bool not_found_by(const struct report *report, const struct report_entry *shell);

/*
 * Returns the reason why the program of the step with the id @step was never executed, such as "no such file".
 * Returns NULL if the program was executed, or if that is not known.
 *
 * If the program cannot be executed, slurmstepd ends with the errno of execve(). That errno looks like an exit code
 * of the program. The two differ only in that the step has no process.
 *
 * @code: the exit code of the step
 */
const char *not_started_reason(const struct report *report, const char *step, int64_t code);

#endif
