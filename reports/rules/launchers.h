/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs whose threads facts_states_of_work() leaves out: they start a job's tasks, and wait for them. */
#ifndef STINT_LAUNCHERS_H
#define STINT_LAUNCHERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

#define LAUNCHERS_TEXT 192

/*
 * Returns the next tool of @report that is such a program, from the index *@at on, and sets *@at to the index after it; NULL: no
 * more.
 */
const struct report_tool *launchers_next(const struct report *report, size_t *at);

/*
 * Writes the note of @report for the list of where the threads' time went, without a full stop: "Without the threads of srun, which
 * waits for tasks". Returns @text; NULL: the report has no such program.
 */
const char *launchers_note(const struct report *report, char text[LAUNCHERS_TEXT]);

/* Returns true if these programs took so much of the threads' time that a list without them needs the note. */
bool launchers_matter(const struct report *report);

#endif
