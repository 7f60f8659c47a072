/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record's gaps: what is not known, and why. [{"name": "used.cpu_s", "reason": "one line"}]
 *
 * @gaps may be NULL: an empty list to which nothing can be added.
 */
#ifndef STINT_GAPS_H
#define STINT_GAPS_H

#include <stdbool.h>

#include <json-c/json.h>

/* Adds a gap, if @gaps does not have the same name and reason yet. */
void gaps_add(struct json_object *gaps, const char *name, const char *reason);

/* Adds a gap with gaps_add(). Formats the reason like printf(). */
void gaps_addf(struct json_object *gaps, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns whether @gaps has a gap called @name. */
bool gaps_have(struct json_object *gaps, const char *name);

/* Adds all gaps of @from to @gaps. */
void gaps_merge(struct json_object *gaps, struct json_object *from);

/* Begins the reason of a gap: the CPU time was too short to be split into user and system time. */
#define GAP_NO_TICK "no tick of the kernel's clock" /* other words may follow */

/* Returns whether @reason says that the site turned something off in stint.conf. Pages do not show such a gap. */
bool gaps_chosen(const char *reason);

#endif
