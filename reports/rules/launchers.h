/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists launchers: programs that start a job's tasks and wait for them. */
#ifndef STINT_LAUNCHERS_H
#define STINT_LAUNCHERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

#define LAUNCHERS_TEXT 192

/*
 * Returns the next launcher of @report; NULL if there is none.
 * @at: index to start at; set to the next index.
 */
const struct report_tool *launchers_next(const struct report *report, size_t *at);

/*
 * Writes a note for the list of where threads' time went, without a full stop.
 * Example: "Without the threads of srun, which waits for tasks".
 * Returns @text; NULL if there is no launcher with known states.
 */
const char *launchers_note(const struct report *report, char text[LAUNCHERS_TEXT]);

/* Returns true if launchers had so much of the threads' time that the list needs the note. */
bool launchers_matter(const struct report *report);

#endif
