/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a process of a report's timeline ended. */
#ifndef STINT_ENDS_H
#define STINT_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns what a shell has in $? after a process, step or job that has this @exit_code and @signal, as reports do; -1: it is not
 * known.
 */
int64_t ends_code_of(int64_t exit_code, int64_t signal);

/* The same of the process of @entry, and of @step. Either may be NULL. */
int64_t ends_code(const struct report_entry *entry);
int64_t ends_code_of_step(const struct report_step *step);

/*
 * Returns true if the process of @entry ended with @code, and nobody wanted it to. Neither counts one that SIGPIPE ended, unless @code
 * says so: its script fails by that under "set -o pipefail".
 */
bool ends_with(const struct report_entry *entry, int64_t code);

/* Returns true if @entry failed, with any code, and that code cannot have been an answer, nor that nothing read its output. */
bool ends_failed(const struct report_entry *entry);

#endif
