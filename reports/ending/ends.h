/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a process of a report's timeline ended. */
#ifndef STINT_ENDS_H
#define STINT_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns the $? that a shell has after a process, step or job with this @exit_code and @signal of a report; -1: not known.
 */
int64_t ends_code_of(int64_t exit_code, int64_t signal);

/* The same for the process of @entry, and for @step. Either may be NULL. */
int64_t ends_code(const struct report_entry *entry);
int64_t ends_code_of_step(const struct report_step *step);

/*
 * Returns true if the process of @entry ended with @code and was not dismissed (a process above it ended it, or SIGPIPE did). If
 * @code is that of SIGPIPE, a dismissed process counts, too: its script fails by that under "set -o pipefail".
 */
bool ends_with(const struct report_entry *entry, int64_t code);

/* Returns true if @entry failed, with any code, unless the code can be an answer or nothing read its output. */
bool ends_failed(const struct report_entry *entry);

#endif
