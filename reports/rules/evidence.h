/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes and reads evidence: the numbers behind a verdict or a finding. */
#ifndef STINT_EVIDENCE_H
#define STINT_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

#define EVIDENCE_VALUE_TEXT 64

/* Evidence that is being made. */
struct evidence {
	struct report_evidence_list list;
	struct report *report; /* owns the memory of the list */
};

/*
 * Append an entry to @evidence. Do nothing if @evidence is NULL, or if the number is NAN (not known).
 * Names and units must live as long as the report. @text is copied.
 */
void evidence_count(struct evidence *evidence, const char *name, double value); /* a whole number without unit */
void evidence_number(struct evidence *evidence, const char *name, double value, const char *unit); /* @unit: NULL for a ratio */
void evidence_bytes(struct evidence *evidence, const char *name, double value);
void evidence_seconds(struct evidence *evidence, const char *name, double value);
void evidence_text(struct evidence *evidence, const char *name, const char *text); /* @text: a name; nothing if NULL */

/* Works like evidence_number(), and also stores the threshold of @value. */
void evidence_against(struct evidence *evidence, const char *name, double value, const char *unit, double threshold);

bool evidence_has(const struct report_evidence_list *list, const char *name);

/* Returns the threshold of the value @name; NAN if there is none. */
double evidence_threshold(const struct report_evidence_list *list, const char *name);

/*
 * Returns the numbers in words: "cores unused 2, unused 0.5 core-hours". The caller frees them. NULL if out of memory.
 * Names from users are not escaped.
 */
char *evidence_words(const struct report_evidence_list *list);

/*
 * Writes @value as all pages show it. @unit: "" for none.
 * Returns how many bytes at the end of @name repeat the unit, as in "_bytes"; 0 if @name has no such end.
 */
size_t evidence_value_text(const char *name, const char *unit, double value, char text[EVIDENCE_VALUE_TEXT]);

#endif
