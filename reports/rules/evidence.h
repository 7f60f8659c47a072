/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The evidence, the list of numbers behind a verdict or a finding. */
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
 * Each appends one entry to @evidence. A number that is NAN is not known, and is left out. If @evidence is NULL, nothing is
 * appended. Names and units must live as long as the report; @text is copied.
 */
void evidence_count(struct evidence *evidence, const char *name, double value); /* a whole number without unit */
void evidence_number(struct evidence *evidence, const char *name, double value, const char *unit); /* NULL: a ratio */
void evidence_bytes(struct evidence *evidence, const char *name, double value);
void evidence_seconds(struct evidence *evidence, const char *name, double value);
void evidence_text(struct evidence *evidence, const char *name, const char *text); /* a name; NULL: left out */

/*
 * As evidence_number(), with the threshold that the value was compared to.
 */
void evidence_against(struct evidence *evidence, const char *name, double value, const char *unit, double threshold);

/* Returns true if @list has an entry called @name. */
bool evidence_has(const struct report_evidence_list *list, const char *name);

/* Returns the threshold that the value of @list called @name was compared to; NAN: the list does not say. */
double evidence_threshold(const struct report_evidence_list *list, const char *name);

/*
 * Returns the numbers of @list in words, "cores unused 2, unused 0.5 core-hours", to be freed; NULL if out of memory. Names are as
 * a user wrote them: escape the text before printing it.
 */
char *evidence_words(const struct report_evidence_list *list);

/*
 * Writes the number @value, called @name and of unit @unit ("" for none), as people read it. All pages use this form.
 *
 * Returns how many bytes at the end of @name only name the unit.
 */
size_t evidence_value_text(const char *name, const char *unit, double value, char text[EVIDENCE_VALUE_TEXT]);

#endif
