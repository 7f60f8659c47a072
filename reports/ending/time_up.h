/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds programs that timeout(1) ended because their time was up. */
#ifndef STINT_TIME_UP_H
#define STINT_TIME_UP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the program that timeout ended because its time was up; borrowed. @entry is the process of timeout in the
 * report's timeline. Returns NULL if timeout did not end the program, or if that is not certain, because the exit
 * code of timeout may come from the program. @entry may be NULL.
 */
const struct report_entry *time_up_program(const struct report *report, const struct report_entry *entry);

/*
 * Returns true if @name is timeout, and all its killed runs in the timeline were killed by the signal that had ended
 * their program, because timeout then sends that signal to itself. If there are very many runs, checks only the first
 * ones. @name may be NULL.
 */
bool time_up_passed_on(const struct report *report, const char *name);

#endif
