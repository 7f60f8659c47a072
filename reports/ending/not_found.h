/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds commands of a job script that its shell did not find, and programs that Slurm could not start. */
#ifndef STINT_NOT_FOUND_H
#define STINT_NOT_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns how many commands the shell of a report's job script could not find or run. Counts only processes that have
 * an entry of their own in the timeline. The commands within a subshell count as one, and only if the subshell ended
 * with such a code. If a name is in no directory of PATH, dash forks no child, so such a command is not known.
 *
 * The shell forks a child for a command. If the command is not found, the child never calls exec and exits with 127. If
 * the command is found and cannot be run, the child exits with 126 (POSIX, Shell Command Language, 2.8.2 Exit Status
 * for Commands). A program that itself returns 127 does not count, because its code has another meaning. Commands of
 * other scripts do not count either, because a script such as configure tries what is available.
 */
int not_found_count(const struct report *report);

/*
 * Returns true if the exit code of @shell, an entry of the timeline, comes from a command that the shell did not find
 * or could not run. Then a fork of the shell ended with that code, or the shell ran one command (sh -c) and nothing
 * else. An exit code from "exit 127", or from waiting for a child that does not exist, does not count. @shell may be
 * NULL.
 */
bool not_found_by(const struct report *report, const struct report_entry *shell);

/*
 * Returns why the program of the step with the id @step was never executed, such as "no such file". Returns NULL if the
 * program was executed, or if that is not known. If the program is not executed, slurmstepd ends with the errno of
 * execve(). This errno looks like an exit code of the program. Only the lack of any process distinguishes the two.
 *
 * @code: the exit code of the step
 */
const char *not_started_reason(const struct report *report, const char *step, int64_t code);

#endif
