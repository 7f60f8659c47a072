/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a process of the timeline ended. */
#ifndef STINT_ENDS_H
#define STINT_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/* Returns the exit code that a shell sees in $?, from the values in a report. -1 if unknown. */
int64_t ends_code_of(int64_t exit_code, int64_t signal);

/* ends_code_of() for @entry or @step, which may be NULL. */
int64_t ends_code(const struct report_entry *entry);
int64_t ends_code_of_step(const struct report_step *step);

/*
 * Returns true if the process of @entry ended with @code and was not dismissed.
 * A process is dismissed if SIGPIPE or a process above it ends it.
 * With the code of SIGPIPE, a dismissed process counts, because its script fails under "set -o pipefail".
 */
bool ends_with(const struct report_entry *entry, int64_t code);

/*
 * Returns true if the process of @entry failed.
 * A code that may be an answer is no failure. A process whose output nothing read any more did not fail.
 */
bool ends_failed(const struct report_entry *entry);

#endif
