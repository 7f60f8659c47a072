/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and numbers that a comparison's sentence and table share. Each fills @text and returns it. */
#ifndef STINT_COMPARE_PART_H
#define STINT_COMPARE_PART_H

#include "reports/compare.h"

#define COMPARE_TEXT 64

/*
 * "1 h 12 min", "4 min 10 s", "12.3 s".
 */
const char *compare_time_words(double seconds, char text[COMPARE_TEXT]);

/*
 * A value of the rule's: "00:03:20", "1.2 GiB", "48.7 %"; "not known".
 */
const char *compare_value_text(const struct compare_rule *rule, double value, char text[COMPARE_TEXT]);

/*
 * What changed: "+35 %", "x2.4", of shares "-12 points", and from nothing the difference itself.
 */
const char *compare_change_text(const struct compare_rule *rule, const struct compare_line *line,
				char text[COMPARE_TEXT]);

#endif
