/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record's list of gaps, which says what is not known and why: [{"name": "used.cpu_s", "reason": "one line"}]. The
 * list is short, so the functions search all of it. reports/records/making.h has the gaps of a report. @gaps may be
 * NULL, which is an empty list that stays empty.
 */
#ifndef STINT_GAPS_H
#define STINT_GAPS_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * Adds a gap, unless @gaps has the same name with the same reason.
 */
void gaps_add(struct json_object *gaps, const char *name, const char *reason);

/* Like gaps_add(), with a reason that is formatted as by printf(). */
void gaps_addf(struct json_object *gaps, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns true if @gaps has a gap called @name. */
bool gaps_have(struct json_object *gaps, const char *name);

/*
 * Adds the gaps of @from to @gaps.
 */
void gaps_merge(struct json_object *gaps, struct json_object *from);

/* The reason why a very small CPU time is not split into user time and system time. */
#define GAP_NO_TICK "no tick of the kernel's clock" /* the reason begins with these words */

/* Returns true if @reason says that the site turned something off. Such a gap is not worth a line on a page. */
bool gaps_chosen(const char *reason);

#endif
