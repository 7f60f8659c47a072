/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a process of the timeline ended. */
#ifndef STINT_ENDS_H
#define STINT_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/* Returns the exit code that a shell sees in $?, from the values in a report. -1 if unknown. */
int64_t ends_code_of(int64_t exit_code, int64_t signal);

/* Work like ends_code_of(), for @entry or @step, which may be NULL. */
int64_t ends_code(const struct report_entry *entry);
int64_t ends_code_of_step(const struct report_step *step);

/*
 * Returns true if the process of @entry ended with @code and was not dismissed.
 * A process is dismissed if SIGPIPE ended it, or if a process above it did so.
 * If @code is the code of SIGPIPE, a dismissed process counts: under "set -o pipefail", its script fails.
 */
bool ends_with(const struct report_entry *entry, int64_t code);

/*
 * Returns true if the process of @entry failed.
 * An exit code that may be an answer is no failure.
 * If the process ended because nothing read its output any more, it did not fail either.
 */
bool ends_failed(const struct report_entry *entry);

#endif
