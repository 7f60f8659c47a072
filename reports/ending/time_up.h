/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What timeout(1) ended because its time was up. */
#ifndef STINT_TIME_UP_H
#define STINT_TIME_UP_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the program that timeout, the process of @entry of the report's timeline, ended because the time that it gave it was up:
 * by its exit code that is so, and no code of the program's own. Borrowed. NULL: else, or if that is not sure. @entry may be NULL.
 */
const struct report_entry *time_up_program(const struct report *report, const struct report_entry *entry);

/*
 * Returns true if @name is timeout, and in all killed runs of it that the timeline knows, its program had ended by the same signal:
 * timeout sends itself that then. Of very many runs, only the first ones are looked at. @name may be NULL.
 */
bool time_up_passed_on(const struct report *report, const char *name);

#endif
