/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record's list of gaps, what is not known and why: [{"name": "used.cpu_s", "reason": "one line"}]. It is short, so it is
 * searched from end to end. reports/records/making.h has those of a report. @gaps may be NULL: it stays empty.
 */
#ifndef STINT_GAPS_H
#define STINT_GAPS_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * Adds a gap, unless @gaps has the same name with the same reason.
 */
void gaps_add(struct json_object *gaps, const char *name, const char *reason);

/*
 * As gaps_add(), with a reason as printf() makes it.
 */
void gaps_addf(struct json_object *gaps, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Returns true when @gaps has a gap called @name.
 */
bool gaps_have(struct json_object *gaps, const char *name);

/*
 * Adds the gaps of @from to @gaps.
 */
void gaps_merge(struct json_object *gaps, struct json_object *from);

/* Why it is not known how much of so little CPU time was the user's and how much the system's. */
#define GAP_NO_TICK "no tick of the kernel's clock" /* what the reason begins with */

/*
 * Returns whether @reason is that the site turned something off. That is no gap worth a line on a page.
 */
bool gaps_chosen(const char *reason);

#endif
