/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of numbers that a verdict or a finding was made from: [{"name", "value", "unit"?, "threshold"?}]. */
#ifndef STINT_EVIDENCE_H
#define STINT_EVIDENCE_H

#include <json-c/json.h>

/*
 * Each puts one entry behind those that @list has. A number that is NAN is not
 * known, and left out.
 */
void evidence_count(struct json_object *list, const char *name, double value); /* whole, no unit */
void evidence_number(struct json_object *list, const char *name, double value, const char *unit); /* NULL: a ratio */
void evidence_bytes(struct json_object *list, const char *name, double value);
void evidence_seconds(struct json_object *list, const char *name, double value);
void evidence_text(struct json_object *list, const char *name, const char *text); /* a name; NULL: left out */

/*
 * As evidence_number(), with the threshold that it was held against.
 */
void evidence_against(struct json_object *list, const char *name, double value, const char *unit, double threshold);

/*
 * Returns the numbers of @list in words, "cores unused 2, unused 0.5 core-hours", as somebody wrote them: to be
 * escaped. To be freed; NULL when there is no memory.
 */
char *evidence_words(struct json_object *list);

#endif
