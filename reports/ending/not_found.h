/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds commands that the job script's shell did not find, and programs that Slurm could not start. */
#ifndef STINT_NOT_FOUND_H
#define STINT_NOT_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns how many commands the shell of the job script could not find or could not run.
 *
 * The shell's child then ends with 127 (not found) or 126 (cannot run), without an exec.
 * Source: POSIX, Shell Command Language, 2.8.2 Exit Status for Commands.
 *
 * Not counted:
 *  - a process without an entry of its own in the timeline;
 *  - more than one command of a subshell, which must itself end with 126 or 127;
 *  - a command that dash finds nowhere in PATH, because dash then forks no child;
 *  - a program that ends with 127 for another reason;
 *  - commands of other scripts, because scripts such as configure try what is available.
 */
int not_found_count(const struct report *report);

/*
 * Returns true if the exit code of @shell is that of a command which the shell could not find or run.
 * A fork of the shell must have ended with this code, or the shell ran nothing else (sh -c).
 * Returns false for "exit 127", and for a wait for a child that does not exist. @shell may be NULL.
 */
bool not_found_by(const struct report *report, const struct report_entry *shell);

/*
 * Returns why the program of a step was never executed: "no such file"; else NULL.
 *
 * If execve() fails, slurmstepd ends with the errno, which looks like an exit code of the program.
 * But the step then has no process.
 *
 * @step: the step's id. @code: the step's exit code.
 */
const char *not_started_reason(const struct report *report, const char *step, int64_t code);

#endif
