/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why there is no advice, as one sentence, so that nobody has to wonder. */
#ifndef STINT_SILENCE_H
#define STINT_SILENCE_H

#include <stdbool.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/* For a job that had all the memory of its nodes, and filled it. */
#define SILENCE_WHOLE_NODE "It had all of the node's memory: take nodes with more, or spread it over more of them"
#define SILENCE_TEXT 192

/*
 * Writes the sentence, without a full stop: "Too short (41 s) to advise on: that starts at 60 s". The report has its
 * findings and its advice already.
 *
 * Returns @text; NULL where the report has advice.
 */
const char *silence_text(const struct facts *facts, char text[SILENCE_TEXT]);

/*
 * Returns the sentence that @report has; where it has none, as in reports of stint 0.1, writes it to @text and returns
 * that. NULL: the report has advice.
 */
const char *silence_of_report(const struct report *report, char text[SILENCE_TEXT]);

/*
 * Returns whether findings could have been made, so that a page may say that there are none.
 */
bool silence_means_none(const struct report *report);

#endif
