/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles a record's list of gaps, which says what is not known and why: [{"name": "used.cpu_s", "reason": "one
 * line"}]. The functions search the whole list, because it is short. reports/records/making.h handles the gaps of a
 * report.
 *
 * @gaps may be NULL. It is then an empty list to which nothing can be added.
 */
#ifndef STINT_GAPS_H
#define STINT_GAPS_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * Adds a gap, unless @gaps already has a gap with the same name and the same reason.
 */
void gaps_add(struct json_object *gaps, const char *name, const char *reason);

/* Like gaps_add(), but formats the reason like printf(). */
void gaps_addf(struct json_object *gaps, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns true if @gaps has a gap called @name. */
bool gaps_have(struct json_object *gaps, const char *name);

/*
 * Adds all gaps of @from to @gaps, like gaps_add().
 */
void gaps_merge(struct json_object *gaps, struct json_object *from);

/* How the reason begins if a CPU time is so short that it cannot be split into user time and system time. */
#define GAP_NO_TICK "no tick of the kernel's clock" /* other words may follow */

/* Returns true if @reason says that the site turned something off in stint.conf. A page needs no line for such a gap. */
bool gaps_chosen(const char *reason);

#endif
