/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a process of a report's timeline ended. */
#ifndef STINT_ENDS_H
#define STINT_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns the exit code that a shell sees in $? after a process, step or job ended. @exit_code and @signal are the
 * values in a report. Returns -1 if the code is not known.
 */
int64_t ends_code_of(int64_t exit_code, int64_t signal);

/* Like ends_code_of(), but take the values from @entry or from @step, which may be NULL. */
int64_t ends_code(const struct report_entry *entry);
int64_t ends_code_of_step(const struct report_step *step);

/*
 * Returns true if the process of @entry ended with @code and was not dismissed. A process is dismissed if SIGPIPE
 * ends it, or if a process above it ends it. If @code is the code of SIGPIPE, also returns true for a dismissed
 * process, because such a process makes its script fail under "set -o pipefail".
 */
bool ends_with(const struct report_entry *entry, int64_t code);

/*
 * Returns true if the process of @entry failed, with any code. Returns false if the code can be the answer to a
 * question, or if the reader of the process's output had ended before.
 */
bool ends_failed(const struct report_entry *entry);

#endif
