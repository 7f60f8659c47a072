/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes findings as sentences with their numbers. A pattern of rules.c has these parts:
 *
 * {name}           a value of the evidence, with its unit: "17 s", "54 %", "5,000"
 * {name,other}     the first of these values that is known
 * {name#}          a number that is a name, such as a pid: 12345
 * {name!}          how often: "once", "twice", "5 times"
 * {name?one|many}  the text "one" if the value is 1, else the text "many"; a text can have parts
 * [text]           the text; left out if a value in it is 0 or not known
 */
#ifndef STINT_SENTENCE_H
#define STINT_SENTENCE_H

#include <stdbool.h>

#include "reports/model/report.h"

#define SENTENCE_TEXT 512
#define NAME_SHOWN 64 /* most bytes shown of a user's name for a tool, file or job */

/*
 * Writes the sentence of @pattern and @evidence.
 * Returns false if a value outside all [] is not known. Do not use @text then.
 */
bool sentence_write(const char *pattern, const struct report_evidence_list *evidence, char text[SENTENCE_TEXT]);

/*
 * Returns the sentence of @finding, without a full stop and not escaped.
 * A report of stint 0.1 has no sentence: makes it from the table and the evidence.
 * If that fails, returns the hint; without a hint, returns the code.
 */
const char *sentence_of_finding(const struct report_finding *finding, char text[SENTENCE_TEXT]);

#endif
