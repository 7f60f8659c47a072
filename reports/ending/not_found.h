/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of a job script that its shell did not find, and programs that Slurm could not start. */
#ifndef STINT_NOT_FOUND_H
#define STINT_NOT_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns how many commands the shell of a report's job script could not find or run, as far as each process has its own entry in
 * the timeline. Commands within a subshell count as one, and only if the subshell ended with such a code. dash forks no child for a
 * name that is in no directory of PATH, so such a command is not known.
 *
 * The shell forks a child for a command. If the command is not found, the child never calls exec and exits with 127. If it is found
 * and cannot be run, the child exits with 126 (POSIX, Shell Command Language, 2.8.2 Exit Status for Commands). A program that
 * returns 127 itself does not count: the code has another meaning there. Other scripts do not count either: configure, for example,
 * tries what is available.
 */
int not_found_count(const struct report *report);

/*
 * Returns true if the exit code of @shell, an entry of the timeline, comes from a command that it did not find or could not run: a
 * fork of the shell ended with that code, or the shell ran one command (sh -c) and nothing else. An exit code from "exit 127" or
 * from a wait in vain does not count. @shell may be NULL.
 */
bool not_found_by(const struct report *report, const struct report_entry *shell);

/*
 * Returns why the program of the step with the id @step was never executed, such as "no such file"; NULL: it was executed, or that
 * is not known. slurmstepd then ends with the errno of execve(). Only the lack of any process tells this errno from an exit code of
 * the program.
 *
 * @code: the exit code of the step
 */
const char *not_started_reason(const struct report *report, const char *step, int64_t code);

#endif
