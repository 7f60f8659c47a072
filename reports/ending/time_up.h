/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the programs that timeout(1) ended because their time was up. */
#ifndef STINT_TIME_UP_H
#define STINT_TIME_UP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the program that timeout ended because its time was up, borrowed. @entry is the process of timeout in the
 * report's timeline. timeout itself must have set its exit code, and not the program. Returns NULL if timeout did not
 * end the program, or if that is not certain. @entry may be NULL.
 */
const struct report_entry *time_up_program(const struct report *report, const struct report_entry *entry);

/*
 * Returns true if @name is timeout, and in all its killed runs in the timeline, its program had ended by the same
 * signal. In this case timeout sends itself that signal. If there are very many runs, only the first ones are checked.
 * @name may be NULL.
 */
bool time_up_passed_on(const struct report *report, const char *name);

#endif
