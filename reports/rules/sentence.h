/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes findings as sentences with their numbers. The table in rules.c has a pattern for each finding. A pattern has
 * these parts:
 *
 * {name}           the value of that name in the evidence, with its unit: "17 s", "54 %", "5,000"
 * {name,other}     the first of these values that is known
 * {name#}          a number that is a name, such as a pid: 12345
 * {name!}          how often: "once", "twice", "5 times"
 * {name?one|many}  the text "one" if the value is 1, otherwise the text "many". Each text may have parts of its own
 * [text]           the text. Left out if a value in the text is not known, or is 0
 */
#ifndef STINT_SENTENCE_H
#define STINT_SENTENCE_H

#include <stdbool.h>

#include "reports/model/report.h"

#define SENTENCE_TEXT 512
#define NAME_SHOWN 64 /* how many bytes are shown, at most, of a name that a user gave to a tool, a file or a job */

/*
 * Writes the sentence that results from @pattern and the values in @evidence.
 *
 * Returns false if a value that stands outside all [] is not known. If so, do not use @text.
 */
bool sentence_write(const char *pattern, const struct report_evidence_list *evidence, char text[SENTENCE_TEXT]);

/*
 * Returns the sentence of @finding, an entry of the report's findings, without a full stop. Reports of stint 0.1 have
 * no sentence. For such a report, makes a sentence from the pattern in the table and the evidence. If that is not
 * possible, returns the hint, or if there is no hint, the code.
 *
 * The sentence has names as they are in the report, so the caller must escape the sentence.
 */
const char *sentence_of_finding(const struct report_finding *finding, char text[SENTENCE_TEXT]);

#endif
