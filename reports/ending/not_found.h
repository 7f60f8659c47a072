/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of a job script that its shell did not find, and programs that Slurm could not start. */
#ifndef STINT_NOT_FOUND_H
#define STINT_NOT_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns how many commands the shell of a report's job script could not find or run, as far as the timeline has each process of its
 * own. Commands within a subshell count as one, and only if the subshell ended with such a code. dash forks no child for a name that
 * is in no directory of PATH, so such a command is not known.
 *
 * The shell forks a child for a command. If the command is not found, the child never calls exec and exits with 127; if it is found
 * and cannot be run, with 126 (POSIX, Shell Command Language, 2.8.2 Exit Status for Commands). A program that returns 127 itself
 * does not count: it has its own meaning of it. Neither do other scripts: configure, for example, tries what there is.
 */
int not_found_count(const struct report *report);

/*
 * Returns true if @shell, an entry of the timeline, has its exit code from a command that it did not find or could not run, and not
 * from "exit 127" or a wait in vain: a fork of it ended with that code, or it ran one command (sh -c) and nothing else. @shell may
 * be NULL.
 */
bool not_found_by(const struct report *report, const struct report_entry *shell);

/*
 * Returns why the program of the step with the id @step was never executed, as "no such file"; NULL: it was, or that is not known.
 * slurmstepd ends with the errno of execve() then, which nobody can tell from an exit code of the program's own but by there being no
 * process.
 *
 * @code: the exit code of the step
 */
const char *not_started_reason(const struct report *report, const char *step, int64_t code);

#endif
