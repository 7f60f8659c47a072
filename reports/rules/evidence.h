/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes and reads the evidence, which is the list of numbers behind a verdict or a finding. */
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
 * Each of these functions appends one entry to @evidence. It appends nothing if @evidence is NULL, or if the number is
 * NAN, which means that it is not known. Names and units must live as long as the report; @text is copied.
 */
void evidence_count(struct evidence *evidence, const char *name, double value); /* a whole number without unit */
void evidence_number(struct evidence *evidence, const char *name, double value, const char *unit); /* NULL: a ratio */
void evidence_bytes(struct evidence *evidence, const char *name, double value);
void evidence_seconds(struct evidence *evidence, const char *name, double value);
void evidence_text(struct evidence *evidence, const char *name, const char *text); /* @text: a name; left out if NULL */

/* Like evidence_number(), but also stores the threshold that @value was compared to. */
void evidence_against(struct evidence *evidence, const char *name, double value, const char *unit, double threshold);

/* Returns true if @list has an entry called @name. */
bool evidence_has(const struct report_evidence_list *list, const char *name);

/* Returns the threshold that the value @name of @list was compared to; NAN if the list does not say. */
double evidence_threshold(const struct report_evidence_list *list, const char *name);

/*
 * Returns the numbers of @list in words, such as "cores unused 2, unused 0.5 core-hours"; NULL if out of memory. The
 * caller must free the text. Names are as a user wrote them, so escape the text before printing it.
 */
char *evidence_words(const struct report_evidence_list *list);

/*
 * Writes the number @value as people read it. @name is its name, and @unit its unit ("" for none). All pages use this
 * form.
 *
 * Returns how many bytes at the end of @name only name the unit, such as those of "_bytes".
 */
size_t evidence_value_text(const char *name, const char *unit, double value, char text[EVIDENCE_VALUE_TEXT]);

#endif
