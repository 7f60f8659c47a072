/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the programs that start a job's tasks and wait for them. facts_states_of_work() leaves out their threads. */
#ifndef STINT_LAUNCHERS_H
#define STINT_LAUNCHERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

#define LAUNCHERS_TEXT 192

/*
 * Returns the next tool of @report that is such a program, searching from the index *@at. Sets *@at to the index after
 * the tool. Returns NULL if there are no more.
 */
const struct report_tool *launchers_next(const struct report *report, size_t *at);

/*
 * Writes a note for the list of where the threads' time went, without a full stop, such as "Without the threads of
 * srun, which waits for tasks". Returns @text; NULL if the report has no such program.
 */
const char *launchers_note(const struct report *report, char text[LAUNCHERS_TEXT]);

/* Returns true if these programs had so much of the threads' time that a list without them needs the note. */
bool launchers_matter(const struct report *report);

#endif
