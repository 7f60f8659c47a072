/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats values for the sentence and the table of a comparison. Each function returns @text. */
#ifndef STINT_COMPARE_INTERNAL_H
#define STINT_COMPARE_INTERNAL_H

#include "reports/compare/compare.h"

#define COMPARE_TEXT 64

/* "1 h 12 min", "4 min 10 s", "12.3 s" */
const char *compare_time_words(double seconds, char text[COMPARE_TEXT]);

/* "00:03:20", "1.2 GiB", "48.7 %", "not known" */
const char *compare_value_text(const struct compare_rule *rule, double value, char text[COMPARE_TEXT]);

/* "+35 %", "x2.4", or "-12 points" for shares. If A is 0: the difference. */
const char *compare_change_text(const struct compare_rule *rule, const struct compare_line *line,
				char text[COMPARE_TEXT]);

#endif
