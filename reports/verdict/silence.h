/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says in one sentence why there is no advice. */
#ifndef STINT_SILENCE_H
#define STINT_SILENCE_H

#include <stdbool.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/* The sentence for a job that had all the memory of its nodes, and used all of it. */
#define SILENCE_WHOLE_NODE "It had all of the node's memory: take nodes with more, or spread it over more of them"
#define SILENCE_TEXT 192

/*
 * Writes the sentence, without a full stop, such as "It ran only 41 s; stint gives advice from 60 s". Call this after
 * the report has its findings and its advice.
 *
 * Returns @text; NULL if the report has advice.
 */
const char *silence_text(const struct facts *facts, char text[SILENCE_TEXT]);

/*
 * Returns the sentence in @report. If @report has no sentence, as in reports of stint 0.1, writes a sentence to @text
 * and returns @text. Returns NULL if the report has advice.
 */
const char *silence_of_report(const struct report *report, char text[SILENCE_TEXT]);

/* Returns true if findings were possible. If so, and if there are none, a page may say that there are none. */
bool silence_means_none(const struct report *report);

#endif
