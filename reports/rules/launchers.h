/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the launchers, which start a job's tasks and wait for them. facts_states_of_work() leaves out the launchers'
 * threads.
 */
#ifndef STINT_LAUNCHERS_H
#define STINT_LAUNCHERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

#define LAUNCHERS_TEXT 192

/*
 * Returns the next tool of @report that is a launcher, starting at the index *@at. Sets *@at to the index after that
 * tool. Returns NULL if there are no more launchers.
 */
const struct report_tool *launchers_next(const struct report *report, size_t *at);

/*
 * Writes a note for the list that says where the threads' time went, without a full stop, such as "Without the threads
 * of srun, which waits for tasks". Returns @text; NULL if the report has no launcher whose states are known.
 */
const char *launchers_note(const struct report *report, char text[LAUNCHERS_TEXT]);

/* Returns true if launchers had so much of the threads' time that a list without the launchers needs the note. */
bool launchers_matter(const struct report *report);

#endif
