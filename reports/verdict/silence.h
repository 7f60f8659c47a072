/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says in one sentence why there is no advice. */
#ifndef STINT_SILENCE_H
#define STINT_SILENCE_H

#include <stdbool.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/* For a job that used all memory of its whole nodes. */
#define SILENCE_WHOLE_NODE "It had all of the node's memory: take nodes with more, or spread it over more of them"
#define SILENCE_TEXT 192

/*
 * Writes "It ran only 41 s; stint gives advice from 60 s", without a full stop.
 * Call this after the report has its findings and its advice.
 * Returns @text; NULL if there is advice.
 */
const char *silence_text(const struct facts *facts, char text[SILENCE_TEXT]);

/*
 * Returns the sentence of @report; NULL if there is advice.
 * A report of stint 0.1 has no sentence: makes a sentence, in @text.
 */
const char *silence_of_report(const struct report *report, char text[SILENCE_TEXT]);

/* Returns true if the rules could check the job for findings. Only then may a page say that there are no findings. */
bool silence_means_none(const struct report *report);

#endif
