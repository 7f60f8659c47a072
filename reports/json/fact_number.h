/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report's numbers, and what is made of them: NAN is not known, see facts.h. */
#ifndef STINT_FACT_NUMBER_H
#define STINT_FACT_NUMBER_H

#include <stddef.h>

#include <json-c/json.h>

#define FACT_NUMBER_MAX 1e18 /* a report with a larger number was made up; products of two stay finite */

/*
 * Returns the number that the dotted @name leads to; NAN when there is none, or an impossible one (negative, or beyond
 * 1e18).
 */
double fact_number(struct json_object *object, const char *name);

/*
 * As fact_number(), for the entry @i of @list.
 */
double fact_at(struct json_object *list, size_t i);

/*
 * Returns @value, or @most where @value is larger. A @value that is not known stays unknown; a @most that is not known
 * is no bound.
 */
static inline double fact_at_most(double value, double most)
{
	return value > most ? most : value;
}

/*
 * Returns @value, or 1 where @value is larger.
 */
static inline double fact_share(double value)
{
	return fact_at_most(value, 1);
}

/*
 * Returns @part divided by @whole; NAN unless @whole is known and above 0.
 */
double fact_ratio(double part, double whole);

#endif
