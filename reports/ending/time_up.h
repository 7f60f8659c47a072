/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds programs that timeout(1) ended because their time was up. */
#ifndef STINT_TIME_UP_H
#define STINT_TIME_UP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the program that timeout ended, borrowed. @entry: timeout in the timeline, or NULL.
 * Returns NULL if timeout did not end the program, or if the exit code may come from the program.
 */
const struct report_entry *time_up_program(const struct report *report, const struct report_entry *entry);

/*
 * Returns true if @name is timeout, and each killed run ended by the same signal as its program.
 * timeout sends this signal to itself. Checks only the first runs if there are very many. @name may be NULL.
 */
bool time_up_passed_on(const struct report *report, const char *name);

#endif
