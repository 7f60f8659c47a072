/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a process of a report's timeline ended. */
#ifndef STINT_ENDS_H
#define STINT_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns the exit code that a shell has in $? after a process, step or job that has @exit_code and @signal in a
 * report; -1 if not known.
 */
int64_t ends_code_of(int64_t exit_code, int64_t signal);

/* Like ends_code_of(), for the process of @entry, and for @step. Either may be NULL. */
int64_t ends_code(const struct report_entry *entry);
int64_t ends_code_of_step(const struct report_step *step);

/*
 * Returns true if the process of @entry ended with @code and was not dismissed. A process is dismissed if a process
 * above it ended it, or if SIGPIPE did. If @code is that of SIGPIPE, a dismissed process counts, too, because it makes
 * its script fail under "set -o pipefail".
 */
bool ends_with(const struct report_entry *entry, int64_t code);

/*
 * Returns true if @entry failed, with any code. Returns false if the code can be an answer, or if nothing read the
 * output of the process.
 */
bool ends_failed(const struct report_entry *entry);

#endif
